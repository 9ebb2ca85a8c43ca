"""The notebooks of examples/notebooks."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import common

NOTEBOOKS = sorted((common.ROOT / "examples" / "notebooks").glob("*.ipynb"))


def has_modules(names):
    return subprocess.run([sys.executable, "-c", f"import {names}"], capture_output=True).returncode == 0


class NotebookTest(common.Case):
    def test_notebooks_are_kept_without_outputs(self):
        self.assertEqual(len(NOTEBOOKS), 3)
        for path in NOTEBOOKS:
            for cell in json.loads(path.read_text())["cells"]:
                self.assertFalse(cell.get("outputs"), path.name)
                self.assertIsNone(cell.get("execution_count"), path.name)

    @unittest.skipUnless(has_modules("nbconvert, ipykernel, pandas, matplotlib"), "no nbconvert, pandas or matplotlib")
    @unittest.skipUnless(common.HAS_CLANG, "no clang that compiles CUDA")
    def test_notebooks_run(self):
        command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", common.SCRATCH]
        done = subprocess.run([*command, *map(str, NOTEBOOKS)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        for path in NOTEBOOKS:
            executed = json.loads((Path(common.SCRATCH) / path.name).read_text())
            outputs = [output for cell in executed["cells"] for output in cell.get("outputs", [])]
            self.assertTrue(outputs, path.name)


if __name__ == "__main__":
    unittest.main()
