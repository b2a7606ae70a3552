"""Losing control: causes, place, table, off the road and back (sections 4.12 and 8, "Losing control")."""

from __future__ import annotations

import pytest

from engine.gt.actions import ChooseSide, Roll
from engine.gt.events import (
    Blocked,
    CarMoved,
    CarReturned,
    CarWaited,
    ControlLost,
    DiceRolled,
    LeftRoad,
    TokensDrawn,
    TurnEnded,
    TurnStarted,
    WeatherChanged,
    YellowFlag,
)
from engine.gt.material import OFF_ROAD
from tests.engine.gt.table import on, put

GREEN = "green_flag green_flag green_flag green_flag"

# --- causes, place, gear, level -----------------------------------------------------------------------------------


@pytest.mark.rule("GT-LOC-1")
def test_control_is_lost_when_the_hazards_reach_the_limit() -> None:
    table = put("C0", red=on("0.M4", 3), dice="4! c! 5!", bag=GREEN)
    table.drive(("1.M1", "4"), ("1.M2", "c"), ("2.M1", "5"))
    assert table.only(ControlLost).cause == "hazards"


@pytest.mark.rule("GT-LOC-1")
def test_one_hazard_below_the_limit_is_no_loss_of_control() -> None:
    table = put("C0", red=on("0.M4", 3), dice="4! c! 5")
    table.drive(("1.M1", "4"), ("1.M2", "c"), ("2.M1", "5"))
    assert table.all(ControlLost) == []
    assert table.car("red").gear == 5


@pytest.mark.rule("GT-LOC-1")
def test_control_is_lost_on_a_space_entered_over_its_limit() -> None:
    table = put("C0", red=on("6.M1", 3))
    table.drive(("6.O1", "4"))  # limit 3
    assert table.only(ControlLost).cause == "speed"


@pytest.mark.rule("GT-LOC-1")
def test_a_space_entered_in_the_gear_of_its_limit_is_no_loss_of_control() -> None:
    table = put("C0", red=on("6.M1", 3), dice="3")
    table.drive(("6.O1", "3"))
    assert table.all(ControlLost) == []


@pytest.mark.rule("GT-LOC-2", "GT-LOC-5")
def test_control_is_lost_on_the_space_of_the_decisive_hazard_and_the_rest_of_the_plan_is_not_driven() -> None:
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), dice="4! c! 5!", bag=GREEN)
    table.drive(("1.M1", "4"), ("1.M2", "c"), ("2.M1", "5"), ("2.M2", "6"), ("3.M1", "c"))
    assert table.only(ControlLost).space == "2.M1"
    assert table.car("red").space == "2.M1"
    assert table.driver == "blue"


@pytest.mark.rule("GT-LOC-2")
def test_control_is_lost_on_the_space_on_which_the_limit_was_exceeded() -> None:
    table = put("C0", red=on("5.M3", 4), dice="4")
    table.drive(("6.M1", "4"), ("6.O1", "c"))
    assert table.only(ControlLost).space == "6.O1"


@pytest.mark.rule("GT-LOC-3")
def test_the_gear_of_a_loss_is_that_of_the_step_onto_its_space() -> None:
    # From gear 3 over 4 and 5; gear 6 was planned, too.
    table = put("C0", red=on("0.M4", 3), dice="4! c! 5!", bag=GREEN)
    table.drive(("1.M1", "4"), ("1.M2", "c"), ("2.M1", "5"), ("2.M2", "6"))
    assert table.only(ControlLost).gear == 5


@pytest.mark.rule("GT-LOC-3")
@pytest.mark.parametrize(
    ("start", "line", "level"),
    [
        # Out of the orange tile 3 onto the yellow tile 4, and out of that onto the orange tile 5.
        ("3.M1", ("3.M2", "3.M3", "4.M1"), "yellow"),
        ("3.M3", ("4.M1", "4.M2", "5.M1"), "orange"),
    ],
)
def test_the_danger_level_is_that_of_the_tile_on_which_control_is_lost(
    start: str, line: tuple[str, str, str], level: str
) -> None:
    table = put("C0", red=on(start, 3), dice="3! c! c!")
    table.drive((line[0], "3"), (line[1], "c"), (line[2], "c"))
    assert table.only(ControlLost).level == level


