"""Red zone: brake dice that keep the top gear (sections 4.18 and 8)."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rng import Rng
from engine.gt.actions import LoseControlAt, LoseControlIn, Roll, Secure
from engine.gt.events import ControlLost, DiceLaidOutAgain, DiceRolled
from tests.engine.gt.table import Table, on, put

RED_ZONE = {"red_zone": True}


def red_zone(
    gear: int = 6, dice: str = "", weather: str = "dry", options: dict[str, object] | None = None, **car: object
) -> Table:
    """Red on a long straight in that gear, blue far behind."""
    return put(
        "C0",
        red=on("0.M4", gear, **car),
        blue=on("0.L1"),
        dice=dice,
        bag="green_flag green_flag",
        weather=weather,
        options={**RED_ZONE, **(options or {})},
    )


# --- using brake dice ---------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RED-1")
def test_in_top_gear_a_brake_die_may_be_used_like_a_coast_die() -> None:
    table = red_zone(dice="b")
    assert "b" in table.dice_for("1.M1")
    table.drive(("1.M1", "b"))
    assert (table.car("red").space, table.car("red").gear) == ("1.M1", 6)


@pytest.mark.rule("GT-RED-1")
def test_below_top_gear_a_brake_die_alone_is_refused() -> None:
    assert "b" not in red_zone(gear=5).dice_for("1.M1")


@pytest.mark.rule("GT-RED-1")
def test_the_top_gear_of_class_gt5_is_5() -> None:
    table = red_zone(gear=5, options={"class": "GT5"})
    assert "b" in table.dice_for("1.M1")


@pytest.mark.rule("GT-RED-1")
def test_reaching_the_top_gear_within_the_turn_is_enough() -> None:
    table = red_zone(gear=5)
    table.lay(("1.M1", "6"))
    assert "b" in table.dice_for("1.M2")


@pytest.mark.rule("GT-RED-1")
def test_without_the_option_a_brake_die_alone_is_refused() -> None:
    table = red_zone(options={"red_zone": False})
    assert "b" not in table.dice_for("1.M1")


# --- what it uses up ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RED-2")
def test_a_red_zone_die_counts_against_the_brake_dice() -> None:
    table = red_zone(weather="wet")  # one brake die
    table.lay(("1.M1", "b"))
    assert table.dice_for("1.M2") == ["6", "5", "c"]


@pytest.mark.rule("GT-RED-2")
def test_a_red_zone_die_counts_against_the_gear_dice() -> None:
    table = red_zone(damage={"gearbox": 4})  # two gear dice
    table.lay(("1.M1", "b"))
    assert table.dice_for("1.M2") == ["6", "5", "c", "4b", "3bb", "b"]
    table.lay(("1.M2", "b"))
    assert table.dice_for("2.M1") == ["c"]


@pytest.mark.rule("GT-RED-2")
def test_without_a_gear_die_left_there_is_no_red_zone() -> None:
    table = red_zone(damage={"gearbox": 6})
    assert table.dice_for("1.M1") == ["c"]


@pytest.mark.rule("GT-RED-3")
def test_dice_used_in_the_red_zone_are_missing_for_braking() -> None:
    table = red_zone()
    table.lay(("1.M1", "b"), ("1.M2", "b"))
    assert table.dice_for("2.M1") == ["6", "5", "c", "4b", "b"]  # one brake die left of three


@pytest.mark.rule("GT-RED-3")
def test_dice_used_for_braking_are_missing_in_the_red_zone() -> None:
    wet = red_zone(weather="wet")  # one brake die
    wet.lay(("1.M1", "4b"), ("1.M2", "5"), ("2.M1", "6"))
    assert wet.dice_for("2.M2") == ["c"]
    dry = red_zone()
    dry.lay(("1.M1", "4b"), ("1.M2", "5"), ("2.M1", "6"))
    assert dry.dice_for("2.M2") == ["c", "3bb", "b"]


@pytest.mark.rule("GT-RED-3", "GT-RED-4")
def test_ex_24_red_zone_and_braking_in_one_turn_and_only_the_other_dice_earn_focus() -> None:
    table = red_zone(dice="c c b b 4 b")
    table.flat_out(("1.M1", "c"), ("1.M2", "c"), ("2.M1", "b"), ("2.M2", "b"), ("3.M1", "4b"))
    red = table.car("red")
    assert (red.space, red.gear, red.focus) == ("3.M1", 4, 3)


@pytest.mark.rule("GT-RED-4")
def test_a_red_zone_die_alone_earns_no_focus() -> None:
    table = red_zone(dice="b")
    table.flat_out(("1.M1", "b"))
    assert table.car("red").focus == 0


# --- rolling and securing -----------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RED-5")
def test_a_red_zone_die_is_rolled_as_a_single_die() -> None:
    table = red_zone(dice="b! c")
    table.one_by_one(("1.M1", "b"), ("1.M2", "c"))
    table.do(Roll)
    rolled = table.only(DiceRolled)
    assert ([die.die for die in rolled.dice], rolled.hazards) == (["brake"], 1)


@pytest.mark.rule("GT-RED-5")
def test_a_red_zone_die_is_secured_as_a_single_die() -> None:
    table = red_zone(focus=1)
    table.one_by_one(("1.M1", "b"), ("1.M2", "c"))
    table.do(Secure)
    assert (table.car("red").focus, table.car("red").space, table.all(DiceRolled)) == (0, "1.M1", [])


@pytest.mark.rule("GT-RED-5")
@pytest.mark.parametrize(("die", "hazards"), [("b", 1), ("c", 0)])
def test_a_red_zone_die_has_the_hazard_faces_of_a_brake_die(die: str, hazards: int) -> None:
    # The second face of six is a hazard on a brake die, not on a coast die.
    table = red_zone(dice=die)
    table.state = msgspec.structs.replace(table.state, rng=Rng(bytes(16), script=(("dice", (1,)),)))
    table.drive(("1.M1", die))
    assert table.only(DiceRolled).hazards == hazards


# --- laid out again -----------------------------------------------------------------------------------------------


def outcomes(table: Table) -> set[str]:
    return {action.space for action in table.legal() if isinstance(action, LoseControlAt)}


@pytest.mark.rule("GT-RUL-35")
def test_laid_out_again_a_brake_die_may_serve_in_the_red_zone() -> None:
    # One gear die, one brake die, limit 2: brake to 4 and coast, or red zone and coast.
    table = red_zone(dice="4 b! c!", weather="wet", damage={"gearbox": 5})
    table.flat_out(("1.M1", "4b"), ("1.M2", "c"))
    assert outcomes(table) == {"1.L2", "1.M2", "1.R2"}
    table.do(LoseControlAt, "1.M2")
    assert {action.gear for action in table.legal() if isinstance(action, LoseControlIn)} == {4, 6}
    table.do(LoseControlIn, 6)
    assert sorted(step.dice for step in table.only(DiceLaidOutAgain).steps) == ["b", "c"]
    assert table.only(ControlLost).gear == 6


@pytest.mark.rule("GT-RUL-35")
def test_laid_out_again_a_red_zone_die_counts_against_the_gear_dice_as_in_planning() -> None:
    # Three gear dice are allowed: 6, red zone, 5 and 4 would be four.
    table = red_zone(dice="4! b 5! 6!", damage={"gearbox": 3})
    table.flat_out(("1.M1", "4b"), ("1.M2", "5"), ("2.M1", "6"))
    assert outcomes(table) == {"2.L1", "2.M1", "2.R1"}


@pytest.mark.rule("GT-RUL-35")
def test_laid_out_again_without_the_option_there_is_no_red_zone() -> None:
    table = red_zone(dice="4 b! c!", weather="wet", damage={"gearbox": 5}, options={"red_zone": False})
    table.flat_out(("1.M1", "4b"), ("1.M2", "c"))
    table.do(LoseControlAt, "1.M2")
    assert table.only(ControlLost).gear == 4


@pytest.mark.rule("GT-RUL-35")
def test_laid_out_again_the_boost_die_may_be_used() -> None:
    # Limit 2, so the hazards of boost and coast die are both needed, whichever comes first.
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), weather="wet", dice="5 a! 4 c!", options={"class": "GT5"})
    table.flat_out(("1.M1", "5a"), ("1.M2", "4"), ("2.M1", "c"))
    assert outcomes(table) == {"1.L2", "1.M2", "1.R2", "2.L1", "2.M1", "2.R1"}
