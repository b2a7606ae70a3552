"""The rows of the database: one class per table, fields in the order of its columns.

Times are whole milliseconds since 1970 (UTC). Ids of people, servers, channels and interactions are Discord's. Longer
values (options, actions, events) are JSON texts; their classes belong to the games.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeVar

import msgspec

from engine.core.log import Actor
from engine.core.model import Value

Status = Literal["open", "racing", "paused", "held", "finished", "cancelled"]
"""`open`: people join. `held`: rules or track changed under it, so race control stopped it until a steward decides."""

GOING: tuple[Status, ...] = ("open", "racing", "paused", "held")


class Row(Value, frozen=True):
    """A line of a table."""

    table: ClassVar[str]
    key: ClassVar[tuple[str, ...]]


R = TypeVar("R", bound=Row)


class GuildRow(Row, frozen=True):
    """A server's settings; `settings` holds those that only the front knows."""

    table: ClassVar[str] = "guilds"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: int
    locale: str = "en"
    zone: str = "UTC"
    settings: str = "{}"


class PersonRow(Row, frozen=True):
    """A user: language, time zone, and quiet hours in minutes after local midnight."""

    table: ClassVar[str] = "people"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: int
    name: str
    locale: str = "en"
    zone: str = "UTC"
    quiet_from: int | None = None
    quiet_to: int | None = None


class RaceRow(Row, frozen=True):
    """A race. `version` counts all writes, `number` the entries; `header` is empty until the start.

    `seed` leaves the database only when the race is over.
    """

    table: ClassVar[str] = "races"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    game: str
    status: Status
    host: int
    track: str
    options: str
    clock: str
    created: int
    changed: int
    version: int = 0
    number: int = 0
    header: str = ""
    seed: bytes | None = None
    guild: int | None = None
    channel: int | None = None
    message: int | None = None
    reason: str = ""
    interaction: int | None = None


class SeatRow(Row, frozen=True):
    """Who sits where. `driver` is "human" or an AI driver's name; `stand_in` drives for an absent person."""

    table: ClassVar[str] = "seats"
    key: ClassVar[tuple[str, ...]] = ("race", "seat")

    race: str
    seat: int
    name: str
    player: int | None = None
    driver: str = "human"
    stand_in: str = ""
    colour: str = ""
    car: str = ""
    # Deadlines missed in a row.
    misses: int = 0
    # 1: the driver has given up, the car retires as soon as the rules let it.
    resigned: int = 0


class EntryRow(Row, frozen=True):
    """One entry of the record, with why it was written, by whom and for which interaction."""

    table: ClassVar[str] = "entries"
    key: ClassVar[tuple[str, ...]] = ("race", "number")

    race: str
    number: int
    actor: Actor
    cause: str
    at: int
    events: str
    action: str | None = None
    undo_to: int | None = None
    seat: int | None = None
    player: int | None = None
    interaction: int | None = None


class SnapshotRow(Row, frozen=True):
    """A cache of the state after entry `number`; the record is the truth."""

    table: ClassVar[str] = "snapshots"
    key: ClassVar[tuple[str, ...]] = ("race",)

    race: str
    number: int
    body: bytes


class DraftRow(Row, frozen=True):
    """A private plan: actions that its driver has not sent yet, made after entry `number`."""

    table: ClassVar[str] = "drafts"
    key: ClassVar[tuple[str, ...]] = ("race", "seat")

    race: str
    seat: int
    number: int
    actions: str
    at: int


class OrderRow(Row, frozen=True):
    """A standing order: actions to try when the seat owes a decision of that kind and its time is up."""

    table: ClassVar[str] = "orders"
    key: ClassVar[tuple[str, ...]] = ("race", "seat", "kind")

    race: str
    seat: int
    kind: str
    actions: str


class DeadlineRow(Row, frozen=True):
    """Until when a seat owes its answer. `wakes`: when the clock must look next (a reminder, or `due`)."""

    table: ClassVar[str] = "deadlines"
    key: ClassVar[tuple[str, ...]] = ("race", "seat")

    race: str
    seat: int
    kind: Literal["driver", "ai"]
    clock: str
    since: int
    due: int
    # None while the race is paused.
    wakes: int | None
    # How much time it was given, and how much of it was left when the race was paused.
    allowed: int
    remaining: int | None = None


