"""Solo mode: one car against the clock (section 4.19)."""

from __future__ import annotations

import msgspec
import pytest

from engine.gt.actions import PitStop, StayOut
from engine.gt.events import BoxTicked, CarFinished, ControlLost, RaceEnded, TokensDrawn, WeatherChanged
from engine.gt.game import GAME
from engine.gt.material import OFF_ROAD, TOKENS
from engine.gt.solo import clock_time, driving_time, sheet, total_time
from engine.gt.state import Tick, allowance_of
from tests.engine.gt.table import Table, on, put, start

WEATHER = TOKENS.index("weather")


def ticks(table: Table) -> list[tuple[int, int]]:
    """Gear and seconds of every ticked box."""
    return [(tick.gear, tick.seconds) for tick in table.state.ticks]


# --- one car ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-SOLO-1")
def test_alone_there_are_no_pit_stops() -> None:
    table = put("C2", red=on("10.L1", 1), dice="1")
    table.drive(("10.L2", "1"))  # gear 1 at the edge of the road
    assert table.phase == "space"
    assert table.refused(PitStop, "tyres") == "turn/phase"


@pytest.mark.rule("GT-SOLO-1")
def test_in_company_there_are_pit_stops() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("0.L1"), dice="1")
    table.drive(("10.L2", "1"))
    assert StayOut(table.seat("red")) in table.legal()


@pytest.mark.rule("GT-SOLO-1")
def test_alone_a_weather_token_counts_as_a_green_flag() -> None:
    table = put("C2", red=on("2.R1", 4), bag="weather")
    table.drive(("2.I", "4"))
    drawn = table.only(TokensDrawn)
    assert (drawn.tokens, drawn.put_aside) == (("weather",), 0)  # drawn and kept, not replaced
    assert table.car("red").tokens[WEATHER] == 1
    assert (table.state.weather, table.all(WeatherChanged)) == ("dry", [])


@pytest.mark.rule("GT-SOLO-1")
def test_alone_the_other_rules_hold() -> None:
    table = put("C2", red=on("2.R1", 4), bag="brakes")
    table.drive(("2.I", "4"))
    assert table.only(ControlLost).new_gear == OFF_ROAD
    assert allowance_of(table.state, table.car("red")).brake == 2


@pytest.mark.rule("GT-SOLO-2")
def test_with_random_weather_a_weather_token_works_as_usual() -> None:
    table = put("C2", red=on("2.R1", 4), bag="weather", options={"weather_changes": True})
    table.drive(("2.I", "4"))
    assert table.only(WeatherChanged).weather == "wet"
    assert allowance_of(table.state, table.car("red")).limit == 2


@pytest.mark.rule("GT-SOLO-2")
def test_the_sheet_marks_each_turn_dry_or_wet() -> None:
    table = put("C2", red=on("1.R2", 4), dice="4 1", bag="weather", options={"weather_changes": True})
    table.drive(("2.R1", "4"))
    table.drive(("2.I", "c"))  # too fast: off the road, and it begins to rain
    table.drive(("2.M3", "1"))
    assert table.state.ticks[0].weather == "dry"
    # The turn of the return and the one after it.
    assert [tick.weather for tick in table.state.ticks[2:]] == ["wet", "wet"]
    assert [event.weather for event in table.all(BoxTicked)] == [tick.weather for tick in table.state.ticks]


# --- the sheet ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-SOLO-3")
@pytest.mark.parametrize(
    ("gear", "seconds"),
    [(6, 10), (5, 15), (4, 20), (3, 30), (2, 40), (1, 50)],
)
def test_after_each_turn_the_box_of_the_gear_on_the_marker_is_ticked(gear: int, seconds: int) -> None:
    table = put("C2", red=on("10.M1", gear), dice=str(gear))
    table.drive(("10.M2", str(gear)))
    assert ticks(table) == [(gear, seconds)]
    box = table.only(BoxTicked)
    assert (box.column, box.gear, box.seconds) == (1, gear, seconds)


@pytest.mark.rule("GT-SOLO-3")
def test_the_gear_ticked_is_that_at_the_end_of_the_turn() -> None:
    table = put("C2", red=on("10.M1", 2), dice="3 4")
    table.drive(("10.M2", "3"), ("10.M3", "4"))
    assert ticks(table) == [(4, 20)]


@pytest.mark.rule("GT-SOLO-3")
def test_leaving_the_road_ticks_00_and_the_turn_of_the_return_0() -> None:
    table = put("C2", red=on("12.R1", 3))
    table.drive(("12.I", "3"))
    assert ticks(table) == [(OFF_ROAD, 30), (0, 60)]
    assert [event.column for event in table.all(BoxTicked)] == [1, 2]


@pytest.mark.rule("GT-SOLO-3")
def test_a_spin_ticks_0() -> None:
    table = put("C2", red=on("12.R1", 2))
    table.drive(("12.I", "2"))
    assert ticks(table) == [(0, 60)]


@pytest.mark.rule("GT-SOLO-3")
def test_in_company_nothing_is_ticked() -> None:
    table = put("C2", red=on("10.M1", 2), blue=on("0.L1"), dice="2")
    table.drive(("10.M2", "2"))
    assert table.state.ticks == ()


