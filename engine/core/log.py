"""The race record: a header and numbered entries. The race *is* its record; a state is only a fold over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Generic, Literal

import msgspec

from engine.core.errors import BadInput, RecordError, Rejected
from engine.core.game import A, AnyGame, E, Entrant, Game, S, Setup, V_co
from engine.core.model import Action, Seat, Value, reveals_information, tag_of, visible
from engine.core.options import decode_options
from engine.core.registry import find_game
from engine.core.rng import SEED_BYTES, commitment

FORMAT = 1

Actor = Literal["driver", "order", "ai", "clock", "steward"]
"""Who moved: the driver himself, his standing order, an AI driver, the clock, or a steward."""


class Header(Value, frozen=True):
    """All that determines a race besides its actions. `seed` is missing until the race is over."""

    game: str
    rules_version: int
    track: str
    track_hash: str
    options: dict[str, Any]
    entrants: tuple[Entrant, ...]
    commitment: str
    seed: str | None = None
    host: Seat = Seat(0)
    format: int = FORMAT


class Entry(Value, Generic[A, E], frozen=True):
    """One numbered line of the record: an action, or an undo that names the entry to go back to."""

    number: int
    actor: Actor
    action: A | None = None
    undo_to: int | None = None
    by: Seat | None = None
    events: tuple[E, ...] = ()
    at: str = ""


@lru_cache(maxsize=16_384)
def _shared(value: Any) -> Any:
    """The same object for equal values: the same small actions come again and again, in all races."""
    return value


class Race(Generic[S, A, E, V_co]):
    """A running race: the record so far and the state it folds to. Never edited; acting gives a new one."""

    __slots__ = ("entries", "events", "game", "header", "history", "setup", "state")

    def __init__(
        self,
        game: Game[S, A, E, V_co],
        header: Header,
        setup: Setup[Any],
        entries: tuple[Entry[A, E], ...],
        history: tuple[tuple[int, S], ...],
        events: tuple[E, ...],
    ) -> None:
        self.game = game
        self.header = header
        self.setup = setup
        self.entries = entries
        # The states that an undo can still return to, each with the number of the entry that led to it (0: the
        # start). Cut off at every entry that revealed something.
        self.history = history
        self.state: S = history[-1][1]
        # The events of the start, which belong to no entry.
        self.events = events

    @property
    def number(self) -> int:
        """The number of the newest entry; 0 before the first."""
        return len(self.entries)

    def act(self, action: A, actor: Actor = "driver", at: str = "") -> Race[S, A, E, V_co]:
        """The race after one more action; raises `Rejected`."""
        state, events = self.game.apply(self.state, action)
        entry = Entry[A, E](self.number + 1, actor, _shared(action), events=tuple(events), at=at)
        kept = () if reveals_information(entry.events) else self.history
        return Race(
            self.game, self.header, self.setup, (*self.entries, entry), (*kept, (entry.number, state)), self.events
        )

    def undo(self, seat: Seat, actor: Actor = "driver", at: str = "", to: int | None = None) -> Race[S, A, E, V_co]:
        """Take back one's own last action (or all after entry `to`), unless something was revealed since."""
        target = self.history[-2][0] if to is None and len(self.history) > 1 else to
        if target is None:
            raise Rejected("undo/nothing")
        cut = next((i for i, (number, _) in enumerate(self.history) if number == target), None)
        if cut is None:
            raise Rejected("undo/revealed", to=target)
        for number, _ in self.history[cut + 1 :]:
            action = self.entries[number - 1].action
            if action is not None and action.seat != seat:
                raise Rejected("undo/other_seat", seat=action.seat)
        entry = Entry[A, E](self.number + 1, actor, undo_to=target, by=seat, at=at)
        return Race(self.game, self.header, self.setup, (*self.entries, entry), self.history[: cut + 1], self.events)

    def revealed(self) -> Header:
        """The header with the seed, to be published when the race is over."""
        return msgspec.structs.replace(self.header, seed=self.setup.seed.hex())


def start_race(game: Game[S, A, E, V_co], setup: Setup[Any]) -> Race[S, A, E, V_co]:
    """Open the record of a new race."""
    if len(setup.seed) != SEED_BYTES:
        raise BadInput("seed", "", f"a seed has {SEED_BYTES} bytes, this one {len(setup.seed)}")
    header = Header(
        game=game.meta.id,
        rules_version=game.meta.rules_version,
        track=setup.track,
        track_hash=game.track_hash(setup.track, setup.options),
        options=msgspec.to_builtins(setup.options),
        entrants=setup.entrants,
        commitment=commitment(setup.seed),
        host=setup.host,
    )
    state, events = game.new(setup)
    return Race(game, header, setup, (), ((0, state),), tuple(events))


def encode_record(race: Race[Any, Any, Any, Any], *, reveal: bool) -> bytes:
    """The whole record as JSON. Without `reveal` it lacks the seed, yet it still holds sealed actions: never hand it
    to a player, use `record_for`."""
    header = race.revealed() if reveal else race.header
    return msgspec.json.format(
        msgspec.json.encode({"header": header, "start": race.events, "entries": race.entries}), indent=1
    )


