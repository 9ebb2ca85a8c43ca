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
    def test_notebooks_are_kept_with_outputs_of_no_host(self):
        self.assertEqual(len(NOTEBOOKS), 4)
        for path in NOTEBOOKS:
            cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
            outputs = [output for cell in cells for output in cell["outputs"]]
            self.assertTrue(outputs, path.name)
            self.assertTrue(all(cell["execution_count"] for cell in cells), path.name)
            self.assertFalse([one for one in outputs if one["output_type"] == "error" or one.get("name") == "stderr"])
            self.assertNotIn(str(Path.home()), json.dumps(outputs), path.name)
            self.assertNotIn("/tmp/", json.dumps(outputs), path.name)

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
