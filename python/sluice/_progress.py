"""Progress: a line in a terminal, a bar in a notebook, silence elsewhere; or a function of yours."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Optional, Union

from . import _library

#: Called with a phase ("recording", "importing", "simulating", ...), what is done, and the total (0: unknown). False
#: ends the work.
ProgressFunction = Callable[[str, int, int], Optional[bool]]
ProgressChoice = Union[None, bool, ProgressFunction]

_DELAY_S = 1.0  # what is quicker shows nothing
_REFRESH_S = 0.2


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    instance = shell.get_ipython() if shell else None
    return instance is not None and type(instance).__name__ == "ZMQInteractiveShell"


class _Shown:
    """Shows what it is told, once that has taken a while."""

    def __init__(self, notebook: bool) -> None:
        self.start = time.monotonic()
        self.last = 0.0
        self.shown = False
        self.notebook = notebook
        self.display: Any = None

    def __call__(self, phase: str, done: int, total: int) -> bool:
        now = time.monotonic()
        if now - self.start >= _DELAY_S and now - self.last >= _REFRESH_S:
            self.last = now
            self.show(phase, done, total, now - self.start)
        return True

    def show(self, phase: str, done: int, total: int, elapsed: float) -> None:
        share = min(done / total, 1.0) if total else 0.0
        text = f"{phase}  {100 * share:3.0f} %" if total else phase
        if share > 0.01:
            left = elapsed * (1 - share) / share
            text += f", {int(left) // 60}:{int(left) % 60:02} left"
        self.shown = True
        if not self.notebook:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()
            return
        from IPython.display import HTML, display  # type: ignore[import]

        html = HTML(f"<progress max='1' value='{share:.3f}'></progress> {text}")
        if self.display is None:
            self.display = display(html, display_id=True)
        else:
            self.display.update(html)

    def end(self) -> None:
        if self.shown and self.display is not None:
            from IPython.display import HTML

            self.display.update(HTML(""))
        elif self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def reporter(choice: ProgressChoice) -> ProgressFunction | None:
    """The receiver of progress: None shows it on a terminal or in a notebook, True always, False never."""
    if callable(choice):
        return choice
    notebook = _in_notebook()
    if choice or (choice is None and (notebook or sys.stderr.isatty())):
        return _Shown(notebook)
    return None


def end(report: ProgressFunction | None) -> None:
    if isinstance(report, _Shown):
        report.end()


class Relay:
    """A callback for the library. Exceptions cannot pass through C: they cancel, and are raised behind it."""

    def __init__(self, report: ProgressFunction | None) -> None:
        self.report = report
        self.raised: BaseException | None = None
        self.callback = _library.PROGRESS(self._call)

    def _call(self, user: object, progress: Any) -> bool:
        try:
            if self.report is None:
                return True  # coming here lets Python take Ctrl-C
            told = progress.contents
            return self.report(_library.PHASES[told.phase], told.done, told.total) is not False
        except BaseException as error:
            self.raised = error
            return False

    def end(self) -> None:
        end(self.report)
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
