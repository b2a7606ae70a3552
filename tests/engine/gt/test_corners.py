"""Corners: limits, dangerous and sharp corners (rules, section 4.6; rulings 4 to 8, 37, 38)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core import track
from engine.gt.actions import FinishPlan, OneByOne, Roll, Secure
from engine.gt.circuit import Step, load_circuit
from engine.gt.events import CarMoved, ControlLost, DiceRolled, FlyingStartFailed, TokensDrawn
from engine.gt.material import OFF_ROAD
from tests.engine.gt.table import on, put

# Two tight corners in opposite directions, one after the other: 111a to the right, 111a to the left.
TWO_CORNERS = "GT1-102a-103a-111ar-111al-111ar-105ar-103a-105ar-103a-111ar"


# --- normal corners ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-CORNER-1")
def test_example_6_at_the_limit_or_below_is_fine() -> None:
    at_the_limit = put("C2", red=on("7.M2", 3), dice="c c").drive(("8.M1", "c"), ("8.O1", "c"))
    assert at_the_limit.all(ControlLost) == []
    assert (at_the_limit.car("red").space, at_the_limit.car("red").gear) == ("8.O1", 3)
    assert [event.hazards for event in at_the_limit.all(CarMoved)] == [0, 0]
    below = put("C2", red=on("8.M1", 3), dice="1 b").drive(("8.O1", "1b"))
    assert below.all(ControlLost) == []


@pytest.mark.rule("GT-CORNER-2")
def test_above_the_limit_control_is_lost_on_that_space_at_once() -> None:
    # EX-9, second plan. With a second car about: alone, red would already be back on the road (GT-OFF-1).
    table = put("C2", red=on("3.L3", 3), blue=on("0.L1"), dice="2").drive(("4.O1", "2"), ("4.O2", "3"))
    lost = table.only(ControlLost)
    assert (lost.space, lost.gear, lost.cause) == ("4.O2", 3, "speed")
    assert table.car("red").where == "verge"


@pytest.mark.rule("GT-CORNER-3")
def test_example_9_leaving_the_corner_the_car_may_accelerate_at_once() -> None:
    table = put("C2", red=on("3.L3", 3), dice="2 c 3").drive(("4.O1", "2"), ("4.O2", "c"), ("5.L1", "3"))
    assert table.all(ControlLost) == []
    assert (table.car("red").space, table.car("red").gear) == ("5.L1", 3)


@pytest.mark.rule("GT-CORNER-3")
def test_standing_on_a_corner_space_at_the_start_of_a_turn_is_not_checked() -> None:
    table = put("C2", red=on("4.O2", 5), dice="6")
    assert table.all(ControlLost) == []
    assert table.drive(("5.L1", "6")).all(ControlLost) == []


@pytest.mark.rule("GT-CORNER-3")
def test_the_gear_of_the_step_that_enters_counts_not_the_gear_before() -> None:
    table = put("C2", red=on("3.L3", 5), dice="2 b b").drive(("4.O1", "2bb"))
    assert table.all(ControlLost) == []


# --- dangerous corners -------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-DANGER-1")
def test_example_10_exactly_at_the_limit_adds_a_hazard() -> None:
    table = put("C6", red=on("2.R1", 4), dice="5").drive(("2.O", "5"))
    assert table.only(CarMoved).hazards == 1


@pytest.mark.rule("GT-DANGER-1")
def test_example_10_below_the_limit_adds_none() -> None:
    table = put("C6", red=on("2.R1", 4), dice="4").drive(("2.O", "4"))
    assert table.only(CarMoved).hazards == 0


@pytest.mark.rule("GT-DANGER-1")
def test_example_10_above_the_limit_control_is_lost() -> None:
    table = put("C6", red=on("2.R1", 5), bag="gearbox gearbox gearbox").drive(("2.O", "6"))
    lost = table.only(ControlLost)
    assert (lost.gear, lost.level, lost.new_gear, lost.tokens) == (6, "orange", OFF_ROAD, 3)


# --- sharp corners -----------------------------------------------------------------------------------------------


def losing_gears(circuit: str, space: str, target: str) -> list[int]:
    """The gears in which a step there is a certain loss of control, out of all six."""
    return [
        gear for gear in range(1, 7) if put(circuit, red=on(space, gear)).lay((target, str(gear))).turn.steps[-1].over
    ]


@pytest.mark.rule("GT-SHARP-1")
def test_a_sharp_corner_has_a_limit_and_a_line_at_each_end() -> None:
    # 111a: limit 2, line 1 at both ends in front of the inner lane.
    assert load_circuit("C2").spaces["4.I"].limit == 2
    assert losing_gears("C2", "3.M3", "4.I") == [3, 4, 5, 6]
    assert losing_gears("C2", "3.R3", "4.I") == [2, 3, 4, 5, 6]
    assert losing_gears("C2", "4.I", "5.R1") == [2, 3, 4, 5, 6]
    assert losing_gears("C2", "4.I", "5.M1") == []


@pytest.mark.rule("GT-SHARP-2")
def test_example_11_a_numbered_line_replaces_the_limit_for_entering_straight() -> None:
    assert losing_gears("C6", "7.L1", "7.I") == [2, 3, 4, 5, 6]
    assert losing_gears("C6", "7.M1", "7.I") == [3, 4, 5, 6]


@pytest.mark.rule("GT-SHARP-3")
def test_example_11_leaving_straight_over_a_numbered_line_limits_the_next_space() -> None:
    assert losing_gears("C6", "7.I", "7.L3") == [2, 3, 4, 5, 6]
    assert losing_gears("C6", "7.I", "7.M3") == [3, 4, 5, 6]
    # The space itself has no limit: whoever comes from elsewhere may be as fast as he likes.
    assert losing_gears("C6", "7.O2", "7.M3") == []


@pytest.mark.rule("GT-SHARP-3")
def test_the_lower_of_the_exit_line_and_the_limit_of_the_next_space_binds() -> None:
    circuit = load_circuit(TWO_CORNERS, stock="free")
    limits = {step.to: step.limit for step in circuit.steps["2.I"]}
    # 3.O1 has the limit 2 and lies behind the line with the 1; 3.I lies behind no line.
    assert circuit.spaces["3.O1"].limit == 2
    assert limits == {"3.O1": 1, "3.I": 2}
    # Behind a "!" line the limit of the space stays, and the hazard comes on top.
    hazard_lines = load_circuit(TWO_CORNERS.replace("111ar-111al", "107ar-111al"), stock="free")
    assert {step.to: (step.limit, step.auto) for step in hazard_lines.steps["2.I"]} == {"3.O1": (2, 1), "3.I": (2, 0)}


@pytest.mark.rule("GT-SHARP-4", "GT-SHARP-6")
def test_example_12_a_hazard_for_each_line_with_a_hazard_sign() -> None:
    table = put("C6", red=on("3.L2", 1), dice="c 2!").drive(("3.I", "c"), ("3.L4", "2"))
    assert [event.hazards for event in table.all(CarMoved)] == [1, 3]
    lost = table.only(ControlLost)
    # The hazard of the exit line is received on the space entered.
    assert (lost.space, lost.gear, lost.new_gear, lost.tokens) == ("3.L4", 2, 0, 0)


@pytest.mark.rule("GT-SHARP-4")
def test_the_limit_in_the_middle_still_binds_behind_a_hazard_line() -> None:
    assert losing_gears("C6", "3.L2", "3.I") == [2, 3, 4, 5, 6]


@pytest.mark.rule("GT-SHARP-4", "GT-SHARP-5")
def test_example_12_the_line_through_the_middle_lane_costs_no_hazard() -> None:
    table = put("C6", red=on("3.M2", 1), dice="c 2").drive(("3.I", "c"), ("3.M4", "2"))
    assert [event.hazards for event in table.all(CarMoved)] == [0, 0]


@pytest.mark.rule("GT-SHARP-5")
def test_example_11_diagonally_only_the_limit_in_the_middle_binds() -> None:
    assert losing_gears("C6", "7.R1", "7.I") == [4, 5, 6]
    assert losing_gears("C6", "7.I", "7.R3") == []


@pytest.mark.rule("GT-SHARP-6")
def test_too_fast_over_an_exit_line_control_is_lost_on_the_space_entered() -> None:
    table = put("C6", red=on("7.I", 2)).drive(("7.L3", "2"))
    assert (table.only(ControlLost).space, table.only(ControlLost).cause) == ("7.L3", "speed")


@pytest.mark.rule("GT-SHARP-7")
def test_from_the_innermost_lane_nobody_swings_outwards() -> None:
    assert put("C6", red=on("7.L1", 1)).spaces() == {"7.I"}
    assert put("C6", red=on("7.M1", 1)).spaces() == {"7.I", "7.O1"}
    assert put("C6", red=on("7.R1", 1)).spaces() == {"7.I", "7.O1"}


@pytest.mark.rule("GT-SHARP-7")
def test_the_strict_double_inner_closes_the_diagonal_of_the_middle_lane() -> None:
    strict = {"double_inner_strict": True}
    assert put("C6", red=on("7.M1", 1), options=strict).spaces() == {"7.I"}
    assert put("C6", red=on("7.R1", 1), options=strict).spaces() == {"7.I", "7.O1"}
    # Other corners stay as they are: 115a merges the outer lanes.
    assert put("C2", red=on("8.L1", 1), options=strict).spaces() == {"8.I", "8.O1"}


# --- rulings -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-4")
def test_over_the_limit_no_die_is_rolled_and_none_can_be_secured() -> None:
    table = put("C2", red=on("3.M3", 2, focus=9)).lay(("4.I", "3"))
    table.do(FinishPlan)
    table.do(OneByOne)
    assert Secure(table.turn.seat) not in table.legal()
    assert table.refused(Secure) == "secure/pointless"
    table.do(Roll)
    assert table.all(DiceRolled) == []
    assert table.only(ControlLost).cause == "speed"


@pytest.mark.rule("GT-RUL-5")
def test_speed_and_hazards_on_one_space_are_one_loss_of_control() -> None:
    # Two hazards on dice, a third from the "!" line, and gear 4 where the limit is 1.
    table = put("C6", red=on("2.L3", 4), dice="c! c!", bag="brakes").drive(("3.L1", "c"), ("3.L2", "c"), ("3.I", "4"))
    assert table.only(ControlLost).cause == "both"
    assert table.only(TokensDrawn).tokens == ("brakes",)


def joint(folder: Path, monkeypatch: pytest.MonkeyPatch, first: dict[str, object], second: dict[str, object]) -> Step:
    """The step from inside to inside where two double-inner corners (limit 3) with these lines meet end to end.

    The published tiles never meet like that, so the two chicanes are cut down to their corners.
    """
    tiles = json.loads((track.DATA / "gt" / "tiles.json").read_text(encoding="utf-8"))
    for face in tiles["faces"]:
        if face["id"] in ("110a", "116a"):
            lines = first if face["id"] == "110a" else second
            face["blocks"] = [{"corner": {"split": "in", "limit": 3, "outside": "two", "lines": lines}}]
    (folder / "gt").mkdir()
    (folder / "gt" / "tiles.json").write_text(json.dumps(tiles), encoding="utf-8")
    monkeypatch.setattr(track, "DATA", folder)
    code = "GT1-102a-110a-116a-105ar-105ar-105ar-103a-103a-103a-105ar-105ar-105ar"
    return next(step for step in load_circuit(code, stock="free").steps["1.I"] if step.to == "2.I")


@pytest.mark.rule("GT-RUL-6")
def test_hazard_signs_of_an_exit_and_an_entry_line_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = joint(tmp_path, monkeypatch, {"C": "!"}, {"C": "!"})
    assert (step.limit, step.auto) == (3, 2)


@pytest.mark.rule("GT-RUL-6")
@pytest.mark.parametrize(("leaving", "entering"), [(1, 2), (2, 1)])
def test_of_an_exit_and_an_entry_line_the_lower_number_binds(
    leaving: int, entering: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert joint(tmp_path, monkeypatch, {"C": leaving}, {"C": entering}).limit == 1


@pytest.mark.rule("GT-RUL-6")
def test_a_number_and_a_hazard_sign_on_one_boundary_both_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = joint(tmp_path, monkeypatch, {"C": 2}, {"C": "!"})
    assert (step.limit, step.auto) == (2, 1)


@pytest.mark.rule("GT-RUL-7")
def test_a_boundary_that_is_lined_in_part_is_crossed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert joint(tmp_path, monkeypatch, {}, {"C": 2}).limit == 2


@pytest.mark.rule("GT-RUL-7")
def test_without_any_line_the_limit_of_the_space_binds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert joint(tmp_path, monkeypatch, {}, {}).limit == 3


@pytest.mark.rule("GT-RUL-7")
def test_of_two_different_lines_the_stricter_binds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert joint(tmp_path, monkeypatch, {}, {"B": 2, "C": 1}).limit == 1


@pytest.mark.rule("GT-RUL-8")
def test_a_limit_from_an_exit_line_makes_no_corner_space() -> None:
    # 2.R3 counts as limit 1 for a car leaving 2.I straight on, yet nothing is printed on it: pit stops are possible.
    behind = put("C2", red=on("2.I", 1), blue=on("7.M1"), dice="c").drive(("2.R3", "c"))
    assert behind.phase == "pit"
    on_the_corner = put("C2", red=on("2.R1", 1), blue=on("7.M1"), dice="c").drive(("2.I", "c"))
    assert on_the_corner.driver == "blue"


@pytest.mark.rule("GT-RUL-8")
def test_the_turn_order_looks_at_printed_limits_only() -> None:
    # 8.L3 and 8.R3 lie behind the left-hander of tile 8 and its exit line; the next printed limit is to the right.
    table = put("C2", turn=None, left=on("8.L3", 2), right=on("8.R3", 2))
    assert table.order == ["right", "left"]


@pytest.mark.rule("GT-RUL-37")
@pytest.mark.parametrize("mode", ["drive", "flat_out"])
def test_a_flying_start_over_a_limit_of_1_loses_control_by_speed(mode: str) -> None:
    # Flat out the die is rolled; a hazard on it does not save the car (GT-FLY-2 would).
    dice = "2!" if mode == "flat_out" else ""
    table = put("C6", red=on("3.M2", 0), blue=on("8.M1"), options={"flying_start": True}, dice=dice)
    getattr(table, mode)(("3.I", "2"))
    if mode == "flat_out":
        table.default()
    assert (table.only(ControlLost).space, table.only(ControlLost).cause) == ("3.I", "speed")
    assert table.all(FlyingStartFailed) == []
    assert table.car("red").gear == 0


@pytest.mark.rule("GT-RUL-38")
def test_a_hazard_line_on_the_first_step_of_a_flying_start_counts() -> None:
    flying = {"flying_start": True}
    table = put("C6", red=on("5.R1", 0), blue=on("8.M1"), options=flying, dice="2").one_by_one(("5.I", "2"))
    table.do(Roll)
    assert table.only(CarMoved).hazards == 1
    # Two more hazards in the same turn: the third one costs control.
    two_more = put("C6", red=on("5.R1", 0), blue=on("8.M1"), options=flying, dice="2 c! c!").drive(
        ("5.I", "2"), ("5.LM3", "c"), ("6.M1", "c")
    )
    assert two_more.only(ControlLost).space == "6.M1"
