"""Many runs: comparisons, tuning, sweeps and validation. They are the commands of `sluice`, run as other processes on
all processors, with the results database that all of them share."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from ._command import command_json
from ._progress import ProgressChoice
from ._run import (
    DEFAULT_MACHINE,
    DEFAULT_POLICY,
    WINDOW,
    Changes,
    Path,
    Policy,
    Trace,
    changes_list,
    policy_text,
    program_words,
)
from ._table import Table, pyplot_module
from .errors import UsageError

Values = Union[str, range, Sequence[int]]


def window_words(window: dict[str, Any]) -> list[str]:
    """Options of the command line for the launches to record."""
    words: list[str] = []
    for name, value in window.items():
        if name not in WINDOW:
            raise TypeError(f"unexpected keyword argument '{name}'")
        if name == "then_run":
            words += ["--then-run"] * bool(value)
        elif name == "profile_from_start":
            words += ["--profile-from-start", "on" if value else "off"]
        elif value:
            words += ["--" + name.replace("_", "-"), str(value)]
    return words


def _common(
    target: Path | Trace,
    arguments: Iterable[Any],
    size: str | None,
    machine: Path,
    set: Changes,
    kernels: str | None,
    max_insns: int,
    cold_l2: bool,
    jobs: int | None,
    again: bool,
    window: dict[str, Any],
) -> list[str]:
    """The words of the command line that compare and tune share; the program and its own words come last."""
    words = ["--machine", os.fspath(machine)]
    for change in changes_list(set):
        words += ["--set", change]
    if kernels:
        words += ["--kernel", kernels]
    if max_insns:
        words += ["--max-insns", str(max_insns)]
    words += window_words(window)
    if jobs:
        words += ["--jobs", str(jobs)]
    words += ["--cold-l2"] * bool(cold_l2) + ["--again"] * bool(again)
    if isinstance(target, Trace):
        if size or list(arguments):
            raise UsageError("size and arguments are for a program; a Trace is recorded already")
        return [*words, target.path]
    return [*words, os.fspath(target), *program_words(size, arguments)]


class Comparison:
    """Several policies on one program: `.table` has a row per policy, `.data` everything."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.table = Table(
            [
                {"policy": one["policy"], "status": one["status"], **one["values"]}
                for one in data["policies"]
            ]
        )

    @property
    def best(self) -> str:
        """The policy with the highest IPC; among equals the first."""
        rows = [row for row in self.table if row["ipc"] is not None]
        return max(rows, key=lambda row: row["ipc"])["policy"]

    def __getitem__(self, policy: str) -> dict[str, Any]:
        """Everything about the run of one policy: `values`, `total`, `launches`."""
        for one in self.data["policies"]:
            if policy in (one["policy"], one["chain"]):
                return one
        raise KeyError(policy)

    def to_frame(self) -> Any:
        """The table as a DataFrame, by policy."""
        return self.table.to_frame().set_index("policy")

    def plot(self, value: str = "speedup", ax: Any = None) -> Any:
        """Bars of one value of the table; returns the axes."""
        axes = ax or pyplot_module().subplots()[1]
        axes.bar(self.table.column("policy"), self.table.column(value))
        info = self.data["definitions"]["values"][value]
        axes.set_ylabel(f"{info['title']} ({info['unit']})" if info["unit"] else info["title"])
        axes.set_title(f"{self.data['run']['trace']} on {self.data['run']['machine']}")
        return axes

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        run = self.data["run"]
        return f"<Comparison of {len(self.table)} policies: {run['trace']} on {run['machine']}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(
    target: Path | Trace,
    *arguments: Any,
    policies: Sequence[Policy] = (),
    paper: str | None = None,
    size: str | None = None,
    machine: Path | None = None,
    set: Changes = None,
    kernels: str | None = None,
    max_insns: int = 0,
    cold_l2: bool = False,
    jobs: int | None = None,
    again: bool = False,
    progress: ProgressChoice = None,
    **window: Any,
) -> Comparison:
    """Simulates a program under several policies, each in a process of its own; speed-ups are over the first.

    `paper` ("ciao", "osm", "lcm", "tian", "khairy") takes a paper's machine and baseline. What was simulated before is
    found in the results database. The launches are chosen as for `run`: launches="5-8", kernel_name and so on.
    """
    if isinstance(policies, str):
        policies = [policies]
    chosen = machine if machine is not None else DEFAULT_MACHINE
    words = [word for policy in policies for word in ("--policy", policy_text(policy))]
    common = _common(target, arguments, size, chosen, set, kernels, max_insns, cold_l2, jobs, again, window)
    if paper:
        words += ["--paper", paper]
        if machine is None:
            common = common[2:]  # the paper's own
    return Comparison(command_json("compare", [*words, *common], progress))


