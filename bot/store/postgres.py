"""PostgreSQL through asyncpg, for several processes on one database. A change of a race is one statement."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import cache
from itertools import groupby
from typing import Any, TypeVar, get_args, get_type_hints

from bot.store import errors, migrate, sql
from bot.store.rows import Commit, DeadlineRow, EntryRow, R, RaceRow, Row, Status, columns, key_of, values

try:
    import asyncpg
except ImportError as error:  # pragma: no cover - depends on the installation
    raise errors.StoreError(
        "the driver for PostgreSQL is not installed", "Install the extra: pip install 'race-control[postgres]'."
    ) from error

log = logging.getLogger(__name__)
T = TypeVar("T")

POOL_SIZE = 10
_FIRST_WAIT = 0.1
_LONGEST_WAIT = 2.0
# Two processes that start together must not both migrate.
_MIGRATION_LOCK = 7_261_201

_MARK = sql.dollar

# The server goes away, is starting or stopping, or the line is cut: waiting helps.
_PASSING = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
)


class PostgresStore:
    """`Store` on a PostgreSQL server. Waits up to `patience` seconds for a server that is away."""

    def __init__(self, pool: asyncpg.Pool[Any], patience: float) -> None:
        self._pool = pool
        self._patience = patience

    @classmethod
    async def open(cls, url: str, *, patience: float = 60.0) -> PostgresStore:
        """Connect, and bring the schema to the present shape."""

        async def connect() -> asyncpg.Pool[Any]:
            # `command_timeout` is what notices a server that takes connections and never answers.
            return await asyncpg.create_pool(url, min_size=1, max_size=POOL_SIZE, command_timeout=30)

        pool = await _with_patience(connect, patience)
        store = cls(pool, patience)
        try:
            await store._patiently(store._migrate)
        except BaseException:
            await pool.close()
            raise
        return store

    async def close(self) -> None:
        await self._pool.close()

    async def ping(self) -> None:
        try:
            await self._pool.fetchval("SELECT 1", timeout=5)
        except (*_PASSING, asyncpg.PostgresError) as error:
            raise _translated(error) from error

    async def commit(self, commit: Commit) -> None:
        text, given = _statement(commit)
        lost = False

        async def write() -> None:
            nonlocal lost
            try:
                changed = await self._pool.fetchval(text, *given)
            except _PASSING:
                lost = True
                raise
            # After a cut line nobody knows whether the statement was carried out: the record does.
            if not changed and not (lost and await self._is_written(commit)):
                raise errors.Conflict("the race was changed in between")

        try:
            await self._patiently(write)
        except errors.Duplicate:
            if not (lost and await self._is_written(commit)):
                raise

    async def put(self, *rows: Row) -> None:
        async def write() -> None:
            async with self._pool.acquire() as connection, connection.transaction():
                for kind, same in groupby(rows, type):
                    await connection.executemany(sql.put(kind, _MARK), [values(row) for row in same])

        await self._patiently(write)

    async def get(self, kind: type[R], *key: object) -> R | None:
        rows = await self._ask(sql.select(kind) + sql.by_key(kind, _MARK), *key)
        return kind(*rows[0]) if rows else None

    async def find(self, kind: type[R], *, limit: int | None = None, **where: object) -> list[R]:
        condition, given = sql.condition(where, _MARK)
        text = f"{sql.select(kind)}{condition} ORDER BY {_order(kind)}"
        rows = await self._ask(text + (f" LIMIT {limit:d}" if limit is not None else ""), *given)
        return [kind(*row) for row in rows]

    async def delete(self, kind: type[Row], **where: object) -> int:
        condition, given = sql.condition(where, _MARK)
        status = await self._patiently(lambda: self._pool.execute(f"DELETE FROM {kind.table}{condition}", *given))
        return int(status.rpartition(" ")[2])

    async def entries(self, race: str, after: int = 0) -> list[EntryRow]:
        return [EntryRow(*row) for row in await self._ask(sql.entries_after(_MARK), race, after)]

    async def versions(self, races: Sequence[str]) -> dict[str, int]:
        rows = await self._ask("SELECT id, version FROM races WHERE id = ANY($1)", list(races))
        return dict(rows)

    async def seated(self, player: int, statuses: Sequence[Status]) -> list[RaceRow]:
        rows = await self._ask(sql.seated(_MARK, len(statuses)), player, *statuses)
        return [RaceRow(*row) for row in rows]

    async def due(self, now: int, limit: int) -> list[DeadlineRow]:
        return [DeadlineRow(*row) for row in await self._ask(sql.due_deadlines(_MARK), now, limit)]

    async def next_wake(self) -> int | None:
        rows = await self._ask(sql.NEXT_WAKE)
        wake: int | None = rows[0][0]
        return wake

    async def claim(self, old: DeadlineRow, new: DeadlineRow) -> bool:
        given = (new.since, new.due, new.wakes, old.race, old.seat, old.clock, old.wakes)
        status = await self._patiently(lambda: self._pool.execute(sql.claim_deadline(_MARK), *given))
        return bool(status == "UPDATE 1")

    async def from_the_future(self, now: int) -> list[DeadlineRow]:
        return [DeadlineRow(*row) for row in await self._ask(sql.deadlines_from_the_future(_MARK), now)]

    async def counts(self) -> dict[str, int]:
        return dict(await self._ask(sql.COUNTS))

    async def unannounced(self, since: int) -> list[tuple[str, int, int]]:
        return [(race, told, newest) for race, told, newest in await self._ask(sql.unannounced(_MARK), since)]

    async def check(self) -> list[str]:
        """The server keeps its own files sound; what can be asked is whether the records have gaps."""
        rows = await self._ask(
            "SELECT r.id FROM races r LEFT JOIN entries e ON e.race = r.id GROUP BY r.id, r.number "
            "HAVING count(e.number) <> r.number OR coalesce(max(e.number), 0) <> r.number LIMIT 20"
        )
        return [f"the record of race {race} has gaps" for (race,) in rows]

    async def scan(self, *kinds: type[Row], batch: int = 1000) -> AsyncIterator[list[Row]]:
        try:
            async with (
                self._pool.acquire() as connection,
                # Everything is seen as it was at the first statement.
                connection.transaction(isolation="repeatable_read", readonly=True),
            ):
                for kind in kinds:
                    cursor = await connection.cursor(f"{sql.select(kind)} ORDER BY {_order(kind)}")
                    while rows := await cursor.fetch(batch):
                        yield [kind(*row) for row in rows]
        except (*_PASSING, asyncpg.PostgresError) as error:
            raise _translated(error) from error

    async def _ask(self, text: str, *given: object) -> list[Any]:
        return list(await self._patiently(lambda: self._pool.fetch(text, *given)))

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        return await _with_patience(call, self._patience)

    async def _is_written(self, commit: Commit) -> bool:
        """Whether the race's record holds exactly these entries."""
        if not commit.entries:
            return False
        written = await self.entries(commit.race, commit.entries[0].number - 1)
        return tuple(written[: len(commit.entries)]) == commit.entries

    async def _migrate(self) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATION_LOCK)
            await connection.execute(migrate.TABLE)
            taken = {row[0] for row in await connection.fetch("SELECT number FROM migrations")}
            for step in migrate.missing("postgres", taken):
                await connection.execute(step.sql)
                await connection.execute("INSERT INTO migrations VALUES ($1, $2)", step.number, step.name)


