"""Start conditions of the advanced rules: weather, sealed tyres, races without weather changes (section 4.17)."""

from __future__ import annotations

import pytest

from engine.core.game import Decision
from engine.gt.actions import ChooseTyres, GtAction
from engine.gt.events import TokensDrawn, TyresRevealed, TyresSealed, WeatherChanged, WeatherSet
from engine.gt.game import GAME
from engine.gt.material import TOKENS
from tests.engine.gt.table import Table, on, put, start

WEATHER = TOKENS.index("weather")


# --- weather ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ADV-1")
@pytest.mark.parametrize("weather", ["dry", "wet"])
def test_the_race_starts_in_the_weather_agreed_on(weather: str) -> None:
    table = start("C2", "ann", "ben", weather_start=weather)
    assert table.state.weather == weather
    assert table.all(WeatherSet) == []  # nothing that was not known


@pytest.mark.rule("GT-ADV-1")
def test_random_weather_is_drawn_and_announced() -> None:
    races = [start("C2", "ann", "ben", weather_start="random", seed=bytes([n] * 16)) for n in range(12)]
    assert {table.state.weather for table in races} == {"dry", "wet"}
    assert [table.only(WeatherSet).weather for table in races] == [table.state.weather for table in races]


# --- tyres --------------------------------------------------------------------------------------------------------


def owed(table: Table) -> list[Decision[GtAction]]:
    return list(GAME.decisions(table.state))


@pytest.mark.rule("GT-ADV-2")
def test_each_driver_may_choose_his_tyres_for_the_start() -> None:
    table = start("C2", "ann", "ben", tyre_choice="free")
    ann, ben = table.seat("ann"), table.seat("ben")
    assert [(decision.seat, decision.kind, decision.sealed) for decision in owed(table)] == [
        (ann, "tyres", True),
        (ben, "tyres", True),
    ]
    assert table.legal("ann") == [ChooseTyres(ann, "asphalt"), ChooseTyres(ann, "rain")]
    table.do(ChooseTyres, "rain", by="ann")
    table.do(ChooseTyres, "asphalt", by="ben")
    assert (table.car("ann").tyres, table.car("ben").tyres) == ("rain", "asphalt")
    assert table.state.stage == "race"


@pytest.mark.rule("GT-ADV-2")
def test_sealed_tyres_are_revealed_together() -> None:
    table = start("C2", "ann", "ben", tyre_choice="free")
    table.do(ChooseTyres, "rain", by="ben")
    assert [type(event) for event in table.last] == [TyresSealed]
    assert table.car("ben").tyres == "asphalt"  # nothing shows yet
    table.do(ChooseTyres, "asphalt", by="ann")
    assert table.only(TyresRevealed).tyres == ("asphalt", "rain")


@pytest.mark.rule("GT-ADV-2")
def test_the_order_in_which_drivers_choose_does_not_matter() -> None:
    one = start("C2", "ann", "ben", tyre_choice="free")
    one.do(ChooseTyres, "rain", by="ann")
    one.do(ChooseTyres, "asphalt", by="ben")
    other = start("C2", "ann", "ben", tyre_choice="free")
    other.do(ChooseTyres, "asphalt", by="ben")
    other.do(ChooseTyres, "rain", by="ann")
    assert one.state == other.state


@pytest.mark.rule("GT-ADV-2")
def test_nobody_chooses_twice() -> None:
    table = start("C2", "ann", "ben", tyre_choice="free")
    table.do(ChooseTyres, "rain", by="ann")
    assert table.refused(ChooseTyres, "asphalt", by="ann") == "tyres/already_chosen"
    assert [decision.seat for decision in owed(table)] == [table.seat("ben")]


@pytest.mark.rule("GT-ADV-2")
@pytest.mark.parametrize(("weather", "tyres"), [("dry", "asphalt"), ("wet", "rain")])
def test_the_clock_chooses_the_tyres_that_fit_the_weather(weather: str, tyres: str) -> None:
    table = start("C2", "ann", "ben", tyre_choice="free", weather_start=weather)
    assert owed(table)[0].default == ChooseTyres(table.seat("ann"), tyres)


@pytest.mark.rule("GT-ADV-2")
def test_without_the_choice_everyone_starts_on_asphalt_tyres() -> None:
    table = start("C2", "ann", "ben", weather_start="wet")
    assert [car.tyres for car in table.state.cars] == ["asphalt", "asphalt"]
    assert table.refused(ChooseTyres, "rain", by="ann") == "race/stage"


# --- weather changes left out -------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ADV-3")
def test_with_weather_changes_off_a_weather_token_is_put_aside_and_another_one_drawn() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1"), options={"weather_changes": False}, bag="weather brakes")
    table.drive(("2.I", "4"))
    drawn = table.only(TokensDrawn)
    assert (drawn.tokens, drawn.put_aside) == (("brakes",), 1)
    assert (table.state.weather, table.all(WeatherChanged)) == ("dry", [])
    assert table.car("red").tokens[WEATHER] == 0


@pytest.mark.rule("GT-ADV-3")
def test_with_weather_changes_on_a_weather_token_counts_as_drawn() -> None:
    table = put("C2", red=on("2.R1", 4), blue=on("0.L1"), options={"weather_changes": True}, bag="weather")
    table.drive(("2.I", "4"))
    drawn = table.only(TokensDrawn)
    assert (drawn.tokens, drawn.put_aside) == (("weather",), 0)
    assert table.state.weather == "wet"
