"""Set-up and grid (rules, section 4.1)."""

from __future__ import annotations

import pytest

from engine.core.errors import OptionsError, Rejected
from engine.core.game import Entrant, Setup
from engine.gt.circuit import load_circuit
from engine.gt.code import CodeError, check
from engine.gt.events import CarFinished, GridDrawn, RoundStarted
from engine.gt.game import GAME
from engine.gt.material import NO_TOKENS
from engine.gt.meta import Options
from tests.engine.gt.table import on, put, start

SIX = ("ann", "ben", "cid", "dee", "eve", "fay")
NO_LAPS_CODE = "GT1-102a-105al-105al-106al-103a-106al-115al-115al"


def seed(number: int) -> bytes:
    return number.to_bytes(16, "big")


def colours(*chosen: str) -> list[str]:
    entrants = tuple(Entrant(f"driver {at}", colour) for at, colour in enumerate(chosen))
    state, _ = GAME.new(Setup("C2", Options(), entrants, seed(1)))
    return [entrant.colour for entrant in state.entrants]


@pytest.mark.rule("GT-SETUP-1")
def test_one_to_six_drivers_with_one_car_each() -> None:
    assert len(start("C2", "ann").state.cars) == 1
    assert len(start("C2", *SIX).state.cars) == 6


@pytest.mark.rule("GT-SETUP-1")
@pytest.mark.parametrize("names", [(), (*SIX, "gus")], ids=["nobody", "seven"])
def test_no_race_for_nobody_or_for_seven(names: tuple[str, ...]) -> None:
    with pytest.raises(Rejected) as refusal:
        start("C2", *names)
    assert refusal.value.code == "setup/seats"


@pytest.mark.rule("GT-SETUP-1")
def test_every_driver_has_his_own_colour() -> None:
    assert colours("", "", "") == ["blue", "red", "yellow"]
    assert colours("", "blue", "") == ["red", "blue", "yellow"]
    with pytest.raises(Rejected) as refusal:
        colours("red", "red")
    assert refusal.value.code == "setup/colour_taken"
    with pytest.raises(Rejected) as refusal:
        colours("pink")
    assert refusal.value.code == "setup/colour"


@pytest.mark.rule("GT-SETUP-2")
def test_the_circuit_is_a_closed_loop() -> None:
    circuit = load_circuit("C2")
    assert {step.to for step in circuit.steps["14.M3"]} == {"0.L1", "0.M1", "0.R1"}
    with pytest.raises(CodeError) as fault:
        load_circuit("GT1-102a-105al-105al-106al-103a-106al-115al-115ar")
    assert fault.value.faults[0].name == "E-OPEN"


@pytest.mark.rule("GT-SETUP-2")
def test_exactly_one_start_tile_and_no_pit_tile_on_the_road() -> None:
    assert check(NO_LAPS_CODE) == []
    without = check(NO_LAPS_CODE.replace("102a", "103a"))
    assert [(fault.name, fault.token) for fault in without] == [("E-START", 1)]
    twice = check(NO_LAPS_CODE.replace("103a", "102a"), stock="free")
    assert [(fault.name, fault.token) for fault in twice] == [("E-START", 5)]
    pit_tile = check(NO_LAPS_CODE.replace("103a", "101a"))
    assert [(fault.name, fault.token) for fault in pit_tile] == [("E-TOKEN", 5)]


@pytest.mark.rule("GT-SETUP-3")
def test_one_lap_is_the_default() -> None:
    table = put("C2", red=on("0.M3", 3), blue=on("5.M1"), dice="c").drive(("0.M4", "c"))
    assert table.only(CarFinished).place == 1


@pytest.mark.rule("GT-SETUP-3")
def test_the_laps_agreed_before_the_race_count() -> None:
    first = put("C2", red=on("0.M3", 3), blue=on("5.M1"), dice="c", options={"laps": 2}).drive(("0.M4", "c"))
    assert first.all(CarFinished) == []
    second = put("C2", red=on("0.M3", 3, crossings=2), blue=on("5.M1"), dice="c", options={"laps": 2})
    assert second.drive(("0.M4", "c")).only(CarFinished).place == 1


@pytest.mark.rule("GT-SETUP-3")
def test_a_circuit_code_may_name_the_laps() -> None:
    red = {"red": on("0.M3", 3), "blue": on("3.M1")}
    assert put(NO_LAPS_CODE + "-x2", dice="c", **red).drive(("0.M4", "c")).all(CarFinished) == []
    assert len(put(NO_LAPS_CODE, dice="c", **red).drive(("0.M4", "c")).all(CarFinished)) == 1


