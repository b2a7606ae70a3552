"""Pit stops: where they are possible, the three lanes, and coming back (sections 4.15 and 8)."""

from __future__ import annotations

import pytest

from engine.gt.actions import FitTyres, PitStop, Roll, StayOut, Stop
from engine.gt.events import Blocked, CarReturned, CarWaited, ControlLost, PitEntered, PitWorkDone, TyresFitted
from engine.gt.material import NO_TOKENS, OFF_ROAD, TOKENS
from engine.gt.state import allowance_of, occupied
from tests.engine.gt.table import Table, on, put


def at_the_pits(**car: object) -> Table:
    """Red has just ended his turn in gear 1 on 10.L2; blue, far behind, is next."""
    table = put("C2", red=on("10.L1", 1, **car), blue=on("7.M1"), dice="1 1 1 1 1")
    return table.drive(("10.L2", "1"))


# --- where --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-PIT-1")
@pytest.mark.parametrize(("start", "target"), [("10.L1", "10.L2"), ("10.R1", "10.R2"), ("4.O2", "5.L1")])
def test_a_pit_stop_is_possible_in_gear_1_at_the_edge_of_the_road_wherever_that_is(start: str, target: str) -> None:
    table = put("C2", red=on(start, 1), blue=on("0.M1"), dice="1")
    table.drive((target, "1"))
    seat = table.seat("red")
    assert (table.driver, table.phase) == ("red", "pit")
    assert [action for action in table.legal() if isinstance(action, PitStop)] == [
        PitStop(seat, "tyres"),
        PitStop(seat, "repairs"),
        PitStop(seat, "repairs and tyres"),
    ]


@pytest.mark.rule("GT-PIT-1")
@pytest.mark.parametrize(
    ("start", "target", "gear"),
    [
        ("10.L1", "10.M2", 1),  # middle lane
        ("8.M1", "8.I", 1),  # corner space, although it touches the edge
        ("2.R3", "3.R1", 2),  # gear 2
        ("3.L1", "3.O", 1),  # dangerous corner space
    ],
)
def test_no_pit_stop_on_a_middle_lane_in_a_corner_or_in_a_higher_gear(start: str, target: str, gear: int) -> None:
    table = put("C2", red=on(start, gear), blue=on("0.M1"), dice=str(gear))
    table.drive((target, str(gear)))
    assert table.car("red").space == target
    assert table.driver == "blue"
    assert table.refused(PitStop, "tyres", by="red") == "turn/not_yours"


@pytest.mark.rule("GT-PIT-1")
def test_a_driver_who_stops_in_gear_1_at_the_edge_may_pit() -> None:
    table = put("C2", red=on("10.L1", 2), blue=on("0.M1"), dice="1")
    table.one_by_one(("10.L2", "1"), ("10.L3", "2"))
    table.do(Roll)
    table.do(Stop)
    assert table.phase == "pit"


@pytest.mark.rule("GT-PIT-1")
def test_a_driver_blocked_in_gear_1_at_the_edge_may_pit() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("10.R2", 6))
    assert table.only(Blocked).seat == table.seat("red")
    assert (table.driver, table.phase) == ("red", "pit")


@pytest.mark.rule("GT-PIT-1")
def test_the_driver_need_not_pit_and_the_clock_stays_out() -> None:
    table = at_the_pits()
    assert table.decision().default == StayOut(table.seat("red"))
    table.do(StayOut)
    red = table.car("red")
    assert (red.where, red.space, red.gear) == ("road", "10.L2", 1)
    assert table.driver == "blue"


@pytest.mark.rule("GT-PIT-7")
def test_after_a_loss_of_control_there_is_no_pit_stop() -> None:
    table = put("C2", red=on("9.L3", 1), blue=on("0.M1"), dice="1! c! c!")
    table.drive(("10.L1", "1"), ("10.L2", "c"), ("10.L3", "c"))
    assert table.only(ControlLost).gear == 1
    assert table.car("red").space == "10.L3"
    assert table.driver == "blue"


