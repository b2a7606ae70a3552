"""Drivers that are not people: they see a view, never a state, and answer with one legal action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from engine.core.game import A_co
from engine.core.model import Seat, Value

V_contra = TypeVar("V_contra", bound=Value, contravariant=True)


class Driver(Protocol[V_contra, A_co]):
    """One way of driving. `choose` is a pure function: the same view and seat give the same answer.

    The view must be the seat's own, and the seat must owe a decision. The answer is one of the actions that are legal
    for the seat in that view; who plays a whole turn asks again after each action.
    """

    @property
    def name(self) -> str: ...

    def choose(self, view: V_contra, seat: Seat) -> A_co: ...


AnyDriver = Driver[Any, Any]

_MODULES = {"gt": "engine.gt.drivers"}


@cache
def drivers_of(game_id: str) -> Mapping[str, AnyDriver]:
    """The drivers of a game by name, the weakest first; empty for a game that has none yet."""
    if game_id not in _MODULES:
        return {}
    return cast("Mapping[str, AnyDriver]", import_module(_MODULES[game_id]).DRIVERS)
