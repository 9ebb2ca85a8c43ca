"""Traces, machines, runs and their results: the objects of libsluice."""

from __future__ import annotations

import ctypes as c
import functools
import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _find
from ._library import (
    MAX_COUNT,
    TOTAL,
    ErrorInfo,
    LaunchInfo,
    ProgramInfo,
    RunOptions,
    TraceOptions,
    library,
    number,
    raise_error,
    text_bytes,
    texts,
)
from ._progress import ProgressChoice, Relay, reporter
from ._table import Table, Values
from .errors import SluiceWarning, UsageError

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

Path = Union[str, "os.PathLike[str]"]
#: A chain as text, or its policies, each a name or a name with parameters: ["gto", ("swl", {"n": 2})].
Policy = Union[str, "os.PathLike[str]", Sequence[Union[str, "tuple[str, Mapping[str, Any]]"]]]
Changes = Union[None, Mapping[str, Any], Sequence[str]]

DEFAULT_MACHINE = "h200"
DEFAULT_POLICY = "gto"


def policy_text(policy: Policy) -> str:
    """The chain as the command line spells it: `gto,swl:n=2`."""
    if isinstance(policy, (str, os.PathLike)):
        return os.fspath(policy)
    links = []
    for link in policy:
        name, params = (link, {}) if isinstance(link, str) else link
        links.append(":".join([name, *(f"{key}={_value_text(value)}" for key, value in params.items())]))
    return ",".join(links)


def changes_list(changes: Changes) -> list[str]:
    """Changes of a machine as `section.key=value` texts."""
    if changes is None:
        return []
    if isinstance(changes, str):
        return [changes]
    if isinstance(changes, Mapping):
        return [f"{key}={_value_text(value)}" for key, value in changes.items()]
    return list(changes)


def _value_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def program_words(size: str | None, arguments: Iterable[Any]) -> list[str]:
    return [*(["--size", size] if size else []), *map(str, arguments)]


def _warn(kind: str, handle: int) -> None:
    for i in range(8):
        text = library().call(kind + "_warning", handle, i)
        if text is None:
            return
        warnings.warn(text.decode(errors="replace"), SluiceWarning, stacklevel=4)


