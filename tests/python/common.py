"""What the tests share: scratch folders, and the files that they run."""

import atexit
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_LIBRARY", ROOT / "build" / "libsluice.so")).parent
SLUICE = str(BUILD / "sluice")
UNRULY = str(BUILD / "libtest-policy-unruly.so")
VECTORADD = str(ROOT / "examples" / "traces" / "vectoradd")
PYTHON = [sys.executable]
HAS_CLANG = any(shutil.which(f"clang++-{version}") for version in range(14, 20))

SCRATCH = tempfile.mkdtemp(prefix="sluice-python-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
os.environ["SLUICE_CACHE_DIR"] = SCRATCH + "/cache"
os.environ["SLUICE_RESULTS"] = SCRATCH + "/results.db"
os.environ["PYTHONPATH"] = str(ROOT / "python")

_HEAD = """-kernel name = chase
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 8
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x0000000000010000
-local mem base_addr = 0x0000000000020000
-nvbit version = 1.7
-accelsim tracer version = 4

#traces format = x

#BEGIN_TB

thread block = 0,0,0
"""


def write(name: str, text: str) -> str:
    path = Path(SCRATCH) / name
    path.write_text(text)
    return str(path)


def long_trace() -> str:
    """One warp whose loads depend on each other."""
    loads = [f"0000 00000001 1 R2 LDG.E 1 R2 4 1 0x{0x10000000 + i * 4096:016x} 0" for i in range(20000)]
    steps = "\n".join([*loads, "0010 00000001 0 EXIT 0 0"])
    return write("chase.traceg", f"{_HEAD}\nwarp = 0\ninsts = {len(loads) + 1}\n{steps}\n\n#END_TB\n")


CUDA_PROGRAM = write(
    "sum.cu",
    """#include <cstdio>
__global__ void add(int *sum) { atomicAdd(sum, 1); }
int main()
{
	int *device, sum = 0;
	cudaMalloc(&device, sizeof sum);
	cudaMemcpy(device, &sum, sizeof sum, cudaMemcpyHostToDevice);
	add<<<2, 32>>>(device);
	cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost);
	printf("sum %d\\n", sum);
	return 0;
}
""",
)


class Case(unittest.TestCase):
    maxDiff = 2000

