"""Moving, and what makes a plan legal (rules, section 4.5; rulings 1 to 3)."""

from __future__ import annotations

import pytest

from engine.gt.actions import ChooseSpace, ConfirmLoss, FinishPlan, LayDice, LoseControlAt, TakeBack
from engine.gt.circuit import load_circuit
from engine.gt.events import CarMoved, ControlLost
from tests.engine.gt.table import on, put


@pytest.mark.rule("GT-MOVE-1")
def test_one_car_on_a_space() -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("10.M2", 0))
    assert table.spaces() == {"10.L2", "10.R2"}
    assert table.refused(ChooseSpace, "10.M2") == "plan/occupied"


@pytest.mark.rule("GT-MOVE-2")
def test_straight_ahead_or_diagonally() -> None:
    assert put("C2", red=on("10.M1", 3)).spaces() == {"10.L2", "10.M2", "10.R2"}
    assert put("C2", red=on("10.L1", 3)).spaces() == {"10.L2", "10.M2"}
    assert put("C2", red=on("10.R1", 3)).spaces() == {"10.M2", "10.R2"}


@pytest.mark.rule("GT-MOVE-2")
@pytest.mark.parametrize("space", ["10.L1", "10.R1", "9.M3", "10.M1", "10.M3"])
def test_never_sideways_backwards_on_the_spot_or_two_spaces_at_once(space: str) -> None:
    assert put("C2", red=on("10.M1", 3)).refused(ChooseSpace, space) == "plan/not_adjacent"


@pytest.mark.rule("GT-MOVE-3")
def test_example_13_the_front_edge_must_lie_further_ahead() -> None:
    # 12.I ends level with 12.O2, and beyond 12.O1.
    assert put("C2", red=on("12.I", 1)).refused(ChooseSpace, "12.O2") == "plan/not_adjacent"
    assert "12.I" in put("C2", red=on("12.O1", 1)).spaces()
    assert put("C2", red=on("12.O2", 1)).refused(ChooseSpace, "12.I") == "plan/not_adjacent"


@pytest.mark.rule("GT-MOVE-4")
def test_lanes_may_be_changed_in_every_step() -> None:
    table = put("C0", red=on("1.L1", 3), dice="4 5 6 c c").drive(
        ("1.M2", "4"), ("2.R1", "5"), ("2.M2", "6"), ("3.L1", "c"), ("3.M2", "c")
    )
    assert [event.target for event in table.all(CarMoved)] == ["1.M2", "2.R1", "2.M2", "3.L1", "3.M2"]


@pytest.mark.rule("GT-MOVE-4")
def test_one_lane_a_step() -> None:
    assert put("C0", red=on("1.L1", 3)).refused(ChooseSpace, "1.R2") == "plan/not_adjacent"


@pytest.mark.rule("GT-MOVE-5")
@pytest.mark.parametrize("name", ["C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"])
def test_the_edge_of_a_tile_is_the_edge_of_spaces(name: str) -> None:
    circuit = load_circuit(name)
    beyond = [
        space.id
        for space in circuit.spaces.values()
        for tile in [circuit.tiles[space.tile]]
        if space.rear < tile.first_tick or space.front > tile.first_tick + tile.ticks
    ]
    assert beyond == []
    # At both edges of every tile, spaces lie side by side over the whole width of the road.
    widths = {
        (tile.token, edge): sum(
            space.right - space.left
            for space in circuit.spaces.values()
            if space.tile == index and (space.rear if edge == "rear" else space.front) == tick
        )
        for index, tile in enumerate(circuit.tiles)
        for edge, tick in (("rear", tile.first_tick), ("front", tile.first_tick + tile.ticks))
    }
    assert set(widths.values()) == {6}


@pytest.mark.rule("GT-MOVE-5")
def test_a_step_from_tile_to_tile() -> None:
    table = put("C2", red=on("10.M3", 3), dice="c").drive(("11.M1", "c"))
    assert table.car("red").space == "11.M1"


@pytest.mark.rule("GT-MOVE-6")
def test_a_diagonal_step_between_two_cars() -> None:
    # Blue to the left of red, green ahead of him: red slips through between them.
    table = put("C2", red=on("10.M1", 3), blue=on("10.L1", 3), green=on("10.M2", 1), dice="c").drive(("10.L2", "c"))
    assert table.car("red").space == "10.L2"


@pytest.mark.rule("GT-MOVE-7")
def test_example_14_into_a_long_space_but_not_out_of_it_sideways() -> None:
    assert "3.R1" in put("C6", red=on("3.M1", 1)).spaces()
    assert put("C6", red=on("3.R1", 1)).refused(ChooseSpace, "3.M2") == "plan/not_adjacent"
    # The front short space ends level with the long one.
    assert put("C6", red=on("3.M2", 1)).refused(ChooseSpace, "3.R1") == "plan/not_adjacent"


@pytest.mark.rule("GT-MOVE-7")
def test_merging_can_be_switched_off() -> None:
    table = put("C6", red=on("3.M1", 1), options={"merge_moves": False})
    assert table.refused(ChooseSpace, "3.R1") == "plan/not_adjacent"
    assert table.spaces() == {"3.L2", "3.M2"}


