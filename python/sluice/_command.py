"""The program `sluice` as a child: its JSON, its messages, its progress."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import warnings
from typing import Any

from ._library import library
from ._progress import ProgressChoice, ProgressFunction, end, reporter
from .errors import Cancelled, CrashError, Error, SluiceWarning, UsageError

_NO_PROGRESS_STATUS, _PROGRAM_FAILED_STATUS = 3, 4


class _Child:
    """A running `sluice`, and what has come of it so far."""

    def __init__(self, arguments: list[str], report: ProgressFunction | None) -> None:
        self.report = report
        self.out = bytearray()
        self.err = bytearray()
        self.lines = bytearray()
        self.news, theirs = os.pipe()
        try:
            self.process = subprocess.Popen(
                [library().program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs],
                env={**os.environ, "SLUICE_PROGRESS_FD": str(theirs)},
                start_new_session=True,
            )
        except OSError as error:
            os.close(self.news)
            raise Error(f"{library().program} cannot be started: {error}") from None
        finally:
            os.close(theirs)

    def _take(self, fd: int, to: bytearray) -> bool:
        part = os.read(fd, 1 << 16)
        to.extend(part)
        return bool(part)

    def _tell(self) -> None:
        while (length := self.lines.find(b"\n")) >= 0:
            label, done, total, _ = self.lines[:length].decode(errors="replace").split("\t", 3)
            del self.lines[: length + 1]
            if self.report and self.report(label, int(done), int(total)) is False:
                raise Cancelled("cancelled")

    def wait(self) -> int:
        """Until it ends; whatever ends the waiting ends it, too."""
        assert self.process.stdout and self.process.stderr
        to = {self.process.stdout.fileno(): self.out, self.process.stderr.fileno(): self.err, self.news: self.lines}
        try:
            with selectors.DefaultSelector() as selector:
                for fd in to:
                    selector.register(fd, selectors.EVENT_READ)
                while selector.get_map():
                    for key, _ in selector.select():
                        if not self._take(key.fd, to[key.fd]):
                            selector.unregister(key.fd)
                    self._tell()
            return self.process.wait()
        except BaseException:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()
            self.process.stderr.close()
            os.close(self.news)


def _messages(text: bytes, command: str) -> list[str]:
    """The tool's own lines, without its name in front of them."""
    prefix = f"sluice {command}: "
    return [line[len(prefix) :] for line in text.decode(errors="replace").splitlines() if line.startswith(prefix)]


def _fail(status: int, child: _Child, command: str) -> None:
    said = child.err.decode(errors="replace").strip()
    if status < 0:
        raise CrashError(f"sluice {command} was killed by signal {-status}: {said[-500:]}")
    lines = said.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"sluice {command}: ")), 0)
    text = "\n".join(lines[start:]).removeprefix(f"sluice {command}: ")
    text = text.removesuffix(f"\nsee 'sluice {command} --help'")
    raise (UsageError if status == 2 else Error)(text or f"sluice {command} ended with status {status}")


def command_json(command: str, arguments: list[str], progress: ProgressChoice) -> dict[str, Any]:
    """Runs `sluice COMMAND ... --json -`; its errors become exceptions, its warnings warnings."""
    report = reporter(progress)
    child = _Child([command, *arguments, "--json", "-"], report)
    try:
        status = child.wait()
    finally:
        end(report)
    if status not in (0, _NO_PROGRESS_STATUS, _PROGRAM_FAILED_STATUS) or not child.out:
        _fail(status, child, command)
    for line in _messages(bytes(child.err), command):
        warnings.warn(line.removeprefix("warning: "), SluiceWarning, stacklevel=3)
    if status == _PROGRAM_FAILED_STATUS:
        warnings.warn("the program itself failed; what it did until then was simulated", SluiceWarning, stacklevel=3)
    return json.loads(child.out)
