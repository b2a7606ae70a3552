"""Save what can still be read of a damaged SQLite file. The file itself is only read."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec

from bot.store import sql
from bot.store.archive import PARTS, Archive, encode_archive, whole_part
from bot.store.errors import Damaged
from bot.store.rows import KINDS, RaceRow, Row, SnapshotRow
from engine.core.model import Value

# Row ids tried one by one between the two readable ends of a table.
_GAP = 200_000


class Salvage(Value, frozen=True):
    """What came of it."""

    races: int
    cut: int
    others: int
    folder: str


def salvage(path: Path, folder: Path) -> Salvage:
    """Write one archive per readable race, and the readable rows of all other tables, into a new folder."""
    folder.mkdir(parents=True, exist_ok=False)
    connection = _open(path)
    try:
        read = {kind: list(_readable(connection, kind)) for kind in KINDS if kind is not SnapshotRow}
    finally:
        connection.close()
    if not any(read.values()):
        raise Damaged(f"nothing in {path} can be read", "Restore the newest backup: python -m bot restore <file>.")
    cut = 0
    parts: dict[str, dict[str | None, list[Row]]] = {name: _by_race(read.pop(kind)) for name, kind in PARTS.items()}
    races = [row for row in read.pop(RaceRow) if isinstance(row, RaceRow)]
    for row in races:
        mine = {name: tuple(found.get(row.id, ())) for name, found in parts.items()}
        kept, mine["entries"] = whole_part(row, mine["entries"])  # type: ignore[arg-type]
        if kept is not row:
            cut += 1
            # They belong to a state that is gone.
            mine["deadlines"] = mine["drafts"] = ()
        (folder / f"race-{row.id}.json").write_bytes(encode_archive(Archive(kept, **mine)))  # type: ignore[arg-type]
    others: dict[str, list[Row]] = {kind.table: rows for kind, rows in read.items() if rows}
    # Steward actions that concern no race.
    others["audit"] = parts["audit"].get(None, [])
    (folder / "others.json").write_bytes(msgspec.json.format(msgspec.json.encode(others), indent=1))
    return Salvage(len(races), cut, sum(map(len, others.values())), str(folder))


def _open(path: Path) -> sqlite3.Connection:
    """With the write-ahead log if that can be read, else without it."""
    for how in ("mode=ro", "mode=ro&immutable=1"):
        connection = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True)
        # Damaged text is still worth having; the archive's reader decides.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchall()
        except sqlite3.Error:
            connection.close()
            continue
        return connection
    raise Damaged(f"{path} cannot be opened at all", "Restore the newest backup: python -m bot restore <file>.")


def _by_race(rows: list[Row]) -> dict[str | None, list[Row]]:
    found: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        found[getattr(row, "race")].append(row)  # noqa: B009 - every part of a race has that column
    return found


def _readable(connection: sqlite3.Connection, kind: type[Row]) -> Iterator[Row]:
    """From the front up to the damage, from the back down to it, and what lies between one by one."""
    front = _walk(connection, kind, "ASC")
    yield from (row for _, row in front.rows)
    if front.whole:
        return
    back = _walk(connection, kind, "DESC")
    first = front.rows[-1][0] if front.rows else 0
    last = back.rows[-1][0] if back.rows else first + _GAP
    yield from (row for number, row in back.rows if number > first)
    for number in range(first + 1, min(last, first + _GAP)):
        try:
            found = connection.execute(f"{sql.select(kind)} WHERE rowid = ?", (number,)).fetchall()
        except sqlite3.Error:
            continue
        yield from (row for row in (_sound(kind, values) for values in found) if row is not None)


class _Walk:
    def __init__(self) -> None:
        self.rows: list[tuple[int, Row]] = []
        self.whole = False


def _walk(connection: sqlite3.Connection, kind: type[Row], direction: str) -> _Walk:
    walk = _Walk()
    columns = sql.select(kind).removeprefix("SELECT ")
    try:
        for number, *values in connection.execute(f"SELECT rowid, {columns} ORDER BY rowid {direction}"):
            row = _sound(kind, values)
            if row is not None:
                walk.rows.append((number, row))
        walk.whole = True
    except sqlite3.Error:
        pass
    return walk


def _sound(kind: type[Row], values: list[object]) -> Row | None:
    """The row, if what was read has the types it must have."""
    try:
        return msgspec.convert(dict(zip(kind.__struct_fields__, values, strict=True)), kind)
    except msgspec.ValidationError:
        return None
