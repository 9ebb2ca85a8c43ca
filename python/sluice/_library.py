"""libsluice through ctypes: the declarations of sluice.h, and nothing above them."""

from __future__ import annotations

import ctypes as c
import functools
import os
from typing import Any, NoReturn

from . import _find
from .errors import BY_CODE, Error, UsageError

API_MAJOR = 1
MAX_COUNT = (1 << 63) - 1
TOTAL = c.c_size_t(-1).value
PHASES = ("recording", "importing", "simulating")


class ErrorInfo(c.Structure):
    _fields_ = [("code", c.c_int), ("text", c.c_char * 1024)]


class Progress(c.Structure):
    _fields_ = [("phase", c.c_int), ("launch", c.c_uint32), ("done", c.c_uint64), ("total", c.c_uint64)]


PROGRESS = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.POINTER(Progress))


class TraceOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("machine", c.c_char_p),
        ("again", c.c_bool),
        ("is_program", c.c_bool),
        ("check_races", c.c_bool),
        ("lenient_memory", c.c_bool),
        ("spin_budget", c.c_uint64),
        ("max_registers", c.c_uint64),
        ("progress", PROGRESS),
        ("user", c.c_void_p),
        ("launches", c.c_char_p),
        ("kernel_name", c.c_char_p),
        ("nvtx", c.c_char_p),
        ("launch_skip", c.c_uint64),
        ("launch_count", c.c_uint64),
        ("profile_from_start_off", c.c_bool),
        ("then_run", c.c_bool),
        ("max_insns", c.c_uint64),
        ("record_limit", c.c_uint64),
    ]


class RunOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("policy", c.c_char_p),
        ("look", c.c_char_p),
        ("kernels", c.c_char_p),
        ("max_insns", c.c_uint64),
        ("threads", c.c_uint32),
        ("quantum", c.c_uint32),
        ("cold_l2", c.c_bool),
        ("process", c.c_bool),
        ("progress", PROGRESS),
        ("user", c.c_void_p),
    ]


class ProgramInfo(c.Structure):
    _fields_ = [
        ("exit_status", c.c_int),
        ("signal", c.c_int),
        ("fault", c.c_char_p),
        ("stdout_path", c.c_char_p),
        ("stderr_path", c.c_char_p),
    ]


class LaunchInfo(c.Structure):
    _fields_ = [
        ("index", c.c_uint32),
        ("kernel", c.c_char_p),
        ("status", c.c_char_p),
        ("report", c.c_char_p),
        ("grid", c.c_uint32 * 3),
        ("block", c.c_uint32 * 3),
    ]


class Info(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("unit", c.c_char_p),
        ("definition", c.c_char_p),
        ("nsight_compute", c.c_char_p),
    ]


_TEXTS = c.POINTER(c.c_char_p)
_HANDLE = c.c_void_p
_ERROR = c.POINTER(ErrorInfo)

