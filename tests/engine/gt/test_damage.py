"""Damage tokens: what they take away, where they lie, and what happens without dice (sections 4.13 and 8)."""

from __future__ import annotations

import pytest

from engine.gt.actions import ChooseSpace, PitStop, StayOut
from engine.gt.arrange import CarSetup
from engine.gt.events import CarReturned, NoDiceLeft, TokensDrawn, TurnEnded, YellowFlag
from engine.gt.material import OFF_ROAD, TOKENS
from engine.gt.state import allowance_of
from tests.engine.gt.table import Table, on, put

NO_GEARBOX = {"gearbox": 6}


def dice_of(table: Table, name: str) -> tuple[int, int, int]:
    """Gear, coast and brake dice that the driver may use in a turn."""
    allowed = allowance_of(table.state, table.car(name))
    return allowed.gear, allowed.coast, allowed.brake


def kept(table: Table, name: str) -> dict[str, int]:
    """The tokens on a driver's dashboard."""
    return {token: count for token, count in zip(TOKENS, table.car(name).tokens, strict=True) if count}


def in_bag(table: Table, token: str) -> int:
    return table.state.bag[TOKENS.index(token)]  # type: ignore[arg-type]


# --- keeping ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-DMG-1")
def test_drawn_tokens_leave_the_bag_and_are_kept_on_the_dashboard() -> None:
    table = put("C2", red=on("2.R1", 6), blue=on("0.L1"), bag="gearbox brakes gearbox")
    table.drive(("2.I", "6"))
    assert kept(table, "red") == {"gearbox": 2, "brakes": 1}
    assert (in_bag(table, "gearbox"), in_bag(table, "brakes"), in_bag(table, "coasting")) == (4, 5, 6)


@pytest.mark.rule("GT-DMG-1")
def test_a_yellow_flag_goes_to_the_road_first() -> None:
    table = put("C2", red=on("2.R1", 5), blue=on("0.L1"), bag="coasting yellow_flag")
    table.drive(("2.I", "5"))
    assert kept(table, "red") == {"coasting": 1}
    assert table.car("red").flags == (2,)
    assert in_bag(table, "yellow_flag") == 5


@pytest.mark.rule("GT-DMG-5")
def test_a_green_flag_is_kept_and_has_no_effect() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1"), bag="green_flag")
    table.drive(("2.I", "4"))
    assert kept(table, "red") == {"green_flag": 1}
    assert in_bag(table, "green_flag") == 11
    assert dice_of(table, "red") == (6, 2, 3)
    assert table.state.weather == "dry"
    assert table.all(YellowFlag) == []


# --- fewer dice ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-DMG-2")
@pytest.mark.parametrize(
    ("damage", "dice"),
    [
        ({}, (6, 2, 3)),
        ({"gearbox": 1}, (5, 2, 3)),
        ({"coasting": 1}, (6, 1, 3)),
        ({"brakes": 1}, (6, 2, 2)),
        ({"gearbox": 3, "coasting": 2, "brakes": 2}, (3, 0, 1)),
    ],
)
def test_each_token_lowers_the_dice_of_its_kind_by_one(damage: dict[str, int], dice: tuple[int, int, int]) -> None:
    table = put("C0", red=on("0.M4", 3, damage=damage), blue=on("0.L1"))
    assert dice_of(table, "red") == dice
    assert dice_of(table, "blue") == (6, 2, 3)


@pytest.mark.rule("GT-DMG-2")
def test_broken_coasting_allows_one_coast_die_in_a_turn() -> None:
    table = put("C0", red=on("0.M4", 3, damage={"coasting": 1}), blue=on("0.L1"))
    table.lay(("1.M1", "c"))
    assert table.dice_for("1.M2") == ["4", "3", "2", "1b"]


@pytest.mark.rule("GT-DMG-2")
def test_broken_brakes_shorten_the_braking() -> None:
    healthy = put("C0", red=on("0.M4", 5), blue=on("0.L1"))
    damaged = put("C0", red=on("0.M4", 5, damage={"brakes": 2}), blue=on("0.L1"))
    assert healthy.dice_for("1.M1") == ["6", "5", "4", "c", "3b", "2bb", "1bbb"]
    assert damaged.dice_for("1.M1") == ["6", "5", "4", "c", "3b"]


