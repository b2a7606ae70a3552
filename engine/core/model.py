"""The kinds of values a race is made of.

Everything that is stored derives from `Value`: frozen, hashable, refusing unknown fields when decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NewType, TypeVar

import msgspec

Seat = NewType("Seat", int)
"""A driver's place at the table, counted from 0."""

SpaceId = NewType("SpaceId", str)
"""The address of one space of a track."""


def snake(name: str) -> str:
    """`DiceRolled` -> `dice_rolled`: the tag under which a class is stored."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Value(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    # Values are trees: they never point back, so the cycle collector need not look at them.
    gc=False,
):
    """A frozen value without identity."""


class Action(Value, frozen=True, gc=False, tag_field="do", tag=snake):
    """What a driver asks for. Imperative: `Roll`, `ChooseSpace`."""

    seat: Seat

    # Who may read this action in the log: "" everyone, "never" only its seat, or the tag of the event that opens it
    # to everyone (sealed answers).
    secret: ClassVar[str] = ""


class Event(Value, frozen=True, gc=False, kw_only=True, tag_field="event", tag=snake):
    """What happened. Past tense and complete: `DiceRolled`, `CarMoved`."""

    seen_by: tuple[Seat, ...] | None = None
    """The seats that may see it; None means everyone."""

    # True when it brings information that nobody could have known before; no undo goes past it.
    reveals: ClassVar[bool] = False


EventT = TypeVar("EventT", bound=Event)


@lru_cache(maxsize=64)
def only(seat: Seat) -> tuple[Seat, ...]:
    """`seen_by` for an event that one driver alone may see."""
    return (seat,)


def visible(events: Iterable[EventT], seat: Seat | None) -> tuple[EventT, ...]:
    """The events that `seat` (None: a spectator) may see."""
    return tuple(e for e in events if e.seen_by is None or (seat is not None and seat in e.seen_by))


def tag_of(value: Value) -> str:
    """The tag under which a tagged value is stored."""
    tag = value.__struct_config__.tag
    assert isinstance(tag, str), f"{type(value).__name__} is not a tagged value"
    return tag


def reveals_information(events: Sequence[Event]) -> bool:
    """True when one of the events brought something nobody could have known before."""
    return any(e.reveals for e in events)


def canonical_json(value: Any) -> bytes:
    """The one byte string that stands for a value wherever it is hashed."""
    return msgspec.json.encode(value, order="deterministic")
