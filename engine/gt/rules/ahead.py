"""What lies ahead of a car: moving, corners, overtaking, flags, being blocked (rulebook: planning the line).

Everything here reads the table and changes nothing. `Outlook` is the heart: which steps may come next from the end of
the plan, which of them are safe from a certain loss of control, and whether other cars block the driver.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.core.model import Seat, SpaceId
from engine.gt.circuit import Circuit, Step
from engine.gt.dice import NOTHING_USED, DiceSet, Used, dice_table, sets_for
from engine.gt.material import STANDING, Allowance, Gear
from engine.gt.state import PlanStep, State, allowance_of, laps, road

# More than any gear: the space cannot be entered at all.
NEVER: Gear = 99

Traffic = dict[SpaceId, Gear]
"""The other cars on the road: space and gear. Those beside it, in the pits or finished do not count (GT-OVER-5)."""


class Tip(NamedTuple):
    """The end of the plan: where the car would be, in which gear, with which dice gone."""

    space: SpaceId
    gear: Gear
    hazards: int
    used: Used
    moved: bool
    crossings: int
    # Nothing may follow: a certain loss of control, or the finish (GT-END-5).
    closed: bool


class Candidate(NamedTuple):
    """One step that could come next."""

    step: Step
    dice: DiceSet
    gear: Gear
    sure_loss: bool


class Table(NamedTuple):
    """All that a driver's steps depend on, gathered once per question."""

    circuit: Circuit
    traffic: Traffic
    flagged: frozenset[int]
    allowed: Allowance
    laps: int
    red_zone: bool
    flying_start: bool
    deliberate: bool


class Outlook(NamedTuple):
    """What the rules say at the end of the plan."""

    candidates: tuple[Candidate, ...]
    # Other cars leave no way on (GT-BLOCK-4, GT-BLOCK-6).
    blocked: bool
    # No die fits any more, whatever the other cars do.
    no_dice: bool


def table_for(state: State, seat: Seat) -> Table:
    """The table as the driver of that seat finds it."""
    circuit = road(state)
    options = state.options
    traffic: Traffic = {}
    flags: set[int] = set()
    if len(state.cars) > 1:
        for other, car in enumerate(state.cars):
            if car.flags:
                flags.update(car.flags)
            if other != seat and car.where == "road":
                traffic[car.space] = car.gear
    return Table(
        circuit,
        traffic,
        flag_zone(circuit, flags),
        allowance_of(state, state.cars[seat]),
        laps(state),
        options.red_zone,
        options.flying_start,
        options.deliberate_loc,
    )


NO_FLAGS: frozenset[int] = frozenset()


def flag_zone(circuit: Circuit, flags: set[int]) -> frozenset[int]:
    """The tiles under yellow: each flag's tile and its neighbours, round the start tile too (GT-FLAG-1, GT-RUL-18)."""
    if not flags:
        return NO_FLAGS
    count = len(circuit.tiles)
    return frozenset((tile + offset) % count for tile in flags for offset in (-1, 0, 1))


def tip_of(state: State) -> Tip:
    """The end of the running plan."""
    turn = state.turn
    assert turn is not None
    car = state.cars[turn.seat]
    last_lap = laps(state)
    tip = Tip(car.space, max(car.gear, STANDING), turn.hazards, NOTHING_USED, turn.driven > 0, car.crossings, False)
    if not turn.steps:
        return tip
    space, gear, hazards, _, moved, crossings, closed = tip
    sets = dice_table()
    numbers = gears = coasts = brakes = boosts = 0
    for index, step in enumerate(turn.steps):
        dice = sets[step.dice]
        numbers |= 1 << dice.gear if dice.gear else 0
        gears += dice.gear_dice
        coasts += dice.coast
        brakes += dice.brake
        boosts += dice.boost
        if index >= turn.driven:
            space, gear, hazards, moved = step.space, step.gear, hazards + step.auto, True
            closed = step.sure_loss or crossings > last_lap
            if step.crosses:
                crossings += 1
                closed = closed or crossings > last_lap
    return Tip(space, gear, hazards, Used(numbers, gears, coasts, brakes, boosts), moved, crossings, closed)


