"""Yellow flags: their zone, what they forbid, and when they go (sections 4.13 and 8)."""

from __future__ import annotations

import pytest

from engine.gt.actions import Retire
from engine.gt.arrange import CarSetup
from engine.gt.events import Blocked, CarFinished, CarReturned, CarWaited, FlagsLifted, TurnStarted, YellowFlag
from engine.gt.material import OFF_ROAD, TOKENS
from engine.gt.state import occupied
from tests.engine.gt.table import Table, on, put

YELLOW = TOKENS.index("yellow_flag")


def flag(*tiles: int) -> CarSetup:
    """A car on the grid in gear 1 whose driver's flags lie on these tiles."""
    return on("0.L1", 1, flags=tiles)


def may_enter(table: Table, space: str) -> bool:
    """Red may lay a step onto the space (he is blocked where no space at all is left)."""
    return not table.all(Blocked) and space in table.spaces()


# --- laying -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLAG-1")
def test_a_yellow_flag_is_laid_on_the_tile_on_which_control_was_lost() -> None:
    table = put("C2", red=on("11.R2", 4), blue=on("0.L1"), dice="4", bag="yellow_flag")
    table.drive(("12.R1", "4"), ("12.I", "c"))
    assert table.car("red").flags == (12,)
    laid = table.only(YellowFlag)
    assert (laid.seat, laid.tile, laid.flags) == (table.seat("red"), 12, 1)


@pytest.mark.rule("GT-FLAG-1", "GT-FLAG-2")
@pytest.mark.parametrize(
    ("red", "target", "green", "allowed"),
    [
        ("8.O2", "8.R3", "8.L3", True),
        ("9.O2", "9.L3", "9.R3", False),
        ("10.L1", "10.L2", "10.R2", False),
        ("10.L3", "11.L1", "11.R1", False),
        ("11.L2", "12.L1", "12.R1", True),
    ],
)
def test_a_flag_on_tile_10_forbids_driving_up_beside_another_car_on_tiles_9_to_11(
    red: str, target: str, green: str, allowed: bool
) -> None:
    table = put("C2", red=on(red, 4), green=on(green, 3), blue=flag(10))
    assert may_enter(table, target) is allowed


@pytest.mark.rule("GT-FLAG-2")
def test_without_a_flag_the_faster_car_may_drive_up_beside_the_other() -> None:
    table = put("C2", red=on("10.L1", 4), green=on("10.R2", 3), blue=on("0.L1", 1))
    assert may_enter(table, "10.L2")


@pytest.mark.rule("GT-FLAG-2")
def test_under_a_flag_spaces_beside_nobody_are_free_to_enter() -> None:
    # 12.I is beside green on 12.O2, 12.O1 is not (EX-13).
    table = put("C2", red=on("12.L1", 2), green=on("12.O2", 1), blue=flag(12))
    assert table.spaces() == {"12.O1"}


@pytest.mark.rule("GT-FLAG-3")
def test_a_car_in_gear_0_may_be_passed_under_a_flag() -> None:
    table = put("C2", red=on("10.L1", 4), green=on("10.R2", 0), blue=flag(10))
    assert may_enter(table, "10.L2")


@pytest.mark.rule("GT-FLAG-3")
def test_a_car_off_the_road_may_be_passed_under_a_flag() -> None:
    table = put("C2", red=on("10.L1", 4), green=on("10.R2", "00"), blue=flag(10))
    assert may_enter(table, "10.L2")
    assert may_enter(table, "10.M2")


@pytest.mark.rule("GT-FLAG-3")
def test_a_car_in_gear_1_may_not_be_passed_under_a_flag() -> None:
    table = put("C2", red=on("10.L1", 4), green=on("10.R2", 1), blue=flag(10))
    assert not may_enter(table, "10.L2")


@pytest.mark.rule("GT-FLAG-4")
def test_a_car_already_beside_the_other_may_go_on_beside_it_under_a_flag() -> None:
    # 12.I is long: beside 12.O1 and beside 12.O2.
    table = put("C2", red=on("12.O1", 2), green=on("12.I", 2), blue=flag(12))
    assert may_enter(table, "12.O2")


@pytest.mark.rule("GT-FLAG-4")
def test_a_car_not_yet_beside_the_other_may_not_drive_up_beside_it_under_a_flag() -> None:
    table = put("C2", red=on("12.L1", 2), green=on("12.I", 2), blue=flag(12))
    assert not may_enter(table, "12.O1")


@pytest.mark.rule("GT-FLAG-5")
@pytest.mark.parametrize(
    ("red", "target", "green", "allowed"),
    [
        ("8.O2", "8.R3", "8.L3", True),
        ("10.L3", "11.L1", "11.R1", False),
        ("11.L2", "12.L1", "12.R1", True),
    ],
)
def test_two_flags_on_one_tile_do_what_one_does(red: str, target: str, green: str, allowed: bool) -> None:
    table = put("C2", red=on(red, 4), green=on(green, 3), blue=flag(10, 10))
    assert may_enter(table, target) is allowed


@pytest.mark.rule("GT-FLAG-5")
def test_two_flags_of_one_driver_are_lifted_together() -> None:
    table = put("C2", red=on("10.M2", 0, flags=(10, 10)), blue=on("0.L1"))
    assert table.only(FlagsLifted).tiles == (10, 10)
    assert table.car("red").flags == ()
    assert table.car("red").tokens[YELLOW] == 2


