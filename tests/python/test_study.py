"""Many runs: compare, tune, sweep, validate, and the results database."""

import os
import sqlite3
import unittest
import warnings
from pathlib import Path

import common

import sluice

try:
    import pandas
except ImportError:
    pandas = None


class StudyTest(common.Case):
    def test_a_comparison_has_a_row_per_policy(self):
        comparison = sluice.compare(common.VECTORADD, policies=["gto", ["lrr"]], machine="gtx480-ciao")
        self.assertEqual(comparison.table.column("policy"), ["gto", "lrr"])
        self.assertEqual(comparison.table[0]["speedup"], 1.0)
        run = sluice.run(common.VECTORADD, machine="gtx480-ciao", policy="lrr")
        self.assertEqual(comparison["lrr"]["total"]["counters"]["cycles"], run.cycles)
        self.assertEqual(comparison.best, "gto")
        self.assertIn("<table>", comparison._repr_html_())
        with self.assertRaises(KeyError):
            comparison["ccws"]

    def test_a_recorded_trace_is_compared_like_a_file(self):
        trace = sluice.open_trace(common.VECTORADD)
        table = sluice.compare(trace, policies=["gto"], machine="gtx480-ciao").table
        self.assertEqual(table.column("status"), ["done"])

    def test_tuning_finds_the_best_value(self):
        tuning = sluice.tune(common.VECTORADD, params={"swl.n": range(1, 4)}, machine="gtx480-ciao")
        self.assertEqual(tuning.best, {"swl.n": 3})
        self.assertEqual(tuning.policy, "swl:n=3")
        self.assertEqual(tuning.table.column("swl.n"), [1, 2, 3])
        self.assertEqual(max(tuning.table.column("ipc")), tuning.table[2]["ipc"])
        with self.assertRaises(sluice.UsageError):
            sluice.tune(common.VECTORADD, params={"swl.n": [1, 3]})

    def test_a_sweep_is_a_dictionary_or_a_file(self):
        experiment = {
            "machine": "gtx480-ciao",
            "workloads": [{"trace": common.VECTORADD, "as": "va"}],
            "sweep": {"n": [1, 2]},
            "series": [{"label": "SWL", "policy": "swl:n={n}"}],
        }
        before = set(os.listdir("."))
        table = sluice.sweep(experiment).table
        self.assertEqual([(row["series"], row["x"]) for row in table], [("SWL", 1), ("SWL", 2)])
        expected = [sluice.run(common.VECTORADD, machine="gtx480-ciao", policy=f"swl:n={n}").ipc for n in (1, 2)]
        for got, want in zip(table.column("value"), expected):
            self.assertAlmostEqual(got, want)
        self.assertEqual(set(os.listdir(".")), before)
        path = common.write(
            "mine.yaml",
            "title: mine\nmachine: gtx480-ciao\n"
            f"workloads: [{{trace: {common.VECTORADD}, as: va}}]\nseries: [{{label: GTO, policy: gto}}]\n"
            "charts: [{kind: table, y: [{label: IPC, y: ipc}, {label: cycles, y: cycles}]}]\n",
        )
        table = sluice.sweep(path).table
        self.assertEqual(table.column("y"), ["IPC", "cycles"])

    def test_bad_input_has_the_tools_message(self):
        with self.assertRaises(sluice.UsageError) as caught:
            sluice.compare(common.VECTORADD, policies=["gtoo"], machine="gtx480-ciao")
        self.assertIn("gto", str(caught.exception))
        self.assertNotIn("sluice compare", str(caught.exception))
        with self.assertRaises(sluice.UsageError) as caught:
            sluice.sweep({"machine": "gtx480-ciao", "workload": "atax", "series": []})
        self.assertIn("workloads", str(caught.exception))
        with self.assertRaises(sluice.UsageError):
            sluice.validate("/nowhere")

    def test_progress_of_a_child_is_told_and_can_end_it(self):
        told = []
        sluice.compare(
            common.long_trace(), policies=["gto", "lrr"], machine="gtx480-ciao", again=True,
            progress=lambda *news: told.append(news),
        )
        for phase, done, total in told:  # as many as there was time for
            self.assertTrue(phase and 0 <= done and (done <= total or not total))

    def test_validation_compares_with_counters(self):
        folder = Path(common.SCRATCH) / "validation"
        (folder / "traces").mkdir(parents=True)
        (folder / "traces" / "vectoradd").symlink_to(common.VECTORADD)
        insns = sluice.run(common.VECTORADD, machine="gtx480-ciao").warp_insns
        (folder / "counters.tsv").write_text(
            "program\tlaunch\tkernel\tsm__cycles_elapsed.max\tsmsp__inst_executed.sum\n"
            f"vectoradd\t0\tvectoradd\t2000\t{insns}\n"
        )
        validation = sluice.validate(folder, machine="gtx480-ciao")
        row = validation.launches[0]
        self.assertEqual((row["warp_insns"], row["warp_insns_hardware"], row["warp_insns_error"]), (insns, insns, 0))
        self.assertIn("cycles", validation.summary.column("counter"))


class ResultsTest(common.Case):
    def test_the_database_is_read(self):
        path = Path(common.SCRATCH) / "own.db"
        os.environ["SLUICE_RESULTS"] = str(path)
        try:
            with self.assertRaises(sluice.UsageError):
                sluice.results()
            sluice.compare(common.VECTORADD, policies=["gto", "lrr"], machine="gtx480-ciao")
            with sluice.results() as results:
                self.assertEqual(len(results), 2)
                run = sluice.run(common.VECTORADD, machine="gtx480-ciao", policy="lrr")
                rows = results.runs(policy="lrr", machine="gtx480-ciao")
                self.assertEqual(rows.column("cycles"), [run.cycles])
                self.assertEqual(results.runs("ipc > 100").rows, [])
                self.assertEqual(results.query("SELECT count(*) AS n FROM runs WHERE ipc > ?", (0,))[0]["n"], 2)
                self.assertEqual(results.series(1), {})
                with self.assertRaises(sluice.UsageError):
                    results.query("SELECT nothing")
        finally:
            os.environ["SLUICE_RESULTS"] = common.SCRATCH + "/results.db"

    def test_another_file_is_refused(self):
        other = Path(common.SCRATCH) / "other.db"
        sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
        with self.assertRaises(sluice.UsageError):
            sluice.results(other)


@unittest.skipUnless(pandas, "no pandas")
class FrameTest(common.Case):
    def test_results_are_frames(self):
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao", look="series:period=100")
        frame = result.to_frame()
        self.assertEqual(frame["cycles"].sum(), result.cycles)
        self.assertEqual(len(result.series.to_frame()), len(result.series))
        self.assertEqual(result.counters.to_frame().loc["cycles", "value"], result.cycles)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            comparison = sluice.compare(common.VECTORADD, policies=["gto", "lrr"], machine="gtx480-ciao")
        self.assertEqual(list(comparison.to_frame().index), ["gto", "lrr"])


if __name__ == "__main__":
    unittest.main()
