"""Weather: tokens that change it, and what a change does to everybody's dice and limits (sections 4.13 and 8)."""

from __future__ import annotations

import pytest

from engine.gt.events import ControlLost, TokensDrawn, WeatherChanged
from engine.gt.material import TOKENS
from engine.gt.state import allowance_of
from tests.engine.gt.table import Table, on, put

WEATHER = TOKENS.index("weather")


def dashboard(table: Table, name: str) -> tuple[int, int, int, int]:
    """Gear, coast and brake dice, and the hazard limit."""
    allowed = allowance_of(table.state, table.car(name))
    return allowed.gear, allowed.coast, allowed.brake, allowed.limit


# --- changing -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-WX-1")
@pytest.mark.parametrize(("before", "after"), [("dry", "wet"), ("wet", "dry")])
def test_a_weather_change_switches_between_dry_and_wet(before: str, after: str) -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1"), weather=before, bag="weather")
    table.drive(("2.I", "4"))
    assert table.state.weather == after
    assert table.only(WeatherChanged).weather == after


@pytest.mark.rule("GT-WX-1")
def test_another_token_leaves_the_weather_alone() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1"), bag="brakes")
    table.drive(("2.I", "4"))
    assert table.state.weather == "dry"
    assert table.all(WeatherChanged) == []


@pytest.mark.rule("GT-WX-1")
def test_all_drivers_use_the_other_side_of_their_dashboards_at_once() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1"), green=on("0.R1", tyres="rain"), bag="weather")
    assert (dashboard(table, "red"), dashboard(table, "blue")) == ((6, 2, 3, 3), (6, 2, 3, 3))
    assert dashboard(table, "green") == (6, 1, 2, 3)
    table.drive(("2.I", "4"))
    assert (dashboard(table, "red"), dashboard(table, "blue")) == ((6, 2, 1, 2), (6, 2, 1, 2))
    assert dashboard(table, "green") == (6, 2, 2, 3)


@pytest.mark.rule("GT-WX-2")
@pytest.mark.parametrize(
    ("bag", "weather"),
    [
        ("weather brakes brakes brakes", "wet"),
        ("weather weather brakes brakes", "dry"),
        ("weather weather weather brakes", "wet"),
        ("weather weather weather weather", "dry"),
    ],
)
def test_an_odd_number_of_weather_changes_in_one_loss_switches_once_an_even_number_not_at_all(
    bag: str, weather: str
) -> None:
    table = put("C3", red=on("6.R1", 6), blue=on("0.L1"), bag=bag)
    table.drive(("6.I", "6"))  # red tile, gear 6: four tokens
    assert table.state.weather == weather
    assert len(table.all(WeatherChanged)) == (1 if weather == "wet" else 0)
    assert table.car("red").tokens[WEATHER] == bag.split().count("weather")


@pytest.mark.rule("GT-WX-2")
def test_weather_changes_of_two_different_losses_do_not_cancel_each_other_before_they_work() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("12.R1", 4), bag="weather weather")
    table.drive(("2.I", "4"))
    assert table.state.weather == "wet"
    table.drive(("12.I", "4"))
    assert [event.weather for event in table.all(WeatherChanged)] == ["wet", "dry"]


# --- when it strikes ----------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-22")
def test_drivers_who_have_yet_to_play_in_the_round_already_use_the_new_dice() -> None:
    table = put("C2", red=on("2.R1", 5), blue=on("10.M1", 5), bag="weather brakes")
    table.drive(("2.I", "5"))
    assert table.driver == "blue"
    assert table.dice_for("10.M2") == ["6", "5", "4", "c", "3b"]  # one brake die instead of three


@pytest.mark.rule("GT-RUL-22")
def test_drivers_who_have_yet_to_play_in_the_round_already_have_the_new_limit() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("10.M1", 2), bag="weather", dice="2! c!")
    table.drive(("2.I", "4"))
    table.drive(("10.M2", "2"), ("10.M3", "c"), ("11.M1", "c"))
    assert table.all(ControlLost)[1].space == "10.M3"  # two hazards are too many now


@pytest.mark.rule("GT-RUL-22")
def test_the_turn_in_which_the_weather_changes_is_over() -> None:
    table = put("C2", red=on("10.M1", 4), blue=on("0.L1"), dice="4! c! 5!", bag="weather brakes")
    table.drive(("10.M2", "4"), ("10.M3", "c"), ("11.M1", "5"), ("11.M2", "6"))
    assert table.only(TokensDrawn).tokens == ("weather",)  # yellow tile, gear 5: one token
    assert table.driver == "blue"


# --- weather changes left out -------------------------------------------------------------------------------------


@pytest.mark.rule("GT-RUL-26")
def test_weather_tokens_put_aside_stay_out_of_the_game() -> None:
    table = put(
        "C2", red=on("2.R1", 4), blue=on("0.L1"), options={"weather_changes": False}, bag="weather weather brakes"
    )
    table.drive(("2.I", "4"))
    drawn = table.only(TokensDrawn)
    assert (drawn.tokens, drawn.put_aside) == (("brakes",), 2)
    assert table.state.bag[WEATHER] == 4
    assert table.car("red").tokens[WEATHER] == 0


@pytest.mark.rule("GT-RUL-26")
def test_when_the_bag_runs_empty_while_replacing_nothing_more_is_drawn() -> None:
    table = put(
        "C2",
        red=on("2.R1", 5),
        blue=on("0.L1"),
        options={"weather_changes": False},
        tokens={"weather": 2, "brakes": 1},
        bag="weather brakes weather",
    )
    table.drive(("2.I", "5"))  # two tokens are due
    drawn = table.only(TokensDrawn)
    assert (drawn.tokens, drawn.put_aside) == (("brakes",), 2)
    assert sum(table.state.bag) == 0
    assert table.state.weather == "dry"
