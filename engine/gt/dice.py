"""The sets of dice that make one step, and what their faces show (rulebook: dice).

A set is written as in the drivers' own notation: `4` gear die 4, `c` coast die, `2bb` gear die 2 with two brake
dice, `5a` gear die 5 with the boost die, `b` a brake die alone (red zone).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NewType

from engine.core.model import Value
from engine.gt.material import STANDING, Gear, material

DiceSet = NewType("DiceSet", str)

COAST = DiceSet("c")
RED_ZONE = DiceSet("b")
FLYING_START = DiceSet("2")


class Dice(Value, frozen=True):
    """One set taken apart: the number of its gear die (0: none) and how many dice of each other kind."""

    gear: Gear
    coast: int
    brake: int
    boost: int
    # Names of the single dice, gear die first: "4", "coast", "brake", "boost".
    names: tuple[str, ...]
    # Hazard faces of six, die by die.
    faces: tuple[int, ...]
    # GT-FOCUS-1: gear and coast dice earn focus; brake, boost and red-zone dice do not.
    focus: int
    # How many of the turn's gear dice it uses up (GT-RED-2: a red-zone die counts as one).
    gear_dice: int


def _dice(gear: Gear, coast: int, brake: int, boost: int) -> Dice:
    names = (*([str(gear)] if gear else []), *["coast"] * coast, *["brake"] * brake, *["boost"] * boost)
    faces = tuple(material().hazard_faces[name] for name in names)
    red_zone = 1 if not gear and brake else 0
    return Dice(gear, coast, brake, boost, names, faces, (1 if gear else 0) + coast, (1 if gear else 0) + red_zone)


@lru_cache(maxsize=1)
def dice_table() -> dict[DiceSet, Dice]:
    """Every set there is."""
    table = {COAST: _dice(0, 1, 0, 0), RED_ZONE: _dice(0, 0, 1, 0)}
    for gear in range(1, 7):
        for brakes in range(5):
            table[DiceSet(f"{gear}{'b' * brakes}")] = _dice(gear, 0, brakes, 0)
        table[DiceSet(f"{gear}a")] = _dice(gear, 0, 0, 1)
    return table


class Used(Value, frozen=True):
    """The dice a turn has used up: a bit per gear die number, and counts."""

    numbers: int = 0
    gear: int = 0
    coast: int = 0
    brake: int = 0
    boost: int = 0

    def plus(self, dice: Dice) -> Used:
        """With one more set laid."""
        return Used(
            self.numbers | (1 << dice.gear if dice.gear else 0),
            self.gear + dice.gear_dice,
            self.coast + dice.coast,
            self.brake + dice.brake,
            self.boost + dice.boost,
        )


NOTHING_USED = Used()


@lru_cache(maxsize=65536)
def sets_for(
    gear: Gear,
    numbers: int,
    gears: int,
    coasts: int,
    brakes: int,
    boosts: int,
    top: Gear,
    *,
    red_zone: bool,
    flying: bool,
) -> tuple[DiceSet, ...]:
    """The sets that may come next, in the order in which they are offered.

    `numbers` are the gear dice gone, the counts what is left of each kind; `flying` allows gear die 2 from standing.
    """
    sets: list[str] = []

    def free(number: Gear) -> bool:
        return gears > 0 and 1 <= number <= top and not numbers >> number & 1

    if gear == STANDING:
        # GT-GEAR-2, GT-COAST-2: from a standstill only gear die 1, or 2 with a flying start (GT-FLY-1).
        sets += ["1"] if free(1) else []
        sets += ["2"] if flying and free(2) else []
        return tuple(DiceSet(s) for s in sets)
    # GT-GEAR-1: one up, the same, one down.
    sets += [str(g) for g in (gear + 1, gear, gear - 1) if free(g)]
    if coasts > 0:
        sets.append(COAST)
    # GT-BRAKE-1: one brake die per gear skipped.
    sets += [f"{g}{'b' * (gear - g - 1)}" for g in range(gear - 2, 0, -1) if free(g) and gear - g - 1 <= brakes]
    if red_zone and gear == top and brakes > 0 and gears > 0:
        sets.append(RED_ZONE)
    if boosts > 0 and free(gear + 2):
        sets.append(f"{gear + 2}a")
    return tuple(DiceSet(s) for s in sets)