async def _with_patience(call: Callable[[], Awaitable[T]], patience: float) -> T:
    """Call again while the server is away; every other error is final."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    wait = _FIRST_WAIT
    while True:
        try:
            return await call()
        except (*_PASSING, asyncpg.PostgresError) as error:
            if not isinstance(error, _PASSING) or loop.time() + wait > end:
                raise _translated(error) from error
            log.warning("store.waiting", extra={"problem": type(error).__name__, "seconds": wait})
        await asyncio.sleep(wait)
        wait = min(wait * 2, _LONGEST_WAIT)


def _translated(error: Exception) -> Exception:
    if isinstance(error, asyncpg.UniqueViolationError):
        if "interaction" in (error.constraint_name or ""):
            return errors.Duplicate("this interaction is already in the record")
        if error.constraint_name == "entries_pkey":
            return errors.Conflict("the entry is already there")
    if isinstance(error, asyncpg.DiskFullError):
        return errors.DiskFull(str(error))
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return errors.ReadOnly(str(error))
    if isinstance(error, asyncpg.DataCorruptedError):
        return errors.Damaged(str(error))
    if isinstance(error, _PASSING):
        return errors.Unavailable(f"PostgreSQL cannot be reached: {error or type(error).__name__}")
    return errors.StoreError(f"PostgreSQL: {error}")


# --- a commit as one statement -----------------------------------------------------------------------------------


def _statement(commit: Commit) -> tuple[str, list[object]]:
    """The text depends on the kinds of rows only, so the server prepares each of the few texts once."""
    given: list[object] = [commit.race, commit.version]
    if commit.row is not None:
        given += values(commit.row)
    else:
        given += [len(commit.entries), commit.after, commit.entries[-1].at if commit.entries else None]
    put: dict[type[Row], list[Row]] = {}
    drop: dict[type[Row], list[Row]] = {}
    if commit.entries:
        put[EntryRow] = list(commit.entries)
    for row in commit.put:
        put.setdefault(type(row), []).append(row)
    for row in commit.drop:
        drop.setdefault(type(row), []).append(row)
    for rows in drop.values():
        given += (list(column) for column in zip(*map(key_of, rows), strict=True))
    for rows in put.values():
        given += (list(column) for column in zip(*map(values, rows), strict=True))
    return _text(commit.row is not None, tuple(drop), tuple(put)), given


@cache
def _text(whole_row: bool, drop: tuple[type[Row], ...], put: tuple[type[Row], ...]) -> str:
    """`WITH guard AS (the race, if it is still at that version), ... SELECT whether it was`."""
    used = 2
    if whole_row:
        names = columns(RaceRow)
        changes = ", ".join(f"{name} = ${used + n}" for n, name in enumerate(names, 1))
        used += len(names)
    else:
        changes = f"number = number + ${used + 1}, version = ${used + 2}, changed = coalesce(${used + 3}, changed)"
        used += 3
    parts = [f"guard AS (UPDATE races SET {changes} WHERE id = $1 AND version = $2 RETURNING id)"]
    for kind in drop:
        keys, used = _unnest(kind, kind.key, used)
        same = " AND ".join(f"t.{name} = gone.{name}" for name in kind.key)
        parts.append(f"drop_{kind.table} AS (DELETE FROM {kind.table} t USING guard, {keys} AS gone WHERE {same})")
    for kind in put:
        rows, used = _unnest(kind, columns(kind), used)
        conflict = "" if kind is EntryRow else sql.on_conflict(kind)
        listed = sql.names(columns(kind))
        chosen = ", ".join(f"new.{name}" for name in columns(kind))
        insert = f"INSERT INTO {kind.table} ({listed}) SELECT {chosen} FROM guard, {rows} AS new{conflict}"
        parts.append(f"put_{kind.table} AS ({insert})")
    return f"WITH {', '.join(parts)} SELECT count(*) FROM guard"


def _unnest(kind: type[Row], names: tuple[str, ...], used: int) -> tuple[str, int]:
    types = _types(kind)
    arrays = ", ".join(f"${used + n}::{types[name]}[]" for n, name in enumerate(names, 1))
    return f"(SELECT * FROM unnest({arrays}) AS u ({sql.names(names)}))", used + len(names)


@cache
def _types(kind: type[Row]) -> dict[str, str]:
    hints = get_type_hints(kind)
    return {name: _type(hints[name]) for name in columns(kind)}


def _type(hint: Any) -> str:
    inside = {type(part) if not isinstance(part, type) else part for part in (get_args(hint) or (hint,))}
    if int in inside:
        return "bigint"
    if bytes in inside:
        return "bytea"
    return "double precision" if float in inside else "text"


def _order(kind: type[Row]) -> str:
    """Texts in the order of their bytes, as SQLite sorts them, whatever the server's language."""
    types = _types(kind)
    return ", ".join(f'{name} COLLATE "C"' if types[name] == "text" else name for name in kind.key)
