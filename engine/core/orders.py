"""Who answers when the driver does not: his standing orders first, then the decision's default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from engine.core.errors import Rejected
from engine.core.game import A, AnyGame, Decision, Game
from engine.core.log import Actor, Race
from engine.core.model import Seat, Value


class StandingOrder(Value, Generic[A], frozen=True):
    """Actions to try, in order, when the seat owes a decision of that kind."""

    seat: Seat
    kind: str
    actions: tuple[A, ...]


def answer(
    game: AnyGame, state: object, decision: Decision[A], orders: Sequence[StandingOrder[A]] = ()
) -> tuple[A, Actor]:
    """What is played for an absent driver, and who the log names for it."""
    legal = game.legal(state, decision.seat)
    for order in orders:
        if order.seat == decision.seat and order.kind == decision.kind:
            for action in order.actions:
                if action in legal:
                    return action, "order"
    return decision.default, "clock"


def run_clock_out(race: Race, seat: Seat, orders: Sequence[StandingOrder] = (), at: str = "") -> Race:  # type: ignore[type-arg]
    """Play orders and defaults until the seat's present deadline is met: all decisions with its clock's name."""
    game: Game = race.game  # type: ignore[type-arg]
    owed = next((d for d in game.decisions(race.state) if d.seat == seat), None)
    if owed is None:
        raise Rejected("clock/nothing_owed", seat=seat)
    clock = owed.clock
    while owed is not None and owed.clock == clock:
        action, actor = answer(game, race.state, owed, orders)
        race = race.act(action, actor, at)
        owed = next((d for d in game.decisions(race.state) if d.seat == seat), None)
    return race
