"""SQL texts made from row classes, for both databases: they differ in how a parameter is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from bot.store.rows import DeadlineRow, EntryRow, RaceRow, Row, columns

Mark = Callable[[int], str]


def question_mark(_: int) -> str:
    """SQLite: `?`."""
    return "?"


def dollar(number: int) -> str:
    """PostgreSQL: `$1`, `$2` ..."""
    return f"${number}"


def names(words: tuple[str, ...]) -> str:
    """Column names in a list."""
    return ", ".join(words)


@cache
def select(kind: type[Row]) -> str:
    """The rows of a table, before any condition."""
    return f"SELECT {names(columns(kind))} FROM {kind.table}"


@cache
def on_conflict(kind: type[Row]) -> str:
    """The end of an insert that replaces the row with the same key."""
    changed = tuple(name for name in columns(kind) if name not in kind.key)
    if not changed:
        return f" ON CONFLICT ({names(kind.key)}) DO NOTHING"
    return f" ON CONFLICT ({names(kind.key)}) DO UPDATE SET {', '.join(f'{n} = excluded.{n}' for n in changed)}"


@cache
def insert(kind: type[Row], mark: Mark) -> str:
    """A new row."""
    marks = ", ".join(mark(n) for n in range(1, len(columns(kind)) + 1))
    return f"INSERT INTO {kind.table} ({names(columns(kind))}) VALUES ({marks})"


@cache
def put(kind: type[Row], mark: Mark) -> str:
    """A new row, or the new contents of the row with the same key."""
    return insert(kind, mark) + on_conflict(kind)


def by_key(kind: type[Row], mark: Mark) -> str:
    """The condition that names one row."""
    return " WHERE " + " AND ".join(f"{name} = {mark(n)}" for n, name in enumerate(kind.key, 1))


@cache
def delete(kind: type[Row], mark: Mark) -> str:
    """One row less."""
    return f"DELETE FROM {kind.table}{by_key(kind, mark)}"


def condition(where: Mapping[str, object], mark: Mark) -> tuple[str, list[object]]:
    """`a = 1`, `a IS NULL` or `a IN (1, 2)`, joined by AND, and the parameters."""
    parts: list[str] = []
    given: list[object] = []
    for name, value in where.items():
        if value is None:
            parts.append(f"{name} IS NULL")
        elif isinstance(value, tuple):
            marks = ", ".join(mark(len(given) + n) for n in range(1, len(value) + 1))
            parts.append(f"{name} IN ({marks})" if value else "1 = 0")
            given.extend(value)
        else:
            given.append(value)
            parts.append(f"{name} = {mark(len(given))}")
    return (" WHERE " + " AND ".join(parts) if parts else ""), given


# --- the few questions that are more than "rows like this" -------------------------------------------------------


@cache
def entries_after(mark: Mark) -> str:
    """A race's entries after a number, in order."""
    return f"{select(EntryRow)} WHERE race = {mark(1)} AND number > {mark(2)} ORDER BY number"


@cache
def due_deadlines(mark: Mark) -> str:
    """Deadlines the clock must look at, the oldest first."""
    return f"{select(DeadlineRow)} WHERE wakes <= {mark(1)} ORDER BY wakes LIMIT {mark(2)}"


@cache
def claim_deadline(mark: Mark) -> str:
    """Change a deadline's times, unless somebody else did."""
    return (
        f"UPDATE deadlines SET since = {mark(1)}, due = {mark(2)}, wakes = {mark(3)} "
        f"WHERE race = {mark(4)} AND seat = {mark(5)} AND clock = {mark(6)} AND wakes = {mark(7)}"
    )


@cache
def deadlines_from_the_future(mark: Mark) -> str:
    """Deadlines that began after a moment: written when the computer's clock was wrong."""
    return f"{select(DeadlineRow)} WHERE since > {mark(1)} AND wakes IS NOT NULL"


NEXT_WAKE = "SELECT min(wakes) FROM deadlines"
COUNTS = "SELECT status, count(*) FROM races GROUP BY status"
UNANNOUNCED = (
    "SELECT r.id, coalesce(a.number, -1), r.number FROM races r LEFT JOIN announced a ON a.race = r.id "
    "WHERE r.status <> 'open' AND r.changed >= {since} AND coalesce(a.number, -1) < r.number"
)


@cache
def unannounced(mark: Mark) -> str:
    """Races changed since a moment whose newest entries may not have been told."""
    return UNANNOUNCED.format(since=mark(1))


def seated(mark: Mark, statuses: int) -> str:
    """The races in which a person sits, newest first."""
    marks = ", ".join(mark(n) for n in range(2, statuses + 2))
    listed = ", ".join(f"r.{name}" for name in columns(RaceRow))
    return (
        f"SELECT DISTINCT {listed} FROM races r JOIN seats s ON s.race = r.id "
        f"WHERE s.player = {mark(1)} AND r.status IN ({marks}) ORDER BY r.created DESC"
    )
