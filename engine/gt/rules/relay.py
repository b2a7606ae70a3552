"""Flat out failed: in which ways the rolled dice can be laid out again (GT-FLAT-4 to 7, GT-RUL-34 to 36).

The answer is a set of outcomes, space and gear; how the dice lie before that does not matter to anybody. The search
visits every situation (place, gear, dice left, hazards) once, so it stays small however many layouts there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.core.model import SpaceId, Value
from engine.gt.dice import COAST, FLYING_START, RED_ZONE, DiceSet
from engine.gt.material import OFF_ROAD, STANDING, Gear, loss_row
from engine.gt.rules.ahead import NEVER, automatic, gear_needed, table_for, too_fast
from engine.gt.rules.drive import flying_start
from engine.gt.state import PlanStep, RolledDie, State, laps, road


class Outcome(Value, frozen=True):
    """One way to lose control: where, how fast, at what price, and one layout that leads there."""

    space: SpaceId
    gear: Gear
    new_gear: Gear
    tokens: int
    steps: tuple[PlanStep, ...]
    # The hazards of the turn after each of these steps.
    hazards: tuple[int, ...]
    # Beyond the line on the last lap: the car has finished all the same (GT-RUL-9).
    finishes: bool = False


class Pool(NamedTuple):
    """The rolled dice not yet laid: gear dice as bits, the others counted without and with a hazard."""

    gears: int
    bad_gears: int
    coasts: int
    bad_coasts: int
    brakes: int
    bad_brakes: int
    boosts: int
    bad_boosts: int


class Situation(NamedTuple):
    """A layout so far, as far as it matters for what follows."""

    space: SpaceId
    gear: Gear
    hazards: int
    pool: Pool
    # Brake dice laid as red-zone dice: they count as gear dice too (GT-RED-2).
    red_zone: int


class Laid(NamedTuple):
    """One set of dice as it could be laid next."""

    dice: DiceSet
    gear: Gear
    hazards: int
    pool: Pool
    red_zone: int


@lru_cache(maxsize=64)
def outcomes(state: State) -> tuple[Outcome, ...]:
    """All outcomes the driver can choose from, the one the clock would take first."""
    turn = state.turn
    assert turn is not None
    car = state.cars[turn.seat]
    circuit, last_lap = road(state), laps(state)
    table = table_for(state, turn.seat)
    pool = pool_of(turn.rolled)
    # Gear dice that the turn allows beyond those rolled.
    spare_gear_dice = table.allowed.gear - pool.gears.bit_count()
    start = Situation(car.space, max(car.gear, STANDING), 0, pool, 0)
    came_from: dict[Situation, tuple[Situation, PlanStep] | None] = {start: None}
    needed: dict[tuple[SpaceId, SpaceId], Gear] = {}
    found: dict[tuple[SpaceId, Gear], Outcome] = {}
    queue = [(start, car.crossings)]
    for here, crossings in queue:
        first = here is start
        laid_sets = tuple(
            laid
            for laid in _lays(here, table.allowed.top, red_zone=table.red_zone)
            # GT-RED-2: the gear dice laid and the red-zone dice together stay within what the turn allows.
            if laid.red_zone <= spare_gear_dice + laid.pool.gears.bit_count()
        )
        if first and flying_start(state, turn):
            # GT-RUL-35: a flying start stays declared.
            laid_sets = (_flying(here.pool),)
        for step in circuit.steps[here.space]:
            joint = (here.space, step.to)
            if joint not in needed:
                needed[joint] = gear_needed(table, *joint)
            if needed[joint] == NEVER:
                continue
            crossed = crossings + step.crosses
            for laid in laid_sets:
                if laid.gear < needed[joint]:
                    continue
                auto = automatic(step, laid.gear)
                hazards = here.hazards + laid.hazards + auto
                over = too_fast(step, laid.gear)
                if over or hazards >= table.allowed.limit:
                    # GT-FLAT-6: control is lost at the first step where either happens.
                    if (step.to, laid.gear) not in found:
                        plan_step = PlanStep(step.to, laid.dice, laid.gear, auto, over, step.crosses, True)
                        path = [*_path(here, came_from), (plan_step, hazards)]
                        finishes = crossed > last_lap and not state.options.finish_in_control
                        found[step.to, laid.gear] = _outcome(state, path, finishes=finishes)
                    continue
                if crossed > last_lap:
                    continue  # GT-END-5: this layout would finish without losing control, which it must not.
                there = Situation(step.to, laid.gear, hazards, laid.pool, laid.red_zone)
                if there not in came_from:
                    plan_step = PlanStep(step.to, laid.dice, laid.gear, auto, over, step.crosses)
                    came_from[there] = (here, plan_step)
                    queue.append((there, crossed))
    return tuple(sorted(found.values(), key=lambda outcome: _preference(state, outcome)))


def pool_of(rolled: tuple[RolledDie, ...]) -> Pool:
    """The dice on the table, ready to be laid out."""
    gears = bad_gears = 0
    counts = {"coast": [0, 0], "brake": [0, 0], "boost": [0, 0]}
    for die in rolled:
        if die.die in counts:
            counts[die.die][die.hazard] += 1
        else:
            gears |= 1 << int(die.die)
            bad_gears |= die.hazard << int(die.die)
    return Pool(gears, bad_gears, *counts["coast"], *counts["brake"], *counts["boost"])


def _lays(here: Situation, top: Gear, *, red_zone: bool) -> Iterator[Laid]:
    """Every set that fits next, with every choice of hazardous and harmless dice (GT-RUL-34)."""
    gear, pool = here.gear, here.pool
    if gear == STANDING:
        if pool.gears >> 1 & 1:
            yield Laid(DiceSet("1"), 1, *_take_gear(pool, 1), here.red_zone)
        return
    for number in (gear + 1, gear, gear - 1):
        if number > 0 and pool.gears >> number & 1:
            yield Laid(DiceSet(str(number)), number, *_take_gear(pool, number), here.red_zone)
    if pool.coasts:
        yield Laid(COAST, gear, 0, pool._replace(coasts=pool.coasts - 1), here.red_zone)
    if pool.bad_coasts:
        yield Laid(COAST, gear, 1, pool._replace(bad_coasts=pool.bad_coasts - 1), here.red_zone)
    for number in range(gear - 2, 0, -1):
        if pool.gears >> number & 1:
            skipped = gear - number - 1
            hazards, rest = _take_gear(pool, number)
            for bad in range(max(0, skipped - pool.brakes), min(skipped, pool.bad_brakes) + 1):
                left = rest._replace(brakes=pool.brakes - (skipped - bad), bad_brakes=pool.bad_brakes - bad)
                yield Laid(DiceSet(f"{number}{'b' * skipped}"), number, hazards + bad, left, here.red_zone)
    if red_zone and gear == top:
        if pool.brakes:
            yield Laid(RED_ZONE, gear, 0, pool._replace(brakes=pool.brakes - 1), here.red_zone + 1)
        if pool.bad_brakes:
            yield Laid(RED_ZONE, gear, 1, pool._replace(bad_brakes=pool.bad_brakes - 1), here.red_zone + 1)
    if pool.gears >> (gear + 2) & 1 and pool.boosts + pool.bad_boosts:
        # There is one boost die at the most.
        hazards, rest = _take_gear(pool, gear + 2)
        rest = rest._replace(boosts=0, bad_boosts=0)
        yield Laid(DiceSet(f"{gear + 2}a"), gear + 2, hazards + pool.bad_boosts, rest, here.red_zone)


def _flying(pool: Pool) -> Laid:
    return Laid(FLYING_START, 2, *_take_gear(pool, 2), 0)


def _take_gear(pool: Pool, number: Gear) -> tuple[int, Pool]:
    bit = 1 << number
    hazard = 1 if pool.bad_gears & bit else 0
    return hazard, pool._replace(gears=pool.gears & ~bit, bad_gears=pool.bad_gears & ~bit)


def _path(here: Situation, came_from: dict[Situation, tuple[Situation, PlanStep] | None]) -> list[tuple[PlanStep, int]]:
    """The steps of a layout, each with the hazards of the turn after it."""
    path: list[tuple[PlanStep, int]] = []
    link = came_from[here]
    while link is not None:
        hazards = here.hazards
        here, step = link
        path.append((step, hazards))
        link = came_from[here]
    return path[::-1]


def _outcome(state: State, path: list[tuple[PlanStep, int]], *, finishes: bool) -> Outcome:
    steps, hazards = zip(*path, strict=True)
    last = steps[-1]
    row = loss_row(last.gear)
    tokens = 0 if finishes else row.tokens(road(state).spaces[last.space].level)
    return Outcome(last.space, last.gear, row.gear(), tokens, steps, hazards, finishes)


def _preference(state: State, outcome: Outcome) -> tuple[int, ...]:
    """What the clock takes: fewest tokens, then gear 0 before 00, then furthest ahead, then nearer the inside."""
    turn = state.turn
    assert turn is not None
    circuit = road(state)
    crossings = state.cars[turn.seat].crossings + sum(step.crosses for step in outcome.steps)
    return (
        outcome.tokens,
        1 if outcome.new_gear == OFF_ROAD else 0,
        -circuit.progress(outcome.space, crossings),
        circuit.spaces[outcome.space].inside_rank,
        outcome.gear,
    )
