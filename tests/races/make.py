"""Makes the recorded races: one per way of ending. `python -m tests.races.make` writes them anew.

A record stays as it is when the drivers learn something: replaying does not ask them. Make them anew only when a change
of the rules is meant, with a new `rules_version`, and look at the difference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from engine.cli.table import seed_from
from engine.core.driver import drivers_of
from engine.core.game import Entrant, Setup
from engine.core.log import Race, encode_record, start_race
from engine.core.model import Seat, tag_of
from engine.core.options import make_options
from engine.core.orders import StandingOrder, run_clock_out
from engine.core.registry import find_game
from engine.core.rng import Rng
from engine.gt.actions import ChooseTyres, Retire, StopRace
from engine.gt.game import GAME

FOLDER = Path(__file__).parent
# Two who are no AI drivers: orders and the clock play for the one, the other does anything that is legal.
ABSENT, WILD = "absent", "wild"
# What nobody gets anywhere with who does it at random.
TOO_WILD = {"take_back", "retire", "stop_race", "replan"}

AnyRace = Race[Any, Any, Any, Any]


class Plan(NamedTuple):
    """How a race is made: who drives where, and what somebody does besides driving."""

    seed: int
    track: str
    seats: tuple[str, ...]
    preset: str = "standard"
    options: Mapping[str, Any] = {}
    # Asked before each action; gives a race with one more entry, or None.
    aside: Callable[[AnyRace], AnyRace | None] = lambda _: None


def change_of_mind(race: AnyRace) -> AnyRace | None:
    """The first step laid is taken back once, by an undo."""
    owed = GAME.decisions(race.state)[0]
    if owed.kind != "mode" or any(entry.undo_to is not None for entry in race.entries):
        return None
    return race.undo(owed.seat)


def retires_in_round(seat: int, number: int) -> Callable[[AnyRace], AnyRace | None]:
    """The driver gives up as soon as he may in that round."""
    action = Retire(Seat(seat))

    def aside(race: AnyRace) -> AnyRace | None:
        legal = race.state.round >= number and action in GAME.legal(race.state, action.seat)
        return race.act(action) if legal else None

    return aside


def host_stops(race: AnyRace) -> AnyRace | None:
    """The host ends the race as soon as he may: after the first finish."""
    action = StopRace(race.header.host)
    return race.act(action, "steward") if action in GAME.legal(race.state, action.seat) else None


RACES: dict[str, Plan] = {
    "all": Plan(33, "C1", ("racer", WILD, ABSENT, WILD), "advanced", {"ask_side": True}, change_of_mind),
    "first": Plan(12, "C0", ("careful", "racer"), "first race", {"laps": 2, "continue_places": "first"}),
    "podium": Plan(13, "C0", ("racer", "careful", "racer", ABSENT, "careful"), options={"continue_places": "podium"}),
    "stopped": Plan(14, "C0", ("careful", "racer", ABSENT), options={"weather_start": "wet"}, aside=host_stops),
    "walkover": Plan(15, "C2", ("racer", "careful"), aside=retires_in_round(0, 3)),
    "retired": Plan(16, "C2", ("careful",), "solo", aside=retires_in_round(0, 4)),
    "solo": Plan(17, "C2", ("racer",), "solo"),
}


def drive(plan: Plan) -> AnyRace:
    """The whole race."""
    game = find_game("gt")
    drivers = drivers_of("gt")
    entrants = tuple(Entrant(f"{name.capitalize()} {number}", driver=name) for number, name in enumerate(plan.seats, 1))
    options = make_options(game.meta, plan.preset, plan.options)
    race = start_race(game, Setup(plan.track, options, entrants, seed_from(plan.seed)))
    chance = Rng(seed_from(plan.seed + 1))
    orders = [StandingOrder(Seat(n), "tyres", (ChooseTyres(Seat(n), "rain"),)) for n in range(len(entrants))]
    while game.result(race.state) is None:
        besides = plan.aside(race)
        if besides is not None:
            race = besides
            continue
        seat = game.decisions(race.state)[0].seat
        name = plan.seats[seat]
        if name == ABSENT:
            race = run_clock_out(race, seat, orders)
        elif name == WILD:
            legal = [action for action in game.legal(race.state, seat) if tag_of(action) not in TOO_WILD]
            pick, chance = chance.below(WILD, len(legal))
            race = race.act(legal[pick])
        else:
            race = race.act(drivers[name].choose(game.view(race.state, seat), seat), "ai")
    return race


def main() -> None:
    """Write all records."""
    for way, plan in RACES.items():
        race = drive(plan)
        result = race.game.result(race.state)
        assert result is not None
        assert result.way == way, f"{way} ended as {result.way}"
        path = FOLDER / "gt" / f"{way}.json"
        path.write_bytes(encode_record(race, reveal=True))
        sys.stdout.write(f"{path.name}: {race.number} entries, {path.stat().st_size // 1024} kB\n")


if __name__ == "__main__":
    main()
