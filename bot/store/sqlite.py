"""The database in one file: SQLite through aiosqlite, WAL, `synchronous=FULL`."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiosqlite

from bot.store import errors, migrate, sql
from bot.store.rows import Commit, DeadlineRow, EntryRow, R, RaceRow, Row, Status, columns, key_of, values
from bot.store.writer import Op, Writer

log = logging.getLogger(__name__)

BUSY_SECONDS = 5.0
# How long the start may wait for the integrity check. A larger file is checked to the end beside the running bot.
CHECK_SECONDS = 1.0
# After how many steps of SQLite's machine the time is looked at.
_PROGRESS_STEPS = 20_000

_MARK = sql.question_mark
_MOVE_COLUMNS = ("version", *columns(EntryRow))
_MOVE = f"INSERT INTO moves ({sql.names(_MOVE_COLUMNS)}) VALUES ({', '.join('?' * len(_MOVE_COLUMNS))})"
_BUMP = "UPDATE races SET version = version + 1 WHERE id = ? AND version = ?"
_CHANGE_RACE = f"UPDATE races SET {', '.join(f'{name} = ?' for name in columns(RaceRow))} WHERE id = ? AND version = ?"


def path_of(url: str) -> Path:
    """`sqlite:///races.db` is a file in the working folder, `sqlite:////srv/races.db` one with a full path."""
    return Path(url.removeprefix("sqlite:///"))


class SqliteStore:
    """`Store` on one SQLite file."""

    def __init__(self, path: Path, writing: aiosqlite.Connection, reading: aiosqlite.Connection) -> None:
        self.path = path
        self._writing = writing
        self._reading = reading
        self._writer = Writer(writing, lambda error: translate(error, path))
        self._checking: asyncio.Task[None] | None = None
        self.problems: list[str] = []

    @classmethod
    async def open(cls, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> SqliteStore:
        """Check the file, bring it to the present shape, and open it. A file that is not sound is left alone."""
        existed = path.exists() and path.stat().st_size > 0
        finished = await check_file(path, seconds=CHECK_SECONDS) if existed else True
        try:
            writing = await _connect(path, busy_seconds)
        except sqlite3.Error as error:
            raise translate(error, path) from error
        try:
            await _prepare(writing)
            reading = await _connect(path, busy_seconds)
            await reading.execute_fetchall("PRAGMA query_only = ON")
        except Exception as error:
            await writing.close()
            raise translate(error, path) from error
        store = cls(path, writing, reading)
        if not finished:
            store._checking = asyncio.create_task(store._check_beside(), name="integrity check")
        return store

    async def close(self) -> None:
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self._writer.close()
        await self._reading.close()
        await self._writing.close()

    async def ping(self) -> None:
        if self.problems:
            raise errors.Damaged(f"{self.path}: {self.problems[0]}")
        await self._ask("SELECT 1")

    async def commit(self, commit: Commit) -> None:
        await self._writer.write(_operations(commit), commit.race)

    async def put(self, *rows: Row) -> None:
        await self._writer.write([Op(sql.put(type(row), _MARK), values(row)) for row in rows])

    async def get(self, kind: type[R], *key: object) -> R | None:
        rows = await self._ask(sql.select(kind) + sql.by_key(kind, _MARK), key)
        return kind(*rows[0]) if rows else None

    async def find(self, kind: type[R], *, limit: int | None = None, **where: object) -> list[R]:
        condition, given = sql.condition(where, _MARK)
        text = f"{sql.select(kind)}{condition} ORDER BY {sql.names(kind.key)}"
        rows = await self._ask(text + (f" LIMIT {limit:d}" if limit is not None else ""), given)
        return [kind(*row) for row in rows]

    async def delete(self, kind: type[Row], **where: object) -> int:
        condition, given = sql.condition(where, _MARK)
        return await self._writer.write([Op(f"DELETE FROM {kind.table}{condition}", tuple(given))])

    async def entries(self, race: str, after: int = 0) -> list[EntryRow]:
        return [EntryRow(*row) for row in await self._ask(sql.entries_after(_MARK), (race, after))]

    async def versions(self, races: Sequence[str]) -> dict[str, int]:
        condition, given = sql.condition({"id": tuple(races)}, _MARK)
        return dict(await self._ask(f"SELECT id, version FROM races{condition}", given))

    async def seated(self, player: int, statuses: Sequence[Status]) -> list[RaceRow]:
        rows = await self._ask(sql.seated(_MARK, len(statuses)), (player, *statuses))
        return [RaceRow(*row) for row in rows]

    async def due(self, now: int, limit: int) -> list[DeadlineRow]:
        return [DeadlineRow(*row) for row in await self._ask(sql.due_deadlines(_MARK), (now, limit))]

    async def next_wake(self) -> int | None:
        rows = await self._ask(sql.NEXT_WAKE)
        wake: int | None = rows[0][0]
        return wake

    async def claim(self, old: DeadlineRow, new: DeadlineRow) -> bool:
        given = (new.since, new.due, new.wakes, old.race, old.seat, old.clock, old.wakes)
        return await self._writer.write([Op(sql.claim_deadline(_MARK), given)]) == 1

    async def from_the_future(self, now: int) -> list[DeadlineRow]:
        return [DeadlineRow(*row) for row in await self._ask(sql.deadlines_from_the_future(_MARK), (now,))]

    async def counts(self) -> dict[str, int]:
        return dict(await self._ask(sql.COUNTS))

    async def unannounced(self, since: int) -> list[tuple[str, int, int]]:
        return [(race, told, newest) for race, told, newest in await self._ask(sql.unannounced(_MARK), (since,))]

    async def check(self) -> list[str]:
        return await integrity(self._reading)

    async def scan(self, *kinds: type[Row], batch: int = 1000) -> AsyncIterator[list[Row]]:
        try:
            async with open_reader(self.path) as connection:
                # One read transaction: everything is seen as it was at its first statement.
                await connection.execute_fetchall("BEGIN")
                for kind in kinds:
                    cursor = await connection.execute(f"{sql.select(kind)} ORDER BY {sql.names(kind.key)}")
                    while rows := list(await cursor.fetchmany(batch)):
                        yield [kind(*row) for row in rows]
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    async def backup(self, target: Path) -> None:
        """A copy of the whole database while it is in use."""
        try:
            async with open_reader(self.path) as source, aiosqlite.connect(target) as copy:
                await source.backup(copy)
                # One file that needs no companions.
                await copy.execute_fetchall("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise translate(error, target) from error

    async def _ask(self, text: str, given: Sequence[object] = ()) -> list[Any]:
        try:
            return list(await self._reading.execute_fetchall(text, given))
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    async def _check_beside(self) -> None:
        """The check that the start did not wait for."""
        async with open_reader(self.path) as connection:
            self.problems = await integrity(connection)
        if self.problems:
            log.critical("store.damaged", extra={"file": str(self.path), "problem": self.problems[0]})
        else:
            log.info("store.checked", extra={"file": str(self.path)})


def _operations(commit: Commit) -> list[Op]:
    """The statements of a commit; the first one finds out whether it comes too late."""
    ops: list[Op] = []
    if commit.row is not None:
        ops.append(Op(_CHANGE_RACE, (*values(commit.row), commit.race, commit.version), counts=True))
        ops += (Op(sql.insert(EntryRow, _MARK), values(entry)) for entry in commit.entries)
    elif commit.entries:
        ops += (Op(_MOVE, (commit.version + n, *values(entry))) for n, entry in enumerate(commit.entries))
    else:
        ops.append(Op(_BUMP, (commit.race, commit.version), counts=True))
    ops += (Op(sql.delete(type(row), _MARK), key_of(row)) for row in commit.drop)
    ops += (Op(sql.put(type(row), _MARK), values(row)) for row in commit.put)
    return ops


async def _connect(path: Path, busy_seconds: float) -> aiosqlite.Connection:
    # Without implicit transactions: the writer begins and ends them itself.
    connection = await aiosqlite.connect(path, timeout=busy_seconds, isolation_level=None)
    try:
        await connection.execute_fetchall("PRAGMA foreign_keys = ON")
        await connection.execute_fetchall("PRAGMA synchronous = FULL")
    except Exception:
        await connection.close()
        raise
    return connection


async def _prepare(connection: aiosqlite.Connection) -> None:
    """WAL and the missing schema steps; two processes that start together wait for each other."""
    await connection.execute_fetchall("PRAGMA journal_mode = WAL")
    await connection.execute_fetchall(migrate.TABLE)
    for step in migrate.missing("sqlite", await applied(connection)):
        await connection.execute_fetchall("BEGIN IMMEDIATE")
        try:
            if step.number not in await applied(connection):
                for statement in statements(step.sql):
                    await connection.execute_fetchall(statement)
                await connection.execute_fetchall("INSERT INTO migrations VALUES (?, ?)", (step.number, step.name))
            await connection.commit()
        except Exception:
            await connection.rollback()
            raise


async def applied(connection: aiosqlite.Connection) -> set[int]:
    """The schema steps a database has taken."""
    return {number for (number,) in await connection.execute_fetchall("SELECT number FROM migrations")}


def statements(script: str) -> list[str]:
    """The statements of a script, one by one: `executescript` would commit before it begins."""
    found: list[str] = []
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        text = "\n".join(lines)
        if sqlite3.complete_statement(text):
            found.append(text)
            lines = []
    return found


@asynccontextmanager
async def open_reader(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    """A connection that cannot change the file."""
    connection = await aiosqlite.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    try:
        yield connection
    finally:
        await connection.close()


async def integrity(connection: aiosqlite.Connection) -> list[str]:
    """What SQLite finds wrong."""
    rows = await connection.execute_fetchall("PRAGMA integrity_check(20)")
    problems = [str(text) for (text,) in rows if text != "ok"]
    broken = await connection.execute_fetchall("PRAGMA foreign_key_check")
    return problems + [f"a row of {table} points to nothing in {parent}" for table, _, parent, _ in list(broken)[:20]]


async def check_file(path: Path, *, seconds: float) -> bool:
    """Raise `Damaged` if the file is not sound; False when the time was too short to say."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    try:
        async with open_reader(path) as connection:
            await connection.set_progress_handler(lambda: loop.time() > end, _PROGRESS_STEPS)
            problems = await integrity(connection)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return False
        raise translate(error, path) from error
    except sqlite3.Error as error:
        raise translate(error, path) from error
    if problems:
        raise errors.Damaged(f"{path} is damaged: {problems[0]}")
    return True