class VoteRow(Row, frozen=True):
    """One driver's vote to replace another."""

    table: ClassVar[str] = "votes"
    key: ClassVar[tuple[str, ...]] = ("race", "seat", "voter")

    race: str
    seat: int
    voter: int


class AnnouncedRow(Row, frozen=True):
    """Up to which entry a race was told; what is missing after a crash is told at the next start."""

    table: ClassVar[str] = "announced"
    key: ClassVar[tuple[str, ...]] = ("race",)

    race: str
    number: int


class ResultRow(Row, frozen=True):
    """One line of a finished race's classification."""

    table: ClassVar[str] = "results"
    key: ClassVar[tuple[str, ...]] = ("race", "seat")

    race: str
    seat: int
    game: str
    track: str
    driver: str
    place: int
    status: str
    score: int
    way: str
    at: int
    player: int | None = None
    guild: int | None = None


class ChallengeRow(Row, frozen=True):
    """A solo challenge: the same circuit, options and dice for everyone. `seed` stays hidden until it closes."""

    table: ClassVar[str] = "challenges"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    game: str
    track: str
    options: str
    opens: int
    closes: int
    seed: bytes
    title: str = ""
    par: int | None = None


class ChallengeRunRow(Row, frozen=True):
    """One run at a challenge; its race is the proof."""

    table: ClassVar[str] = "challenge_runs"
    key: ClassVar[tuple[str, ...]] = ("race",)

    race: str
    challenge: str
    player: int
    started: int
    score: int | None = None
    guild: int | None = None


class RatingRow(Row, frozen=True):
    """A person's strength at a game, as a mean and its uncertainty."""

    table: ClassVar[str] = "ratings"
    key: ClassVar[tuple[str, ...]] = ("player", "game")

    player: int
    game: str
    mu: float
    sigma: float
    races: int
    changed: int


class CircuitRow(Row, frozen=True):
    """A circuit made by a user: its code is all there is to it."""

    table: ClassVar[str] = "circuits"
    key: ClassVar[tuple[str, ...]] = ("game", "name")

    game: str
    name: str
    code: str
    player: int
    created: int
    guild: int | None = None


class AuditRow(Row, frozen=True):
    """What happened around a race besides its entries: steward actions, seats handed over, missed deadlines."""

    table: ClassVar[str] = "audit"
    key: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    at: int
    action: str
    cause: str
    race: str | None = None
    seat: int | None = None
    player: int | None = None
    guild: int | None = None
    details: str = "{}"


class MarkRow(Row, frozen=True):
    """A small fact about the whole installation, such as when the clock was last alive."""

    table: ClassVar[str] = "marks"
    key: ClassVar[tuple[str, ...]] = ("name",)

    name: str
    value: int


# In an order in which they can be filled: a row never points to a later table.
KINDS: tuple[type[Row], ...] = (
    GuildRow,
    PersonRow,
    RaceRow,
    SeatRow,
    EntryRow,
    SnapshotRow,
    DraftRow,
    OrderRow,
    DeadlineRow,
    VoteRow,
    AnnouncedRow,
    ResultRow,
    ChallengeRow,
    ChallengeRunRow,
    RatingRow,
    CircuitRow,
    AuditRow,
    MarkRow,
)


class Commit(Value, frozen=True):
    """One change of one race, written whole or not at all. `version` is the one it was made for.

    A row may be named once only: whatever is put is not dropped too.
    """

    race: str
    version: int
    entries: tuple[EntryRow, ...] = ()
    # The race's own row after the change, where more changes than its counters.
    row: RaceRow | None = None
    put: tuple[Row, ...] = ()
    drop: tuple[Row, ...] = ()

    @property
    def after(self) -> int:
        """The race's version after it: one more per entry, one more if there is none."""
        return self.version + max(1, len(self.entries))


def columns(kind: type[Row]) -> tuple[str, ...]:
    """The columns of a table, in order."""
    return kind.__struct_fields__


def values(row: Row) -> tuple[object, ...]:
    """A row as the database takes it."""
    return msgspec.structs.astuple(row)


def key_of(row: Row) -> tuple[object, ...]:
    """What identifies the row in its table."""
    return tuple(getattr(row, name) for name in row.key)