# --- the table ----------------------------------------------------------------------------------------------------

# A straight step over a line with limit 1, on a tile of each danger level.
SHARP = {"yellow": ("C2", "3.R3", "4.I"), "orange": ("C2", "2.R1", "2.I"), "red": ("C3", "6.R1", "6.I")}


@pytest.mark.rule("GT-LOC-4")
@pytest.mark.parametrize(
    ("gear", "level", "new_gear", "tokens"),
    [
        (2, "yellow", 0, 0),
        (2, "orange", 0, 0),
        (2, "red", 0, 0),
        (3, "yellow", OFF_ROAD, 0),
        (3, "orange", OFF_ROAD, 0),
        (3, "red", OFF_ROAD, 1),
        (4, "yellow", OFF_ROAD, 0),
        (4, "orange", OFF_ROAD, 1),
        (4, "red", OFF_ROAD, 2),
        (5, "yellow", OFF_ROAD, 1),
        (5, "orange", OFF_ROAD, 2),
        (5, "red", OFF_ROAD, 3),
        (6, "yellow", OFF_ROAD, 2),
        (6, "orange", OFF_ROAD, 3),
        (6, "red", OFF_ROAD, 4),
    ],
)
def test_the_table_gives_new_gear_and_number_of_tokens(gear: int, level: str, new_gear: int, tokens: int) -> None:
    track, start, corner = SHARP[level]
    table = put(track, red=on(start, gear), blue=on("0.L1"), bag=GREEN)
    table.drive((corner, str(gear)))
    lost = table.only(ControlLost)
    assert (lost.gear, lost.level, lost.new_gear, lost.tokens) == (gear, level, new_gear, tokens)
    assert table.car("red").gear == new_gear
    assert sum(table.car("red").tokens) == tokens


@pytest.mark.rule("GT-LOC-4")
def test_control_lost_in_gear_1_is_a_spin_without_damage_even_on_a_red_tile() -> None:
    table = put("C7", red=on("1.L1", 1), blue=on("0.L1"), dice="1! c! c!")
    table.drive(("1.L2", "1"), ("1.L3", "c"), ("2.L1", "c"))
    lost = table.only(ControlLost)
    assert (lost.gear, lost.new_gear, lost.tokens) == (1, 0, 0)
    assert table.all(TokensDrawn) == []


# --- gear 0 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-LOC-6")
def test_with_new_gear_0_the_car_stays_on_its_space_facing_backwards() -> None:
    table = put("C2", red=on("3.R3", 2), blue=on("0.L1"))
    table.drive(("4.I", "2"))
    red = table.car("red")
    assert (red.space, red.where, red.gear, red.spun) == ("4.I", "road", 0, True)


@pytest.mark.rule("GT-LOC-6")
def test_a_spun_car_drives_normally_from_gear_0_in_its_next_turn() -> None:
    table = put("C2", red=on("3.R3", 2), dice="1 2")
    table.drive(("4.I", "2"))
    assert table.dice_for("5.M1") == ["1"]
    table.drive(("5.M1", "1"), ("5.M2", "2"))
    red = table.car("red")
    assert (red.space, red.gear, red.spun) == ("5.M2", 2, False)


@pytest.mark.rule("GT-RUL-31")
def test_a_spun_car_is_passed_as_a_car_in_gear_0_and_keeps_its_space() -> None:
    table = put("C2", red=on("10.M1", 1), blue=on("10.L1", 1), dice="1! c! c! 1")
    table.drive(("10.M2", "1"), ("10.M3", "c"), ("11.M1", "c"))
    assert table.car("red").spun
    table.lay(("10.L2", "1"), ("10.L3", "c"))
    assert table.spaces() == {"11.L1"}  # beside the spun car in gear 1, but not onto its space
    assert "c" in table.dice_for("11.L1")


@pytest.mark.rule("GT-RUL-31")
def test_a_car_that_drives_is_a_harder_obstacle_than_a_spun_one() -> None:
    table = put("C2", red=on("11.M1", 3), blue=on("10.L3", 1), turn="blue")
    assert table.only(Blocked).seat == table.seat("blue")  # in gear 2 at best, not 3


