"""Rounds, turn order and the course of a turn (rules, sections 4.2, 4.3, 4.14)."""

from __future__ import annotations

import pytest

from engine.gt.actions import (
    ChooseSpace,
    FinishPlan,
    FlatOut,
    OneByOne,
    PitStop,
    Retire,
    Roll,
    StayOut,
    Stop,
)
from engine.gt.circuit import load_circuit, next_inside
from engine.gt.events import (
    Blocked,
    CarMoved,
    CarReturned,
    CarWaited,
    ControlLost,
    DriverStopped,
    FlagsLifted,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from engine.gt.material import OFF_ROAD
from engine.gt.rules.order import distance
from tests.engine.gt.table import Table, on, put, start


def play_a_round(table: Table) -> list[str]:
    """Let the clock drive until the next round starts; the drivers in the order of their turns."""
    rounds, turns = len(table.all(RoundStarted)), len(table.all(TurnEnded))
    while len(table.all(RoundStarted)) == rounds:
        table.default()
    return [table.state.entrants[event.seat].name for event in table.all(TurnEnded)[turns:]]


# --- rounds ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ROUND-1")
def test_rounds_alternate_and_every_car_takes_one_turn_in_each() -> None:
    table = start("C2", "ann", "ben", "cid")
    assert sorted(play_a_round(table)) == ["ann", "ben", "cid"]
    assert sorted(play_a_round(table)) == ["ann", "ben", "cid"]
    assert sorted(play_a_round(table)) == ["ann", "ben", "cid"]
    rounds = [(event.number, event.colour) for event in table.all(RoundStarted)]
    assert rounds == [(1, "white"), (2, "black"), (3, "white"), (4, "black")]


@pytest.mark.rule("GT-ROUND-1")
def test_only_cars_still_racing_take_turns() -> None:
    table = start("C2", "ann", "ben", "cid")
    table.do(Retire, by="ben")
    assert sorted(play_a_round(table)) == ["ann", "cid"]


@pytest.mark.rule("GT-ROUND-2")
def test_a_car_whose_marker_shows_the_colour_of_the_round_has_yet_to_play() -> None:
    # EX-2: a black round; red and green show white already.
    table = put(
        "C2",
        turn=None,
        round=2,
        red=on("10.L1", 4, marker="white"),
        green=on("10.M1", 4, marker="white"),
        yellow=on("5.L1", 2, marker="black"),
        blue=on("5.R1", 2, marker="black"),
        dice="c c",
    )
    assert table.driver == "blue"
    table.drive(("5.R2", "c"))
    assert table.driver == "yellow"
    assert table.car("blue").marker == "white"
    table.drive(("5.L2", "c"))
    # Nobody is left in the black round: the next one is white, and all have yet to play in it.
    assert table.only(RoundStarted).colour == "white"
    assert table.driver == "green"
    assert [car.marker for car in table.state.cars] == ["white"] * 4


@pytest.mark.rule("GT-ROUND-2", "GT-TURN-4")
def test_after_the_turn_the_marker_shows_the_new_gear_in_the_colour_of_the_next_round() -> None:
    # EX-4
    table = put("C2", round=2, red=on("10.M1", 5), blue=on("7.M1"), dice="2 b b").drive(("10.M2", "2bb"))
    assert (table.car("red").gear, table.car("red").marker) == (2, "white")


@pytest.mark.rule("GT-ROUND-3", "GT-ORDER-1")
def test_the_round_ends_with_the_last_marker_and_a_new_order_is_set() -> None:
    table = put("C2", turn=None, red=on("10.M1", 4), blue=on("5.M1", 2), dice="3 2 3 2 3")
    assert table.order == ["red", "blue"]
    table.drive(("10.M2", "3"), ("10.M3", "2"))
    assert table.all(RoundStarted) == []
    table.drive(("5.M2", "3"))
    assert table.only(RoundStarted).number == 2
    assert table.order == ["blue", "red"]


# --- turn order --------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ORDER-1")
def test_the_order_stays_as_it_is_during_the_round() -> None:
    table = put("C2", turn=None, red=on("10.M1", 4), blue=on("7.M1", 3), green=on("5.M1", 2), dice="5 4 c")
    assert table.order == ["red", "blue", "green"]
    # Red is faster than anybody now, and has played all the same.
    table.drive(("10.M2", "5"))
    assert table.driver == "blue"
    # Blue passes nobody and is faster than before; green still is the next.
    table.drive(("7.M2", "4"))
    assert table.driver == "green"
    assert table.order == ["red", "blue", "green"]


@pytest.mark.rule("GT-ORDER-1", "GT-ORDER-2", "GT-ORDER-3", "GT-ORDER-5", "GT-ORDER-6")
def test_example_3_road_before_off_the_road_then_gear_then_distance_then_position() -> None:
    table = put(
        "C2",
        turn=None,
        ann=on("10.M1", 0),
        ben=on("10.L2", 0, where="pits", lane="tyres", left_at=2),
        cid=on("9.L3", "00", left_at=1),
        dee=on("5.M2", 3),
        eve=on("5.R2", 3),
    )
    assert table.order == ["eve", "dee", "ann", "ben", "cid"]


@pytest.mark.rule("GT-ORDER-2")
def test_a_car_in_gear_0_on_the_road_plays_before_a_car_in_the_pits_that_is_further_ahead() -> None:
    table = put("C2", turn=None, ann=on("14.L2", 0, where="pits", lane="tyres", left_at=1), ben=on("1.L1", 0))
    assert table.order == ["ben", "ann"]


@pytest.mark.rule("GT-ORDER-3")
def test_the_higher_gear_plays_first_wherever_the_car_is() -> None:
    table = put(
        "C2",
        turn=None,
        six=on("0.M4", 6),
        five=on("1.M1", 5),
        three=on("5.M1", 3),
        two=on("7.M1", 2),
        one=on("10.M1", 1),
        zero=on("14.M1", 0),
    )
    assert table.order == ["six", "five", "three", "two", "one", "zero"]


@pytest.mark.rule("GT-ORDER-3")
def test_gear_0_ranks_above_00() -> None:
    table = put("C2", turn=None, ann=on("14.L1", "00", left_at=1), ben=on("1.M1", 0), cid=on("1.L1", 1))
    assert table.order == ["cid", "ben", "ann"]


@pytest.mark.rule("GT-ORDER-4")
def test_example_33_distance_counts_laps() -> None:
    table = put(
        "C2",
        turn=None,
        options={"laps": 3},
        ann=on("0.M2", 4, crossings=1),
        ben=on("14.R3", 4, crossings=1),
        cid=on("0.L4", 4, crossings=2),
        dee=on("0.R4", 4, crossings=1),
        pole=on("0.R3", 0, crossings=0),
    )
    circuit = load_circuit("C2")
    distances = [distance(circuit, table.car(name)) for name in ("ann", "ben", "cid", "dee", "pole")]
    assert distances == [154, 150, 158, 80, 78]
    assert table.order == ["cid", "ann", "ben", "dee", "pole"]


@pytest.mark.rule("GT-ORDER-4")
def test_the_front_edge_counts_not_the_rear_edge() -> None:
    # C6 3.R1 is a long space: its rear edge is level with 3.M1, its front edge with 3.M2.
    table = put("C6", turn=None, short=on("3.M1", 1), long=on("3.R1", 1))
    assert table.order == ["long", "short"]


@pytest.mark.rule("GT-ORDER-5")
def test_level_cars_rank_by_the_inside_of_the_next_corner() -> None:
    to_the_right = put("C2", turn=None, left=on("10.L1", 3), middle=on("10.M1", 3), right=on("10.R1", 3))
    assert to_the_right.order == ["right", "middle", "left"]
    # After tile 7 the next corner of C2 is tile 8, a left-hander.
    to_the_left = put("C2", turn=None, left=on("7.L1", 3), middle=on("7.M1", 3), right=on("7.R1", 3))
    assert to_the_left.order == ["left", "middle", "right"]


@pytest.mark.rule("GT-ORDER-5")
def test_level_cars_on_a_corner_rank_by_the_inside_of_that_corner() -> None:
    # C2 8.I and 8.O2 end level; tile 8 turns left, the next corner (tile 9) right.
    table = put("C2", turn=None, outside=on("8.O2", 3), inside=on("8.I", 3))
    assert table.order == ["inside", "outside"]
    # Behind the corner the next one counts.
    behind = put("C2", turn=None, left=on("8.L3", 3), right=on("8.R3", 3))
    assert behind.order == ["right", "left"]


@pytest.mark.rule("GT-ORDER-5")
def test_unlimited_bends_are_no_corners() -> None:
    # C2 tile 5 bends left without a limit; the next corner is tile 6, to the right.
    table = put("C2", turn=None, left=on("5.L1", 3), right=on("5.R1", 3))
    assert load_circuit("C2").tiles[5].turn == -1
    assert table.order == ["right", "left"]


@pytest.mark.rule("GT-ORDER-6")
def test_off_the_road_the_marker_counts_first_then_who_left_first() -> None:
    table = put(
        "C2",
        turn=None,
        grass_late=on("9.L3", "00", left_at=4),
        pits_early=on("5.L1", "00", where="pits", lane="repairs", left_at=1),
        grass_early=on("1.L1", "00", left_at=2),
        pits_ready=on("1.R1", 0, where="pits", lane="tyres", left_at=3),
        racing=on("10.M1", 1),
    )
    assert table.order == ["racing", "pits_ready", "pits_early", "grass_early", "grass_late"]


@pytest.mark.rule("GT-RUL-39")
def test_no_two_cars_are_level_in_gear_distance_and_position() -> None:
    # Every two spaces of the long hairpin tile that end level differ in their nearness to the inside.
    spaces = load_circuit("C6").spaces
    level = [spaces[name].inside_rank for name in ("3.L2", "3.M2", "3.R1")]
    assert {spaces[name].front for name in ("3.L2", "3.M2", "3.R1")} == {22}
    assert level == [0, 2, 4]
    table = put("C6", turn=None, right=on("3.R1", 1), middle=on("3.M2", 1), left=on("3.L2", 1))
    assert table.order == ["left", "middle", "right"]


@pytest.mark.rule("GT-RUL-39")
@pytest.mark.parametrize("circuit", ["C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"])
def test_spaces_with_level_front_edges_never_rank_alike(circuit: str) -> None:
    spaces = load_circuit(circuit).spaces.values()
    assert len({(space.front, space.inside_rank) for space in spaces}) == len(spaces)


@pytest.mark.rule("GT-RUL-39")
def test_without_any_corner_the_left_lane_ranks_as_inside() -> None:
    assert next_inside(0, [], 40) == "left"
    assert next_inside(0, [(10, "right"), (20, "left")], 40) == "right"
    # The next corner may lie beyond the start tile.
    assert next_inside(30, [(10, "right"), (20, "left")], 40) == "right"


@pytest.mark.rule("GT-RUL-40")
def test_in_a_staggered_corner_the_inside_space_ranks_first() -> None:
    # C2 12.I and 12.O2 end level, 12.O1 ends half a space before them.
    table = put("C2", turn=None, first_half=on("12.O1", 2), second_half=on("12.O2", 2), inside=on("12.I", 2))
    assert table.order == ["inside", "second_half", "first_half"]


# --- the turn ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-TURN-1")
def test_first_the_plan_then_the_roll() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1"), dice="c")
    assert table.refused(Roll) == "turn/phase"
    table.lay(("10.M2", "c"))
    assert table.refused(Roll) == "turn/phase"
    table.do(FinishPlan)
    assert table.refused(Roll) == "turn/phase"
    table.do(OneByOne)
    assert table.refused(ChooseSpace, "10.M3") == "turn/phase"
    table.do(Roll)
    assert table.car("red").space == "10.M2"


@pytest.mark.rule("GT-TURN-2", "GT-RUL-1")
def test_a_car_must_move_at_least_one_space() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1"), dice="c c")
    assert table.refused(FinishPlan) == "plan/empty"
    assert table.refused(Stop) == "roll/first_step"
    table.one_by_one(("10.M2", "c"), ("10.M3", "c"))
    assert table.refused(Stop) == "roll/first_step"
    table.do(Roll)
    table.do(Stop)
    assert table.car("red").space == "10.M2"


@pytest.mark.rule("GT-RUL-1")
def test_the_first_step_cannot_be_refused_only_made_safe() -> None:
    table = put("C2", red=on("10.M1", 3, focus=1), blue=on("5.M1"))
    assert not [action for action in table.legal() if isinstance(action, FinishPlan | Stop)]
    assert table.dice_for("10.M2") == ["4", "3", "2", "c", "1b"]


@pytest.mark.rule("GT-TURN-3", "GT-TURN-4")
def test_the_turn_ends_when_the_plan_is_used_up() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1"), dice="4 3").drive(("10.M2", "4"), ("10.M3", "3"))
    assert (table.car("red").space, table.only(TurnEnded).gear) == ("10.M3", 3)
    assert table.driver == "blue"


@pytest.mark.rule("GT-TURN-3", "GT-TURN-4")
def test_the_turn_ends_when_the_driver_stops_in_the_gear_of_the_last_step_made() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1"), dice="4").one_by_one(("10.M2", "4"), ("10.M3", "5"))
    table.do(Roll)
    table.do(Stop)
    assert table.only(DriverStopped).seat == table.seat("red")
    assert (table.car("red").space, table.only(TurnEnded).gear) == ("10.M2", 4)
    assert table.driver == "blue"


@pytest.mark.rule("GT-TURN-3", "GT-TURN-4")
def test_the_turn_of_a_blocked_car_ends_in_an_unchanged_gear() -> None:
    # From gear 2 the driver cannot reach gear 5; both spaces ahead are beside blue or taken by him.
    table = put("C7", red=on("1.L2", 2), blue=on("1.R3", 5))
    assert table.only(Blocked).seat == table.seat("red")
    assert table.only(TurnEnded).gear == 2
    assert (table.car("red").space, table.car("red").gear) == ("1.L2", 2)
    assert table.driver == "blue"


@pytest.mark.rule("GT-TURN-3", "GT-TURN-4")
def test_the_turn_ends_when_a_loss_of_control_is_resolved() -> None:
    spun = put("C2", red=on("3.M3", 2), blue=on("7.M1"), dice="").drive(("4.I", "3"))
    assert spun.only(ControlLost).gear == 3
    assert spun.only(TurnEnded).gear == OFF_ROAD
    assert spun.driver == "blue"
    slow = put("C6", red=on("3.M2", 1), blue=on("8.M1")).drive(("3.I", "2"))
    assert slow.only(TurnEnded).gear == 0


@pytest.mark.rule("GT-TURN-4")
@pytest.mark.parametrize(("lane", "gear"), [("tyres", 0), ("repairs", OFF_ROAD), ("repairs and tyres", OFF_ROAD)])
def test_the_marker_after_a_pit_stop(lane: str, gear: int) -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("5.M1"), dice="c").drive(("10.L2", "c"))
    table.do(PitStop, lane)
    if lane == "repairs and tyres":
        table.default()
    assert table.car("red").gear == gear
    assert table.only(TurnEnded).gear == gear