def record_for(race: Race[Any, Any, Any, Any], seat: Seat | None) -> list[Entry[Any, Any]]:
    """The entries as a seat (None: a spectator) may read them: sealed and private actions left out."""
    opened: dict[str, int] = {}
    for entry in race.entries:
        for event in entry.events:
            opened[tag_of(event)] = entry.number
    seen: list[Entry[Any, Any]] = []
    for entry in race.entries:
        action = entry.action
        if action is not None and not _may_read(action, entry.number, opened, seat):
            action = None
        seen.append(msgspec.structs.replace(entry, action=action, events=visible(entry.events, seat)))
    return seen


def _may_read(action: Action, number: int, opened: dict[str, int], seat: Seat | None) -> bool:
    secret = type(action).secret
    if not secret or action.seat == seat:
        return True
    return opened.get(secret, 0) >= number


# --- reading a record back ---------------------------------------------------------------------------------------


class _RawRecord(msgspec.Struct, forbid_unknown_fields=True):
    header: Header
    entries: list[msgspec.Raw]
    start: msgspec.Raw = msgspec.Raw(b"[]")


class Record(Generic[A, E]):
    """A record as read from a file, not yet replayed."""

    __slots__ = ("entries", "game", "header", "source", "start")

    def __init__(
        self, game: AnyGame, header: Header, start: tuple[E, ...], entries: tuple[Entry[A, E], ...], source: str
    ) -> None:
        self.game = game
        self.header = header
        self.start = start
        self.entries = entries
        self.source = source


def decode_record(data: bytes, source: str = "record") -> Record[Any, Any]:
    """Read a record; `RecordError` names the entry that cannot be read."""
    raw = _decode(data, _RawRecord, source, "")
    try:
        game = find_game(raw.header.game)
    except BadInput as error:
        raise RecordError(source, "header", str(error)) from None
    entry_type = Entry[game.types.action, game.types.event]  # type: ignore[name-defined]
    start = _decode(raw.start, tuple[game.types.event, ...], source, "start")  # type: ignore[name-defined]
    entries = tuple(_decode(item, entry_type, source, f"entry {i}") for i, item in enumerate(raw.entries, 1))
    return Record(game, raw.header, start, entries, source)


def _decode(data: bytes | msgspec.Raw, kind: Any, source: str, place: str) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(source, place, str(error)) from None


def setup_of(record: Record[Any, Any]) -> Setup[Any]:
    """The setup a finished record describes; needs the revealed seed."""
    header = record.header
    if header.seed is None:
        raise RecordError(record.source, "header.seed", "the seed is not revealed yet: the race is still running")
    try:
        seed = bytes.fromhex(header.seed)
        options = decode_options(record.game.meta, header.options)
    except (ValueError, BadInput) as error:
        raise RecordError(record.source, "header", str(error)) from None
    return Setup(header.track, options, header.entrants, seed, header.host)


def replay(record: Record[Any, Any]) -> Race[Any, Any, Any, Any]:
    """Drive the race again; `RecordError` names the first entry that does not come out as written."""
    race = None
    for race in replay_steps(record):  # noqa: B007 - the last one is wanted
        pass
    assert race is not None, "replay_steps yields the start at least"
    return race


def replay_steps(record: Record[Any, Any]) -> Iterator[Race[Any, Any, Any, Any]]:
    """The race at the start and after each entry, each checked against what the record says."""
    source, header, game = record.source, record.header, record.game
    setup = setup_of(record)
    if commitment(setup.seed) != header.commitment:
        raise RecordError(source, "header.commitment", "the seed is not the one that was promised before the race")
    if header.rules_version != game.meta.rules_version:
        reason = f"driven by rules version {header.rules_version}, this program has {game.meta.rules_version}"
        raise RecordError(source, "header.rules_version", reason)
    try:
        race = start_race(game, setup)
    except (Rejected, BadInput) as error:
        raise RecordError(source, "header", str(error)) from None
    if race.header.track_hash != header.track_hash:
        raise RecordError(source, "header.track_hash", f"the track {header.track} is not the one that was raced")
    _compare(record.start, race.events, source, "start")
    yield race
    for number, entry in enumerate(record.entries, 1):
        race = _repeat(race, entry, number, source)
        yield race


def _repeat(
    race: Race[Any, Any, Any, Any], entry: Entry[Any, Any], number: int, source: str
) -> Race[Any, Any, Any, Any]:
    place = f"entry {number}"
    if entry.number != number:
        raise RecordError(source, place, f"it carries the number {entry.number}: an entry is missing or out of order")
    try:
        if entry.action is not None:
            after = race.act(entry.action, entry.actor, entry.at)
        elif entry.undo_to is not None and entry.by is not None:
            after = race.undo(entry.by, entry.actor, entry.at, entry.undo_to)
        else:
            raise RecordError(source, place, "neither an action nor an undo")
    except Rejected as error:
        raise RecordError(source, place, f"the rules refuse it: {error}") from None
    _compare(entry.events, after.entries[-1].events, source, place)
    return after


def _compare(written: Sequence[Any], driven: Sequence[Any], source: str, place: str) -> None:
    for index, (old, new) in enumerate(zip(written, driven, strict=False)):
        if old != new:
            reason = f"event {index + 1} is written as {_brief(old)}, but the dice and rules give {_brief(new)}"
            raise RecordError(source, place, reason)
    if len(written) != len(driven):
        raise RecordError(source, place, f"{len(written)} events are written, the rules give {len(driven)}")


def _brief(event: Value) -> str:
    return msgspec.json.encode(event).decode()