# --- gear 00 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-LOC-7")
@pytest.mark.parametrize(
    ("start", "target", "side"),
    [("2.L1", "2.O1", "left"), ("2.L1", "2.I", "right"), ("8.L1", "8.I", "left"), ("8.R1", "8.O1", "right")],
)
def test_with_new_gear_00_the_car_is_put_beside_the_road_on_the_nearest_side(
    start: str, target: str, side: str
) -> None:
    table = put("C2", red=on(start, 4), blue=on("0.L1"), bag=GREEN)
    table.drive((target, "4"))
    red = table.car("red")
    assert (red.where, red.gear, red.side, red.space) == ("verge", OFF_ROAD, side, target)
    assert table.only(LeftRoad).side == side


@pytest.mark.rule("GT-LOC-7")
def test_the_space_of_a_car_that_left_the_road_is_free() -> None:
    table = put("C2", red=on("2.L1", 4), blue=on("1.L2", 3), dice="2 c", bag=GREEN)
    table.drive(("2.O1", "4"))
    table.drive(("2.L1", "2"), ("2.O1", "c"))
    assert table.car("blue").space == "2.O1" == table.car("red").space


@pytest.mark.rule("GT-LOC-7")
@pytest.mark.parametrize("side", ["left", "right"])
def test_from_a_space_that_touches_neither_edge_the_driver_chooses_the_side(side: str) -> None:
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), dice="3! c! c!", options={"ask_side": True})
    table.drive(("1.M1", "3"), ("1.M2", "c"), ("2.M1", "c"))
    assert (table.driver, table.phase) == ("red", "side")
    table.do(ChooseSide, side)
    assert table.car("red").side == side
    assert table.driver == "blue"


@pytest.mark.rule("GT-LOC-7", "GT-RUL-30")
def test_at_the_edge_of_the_road_no_side_is_asked_for() -> None:
    table = put("C0", red=on("0.R4", 3), blue=on("0.L1"), dice="3! c! c!", options={"ask_side": True})
    table.drive(("1.R1", "3"), ("1.R2", "c"), ("2.R1", "c"))
    assert table.car("red").side == "right"
    assert table.driver == "blue"


@pytest.mark.rule("GT-RUL-30")
@pytest.mark.parametrize("side", ["left", "right"])
def test_the_car_returns_to_the_same_space_whichever_side_it_went_off(side: str) -> None:
    table = put("C0", red=on("0.M4", 3), dice="3! c! c!", options={"ask_side": True})
    table.drive(("1.M1", "3"), ("1.M2", "c"), ("2.M1", "c"))
    table.do(ChooseSide, side)
    red = table.car("red")
    assert (red.where, red.space, red.side) == ("road", "2.M1", None)


@pytest.mark.rule("GT-RUL-30")
def test_a_merged_space_goes_off_to_the_edge_it_touches() -> None:
    table = put("C6", red=on("4.M1", 3), blue=on("0.L1"), dice="3! c! c!", options={"ask_side": True})
    table.drive(("4.M2", "3"), ("4.M3", "c"), ("5.LM1", "c"))
    assert table.car("red").space == "5.LM1"
    assert table.car("red").side == "left"


# --- coming back --------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-OFF-1")
def test_a_car_beside_the_road_returns_in_its_next_turn_and_does_nothing_else_in_it() -> None:
    table = put("C2", red=on("10.M2", "00"), blue=on("0.L1"))
    red = table.car("red")
    assert (red.space, red.where, red.gear) == ("10.M2", "road", 0)
    assert [type(event) for event in table.events[:3]] == [TurnStarted, CarReturned, TurnEnded]
    assert table.driver == "blue"


@pytest.mark.rule("GT-OFF-1", "GT-LOC-6")
def test_after_leaving_the_road_two_turns_pass_before_the_car_drives_from_gear_0() -> None:
    table = put("C2", red=on("12.L1", 4), dice="1", bag="green_flag")
    table.drive(("12.O1", "4"))
    # Alone, the turn of the return is over at once; now the turn after it has begun.
    assert [event.gear for event in table.all(TurnStarted)] == [4, OFF_ROAD, 0]
    assert table.only(CarReturned).space == "12.O1"
    assert table.car("red").spun
    assert table.dice_for("12.O2") == ["1"]
    table.drive(("12.O2", "1"))
    assert table.car("red").space == "12.O2"