@pytest.mark.rule("GT-SOLO-4")
def test_a_race_may_take_more_than_the_12_turns_of_the_sheet_and_all_count() -> None:
    table = put("C2", red=on("9.M3", 1), dice="1 1")
    earlier = tuple(Tick(1, 50, "dry") for _ in range(11))
    table.state = msgspec.structs.replace(table.state, ticks=earlier)
    table.drive(("10.M1", "1"))
    table.drive(("10.M2", "1"))
    assert [event.column for event in table.all(BoxTicked)] == [12, 13]
    assert sheet(table.state).driving_time == 13 * 50


@pytest.mark.rule("GT-SOLO-5")
def test_the_race_ends_the_moment_the_car_crosses_the_line_and_that_turn_is_ticked() -> None:
    table = put("C2", red=on("0.M1", 3), dice="4 c 5")
    table.drive(("0.M2", "4"), ("0.M3", "c"), ("0.M4", "5"))
    assert ticks(table) == [(5, 15)]
    assert [type(event) for event in table.last][-3:] == [CarFinished, BoxTicked, RaceEnded]
    assert GAME.result(table.state) is not None


@pytest.mark.rule("GT-SOLO-5")
def test_short_of_the_line_the_race_goes_on() -> None:
    table = put("C2", red=on("0.M1", 3), dice="4 c")
    table.drive(("0.M2", "4"), ("0.M3", "c"))
    assert GAME.result(table.state) is None


EX_31 = tuple(
    Tick(gear, seconds, "dry")
    for gear, seconds in [(6, 10), (3, 30), (5, 15), (5, 15), (5, 15), (5, 15), (6, 10), (6, 10)]
)


@pytest.mark.rule("GT-SOLO-6")
def test_ex_31_the_driving_time_is_the_sum_of_all_ticks() -> None:
    assert driving_time(EX_31) == 120
    assert clock_time(driving_time(EX_31)) == "2:00"


@pytest.mark.rule("GT-SOLO-7")
def test_ex_31_each_focus_token_left_is_worth_a_second() -> None:
    assert total_time(EX_31, 23) == 97
    assert clock_time(total_time(EX_31, 23)) == "1:37"


@pytest.mark.rule("GT-SOLO-6", "GT-SOLO-7")
def test_the_result_is_driving_time_less_credit() -> None:
    table = put("C2", red=on("0.M3", 6, focus=7), dice="6")
    table.state = msgspec.structs.replace(table.state, ticks=EX_31)
    table.drive(("0.M4", "6"))
    result = GAME.result(table.state)
    assert result is not None
    assert result.places[0].score == 120 + 10 - 7
    done = sheet(table.state)
    assert (done.driving_time, done.credit, done.total, done.finished) == (130, 7, 123, True)


@pytest.mark.rule("GT-SOLO-7")
def test_spent_focus_gives_no_credit() -> None:
    table = put("C2", red=on("0.M3", 6, focus=0), dice="6")
    table.drive(("0.M4", "6"))
    assert sheet(table.state).total == 10


# --- losing control over the line ---------------------------------------------------------------------------------


@pytest.mark.rule("GT-SOLO-8")
def test_a_spin_over_the_line_is_charged_as_gear_0() -> None:
    table = put("C2", red=on("0.M2", 1), weather="wet", dice="1! 2!")
    table.drive(("0.M3", "1"), ("0.M4", "2"))
    assert table.only(ControlLost).new_gear == 0
    assert ticks(table) == [(0, 60)]
    assert sheet(table.state).finished


@pytest.mark.rule("GT-SOLO-8")
def test_leaving_the_road_over_the_line_is_charged_as_00_and_0_together() -> None:
    table = put("C2", red=on("0.M2", 3), weather="wet", dice="4! 5!")
    table.drive(("0.M3", "4"), ("0.M4", "5"))
    assert ticks(table) == [(OFF_ROAD, 90)]
    assert sheet(table.state).finished


@pytest.mark.rule("GT-SOLO-8")
def test_with_finish_in_control_there_is_no_such_charge_and_the_race_goes_on() -> None:
    table = put(
        "C2",
        red=on("0.M2", 3),
        weather="wet",
        dice="4! 5! 1",
        bag="green_flag",
        options={"finish_in_control": True},
    )
    table.drive(("0.M3", "4"), ("0.M4", "5"))
    assert ticks(table) == [(OFF_ROAD, 30), (0, 60)]
    assert GAME.result(table.state) is None
    table.drive(("1.M1", "1"))
    assert ticks(table) == [(OFF_ROAD, 30), (0, 60), (1, 50)]
    assert sheet(table.state).finished


# --- what the sheet says ------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-SOLO-9")
def test_the_sheet_records_circuit_driver_date_class_tyres_and_weather() -> None:
    table = start("C6", "ann", weather_start="wet", tyre_choice="rain", car_class="GT5 BOP")
    written = sheet(table.state, date="2025-11-18")
    assert (written.circuit, written.driver, written.date) == ("C6", "ann", "2025-11-18")
    assert (written.car_class, written.tyres, written.weather) == ("GT5 BOP", "rain", "wet")
    assert not written.finished


@pytest.mark.rule("GT-SOLO-9")
def test_the_sheet_of_a_circuit_without_a_name_records_its_code() -> None:
    code = "GT1-102a-105al-105al-106al-103a-106al-115al-115al"
    assert sheet(start(code, "ann").state).circuit == code