# --- lifting ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLAG-6")
def test_a_flag_is_lifted_when_its_driver_starts_a_turn_in_gear_0() -> None:
    table = put("C2", red=on("10.M2", 0, flags=(10,)), blue=on("0.L1"))
    assert table.only(FlagsLifted).seat == table.seat("red")
    assert (table.car("red").flags, table.car("red").tokens[YELLOW]) == ((), 1)
    assert table.state.bag[YELLOW] == 5  # on the dashboard, not back in the bag


@pytest.mark.rule("GT-FLAG-6")
def test_a_flag_stays_while_only_others_start_turns_in_gear_0() -> None:
    table = put("C2", red=on("1.L1", 0), blue=flag(10))
    assert table.driver == "red"
    assert table.all(FlagsLifted) == []
    assert table.car("blue").flags == (10,)


@pytest.mark.rule("GT-FLAG-6")
def test_a_flag_stays_in_a_turn_begun_in_a_gear_above_0() -> None:
    table = put("C2", red=on("10.M2", 1, flags=(10,)), blue=on("0.L1"))
    assert table.car("red").flags == (10,)


@pytest.mark.rule("GT-FLAG-6")
def test_after_00_the_flag_is_lifted_in_the_turn_after_the_return() -> None:
    table = put("C2", red=on("12.R1", 4), bag="yellow_flag")
    table.drive(("12.I", "4"))
    # Alone, the return passes at once and the turn after it has begun.
    kinds = [type(event) for event in table.last]
    starts = [at for at, kind in enumerate(kinds) if kind is TurnStarted]
    assert kinds.index(YellowFlag) < starts[0] < kinds.index(CarReturned) < starts[1] < kinds.index(FlagsLifted)
    assert [event.gear for event in table.last if isinstance(event, TurnStarted)] == [OFF_ROAD, 0]


@pytest.mark.rule("GT-FLAG-6")
def test_in_the_turn_of_the_return_the_flag_still_lies() -> None:
    table = put("C2", red=on("12.I", "00", flags=(12,)), blue=on("11.L2", 2), green=on("12.R1", 1))
    assert table.only(CarReturned).space == "12.I"
    assert table.car("red").flags == (12,)
    assert table.driver == "green"


@pytest.mark.rule("GT-RUL-20")
def test_the_flag_of_a_driver_who_has_to_wait_off_the_road_stays() -> None:
    # Blue stands on the space to which red should return, and has played in this round already.
    table = put("C2", red=on("12.I", "00", flags=(12,)), blue=on("12.I", 1, marker="black"), green=on("5.M1", 1))
    assert table.only(CarWaited).seat == table.seat("red")
    assert table.car("red").flags == (12,)
    assert table.all(FlagsLifted) == []


@pytest.mark.rule("GT-RUL-20")
def test_waiting_in_the_pits_with_marker_0_is_no_turn_in_gear_0_on_the_road() -> None:
    waiting = on("10.L2", 0, where="pits", lane="tyres", flags=(10,))
    table = put("C2", red=waiting, blue=on("10.L2", 1, marker="black"), green=on("5.M1", 1))
    assert table.only(CarWaited).source == "pits"
    assert table.car("red").flags == (10,)
    free = put("C2", red=waiting, blue=on("9.L3", 1), green=on("5.M1", 1))
    assert free.only(FlagsLifted).tiles == (10,)
    assert free.car("red").flags == ()


@pytest.mark.rule("GT-RUL-20")
def test_cars_that_play_before_him_in_that_round_still_see_his_flag() -> None:
    # Red is in gear 0 on the road and will lift his flag in this round; green, in gear 4, plays before him.
    table = put("C2", turn=None, red=on("5.M1", 0, flags=(10,)), green=on("10.L1", 4), blue=on("10.R2", 1))
    assert table.order == ["green", "blue", "red"]
    assert "10.L2" not in table.spaces()
    # After red's turn has begun nobody sees it any more.
    later = put("C2", red=on("5.M1", 0, flags=(10,)), green=on("10.L1", 4), blue=on("10.R2", 1), dice="1")
    later.drive(("5.M2", "1"))
    assert later.driver == "green"
    assert "10.L2" in later.spaces()


# --- the flag's driver leaves the race ----------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-17")
def test_a_finished_car_disappears_with_its_flag_and_its_tokens_stay_out_of_the_bag() -> None:
    table = put(
        "C2",
        red=on("0.M3", 2, flags=(10,), damage={"brakes": 2}),
        blue=on("10.L1", 4),
        green=on("10.R2", 3),
        dice="2",
    )
    table.drive(("0.M4", "2"))
    assert table.only(CarFinished).seat == table.seat("red")
    assert table.car("red").flags == ()
    assert not occupied(table.state, "0.M4")
    assert (table.state.bag[TOKENS.index("brakes")], table.state.bag[YELLOW]) == (4, 5)
    assert table.driver == "blue"
    assert "10.L2" in table.spaces()  # beside green, forbidden as long as the flag lay


@pytest.mark.rule("GT-RUL-17")
def test_a_retired_car_disappears_with_its_flag_and_its_tokens_stay_out_of_the_bag() -> None:
    table = put(
        "C2",
        red=on("10.M1", 4),
        green=on("10.R3", 3),
        blue=on("10.M2", 0, flags=(10,), damage={"coasting": 1}),
    )
    assert "10.M2" not in table.spaces()
    table.lay(("10.L2", "4"))
    assert table.spaces() == set()  # on to row 3, beside green: not under the flag
    table.do(Retire, by="blue")
    assert (table.car("blue").where, table.car("blue").flags) == ("retired", ())
    assert table.spaces() == {"10.L3", "10.M3"}
    assert (table.state.bag[TOKENS.index("coasting")], table.state.bag[YELLOW]) == (5, 5)
