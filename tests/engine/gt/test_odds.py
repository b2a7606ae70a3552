"""Exact chances (worked example EX-32) and the chances step by step."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from engine.core.model import SpaceId
from engine.gt.dice import DiceSet, dice_table
from engine.gt.odds import chance_of_at_least, flat_out_risk, hazard_distribution, one_by_one_odds
from engine.gt.state import PlanStep


def plan(dice: str, auto: int = 0) -> tuple[PlanStep, ...]:
    """Steps with these dice; the automatic hazards stand on the first."""
    table = dice_table()
    return tuple(
        PlanStep(SpaceId(f"s{n}"), DiceSet(code), table[DiceSet(code)].gear, auto if n == 0 else 0)
        for n, code in enumerate(dice.split())
    )


@pytest.mark.parametrize(
    ("dice", "limit", "auto", "risk"),
    [
        ("1 2 3", 3, 0, Fraction(1, 108)),
        ("1 2 3 4", 3, 0, Fraction(5, 108)),
        ("1 2 3 4 5", 3, 0, Fraction(19, 162)),
        ("1 2 3 4 5 6", 3, 0, Fraction(155, 729)),
        ("1 2 3 4 5 6 c c", 3, 0, Fraction(1399, 4374)),
        ("4 5 6 c c", 3, 0, Fraction(19, 162)),
        ("3 4 5", 3, 1, Fraction(7, 27)),
        ("c c", 3, 0, Fraction(0)),
        ("1 2", 2, 0, Fraction(1, 36)),
        ("1 2 3", 2, 0, Fraction(13, 108)),
        ("1 2 3 4", 2, 0, Fraction(7, 27)),
    ],
)
def test_ex_32_chance_of_losing_control_flat_out(dice: str, limit: int, auto: int, risk: Fraction):
    assert flat_out_risk(plan(dice, auto), limit) == risk


def test_the_distribution_is_the_count_over_all_faces():
    faces = (1, 2, 2, 1)
    counted = [0] * 5
    for shown in product(range(6), repeat=4):
        counted[sum(face < hazards for face, hazards in zip(shown, faces, strict=True))] += 1
    assert hazard_distribution(faces) == tuple(Fraction(n, 6**4) for n in counted)


def test_no_hazard_at_all_is_certain_and_more_than_there_are_dice_impossible():
    assert chance_of_at_least((1, 2), 0) == 1
    assert chance_of_at_least((1, 2), 3) == 0


def test_rolling_everything_one_by_one_is_as_risky_as_flat_out():
    steps = plan("4 3bb 2 c c", auto=1)
    odds = one_by_one_odds(steps, 3)
    assert sum(step.loss_here for step in odds) == flat_out_risk(steps, 3)
    assert odds[-1].survival == 1 - flat_out_risk(steps, 3)


def test_one_by_one_the_first_two_dice_are_safe_and_the_third_is_not():
    odds = one_by_one_odds(plan("4 5 6"), 3)
    assert [step.loss_here for step in odds] == [0, 0, Fraction(1, 27)]


def test_hazards_already_received_count():
    odds = one_by_one_odds(plan("4"), 3, hazards=2)
    assert odds[0].loss_here == Fraction(1, 3)


@pytest.mark.rule("GT-RUL-4")
def test_a_step_over_its_limit_is_lost_whatever_the_dice_show():
    steps = (*plan("4"), PlanStep(SpaceId("x"), DiceSet("5"), 5, over=True, sure_loss=True))
    assert flat_out_risk(steps, 3) == 1
    assert one_by_one_odds(steps, 3)[1] == (Fraction(1), Fraction(0))


@pytest.mark.rule("GT-FLY-2", "GT-FLY-3")
def test_a_failed_flying_start_is_no_loss_of_control():
    steps = plan("2 3 4 5")
    held = Fraction(5, 6)
    assert flat_out_risk(steps, 3, flying=True) == held * chance_of_at_least((2, 2, 2), 3)
    odds = one_by_one_odds(steps, 3, flying=True)
    assert odds[0].loss_here == 0
    assert odds[3].loss_here == held * Fraction(1, 27)
