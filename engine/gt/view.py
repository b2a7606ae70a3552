"""What a driver, or a spectator, may know.

A GT race hides little: the plan until it is fixed, sealed tyres, the seed and the order of the bag. A view is a state
with those taken out, so all planning help works on views as well as on states.
"""

from __future__ import annotations

import msgspec

from engine.core.model import Seat
from engine.core.rng import Rng
from engine.gt.state import PLANNING, State, Turn

View = State

NO_SEED = Rng(b"")


def view(state: State, seat: Seat | None) -> View:
    """The race as that seat may see it."""
    sealed = tuple(tyre if at == seat else None for at, tyre in enumerate(state.sealed_tyres))
    return msgspec.structs.replace(state, rng=NO_SEED, sealed_tyres=sealed, turn=_visible_turn(state.turn, seat))


def _visible_turn(turn: Turn | None, seat: Seat | None) -> Turn | None:
    """Others see that the driver plans, not what he lays."""
    if turn is None or turn.seat == seat or turn.phase not in PLANNING:
        return turn
    return msgspec.structs.replace(turn, phase="space", steps=turn.steps[: turn.driven], aim=None)