class _Handle:
    """An object of the library that is closed when the last reference to it goes."""

    _close = ""
    _handle: int | None = None

    def __del__(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            library().call(self._close, handle)


class Trace(_Handle):
    """A trace, or the recording of a program; see `open_trace()`."""

    _close = "trace_close"

    def __init__(
        self,
        target: Path,
        *arguments: Any,
        size: str | None = None,
        machine: Path = DEFAULT_MACHINE,
        again: bool = False,
        is_program: bool = False,
        check_races: bool = False,
        lenient_memory: bool = False,
        spin_budget: int = 0,
        max_registers: int = 0,
        progress: ProgressChoice = None,
        launches: str | None = None,
        launch_skip: int = 0,
        launch_count: int = 0,
        kernel_name: str | None = None,
        nvtx: str | None = None,
        profile_from_start: bool = True,
        then_run: bool = False,
        max_insns: int = 0,
        record_limit: int = 0,
    ) -> None:
        relay = Relay(reporter(progress))
        error = ErrorInfo()
        words = program_words(size, arguments)
        options = TraceOptions(
            c.sizeof(TraceOptions),
            text_bytes("machine", machine),
            bool(again),
            bool(is_program),
            bool(check_races),
            bool(lenient_memory),
            number("spin_budget", spin_budget, MAX_COUNT),
            number("max_registers", max_registers, 255),
            relay.callback,
            None,
            text_bytes("launches", launches) if launches else None,
            text_bytes("kernel_name", kernel_name) if kernel_name else None,
            text_bytes("nvtx", nvtx) if nvtx else None,
            number("launch_skip", launch_skip, MAX_COUNT),
            number("launch_count", launch_count, MAX_COUNT),
            not profile_from_start,
            bool(then_run),
            number("max_insns", max_insns, MAX_COUNT),
            number("record_limit", record_limit, MAX_COUNT),
        )
        self._handle = library().call(
            "trace_open",
            text_bytes("target", target),
            texts("arguments", words),
            len(words),
            c.byref(options),
            c.byref(error),
        )
        relay.end()
        if not self._handle:
            raise_error(error)
        _warn("trace", self._handle)

    @property
    def name(self) -> str:
        """What results call it."""
        return library().call("trace_name", self._handle).decode(errors="replace")

    @property
    def path(self) -> str:
        """The .sluice file."""
        return os.fsdecode(library().call("trace_path", self._handle))

    @property
    def launches(self) -> int:
        """Launches that it holds."""
        return library().call("trace_launches", self._handle)

    @property
    def warp_insns(self) -> int:
        """Warp instructions of all launches."""
        return library().call("trace_warp_insns", self._handle)

    @functools.cached_property
    def program(self) -> Program | None:
        """The program whose recording it is; None for a trace."""
        info = ProgramInfo()
        found = library().call("trace_program", self._handle, c.byref(info))
        return Program(info) if found else None

    def __repr__(self) -> str:
        return f"<Trace {self.name}: {self.launches} launches, {self.warp_insns:,} warp instructions>"


class Program:
    """How a recorded program ended, and what it printed."""

    def __init__(self, info: ProgramInfo) -> None:
        self.exit_status: int = info.exit_status
        self.signal: int = info.signal
        self.fault: str = info.fault.decode(errors="replace")
        self.stdout = _read_text(info.stdout_path)
        self.stderr = _read_text(info.stderr_path)

    @property
    def failed(self) -> bool:
        """It ended with a status, by a signal, or a launch of it ended early."""
        return bool(self.exit_status or self.fault)


def _read_text(path: bytes) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def open_trace(target: Path, *arguments: Any, **options: Any) -> Trace:
    """Opens what `sluice run` takes: a .sluice file, an Accel-Sim folder, an executable of `sluice cc`, a .cu file or
    the name of a workload. A program is run once and recorded; `machine` is what it sees. The launches can be chosen:
    `launches="5-8"`, `launch_skip`, `launch_count`, `kernel_name` (a regular expression), `nvtx` (a range),
    `profile_from_start=False` (between cudaProfilerStart and cudaProfilerStop); then only they are recorded, and the
    program is ended after the last one unless `then_run` is set. `record_limit` bounds the recording, in bytes."""
    return Trace(target, *arguments, **options)


class Machine(_Handle):
    """A machine by name or file, with changes: `Machine("gtx480-ciao", {"l1d.ways": 8})`."""

    _close = "machine_close"

    def __init__(self, name: Path = DEFAULT_MACHINE, set: Changes = None) -> None:
        error = ErrorInfo()
        self.file = os.fspath(name)
        self.changes = changes_list(set)
        self._handle = library().call(
            "machine_open",
            text_bytes("machine", self.file),
            texts("set", self.changes),
            len(self.changes),
            c.byref(error),
        )
        if not self._handle:
            raise_error(error)
        _warn("machine", self._handle)

    @property
    def name(self) -> str:
        return library().call("machine_name", self._handle).decode()

    def __getitem__(self, key: str) -> Any:
        """The value of a key, `machine["l1d.ways"]`: a number, or a word."""
        value = c.create_string_buffer(128)
        if not library().call("machine_value", self._handle, text_bytes("key", key), value, len(value)):
            raise KeyError(key)
        text = value.value.decode()
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return text

    def __repr__(self) -> str:
        return f"<Machine {' '.join([self.name, *self.changes])}>"


class Launch:
    """One launch of a result."""

    def __init__(self, result: Result, place: int) -> None:
        info = LaunchInfo()
        library().call("result_launch", result._handle, place, c.byref(info))
        self._result = result
        self._place = place
        self.index: int = info.index
        self.kernel: str = info.kernel.decode(errors="replace")
        self.status: str = info.status.decode()
        self.report: str | None = info.report.decode(errors="replace") if info.report else None
        self.grid: tuple[int, int, int] = tuple(info.grid)  # type: ignore[assignment]
        self.block: tuple[int, int, int] = tuple(info.block)  # type: ignore[assignment]

    @property
    def counters(self) -> Values[int]:
        return self._result._counters(self._place)

    @property
    def metrics(self) -> Values[float]:
        return self._result._metrics(self._place)

    @property
    def data(self) -> dict[str, Any]:
        """What `sluice run --json` says of the launch."""
        return self._result.data["launches"][self._place]

    @property
    def series(self) -> dict[str, list[float | None]]:
        """Time series by name; empty unless the run had `look="series"`."""
        series = self.data.get("look", {}).get("series", {})
        return {name: values for name, values in series.items() if isinstance(values, list)}

    def __repr__(self) -> str:
        return f"<Launch {self.index} of {self.kernel}: {self.status}, {self.counters.cycles:,} cycles>"


class Result(_Handle):
    """What a run counted: `result.counters.cycles`, `result.ipc`, `result.launches[0].metrics`, `result.series`."""

    _close = "result_free"

    def __init__(self, handle: int, trace: Trace, machine: Machine) -> None:
        self._handle = handle
        self.trace = trace
        self.machine = machine

    @property
    def status(self) -> str:
        """`done`, `truncated` (the limit of instructions) or `deadlocked` (no progress; `report` says why)."""
        return library().call("result_status", self._handle).decode()

    @property
    def policy(self) -> str:
        """The chain as resolved, with all parameters."""
        return library().call("result_policy", self._handle).decode(errors="replace")

    def _counters(self, launch: int) -> Values[int]:
        lib = library()
        values = lib.call("result_counters", self._handle, launch)
        return Values(lib.counter_names, values[: len(lib.counter_names)])

    def _metrics(self, launch: int) -> Values[float]:
        lib = library()
        values = lib.call("result_metrics", self._handle, launch)
        return Values(lib.metric_names, values[: len(lib.metric_names)])

    @functools.cached_property
    def counters(self) -> Values[int]:
        """All launches together."""
        return self._counters(TOTAL)

    @functools.cached_property
    def metrics(self) -> Values[float]:
        """Of all launches together."""
        return self._metrics(TOTAL)

    @functools.cached_property
    def launches(self) -> list[Launch]:
        """Those that were simulated."""
        return [Launch(self, i) for i in range(library().call("result_launches", self._handle))]

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """Everything, as `sluice run --json` writes it."""
        return json.loads(self.to_json())

    def to_json(self) -> str:
        """The bytes of `sluice run --json`."""
        error = ErrorInfo()
        text = library().call("result_json", self._handle, c.byref(error))
        if text is None:
            raise_error(error)
        return text.decode()

    @property
    def energy(self) -> dict[str, float]:
        """J by part, `total` and `power` in W."""
        return self.data["total"]["energy"]

    @property
    def report(self) -> str | None:
        """Of a deadlocked run: which warps wait for what."""
        return next((launch.report for launch in self.launches if launch.report), None)

    @property
    def policy_counters(self) -> dict[str, dict[str, int]]:
        """What policies counted themselves, over all launches: {policy: {name: value}}."""
        sums: dict[str, dict[str, int]] = {}
        for launch in self.data["launches"]:
            for policy, counters in launch.get("policy_counters", {}).items():
                own = sums.setdefault(policy, {})
                for name, value in counters.items():
                    own[name] = own.get(name, 0) + value
        return sums

    @property
    def series(self) -> Table:
        """The time series of all launches, a row per period; empty unless the run had `look="series"`."""
        rows = []
        for launch in self.launches:
            columns = launch.series
            for values in zip(*columns.values()):
                rows.append({"launch": launch.index + 1, **dict(zip(columns, values))})
        return Table(rows)

    def to_table(self) -> Table:
        """A row per launch, with every counter and metric."""
        return Table(
            [
                {"launch": one.index + 1, "kernel": one.kernel, "status": one.status, **one.counters, **one.metrics}
                for one in self.launches
            ]
        )

    def to_frame(self) -> pandas.DataFrame:
        """`to_table()` for pandas."""
        return self.to_table().to_frame()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self.counters:
            return self.counters[name]
        if name in self.metrics:
            return self.metrics[name]
        raise AttributeError(f"a result has no {name!r}; see result.counters and result.metrics")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *library().counter_names, *library().metric_names]

    def __repr__(self) -> str:
        return (
            f"<Result {self.trace.name} on {self.machine.name} under {self.policy}: {self.status}, "
            f"{self.counters.cycles:,} cycles, IPC {self.metrics.ipc:.3f}>"
        )


