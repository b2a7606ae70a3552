"""Flying start: gear die 2 from a standstill (sections 4.17 and 8)."""

from __future__ import annotations

import pytest

from engine.core.errors import Rejected
from engine.gt.actions import LoseControlAt, Roll, Secure
from engine.gt.arrange import CarSetup
from engine.gt.events import (
    CarMoved,
    CarReturned,
    ControlLost,
    DiceRolled,
    FlatOutFailed,
    FlyingStartFailed,
    TokensDrawn,
)
from engine.gt.state import occupied
from tests.engine.gt.table import Table, on, put, start

FLYING = {"flying_start": True}


def flying(car: CarSetup, dice: str = "", track: str = "C2", weather: str = "dry") -> Table:
    """Red in that position, flying start agreed on, blue far away."""
    return put(track, red=car, blue=on("0.L1"), dice=dice, options=FLYING, weather=weather)


# --- declaring ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLY-1")
def test_from_gear_0_the_first_step_may_use_gear_die_2() -> None:
    assert flying(on("10.M1", 0)).dice_for("10.M2") == ["1", "2"]


@pytest.mark.rule("GT-FLY-1")
def test_gear_die_2_counts_as_used_and_the_plan_goes_on_from_gear_2() -> None:
    table = flying(on("10.M1", 0))
    table.lay(("10.M2", "2"))
    assert table.dice_for("10.M3") == ["3", "1", "c"]


@pytest.mark.rule("GT-FLY-1")
def test_without_the_option_only_gear_die_1_starts_a_car() -> None:
    table = put("C2", red=on("10.M1", 0), blue=on("0.L1"))
    assert table.dice_for("10.M2") == ["1"]
    with pytest.raises(Rejected):
        table.lay(("10.M2", "2"))


@pytest.mark.rule("GT-FLY-1")
def test_gear_die_2_as_second_gear_is_no_flying_start() -> None:
    table = flying(on("10.M1", 1), dice="2! 3")
    table.drive(("10.M2", "2"), ("10.M3", "3"))
    assert table.all(FlyingStartFailed) == []
    assert table.car("red").space == "10.M3"


# --- one by one ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLY-2")
def test_a_hazard_on_gear_die_2_ends_the_turn_after_one_space_in_gear_2() -> None:
    table = flying(on("10.M1", 0), dice="2!")
    table.drive(("10.M2", "2"), ("10.M3", "3"), ("11.M1", "c"))
    assert table.only(FlyingStartFailed).seat == table.seat("red")
    assert (table.car("red").space, table.car("red").gear) == ("10.M2", 2)
    assert table.all(ControlLost) == []
    assert table.driver == "blue"


@pytest.mark.rule("GT-FLY-2")
def test_without_a_hazard_on_gear_die_2_the_turn_goes_on() -> None:
    table = flying(on("10.M1", 0), dice="2 3!")
    table.drive(("10.M2", "2"), ("10.M3", "3"))
    assert table.all(FlyingStartFailed) == []
    assert (table.car("red").space, table.car("red").gear) == ("10.M3", 3)


@pytest.mark.rule("GT-FLY-2")
def test_a_failed_flying_start_is_no_loss_of_control_even_where_the_hazards_would_do() -> None:
    # The "!" line into 5.I and the die make two, the limit on asphalt tyres in the wet.
    table = flying(on("5.R1", 0), dice="2!", track="C6", weather="wet")
    table.drive(("5.I", "2"), ("5.LM3", "3"))
    assert table.all(ControlLost) == []
    assert (table.car("red").space, table.car("red").gear) == ("5.I", 2)


@pytest.mark.rule("GT-FLY-4")
def test_gear_die_2_may_be_secured() -> None:
    table = flying(on("10.M1", 0, focus=1), dice="3")
    table.one_by_one(("10.M2", "2"), ("10.M3", "3"))
    assert Secure(table.seat("red")) in table.legal()
    table.do(Secure)
    assert (table.car("red").focus, table.car("red").gear, table.all(DiceRolled)) == (0, 2, [])
    table.do(Roll)
    assert table.car("red").space == "10.M3"


@pytest.mark.rule("GT-FLY-4")
def test_without_focus_gear_die_2_cannot_be_secured() -> None:
    table = flying(on("10.M1", 0, focus=0))
    table.one_by_one(("10.M2", "2"))
    assert table.refused(Secure) == "secure/focus"


# --- flat out -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLY-3")
def test_ex_23_flat_out_a_hazard_on_gear_die_2_ends_the_turn_and_the_other_hazards_are_ignored() -> None:
    table = flying(on("10.M1", 0), dice="2! 3! 4!")
    table.flat_out(("10.M2", "2"), ("10.M3", "3"), ("11.M1", "4"))
    red = table.car("red")
    assert (red.space, red.gear, red.focus) == ("10.M2", 2, 3)
    assert (table.all(FlatOutFailed), table.all(ControlLost), table.all(TokensDrawn)) == ([], [], [])
    assert len(table.all(CarMoved)) == 1
    assert table.driver == "blue"


