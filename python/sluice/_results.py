"""The results database: every run of compare, tune, sweep and reproduce, read through sqlite3 (docs/results.md)."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path as FilePath
from typing import Any

from ._run import Path
from ._table import Table
from .errors import Error, UsageError


def default_path() -> FilePath:
    """$SLUICE_RESULTS, else sluice/results.db in $XDG_DATA_HOME, else in ~/.local/share."""
    chosen = os.environ.get("SLUICE_RESULTS")
    if chosen:
        return FilePath(chosen)
    data = os.environ.get("XDG_DATA_HOME", "")
    folder = FilePath(data) if data.startswith("/") else FilePath.home() / ".local" / "share"
    return folder / "sluice" / "results.db"


class Results:
    """A results database, opened for reading; other processes may write to it meanwhile."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = FilePath(path) if path is not None else default_path()
        if not self.path.is_file():
            raise UsageError(f"{self.path}: no results database; compare, tune and sweep make one")
        try:
            self._database = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)
            self._database.row_factory = sqlite3.Row
            self._database.execute("SELECT count(*) FROM run").fetchone()
        except sqlite3.Error as error:
            raise UsageError(f"{self.path}: not a results database: {error}") from None

    def query(self, sql: str, parameters: Any = ()) -> Table:
        """Any SELECT, with its parameters (`?` or `:name`)."""
        try:
            cursor = self._database.execute(sql, parameters)
        except sqlite3.OperationalError as error:
            raise UsageError(f"{error} in: {sql}") from None
        except sqlite3.Error as error:
            raise Error(f"{self.path}: {error}") from None
        columns = [column[0] for column in cursor.description or ()]
        return Table([dict(row) for row in cursor], columns)

    def runs(self, where: str | None = None, limit: int | None = None, **equal: Any) -> Table:
        """Runs with all their counters, metrics and energies, the newest first.

        `where` is an SQL condition; further arguments are columns that must be equal: `runs(workload="atax")`.
        """
        conditions = [f"({where})"] if where else []
        for name in equal:
            if not name.isidentifier():
                raise UsageError(f"{name!r} is not a column")
            conditions.append(f'"{name}" = :{name}')
        sql = "SELECT * FROM runs" + (" WHERE " + " AND ".join(conditions) if conditions else "")
        sql += " ORDER BY id DESC" + (f" LIMIT {int(limit)}" if limit is not None else "")
        return self.query(sql, equal)

    def failures(self) -> Table:
        """Runs without a result, with their messages."""
        return self.query("SELECT * FROM failures")

    def series(self, run: int) -> dict[int, dict[str, list[float | None]]]:
        """The time series of a run by its id: {launch: {name: values}}; empty unless it was looked at."""
        found: dict[int, dict[str, list[float | None]]] = {}
        for row in self.query('SELECT launch, name, "values" FROM series WHERE run = ?', (run,)):
            found.setdefault(row["launch"], {})[row["name"]] = json.loads(row["values"])
        return found

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.query("SELECT count(*) AS n FROM run")[0]["n"]

    def __repr__(self) -> str:
        return f"<Results {self.path}: {len(self)} runs>"


def results(path: Path | None = None) -> Results:
    """Opens the results database: `path`, or the one that compare, tune and sweep write to."""
    return Results(path)