WINDOW = (
    "launches",
    "launch_skip",
    "launch_count",
    "kernel_name",
    "nvtx",
    "profile_from_start",
    "then_run",
    "record_limit",
)


def run(
    target: Path | Trace,
    *arguments: Any,
    size: str | None = None,
    machine: Path | Machine = DEFAULT_MACHINE,
    policy: Policy = DEFAULT_POLICY,
    set: Changes = None,
    look: str | None = None,
    kernels: str | None = None,
    max_insns: int = 0,
    threads: int = 1,
    quantum: int = 0,
    cold_l2: bool = False,
    process: bool = False,
    again: bool = False,
    progress: ProgressChoice = None,
    **window: Any,
) -> Result:
    """Simulates a program or a trace, as `sluice run` does, inside this process.

    target     a workload's name, a .cu file, an executable of `sluice cc`, a trace, or a `Trace`
    arguments  words for the program
    size       of a workload: tiny, small or paper
    machine    a name of `sluice machine list`, a file, or a `Machine`
    policy     the chain: "gto,swl:n=2", "./mine.so", or ["gto", ("swl", {"n": 2})]
    set        changes of the machine: {"l1d.ways": 8}
    look       observers: "series", "all" (docs/looking-inside.md)
    kernels    launches of a whole recording, "1,3,5-7"
    window     which launches are recorded: launches="5-8", launch_skip, launch_count, kernel_name, nvtx,
               profile_from_start, then_run, record_limit, as for `open_trace`
    max_insns  warp instructions of the whole run; 0: no limit
    threads    workers; results do not depend on them
    process    in a process of its own: a policy that crashes then raises CrashError
    again      run a program even if its recording exists
    progress   None: shown on a terminal or in a notebook; True, False, or a function of (phase, done, total)
    """
    if isinstance(machine, Machine):
        if set is not None:
            raise UsageError("set: the machine is made already; give the changes to Machine(name, set=...)")
    else:
        machine = Machine(machine, set)
    if isinstance(target, Trace):
        if arguments or size or again or window:
            raise UsageError("size, again, launches and arguments are for a program; a Trace is recorded already")
        trace = target
    else:
        unknown = [name for name in window if name not in WINDOW]
        if unknown:
            raise TypeError(f"run() got an unexpected keyword argument '{unknown[0]}'")
        if kernels and window:
            raise UsageError("kernels chooses among all launches of a recording; give launches and the like without it")
        bound = 0 if kernels else max_insns
        trace = Trace(
            target, *arguments, size=size, machine=machine.file, again=again, progress=progress, max_insns=bound, **window
        )
    relay = Relay(reporter(progress))
    error = ErrorInfo()
    options = RunOptions(
        c.sizeof(RunOptions),
        text_bytes("policy", policy_text(policy)),
        text_bytes("look", look) if look else None,
        text_bytes("kernels", kernels) if kernels else None,
        number("max_insns", max_insns, MAX_COUNT),
        number("threads", threads, 256),
        number("quantum", quantum, 1024),
        bool(cold_l2),
        bool(process),
        relay.callback,
    )
    handle = library().call("run", trace._handle, machine._handle, c.byref(options), c.byref(error))
    relay.end()
    if not handle:
        raise_error(error)
    result = Result(handle, trace, machine)
    if result.status == "deadlocked":
        warnings.warn(f"no progress: {result.report or ''}", SluiceWarning, stacklevel=2)
    if trace.program and trace.program.failed:
        text = trace.program.fault or f"it ended with status {trace.program.exit_status}"
        warnings.warn(f"the program failed: {text}", SluiceWarning, stacklevel=2)
    return result


def definitions() -> Table:
    """Every counter and metric with its unit, definition and Nsight Compute name."""
    lib = library()
    return Table(
        [{"kind": "counter", **info} for info in lib.counters] + [{"kind": "metric", **info} for info in lib.metrics]
    )


def include_path() -> str:
    """The folder with the headers of Sluice: `cc -fPIC -shared -I...` makes a policy of `#include <sluice/policy.h>`."""
    return _find.include_path(library().path)


def version() -> str:
    """Of the Sluice that was loaded."""
    return library().call("version").decode()
