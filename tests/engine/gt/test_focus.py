"""Focus tokens: earned flat out, spent to secure dice (section 4.11)."""

from __future__ import annotations

import random

import pytest

from engine.gt.actions import FlatOut, OneByOne, Roll, Secure, Stop
from engine.gt.events import CarMoved, ControlLost, DiceRolled, DiceSecured, FocusGained, PlanFixed
from tests.engine.gt.table import Planned, Table, on, put
from tests.engine.laws.walk import some_race, walk


def rolling(
    *plan: Planned, focus: int, dice: str = "", gear: int = 3, space: str = "10.M1", track: str = "C2"
) -> Table:
    """Red with that much focus, one by one, before the first roll of that plan."""
    return put(track, red=on(space, gear, focus=focus), blue=on("0.L1"), dice=dice).one_by_one(*plan)


# --- earning ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FOCUS-1")
def test_every_gear_and_coast_die_rolled_flat_out_earns_a_token_and_brake_dice_none() -> None:
    table = put("C2", red=on("10.M1", 5, focus=2), blue=on("0.L1"), dice="6! c 3 b! b")
    table.flat_out(("10.M2", "6"), ("10.M3", "c"), ("11.M1", "3bb"))
    assert table.only(FocusGained).tokens == 3
    assert table.car("red").focus == 5


@pytest.mark.rule("GT-FOCUS-1")
def test_a_flat_out_turn_that_fails_earns_focus_too() -> None:
    table = put("C2", red=on("10.M1", 4), blue=on("0.L1"), dice="5! c! 6!")
    table.flat_out(("10.M2", "5"), ("10.M3", "c"), ("11.M1", "6"))
    assert table.phase == "relay"
    assert table.car("red").focus == 3


@pytest.mark.rule("GT-FOCUS-2")
def test_there_is_no_other_way_to_gain_focus() -> None:
    """Whole races at random: tokens become more only by rolling flat out, by the gear and coast dice of the plan."""
    times = 0
    for seed in range(8):
        before: list[int] = []
        for race in walk(some_race("gt", seed), random.Random(f"focus/{seed}")):
            focus = [car.focus for car in race.state.cars]
            gained = [now - then for now, then in zip(focus, before or focus, strict=True)]
            before = focus
            if max(gained) <= 0:
                continue
            entry = race.entries[-1]
            assert isinstance(entry.action, FlatOut)
            plan = next(event for event in entry.events if isinstance(event, PlanFixed))
            expected = sum(step.dice != "b" for step in plan.steps)
            assert gained == [expected if seat == plan.seat else 0 for seat in range(len(focus))]
            times += 1
    assert times > 20


@pytest.mark.rule("GT-FOCUS-2")
def test_neither_stopping_nor_securing_nor_a_hazard_earns_focus() -> None:
    table = rolling(("10.M2", "4"), ("10.M3", "5"), ("11.M1", "c"), focus=1, dice="4!")
    table.do(Roll)
    assert table.car("red").focus == 1
    table.do(Secure)
    assert table.car("red").focus == 0
    table.do(Stop)
    assert table.car("red").focus == 0


# --- spending -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FOCUS-3", "GT-FOCUS-4")
def test_a_secured_die_is_not_rolled_and_the_price_rises_within_the_turn() -> None:
    table = rolling(("10.M2", "4"), ("10.M3", "5"), ("11.M1", "c"), focus=6)
    for cost, left in ((1, 5), (2, 3), (3, 0)):
        table.do(Secure)
        assert table.all(DiceSecured)[-1].cost == cost
        assert table.car("red").focus == left
    assert table.all(DiceRolled) == []
    assert (table.car("red").space, table.car("red").gear) == ("11.M1", 5)


