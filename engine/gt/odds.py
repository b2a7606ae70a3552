"""Exact chances. Dice show hazards independently of each other, so every question is a short sum of fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.gt.dice import dice_table
from engine.gt.state import PlanStep

FACES = 6


@lru_cache(maxsize=8192)
def hazard_distribution(faces: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The chance of 0, 1, 2 ... hazards from dice with that many hazard faces each."""
    if not faces:
        return (Fraction(1),)
    *rest, last = faces
    before = hazard_distribution(tuple(rest))
    hit = Fraction(last, FACES)
    return tuple(
        (before[n] * (1 - hit) if n < len(before) else Fraction(0)) + (before[n - 1] * hit if n > 0 else Fraction(0))
        for n in range(len(before) + 1)
    )


def chance_of_at_least(faces: Iterable[int], hazards: int) -> Fraction:
    """The chance that the dice show that many hazards or more."""
    if hazards <= 0:
        return Fraction(1)
    # Dice are alike if their faces are: sorting lets equal hands share one sum.
    return sum(hazard_distribution(tuple(sorted(faces)))[hazards:], Fraction(0))


def flat_out_risk(steps: tuple[PlanStep, ...], limit: int, *, flying: bool = False) -> Fraction:
    """The chance that driving these steps flat out ends in a loss of control."""
    if any(step.over or step.sure_loss for step in steps):
        return Fraction(1)
    faces = [face for step in steps for face in dice_table()[step.dice].faces]
    room = limit - sum(step.auto for step in steps)
    if not flying:
        return chance_of_at_least(faces, room)
    # GT-FLY-3: a hazard on gear die 2, the first one rolled, ends the turn without a loss.
    held = 1 - Fraction(faces[0], FACES)
    return held * chance_of_at_least(faces[1:], room)


class StepOdds(NamedTuple):
    """Rolling one by one up to this step: chance of losing control exactly here, and of getting past it."""

    loss_here: Fraction
    survival: Fraction


def one_by_one_odds(
    steps: tuple[PlanStep, ...], limit: int, *, hazards: int = 0, flying: bool = False
) -> tuple[StepOdds, ...]:
    """For each step the chances as they stand now, if every die is rolled and none secured."""
    alive = {hazards: Fraction(1)}
    odds: list[StepOdds] = []
    for index, step in enumerate(steps):
        if step.over:
            odds.append(StepOdds(sum(alive.values(), Fraction(0)), Fraction(0)))
            alive = {}
            continue
        shown = hazard_distribution(dice_table()[step.dice].faces)
        if flying and index == 0 and not step.sure_loss:
            # GT-FLY-2: the hazard ends the turn on this space, but control is kept.
            odds.append(StepOdds(Fraction(0), Fraction(1)))
            alive = {hazards + step.auto: shown[0]}
            continue
        after: dict[int, Fraction] = {}
        for before, chance in alive.items():
            for more, share in enumerate(shown):
                total = before + step.auto + more
                after[total] = after.get(total, Fraction(0)) + chance * share
        loss = sum((chance for total, chance in after.items() if total >= limit), Fraction(0))
        alive = {total: chance for total, chance in after.items() if total < limit}
        survived = odds[-1].survival if odds else Fraction(1)
        odds.append(StepOdds(loss, survived - loss))
    return tuple(odds)