@pytest.mark.rule("GT-TURN-3", "GT-TURN-4")
def test_staying_out_of_the_pits_leaves_gear_1() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("5.M1"), dice="c").drive(("10.L2", "c"))
    table.do(StayOut)
    assert table.only(TurnEnded).gear == 1


@pytest.mark.rule("GT-TURN-3")
def test_a_pit_stop_may_follow_a_finished_plan_a_stop_and_being_blocked_but_no_loss_of_control() -> None:
    finished = put("C2", red=on("10.L1", 1), blue=on("5.M1"), dice="c").drive(("10.L2", "c"))
    assert finished.phase == "pit"
    stopped = put("C2", red=on("10.L1", 1), blue=on("5.M1"), dice="c").one_by_one(("10.L2", "c"), ("10.L3", "c"))
    stopped.do(Roll)
    stopped.do(Stop)
    assert stopped.phase == "pit"
    blocked = put("C7", red=on("1.L2", 1), blue=on("1.R3", 5))
    assert blocked.all(Blocked) != []
    assert blocked.phase == "pit"
    # 3.L4 is at the edge of the road and without a limit: only the loss of control forbids the stop.
    lost = put("C6", red=on("3.L2", 1), blue=on("8.M1"), dice="c 1!").drive(("3.I", "c"), ("3.L4", "1"))
    assert lost.only(ControlLost).space == "3.L4"
    assert lost.driver == "blue"


