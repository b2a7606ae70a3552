"""The end of the race: crossing the line, places, retiring, stopping (sections 4.16, 5 and 8)."""

from __future__ import annotations

import pytest

from engine.core.game import Place
from engine.core.model import Seat
from engine.gt.actions import ChooseSpace, FinishPlan, FlatOut, LoseControlAt, Retire, Roll, Stop, StopRace
from engine.gt.events import (
    CarFinished,
    CarMoved,
    CarRetired,
    CarReturned,
    ControlLost,
    DiceRolled,
    LineCrossed,
    RaceEnded,
    TokensDrawn,
)
from engine.gt.game import GAME
from engine.gt.material import OFF_ROAD
from engine.gt.state import occupied
from tests.engine.gt.table import Table, on, put, start


def places(table: Table) -> list[tuple[str, str]]:
    """The classification by name, with each driver's status."""
    result = GAME.result(table.state)
    assert result is not None, "the race is still running"
    assert [place.place for place in result.places] == list(range(1, len(result.places) + 1))
    return [(table.state.entrants[place.seat].name, place.status) for place in result.places]


def way(table: Table) -> str:
    result = GAME.result(table.state)
    assert result is not None, "the race is still running"
    return result.way


# --- crossing the line --------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-END-1")
def test_the_first_car_over_the_line_wins_at_once() -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("0.L3", 2), green=on("7.M1"), dice="2")
    table.drive(("0.M4", "2"))
    finished = table.only(CarFinished)
    assert (finished.seat, finished.place) == (table.seat("red"), 1)
    assert table.car("red").where == "finished"


@pytest.mark.rule("GT-END-1", "GT-RUL-12")
def test_who_crosses_first_in_the_order_of_turns_wins_not_who_gets_further() -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("0.L3", 6), green=on("7.M1"), dice="2 6")
    table.drive(("0.M4", "2"))
    table.drive(("0.L4", "6"))
    assert places(table) == [("red", "finished"), ("blue", "finished"), ("green", "racing")]


@pytest.mark.rule("GT-END-2")
def test_the_race_goes_on_for_the_places_until_one_car_is_left() -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("0.L3", 2), green=on("7.M1"), dice="2 2")
    table.drive(("0.M4", "2"))
    assert GAME.result(table.state) is None
    assert table.driver == "blue"
    table.drive(("0.L4", "2"))
    assert places(table) == [("red", "finished"), ("blue", "finished"), ("green", "racing")]
    assert way(table) == "all"
    assert table.only(RaceEnded).order == (table.seat("red"), table.seat("blue"), table.seat("green"))
    assert list(GAME.decisions(table.state)) == []


@pytest.mark.rule("GT-END-3")
def test_crossing_the_line_from_the_grid_begins_lap_1() -> None:
    table = start("C2", "ann", "ben")
    pole = table.state.entrants[table.turn.seat].name
    assert table.car(pole).space == "0.R3"
    table.lay(("0.R4", "1")).do(FinishPlan)
    table.default()
    table.do(Roll)
    assert table.only(LineCrossed).lap == 1
    assert table.car(pole).crossings == 1
    assert GAME.result(table.state) is None


@pytest.mark.rule("GT-END-3")
@pytest.mark.parametrize(("crossings", "finished"), [(1, False), (2, True)])
def test_a_race_over_two_laps_is_finished_by_the_third_crossing(crossings: int, finished: bool) -> None:
    table = put("C2", red=on("0.M3", 2, crossings=crossings), blue=on("7.M1"), dice="2", options={"laps": 2})
    table.drive(("0.M4", "2"))
    assert table.only(LineCrossed).lap == crossings + 1
    assert (table.car("red").where == "finished") is finished


@pytest.mark.rule("GT-END-4")
@pytest.mark.parametrize("space", ["0.L4", "0.M4", "0.R4"])
def test_a_car_has_crossed_when_it_enters_a_space_whose_rear_edge_lies_on_the_line(space: str) -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("7.M1"), dice="2")
    table.drive((space, "2"))
    assert table.car("red").where == "finished"


@pytest.mark.rule("GT-END-4")
def test_a_car_whose_front_edge_touches_the_line_has_not_crossed() -> None:
    table = put("C2", red=on("0.M2", 2), blue=on("7.M1"), dice="2")
    table.drive(("0.M3", "2"))
    assert table.all(LineCrossed) == []
    assert (table.car("red").where, table.car("red").crossings) == ("road", 1)


