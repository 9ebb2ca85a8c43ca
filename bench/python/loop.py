"""bench/python: many tiny runs from Python; loop.c does the same from C."""

import sys
import time

import sluice

trace = sluice.open_trace(sys.argv[1])
machine = sluice.Machine("gtx480-ciao")
start = time.monotonic()
cycles = 0
for _ in range(int(sys.argv[2])):
    cycles += sluice.run(trace, machine=machine, policy="gto").cycles
print(f"{time.monotonic() - start:.6f} {cycles}")
