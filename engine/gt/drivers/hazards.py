"""Chances as plain numbers. `engine.gt.odds` has them exact; a driver weighs thousands of plans and needs them fast."""

from __future__ import annotations

from functools import cache, lru_cache

from engine.gt.dice import DiceSet, dice_table
from engine.gt.odds import chance_of_at_least, hazard_distribution


@cache
def shown(dice: DiceSet) -> tuple[float, ...]:
    """The chance that one set of dice shows 0, 1, 2 ... hazards."""
    return tuple(float(chance) for chance in hazard_distribution(dice_table()[dice].faces))


@lru_cache(maxsize=4096)
def loss_chance(ones: int, twos: int, room: int) -> float:
    """The chance of `room` hazards or more from dice with one and dice with two hazard faces."""
    return float(chance_of_at_least((1,) * ones + (2,) * twos, room))