@pytest.mark.rule("GT-END-5")
def test_on_the_last_lap_a_plan_ends_on_the_first_space_beyond_the_line() -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("7.M1"))
    table.lay(("0.M4", "2"))
    assert table.spaces() == set()
    assert table.refused(ChooseSpace, "1.M1") == "plan/ended"


@pytest.mark.rule("GT-END-5")
def test_on_an_earlier_lap_a_plan_goes_on_beyond_the_line() -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("7.M1"), options={"laps": 2})
    table.lay(("0.M4", "2"))
    assert table.spaces() == {"1.L1", "1.M1", "1.R1"}


@pytest.mark.rule("GT-END-6")
def test_a_finished_car_leaves_the_circuit_at_once() -> None:
    table = put("C2", red=on("0.M3", 6), blue=on("0.M2", 1), green=on("7.M1"), dice="6 1 2")
    table.drive(("0.M4", "6"))
    assert not occupied(table.state, "0.M4")
    # Neither taken nor held: in gear 2 nobody could pass a car in gear 6.
    table.drive(("0.M3", "1"), ("0.M4", "2"))
    assert table.car("blue").where == "finished"


# --- losing control at the line -----------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-9")
def test_ex_30_a_car_that_loses_control_beyond_the_line_has_finished_and_draws_nothing() -> None:
    table = put("C2", red=on("14.M3", 3), blue=on("7.M1"), dice="4! 5! c 6!")
    table.drive(("0.M1", "4"), ("0.M2", "5"), ("0.M3", "c"), ("0.M4", "6"))
    assert table.only(ControlLost).tokens == 0
    assert table.all(TokensDrawn) == []
    assert places(table) == [("red", "finished"), ("blue", "racing")]


@pytest.mark.rule("GT-RUL-9")
def test_a_car_that_loses_control_before_the_line_has_not_finished() -> None:
    table = put("C2", red=on("14.M3", 3), blue=on("7.M1"), dice="4! 5! c!", bag="green_flag")
    table.drive(("0.M1", "4"), ("0.M2", "5"), ("0.M3", "c"), ("0.M4", "6"))
    assert table.only(ControlLost).space == "0.M3"
    assert len(table.only(TokensDrawn).tokens) == 1
    assert (table.car("red").where, table.car("red").crossings) == ("verge", 1)


def failed_flat_out_at_the_line() -> Table:
    """In the wet two hazards are too many: they can be laid to fall before the line or beyond it."""
    table = put("C2", red=on("0.M1", 3), blue=on("7.M1"), weather="wet", dice="4! c! 5")
    table.flat_out(("0.M2", "4"), ("0.M3", "c"), ("0.M4", "5"))
    assert table.phase == "relay"
    return table


@pytest.mark.rule("GT-RUL-9")
def test_flat_out_the_driver_may_lay_the_dice_so_that_he_loses_control_beyond_the_line() -> None:
    table = failed_flat_out_at_the_line()
    table.do(LoseControlAt, "0.M4")
    assert table.all(TokensDrawn) == []
    assert places(table) == [("red", "finished"), ("blue", "racing")]


@pytest.mark.rule("GT-RUL-9")
def test_flat_out_laid_to_fall_before_the_line_the_car_has_not_finished() -> None:
    table = failed_flat_out_at_the_line()
    table.do(LoseControlAt, "0.M3")
    assert GAME.result(table.state) is None
    assert table.car("red").where == "verge"


@pytest.mark.rule("GT-RUL-9")
def test_with_finish_in_control_the_car_returns_and_finishes_when_it_next_drives_off() -> None:
    table = put(
        "C2",
        red=on("0.M2", 3),
        blue=on("7.M1"),
        weather="wet",
        dice="4! 5! 1 1 1 1",
        bag="brakes",
        options={"finish_in_control": True},
    )
    table.drive(("0.M3", "4"), ("0.M4", "5"))
    assert table.all(CarFinished) == []
    assert table.only(TokensDrawn).tokens == ("brakes",)
    assert (table.car("red").where, table.car("red").gear) == ("verge", OFF_ROAD)
    table.drive(("7.M2", "1"))
    table.drive(("8.M1", "1"))
    assert table.only(CarReturned).space == "0.M4"
    assert table.all(CarFinished) == []
    table.drive(("8.O1", "1"))
    assert table.driver == "red"
    table.drive(("1.M1", "1"))
    assert table.only(CarFinished).seat == table.seat("red")