@pytest.mark.rule("GT-FLY-3")
def test_flat_out_without_a_hazard_on_gear_die_2_too_many_hazards_are_a_loss_of_control() -> None:
    table = flying(on("10.M1", 0), dice="2 3! 4! c!")
    table.flat_out(("10.M2", "2"), ("10.M3", "3"), ("11.M1", "4"), ("11.M2", "c"))
    assert table.phase == "relay"
    assert table.all(FlyingStartFailed) == []


@pytest.mark.rule("GT-FLY-3")
def test_flat_out_without_a_hazard_on_gear_die_2_the_plan_is_driven() -> None:
    table = flying(on("10.M1", 0), dice="2 3! 4!")
    table.flat_out(("10.M2", "2"), ("10.M3", "3"), ("11.M1", "4"))
    assert (table.car("red").space, table.car("red").gear) == ("11.M1", 4)


@pytest.mark.rule("GT-RUL-35")
def test_laid_out_again_the_flying_start_stays_declared_and_gear_die_2_comes_first() -> None:
    table = flying(on("10.M1", 0), dice="2 1! c! c!")
    table.flat_out(("10.M2", "2"), ("10.M3", "1"), ("11.M1", "c"), ("11.M2", "c"))
    # Begun with gear die 1 the third hazard would fall one row earlier, on tile 11's first row.
    spaces = {action.space for action in table.legal() if isinstance(action, LoseControlAt)}
    assert spaces == {"11.L2", "11.M2", "11.R2"}


# --- when ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FLY-5")
def test_a_flying_start_is_possible_at_the_start_of_the_race() -> None:
    table = start("C2", "ann", "ben", flying_start=True)
    assert table.dice_for("0.R4") == ["1", "2"]


@pytest.mark.rule("GT-FLY-5")
def test_a_flying_start_is_possible_after_a_loss_of_control() -> None:
    table = put("C2", red=on("3.R3", 2), options=FLYING)
    table.drive(("4.I", "2"))  # over the limit: spun
    assert table.car("red").spun
    assert table.dice_for("5.M1") == ["1", "2"]


@pytest.mark.rule("GT-FLY-5")
def test_a_flying_start_is_possible_when_leaving_the_pits() -> None:
    table = flying(on("10.L2", 0, where="pits", lane="tyres"))
    assert table.only(CarReturned).source == "pits"
    assert occupied(table.state, "10.L2")
    assert table.dice_for("10.L3") == ["1", "2"]


@pytest.mark.rule("GT-FLY-5")
def test_in_the_turn_of_the_return_to_the_road_there_is_no_start_at_all() -> None:
    table = flying(on("10.L2", "00"))
    assert table.only(CarReturned).source == "verge"
    assert table.driver == "blue"


# --- the first space ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-37")
def test_a_first_space_with_limit_1_is_too_fast_for_a_flying_start() -> None:
    table = flying(on("2.R1", 0))
    table.drive(("2.I", "2"))
    lost = table.only(ControlLost)
    assert (lost.cause, lost.gear, lost.space) == ("speed", 2, "2.I")
    assert table.all(FlyingStartFailed) == []


@pytest.mark.rule("GT-RUL-37")
@pytest.mark.parametrize("die", ["2", "2!"])
def test_flat_out_over_limit_1_control_is_lost_whatever_the_die_shows(die: str) -> None:
    table = flying(on("2.R1", 0), dice=die)
    table.flat_out(("2.I", "2"))
    table.do(LoseControlAt, "2.I")
    assert (table.only(ControlLost).gear, table.car("red").gear) == (2, 0)
    assert table.all(FlyingStartFailed) == []


@pytest.mark.rule("GT-RUL-37")
def test_a_first_space_with_limit_2_is_slow_enough_for_a_flying_start() -> None:
    table = flying(on("2.M1", 0), dice="2")
    table.drive(("2.I", "2"))
    assert table.all(ControlLost) == []


@pytest.mark.rule("GT-RUL-38")
def test_a_hazard_line_on_the_first_step_counts_as_usual() -> None:
    # Into 5.I and out of it over a "!" line each: one more hazard is too many.
    table = flying(on("5.R1", 0), dice="2 3 4!", track="C6")
    table.drive(("5.I", "2"), ("5.R3", "3"), ("6.R1", "4"))
    assert [event.hazards for event in table.all(CarMoved)] == [1, 2, 3]
    assert table.only(ControlLost).space == "6.R1"


@pytest.mark.rule("GT-RUL-38")
def test_on_a_first_step_without_a_line_nothing_is_added() -> None:
    table = flying(on("5.LM1", 0), dice="2 3 4!", track="C6")
    table.drive(("5.I", "2"), ("5.LM3", "3"), ("6.M1", "4"))
    assert [event.hazards for event in table.all(CarMoved)] == [0, 0, 1]
    assert table.all(ControlLost) == []