def gear_needed(table: Table, here: SpaceId, there: SpaceId) -> Gear:
    """The lowest gear in which the space may be entered past other cars; `NEVER` if it may not.

    GT-MOVE-1: one car a space. GT-OVER-2: at least the gear of every car beside it. GT-FLAG-2 and 3: under yellow not
    beside a car at all, unless that one stands in gear 0. GT-OVER-4, GT-FLAG-4: cars that the mover is already beside
    do not count.
    """
    traffic = table.traffic
    if not traffic:
        return STANDING
    if there in traffic:
        return NEVER
    circuit = table.circuit
    beside = circuit.beside[there]
    already = circuit.beside[here]
    needed = STANDING
    for space, gear in traffic.items():
        if space in beside and space not in already:
            # GT-RUL-19: what counts is the tile of the space entered.
            if gear > STANDING and circuit.spaces[there].tile in table.flagged:
                return NEVER
            needed = max(needed, gear)
    return needed


def dice_ahead(table: Table, tip: Tip) -> tuple[DiceSet, ...]:
    """The sets of dice that could make the next step."""
    return dice_left(table, tip.gear, tip.used, flying=table.flying_start and not tip.moved)


def dice_left(table: Table, gear: Gear, used: Used, *, flying: bool) -> tuple[DiceSet, ...]:
    """The sets of dice that could come next in that gear, after those used."""
    allowed = table.allowed
    return sets_for(
        gear,
        used.numbers,
        allowed.gear - used.gear,
        allowed.coast - used.coast,
        allowed.brake - used.brake,
        allowed.boost - used.boost,
        allowed.top,
        red_zone=table.red_zone,
        flying=flying,
    )


def automatic(step: Step, gear: Gear) -> int:
    """Hazards by itself: "!" lines (GT-SHARP-4), a dangerous corner taken exactly at its limit (GT-DANGER-1)."""
    return step.auto + (1 if step.danger == gear else 0)


def too_fast(step: Step, gear: Gear) -> bool:
    """The gear is above the limit that binds on this step (GT-CORNER-2, GT-SHARP-2, GT-SHARP-3)."""
    return 0 < step.limit < gear


def candidates_on(table: Table, tip: Tip, step: Step, dice: tuple[DiceSet, ...]) -> list[Candidate]:
    """The ways to make one particular step, certain losses of control included."""
    needed = gear_needed(table, tip.space, step.to)
    if needed == NEVER:
        return []
    sets = dice_table()
    found: list[Candidate] = []
    room = table.allowed.limit - tip.hazards
    for code in dice:
        # GT-OVER-3: a coast or red-zone die keeps the gear.
        gear = sets[code].gear or tip.gear
        if gear >= needed:
            loses = 0 < step.limit < gear or step.auto + (1 if step.danger == gear else 0) >= room
            found.append(Candidate(step, code, gear, loses))
    return found


def outlook(table: Table, tip: Tip) -> Outlook:
    """Which steps may come next, and whether the driver is blocked."""
    if tip.closed:
        return Outlook((), False, False)
    dice = dice_ahead(table, tip)
    found = [c for step in table.circuit.steps[tip.space] for c in candidates_on(table, tip, step, dice)]
    safe = any(not c.sure_loss for c in found)
    if not safe and table.traffic:
        alone = outlook(table._replace(traffic={}, deliberate=True), tip)
        safe_alone = any(not c.sure_loss for c in alone.candidates)
        # GT-BLOCK-4: a way on that other cars have closed. GT-BLOCK-6: no way on at all because of them.
        if safe_alone or (not found and alone.candidates):
            return Outlook((), True, False)
    # GT-BLOCK-5: who has not moved and cannot avoid it must choose a certain loss; otherwise it takes the option.
    forced = not safe and not tip.moved
    if not (table.deliberate or forced):
        found = [c for c in found if not c.sure_loss]
    return Outlook(tuple(found), False, not dice)


@lru_cache(maxsize=8192)
def lay(candidate: Candidate) -> PlanStep:
    """A candidate as a step of the plan; the same object again for the same step, so records stay small."""
    step, gear = candidate.step, candidate.gear
    return PlanStep(
        step.to, candidate.dice, gear, automatic(step, gear), too_fast(step, gear), step.crosses, candidate.sure_loss
    )