@pytest.mark.rule("GT-SETUP-3")
@pytest.mark.parametrize("laps", [0, 6])
def test_a_race_has_one_to_five_laps(laps: int) -> None:
    with pytest.raises(OptionsError):
        start("C2", "ann", laps=laps)


@pytest.mark.rule("GT-SETUP-4")
def test_the_basic_game_starts_dry_on_asphalt_tyres() -> None:
    state = start("C2", "ann", "ben").state
    assert state.weather == "dry"
    assert [car.tyres for car in state.cars] == ["asphalt", "asphalt"]
    assert start("C2", "ann", "ben", weather_start="wet").state.weather == "wet"


@pytest.mark.rule("GT-SETUP-5")
def test_cars_start_in_gear_0_without_focus_or_damage_and_the_bag_is_full() -> None:
    state = start("C2", *SIX).state
    assert [car.gear for car in state.cars] == [0] * 6
    assert [car.focus for car in state.cars] == [0] * 6
    assert [car.tokens for car in state.cars] == [NO_TOKENS] * 6
    assert state.bag == (6, 6, 6, 6, 6, 12)
    assert sum(state.bag) == 42


@pytest.mark.rule("GT-SETUP-6")
def test_the_first_round_is_white_and_so_are_all_markers() -> None:
    table = start("C2", *SIX)
    assert table.only(RoundStarted).number == 1
    assert table.only(RoundStarted).colour == "white"
    assert [car.marker for car in table.state.cars] == ["white"] * 6


@pytest.mark.rule("GT-GRID-1")
def test_the_starting_order_is_drawn_at_random() -> None:
    drawn = [tuple(start("C2", "ann", "ben", "cid", seed=seed(number)).order) for number in range(40)]
    # Every one of the six orders comes up, and the same seed draws the same order.
    assert len(set(drawn)) == 6
    assert tuple(start("C2", "ann", "ben", "cid", seed=seed(7)).order) == drawn[7]


@pytest.mark.rule("GT-GRID-1")
def test_an_order_from_an_earlier_result_replaces_the_draw() -> None:
    table = start("C2", "ann", "ben", "cid", grid="given", grid_order=(2, 0, 1))
    assert [table.car(name).space for name in ("cid", "ann", "ben")] == ["0.R3", "0.L3", "0.R2"]
    with pytest.raises(Rejected) as refusal:
        start("C2", "ann", "ben", "cid", grid="given", grid_order=(2, 0, 0))
    assert refusal.value.code == "setup/grid_order"


@pytest.mark.rule("GT-GRID-2")
@pytest.mark.parametrize(("circuit", "pole"), [("C2", "0.R3"), ("C0", "0.L3"), ("C1", "0.L3"), ("C8", "0.L3")])
def test_pole_is_just_before_the_line_inside_the_first_corner(circuit: str, pole: str) -> None:
    table = start(circuit, "ann", "ben")
    first = table.only(GridDrawn).order[0]
    assert table.state.cars[first].space == pole


@pytest.mark.rule("GT-GRID-2")
def test_an_unlimited_bend_is_no_first_corner() -> None:
    # C3 bends to the right on tile 1 (105b, no limit); its first corner is tile 2 (115b to the left).
    circuit = load_circuit("C3")
    assert circuit.tiles[1].turn == 1
    assert circuit.spaces["1.R1"].limit == 0
    assert circuit.tiles[2].turn == -1
    assert circuit.spaces["2.I"].limit == 3
    assert circuit.grid[0] == "0.L3"


@pytest.mark.rule("GT-GRID-3")
def test_the_grid_goes_back_row_by_row_inside_then_outside_and_leaves_the_middle_lane_empty() -> None:
    table = start("C2", *SIX)
    drawn = table.only(GridDrawn)
    assert drawn.spaces == ("0.R3", "0.L3", "0.R2", "0.L2", "0.R1", "0.L1")
    assert tuple(table.state.cars[seat].space for seat in drawn.order) == drawn.spaces


@pytest.mark.rule("GT-GRID-3")
def test_two_lanes_give_six_places_too() -> None:
    assert start("C3", *SIX).only(GridDrawn).spaces == ("0.L3", "0.R3", "0.L2", "0.R2", "0.L1", "0.R1")