@pytest.mark.rule("GT-DMG-2", "GT-RUL-23")
def test_with_a_broken_gearbox_any_numbers_may_be_used_only_fewer_of_them() -> None:
    upwards = put("C0", red=on("0.M4", 3, damage={"gearbox": 4}), blue=on("0.L1"))
    upwards.lay(("1.M1", "4"), ("1.M2", "5"))
    assert upwards.dice_for("2.M1") == ["c"]  # two gear dice of six: gear die 6 is one too many
    downwards = put("C0", red=on("0.M4", 3, damage={"gearbox": 4}), blue=on("0.L1"))
    downwards.lay(("1.M1", "2"), ("1.M2", "1"))
    assert downwards.dice_for("2.M1") == ["c"]


@pytest.mark.rule("GT-RUL-23")
def test_with_a_broken_gearbox_gears_still_change_one_by_one() -> None:
    table = put("C0", red=on("0.M4", 3, damage={"gearbox": 4, "brakes": 3}), blue=on("0.L1"))
    assert table.dice_for("1.M1") == ["4", "3", "2", "c"]


@pytest.mark.rule("GT-DMG-3")
def test_the_number_of_dice_never_falls_below_0_and_surplus_tokens_are_kept() -> None:
    table = put("C0", red=on("0.L4", 1, damage={"coasting": 3, "brakes": 5}), blue=on("0.L1"), dice="1")
    assert dice_of(table, "red") == (6, 0, 0)
    assert kept(table, "red") == {"coasting": 3, "brakes": 5}
    table.drive(("1.L1", "1"))
    table.do(PitStop, "repairs")
    assert (in_bag(table, "coasting"), in_bag(table, "brakes")) == (6, 6)


@pytest.mark.rule("GT-DMG-4")
def test_when_the_weather_changes_the_dice_are_worked_out_anew() -> None:
    # EX-26: rain tyres allow 6/1/2 in the dry and 6/2/2 in the wet.
    damage = {"coasting": 2, "brakes": 1}
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1", tyres="rain", damage=damage), bag="weather")
    assert dice_of(table, "blue") == (6, 0, 1)
    table.drive(("2.I", "4"))
    assert table.state.weather == "wet"
    assert dice_of(table, "blue") == (6, 0, 1)
    # One broken coasting less, and the better side shows.
    lighter = put("C2", red=on("2.R1", 4), blue=on("0.L1", tyres="rain", damage={"coasting": 1}), bag="weather")
    assert dice_of(lighter, "blue") == (6, 0, 2)
    lighter.drive(("2.I", "4"))
    assert dice_of(lighter, "blue") == (6, 1, 2)


@pytest.mark.rule("GT-DMG-4")
def test_when_the_tyres_change_the_dice_are_worked_out_anew() -> None:
    table = put("C2", red=on("10.L1", 1, damage={"brakes": 1}), blue=on("0.L1"), weather="wet", dice="1")
    assert dice_of(table, "red") == (6, 2, 0)  # asphalt in the wet: 6/2/1
    table.drive(("10.L2", "1"))
    table.do(PitStop, "tyres")
    assert table.car("red").tyres == "rain"
    assert dice_of(table, "red") == (6, 2, 1)  # rain in the wet: 6/2/2
    assert kept(table, "red") == {"brakes": 1}


# --- no die left --------------------------------------------------------------------------------------------------


def stuck() -> CarSetup:
    """In gear 0 with six broken gearboxes, on the middle lane."""
    return on("10.M2", 0, damage=NO_GEARBOX)


@pytest.mark.rule("GT-RUL-24")
def test_without_a_legal_die_the_turn_passes_and_the_pits_are_open_for_repairs_from_any_space() -> None:
    table = put("C2", red=stuck(), blue=on("0.L1"))
    assert table.only(NoDiceLeft).returned is None
    assert table.phase == "pit"
    seat = table.seat("red")
    assert table.legal() == [StayOut(seat), PitStop(seat, "repairs"), PitStop(seat, "repairs and tyres")]
    assert table.refused(PitStop, "tyres") == "pit/lane"
    assert table.refused(ChooseSpace, "10.M3") == "turn/phase"