# --- the lanes ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-PIT-2")
def test_the_lane_tyres_exchanges_the_tyres_at_once_and_shows_marker_0() -> None:
    table = at_the_pits(damage={"brakes": 1})
    table.do(PitStop, "tyres")
    red = table.car("red")
    assert (red.where, red.lane, red.tyres, red.gear) == ("pits", "tyres", "rain", 0)
    assert red.tokens[TOKENS.index("brakes")] == 1
    assert table.only(TyresFitted).tyres == "rain"


@pytest.mark.rule("GT-PIT-2")
def test_the_lane_repairs_takes_all_damage_back_into_the_bag_and_shows_marker_00() -> None:
    table = at_the_pits(damage={"brakes": 2, "gearbox": 1})
    table.do(PitStop, "repairs")
    red = table.car("red")
    assert (red.where, red.tyres, red.gear, red.tokens) == ("pits", "asphalt", OFF_ROAD, NO_TOKENS)
    assert sum(table.state.bag) == 42
    assert table.only(PitEntered).repaired == 3
    assert table.all(TyresFitted) == []


@pytest.mark.rule("GT-PIT-2")
def test_the_lane_repairs_and_tyres_does_both_and_shows_marker_00() -> None:
    table = at_the_pits(damage={"coasting": 1})
    table.do(PitStop, "repairs and tyres")
    table.do(FitTyres, "rain")
    red = table.car("red")
    assert (red.where, red.tyres, red.gear, red.tokens) == ("pits", "rain", OFF_ROAD, NO_TOKENS)


@pytest.mark.rule("GT-PIT-2")
def test_the_space_of_a_car_in_the_pits_is_free() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("9.L3", 1), dice="1")
    table.drive(("10.L2", "1"))
    table.do(PitStop, "tyres")
    assert not occupied(table.state, "10.L2")
    table.lay(("10.L1", "1"))
    assert table.spaces() == {"10.L2", "10.M2"}


@pytest.mark.rule("GT-PIT-6")
def test_any_number_of_cars_may_use_a_lane_at_the_same_time() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("5.L1", 1), dice="1 1")
    table.drive(("10.L2", "1")).do(PitStop, "repairs")
    table.drive(("5.L2", "1")).do(PitStop, "repairs")
    assert [event.lane for event in table.all(PitEntered)] == ["repairs", "repairs"]


# --- coming back --------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-PIT-3")
def test_with_marker_0_the_car_returns_to_its_space_and_drives_from_gear_0_in_the_same_turn() -> None:
    table = at_the_pits()
    table.do(PitStop, "tyres")
    table.drive(("7.M2", "1"))
    table.drive(("8.M1", "1"))
    assert table.only(CarReturned).space == "10.L2"
    assert (table.state.round, table.driver, table.phase) == (2, "red", "space")
    assert table.dice_for("10.L3") == ["1"]
    table.drive(("10.L3", "1"))
    assert table.car("red").space == "10.L3"


@pytest.mark.rule("GT-PIT-4")
def test_with_marker_00_the_next_turn_only_changes_the_marker_to_0() -> None:
    table = put("C2", red=on("10.L2", "00", where="pits", lane="repairs"), blue=on("0.M1"))
    assert table.only(PitWorkDone).seat == table.seat("red")
    assert (table.car("red").where, table.car("red").gear) == ("pits", 0)
    assert table.all(CarReturned) == []
    assert table.driver == "blue"


@pytest.mark.rule("GT-PIT-4", "GT-PIT-3")
def test_after_repairs_the_car_drives_in_the_turn_after_the_next() -> None:
    table = at_the_pits()
    table.do(PitStop, "repairs")
    table.drive(("7.M2", "1"))
    table.drive(("8.M1", "1"))  # round 2: red's marker becomes 0
    assert table.driver == "blue"
    table.drive(("8.O1", "1"))
    assert table.only(CarReturned).space == "10.L2"
    assert (table.state.round, table.driver, table.phase) == (3, "red", "space")
    assert table.dice_for("10.L3") == ["1"]