@pytest.mark.rule("GT-FOCUS-4")
def test_rolled_steps_do_not_raise_the_price_and_each_turn_starts_anew() -> None:
    table = put("C2", red=on("10.M1", 3, focus=2), dice="4 5").one_by_one(
        ("10.M2", "4"), ("10.M3", "5"), ("11.M1", "c")
    )
    table.do(Roll)
    table.do(Roll)
    table.do(Secure)
    # Alone, red is on turn again.
    table.one_by_one(("11.M2", "c")).do(Secure)
    assert [event.cost for event in table.all(DiceSecured)] == [1, 1]


@pytest.mark.rule("GT-FOCUS-5")
@pytest.mark.parametrize(("focus", "possible"), [(5, False), (6, True)])
def test_a_braking_step_is_secured_as_a_whole_or_not_at_all(focus: int, possible: bool) -> None:
    # Three dice: 1 + 2 + 3.
    table = rolling(("10.M2", "2bb"), focus=focus, gear=5)
    assert (Secure(table.turn.seat) in table.legal()) is possible
    if possible:
        table.do(Secure)
        assert (table.car("red").focus, table.only(DiceSecured).dice) == (0, ("2", "brake", "brake"))
    else:
        assert table.refused(Secure) == "secure/focus"
        assert table.car("red").focus == focus


# --- what securing does not do ------------------------------------------------------------------------------------


@pytest.mark.rule("GT-FOCUS-6")
def test_securing_does_not_cancel_a_limit() -> None:
    # EX-9, second plan: over the limit of 4.O2. The first step can be secured, the second one not.
    table = rolling(("4.O1", "2"), ("4.O2", "3"), focus=9, space="3.L3")
    table.do(Secure)
    assert Secure(table.turn.seat) not in table.legal()
    assert table.refused(Secure) == "secure/pointless"
    table.do(Roll)
    assert (table.only(ControlLost).space, table.only(ControlLost).cause) == ("4.O2", "speed")
    assert table.car("red").focus == 8


@pytest.mark.rule("GT-FOCUS-6")
def test_securing_does_not_cancel_the_hazard_of_a_line() -> None:
    table = rolling(("3.I", "c"), ("3.L4", "2"), focus=9, gear=1, space="3.L2", track="C6")
    table.do(Secure)
    assert table.only(CarMoved).hazards == 1
    table.do(Secure)
    assert [event.hazards for event in table.all(CarMoved)] == [1, 2]


@pytest.mark.rule("GT-FOCUS-6")
def test_securing_does_not_cancel_the_hazard_of_a_dangerous_space() -> None:
    table = rolling(("2.O", "5"), ("2.M3", "c"), focus=9, gear=4, space="2.R1", track="C6")
    table.do(Secure)
    assert table.turn.hazards == 1


@pytest.mark.rule("GT-FOCUS-6")
def test_hazards_of_the_road_cost_control_even_on_a_secured_step() -> None:
    # Two hazards rolled, the third one waits on the line into 3.I; limit 1 there, so gear 1.
    table = rolling(("3.L2", "1"), ("3.I", "c"), ("3.L4", "2"), focus=9, gear=1, space="3.L1", track="C6", dice="1! c")
    table.do(Roll)
    table.do(Roll)
    assert table.turn.hazards == 2
    table.do(Secure)
    assert (table.only(ControlLost).space, table.only(ControlLost).cause) == ("3.L4", "hazards")
    assert table.car("red").focus == 8


@pytest.mark.rule("GT-FOCUS-6")
def test_securing_does_not_cancel_a_die_already_rolled() -> None:
    table = rolling(("10.M2", "4"), ("10.M3", "5"), ("11.M1", "c"), focus=9, dice="4! 5!")
    table.do(Roll)
    table.do(Roll)
    table.do(Secure)
    # The last step was safe; what had been rolled stayed.
    assert [event.hazards for event in table.all(CarMoved)] == [1, 2, 2]


@pytest.mark.rule("GT-FOCUS-3")
def test_focus_is_for_one_by_one_only_and_before_the_roll() -> None:
    table = put("C2", red=on("10.M1", 3, focus=9), blue=on("0.L1")).lay(("10.M2", "4"))
    assert table.refused(Secure) == "turn/phase"
    assert table.refused(OneByOne) == "turn/phase"
