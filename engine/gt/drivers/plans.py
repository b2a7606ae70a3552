"""Which plans there are: all ends a turn can have, each with one way to get there.

Plans that use the same dice, collect the same automatic hazards and end on the same space in the same gear are alike
to a flat-out roll, so only one of them is kept: the one that shifts up earliest, because stopping early then costs
least. That keeps the search small (about a thousand plans) without leaving an end out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.core.model import SpaceId
from engine.gt.dice import FLYING_START, DiceSet, Used, dice_table
from engine.gt.drivers.hazards import loss_chance
from engine.gt.material import STANDING, Gear
from engine.gt.rules.ahead import NEVER, Table, Tip, dice_left, gear_needed, lay, outlook

# One by one nobody gets much further than such a plan either.
TOO_RISKY = 0.75


class Leg(NamedTuple):
    """One step of a plan, as far as a driver weighs it."""

    space: SpaceId
    dice: DiceSet
    gear: Gear
    auto: int
    crossings: int


class Plan(NamedTuple):
    """A plan and what rolling all of it would mean."""

    legs: tuple[Leg, ...]
    # Dice with one and with two hazard faces.
    ones: int
    twos: int
    # Hazards that the line adds by itself, and those the turn has already seen.
    hazards: int
    # Focus tokens for rolling it flat out.
    focus: int
    # The chance of losing control flat out.
    risk: float
    # It begins with gear die 2 from a standstill (GT-FLY-1).
    flying: bool

    @property
    def end(self) -> Leg:
        """The last step."""
        return self.legs[-1]


class _Node(NamedTuple):
    space: SpaceId
    gear: Gear
    numbers: int
    gears: int
    coasts: int
    brakes: int
    boosts: int
    auto: int
    crossings: int
    ones: int
    twos: int
    focus: int
    # The gears of all steps added up.
    pace: int
    leg: Leg | None
    before: _Node | None


class _Way(NamedTuple):
    """A set of dice that may come next and what it uses up."""

    dice: DiceSet
    gear: Gear
    bit: int
    gears: int
    coasts: int
    brakes: int
    boosts: int
    ones: int
    twos: int
    focus: int


@lru_cache(maxsize=16_384)
def taken_apart(sets: tuple[DiceSet, ...], gear: Gear) -> tuple[_Way, ...]:
    """The sets that may come next in that gear, with what each uses up."""
    found = []
    for code in sets:
        dice = dice_table()[code]
        twos = dice.faces.count(2)
        found.append(
            _Way(
                dice=code,
                gear=dice.gear or gear,
                bit=1 << dice.gear if dice.gear else 0,
                gears=dice.gear_dice,
                coasts=dice.coast,
                brakes=dice.brake,
                boosts=dice.boost,
                ones=len(dice.faces) - twos,
                twos=twos,
                focus=dice.focus,
            )
        )
    return tuple(found)


def plans(table: Table, tip: Tip, too_risky: float = TOO_RISKY) -> tuple[Plan, ...]:
    """Every plan from there without a certain loss of control.

    Empty when there is none: then `forced_steps` are all that is left. Plans likelier than `too_risky` to fail flat out
    are left out, but not their first steps.
    """
    used, limit = tip.used, table.allowed.limit
    start = _Node(
        tip.space, tip.gear, used.numbers, used.gear, used.coast, used.brake, used.boost, tip.hazards, tip.crossings,
        0, 0, 0, 0, None, None,
    )  # fmt: skip
    needed: dict[tuple[SpaceId, SpaceId], Gear] = {}
    level = [start]
    found: list[_Node] = []
    flying = table.flying_start and not tip.moved
    while level:
        ahead: dict[tuple[object, ...], _Node] = {}
        for here in level:
            if here.crossings > table.laps:
                continue
            used_up = Used(here.numbers, here.gears, here.coasts, here.brakes, here.boosts)
            sets = dice_left(table, here.gear, used_up, flying=flying and here is start)
            ways = taken_apart(sets, here.gear)
            for step in table.circuit.steps[here.space]:
                joint = (here.space, step.to)
                if joint not in needed:
                    needed[joint] = gear_needed(table, *joint)
                lowest = needed[joint]
                if lowest == NEVER:
                    continue
                highest = step.limit or NEVER
                crossings = here.crossings + step.crosses
                for way in ways:
                    gear = way.gear
                    if not lowest <= gear <= highest:
                        continue
                    auto = step.auto + (1 if step.danger == gear else 0)
                    total = here.auto + auto
                    if total >= limit:
                        continue
                    ones, twos = here.ones + way.ones, here.twos + way.twos
                    if here.leg is not None and loss_chance(ones, twos, limit - total) > too_risky:
                        continue
                    numbers, brakes = here.numbers | way.bit, here.brakes + way.brakes
                    coasts, pace = here.coasts + way.coasts, here.pace + gear
                    key = (step.to, gear, numbers, coasts, brakes, total)
                    rival = ahead.get(key)
                    if rival is None or pace > rival.pace:
                        ahead[key] = _Node(
                            step.to, gear, numbers, here.gears + way.gears, coasts, brakes, here.boosts + way.boosts,
                            total, crossings, ones, twos, here.focus + way.focus, pace,
                            Leg(step.to, way.dice, gear, auto, crossings), here,
                        )  # fmt: skip
        level = list(ahead.values())
        found += level
    return tuple(_plan(node, limit, standing=tip.gear == STANDING and not tip.moved) for node in found)


def _plan(node: _Node, limit: int, *, standing: bool) -> Plan:
    legs: list[Leg] = []
    here: _Node | None = node
    while here is not None and here.leg is not None:
        legs.append(here.leg)
        here = here.before
    legs.reverse()
    flying = standing and legs[0].dice == FLYING_START
    return Plan(
        tuple(legs),
        node.ones,
        node.twos,
        node.auto,
        node.focus,
        loss_chance(node.ones, node.twos, limit - node.auto),
        flying,
    )


def forced_steps(table: Table, tip: Tip) -> tuple[Leg, ...]:
    """The single steps that are left when every one of them is a certain loss of control (GT-BLOCK-5)."""
    found: list[Leg] = []
    for candidate in outlook(table, tip).candidates:
        step = lay(candidate)
        found.append(Leg(step.space, step.dice, step.gear, step.auto, tip.crossings + step.crosses))
    return tuple(found)
