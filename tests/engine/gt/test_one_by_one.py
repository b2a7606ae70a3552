"""Rolling one by one: step after step, with the right to stop (section 4.9)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import Rejected
from engine.core.game import Entrant, Setup
from engine.core.log import start_race
from engine.gt.actions import (
    ChooseSpace,
    FinishPlan,
    FlatOut,
    OneByOne,
    Replan,
    Retire,
    Roll,
    Stop,
    TakeBack,
)
from engine.gt.events import (
    CarMoved,
    ControlLost,
    DiceRolled,
    DriverStopped,
    FocusGained,
    PlanFixed,
    PlanReopened,
    TurnEnded,
)
from engine.gt.game import GAME
from engine.gt.meta import Options
from engine.gt.state import RolledDie
from tests.engine.gt.table import Table, on, put

PLAN = (("10.M2", "4"), ("10.M3", "5"), ("11.M1", "c"))


def planned(dice: str = "", plan: tuple[tuple[str, str], ...] = PLAN, **more: Any) -> Table:
    """Red on 10.M1 in gear 3, his plan done; how to drive it is the next question. Blue is far away."""
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), dice=dice, **more).lay(*plan)
    table.do(FinishPlan)
    return table


# --- choosing how -------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROLL-1")
def test_after_the_plan_the_driver_chooses_one_by_one_or_flat_out() -> None:
    table = planned()
    seat = table.turn.seat
    assert table.legal() == [OneByOne(seat), FlatOut(seat), TakeBack(seat), Retire(seat)]
    assert table.all(PlanFixed) == []
    assert table.refused(Roll) == "turn/phase"


@pytest.mark.rule("GT-ROLL-1")
@pytest.mark.parametrize(("mode", "name"), [(OneByOne, "one by one"), (FlatOut, "flat out")])
def test_the_choice_fixes_the_plan(mode: Any, name: str) -> None:
    table = planned("4 5 c")
    table.do(mode)
    fixed = table.only(PlanFixed)
    assert (fixed.mode, fixed.start) == (name, "10.M1")
    assert tuple((step.space, step.dice) for step in fixed.steps) == PLAN


@pytest.mark.rule("GT-ROLL-1")
def test_nobody_changes_his_mind_after_the_choice() -> None:
    table = planned()
    table.do(OneByOne)
    assert table.refused(FlatOut) == "turn/phase"
    assert table.refused(OneByOne) == "turn/phase"


@pytest.mark.rule("GT-ROLL-1")
def test_before_the_plan_is_done_there_is_no_choice() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1")).lay(*PLAN)
    assert table.refused(OneByOne) == "turn/phase"
    assert table.refused(FlatOut) == "turn/phase"


# --- step by step -------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROLL-2")
def test_each_roll_moves_the_car_one_space_and_counts_its_hazards() -> None:
    table = planned("4! 5 c!")
    table.do(OneByOne)
    seen = []
    for _ in PLAN:
        table.do(Roll)
        rolled, moved = (next(e for e in table.last if isinstance(e, kind)) for kind in (DiceRolled, CarMoved))
        assert isinstance(rolled, DiceRolled)
        assert isinstance(moved, CarMoved)
        seen.append((rolled.dice, moved.source, moved.target, moved.gear, moved.hazards))
    assert seen == [
        ((RolledDie("4", True),), "10.M1", "10.M2", 4, 1),
        ((RolledDie("5"),), "10.M2", "10.M3", 5, 1),
        ((RolledDie("coast", True),), "10.M3", "11.M1", 5, 2),
    ]
    assert table.driver == "blue"


@pytest.mark.rule("GT-ROLL-2")
def test_all_dice_of_a_braking_step_are_rolled_together() -> None:
    table = put("C2", red=on("10.M1", 5), blue=on("0.L1"), dice="2 b! b c").one_by_one(("10.M2", "2bb"), ("10.M3", "c"))
    table.do(Roll)
    assert table.only(DiceRolled).dice == (RolledDie("2"), RolledDie("brake", True), RolledDie("brake"))
    assert (table.car("red").space, table.car("red").gear, table.turn.hazards) == ("10.M2", 2, 1)
    assert table.phase == "roll"


@pytest.mark.rule("GT-ROLL-2")
def test_hazards_of_spaces_and_lines_count_with_the_step_that_enters() -> None:
    # The "!" line into 3.I (EX-12) adds one hazard to the one on the die.
    table = put("C6", red=on("3.L2", 1), blue=on("8.M1"), dice="c! 1").one_by_one(("3.I", "c"), ("3.M4", "1"))
    table.do(Roll)
    assert table.turn.hazards == 2


# --- stopping -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROLL-5")
def test_before_the_first_step_nobody_may_stop() -> None:
    table = planned()
    table.do(OneByOne)
    assert table.legal() == [Roll(table.turn.seat)]
    assert table.refused(Stop) == "roll/first_step"


@pytest.mark.rule("GT-ROLL-5")
@pytest.mark.parametrize(("rolls", "space", "gear"), [(1, "10.M2", 4), (2, "10.M3", 5)])
def test_before_every_further_step_the_driver_may_stop_and_the_rest_has_no_effect(
    rolls: int, space: str, gear: int
) -> None:
    # Had the last die been rolled, its hazard would have been the third.
    table = planned("4! 5! c!")
    table.do(OneByOne)
    for _ in range(rolls):
        table.do(Roll)
    assert Stop(table.turn.seat) in table.legal()
    table.do(Stop)
    assert table.only(DriverStopped).seat == table.seat("red")
    assert len(table.all(DiceRolled)) == rolls
    assert table.all(ControlLost) == []
    assert (table.car("red").space, table.car("red").gear) == (space, gear)
    assert table.only(TurnEnded) == TurnEnded(seat=table.seat("red"), gear=gear)


@pytest.mark.rule("GT-ROLL-5")
def test_dice_not_rolled_are_there_again_in_the_next_turn() -> None:
    table = put("C2", red=on("10.M1", 3), dice="4").one_by_one(*PLAN)
    table.do(Roll)
    table.do(Stop)
    assert (table.driver, table.turn.hazards) == ("red", 0)
    assert table.dice_for("10.M3") == ["5", "4", "3", "c", "2b", "1bb"]


# --- a rolled die must be applied ---------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROLL-6")
def test_a_rolled_die_is_applied_at_once_whatever_it_shows() -> None:
    table = planned("4! 5! c!", bag="green_flag")
    table.do(OneByOne)
    table.do(Roll)
    table.do(Roll)
    table.do(Roll)
    # There is no choice between the third hazard and the loss of control.
    kinds = [type(event) for event in table.last]
    assert kinds[:3] == [DiceRolled, CarMoved, ControlLost]
    assert table.only(ControlLost).space == "11.M1"


@pytest.mark.rule("GT-ROLL-6")
def test_a_roll_cannot_be_taken_back() -> None:
    table = planned("4!")
    table.do(OneByOne)
    table.do(Roll)
    assert table.refused(TakeBack) == "turn/phase"
    race = start_race(GAME, Setup("C2", Options(), (Entrant("ann"), Entrant("ben")), bytes(16)))
    seat = GAME.decisions(race.state)[0].seat
    for action in (ChooseSpace(seat, "0.M4"), FinishPlan(seat), OneByOne(seat), Roll(seat)):
        race = race.act(action)
    with pytest.raises(Rejected) as refusal:
        race.undo(seat, to=3)
    assert refusal.value.code == "undo/revealed"


# --- the plan stands ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROLL-7")
def test_between_rolls_the_driver_can_only_follow_his_plan_or_stop() -> None:
    table = planned("4")
    table.do(OneByOne)
    table.do(Roll)
    seat = table.turn.seat
    assert table.legal() == [Roll(seat), Stop(seat)]
    assert table.refused(Replan) == "replan/off"
    assert table.refused(ChooseSpace, "10.L3") == "turn/phase"


@pytest.mark.rule("GT-ROLL-7")
def test_with_replan_the_steps_not_yet_rolled_can_be_replaced_by_others_with_the_dice_left() -> None:
    table = planned("4! 3 2!", options={"replan": True})
    table.do(OneByOne)
    table.do(Roll)
    table.do(Replan)
    assert table.only(PlanReopened).seat == table.seat("red")
    # From 10.M2 in gear 4; gear die 4 is gone, the dice of the dropped steps are free again.
    assert table.spaces() == {"10.L3", "10.M3", "10.R3"}
    assert table.dice_for("10.L3") == ["5", "3", "c", "2b", "1bb"]
    table.one_by_one(("10.L3", "3"), ("11.L1", "2"))
    table.do(Roll)
    table.do(Roll)
    assert [event.target for event in table.all(CarMoved)] == ["10.M2", "10.L3", "11.L1"]
    # Hazards of the whole turn add up.
    assert [event.hazards for event in table.all(CarMoved)] == [1, 1, 2]


@pytest.mark.rule("GT-ROLL-7")
def test_with_replan_the_plan_may_be_changed_before_the_first_roll_too() -> None:
    table = planned("c", options={"replan": True})
    table.do(OneByOne)
    assert table.legal() == [Roll(table.turn.seat), Replan(table.turn.seat)]
    table.do(Replan)
    # Nothing has been driven, so a step has to be made (GT-TURN-2).
    assert table.refused(Stop) == "roll/first_step"
    table.one_by_one(("10.R2", "c")).do(Roll)
    assert (table.car("red").space, table.car("red").gear) == ("10.R2", 3)


@pytest.mark.rule("GT-ROLL-7")
def test_with_replan_the_driver_may_leave_it_at_what_he_has_driven() -> None:
    table = planned("4", options={"replan": True})
    table.do(OneByOne)
    table.do(Roll)
    table.do(Replan)
    assert Stop(table.turn.seat) in table.legal()
    table.do(Stop)
    assert (table.car("red").space, table.driver) == ("10.M2", "blue")


@pytest.mark.rule("GT-ROLL-7")
def test_a_new_plan_after_the_first_roll_cannot_be_driven_flat_out() -> None:
    table = planned("4", options={"replan": True})
    table.do(OneByOne)
    table.do(Roll)
    table.do(Replan)
    table.lay(("10.M3", "5")).do(FinishPlan)
    assert FlatOut(table.turn.seat) not in table.legal()
    assert table.refused(FlatOut) == "mode/already_rolling"


# --- focus --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROLL-8")
def test_one_by_one_earns_no_focus_where_flat_out_would() -> None:
    slow = planned("4 5 c")
    slow.do(OneByOne)
    for _ in PLAN:
        slow.do(Roll)
    assert slow.all(FocusGained) == []
    assert slow.car("red").focus == 0
    fast = planned("4 5 c")
    fast.do(FlatOut)
    assert fast.car("red").focus == 3
    # All else is equal.
    assert slow.car("red").space == fast.car("red").space