@pytest.mark.rule("GT-OFF-2")
def test_a_car_waits_beside_the_road_while_its_space_is_taken() -> None:
    table = put("C2", red=on("10.M2", "00"), blue=on("10.M2", 1), dice="1")
    red = table.car("red")
    assert table.only(CarWaited).source == "verge"
    assert (red.where, red.gear, red.marker) == ("verge", OFF_ROAD, "black")
    assert table.driver == "blue"


@pytest.mark.rule("GT-OFF-2")
def test_a_car_that_had_to_wait_returns_in_the_next_round_once_its_space_is_free() -> None:
    table = put("C2", red=on("10.M2", "00"), blue=on("10.M2", 1), dice="1 1")
    table.drive(("10.M3", "1"))
    assert (table.state.round, table.driver) == (2, "blue")
    table.drive(("11.M1", "1"))
    assert table.only(CarReturned).space == "10.M2"
    assert (table.car("red").where, table.car("red").gear) == ("road", 0)


@pytest.mark.rule("GT-OFF-3")
def test_of_two_cars_with_the_same_marker_the_one_that_left_the_road_first_plays_first() -> None:
    table = put("C2", red=on("10.M2", "00", left_at=2), blue=on("3.L1", "00", left_at=1), turn=None)
    assert [event.seat for event in table.all(CarReturned)] == [table.seat("blue"), table.seat("red")]


@pytest.mark.rule("GT-OFF-3")
def test_of_two_cars_that_want_the_same_space_the_one_that_left_the_road_first_gets_it() -> None:
    table = put("C2", red=on("10.M2", "00", left_at=2), blue=on("10.M2", "00", left_at=1), turn=None)
    assert table.all(CarReturned)[0].seat == table.seat("blue")
    assert table.all(CarWaited)[0].seat == table.seat("red")


@pytest.mark.rule("GT-OFF-3")
def test_of_two_cars_off_the_road_with_different_markers_0_plays_before_00() -> None:
    table = put(
        "C2",
        red=on("10.M2", "00", left_at=1),
        blue=on("10.L2", 0, where="pits", lane="tyres", left_at=2),
        turn=None,
    )
    assert table.order == ["blue", "red"]


# --- what a loss sets off -----------------------------------------------------------------------------------------


@pytest.mark.rule("GT-LOC-8")
def test_all_tokens_of_a_loss_are_drawn_before_any_takes_effect() -> None:
    table = put("C2", red=on("2.R1", 6), blue=on("0.L1"), bag="weather yellow_flag weather")
    table.drive(("2.I", "6"))
    assert table.only(TokensDrawn).tokens == ("weather", "yellow_flag", "weather")
    # The first weather token had not switched anything when the second came to cancel it.
    assert table.all(WeatherChanged) == []
    kinds = [type(event) for event in table.last]
    assert kinds.index(TokensDrawn) < kinds.index(YellowFlag)


@pytest.mark.rule("GT-LOC-5")
def test_no_die_is_rolled_and_no_step_made_after_the_loss() -> None:
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), dice="4! c! 5!", bag=GREEN)
    table.one_by_one(("1.M1", "4"), ("1.M2", "c"), ("2.M1", "5"), ("2.M2", "6"))
    table.do(Roll)
    table.do(Roll)
    table.do(Roll)
    assert len(table.all(DiceRolled)) == len(table.all(CarMoved)) == 3
    assert table.only(TurnEnded).gear == OFF_ROAD
    assert table.refused(Roll, by="red") == "turn/not_yours"


@pytest.mark.rule("GT-RUL-32")
def test_a_loss_counts_as_the_weather_was_when_it_happened_and_the_change_it_draws_comes_after() -> None:
    # On asphalt tyres the limit is 2 in the wet: the second hazard is one too many, although it is dry afterwards.
    table = put("C2", red=on("10.L1", 3), blue=on("0.L1"), weather="wet", dice="4! c!", bag="weather")
    table.drive(("10.L2", "4"), ("10.L3", "c"))
    assert table.only(ControlLost).tokens == 1
    assert table.only(WeatherChanged).weather == "dry"
    kinds = [type(event) for event in table.last]
    assert kinds.index(ControlLost) < kinds.index(WeatherChanged)
    assert table.car("red").gear == OFF_ROAD
