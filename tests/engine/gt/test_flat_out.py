"""Flat out: everything at once, for focus and at full risk (section 4.10; rulings 33 and 34)."""

from __future__ import annotations

import pytest

from engine.gt.actions import FinishPlan, FlatOut, LoseControlAt, Roll, Secure, Stop
from engine.gt.events import (
    CarMoved,
    ControlLost,
    DiceLaidOutAgain,
    DiceRolled,
    DiceSecured,
    FlatOutFailed,
    FocusGained,
)
from engine.gt.rules.relay import outcomes
from tests.engine.gt.table import Planned, Table, on, put


def oval(gear: int, dice: str, *plan: Planned, focus: int = 0, bag: str = "") -> Table:
    """Red on the long straight of C0, that plan driven flat out; blue is far away."""
    return put("C0", red=on("3.M1", gear, focus=focus), blue=on("0.L1"), dice=dice, bag=bag).flat_out(*plan)


def possible(table: Table) -> set[tuple[str, int]]:
    """Where and in which gear control can be lost."""
    return {(outcome.space, outcome.gear) for outcome in outcomes(table.state)}


# --- no focus is spent --------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLAT-8")
def test_no_focus_can_be_spent_in_a_flat_out_turn_that_goes_well() -> None:
    table = put("C0", red=on("3.M1", 4, focus=9), blue=on("0.L1"), dice="5! c").lay(("3.M2", "5"), ("3.M3", "c"))
    table.do(FinishPlan)
    # Not before the roll ...
    assert table.refused(Secure) == "turn/phase"
    table.do(FlatOut)
    # ... and with the roll everything is over: no question came in between.
    assert table.driver == "blue"
    assert table.all(DiceSecured) == []
    assert table.car("red").focus == 9 + 2


@pytest.mark.rule("GT-FLAT-8")
def test_no_focus_saves_a_flat_out_turn_that_fails() -> None:
    table = oval(4, "5! c! 6!", ("3.M2", "5"), ("3.M3", "c"), ("4.M1", "6"), focus=9)
    assert table.all(FlatOutFailed) != []
    assert all(isinstance(action, LoseControlAt) for action in table.legal())
    for action in (Secure, Roll, Stop):
        assert table.refused(action) == "turn/phase"


# --- any plan -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLAT-9")
@pytest.mark.parametrize(
    ("plan", "dice"),
    [
        ((("3.M2", "5"),), "5"),
        ((("3.M2", "c"),), "c"),
        ((("3.M2", "2b"),), "2 b"),
        ((("3.M2", "5"), ("3.M3", "c")), "5 c"),
        (
            (("3.M2", "4"), ("3.M3", "5"), ("4.M1", "6"), ("4.M2", "3bb"), ("5.M1", "2"), ("5.M2", "1")),
            "4 5 6 3 b b 2 1",
        ),
    ],
    ids=["one gear die", "one coast die", "one braking step", "two steps", "six steps"],
)
def test_any_plan_may_be_driven_flat_out(plan: tuple[Planned, ...], dice: str) -> None:
    table = oval(4, dice, *plan)
    # All dice of all steps in one roll.
    assert len(table.only(DiceRolled).dice) == len(dice.split())
    assert table.car("red").space == plan[-1][0]


@pytest.mark.rule("GT-FLAT-9")
def test_even_a_plan_that_is_certain_to_fail_may_be_driven_flat_out() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("0.L1"), dice="2 3").flat_out(("4.O1", "2"), ("4.O2", "3"))
    assert table.only(FlatOutFailed).seat == table.seat("red")
    assert table.only(FocusGained).tokens == 2


@pytest.mark.rule("GT-FLAT-9")
def test_a_plan_without_a_step_cannot_be_driven_flat_out() -> None:
    table = put("C0", red=on("3.M1", 4), blue=on("0.L1"))
    assert table.refused(FinishPlan) == "plan/empty"
    assert table.refused(FlatOut) == "turn/phase"