@pytest.mark.rule("GT-RUL-9")
def test_with_finish_in_control_a_car_that_keeps_control_finishes_as_usual() -> None:
    table = put("C2", red=on("0.M3", 2), blue=on("7.M1"), dice="2!", options={"finish_in_control": True})
    table.drive(("0.M4", "2"))
    assert table.car("red").where == "finished"


@pytest.mark.rule("GT-RUL-10")
def test_flat_out_over_the_line_no_dice_are_rolled_for_spaces_after_the_race() -> None:
    table = put("C2", red=on("0.M2", 4), blue=on("7.M1"), dice="5 6")
    table.lay(("0.M3", "5"), ("0.M4", "6"))
    assert table.refused(ChooseSpace, "1.M1") == "plan/ended"
    table.do(FinishPlan)
    table.do(FlatOut)
    assert [die.die for die in table.only(DiceRolled).dice] == ["5", "6"]
    assert len(table.all(CarMoved)) == 2
    assert table.car("red").focus == 2
    assert table.car("red").where == "finished"


@pytest.mark.rule("GT-RUL-11")
def test_on_an_earlier_lap_the_lap_counts_although_control_was_lost_beyond_the_line() -> None:
    table = put("C2", red=on("0.M2", 3), blue=on("7.M1"), weather="wet", dice="4! 5! 1 1", bag="brakes",
                options={"laps": 2})  # fmt: skip
    table.drive(("0.M3", "4"), ("0.M4", "5"))
    assert table.only(ControlLost).space == "0.M4"
    assert (table.car("red").where, table.car("red").crossings) == ("verge", 2)
    table.drive(("7.M2", "1"))
    table.drive(("8.M1", "1"))
    assert (table.car("red").where, table.car("red").space, table.car("red").crossings) == ("road", "0.M4", 2)


# --- places -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-12")
def test_cars_that_have_not_finished_are_ranked_by_distance_and_laps_count() -> None:
    table = put(
        "C2",
        red=on("5.M2", 1),
        blue=on("0.M4", 1, crossings=2),
        green=on("10.M2", 1),
        finished=["zoe"],
        options={"laps": 2},
    )
    table.do(StopRace, by="red")
    assert places(table) == [("zoe", "finished"), ("blue", "racing"), ("green", "racing"), ("red", "racing")]


@pytest.mark.rule("GT-RUL-12")
def test_at_equal_distance_the_car_nearer_the_inside_of_the_next_corner_is_ahead() -> None:
    table = put("C2", red=on("5.M2", 3), blue=on("5.R2", 1), finished=["zoe"], green=on("5.L2", 6))
    table.do(StopRace, by="red")
    assert [name for name, _ in places(table)] == ["zoe", "blue", "red", "green"]


@pytest.mark.rule("GT-RUL-12")
def test_cars_beside_the_road_or_in_the_pits_are_ranked_by_the_space_they_will_return_to() -> None:
    table = put(
        "C2",
        red=on("7.M1", 5),
        blue=on("10.M2", "00", marker="black"),
        green=on("8.L3", 0, where="pits", marker="black"),
        finished=["zoe"],
    )
    table.do(StopRace, by="red")
    assert [name for name, _ in places(table)] == ["zoe", "blue", "green", "red"]


# --- retiring and stopping (section 5) ----------------------------------------------------------------------------


def test_a_driver_may_retire_before_his_turn_and_is_classified_behind_those_racing() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1), green=on("3.L1", 1))
    assert Retire(table.seat("blue")) in table.legal("blue")
    table.do(Retire, by="blue")
    assert table.only(CarRetired).seat == table.seat("blue")
    assert (table.car("blue").where, table.driver) == ("retired", "red")
    table.do(Retire)
    assert places(table) == [("green", "racing"), ("red", "retired"), ("blue", "retired")]
    assert way(table) == "walkover"


