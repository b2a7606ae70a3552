"""What a position is worth to a driver, as a cost: turns in company, seconds of the sheet alone. Less is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from engine.core.model import Seat, SpaceId
from engine.gt.circuit import Circuit, Space
from engine.gt.drivers.effort import effort
from engine.gt.drivers.plans import Leg
from engine.gt.material import NO_TOKENS, OFF_ROAD, STANDING, Allowance, Gear, loss_row, solo_seconds
from engine.gt.meta import Tyre
from engine.gt.rules.pits import PIT_GEAR, fitting_tyres
from engine.gt.state import Car, Lane, State, allowance_of, laps, pit_stops, road, solo

# Steps that a turn brings on average, by hazard limit. Found by racing the drivers against each other.
STEPS_A_TURN = {1: 2.0, 2: 4.0, 3: 6.5, 4: 8.0}
# All dice of a sound GT6 car: gear and coast dice, and brake dice at half their worth.
FULL_HAND = 9.5
# The share of his remaining way that one damage token costs a driver on average.
TOKEN = 0.03
# Seconds that a turn alone costs, focus taken off, losses of control among them.
SOLO_TURN = 22.0
# What a focus token saves in company, in turns, as long as few are at hand, and how many are a comfortable store.
FOCUS = 0.02
FOCUS_STORE = 12


class PitLane(NamedTuple):
    """What a stop in one lane of the pits would bring."""

    name: Lane
    allowed: Allowance
    # Turns that pass before the car drives again.
    delay: int


class Rules(NamedTuple):
    """What of race and car decides the worth of a position; the same for many positions."""

    circuit: Circuit
    allowed: Allowance
    laps: int
    alone: bool
    seconds_00: int
    finish_in_control: bool
    lanes: tuple[PitLane, ...] = ()


def rules_for(state: State, seat: Seat) -> Rules:
    """The rules as that driver finds them."""
    return Rules(
        road(state),
        allowance_of(state, state.cars[seat]),
        laps(state),
        solo(state),
        state.options.solo_00,
        state.options.finish_in_control,
        tuple(_lanes(state, seat)) if pit_stops(state) else (),
    )


def _lanes(state: State, seat: Seat) -> Iterator[PitLane]:
    car = state.cars[seat]
    fitting = fitting_tyres(state.weather)
    # In the lane for tyres they have to change.
    other = fitting if fitting != car.tyres else "rain" if car.tyres == "asphalt" else "asphalt"
    repaired = msgspec.structs.replace(car, tokens=NO_TOKENS)
    yield PitLane("tyres", allowance_of(state, _on_new_tyres(car, other)), 0)
    yield PitLane("repairs", allowance_of(state, repaired), 1)
    yield PitLane("repairs and tyres", allowance_of(state, _on_new_tyres(repaired, fitting)), 1)


def _on_new_tyres(car: Car, tyres: Tyre) -> Car:
    return car if car.tyres == tyres else msgspec.structs.replace(car, tyres=tyres, tyre_turns=0)


Rest = Callable[[Rules, SpaceId, Gear, int], float]
"""The cost from a position at the end of a turn to the finish: rules, space, gear, crossings."""


def pace(allowed: Allowance) -> float:
    """Steps a turn brings with these dice."""
    hand = allowed.gear + allowed.coast + allowed.brake / 2
    return STEPS_A_TURN[min(max(allowed.limit, 1), 4)] * (0.4 + 0.6 * min(1.0, hand / FULL_HAND))


@lru_cache(maxsize=262_144)
def far_rest(rules: Rules, space: SpaceId, gear: Gear, crossings: int) -> float:
    """A first guess from the way that is left."""
    left = rules.laps + 1 - crossings
    if left <= 0:
        return 0.0
    dice = effort(rules.circuit, rules.allowed.top, rules.allowed.brake, space, gear, left)
    stay = dice / pace(rules.allowed) * (SOLO_TURN if rules.alone else 1.0)
    if gear != PIT_GEAR or not rules.lanes or not _pits_beside(rules.circuit.spaces[space]):
        return stay
    return min(stay, *(lane_cost(rules, lane, space, crossings, far_rest) for lane in rules.lanes))


def _pits_beside(space: Space) -> bool:
    return bool(space.edge) and not space.corner


def lane_cost(rules: Rules, lane: PitLane, space: SpaceId, crossings: int, rest: Rest) -> float:
    """The cost to the finish by way of the pits."""
    after = rest(rules._replace(allowed=lane.allowed, lanes=()), space, STANDING, crossings)
    return after + lane.delay * turn_cost(rules, STANDING)


def turn_cost(rules: Rules, gear: Gear) -> float:
    """What a turn costs that ends in that gear."""
    return float(solo_seconds(gear, rules.seconds_00)) if rules.alone else 1.0


def stop_cost(rules: Rules, leg: Leg, rest: Rest) -> float:
    """End the turn after this step."""
    return turn_cost(rules, leg.gear) + rest(rules, leg.space, leg.gear, leg.crossings)


def loss_cost(rules: Rules, leg: Leg, rest: Rest) -> float:
    """Lose control on this step."""
    row = loss_row(leg.gear)
    new_gear = row.gear()
    cost = turn_cost(rules, new_gear)
    if new_gear == OFF_ROAD:
        # The turn in which the car only comes back onto the road.
        cost += turn_cost(rules, STANDING)
    if leg.crossings > rules.laps and not rules.finish_in_control:
        return cost if rules.alone else 1.0
    after = rest(rules, leg.space, STANDING, leg.crossings)
    return cost + after * (1 + TOKEN * row.tokens(rules.circuit.spaces[leg.space].level))


def focus_worth(rules: Rules, focus: int, turns_left: float) -> float:
    """What one more focus token saves."""
    if rules.alone:
        return 1.0
    need = max(0.0, 1 - focus / (2 * FOCUS_STORE))
    return FOCUS * need * min(1.0, turns_left / 4)
