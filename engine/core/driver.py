"""Drivers that are not people: they see a view, never a state, and answer with one legal action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from engine.core.errors import BadInput
from engine.core.game import A_co, AnyGame
from engine.core.model import Action, Seat, Value
from engine.core.rng import Rng

V_contra = TypeVar("V_contra", bound=Value, contravariant=True)


class Driver(Protocol[V_contra, A_co]):
    """One way of driving. `choose` is a pure function: the same view, seat and chance give the same answer.

    The view must be the seat's own, and the seat must owe a decision. The answer is one of the actions that are legal
    for the seat in that view; who plays a whole turn asks again after each action. `rng` is the driver's own chance,
    never the race's; it comes back advanced by what was drawn from it.
    """

    @property
    def name(self) -> str: ...

    def choose(self, view: V_contra, seat: Seat, rng: Rng) -> tuple[A_co, Rng]: ...


AnyDriver = Driver[Any, Any]

_MODULES = {"gt": "engine.gt.drivers"}


@lru_cache(maxsize=None)
def drivers_of(game_id: str) -> Mapping[str, AnyDriver]:
    """The drivers of a game by name, the weakest first; empty for a game that has none yet."""
    if game_id not in _MODULES:
        return {}
    return cast(Mapping[str, AnyDriver], import_module(_MODULES[game_id]).DRIVERS)


def find_driver(game_id: str, name: str) -> AnyDriver:
    """The driver with that name; `BadInput` names the drivers there are."""
    drivers = drivers_of(game_id)
    if name not in drivers:
        raise BadInput("driver", repr(name), f"there is no such driver; choose one of: {', '.join(drivers)}")
    return drivers[name]


def ask(game: AnyGame, driver: AnyDriver, state: Any, seat: Seat, rng: Rng) -> tuple[Action, Rng]:
    """What the driver does now. He is shown no more than a player in his seat would be."""
    return driver.choose(game.view(state, seat), seat, rng)
