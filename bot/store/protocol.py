"""What the bot asks of a database. One contract test suite runs on every implementation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from bot.store.rows import Commit, DeadlineRow, EntryRow, R, RaceRow, Row, Status


class Store(Protocol):
    """A database. Whatever fails raises a `StoreError` and has written nothing; whatever returns is on the disk."""

    async def close(self) -> None: ...

    async def ping(self) -> None:
        """Answers if the database does."""
        ...

    async def commit(self, commit: Commit) -> None:
        """Write one change of one race.

        `Conflict` when the race is no longer at `commit.version`; `Duplicate` when an interaction is already there.
        """
        ...

    async def put(self, *rows: Row) -> None:
        """Write rows together; a row with the same key is replaced. `Duplicate` for an interaction already there."""
        ...

    async def get(self, kind: type[R], *key: object) -> R | None: ...

    async def find(self, kind: type[R], *, limit: int | None = None, **where: object) -> list[R]:
        """Rows with these values, in the order of their keys; a tuple means any of them, None an empty column."""
        ...

    async def delete(self, kind: type[Row], **where: object) -> int:
        """Remove rows with these values and say how many there were."""
        ...

    async def entries(self, race: str, after: int = 0) -> list[EntryRow]: ...

    async def versions(self, races: Sequence[str]) -> dict[str, int]:
        """The present versions of races, to see which were changed elsewhere."""
        ...

    async def seated(self, player: int, statuses: Sequence[Status]) -> list[RaceRow]:
        """The races in which a person sits, newest first."""
        ...

    async def due(self, now: int, limit: int) -> list[DeadlineRow]:
        """Deadlines the clock must look at, the oldest first."""
        ...

    async def next_wake(self) -> int | None:
        """When the clock must look next."""
        ...

    async def claim(self, old: DeadlineRow, new: DeadlineRow) -> bool:
        """Change a deadline's times; False when somebody else changed or removed it."""
        ...

    async def from_the_future(self, now: int) -> list[DeadlineRow]:
        """Deadlines that began after `now`: written when the computer's clock was wrong."""
        ...

    async def counts(self) -> dict[str, int]:
        """How many races there are of each status."""
        ...

    async def unannounced(self, since: int) -> list[tuple[str, int, int]]:
        """Races changed since then that were not told to the end: id, told up to (-1: not even the start), newest."""
        ...

    async def check(self) -> list[str]:
        """What is wrong with the database; empty when it is sound."""
        ...

    def scan(self, *kinds: type[Row], batch: int = 1000) -> AsyncIterator[list[Row]]:
        """Whole tables, all as they were at one moment, in pieces of one kind, in the order of their keys."""
        ...