# --- the plan ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-2")
def test_every_step_of_a_plan_is_checked_not_only_the_first() -> None:
    table = put("C2", red=on("10.L1", 5), blue=on("10.R3", 6), green=on("10.M3", 0)).lay(("10.L2", "5"))
    assert table.refused(ChooseSpace, "11.L1") == "plan/not_adjacent"
    assert table.refused(ChooseSpace, "10.M3") == "plan/occupied"
    # Beside blue only in gear 6: gear dice 4, the coast die and braking are not offered.
    assert table.dice_for("10.L3") == ["6"]


@pytest.mark.rule("GT-RUL-2")
def test_a_space_closed_by_overtaking_is_refused_as_such() -> None:
    # 2.I ends level with 2.O2, where blue is in gear 3; 2.O1 does not.
    table = put("C2", red=on("2.L1", 1), blue=on("2.O2", 3))
    assert table.spaces() == {"2.O1"}
    assert table.refused(ChooseSpace, "2.I") == "plan/overtaking"


@pytest.mark.rule("GT-RUL-2")
def test_a_space_closed_by_a_yellow_flag_is_refused_as_such() -> None:
    table = put("C2", red=on("2.L1", 1), blue=on("2.O2", 1, flags=(2,)))
    assert table.spaces() == {"2.O1"}
    assert table.refused(ChooseSpace, "2.I") == "plan/yellow_flag"
    without = put("C2", red=on("2.L1", 1), blue=on("2.O2", 1))
    assert without.spaces() == {"2.O1", "2.I"}


@pytest.mark.rule("GT-RUL-2")
def test_a_plan_once_fixed_can_be_driven_to_its_end() -> None:
    table = put("C2", red=on("10.L1", 4), blue=on("10.R2", 5), yellow=on("10.L3", 6), dice="5 6 4 b").drive(
        ("10.L2", "5"), ("10.M3", "6"), ("11.M1", "4b")
    )
    assert (table.car("red").space, table.car("red").gear) == ("11.M1", 4)


@pytest.mark.rule("GT-RUL-3")
def test_a_certain_loss_of_control_may_be_planned_and_must_be_confirmed() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("7.M1"))
    table.do(ChooseSpace, "4.O1")
    table.do(LayDice, "3")
    assert table.phase == "confirm"
    assert table.refused(FinishPlan) == "turn/phase"
    table.do(ConfirmLoss)
    # It is the last step.
    assert table.spaces() == set()
    assert table.refused(ChooseSpace, "4.O2") == "plan/ended"
    table.do(FinishPlan)
    assert table.phase == "mode"


@pytest.mark.rule("GT-RUL-3")
def test_a_certain_loss_of_control_can_be_taken_back() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("7.M1"))
    table.do(ChooseSpace, "4.O1")
    table.do(LayDice, "3")
    table.do(TakeBack)
    assert (table.phase, table.turn.steps) == ("space", ())


@pytest.mark.rule("GT-RUL-3")
def test_a_safe_step_needs_no_confirmation() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("7.M1"))
    table.do(ChooseSpace, "4.O1")
    table.do(LayDice, "2")
    assert table.phase == "space"


@pytest.mark.rule("GT-RUL-3")
def test_automatic_hazards_alone_can_make_a_certain_loss() -> None:
    # Two "!" lines; asphalt tyres in the wet have the limit 2, in the dry 3.
    wet = put("C6", weather="wet", red=on("3.L2", 1), blue=on("8.M1"))
    wet.lay(("3.I", "c"))
    wet.do(ChooseSpace, "3.L4")
    wet.do(LayDice, "2")
    assert wet.phase == "confirm"
    dry = put("C6", red=on("3.L2", 1), blue=on("8.M1")).lay(("3.I", "c"))
    dry.do(ChooseSpace, "3.L4")
    dry.do(LayDice, "2")
    assert dry.phase == "space"


@pytest.mark.rule("GT-RUL-3")
def test_deliberate_losses_can_be_switched_off() -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("7.M1"), options={"deliberate_loc": False})
    assert table.dice_for("4.O1") == ["2", "1b"]
    on_the_inside = put("C2", red=on("3.R3", 4), blue=on("7.M1"), options={"deliberate_loc": False})
    assert on_the_inside.dice_for("4.I") == ["1bb"]


@pytest.mark.rule("GT-RUL-3")
def test_laying_out_again_does_not_depend_on_the_option() -> None:
    # Flat out 3 c 2 from 3.M1 fails in the wet; too fast into the corner is offered all the same.
    plan = (("3.I", "3"), ("3.M3", "c"), ("4.I", "2"))
    table = put(
        "C2", weather="wet", red=on("3.M1", 3), blue=on("7.M1"), options={"deliberate_loc": False}, dice="3! c 2!"
    ).flat_out(*plan)
    assert table.phase == "relay"
    # 2! first, then 3 into the corner with the limit 2.
    assert LoseControlAt(table.turn.seat, "4.I") in table.legal()
    table.do(LoseControlAt, "4.I")
    assert {action.gear for action in table.legal()} == {2, 3}
    assert table.all(ControlLost) == []