@pytest.mark.rule("GT-TURN-5")
def test_at_the_start_of_a_turn_the_car_returns_then_lifts_its_flags_then_may_be_blocked() -> None:
    table = put(
        "C7",
        red=on("1.L1", 0, where="pits", lane="tyres", flags=(10,), left_at=1),
        left=on("1.L2", 2),
        right=on("1.R2", 2),
    )
    happened = [type(event) for event in table.events[:4]]
    assert happened == [TurnStarted, CarReturned, FlagsLifted, Blocked]
    assert table.car("red").flags == ()


@pytest.mark.rule("GT-TURN-5")
def test_flags_are_judged_by_the_marker_before_the_return() -> None:
    table = put("C2", red=on("9.L3", "00", flags=(9,), left_at=1), blue=on("1.M1", 1))
    assert table.only(CarReturned).seat == table.seat("red")
    assert table.car("red").gear == 0
    assert table.all(FlagsLifted) == []
    assert table.car("red").flags == (9,)


# --- returning cars ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-15")
def test_of_two_cars_waiting_for_a_space_the_first_returns_and_the_second_waits() -> None:
    table = put(
        "C2",
        turn="first",
        second=on("9.L3", "00", left_at=2),
        first=on("9.L3", "00", left_at=1),
        racing=on("1.M1", 1, marker="black"),
    )
    assert table.only(CarReturned).seat == table.seat("first")
    assert table.only(CarWaited).seat == table.seat("second")
    assert [table.car(name).where for name in ("first", "second")] == ["road", "verge"]


@pytest.mark.rule("GT-TURN-3")
def test_a_finished_flat_out_plan_ends_the_turn_too() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("5.M1"), dice="4 3").lay(("10.M2", "4"), ("10.M3", "3"))
    table.do(FinishPlan)
    table.do(FlatOut)
    assert [event.target for event in table.all(CarMoved)] == ["10.M2", "10.M3"]
    assert table.driver == "blue"
