"""How much road is left: the dice a car needs from a space, in a gear, to the finish.

The measure is a shortest way over (space, gear): every step costs one die, every brake die one more, every automatic
hazard as much as the dice that show one hazard on average. That a turn has each gear die only once is left out; for
looking beyond the next turns it is good enough, and a whole circuit takes some milliseconds.
"""

from __future__ import annotations

from functools import lru_cache

from engine.core.model import SpaceId
from engine.gt.circuit import Circuit, Step
from engine.gt.material import STANDING, Gear

# An automatic hazard, in dice: most gear dice show a hazard on two faces of six.
HAZARD = 3.0
# A place no legal step leads on from without losing control: a turn beside the road and a new start.
STRANDED = 12.0

# Laps beyond this one look alike.
LAPS_APART = 2

Efforts = dict[tuple[SpaceId, Gear], float]


def effort(circuit: Circuit, top: Gear, brakes: int, space: SpaceId, gear: Gear, crossings_left: int) -> float:
    """The dice to the finish, which is the line crossed that many more times."""
    if crossings_left <= 0:
        return 0.0
    lap = min(crossings_left, LAPS_APART)
    more = crossings_left - lap
    here = (space, max(gear, STANDING))
    dice = efforts(circuit, top, brakes, lap)[here]
    if more:
        dice += more * (dice - efforts(circuit, top, brakes, lap - 1)[here])
    return dice


@lru_cache(maxsize=64)
def efforts(circuit: Circuit, top: Gear, brakes: int, crossings_left: int) -> Efforts:
    """The effort from every space in every gear; worked out backwards from the line."""
    beyond = efforts(circuit, top, brakes, crossings_left - 1) if crossings_left > 1 else None
    found: Efforts = {}
    for space in sorted(circuit.spaces, key=lambda space: -circuit.progress(space, 0)):
        steps = circuit.steps[space]
        for gear in range(top + 1):
            best = min(
                (
                    _cost(step, gear, new) + _after(step, new, found, beyond)
                    for step in steps
                    for new in _gears_from(gear, top, brakes)
                    if not 0 < step.limit < new
                ),
                default=None,
            )
            # Gear 0 comes first, and from a standstill there is always a way on.
            found[space, gear] = best if best is not None else STRANDED + found.get((space, STANDING), 0.0)
    return found


def _gears_from(gear: Gear, top: Gear, brakes: int) -> range:
    return range(1, 2) if gear == STANDING else range(max(1, gear - 1 - brakes), min(top, gear + 1) + 1)


def _cost(step: Step, gear: Gear, new: Gear) -> float:
    braking = max(0, gear - new - 1)
    return 1.0 + braking + HAZARD * (step.auto + (1 if step.danger == new else 0))


def _after(step: Step, gear: Gear, found: Efforts, beyond: Efforts | None) -> float:
    if not step.crosses:
        return found[step.to, gear]
    return beyond[step.to, gear] if beyond is not None else 0.0
