"""Runs inside this process: sluice.run and its objects."""

import json
import os
import subprocess
import threading
import unittest
import warnings

import common

import sluice


class RunTest(common.Case):
    def test_a_run_has_counters_metrics_and_launches(self):
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao")
        self.assertEqual(result.status, "done")
        self.assertEqual(result.policy, "gto")
        self.assertEqual(result.counters.warp_insns, result.trace.warp_insns)
        self.assertEqual(result.counters["cycles"], result.cycles)
        self.assertAlmostEqual(result.ipc, result.warp_insns / result.cycles)
        self.assertEqual(len(result.launches), 1)
        launch = result.launches[0]
        self.assertEqual((launch.kernel, launch.grid, launch.block), ("_Z9vectoraddPKfS0_Pfi", (16, 1, 1), (128, 1, 1)))
        self.assertEqual(dict(launch.counters), dict(result.counters))
        self.assertIn("cycles", repr(result))
        with self.assertRaises(AttributeError):
            result.counters.cycels
        with self.assertRaises(AttributeError):
            result.cycels

    def test_the_json_is_that_of_the_command_line(self):
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao", policy="swl:n=2", set={"l1d.ways": 8}, look="series")
        command = ["run", common.VECTORADD, "--machine", "gtx480-ciao", "--policy", "swl:n=2", "--set", "l1d.ways=8"]
        done = subprocess.run([common.SLUICE, *command, "--look", "series", "--json", "-"], capture_output=True, check=True)
        self.assertEqual(result.to_json().encode(), done.stdout)

    def test_a_window_chooses_launches_by_number_and_name(self):
        whole = sluice.run(common.VECTORADD, machine="gtx480-ciao")
        for window in ({"launches": "1"}, {"kernel_name": "^vectoradd", "launch_count": 1}):
            for process in (False, True):
                part = sluice.run(common.VECTORADD, machine="gtx480-ciao", process=process, **window)
                self.assertEqual([launch.index for launch in part.launches], [0])
                self.assertEqual(dict(part.counters), dict(whole.counters))
        with self.assertRaisesRegex(sluice.Error, "no launch 9"):
            sluice.run(common.VECTORADD, machine="gtx480-ciao", launches="9")
        with self.assertRaisesRegex(sluice.Error, "regular expression"):
            sluice.run(common.VECTORADD, machine="gtx480-ciao", kernel_name="(")
        with self.assertRaisesRegex(sluice.UsageError, "kernels"):
            sluice.run(common.VECTORADD, machine="gtx480-ciao", launches="1", kernels="1")
        with self.assertRaises(TypeError):
            sluice.run(common.VECTORADD, machine="gtx480-ciao", launch="1")

    def test_policies_are_texts_or_lists(self):
        self.assertEqual(sluice.policy_text(["gto", ("swl", {"n": 2})]), "gto,swl:n=2")
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao", policy=["gto", ("swl", {"n": 2})])
        self.assertEqual(result.policy, "gto,swl:n=2")

    def test_time_series_are_rows(self):
        result = sluice.run(common.VECTORADD, machine="gtx480-ciao", look="series:period=100")
        series = result.launches[0].series
        self.assertGreater(len(series["ipc"]), 1)
        self.assertEqual(len(result.series), len(series["ipc"]))
        self.assertEqual(result.series.column("ipc"), series["ipc"])
        self.assertEqual(len(sluice.run(common.VECTORADD, machine="gtx480-ciao").series), 0)

    def test_bad_input_is_a_usage_error_with_the_tools_message(self):
        trace = sluice.open_trace(common.VECTORADD)
        for words, options in (
            ("gtx480-ciao", {"machine": "gtx480-cia"}),
            ("l1d.ways", {"machine": "gtx480-ciao", "set": {"l1d.wayss": 8}}),
            ("gto", {"policy": "gtoo"}),
            ("series", {"look": "seriess"}),
            ("launch", {"kernels": "9"}),
            ("threads", {"threads": 1000}),
            ("max_insns", {"max_insns": -1}),
            ("Trace", {"size": "tiny"}),
        ):
            with self.subTest(options), self.assertRaises(sluice.UsageError) as caught:
                sluice.run(trace, **options)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(sluice.UsageError):
            sluice.run("/nowhere/trace")
        with self.assertRaises(sluice.UsageError):
            sluice.run(trace, machine=sluice.Machine("gtx480-ciao"), set={"l1d.ways": 8})

    def test_numbers_and_texts_are_not_cut(self):
        for options in (
            {"max_insns": (1 << 64) + 100},
            {"max_insns": 1 << 63},
            {"quantum": (1 << 32) + 1},
            {"quantum": 1025},
            {"threads": 1 << 40},
            {"threads": -1},
            {"threads": 1.5},
            {"policy": "gto\0,lrr"},
            {"kernels": "1\0,2"},
            {"look": "series\0"},
            {"machine": "h200\0x"},
            {"set": {"l1d.ways": "8\0"}},
        ):
            with self.subTest(options), self.assertRaises(sluice.UsageError):
                sluice.run(common.VECTORADD, **options)
        for options in ({"spin_budget": 1 << 64}, {"max_registers": 1 << 64}, {"machine": "h200\0"}):
            with self.subTest(options), self.assertRaises(sluice.UsageError):
                sluice.open_trace(common.VECTORADD, **options)
        with self.assertRaises(sluice.UsageError):
            sluice.open_trace(common.VECTORADD + "\0.sluice")
        with self.assertRaises(sluice.UsageError):
            sluice.Machine("h200")["l1d.ways\0"]

    def test_a_machine_says_its_values(self):
        machine = sluice.Machine("gtx480-ciao", {"l1d.ways": 8})
        self.assertEqual(machine["l1d.ways"], 8)
        self.assertEqual(machine.name, "gtx480-ciao")
        with self.assertRaises(KeyError):
            machine["l1d.wayss"]

    def test_a_crashing_policy_raises_in_a_process_of_its_own(self):
        with self.assertRaises(sluice.CrashError) as caught:
            sluice.run(common.VECTORADD, machine="gtx480-ciao", policy=common.UNRULY, process=True)
        self.assertIn("signal 6", str(caught.exception))
        here = sluice.run(common.VECTORADD, machine="gtx480-ciao")
        there = sluice.run(common.VECTORADD, machine="gtx480-ciao", process=True)
        self.assertEqual(here.to_json(), there.to_json())

    def test_a_progress_function_is_told_and_can_cancel(self):
        trace = sluice.open_trace(common.long_trace())
        told = []
        sluice.run(trace, machine="gtx480-ciao", progress=lambda *news: told.append(news))
        self.assertTrue(told)
        self.assertTrue(all(phase == "simulating" and 0 < done <= total == 20001 for phase, done, total in told))
        for process in (False, True):
            with self.subTest(process=process), self.assertRaises(sluice.Cancelled):
                sluice.run(trace, machine="gtx480-ciao", process=process, progress=lambda *news: False)

    def test_an_exception_in_a_progress_function_is_the_callers(self):
        def interrupt(phase, done, total):
            raise KeyboardInterrupt

        trace = sluice.open_trace(common.long_trace())
        with self.assertRaises(KeyboardInterrupt):
            sluice.run(trace, machine="gtx480-ciao", progress=interrupt)

    def test_threads_run_at_the_same_time(self):
        trace, machine, cycles = sluice.open_trace(common.VECTORADD), sluice.Machine("gtx480-ciao"), {}

        def work(policy):
            cycles[policy] = sluice.run(trace, machine=machine, policy=policy).cycles

        threads = [threading.Thread(target=work, args=(policy,)) for policy in ("gto", "lrr", "swl:n=1")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for policy, found in cycles.items():
            self.assertEqual(found, sluice.run(trace, machine=machine, policy=policy).cycles)

    def test_a_deadlock_is_a_result_and_a_warning(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            slow = {"sim.watchdog_cycles": 1000, "icnt.request_cycles": 10000}
            result = sluice.run(common.VECTORADD, machine="gtx480-ciao", set=slow)
        self.assertEqual(result.status, "deadlocked")
        self.assertIn("warp", result.report)
        self.assertTrue(any(issubclass(one.category, sluice.SluiceWarning) for one in caught))

    @unittest.skipUnless(common.HAS_CLANG, "no clang that compiles CUDA")
    def test_a_program_is_recorded_and_its_output_is_there(self):
        result = sluice.run(common.CUDA_PROGRAM, machine="gtx480-ciao")
        self.assertEqual(result.trace.program.stdout, "sum 64\n")
        self.assertFalse(result.trace.program.failed)
        with self.assertRaises(sluice.UsageError) as caught:
            sluice.run(common.write("broken.cu", "__global__ void k() { nonsense }\n"))
        self.assertIn("does not compile", str(caught.exception))
        self.assertIn("nonsense", str(caught.exception))

    def test_definitions_have_units(self):
        table = sluice.definitions()
        cycles = next(row for row in table if row["name"] == "cycles")
        self.assertEqual((cycles["kind"], cycles["unit"]), ("counter", "cycles"))

    def test_nothing_is_printed(self):
        code = (
            "import sluice\n"
            f"sluice.run({common.VECTORADD!r}, machine='gtx480-ciao')\n"
            "try: sluice.run('nowhere')\nexcept sluice.Error: pass\n"
        )
        done = subprocess.run([*common.PYTHON, "-c", code], capture_output=True, check=True, env=os.environ)
        self.assertEqual((done.stdout, done.stderr), (b"", b""))


if __name__ == "__main__":
    unittest.main()
