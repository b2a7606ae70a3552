"""AI drivers: legal, deterministic, blind to what a player would not see, and of different strength."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.cli.table import seed_from
from engine.core.driver import drivers_of
from engine.core.game import Entrant, Setup
from engine.core.log import Race, start_race
from engine.core.model import Seat, SpaceId
from engine.core.options import make_options
from engine.core.registry import find_game
from engine.gt.actions import (
    ChooseSpace,
    FinishPlan,
    FlatOut,
    OneByOne,
    PitStop,
    Secure,
    StayOut,
    Stop,
    TakeBack,
)
from engine.gt.circuit import load_circuit
from engine.gt.drivers.effort import effort
from engine.gt.drivers.hazards import loss_chance
from engine.gt.drivers.judge import far_rest, rules_for
from engine.gt.drivers.plans import plans
from engine.gt.odds import chance_of_at_least, flat_out_risk
from engine.gt.rules.ahead import table_for, tip_of
from engine.gt.state import with_car, with_turn
from tests.engine.gt.table import on, put

GT = find_game("gt")
DRIVERS = drivers_of("gt")
NAMES = list(DRIVERS)


def drive(
    seats: list[str], seed: int, track: str = "C2", preset: str = "standard", **settings: Any
) -> Race[Any, Any, Any, Any]:
    """A whole race; the engine refuses what is not legal."""
    entrants = tuple(Entrant(f"{name} {n}", driver=name) for n, name in enumerate(seats))
    race = start_race(GT, Setup(track, make_options(GT.meta, preset, settings), entrants, seed_from(seed)))
    while GT.result(race.state) is None:
        seat = GT.decisions(race.state)[0].seat
        action = DRIVERS[seats[seat]].choose(GT.view(race.state, seat), seat)
        assert action in GT.legal(race.state, seat)
        race = race.act(action, "ai")
        assert race.number < 5000, "the race does not come to an end"
    return race


EVERYTHING = {
    "grid": "choose",
    "red_zone": True,
    "flying_start": True,
    "soft_tyres": True,
    "tyre_choice": "free",
    "weather_start": "random",
    "class": "mixed",
    "pit_tyres": "exit",
    "ask_side": True,
    "replan": True,
    "finish_in_control": True,
    "limit_profile": "strict",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("settings", [{}, EVERYTHING, {"deliberate_loc": False, "laps": 2}])
def test_every_driver_brings_every_kind_of_race_to_its_end(name: str, settings: dict[str, Any]) -> None:
    for seed, track in enumerate(("C0", "C4")):
        race = drive([name] * (2 + seed), seed, track, **settings)
        result = GT.result(race.state)
        assert result is not None
        assert result.places[0].status == "finished"


@pytest.mark.parametrize("name", NAMES)
def test_a_driver_answers_the_same_again(name: str) -> None:
    assert [e.action for e in drive([name], 3, preset="solo").entries] == [
        e.action for e in drive([name], 3, preset="solo").entries
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_driver_sees_his_own_view_only(name: str) -> None:
    race = drive([name, "racer", "careful"], 5)
    # The views of two races that differ in their seed alone are equal at the start, so the answers are.
    answers = set()
    for seed in (1, 2):
        options = make_options(GT.meta, "standard", {"grid": "given"})
        state, _ = GT.new(Setup("C2", options, race.header.entrants, seed_from(seed)))
        answers.add(DRIVERS[name].choose(GT.view(state, 0), 0))  # type: ignore[arg-type]
    assert len(answers) == 1


@pytest.mark.parametrize("name", NAMES)
def test_what_somebody_else_has_laid_is_taken_back(name: str) -> None:
    # A driver who takes over for an absent player finds a half-made plan.
    state = put("C2", red=on("1.M1", 3)).state
    wanted = DRIVERS[name].choose(state, Seat(0))
    assert isinstance(wanted, ChooseSpace)
    other = next(a for a in GT.legal(state, 0) if isinstance(a, ChooseSpace) and a != wanted)  # type: ignore[arg-type]
    state, _ = GT.apply(state, other)
    taken_back = 0
    while True:
        action = DRIVERS[name].choose(state, Seat(0))
        if not isinstance(action, TakeBack):
            break
        taken_back += 1
        state, _ = GT.apply(state, action)
    assert taken_back > 0
    assert action == wanted


@pytest.mark.parametrize(("stronger", "weaker"), [("racer", "careful"), ("ace", "racer")])
def test_the_stronger_driver_wins_more_duels(stronger: str, weaker: str) -> None:
    # 200 duels on all circuits are in benchmarks/; here only so many that chance cannot turn them round.
    wins = 0
    for seed in range(16):
        result = GT.result(drive([stronger, weaker], seed).state)
        assert result is not None
        wins += result.places[0].seat == 0
    assert wins > 10


def test_alone_the_ace_is_quicker_than_the_racer() -> None:
    def mean_time(name: str) -> float:
        results = [GT.result(drive([name], seed, preset="solo").state) for seed in range(12)]
        return sum(result.places[0].score for result in results if result) / len(results)

    assert mean_time("ace") < mean_time("racer") - 15


def test_the_ace_does_not_roll_where_one_more_hazard_is_too_many() -> None:
    # Two hazards of three, gear 6: the third one would cost two turns and tokens.
    table = put("C2", red=on("1.M1", 5, focus=6)).state
    plan = DRIVERS["ace"].choose(table, Seat(0))
    state = table
    while not isinstance(plan, OneByOne | FlatOut):
        state, _ = GT.apply(state, plan)
        plan = DRIVERS["ace"].choose(state, Seat(0))
    state, _ = GT.apply(state, OneByOne(Seat(0)))
    assert state.turn is not None
    assert len(state.turn.steps) > 1
    first = state.turn.steps[0]
    moved = with_turn(with_car(state, 0, space=first.space, gear=first.gear), driven=1, hazards=2)
    assert isinstance(DRIVERS["ace"].choose(moved, Seat(0)), Secure | Stop)


@pytest.mark.parametrize("name", ["racer", "ace"])
def test_a_badly_damaged_car_goes_to_the_pits_and_a_sound_one_does_not(name: str) -> None:
    # C7 is long: repairs pay.
    for damage, wanted in (({"gearbox": 4, "brakes": 3, "coasting": 2}, PitStop), ({}, StayOut)):
        state = put("C7", options={"laps": 2}, red=on("1.L1", 1, damage=damage), blue=on("0.L1", 1)).state
        state = with_turn(state, phase="pit")
        assert isinstance(DRIVERS[name].choose(state, state.turn.seat), wanted)  # type: ignore[union-attr,arg-type]


def test_quick_chances_agree_with_the_exact_ones() -> None:
    for ones in range(4):
        for twos in range(5):
            for room in range(4):
                exact = chance_of_at_least((1,) * ones + (2,) * twos, room)
                assert loss_chance(ones, twos, room) == pytest.approx(float(exact))


def test_plans_are_legal_and_their_risk_is_the_forecasts() -> None:
    state = put("C2", red=on("2.M1", 4), blue=on("3.I", 2)).state
    seat = state.turn.seat  # type: ignore[union-attr]
    found = plans(table_for(state, seat), tip_of(state))
    assert len({(plan.end.space, plan.end.gear) for plan in found}) > 20
    for plan in found[:: max(1, len(found) // 40)]:
        laid = state
        for leg in plan.legs:
            laid, _ = GT.apply(laid, ChooseSpace(seat, leg.space))
            if laid.turn.phase == "dice":
                choice = next(a for a in GT.legal(laid, seat) if getattr(a, "dice", None) == leg.dice)
                laid, _ = GT.apply(laid, choice)
        laid, _ = GT.apply(laid, FinishPlan(seat))
        limit = table_for(state, seat).allowed.limit
        assert plan.risk == pytest.approx(float(flat_out_risk(laid.turn.steps, limit)))


def test_effort_falls_with_every_step_of_the_best_line() -> None:
    road = load_circuit("C2")
    # Downhill all the way: some step always needs less than the place before it.
    for space, steps in road.steps.items():
        here = effort(road, 6, 3, space, 1, 1)
        assert any(step.crosses or effort(road, 6, 3, step.to, gear, 1) < here for step in steps for gear in (1, 2))
    # A lap more costs as much from everywhere beyond the second lap.
    pole = road.grid[0]
    laps = [effort(road, 6, 3, pole, 0, crossings) for crossings in range(5)]
    assert laps[0] == 0
    assert laps[4] - laps[3] == pytest.approx(laps[3] - laps[2])


def test_fewer_hazards_allowed_mean_a_longer_way() -> None:
    state = put("C2", red=on("1.M1", 3)).state
    rained = msgspec.structs.replace(state, weather="wet")
    dry, wet = rules_for(state, Seat(0)), rules_for(rained, Seat(0))
    assert far_rest(wet, SpaceId("1.M1"), 3, 1) > far_rest(dry, SpaceId("1.M1"), 3, 1)