def test_a_driver_who_retires_in_his_own_turn_hands_it_on() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1), green=on("3.L1", 1))
    table.do(Retire)
    assert table.driver == "blue"
    assert not occupied(table.state, "5.M2")


def test_nobody_retires_while_dice_roll() -> None:
    table = put("C2", red=on("5.M1", 1), blue=on("10.M2", 1), green=on("3.L1", 1), dice="1")
    table.one_by_one(("5.M2", "1"), ("5.M3", "2"))
    table.do(Roll)
    assert table.refused(Retire) == "retire/not_now"
    assert table.refused(Retire, by="blue") == "retire/not_now"
    assert Retire(table.seat("blue")) not in table.legal("blue")


def test_nobody_retires_twice_or_after_finishing() -> None:
    table = put("C2", red=on("5.M1", 1), blue=on("10.M2", 1), green=on("3.L1", 1), finished=["zoe"])
    table.do(Retire, by="blue")
    assert table.refused(Retire, by="blue") == "retire/not_now"
    assert table.refused(Retire, by="zoe") == "retire/not_now"


def test_a_retired_driver_has_no_more_turns() -> None:
    table = put("C2", red=on("5.M1", 1), blue=on("10.M2", 1), green=on("7.M1", 1), dice="1 1")
    table.do(Retire, by="blue")
    table.drive(("5.M2", "1"))
    table.drive(("7.M2", "1"))
    assert (table.state.round, table.driver) == (2, "green")
    assert table.order == ["green", "red"]


def test_the_host_may_stop_the_race_after_the_first_car_has_finished() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1), green=on("3.L1", 1), finished=["zoe"], host="blue")
    assert StopRace(table.seat("blue")) in table.legal("blue")
    table.do(StopRace, by="blue")
    assert places(table) == [("zoe", "finished"), ("blue", "racing"), ("red", "racing"), ("green", "racing")]
    assert way(table) == "stopped"


def test_only_the_host_may_stop_the_race() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1), green=on("3.L1", 1), finished=["zoe"], host="blue")
    assert table.refused(StopRace, by="red") == "race/stop"
    assert StopRace(table.seat("red")) not in table.legal()


def test_the_race_is_not_stopped_before_a_car_has_finished() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1), green=on("3.L1", 1))
    assert table.refused(StopRace, by="red") == "race/stop"


def test_the_race_is_not_stopped_while_dice_roll() -> None:
    table = put("C2", red=on("5.M1", 1), blue=on("10.M2", 1), green=on("3.L1", 1), finished=["zoe"], dice="1")
    table.one_by_one(("5.M2", "1"), ("5.M3", "2"))
    table.do(Roll)
    assert table.refused(StopRace, by="red") == "race/stop"
    table.do(Stop)
    table.do(StopRace, by="red")
    assert way(table) == "stopped"


# --- ways of ending -----------------------------------------------------------------------------------------------


def test_while_the_race_runs_there_is_no_result() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1))
    assert GAME.result(table.state) is None


def test_when_all_have_retired_but_one_he_wins_by_walkover() -> None:
    table = put("C2", red=on("5.M2", 1), blue=on("10.M2", 1))
    table.do(Retire, by="blue")
    assert places(table) == [("red", "racing"), ("blue", "retired")]
    assert way(table) == "walkover"


def test_alone_who_retires_ends_the_race_without_a_time() -> None:
    table = put("C2", red=on("5.M2", 1))
    table.do(Retire)
    result = GAME.result(table.state)
    assert result is not None
    assert (result.way, result.places) == ("retired", (Place(Seat(0), 1, "retired", 0),))


def test_alone_the_finish_gives_a_time() -> None:
    table = put("C2", red=on("0.M3", 3, focus=4), dice="3")
    table.drive(("0.M4", "3"))
    result = GAME.result(table.state)
    assert result is not None
    assert (result.way, result.places) == ("solo", (Place(Seat(0), 1, "finished", 26),))


def test_after_the_end_nothing_is_accepted() -> None:
    table = put("C2", red=on("0.M3", 3), blue=on("7.M1"), dice="3")
    table.drive(("0.M4", "3"))
    assert table.refused(Retire, by="blue") == "race/stage"
    assert table.refused(ChooseSpace, "7.M2", by="blue") == "race/stage"
    assert table.legal("blue") == []