@pytest.mark.rule("GT-RUL-24")
def test_without_a_legal_die_the_driver_may_stay_out_and_keeps_gear_and_space() -> None:
    table = put("C2", red=stuck(), blue=on("0.L1"))
    table.do(StayOut)
    assert (table.car("red").space, table.car("red").gear) == ("10.M2", 0)
    assert table.driver == "blue"
    assert kept(table, "red") == NO_GEARBOX


@pytest.mark.rule("GT-RUL-24")
def test_a_car_repaired_for_want_of_dice_drives_again() -> None:
    table = put("C2", red=stuck(), blue=on("7.M1"), dice="1 1 1")
    table.do(PitStop, "repairs")
    assert kept(table, "red") == {}
    assert (table.car("red").where, table.car("red").gear) == ("pits", OFF_ROAD)
    table.drive(("7.M2", "1"))
    table.drive(("8.M1", "1"))  # round 2, in which red's marker turns to 0
    table.drive(("8.O1", "1"))
    assert table.driver == "red"
    assert table.only(CarReturned).space == "10.M2"
    assert table.dice_for("10.M3") == ["1"]


@pytest.mark.rule("GT-RUL-24")
def test_the_clock_sends_a_car_without_dice_to_the_repairs() -> None:
    table = put("C2", red=stuck(), blue=on("0.L1"))
    assert table.decision().default == PitStop(table.seat("red"), "repairs")


@pytest.mark.rule("GT-RUL-24")
def test_one_gear_die_is_enough_to_have_to_drive() -> None:
    table = put("C2", red=on("10.M2", 0, damage={"gearbox": 5}), blue=on("0.L1"))
    assert table.all(NoDiceLeft) == []
    assert table.phase == "space"


@pytest.mark.rule("GT-RUL-24")
def test_a_moving_car_with_a_coast_die_left_is_not_without_dice() -> None:
    table = put("C2", red=on("10.M2", 3, damage=NO_GEARBOX), blue=on("0.L1"))
    assert table.dice_for("10.M3") == ["c"]


@pytest.mark.rule("GT-RUL-24")
def test_with_pit_stops_off_one_broken_gearbox_is_returned_to_the_bag_instead() -> None:
    table = put("C2", red=stuck(), blue=on("0.L1"), options={"pit_stops": False})
    assert table.only(NoDiceLeft).returned == "gearbox"
    assert table.only(TurnEnded).seat == table.seat("red")
    assert kept(table, "red") == {"gearbox": 5}
    assert in_bag(table, "gearbox") == 1
    assert table.driver == "blue"


@pytest.mark.rule("GT-RUL-24")
def test_alone_one_broken_gearbox_is_returned_and_the_next_turn_is_driven() -> None:
    table = put("C2", red=stuck())
    assert table.only(NoDiceLeft).returned == "gearbox"
    assert in_bag(table, "gearbox") == 1
    assert [tick.gear for tick in table.state.ticks] == [0]
    assert table.dice_for("10.M3") == ["1"]


# --- the bag runs out ---------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-25")
def test_an_empty_bag_gives_nothing() -> None:
    table = put("C2", red=on("2.R1", 6), blue=on("0.L1"), tokens={})
    table.drive(("2.I", "6"))
    assert table.car("red").gear == OFF_ROAD
    assert kept(table, "red") == {}


@pytest.mark.rule("GT-RUL-25")
def test_a_bag_with_too_few_tokens_gives_what_it_has() -> None:
    table = put("C2", red=on("2.R1", 6), blue=on("0.L1"), tokens={"brakes": 2}, bag="brakes brakes")
    table.drive(("2.I", "6"))
    assert table.only(TokensDrawn).tokens == ("brakes", "brakes")  # three were due
    assert sum(table.state.bag) == 0