class Tuning:
    """What a search found: `.best` values, `.policy` with them, `.table` with a row per point."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.best: dict[str, int] = data["best"]["values"]
        self.policy: str = data["best"]["policy"]
        self.table = Table(
            [
                {
                    **point["values"],
                    "policy": point["policy"],
                    "status": point["status"],
                    "ipc": point["total"]["metrics"]["ipc"],
                    "cycles": point["total"]["counters"]["cycles"],
                    "l1_load_hit_rate": point["total"]["metrics"]["l1_load_hit_rate"],
                }
                for point in data["points"]
            ]
        )

    def to_frame(self) -> Any:
        """The table as a DataFrame."""
        return self.table.to_frame()

    def plot(self, ax: Any = None) -> Any:
        """The goal over the values of the (first) parameter; returns the axes."""
        axes = ax or pyplot_module().subplots()[1]
        name = next(iter(self.best))
        goal = self.data["goal"]
        axes.plot(self.table.column(name), self.table.column(goal), marker="o")
        axes.axvline(self.best[name], linestyle=":", color="gray")
        axes.set_xlabel(name)
        axes.set_ylabel(goal)
        return axes

    def __repr__(self) -> str:
        return f"<Tuning of {len(self.table)} points: best {self.policy}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _range_text(name: str, values: Values) -> str:
    if isinstance(values, str):
        return f"{name}={values}"
    numbers = list(values)
    if not numbers or numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise UsageError(f"{name}: {values!r} is not a range of whole numbers, one by one; expected range(1, 25)")
    return f"{name}={numbers[0]}..{numbers[-1]}"


def tune(
    target: Path | Trace,
    *arguments: Any,
    params: Mapping[str, Values],
    policy: Policy | None = None,
    goal: str = "ipc",
    search: str = "exhaustive",
    size: str | None = None,
    machine: Path = DEFAULT_MACHINE,
    set: Changes = None,
    kernels: str | None = None,
    max_insns: int = 0,
    cold_l2: bool = False,
    jobs: int | None = None,
    again: bool = False,
    progress: ProgressChoice = None,
    **window: Any,
) -> Tuning:
    """Finds the values of policies' parameters that serve a program best: `params={"swl.n": range(1, 25)}`.

    goal is "ipc" or "cycles"; search is "exhaustive", or "golden" for one parameter whose curve has one peak. The
    launches are chosen as for `run`: launches="5-8", kernel_name and so on.
    """
    words = [word for name, values in params.items() for word in ("--param", _range_text(name, values))]
    words += ["--goal", goal, "--search", search]
    if policy is not None:
        words += ["--policy", policy_text(policy)]
    common = _common(target, arguments, size, machine, set, kernels, max_insns, cold_l2, jobs, again, window)
    return Tuning(command_json("tune", [*words, *common], progress))


class Sweep:
    """The report of a sweep: `.table` has a row per value drawn (chart, y, series, x), `.data` is the whole report."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.table = Table(_sweep_rows(data))

    def to_frame(self) -> Any:
        """The table as a DataFrame."""
        return self.table.to_frame()

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.table)} values>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _chart_rows(number: int, chart: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for series in chart["series"]:
        values = series.get("values")
        if not isinstance(values, list) or len(values) != len(chart["x"]):
            continue  # a drawing of another kind, which `data` has
        # The series of a table are its columns.
        names = {"y": series["label"], "series": chart["of"]} if "of" in chart else {"y": chart["y_title"], "series": series["label"]}
        rows += [{"chart": number, **names, "x": x, "value": value} for x, value in zip(chart["x"], values)]
    return rows


def _sweep_rows(data: dict[str, Any]) -> list[dict[str, Any]]:
    charts = [chart for paper in data["papers"] for figure in paper["figures"] for chart in figure["charts"]]
    return [row for i, chart in enumerate(charts) for row in _chart_rows(i + 1, chart)]


def _with_charts(experiment: Mapping[str, Any]) -> Mapping[str, Any]:
    """A dictionary without charts gets the IPC: over its variable where it has one, else by workload."""
    if "charts" in experiment:
        return experiment
    variables = list(experiment.get("sweep", {}))
    chart = {"kind": "lines", "x": variables[0], "y": "ipc"} if len(variables) == 1 else {"kind": "bars", "y": "ipc"}
    return {**experiment, "charts": [chart]}


def sweep(
    experiment: Path | Mapping[str, Any],
    *,
    quick: bool = False,
    jobs: int | None = None,
    db: Path | None = None,
    again: bool = False,
    progress: ProgressChoice = None,
) -> Sweep:
    """Simulates an experiment of your own: a YAML file or a dictionary of the same form (docs/experiments.md).

    A dictionary may do without `charts` (it gets the IPC) and `title`; its paths are relative to the working directory. Every run is kept in the results database, `db` or the
    usual one, and not simulated again.
    """
    words = ["--quick"] * quick + ["--again"] * again
    if jobs:
        words += ["--jobs", str(jobs)]
    if db is not None:
        words += ["--db", os.fspath(db)]
    if not isinstance(experiment, Mapping):
        return Sweep(command_json("sweep", [os.fspath(experiment), *words], progress))
    # JSON is YAML; the file lies in the working directory because its paths are relative to it.
    with tempfile.NamedTemporaryFile("w", prefix="sweep_", suffix=".yaml", dir=".") as file:
        json.dump({"title": "sweep", **_with_charts(experiment)}, file, indent=1)
        file.flush()
        return Sweep(command_json("sweep", [os.path.abspath(file.name), *words], progress))


class Validation:
    """Simulated counters compared with a GPU's: `.summary` has a row per group and counter, `.launches` one per launch."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.summary = Table(
            [{"group": group, **row, "worst": (row["worst"] or {}).get("error")}
             for group, rows in data["summary"].items() for row in rows]
        )
        self.programs = Table([{"program": row["program"], **row["cycles"]} for row in data["programs"]])
        self.launches = Table([_validate_row(launch) for launch in data["launches"]])

    def to_frame(self) -> Any:
        """The launches as a DataFrame."""
        return self.launches.to_frame()

    def __repr__(self) -> str:
        return f"<Validation of {self.data['launches_compared']} launches on {self.data['machine']}>"

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()


def _validate_row(launch: dict[str, Any]) -> dict[str, Any]:
    row = {name: launch[name] for name in ("program", "group", "launch", "kernel", "status")}
    for name, values in (launch["comparison"] or {}).items():
        row |= {name: values["simulated"], f"{name}_hardware": values["hardware"], f"{name}_error": values["error"]}
    return row


def validate(
    folder: Path,
    *,
    machine: Path = DEFAULT_MACHINE,
    policy: Policy = DEFAULT_POLICY,
    set: Changes = None,
    programs: Sequence[str] = (),
    threads: int = 1,
    progress: ProgressChoice = None,
) -> Validation:
    """Simulates the traced programs of a folder and compares with the counters of a real GPU (docs/validation.md)."""
    words = [os.fspath(folder), "--machine", os.fspath(machine), "--policy", policy_text(policy)]
    words += ["--threads", str(threads)]
    for change in changes_list(set):
        words += ["--set", change]
    if programs:
        words += ["--programs", ",".join(programs)]
    return Validation(command_json("validate", words, progress))
