"""From one database into another, whatever the two are."""

from __future__ import annotations

from collections import Counter

from bot.store.errors import StoreError
from bot.store.protocol import Store
from bot.store.rows import KINDS, Row


class NotEmpty(StoreError):
    """The target already holds something."""

    advice = "Make a new, empty database and copy into that one: nothing is ever overwritten."


async def is_empty(store: Store) -> bool:
    """Whether there is no row in any table."""
    for kind in KINDS:
        if await store.find(kind, limit=1):
            return False
    return True


async def copy_database(source: Store, target: Store) -> dict[str, int]:
    """Copy every row, as the source was at one moment; says how many there were in each table."""
    if not await is_empty(target):
        raise NotEmpty("the target database is not empty")
    copied: Counter[str] = Counter({kind.table: 0 for kind in KINDS})
    async for rows in source.scan(*KINDS):
        await target.put(*rows)
        copied[rows[0].table] += len(rows)
    arrived = await count_rows(target)
    if arrived != dict(copied):
        raise StoreError(f"{copied} rows were read, {arrived} arrived", "Try again with another empty database.")
    return arrived


async def count_rows(store: Store) -> dict[str, int]:
    """How many rows each table has."""
    counted: Counter[str] = Counter({kind.table: 0 for kind in KINDS})
    batch: list[Row]
    async for batch in store.scan(*KINDS):
        counted[batch[0].table] += len(batch)
    return dict(counted)
