"""Blocked by other cars, or doomed without them; cars that wait off the road (section 4.8; rulings 13 and 14)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.gt.actions import ChooseSpace, FinishPlan, OneByOne, Roll, Stop
from engine.gt.events import Blocked, CarMoved, CarReturned, CarWaited, ControlLost, NoDiceLeft, TurnEnded
from tests.engine.gt.table import Table, on, put

# From 3.R3 on C2 the only way leads over a line with the limit 1: without brake dice nobody above gear 2 gets there.
NO_BRAKES = {"brakes": 3}
DEAD_END = "3.R3"


def doomed(gear: int = 5, space: str = DEAD_END, options: dict[str, Any] | None = None, **others: Any) -> Table:
    """Red in front of the corner of tile 4, without brake dice: too fast whatever he does."""
    return put("C2", red=on(space, gear, damage=NO_BRAKES), blue=on("0.L1"), options=options, **others)


# --- a loss of control that nobody else is to blame for -----------------------------------------------------------


@pytest.mark.rule("GT-BLOCK-5")
def test_who_has_not_moved_and_is_too_fast_anyway_must_choose_a_step_and_loses_control_there() -> None:
    table = doomed()
    assert table.all(Blocked) == []
    assert table.spaces() == {"4.I"}
    # There is no way round it: neither an empty plan nor staying where he is.
    assert table.refused(FinishPlan) == "plan/empty"
    assert table.refused(Stop) == "roll/first_step"
    table.drive(("4.I", "4"))
    assert (table.only(ControlLost).space, table.only(ControlLost).cause) == ("4.I", "speed")


@pytest.mark.rule("GT-BLOCK-5")
def test_a_loss_nobody_can_avoid_is_allowed_even_where_deliberate_ones_are_not() -> None:
    table = doomed(options={"deliberate_loc": False})
    assert table.spaces() == {"4.I"}
    assert table.dice_for("4.I") == ["6", "5", "4", "c"]


@pytest.mark.rule("GT-BLOCK-5")
def test_with_a_way_out_a_certain_loss_is_not_forced_on_anybody() -> None:
    # With his brake dice he can slow down to gear 1.
    table = put("C2", red=on(DEAD_END, 5), blue=on("0.L1"), options={"deliberate_loc": False})
    assert table.dice_for("4.I") == ["1bbb"]


@pytest.mark.rule("GT-BLOCK-5")
def test_who_has_moved_may_simply_stop_in_front_of_it() -> None:
    table = doomed(4, "3.O", dice="5").lay((DEAD_END, "5"))
    # Only certain losses lie ahead, and they are his own choice.
    assert FinishPlan(table.turn.seat) in table.legal()
    table.do(FinishPlan)
    table.do(OneByOne)
    table.do(Roll)
    assert table.all(ControlLost) == []
    assert table.all(Blocked) == []
    assert (table.car("red").space, table.car("red").gear) == (DEAD_END, 5)


@pytest.mark.rule("GT-BLOCK-5")
def test_who_has_moved_is_not_forced_so_the_option_closes_the_way_on() -> None:
    table = doomed(4, "3.O", options={"deliberate_loc": False}).lay((DEAD_END, "5"))
    assert table.spaces() == set()
    assert table.refused(ChooseSpace, "4.I") == "plan/certain_loss"
    assert FinishPlan(table.turn.seat) in table.legal()


@pytest.mark.rule("GT-BLOCK-5")
def test_another_car_in_one_of_the_doomed_ways_does_not_make_it_a_block() -> None:
    # From 3.M3 both ways lead over a limit of 2. Green takes one of them; the other stays a loss of red's own making.
    table = doomed(5, "3.M3", green=on("4.O1", 0))
    assert table.all(Blocked) == []
    assert table.spaces() == {"4.I"}


# --- no step at all -----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-BLOCK-6")
def test_where_the_only_way_to_a_certain_loss_is_taken_the_driver_is_blocked() -> None:
    table = doomed(5, green=on("4.I", 0), turn="red")
    blocked = table.only(Blocked)
    assert (blocked.seat, blocked.space, blocked.gear) == (table.seat("red"), DEAD_END, 5)
    assert table.all(ControlLost) == []
    assert table.all(CarMoved) == []
    # The turn is over, the gear is what it was.
    assert table.all(TurnEnded)[0] == TurnEnded(seat=table.seat("red"), gear=5)
    assert table.driver != "red"


@pytest.mark.rule("GT-BLOCK-6")
@pytest.mark.parametrize(("gear", "blocked"), [(5, False), (6, True)])
def test_where_the_only_ways_lead_past_a_car_that_may_not_be_passed_the_driver_is_blocked(
    gear: int, blocked: bool
) -> None:
    # Red reaches gear 5 at the most. 4.I, too fast for him in any gear, lies beside green on 4.O1.
    table = doomed(4, "3.L3", green=on("4.O1", gear))
    assert bool(table.all(Blocked)) is blocked
    if not blocked:
        assert table.dice_for("4.I") == ["5"]


@pytest.mark.rule("GT-BLOCK-6")
def test_in_the_middle_of_a_plan_the_block_ends_the_plan_and_the_car_stops_there() -> None:
    table = doomed(4, "3.O", dice="5", green=on("4.I", 0)).lay((DEAD_END, "5"))
    assert table.spaces() == set()
    assert table.refused(ChooseSpace, "4.I") == "plan/occupied"
    table.do(FinishPlan)
    table.do(OneByOne)
    table.do(Roll)
    assert table.all(ControlLost) == []
    assert table.all(TurnEnded)[0] == TurnEnded(seat=table.seat("red"), gear=5)


@pytest.mark.rule("GT-BLOCK-6")
def test_without_dice_the_driver_is_not_blocked_even_if_the_way_is_taken_too() -> None:
    table = put("C2", red=on(DEAD_END, 0, damage={"gearbox": 6}), blue=on("4.I"))
    assert table.all(Blocked) == []
    assert table.only(NoDiceLeft).seat == table.seat("red")
    # GT-RUL-24: repairs from any space, although 3.R3 in gear 0 is no place for a pit stop.
    assert table.phase == "pit"


# --- cars that are put back ---------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-13")
def test_a_car_is_put_back_beside_a_faster_one_without_any_overtaking_check() -> None:
    table = put("C2", red=on("10.L2", "00"), blue=on("10.R2", 6))
    assert table.only(CarReturned).space == "10.L2"
    assert (table.car("red").where, table.car("red").gear) == ("road", 0)
    # Driving there beside blue would have taken gear 6.
    assert put("C2", red=on("10.L1", 4), blue=on("10.R2", 6)).dice_for("10.L2") == []


@pytest.mark.rule("GT-RUL-13")
def test_a_car_is_put_back_beside_another_one_under_a_yellow_flag() -> None:
    table = put("C2", red=on("10.L2", "00"), blue=on("10.R2", 1), green=on("7.M1", 3, flags=(10,)))
    assert table.only(CarReturned).space == "10.L2"
    driving = put("C2", red=on("10.L1", 4), blue=on("10.R2", 1), green=on("7.M1", 3, flags=(10,)))
    assert driving.dice_for("10.L2") == []


@pytest.mark.rule("GT-RUL-13")
@pytest.mark.parametrize(("gear", "flags"), [(6, ()), (1, (10,))], ids=["a faster car", "a yellow flag"])
def test_coming_out_of_the_pits_is_not_driving_either(gear: int, flags: tuple[int, ...]) -> None:
    table = put(
        "C2",
        red=on("10.L2", 0, where="pits", lane="tyres"),
        blue=on("10.R2", gear),
        green=on("7.M1", 3, flags=flags),
    )
    assert table.only(CarReturned).source == "pits"
    assert table.car("red").space == "10.L2"
    # And once beside the other car he drives on in any gear (GT-OVER-4): only from here on rules of the road apply.
    assert table.spaces() == {"10.L3", "10.M3"}


@pytest.mark.rule("GT-RUL-14")
@pytest.mark.parametrize(
    "waiting",
    [on("10.M2", "00"), on("10.M2", 0, where="pits", lane="tyres"), on("10.M2", "00", where="pits", lane="repairs")],
    ids=["beside the road", "in the pits", "in the pits with 00"],
)
def test_a_car_that_waits_off_the_road_does_not_hold_its_space(waiting: Any) -> None:
    table = put("C2", red=on("10.M1", 1), blue=waiting, dice="2").drive(("10.M2", "2"))
    assert table.car("red").space == "10.M2"


@pytest.mark.rule("GT-RUL-14")
def test_nor_does_it_hinder_anybody_beside_its_space() -> None:
    # On the road, blue in gear 6 would keep everybody slower off the row; beside the road he does not.
    assert put("C2", red=on("10.L1", 1), blue=on("10.R2", 6)).dice_for("10.L2") == []
    assert put("C2", red=on("10.L1", 1), blue=on("10.R2", "00")).dice_for("10.L2") == ["2", "1", "c"]


@pytest.mark.rule("GT-RUL-14")
def test_whoever_waits_for_a_space_that_was_taken_meanwhile_goes_on_waiting() -> None:
    table = put("C2", red=on("10.M1", 1), blue=on("10.M2", "00"), dice="2").drive(("10.M2", "2"))
    assert (table.only(CarWaited).seat, table.only(CarWaited).space) == (table.seat("blue"), "10.M2")
    assert (table.car("blue").where, table.car("blue").gear) == ("verge", -1)


@pytest.mark.rule("GT-RUL-14")
def test_nor_does_it_keep_another_waiting_car_off_that_space() -> None:
    table = put("C2", red=on("10.M2", "00", left_at=1), blue=on("10.M2", "00", left_at=2), green=on("0.L1"))
    assert table.only(CarReturned).seat == table.seat("red")
    assert table.car("red").where == "road"