_KINDS: dict[int, type[errors.StoreError]] = {
    sqlite3.SQLITE_BUSY: errors.Busy,
    sqlite3.SQLITE_LOCKED: errors.Busy,
    sqlite3.SQLITE_READONLY: errors.ReadOnly,
    sqlite3.SQLITE_PERM: errors.ReadOnly,
    sqlite3.SQLITE_CANTOPEN: errors.ReadOnly,
    sqlite3.SQLITE_FULL: errors.DiskFull,
    sqlite3.SQLITE_CORRUPT: errors.Damaged,
    sqlite3.SQLITE_NOTADB: errors.Damaged,
}


def translate(error: Exception, path: Path) -> Exception:
    """A `StoreError` for what SQLite says; anything that is not from the database stays what it is."""
    if not isinstance(error, sqlite3.Error):
        return error
    if isinstance(error, sqlite3.IntegrityError):
        if str(error) == "conflict":
            return errors.Conflict("the race was changed in between")
        if "interaction" in str(error):
            return errors.Duplicate("this interaction is already in the record")
        if "entries.race, entries.number" in str(error):
            return errors.Conflict("the entry is already there")
    # The lowest byte is the kind, the rest says more.
    code = getattr(error, "sqlite_errorcode", 0) or 0
    kind = _KINDS.get(code & 0xFF, errors.StoreError)
    return kind(f"{path}: {error}")
