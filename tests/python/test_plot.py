"""sluice.plot: ceilings, and drawings where matplotlib is installed."""

import importlib.util
import unittest

import common
import sluice


class PlotTest(common.Case):
    def test_ceilings_of_the_h200_are_those_that_were_measured(self):
        top = sluice.plot.peaks(sluice.Machine("h200"))
        self.assertEqual(top["issue"], 528)
        self.assertAlmostEqual(top["L1"] / 132, 128)
        self.assertAlmostEqual(top["DRAM"] * 1.98, 4546, delta=0.05 * 4546)

    def test_without_banks_a_line_is_read_at_once(self):
        self.assertEqual(sluice.plot.peaks(sluice.Machine("gcn-tian"))["L1"], 64 * sluice.Machine("gcn-tian")["sm.count"])

    def test_a_series_that_was_not_observed_is_refused(self):
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao")
        with self.assertRaises(sluice.UsageError):
            sluice.plot.series(result)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_drawings_have_their_points(self):
        import matplotlib

        matplotlib.use("Agg")
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao", look="series:period=1000")
        lines = sluice.plot.roofline(result).get_lines()
        self.assertEqual(len(lines), 6)
        self.assertTrue(all(len(line.get_xdata()) == len(result.launches) for line in lines[1::2]))
        self.assertAlmostEqual(sum(bar.get_width() for bar in sluice.plot.stalls(result).patches), 100, places=6)
        self.assertEqual(len(sluice.plot.series(result, "ipc", "dram_bandwidth").get_lines()), 2)


if __name__ == "__main__":
    unittest.main()
