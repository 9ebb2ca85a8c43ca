"""Where the library and the program are: in the wheel, the installed prefix, the build tree, or where a variable says."""

from __future__ import annotations

import ctypes.util
import os
from collections.abc import Iterator
from pathlib import Path

from .errors import Error

PACKAGE = Path(__file__).resolve().parent


def _library_places() -> Iterator[Path]:
    names = ("libsluice.so.1", "libsluice.so")
    yield from (PACKAGE / "_prefix" / "lib" / name for name in names)
    for folder in PACKAGE.parents:
        for name in names:
            yield folder / "build" / name
            yield folder / name
            yield folder / "lib" / name
        # Debian's folders by architecture
        for name in names:
            yield from sorted(folder.glob(f"lib/*-linux-gnu/{name}"))


def library_path() -> str:
    """The shared library: $SLUICE_LIBRARY, or the nearest one around this package."""
    chosen = os.environ.get("SLUICE_LIBRARY")
    if chosen:
        return chosen
    for place in _library_places():
        if place.is_file():
            return str(place.resolve())
    found = ctypes.util.find_library("sluice")
    if found:
        return found
    raise Error(
        "libsluice.so was not found around the package nor by the system; build Sluice "
        "(ninja -C build) or set SLUICE_LIBRARY to the library"
    )


def include_path(library: str) -> str:
    """The folder that holds sluice/policy.h, for policies of one's own."""
    folder = Path(library).parent
    for place in ("include", "../include", "../../include"):
        candidate = folder / place
        if (candidate / "sluice" / "policy.h").is_file():
            return str(candidate.resolve())
    raise Error(f"the header sluice/policy.h is not in the folder of {library}")


def program_path(library: str) -> str:
    """The program `sluice`: $SLUICE_PROGRAM, or the one that belongs to the library."""
    chosen = os.environ.get("SLUICE_PROGRAM")
    if chosen:
        return chosen
    folder = Path(library).parent
    for place in ("sluice", "../bin/sluice", "../../bin/sluice"):
        candidate = folder / place
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate.resolve())
    raise Error(f"the program sluice is not next to {library}; set SLUICE_PROGRAM to its path")


def loader_path(library: str) -> str:
    """The program that launches kernels of PTX files: in the library's folder of a build, or in lib/sluice of a prefix."""
    folder = Path(library).parent
    for place in ("sluice-ptx", "sluice/sluice-ptx", "../sluice/sluice-ptx"):
        candidate = folder / place
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate.resolve())
    raise Error(f"the program sluice-ptx is not next to {library}")
