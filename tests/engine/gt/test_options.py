"""Every option and every preset: its default and what it does (section 6)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import OptionsError, Rejected
from engine.core.game import Entrant, Setup
from engine.core.options import make_options, parse_settings
from engine.gt.actions import ChooseTyres, FitTyres, PitStop, Replan
from engine.gt.code import CodeError
from engine.gt.events import (
    BoxTicked,
    CarFinished,
    ControlLost,
    GridDrawn,
    LeftRoad,
    PitWorkDone,
    TokensDrawn,
    TyresFitted,
    WeatherChanged,
    WeatherSet,
)
from engine.gt.game import GAME
from engine.gt.meta import META, PRESET_TRACKS, Options
from engine.gt.state import allowance_of, laps, pit_stops, road, weather_changes
from tests.engine.gt.table import Table, on, put, start

DEFAULTS: dict[str, Any] = {
    "laps": None,  # 1, unless the circuit code names them
    "stock": "box",
    "reverse": False,
    "grid": "draw",
    "grid_order": (),
    "weather_start": "dry",
    "tyre_choice": "asphalt",
    "weather_changes": None,  # on; solo off
    "flying_start": False,
    "red_zone": False,
    "pit_stops": None,  # on; solo off
    "pit_tyres": "entry",
    "continue_places": "all",
    "class": "GT6",
    "soft_tyres": False,
    "limit_profile": "balanced",
    "deliberate_loc": True,
    "merge_moves": True,
    "double_inner_strict": False,
    "replan": False,
    "finish_in_control": False,
    "ask_side": False,
    "solo_00": 30,
}

OVAL = "GT1-102a-105al-105al-106al-103a-106al-115al-115al"
THREE_OF_105 = "GT1-102a-105al-105al-105al-103a-105al-115al-115al"


def dice_of(table: Table, name: str) -> tuple[int, int, int, int]:
    allowed = allowance_of(table.state, table.car(name))
    return allowed.gear, allowed.coast, allowed.brake, allowed.boost


def limit_of(table: Table, name: str = "red") -> int:
    return allowance_of(table.state, table.car(name)).limit


# --- what nobody says ---------------------------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_rules() -> None:
    fields = msgspec.structs.fields(Options)
    assert {field.encode_name: getattr(Options(), field.name) for field in fields} == DEFAULTS
    assert META.default_track == "C2"


def test_in_company_there_are_pits_and_weather_changes_and_alone_there_are_neither() -> None:
    company, alone = start("C2", "ann", "ben").state, start("C2", "ann").state
    assert (pit_stops(company), weather_changes(company), laps(company)) == (True, True, 1)
    assert (pit_stops(alone), weather_changes(alone), laps(alone)) == (False, False, 1)


# --- the circuit --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("track", "chosen", "driven"), [("C2", None, 1), ("C2", 3, 3), (f"{OVAL}-x2", None, 2)])
def test_laps(track: str, chosen: int | None, driven: int) -> None:
    assert laps(start(track, "ann", laps=chosen).state) == driven
    almost = put(track, red=on("0.M3", 3, crossings=driven), blue=on("0.L1"), dice="c", options={"laps": chosen})
    assert almost.drive(("0.M4", "c")).only(CarFinished).place == 1


def test_laps_agreed_on_count_more_than_those_in_the_code() -> None:
    assert laps(start(f"{OVAL}-x2", "ann", laps=4).state) == 4


def test_stock() -> None:
    with pytest.raises(CodeError) as refusal:
        start(THREE_OF_105, "ann")
    assert refusal.value.faults[0].name == "E-STOCK"
    assert len(road(start(THREE_OF_105, "ann", stock="free").state).tiles) == 8


def test_reverse() -> None:
    forwards, backwards = (road(start("C2", "ann", reverse=way).state) for way in (False, True))
    tokens = [tile.token for tile in forwards.tiles]
    swapped = [token.translate(str.maketrans("lr", "rl")) for token in reversed(tokens[1:])]
    # 116a, the chicane, is driven backwards then.
    swapped[swapped.index("116a")] = "116av"
    assert [tile.token for tile in backwards.tiles] == ["102a", *swapped]
    assert start("C2", "ann", "ben", reverse=True).only(GridDrawn).spaces[0] == backwards.grid[0]


@pytest.mark.parametrize("grid", ["draw", "choose", "given"])
def test_grid(grid: str) -> None:
    races = [start("C2", "ann", "ben", "cid", seed=bytes([n] * 16), grid=grid) for n in range(12)]
    orders = {race.state.order for race in races}
    stages = {race.state.stage for race in races}
    assert stages == ({"grid"} if grid == "choose" else {"race"})
    # A given order is no draw: without a list of its own it is the order of the seats.
    assert (orders == {(0, 1, 2)}) is (grid == "given")


# --- weather and tyres --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "seen"), [("dry", {"dry"}), ("wet", {"wet"}), ("random", {"dry", "wet"})])
def test_weather_start(chosen: str, seen: set[str]) -> None:
    races = [start("C2", "ann", weather_start=chosen, seed=bytes([n] * 16)) for n in range(12)]
    assert {race.state.weather for race in races} == seen
    assert all(bool(race.all(WeatherSet)) is (chosen == "random") for race in races)


@pytest.mark.parametrize("chosen", ["asphalt", "rain", "soft", "free"])
def test_tyre_choice(chosen: str) -> None:
    table = start("C2", "ann", "ben", tyre_choice=chosen)
    if chosen == "free":
        assert table.state.stage == "tyres"
        assert [a.tyres for a in table.legal("ann") if isinstance(a, ChooseTyres)] == ["asphalt", "rain"]
    else:
        assert [car.tyres for car in table.state.cars] == [chosen, chosen]


@pytest.mark.parametrize(
    ("alone", "chosen", "changes"),
    [
        (False, None, True),
        (False, True, True),
        (False, False, False),
        (True, None, False),
        (True, True, True),
        (True, False, False),
    ],
)
def test_weather_changes(alone: bool, chosen: bool | None, changes: bool) -> None:
    others = {} if alone else {"blue": on("0.L1")}
    table = put("C2", red=on("2.R1", 4), options={"weather_changes": chosen}, bag="weather brakes", **others)
    table.drive(("2.I", "4"))
    assert bool(table.all(WeatherChanged)) is changes
    assert table.state.weather == ("wet" if changes else "dry")
    # In company the token is replaced, alone it counts as a green flag (GT-ADV-3, GT-SOLO-1).
    replaced = not changes and not alone
    assert table.only(TokensDrawn).tokens == (("brakes",) if replaced else ("weather",))


@pytest.mark.parametrize("chosen", [False, True])
def test_soft_tyres(chosen: bool) -> None:
    table = start("C2", "ann", "ben", tyre_choice="free", soft_tyres=chosen)
    assert (ChooseTyres(table.seat("ann"), "soft") in table.legal("ann")) is chosen
    if not chosen:
        assert table.refused(ChooseTyres, "soft", by="ann") == "tyres/not_in_play"


@pytest.mark.parametrize(("turn", "dry", "wet"), [(1, 4, 2), (4, 4, 2), (5, 3, 2), (6, 3, 2), (7, 2, 2), (20, 2, 2)])
def test_soft_tyres_wear_out(turn: int, dry: int, wet: int) -> None:
    for weather, limit in (("dry", dry), ("wet", wet)):
        table = put("C2", red=on("10.M1", 3, tyres="soft", tyre_turns=turn - 1), blue=on("0.L1"), weather=weather)
        assert limit_of(table) == limit


def test_soft_tyres_count_the_turns_driven() -> None:
    table = put("C2", red=on("10.M1", 3, tyres="soft", tyre_turns=3), dice="c")
    assert limit_of(table) == 4
    table.drive(("10.M2", "c"))
    assert (table.car("red").tyre_turns, limit_of(table)) == (4, 3)


def test_a_new_set_of_soft_tyres_starts_at_its_first_turn() -> None:
    soft = {"soft_tyres": True}
    table = put("C2", red=on("10.L1", 1, tyres="rain", tyre_turns=9), blue=on("7.M1"), dice="1", options=soft)
    table.drive(("10.L2", "1")).do(PitStop, "tyres")
    table.do(FitTyres, "soft")
    assert (table.car("red").tyres, table.car("red").tyre_turns) == ("soft", 0)


def test_who_keeps_his_soft_tyres_in_the_pits_has_driven_that_turn_on_them() -> None:
    soft = {"soft_tyres": True}
    table = put("C2", red=on("10.L1", 1, tyres="soft", tyre_turns=3), blue=on("7.M1"), dice="1 1 1", options=soft)
    table.drive(("10.L2", "1")).do(PitStop, "repairs")
    assert table.car("red").tyre_turns == 4
    # The turn in which the marker changes from 00 to 0 wears nothing.
    table.drive(("7.M2", "1")).drive(("8.M1", "1"))
    assert table.only(PitWorkDone).seat == table.seat("red")
    assert table.car("red").tyre_turns == 4


LIMITS = {
    "balanced": {("asphalt", "dry"): 3, ("asphalt", "wet"): 2, ("rain", "dry"): 3, ("rain", "wet"): 3},
    "strict": {("asphalt", "dry"): 3, ("asphalt", "wet"): 2, ("rain", "dry"): 2, ("rain", "wet"): 3},
    "flat": {("asphalt", "dry"): 3, ("asphalt", "wet"): 3, ("rain", "dry"): 3, ("rain", "wet"): 3},
}


@pytest.mark.parametrize("profile", LIMITS)
def test_limit_profile(profile: str) -> None:
    for (tyres, weather), limit in LIMITS[profile].items():
        options = {"limit_profile": profile}
        table = put(
            "C0", red=on("0.M4", 3, tyres=tyres), blue=on("0.L1"), weather=weather, options=options, dice="3! c!"
        )
        assert limit_of(table) == limit
        # Two hazards cost control exactly where the limit is 2.
        table.drive(("1.M1", "3"), ("1.M2", "c"))
        assert bool(table.all(ControlLost)) is (limit == 2)


# --- cars ---------------------------------------------------------------------------------------------------------

DICE = {
    "GT6": (6, 2, 3, 0),
    "GT6 BOP": (6, 1, 3, 0),
    "GT5": (5, 2, 3, 1),
    "GT5 BOP": (5, 2, 2, 1),
    "GT4": (4, 3, 2, 0),
}


@pytest.mark.parametrize("car_class", DICE)
def test_class(car_class: str) -> None:
    table = start("C2", "ann", "ben", car_class=car_class)
    assert dice_of(table, "ann") == dice_of(table, "ben") == DICE[car_class]
    assert allowance_of(table.state, table.car("ann")).top == DICE[car_class][0]


def test_class_mixed() -> None:
    options = make_options(META, "standard", {"class": "mixed"})
    entrants = (Entrant("ann", car="GT4"), Entrant("ben"), Entrant("cid", car="GT5 BOP"))
    state, _ = GAME.new(Setup("C2", options, entrants, bytes(16)))
    assert [car.car_class for car in state.cars] == ["GT4", "GT6", "GT5 BOP"]
    with pytest.raises(Rejected) as refusal:
        GAME.new(Setup("C2", options, (Entrant("ann", car="GT7"),), bytes(16)))
    assert refusal.value.code == "setup/class"


def test_with_one_class_for_all_nobody_brings_his_own() -> None:
    state, _ = GAME.new(Setup("C2", Options(), (Entrant("ann", car="GT4"),), bytes(16)))
    assert state.cars[0].car_class == "GT6"


# --- driving ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_", [False, True])
def test_flying_start(on_: bool) -> None:
    table = put("C2", red=on("10.M1", 0), blue=on("0.L1"), options={"flying_start": on_})
    assert table.dice_for("10.M2") == (["1", "2"] if on_ else ["1"])


@pytest.mark.parametrize("on_", [False, True])
def test_red_zone(on_: bool) -> None:
    table = put("C2", red=on("10.M1", 6), blue=on("0.L1"), options={"red_zone": on_})
    assert ("b" in table.dice_for("10.M2")) is on_


@pytest.mark.parametrize("on_", [False, True])
def test_deliberate_loc(on_: bool) -> None:
    table = put("C2", red=on("3.L3", 3), blue=on("0.L1"), options={"deliberate_loc": on_})
    assert ("4" in table.dice_for("4.O1")) is on_


@pytest.mark.parametrize("on_", [False, True])
def test_merge_moves(on_: bool) -> None:
    table = put("C6", red=on("3.M1", 1), blue=on("0.L1"), options={"merge_moves": on_})
    assert ("3.R1" in table.spaces()) is on_


@pytest.mark.parametrize("on_", [False, True])
def test_double_inner_strict(on_: bool) -> None:
    table = put("C6", red=on("7.M1", 1), blue=on("0.L1"), options={"double_inner_strict": on_})
    assert ("7.O1" in table.spaces()) is not on_


@pytest.mark.parametrize("on_", [False, True])
def test_replan(on_: bool) -> None:
    table = put("C2", red=on("10.M1", 3), blue=on("0.L1"), options={"replan": on_}, dice="4")
    table.one_by_one(("10.M2", "4"), ("10.M3", "5"))
    assert (Replan(table.turn.seat) in table.legal()) is on_


@pytest.mark.parametrize("on_", [False, True])
def test_ask_side(on_: bool) -> None:
    table = put("C0", red=on("0.M4", 3), blue=on("0.L1"), dice="3! c! c!", options={"ask_side": on_})
    table.drive(("1.M1", "3"), ("1.M2", "c"), ("2.M1", "c"))
    assert bool(table.all(LeftRoad)) is not on_


# --- pits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alone", "chosen", "possible"),
    [
        (False, None, True),
        (False, True, True),
        (False, False, False),
        (True, None, False),
        (True, True, True),
        (True, False, False),
    ],
)
def test_pit_stops(alone: bool, chosen: bool | None, possible: bool) -> None:
    others = {} if alone else {"blue": on("7.M1")}
    table = put("C2", red=on("10.L1", 1), dice="1", options={"pit_stops": chosen}, **others).drive(("10.L2", "1"))
    assert (table.phase == "pit") is possible


def test_pit_tyres_at_the_entry() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("7.M1"), dice="1", options={"pit_tyres": "entry"})
    table.drive(("10.L2", "1")).do(PitStop, "tyres")
    assert table.only(TyresFitted).tyres == "rain"
    assert table.car("red").where == "pits"


def test_pit_tyres_at_the_exit() -> None:
    table = put("C2", red=on("10.L1", 1), blue=on("7.M1"), dice="1", options={"pit_tyres": "exit"})
    table.drive(("10.L2", "1")).do(PitStop, "tyres")
    assert table.all(TyresFitted) == []
    assert (table.car("red").tyres, table.car("red").tyres_due) == ("asphalt", True)
    # Only one other type is in play: it is fitted without a question when the car comes out.
    exit_ = put(
        "C2",
        red=on("10.L2", 0, where="pits", lane="tyres", tyres_due=True),
        blue=on("7.M1"),
        options={"pit_tyres": "exit"},
    )
    assert exit_.only(TyresFitted).tyres == "rain"
    assert (exit_.driver, exit_.phase, exit_.car("red").tyres_due) == ("red", "space", False)


# --- the end of the race ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "ahead", "over", "way"),
    [
        ("first", 0, True, "first"),
        ("podium", 1, False, ""),
        ("podium", 2, True, "podium"),
        ("all", 2, False, ""),
    ],
)
def test_continue_places(chosen: str, ahead: int, over: bool, way: str) -> None:
    """Red finishes behind `ahead` others; two more are still on their way."""
    table = put(
        "C2",
        red=on("0.M3", 3),
        blue=on("10.M1", 1),
        green=on("5.M1", 1),
        dice="c",
        options={"continue_places": chosen},
        finished=["zoe", "yan"][:ahead],
    )
    table.drive(("0.M4", "c"))
    assert (table.state.stage == "over") is over
    result = GAME.result(table.state)
    assert (result.way if result else "") == way


def test_continue_places_all_ends_when_one_car_is_left() -> None:
    table = put("C2", red=on("0.M3", 3), blue=on("10.M1", 1), dice="c", options={"continue_places": "all"})
    table.drive(("0.M4", "c"))
    result = GAME.result(table.state)
    assert result is not None
    assert [(place.seat, place.status) for place in result.places] == [(0, "finished"), (1, "racing")]


@pytest.mark.parametrize("on_", [False, True])
def test_finish_in_control(on_: bool) -> None:
    # Three hazards, the last one beyond the line.
    options = {"finish_in_control": on_}
    table = put("C2", red=on("0.M1", 3), blue=on("7.M1"), dice="3! c! c!", options=options)
    table.drive(("0.M2", "3"), ("0.M3", "c"), ("0.M4", "c"))
    assert table.only(ControlLost).space == "0.M4"
    assert bool(table.all(CarFinished)) is not on_


@pytest.mark.parametrize("seconds", [30, 120])
def test_solo_00(seconds: int) -> None:
    table = put("C2", red=on("3.L3", 3), options={"solo_00": seconds}).drive(("4.O1", "3"))
    assert [(tick.gear, tick.seconds) for tick in table.all(BoxTicked)] == [(-1, seconds), (0, 60)]


# --- presets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "settings"),
    [
        ("standard", {}),
        ("first race", {"weather_changes": False}),
        ("advanced", {"tyre_choice": "free", "weather_start": "random", "flying_start": True, "red_zone": True}),
        ("solo", {"pit_stops": False, "weather_changes": False}),
        ("solo challenge", {"pit_stops": False, "weather_changes": False}),
    ],
)
def test_presets(preset: str, settings: dict[str, Any]) -> None:
    options = make_options(META, preset)
    fields = msgspec.structs.fields(Options)
    assert {f.encode_name: getattr(options, f.name) for f in fields} == {**DEFAULTS, **settings}


def test_there_are_exactly_these_presets_and_the_first_race_is_on_the_oval() -> None:
    assert list(META.presets) == ["standard", "first race", "advanced", "solo", "solo challenge"]
    assert PRESET_TRACKS == {"first race": "C0"}


def test_the_advanced_preset_asks_for_tyres_under_a_drawn_sky() -> None:
    options = make_options(META, "advanced")
    state, events = GAME.new(Setup("C2", options, (Entrant("ann"), Entrant("ben")), bytes(16)))
    assert state.stage == "tyres"
    assert any(isinstance(event, WeatherSet) for event in events)


def test_a_solo_challenge_is_the_same_for_everybody() -> None:
    settings = {"class": "GT5", "tyre_choice": "rain", "weather_start": "wet"}
    options = make_options(META, "solo challenge", settings)
    runs = [GAME.new(Setup("C4", options, (Entrant(name),), bytes(range(16))))[0] for name in ("ann", "ben")]
    assert runs[0].cars == runs[1].cars
    assert (runs[0].rng, runs[0].weather) == (runs[1].rng, runs[1].weather)
    assert (runs[0].cars[0].tyres, runs[0].cars[0].car_class, runs[0].weather) == ("rain", "GT5", "wet")


def test_settings_go_over_the_preset() -> None:
    options = make_options(META, "advanced", {"red_zone": False, "laps": 2})
    assert isinstance(options, Options)
    assert (options.red_zone, options.laps, options.flying_start) == (False, 2, True)


# --- what cannot be agreed on -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"lapps": 2}, "lapps"),
        ({"laps": 0}, "laps"),
        ({"laps": "two"}, "laps"),
        ({"stock": "garage"}, "stock"),
        ({"reverse": "yes"}, "reverse"),
        ({"grid": "random"}, "grid"),
        ({"weather_start": "snow"}, "weather_start"),
        ({"tyre_choice": "slick"}, "tyre_choice"),
        ({"pit_tyres": "never"}, "pit_tyres"),
        ({"continue_places": "none"}, "continue_places"),
        ({"class": "GT3"}, "class"),
        ({"limit_profile": "mild"}, "limit_profile"),
        ({"solo_00": 60}, "solo_00"),
    ],
)
def test_a_setting_that_does_not_exist_is_named(settings: dict[str, Any], place: str) -> None:
    with pytest.raises(OptionsError) as refusal:
        make_options(META, "standard", settings)
    assert refusal.value.place == place


def test_a_preset_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(OptionsError, match="choose one of: standard, first race, advanced"):
        make_options(META, "second race")


def test_settings_can_be_typed() -> None:
    typed = parse_settings(META, ["laps=2", "red_zone=on", "merge_moves=off", "class=GT5 BOP", "solo_00=120"])
    assert typed == {"laps": 2, "red_zone": True, "merge_moves": False, "class": "GT5 BOP", "solo_00": 120}
    with pytest.raises(OptionsError, match="key=value"):
        parse_settings(META, ["laps"])
