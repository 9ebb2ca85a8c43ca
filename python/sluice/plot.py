"""Drawings of results with matplotlib, which is imported where a function is called.

    >>> import sluice
    >>> result = sluice.run("atax", size="tiny", look="series:period=1000")
    >>> sluice.plot.roofline(result)
    >>> sluice.plot.stalls(result)
    >>> sluice.plot.series(result, "ipc", "dram_bandwidth")

Every function takes axes (`ax`) to draw into, or makes some, and returns them.
"""

from __future__ import annotations

from typing import Any

from ._run import Machine, Result
from ._table import pyplot_module
from .errors import UsageError

__all__ = ["peaks", "roofline", "series", "stalls"]

LEVELS = {"L1": "o", "L2": "s", "DRAM": "D"}


def peaks(machine: Machine) -> dict[str, float]:
    """The ceilings of the roofline per core cycle: warp instructions (`issue`), and bytes of `L1`, `L2` and `DRAM`."""
    core = machine["clock.core_mhz"]
    if machine["lsu.data_banks"] in (True, "yes"):
        line = machine["smem.banks"] * machine["smem.bank_bytes"]
    else:
        line = machine["l1d.line_bytes"] * machine["lsu.lines_per_cycle"]
    slices = machine["dram.channels"] * machine["l2.slices_per_channel"]
    bus = machine["dram.channels"] * machine["dram.bus_bytes_per_clock"] * machine["clock.dram_mhz"] / core
    return {
        "issue": machine["sm.count"] * machine["sm.schedulers"],
        "L1": machine["sm.count"] * line,
        "L2": slices * machine["l2.read_bytes_per_cycle"] * machine["clock.l2_mhz"] / core,
        "DRAM": bus * (1 - machine["dram.refresh_per_mille"] / 1000),
    }


def _bytes(counters: Any, machine: Machine) -> dict[str, float]:
    return {
        "L1": (counters.l1_load_sectors + counters.l1_store_sectors) * machine["l1d.sector_bytes"],
        "L2": (counters.l2_read_sectors + counters.l2_write_sectors) * machine["l2.sector_bytes"],
        "DRAM": counters.dram_read_bytes + counters.dram_write_bytes,
    }


def roofline(result: Result, ax: Any = None) -> Any:
    """Warp instructions per cycle over warp instructions per byte: a point per launch and level, under the ceilings."""
    axes = ax or pyplot_module().subplots()[1]
    top = peaks(result.machine)
    points = [
        (level, launch.counters.warp_insns / moved, launch.counters.warp_insns / launch.counters.cycles)
        for launch in result.launches
        for level, moved in _bytes(launch.counters, result.machine).items()
        if moved and launch.counters.warp_insns
    ]
    ridges = [top["issue"] / top[level] for level in LEVELS]
    low = min([x for _, x, _ in points] + ridges) / 3
    high = max([x for _, x, _ in points] + ridges) * 3
    for number, (level, marker) in enumerate(LEVELS.items()):
        colour, ridge = f"C{number}", top["issue"] / top[level]
        axes.plot([low, ridge, high], [low * top[level], top["issue"], top["issue"]], color=colour, label=level)
        own = [(x, y) for of, x, y in points if of == level]
        axes.plot([x for x, _ in own], [y for _, y in own], marker, color=colour)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("warp instructions per byte")
    axes.set_ylabel("warp instructions per cycle")
    axes.set_title(f"{result.trace.name} on {result.machine.name}")
    axes.legend()
    return axes


def stalls(result: Result, ax: Any = None) -> Any:
    """Bars of the SM-cycles of SMs with a CTA, by what they were spent on."""
    axes = ax or pyplot_module().subplots()[1]
    names = ["issue_cycles", *[n for n in result.counters if n.startswith("stall_") and n != "stall_idle"]]
    busy = result.counters.sm_cycles - result.counters.stall_idle
    shares = {name: 100 * result.counters[name] / busy for name in names if busy and result.counters[name]}
    ordered = sorted(shares, key=lambda name: shares[name])
    labels = [name.replace("stall_", "").replace("_cycles", "").replace("_", " ") for name in ordered]
    axes.barh(labels, [shares[name] for name in ordered])
    axes.set_xlabel("% of SM-cycles with a CTA")
    axes.set_title(f"{result.trace.name} on {result.machine.name}")
    return axes


def series(result: Result, *names: str, ax: Any = None) -> Any:
    """Lines of fields of `look="series"` over cycles; launches follow one another."""
    rows = result.series
    if not len(rows):
        raise UsageError('no series was observed: run with look="series"')
    axes = ax or pyplot_module().subplots()[1]
    for name in names or ("ipc",):
        axes.plot(rows.column("cycle"), rows.column(name), label=name)
    axes.set_xlabel("cycle")
    axes.legend()
    return axes
