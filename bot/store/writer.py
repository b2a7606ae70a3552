"""The one task that writes to a SQLite file.

A commit waits for the disk, and every call of aiosqlite is a trip to its thread and back. So all changes that are
waiting are written together: one transaction, one `executemany` per kind of statement. If one of them fails, each is
tried alone, and only the one at fault is refused. The usual move is one statement, hence one trip.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

import aiosqlite

from bot.store.errors import Conflict, StoreError

BATCH = 256


class Op(NamedTuple):
    """A statement and its parameters. `counts`: it must change exactly one row, or the change comes too late."""

    sql: str
    values: tuple[Any, ...]
    counts: bool = False


class Job(NamedTuple):
    """What one caller wants written. Jobs of different races (`race` is set) can share a transaction."""

    ops: Sequence[Op]
    race: str | None
    done: asyncio.Future[int]


class Writer:
    """Owns the writing connection. `translate` makes a `StoreError` of whatever the database says."""

    def __init__(self, connection: aiosqlite.Connection, translate: Callable[[Exception], Exception]) -> None:
        self._connection = connection
        self._translate = translate
        self._waiting: deque[Job] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="store writer")

    async def write(self, ops: Sequence[Op], race: str | None = None) -> int:
        """Returns when it is on the disk, with the number of rows that the last statement changed."""
        if self._closing:
            raise StoreError("the database is being closed")
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(Job(ops, race, done))
        self._wake.set()
        # Shielded: a caller who goes away does not take back what may already be written.
        return await asyncio.shield(done)

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        self._closing = True
        self._wake.set()
        await self._task

    async def _run(self) -> None:
        while True:
            if not self._waiting:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = self._next_batch()
            if len(batch) == 1 or not await self._write_together(batch):
                for job in batch:
                    await self._write_alone(job)

    def _next_batch(self) -> list[Job]:
        """The jobs at the head of the queue that touch different races; others go alone."""
        batch = [self._waiting.popleft()]
        races = {batch[0].race}
        if batch[0].race is None:
            return batch
        while self._waiting and len(batch) < BATCH:
            race = self._waiting[0].race
            if race is None or race in races:
                break
            races.add(race)
            batch.append(self._waiting.popleft())
        return batch

    async def _write_together(self, batch: list[Job]) -> bool:
        """False: something is wrong with at least one of them, and nothing is written."""
        grouped: dict[str, list[tuple[Any, ...]]] = {}
        counted: set[str] = set()
        for job in batch:
            for op in job.ops:
                grouped.setdefault(op.sql, []).append(op.values)
                if op.counts:
                    counted.add(op.sql)
        connection = self._connection
        try:
            await connection.execute_fetchall("BEGIN IMMEDIATE")
            for sql, rows in grouped.items():
                cursor = await connection.executemany(sql, rows)
                if sql in counted and cursor.rowcount != len(rows):
                    await self._roll_back()
                    return False
            await connection.commit()
        except Exception:
            await self._roll_back()
            return False
        for job in batch:
            _settle(job, 1)
        return True

    async def _write_alone(self, job: Job) -> None:
        connection = self._connection
        try:
            if len(job.ops) == 1:
                only = job.ops[0]
                changed = (await connection.execute(only.sql, only.values)).rowcount
                if only.counts and changed != 1:
                    raise Conflict("the race was changed in between")
            else:
                changed = await self._transaction(job.ops)
        except Exception as error:
            await self._roll_back()
            if not job.done.done():
                job.done.set_exception(self._translate(error))
                # Nobody may be waiting any more; that is no reason for a warning.
                job.done.exception()
            return
        _settle(job, changed)

    async def _transaction(self, ops: Sequence[Op]) -> int:
        changed = 0
        await self._connection.execute_fetchall("BEGIN IMMEDIATE")
        for text, same in groupby(ops, key=lambda op: op.sql):
            rows = list(same)
            changed = (await self._connection.executemany(text, [op.values for op in rows])).rowcount
            if rows[0].counts and changed != len(rows):
                raise Conflict("the race was changed in between")
        await self._connection.commit()
        return changed

    async def _roll_back(self) -> None:
        if self._connection.in_transaction:
            # A disk that refuses the roll-back refuses everything else too; the next write says so.
            with suppress(Exception):
                await self._connection.rollback()


def _settle(job: Job, changed: int) -> None:
    if not job.done.done():
        job.done.set_result(changed)
