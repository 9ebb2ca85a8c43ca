"""Kernels of PTX text, launched on arrays."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Any

from . import _find
from ._library import library
from ._run import Result, run
from .errors import Error, UsageError

# Formats of memoryview, by kind and size.
_FORMATS = {
    **dict.fromkeys("bhilqn", "int"),
    **dict.fromkeys("BHILQN?", "uint"),
    **dict.fromkeys("efd", "float"),
}


def _extent(value: Any, what: str) -> str:
    parts = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(parts) <= 3 or any(int(part) != part or part < 1 for part in parts):
        raise UsageError(f"{what}: {value!r}, expected one to three numbers from 1 on")
    return ",".join(str(int(part)) for part in parts)


def _view(array: Any) -> memoryview:
    try:
        view = memoryview(array)
    except TypeError:
        raise UsageError(
            f"an argument of type {type(array).__name__}; expected a number, None, a Tensor, or an array that others can "
            "read (of NumPy, array.array, bytearray)"
        ) from None
    if not view.c_contiguous:
        raise UsageError("an array whose elements are not one after the other; pass a contiguous copy")
    if view.format.lstrip("@=<") not in _FORMATS:
        raise UsageError(f"an array of elements of format {view.format!r}; view it as integers of the same size")
    return view


def _type_of(view: memoryview) -> str:
    return f"{_FORMATS[view.format.lstrip('@=<')]}{8 * view.itemsize}"


class Tensor:
    """A tensor map over an array, for kernels that copy boxes of it (`cp.async.bulk.tensor`).

    array    its elements, row by row
    box      how many elements are copied at once, by dimension, the innermost last
    shape    of the tensor, if the array does not say it
    swizzle  32, 64, 128 or 0 bytes; None: as many as a row of the box has, if it is one of these
    """

    def __init__(self, array: Any, box: Any, shape: Any = None, swizzle: int | None = None) -> None:
        self.view = _view(array)
        self.shape = tuple(int(n) for n in (shape or self.view.shape or ()))
        self.box = tuple(int(n) for n in box)
        count = 1
        for n in self.shape:
            count *= n
        if len(self.shape) != len(self.box) or count * self.view.itemsize != self.view.nbytes:
            raise UsageError(f"a tensor of shape {self.shape} and boxes of {self.box} over {self.view.nbytes} bytes")
        self.swizzle = swizzle

    def _word(self) -> str:
        sizes, box = ("x".join(map(str, numbers)) for numbers in (self.shape, self.box))
        swizzle = "" if self.swizzle is None else f"/{self.swizzle or 'none'}"
        return f"tensor:{_type_of(self.view)}[{sizes}]/{box}{swizzle}"


class Kernel:
    """A kernel of a module; `kernel[grid, block](...)` or `kernel[grid, block, shared_bytes](...)` launches it."""

    def __init__(self, module: Module, name: str | None) -> None:
        self.module, self.name = module, name

    def __getitem__(self, launch: Any) -> Launcher:
        if not isinstance(launch, tuple) or len(launch) not in (2, 3):
            raise UsageError("kernel[grid, block] or kernel[grid, block, shared_bytes]")
        return Launcher(self, *launch)


class Launcher:
    """A kernel with its grid; called with the kernel's arguments."""

    def __init__(self, kernel: Kernel, grid: Any, block: Any, shared: int = 0) -> None:
        self._kernel = kernel
        self._options = ["--grid", _extent(grid, "grid"), "--block", _extent(block, "block"), "--shared", str(int(shared))]
        if kernel.name:
            self._options += ["--entry", kernel.name]

    def __call__(self, *arguments: Any, simulate: bool = False, **options: Any) -> Result | None:
        """Launches the kernel; arrays hold what it wrote afterwards.

        Numbers take the width of their parameter; None is a null pointer. With simulate, the launch is recorded and
        simulated as well, and the `Result` is returned; options are those of `run` (machine, policy, look ...).
        """
        if options and not simulate:
            raise UsageError(f"{', '.join(options)}: only with simulate=True")
        folder = tempfile.mkdtemp(prefix="sluice-module-")
        try:
            return self._launch(folder, arguments, simulate, options)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _launch(self, folder: str, arguments: Any, simulate: bool, options: Any) -> Result | None:
        words, written = [], []
        for number, argument in enumerate(arguments, 1):
            word = _number_word(argument)
            if word is None:
                view = argument.view if isinstance(argument, Tensor) else _view(argument)
                source = os.path.join(folder, f"in{number}")
                with open(source, "wb") as file:
                    file.write(view.cast("B"))
                kind = argument._word() if isinstance(argument, Tensor) else f"buffer:{_type_of(view)}[{max(view.nbytes // view.itemsize, 1)}]"
                word = f"{kind}=@{source}"
                if not view.readonly:
                    written.append((number, os.path.join(folder, f"out{number}"), view))
            words.append(word)
        command = [*self._options, "--args", ",".join(words)]
        for number, path, _ in written:
            command += ["--out", f"{number}={path}"]
        result = self._run(folder, command, simulate, options)
        for _, path, view in written:
            if not os.path.exists(path):
                raise Error("the kernel failed: its results are not there")
            with open(path, "rb") as file:
                view.cast("B")[:] = file.read()
        return result

    def _run(self, folder: str, command: list[str], simulate: bool, options: Any) -> Result | None:
        path = os.path.join(folder, "module.ptx")
        with open(path, "w") as file:
            file.write(self._kernel.module.ptx)
        if simulate:
            return run(path, *command, **options)
        done = subprocess.run([_find.loader_path(library().path), path, *command], capture_output=True)
        if done.returncode:
            raise (UsageError if done.returncode == 2 else Error)(done.stderr.decode(errors="replace").strip())
        return None


def _number_word(argument: Any) -> str | None:
    if argument is None:
        return "null"
    # A number of NumPy has its width; one of Python takes that of the parameter.
    if getattr(argument, "shape", None) == () and hasattr(argument, "dtype"):
        return f"{argument.dtype.name}:{argument.item()!r}"
    if isinstance(argument, (bool, int)):
        return f"int:{int(argument)}"
    if isinstance(argument, float):
        return f"float:{argument!r}"
    return None


class Module:
    """PTX of any compiler: its text, or the path of a file.

    >>> module = sluice.Module("softmax.ptx")
    >>> module.kernel("softmax")[rows, 256, 32](out, x, columns, columns, None, None)
    """

    def __init__(self, ptx: Any) -> None:
        if isinstance(ptx, bytes):
            ptx = ptx.decode()
        if isinstance(ptx, os.PathLike) or (isinstance(ptx, str) and "\n" not in ptx):
            try:
                with open(ptx) as file:
                    ptx = file.read()
            except OSError as e:
                raise UsageError(f"{e.filename}: {e.strerror}") from None
        self.ptx: str = ptx

    def kernel(self, name: str | None = None) -> Kernel:
        """The kernel of that name; without one, the only kernel of the module."""
        return Kernel(self, name)