# --- one or two dice ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-33")
@pytest.mark.parametrize(
    ("plan", "dice", "focus"),
    [
        ((("3.M2", "5"),), "5!", 1),
        ((("3.M2", "5"), ("3.M3", "c")), "5! c!", 2),
        ((("3.M2", "2b"),), "2! b!", 1),
    ],
    ids=["one die", "two dice", "a gear die and a brake die"],
)
def test_one_or_two_dice_cannot_fail_and_earn_focus_all_the_same(
    plan: tuple[Planned, ...], dice: str, focus: int
) -> None:
    table = oval(4, dice, *plan)
    assert table.all(FlatOutFailed) == []
    assert table.car("red").space == plan[-1][0]
    assert table.car("red").focus == focus


@pytest.mark.rule("GT-RUL-33")
def test_with_an_automatic_hazard_two_dice_can_fail() -> None:
    # Over the "!" line into 3.I: two hazards on the dice and one on the road.
    table = put("C6", red=on("3.L1", 1), blue=on("8.M1"), dice="c! c!").flat_out(("3.L2", "c"), ("3.I", "c"))
    assert table.all(FlatOutFailed) != []


@pytest.mark.rule("GT-RUL-33")
def test_at_limit_2_two_dice_can_fail() -> None:
    table = put("C0", red=on("3.M1", 4), blue=on("0.L1"), weather="wet", dice="5! c!")
    table.flat_out(("3.M2", "5"), ("3.M3", "c"))
    assert table.all(FlatOutFailed) != []


# --- laid out again -----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-34")
def test_laid_out_again_each_brake_die_may_go_with_any_gear_die() -> None:
    table = oval(6, "4! b c! 2 b!", ("3.M2", "4b"), ("3.M3", "c"), ("4.M1", "2b"), bag="green_flag")
    # As planned, the third hazard comes with the last step. With the other brake die beside gear die 4 it comes one
    # step earlier; no exchange of steps alone could bring it there.
    assert {("4.M1", 2), ("3.M3", 4)} <= possible(table)
    table.do(LoseControlAt, "3.M3")
    lost = table.only(ControlLost)
    assert (lost.space, lost.gear) == ("3.M3", 4)
    # Two steps, three hazards: gear die 4, the coast die and the brake die that was rolled with gear die 2.
    assert sorted(step.dice for step in table.only(DiceLaidOutAgain).steps) == ["4b", "c"]
    assert len(table.all(CarMoved)) == 2
    assert table.all(CarMoved)[-1].hazards == 3


@pytest.mark.rule("GT-RUL-34")
def test_only_the_results_that_were_rolled_can_be_chosen_from() -> None:
    # Here both brake dice show a hazard and gear die 4 does not: nothing brings the third hazard before the last step.
    table = oval(6, "4 b! c! 2 b!", ("3.M2", "4b"), ("3.M3", "c"), ("4.M1", "2b"))
    assert possible(table) == {("4.L1", 2), ("4.M1", 2), ("4.R1", 2)}


@pytest.mark.rule("GT-FLAT-6")
def test_laid_out_again_every_step_tells_the_hazards_so_far() -> None:
    table = oval(4, "5! c! 6 c!", ("3.M2", "5"), ("3.M3", "c"), ("4.M1", "6"), ("4.M2", "c"), bag="brakes")
    table.do(LoseControlAt, "4.M1")
    assert [event.hazards for event in table.all(CarMoved)] == [1, 2, 3]
    assert table.only(ControlLost).cause == "hazards"


@pytest.mark.rule("GT-FLAT-6", "GT-RUL-5")
@pytest.mark.parametrize(("dice", "cause"), [("3! c! c!", "both"), ("3 c! c!", "speed")])
def test_laid_out_again_speed_and_hazards_together_are_one_loss_of_control(dice: str, cause: str) -> None:
    # The last step enters 4.O1 (limit 2) in gear 3.
    table = put("C2", red=on("3.L1", 3), blue=on("0.L1"), dice=dice)
    table.flat_out(("3.O", "3"), ("3.L3", "c"), ("4.O1", "c"))
    table.do(LoseControlAt, "4.O1")
    lost = table.only(ControlLost)
    assert (lost.space, lost.gear, lost.cause) == ("4.O1", 3, cause)