# name: (result, arguments)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "api_version": (c.c_uint32, []),
    "version": (c.c_char_p, []),
    "trace_open": (_HANDLE, [c.c_char_p, _TEXTS, c.c_size_t, c.POINTER(TraceOptions), _ERROR]),
    "trace_close": (None, [_HANDLE]),
    "trace_name": (c.c_char_p, [_HANDLE]),
    "trace_path": (c.c_char_p, [_HANDLE]),
    "trace_launches": (c.c_size_t, [_HANDLE]),
    "trace_warp_insns": (c.c_uint64, [_HANDLE]),
    "trace_warning": (c.c_char_p, [_HANDLE, c.c_size_t]),
    "trace_program": (c.c_bool, [_HANDLE, c.POINTER(ProgramInfo)]),
    "machine_open": (_HANDLE, [c.c_char_p, _TEXTS, c.c_size_t, _ERROR]),
    "machine_close": (None, [_HANDLE]),
    "machine_name": (c.c_char_p, [_HANDLE]),
    "machine_warning": (c.c_char_p, [_HANDLE, c.c_size_t]),
    "machine_value": (c.c_bool, [_HANDLE, c.c_char_p, c.c_char_p, c.c_size_t]),
    "run": (_HANDLE, [_HANDLE, _HANDLE, c.POINTER(RunOptions), _ERROR]),
    "result_free": (None, [_HANDLE]),
    "result_status": (c.c_char_p, [_HANDLE]),
    "result_policy": (c.c_char_p, [_HANDLE]),
    "result_launches": (c.c_size_t, [_HANDLE]),
    "result_launch": (c.c_bool, [_HANDLE, c.c_size_t, c.POINTER(LaunchInfo)]),
    "counter_count": (c.c_size_t, []),
    "counter_info": (c.c_bool, [c.c_size_t, c.POINTER(Info)]),
    "metric_count": (c.c_size_t, []),
    "metric_info": (c.c_bool, [c.c_size_t, c.POINTER(Info)]),
    "result_counters": (c.POINTER(c.c_uint64), [_HANDLE, c.c_size_t]),
    "result_metrics": (c.POINTER(c.c_double), [_HANDLE, c.c_size_t]),
    "result_series": (c.POINTER(c.c_double), [_HANDLE, c.c_size_t, c.c_char_p, c.POINTER(c.c_size_t)]),
    "result_json": (c.c_char_p, [_HANDLE, _ERROR]),
}


class Library:
    """The loaded library: its functions without their prefix, and the names of what is counted."""

    def __init__(self, path: str) -> None:
        try:
            loaded = c.CDLL(path)
        except OSError as error:
            raise Error(f"{path} cannot be loaded: {error}") from None
        self.path = path
        self.functions: dict[str, Any] = {}
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = getattr(loaded, "sluice_" + name)
            except AttributeError:
                raise Error(f"{path} has no sluice_{name}: it is older than this package") from None
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
        version = self.call("api_version")
        if version >> 16 != API_MAJOR:
            raise Error(f"{path} has version {version >> 16} of the interface, this package needs {API_MAJOR}")
        self.counters = self._infos("counter")
        self.metrics = self._infos("metric")
        self.counter_names = tuple(info["name"] for info in self.counters)
        self.metric_names = tuple(info["name"] for info in self.metrics)

    def call(self, name: str, *arguments: Any) -> Any:
        return getattr(self, name)(*arguments)

    def _infos(self, kind: str) -> list[dict[str, str]]:
        infos = []
        info = Info()
        for i in range(self.call(kind + "_count")):
            self.call(kind + "_info", i, c.byref(info))
            infos.append({name: getattr(info, name).decode() for name, _ in Info._fields_})
        return infos

    def __getattr__(self, name: str) -> Any:  # the functions are set one by one; this is for type checkers
        raise AttributeError(name)

    @functools.cached_property
    def program(self) -> str:
        return _find.program_path(self.path)


@functools.lru_cache(maxsize=1)
def library() -> Library:
    return Library(_find.library_path())


def text_bytes(name: str, text: Any) -> bytes:
    """A text or path for the library, which ends it at the first NUL; `name` is what errors call it."""
    if not isinstance(text, (str, bytes, os.PathLike)):
        raise UsageError(f"{name}: {text!r} is not a text")
    data = os.fsencode(text)
    if b"\0" in data:
        raise UsageError(f"{name}: {text!r} has a NUL in it")
    return data


def number(name: str, value: Any, most: int) -> int:
    """A count for the library: its fields would cut a larger one without a word."""
    if not isinstance(value, int) or not 0 <= value <= most:
        raise UsageError(f"{name}: {value!r} is not a count up to {most}")
    return value


def texts(name: str, words: list[str]) -> Any:
    return (c.c_char_p * len(words))(*[text_bytes(name, word) for word in words])


def raise_error(error: ErrorInfo) -> NoReturn:
    raise BY_CODE.get(error.code, Error)(error.text.decode(errors="replace"))