@pytest.mark.rule("GT-PIT-5")
def test_a_car_waits_in_the_pits_while_its_space_is_taken() -> None:
    table = put("C2", red=on("10.L2", 0, where="pits", lane="tyres"), blue=on("10.L2", 1))
    assert table.only(CarWaited).source == "pits"
    red = table.car("red")
    assert (red.where, red.gear, red.marker) == ("pits", 0, "black")
    assert table.driver == "blue"


@pytest.mark.rule("GT-PIT-5")
def test_a_car_that_waited_in_the_pits_returns_once_its_space_is_free() -> None:
    table = put("C2", red=on("10.L2", 0, where="pits", lane="tyres"), blue=on("10.L2", 1), dice="1 1")
    table.drive(("10.M3", "1"))
    table.drive(("11.M1", "1"))
    assert table.only(CarReturned).space == "10.L2"
    assert (table.driver, table.phase) == ("red", "space")


# --- rulings ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-27")
def test_repairs_return_flags_and_weather_tokens_too_but_not_a_flag_still_on_the_road() -> None:
    damage = {"gearbox": 1, "weather": 2, "yellow_flag": 1, "green_flag": 3}
    table = at_the_pits(damage=damage, flags=(12,))
    table.do(PitStop, "repairs")
    assert table.car("red").tokens == NO_TOKENS
    assert table.car("red").flags == (12,)
    assert table.state.bag == (6, 6, 6, 6, 5, 12)
    assert table.state.weather == "dry"


@pytest.mark.rule("GT-RUL-28")
def test_the_lane_tyres_must_change_the_type() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("7.M1"), dice="1", options={"soft_tyres": True})
    table.drive(("10.L2", "1")).do(PitStop, "tyres")
    seat = table.seat("red")
    assert table.legal() == [FitTyres(seat, "rain"), FitTyres(seat, "soft")]
    assert table.refused(FitTyres, "asphalt") == "pit/tyres"


@pytest.mark.rule("GT-RUL-28")
def test_with_repairs_the_old_tyres_may_be_kept() -> None:
    table = at_the_pits()
    table.do(PitStop, "repairs and tyres")
    table.do(FitTyres, "asphalt")
    assert table.car("red").tyres == "asphalt"
    assert table.all(TyresFitted) == []


@pytest.mark.rule("GT-RUL-28")
def test_repairs_are_allowed_without_damage() -> None:
    table = at_the_pits()
    assert table.car("red").tokens == NO_TOKENS
    table.do(PitStop, "repairs")
    assert (table.car("red").where, table.only(PitEntered).repaired) == ("pits", 0)


@pytest.mark.rule("GT-RUL-29")
@pytest.mark.parametrize("lane", ["tyres", "repairs"])
def test_a_driver_in_the_pits_keeps_his_focus(lane: str) -> None:
    table = at_the_pits(focus=5)
    table.do(PitStop, lane)
    assert table.car("red").focus == 5


@pytest.mark.rule("GT-RUL-29")
def test_dashboards_in_the_pits_follow_the_weather() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("10.L2", 0, where="pits", lane="tyres"), bag="weather")
    table.drive(("2.I", "4"))
    # Blue came back at once, on the wet side: one brake die, limit 2.
    allowed = allowance_of(table.state, table.car("blue"))
    assert (table.driver, allowed.brake, allowed.limit) == ("blue", 1, 2)


@pytest.mark.rule("GT-RUL-29")
def test_tyres_fitted_in_the_pits_are_judged_by_the_weather_of_the_moment() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("7.M1"), dice="1", weather="wet")
    table.drive(("10.L2", "1")).do(PitStop, "repairs and tyres")
    assert table.decision().default == FitTyres(table.seat("red"), "rain")
