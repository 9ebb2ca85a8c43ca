"""The package as it is shipped: its types, and the wheel."""

import os
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import common


class WheelTest(common.Case):
    @unittest.skipUnless((common.BUILD / "cmake_install.cmake").is_file(), "not a build folder")
    def test_a_wheel_works_without_the_sources(self):
        out = Path(common.SCRATCH) / "wheel"
        backend = common.ROOT / "python" / "wheel_backend.py"
        made = subprocess.run([sys.executable, backend, common.BUILD, out], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        site = out / "site"
        with zipfile.ZipFile(made.stdout.strip()) as wheel:
            wheel.extractall(site)
            for entry in wheel.infolist():  # as pip does
                if entry.external_attr >> 16 & 0o111:
                    (site / entry.filename).chmod(0o755)
        code = (
            "import sluice, sluice._library as l\n"
            f"print(l.library().path, sluice.run({common.VECTORADD!r}, machine='gtx480-ciao', process=True).cycles)\n"
            f"print(sluice.compare({common.VECTORADD!r}, policies=['gto'], machine='gtx480-ciao').table[0]['status'])"
        )
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SLUICE_LIB")}
        environment["PYTHONPATH"] = str(site)
        done = subprocess.run([sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True, cwd=out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(str(site / "sluice" / "_prefix"), done.stdout)
        self.assertIn("done", done.stdout)


class TypesTest(common.Case):
    @unittest.skipUnless(shutil.which("mypy"), "no mypy")
    def test_the_package_is_typed(self):
        done = subprocess.run(
            ["mypy", "--cache-dir", common.SCRATCH + "/mypy"], cwd=common.ROOT / "python", capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
