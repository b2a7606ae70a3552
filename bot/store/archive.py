"""One race with everything that belongs to it, as a JSON file for operators. It holds the seed: not for players."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bot.store.errors import StoreError
from bot.store.protocol import Store
from bot.store.rows import (
    AuditRow,
    DeadlineRow,
    DraftRow,
    EntryRow,
    OrderRow,
    RaceRow,
    ResultRow,
    Row,
    SeatRow,
    VoteRow,
)
from engine.core.errors import RecordError
from engine.core.model import Value

FORMAT = 1


class Archive(Value, frozen=True):
    """The rows of one race. Snapshots are left out: they can be made again."""

    race: RaceRow
    seats: tuple[SeatRow, ...] = ()
    entries: tuple[EntryRow, ...] = ()
    drafts: tuple[DraftRow, ...] = ()
    orders: tuple[OrderRow, ...] = ()
    deadlines: tuple[DeadlineRow, ...] = ()
    votes: tuple[VoteRow, ...] = ()
    results: tuple[ResultRow, ...] = ()
    audit: tuple[AuditRow, ...] = ()
    format: int = FORMAT


PARTS: dict[str, type[Row]] = {
    "seats": SeatRow,
    "entries": EntryRow,
    "drafts": DraftRow,
    "orders": OrderRow,
    "deadlines": DeadlineRow,
    "votes": VoteRow,
    "results": ResultRow,
    "audit": AuditRow,
}


async def read_archive(store: Store, race: str) -> Archive:
    """Everything about one race."""
    row = await store.get(RaceRow, race)
    if row is None:
        raise StoreError(f"there is no race {race}", "List the races with: python -m bot doctor --races.")
    parts = {name: tuple(await store.find(kind, race=race)) for name, kind in PARTS.items()}
    return Archive(row, **parts)  # type: ignore[arg-type]


async def write_archive(store: Store, archive: Archive) -> None:
    """Add a race that is not there yet; `StoreError` if it is."""
    if await store.get(RaceRow, archive.race.id) is not None:
        raise StoreError(f"race {archive.race.id} is already in the database", "Nothing was changed.")
    rows: list[Row] = [archive.race]
    for name in PARTS:
        rows += getattr(archive, name)
    await store.put(*rows)


def encode_archive(archive: Archive) -> bytes:
    """The archive as a file."""
    return msgspec.json.format(msgspec.json.encode(archive), indent=1)


def decode_archive(data: bytes, source: str) -> Archive:
    """Read an archive; `RecordError` says what is wrong with it."""
    try:
        archive = msgspec.json.decode(data, type=Archive)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(source, "", str(error)) from None
    if archive.format != FORMAT:
        raise RecordError(source, "format", f"this program reads format {FORMAT}, not {archive.format}")
    return archive


def whole_part(row: RaceRow, entries: Iterable[EntryRow]) -> tuple[RaceRow, tuple[EntryRow, ...]]:
    """The race up to the first missing entry. A race that lost entries comes back paused, for a steward to look at."""
    kept: list[EntryRow] = []
    for entry in sorted(entries, key=lambda entry: entry.number):
        if entry.number != len(kept) + 1:
            break
        kept.append(entry)
    if len(kept) == row.number:
        return row, tuple(kept)
    lost = f"{row.number - len(kept)} of {row.number} entries were lost with a damaged database"
    status = "paused" if row.status == "racing" else row.status
    return msgspec.structs.replace(row, number=len(kept), status=status, reason=lost), tuple(kept)
