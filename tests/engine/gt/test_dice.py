"""Dice: which may be laid, and what they do (rules, section 4.4)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import Rejected
from engine.gt.actions import ChooseSpace, LayDice, Roll, Secure
from engine.gt.events import CarMoved, DiceRolled, DiceSecured, FocusGained
from tests.engine.gt.table import Table, on, put

# C0 has no limit from 0.M4 to 5.M3: room for every plan here.


def oval(gear: int, *, dice: str = "", options: dict[str, Any] | None = None, **more: Any) -> Table:
    """Red on 1.M1 of the Practice Oval, nobody near him."""
    return put("C0", red=on("1.M1", gear, **more), blue=on("0.L1"), dice=dice, options=options)


# --- the dashboard -----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-DICE-1")
def test_the_dashboard_says_how_many_dice_may_be_used() -> None:
    asphalt = oval(3).lay(("1.M2", "c"), ("2.M1", "c"))
    assert "c" not in asphalt.dice_for("2.M2")
    rain = oval(3, tyres="rain").lay(("1.M2", "c"))
    assert "c" not in rain.dice_for("2.M1")
    assert "c" in oval(3).lay(("1.M2", "c")).dice_for("2.M1")


@pytest.mark.rule("GT-DICE-1")
def test_the_dashboard_counts_brake_dice_over_the_whole_turn() -> None:
    # 6/2/3: two brake dice for 6 to 3, one is left for 4 to 2 after shifting up again, none for a second time.
    table = oval(6).lay(("1.M2", "3bb"), ("2.M1", "4"))
    assert table.dice_for("2.M2") == ["5", "c", "2b"]
    table.lay(("2.M2", "2b"), ("3.M1", "c"))
    assert table.dice_for("3.M2") == ["1", "c"]


@pytest.mark.rule("GT-DICE-1")
def test_damage_lowers_the_number_of_dice() -> None:
    broken = {"gearbox": 5, "brakes": 3, "coasting": 2}
    assert oval(4).dice_for("1.M2") == ["5", "4", "3", "c", "2b", "1bb"]
    damaged = oval(4, damage=broken)
    assert damaged.dice_for("1.M2") == ["5", "4", "3"]
    # One gear die is left: after it nothing more can be laid.
    damaged.lay(("1.M2", "4"))
    assert damaged.spaces() == set()


@pytest.mark.rule("GT-DICE-2")
def test_every_gear_die_may_be_used_once_a_turn() -> None:
    table = oval(4).lay(("1.M2", "4"))
    assert "4" not in table.dice_for("2.M1")
    table.lay(("2.M1", "5"))
    assert table.dice_for("2.M2") == ["6", "c", "3b", "2bb", "1bbb"]


@pytest.mark.rule("GT-DICE-2")
def test_a_gear_die_used_for_braking_is_used_too() -> None:
    table = oval(5).lay(("1.M2", "3b"), ("2.M1", "4"))
    assert "3" not in table.dice_for("2.M2")


@pytest.mark.rule("GT-DICE-3")
@pytest.mark.parametrize("shown", ["6", "6!"])
def test_every_step_moves_one_space_whatever_the_die_shows(shown: str) -> None:
    table = oval(6, dice=shown).drive(("1.M2", "6"))
    assert [(event.source, event.target) for event in table.all(CarMoved)] == [("1.M1", "1.M2")]


@pytest.mark.rule("GT-DICE-4")
def test_the_first_step_is_chosen_relative_to_the_marker_the_later_ones_to_the_step_before() -> None:
    table = oval(3)
    assert [dice for dice in table.dice_for("1.M2") if dice.isdigit()] == ["4", "3", "2"]
    table.lay(("1.M2", "4"))
    assert [dice for dice in table.dice_for("2.M1") if dice.isdigit()] == ["5", "3"]
    table.lay(("2.M1", "5"))
    assert [dice for dice in table.dice_for("2.M2") if dice.isdigit()] == ["6"]


@pytest.mark.rule("GT-DICE-5", "GT-BRAKE-1")
def test_example_8_up_and_down_in_one_turn() -> None:
    table = oval(4).lay(("1.M2", "4"), ("2.M1", "5"), ("2.M2", "6"), ("3.M1", "3bb"), ("3.M2", "2"), ("3.M3", "1"))
    # All gear dice are used; it could go on with the two coast dice in gear 1.
    assert table.turn.steps[-1].gear == 1
    assert table.dice_for("4.M1") == ["c"]
    table.lay(("4.M1", "c"), ("4.M2", "c"))
    assert table.spaces() == set()


@pytest.mark.rule("GT-DICE-5")
def test_dice_kinds_may_be_mixed_in_any_order() -> None:
    table = oval(3).lay(("1.M2", "c"), ("2.M1", "4"), ("2.M2", "c"), ("3.M1", "2b"), ("3.M2", "3"))
    assert [step.gear for step in table.turn.steps] == [3, 4, 4, 2, 3]


# --- gear dice ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-GEAR-1")
@pytest.mark.parametrize(
    ("gear", "numbers"),
    [(1, ["2", "1"]), (2, ["3", "2", "1"]), (3, ["4", "3", "2"]), (5, ["6", "5", "4"]), (6, ["6", "5"])],
)
def test_a_gear_die_fits_one_above_one_below_or_at_the_gear(gear: int, numbers: list[str]) -> None:
    assert [dice for dice in oval(gear).dice_for("1.M2") if dice.isdigit()] == numbers


@pytest.mark.rule("GT-GEAR-1")
def test_two_gears_up_or_down_without_brakes_is_refused() -> None:
    table = oval(3)
    table.do(ChooseSpace, "1.M2")
    assert table.refused(LayDice, "5") == "plan/dice"
    assert table.refused(LayDice, "1") == "plan/dice"


@pytest.mark.rule("GT-GEAR-1")
@pytest.mark.parametrize(("car_class", "top"), [("GT6", 6), ("GT5", 5), ("GT4", 4)])
def test_nobody_shifts_above_the_top_gear_of_his_class(car_class: str, top: int) -> None:
    offered = [dice for dice in oval(top, options={"class": car_class}).dice_for("1.M2") if dice.isdigit()]
    assert offered == [str(top), str(top - 1)]
    assert str(top) in oval(top - 1, options={"class": car_class}).dice_for("1.M2")


@pytest.mark.rule("GT-GEAR-2", "GT-COAST-2")
def test_example_5_from_gear_0_only_gear_die_1() -> None:
    assert oval(0).dice_for("1.M2") == ["1"]
    assert oval(0, options={"flying_start": True}).dice_for("1.M2") == ["1", "2"]


@pytest.mark.rule("GT-COAST-2")
def test_a_coast_die_in_gear_0_is_refused() -> None:
    table = oval(0, options={"flying_start": True})
    table.do(ChooseSpace, "1.M2")
    assert table.refused(LayDice, "c") == "plan/dice"


@pytest.mark.rule("GT-GEAR-3")
def test_dice_never_bring_a_car_to_gear_0() -> None:
    table = oval(1)
    assert table.dice_for("1.M2") == ["2", "1", "c"]
    table.do(ChooseSpace, "1.M2")
    assert table.refused(LayDice, "0") == "plan/dice"


@pytest.mark.rule("GT-GEAR-4")
def test_after_the_step_the_car_is_in_the_gear_of_the_die() -> None:
    up = oval(3, dice="4").drive(("1.M2", "4"))
    assert up.car("red").gear == 4
    down = oval(3, dice="2!").drive(("1.M2", "2"))
    assert down.car("red").gear == 2


# --- coast dice --------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-COAST-1")
def test_a_coast_die_keeps_the_gear_first_in_between_or_last() -> None:
    first = oval(3).lay(("1.M2", "c"), ("2.M1", "4"))
    assert [step.gear for step in first.turn.steps] == [3, 4]
    between = oval(3).lay(("1.M2", "4"), ("2.M1", "c"), ("2.M2", "5"))
    assert [step.gear for step in between.turn.steps] == [4, 4, 5]
    last = oval(3).lay(("1.M2", "2"), ("2.M1", "c"))
    assert [step.gear for step in last.turn.steps] == [2, 2]


@pytest.mark.rule("GT-COAST-1", "GT-COAST-3")
def test_after_a_turn_of_coast_dice_only_the_gear_is_unchanged() -> None:
    table = oval(5, dice="c c").drive(("1.M2", "c"), ("2.M1", "c"))
    assert (table.car("red").space, table.car("red").gear) == ("2.M1", 5)


# --- brake dice --------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-BRAKE-1", "GT-BRAKE-3")
def test_example_7_two_brake_dice_from_gear_5_to_gear_2() -> None:
    table = oval(5, dice="2 b b").drive(("1.M2", "2bb"))
    assert (table.car("red").space, table.car("red").gear) == ("1.M2", 2)
    # One space, three dice rolled together although the driver rolls one by one.
    assert [die.die for die in table.only(DiceRolled).dice] == ["2", "brake", "brake"]


@pytest.mark.rule("GT-BRAKE-1")
@pytest.mark.parametrize(
    ("gear", "braking"),
    [(2, []), (3, ["1b"]), (4, ["2b", "1bb"]), (5, ["3b", "2bb", "1bbb"]), (6, ["4b", "3bb", "2bbb"])],
)
def test_one_brake_die_for_every_gear_skipped(gear: int, braking: list[str]) -> None:
    # From gear 6 to gear 1 four would be needed; the dashboard has three.
    assert [dice for dice in oval(gear).dice_for("1.M2") if "b" in dice] == braking


@pytest.mark.rule("GT-BRAKE-2")
@pytest.mark.parametrize("dice", ["b", "cb", "2b", "2bbb", "2", "4b", "5b"])
def test_brake_dice_alone_or_in_a_wrong_number_are_refused(dice: str) -> None:
    table = oval(5)
    table.do(ChooseSpace, "1.M2")
    assert table.refused(LayDice, dice) == "plan/dice"


@pytest.mark.rule("GT-BRAKE-3")
def test_the_hazards_of_a_braking_step_come_all_at_once() -> None:
    table = oval(5, dice="2! b b!").drive(("1.M2", "2bb"))
    assert table.only(DiceRolled).hazards == 2
    assert table.only(CarMoved).hazards == 2


# --- boost die ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-BOOST-1")
def test_the_boost_die_shifts_up_two_gears_in_one_step() -> None:
    table = oval(1, options={"class": "GT5"}, dice="3 a").drive(("1.M2", "3a"))
    assert (table.car("red").space, table.car("red").gear) == ("1.M2", 3)
    # It is rolled with its gear die.
    assert [die.die for die in table.only(DiceRolled).dice] == ["3", "boost"]


@pytest.mark.rule("GT-BOOST-1")
def test_the_boost_die_belongs_to_the_expansion_classes_that_have_it() -> None:
    assert "4a" in oval(2, options={"class": "GT5"}).dice_for("1.M2")
    assert "4a" not in oval(2, options={"class": "GT6"}).dice_for("1.M2")
    assert "4a" not in oval(2, options={"class": "GT4"}).dice_for("1.M2")
    # Not above the top gear, and not from a standstill.
    assert "6a" not in oval(4, options={"class": "GT5"}).dice_for("1.M2")
    assert oval(0, options={"class": "GT5"}).dice_for("1.M2") == ["1"]


@pytest.mark.rule("GT-BOOST-1")
def test_at_most_one_boost_die_a_turn() -> None:
    table = oval(1, options={"class": "GT5"})
    assert "3a" in table.dice_for("1.M2")
    table.lay(("1.M2", "3a"))
    assert table.dice_for("2.M1") == ["4", "2", "c", "1b"]


@pytest.mark.rule("GT-BOOST-1")
def test_the_boost_die_is_secured_with_its_gear_die() -> None:
    plan = ("1.M2", "3a")
    poor = oval(1, focus=2, options={"class": "GT5"}).one_by_one(plan)
    assert poor.refused(Secure) == "secure/focus"
    rich = oval(1, focus=3, options={"class": "GT5"}).one_by_one(plan)
    rich.do(Secure)
    assert rich.only(DiceSecured).dice == ("3", "boost")
    assert rich.only(DiceSecured).cost == 3
    assert rich.car("red").focus == 0


@pytest.mark.rule("GT-BOOST-1")
def test_the_boost_die_earns_no_focus() -> None:
    table = oval(1, options={"class": "GT5"}, dice="3 a c").flat_out(("1.M2", "3a"), ("2.M1", "c"))
    assert table.only(FocusGained).tokens == 2


@pytest.mark.rule("GT-BOOST-1")
def test_a_hazard_on_the_boost_die_counts() -> None:
    table = oval(1, options={"class": "GT5"}, dice="3 a!").one_by_one(("1.M2", "3a"))
    table.do(Roll)
    assert table.only(DiceRolled).hazards == 1


@pytest.mark.rule("GT-DICE-2")
def test_the_table_refuses_a_plan_with_a_die_used_twice() -> None:
    with pytest.raises(Rejected):
        oval(4).lay(("1.M2", "4"), ("2.M1", "4"))
