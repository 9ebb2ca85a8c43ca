"""Sluice from Python: GPU caches and warp schedulers, simulated.

    >>> import sluice
    >>> result = sluice.run("atax", size="small", machine="gtx480-ciao", policy="ciao-c")
    >>> result.counters.cycles, result.metrics.ipc
    >>> sluice.compare("atax", policies=["gto", "ccws", "ciao-c"], machine="gtx480-ciao").to_frame()

`run` works inside this process through libsluice; `compare`, `tune`, `sweep` and `validate` start `sluice` as another process, on
all processors. The core needs the standard library alone; `to_frame()` needs pandas, `plot()` matplotlib.
docs/python.md has the whole of it.
"""

from . import plot
from ._module import Kernel, Module, Tensor
from ._run import Launch, Machine, Program, Result, Trace, definitions, include_path, open_trace, policy_text, run, version
from ._study import Comparison, Sweep, Tuning, Validation, compare, sweep, tune, validate
from ._table import Table, Values
from .errors import Cancelled, CrashError, Error, InternalError, SluiceWarning, UsageError
from ._results import Results, results

__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "Comparison",
    "CrashError",
    "Error",
    "InternalError",
    "Kernel",
    "Launch",
    "Machine",
    "Module",
    "Program",
    "Result",
    "Results",
    "SluiceWarning",
    "Sweep",
    "Table",
    "Tensor",
    "Trace",
    "Tuning",
    "UsageError",
    "Validation",
    "Values",
    "compare",
    "definitions",
    "include_path",
    "open_trace",
    "plot",
    "policy_text",
    "results",
    "run",
    "sweep",
    "tune",
    "validate",
    "version",
]
