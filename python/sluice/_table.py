"""Tables: rows as dictionaries, for people, notebooks and pandas."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .errors import Error

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

Number = TypeVar("Number", int, float)


def pandas_module() -> Any:
    try:
        import pandas
    except ImportError:
        raise Error("this needs pandas (Debian: python3-pandas; pip: pandas)") from None
    return pandas


def pyplot_module() -> Any:
    try:
        from matplotlib import pyplot  # type: ignore[import]
    except ImportError:
        raise Error("this needs matplotlib (Debian: python3-matplotlib; pip: matplotlib)") from None
    return pyplot


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


class Table(Sequence[Mapping[str, Any]]):
    """Rows that share columns. Index and iterate for rows, `column()` for a column, `to_frame()` for pandas."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> None:
        self.rows = list(rows)
        if columns is None:
            columns = list(dict.fromkeys(name for row in self.rows for name in row))
        self.columns = list(columns)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Table: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Table:
        return Table(self.rows[index], self.columns) if isinstance(index, slice) else self.rows[index]

    def column(self, name: str) -> list[Any]:
        """The values of a column, None where a row has none."""
        if name not in self.columns:
            raise KeyError(name)
        return [row.get(name) for row in self.rows]

    def to_frame(self) -> pandas.DataFrame:
        """As a pandas DataFrame."""
        return pandas_module().DataFrame(self.rows, columns=self.columns)

    def __str__(self) -> str:
        texts = [[_cell(row.get(name)) for name in self.columns] for row in self.rows]
        widths = [max(map(len, [name, *[row[i] for row in texts]])) for i, name in enumerate(self.columns)]
        lines = [self.columns, *texts]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.rows)} rows of {', '.join(self.columns[:8])}>"

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Sequence[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line("td", [_cell(row.get(name)) for name in self.columns]) for row in self.rows[:200])
        return f"<table><thead>{line('th', self.columns)}</thead><tbody>{body}</tbody></table>"


class Values(Mapping[str, Number]):
    """Numbers by name, as items and as attributes: `counters["cycles"]` is `counters.cycles`."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: Sequence[str], values: Sequence[Number]) -> None:
        self._names = names
        self._values: Sequence[Number] = values

    def __getitem__(self, name: str) -> Number:
        try:
            return self._values[self._names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __getattr__(self, name: str) -> Number:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"nothing is counted under the name {name!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {_cell(value)}" for name, value in self.items()) + "}"

    def to_frame(self) -> pandas.DataFrame:
        """One row per name."""
        return pandas_module().DataFrame({"value": list(self._values)}, index=list(self._names))
