"""What GT Circuit lends to its scenarios: setting positions up, playing notation, telling facts (docs/scenarios.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.errors import OptionsError, ScenarioError, TrackError
from engine.core.game import Entrant, Setup
from engine.core.model import Event, Seat, Value, tag_of
from engine.core.options import decode_options
from engine.core.rng import SEED_BYTES, Rng
from engine.core.scenario_file import Given
from engine.core.tables import Table, join, listed, plain, read_table
from engine.gt.actions import (
    ChooseGrid,
    ChooseSide,
    ChooseSpace,
    ChooseTyres,
    FitTyres,
    GtAction,
    LayDice,
    LoseControlAt,
    LoseControlIn,
    PitStop,
)
from engine.gt.arrange import CarSetup, Chance, Position, arrange, script_of
from engine.gt.circuit import Circuit
from engine.gt.events import DiceRolled, Events
from engine.gt.facts import Facts, facts, gear_fact
from engine.gt.material import gear_from_name, material
from engine.gt.meta import META, Options
from engine.gt.notation import play
from engine.gt.rules.start import new_race
from engine.gt.state import State, road_of, round_colour

DIE = re.compile(r"[1-6cba]!?", re.ASCII)
DIE_NAMES = {"c": "coast", "b": "brake", "a": "boost"}
# Enough for any position that makes sense, and small enough for every counter.
MOST = 999

# The words of choices without a value; the others are written by `GtHooks.word` and look like `VALUED`.
WORDS = {
    "confirm_loss": "!",
    "take_back": "back",
    "finish_plan": "done",
    "one_by_one": "one",
    "flat_out": "flat",
    "roll": "roll",
    "secure": "secure",
    "stop": "stop",
    "replan": "replan",
    "stay_out": "stay",
    "retire": "retire",
    "stop_race": "stop race",
}
VALUED = re.compile(
    r"@\w+\.\w+ | [1-6](b+|a)? | [cb] | tyres\ (asphalt|rain|soft) | grid\ \w+\.\w+ | lose\ (\w+\.\w+|[1-6])"
    r" | left | right | pit\ (tyres|repairs|both)",
    re.ASCII | re.VERBOSE,
)


class GtHooks:
    """The contract of `engine.core.scenario.ScenarioHooks`, fulfilled."""

    def start(self, given: Given) -> tuple[State, Sequence[Event]]:
        options = _options(given)
        try:
            circuit = road_of(given.track, options)
        except TrackError as error:
            raise ScenarioError("", "track", str(error)) from None
        chance = _chance(given)
        if given.state is None:
            return _fresh(given, options, chance)
        position = read_table(given.state, Position, "state")
        for place, reason in _mistakes(position, circuit):
            raise ScenarioError("", join("state", place), reason)
        try:
            return arrange(given.track, position, given.options, chance)
        except ScenarioError as error:
            place = error.place if error.place.startswith("chance") else join("state", error.place)
            raise ScenarioError("", place, error.reason) from None

    def names(self, state: State) -> Sequence[str]:
        return [entrant.name for entrant in state.entrants]

    def play(self, state: State, seat: Seat, text: str) -> tuple[State, Sequence[Event], str]:
        played = play(state, seat, text, raw=True)
        return played.state, played.events, played.unused

    def facts(self, state: State) -> Facts:
        return facts(state)

    def word(self, action: GtAction) -> str:
        match action:
            case ChooseSpace(_, space):
                return f"@{space}"
            case LayDice(_, dice):
                return dice
            case ChooseTyres(_, tyres) | FitTyres(_, tyres):
                return f"tyres {tyres}"
            case ChooseGrid(_, space):
                return f"grid {space}"
            case LoseControlAt(_, space):
                return f"lose {space}"
            case LoseControlIn(_, gear):
                return f"lose {gear}"
            case ChooseSide(_, side):
                return side
            case PitStop(_, lane):
                return "pit both" if lane == "repairs and tyres" else f"pit {lane}"
            case _:
                return WORDS[tag_of(action)]

    def is_word(self, word: str) -> bool:
        return word in WORDS.values() or VALUED.fullmatch(word) is not None

    def shown(self, state: State, value: Value) -> Table:
        return _with_gears(plain(value, self.names(state)))  # type: ignore[no-any-return]

    def chance_told(self, given: Given, events: Sequence[Event]) -> list[str]:
        written = _chance(given).dice
        if written is None:
            return []
        rolled = [die for event in events if isinstance(event, DiceRolled) for die in event.dice]
        for number, (word, die) in enumerate(zip(written, rolled, strict=False), 1):
            name = DIE_NAMES.get(word[0], word[0])
            if name != die.die:
                return [f"chance.dice[{number}]: {word!r} is written down, but {_die(die.die)} was rolled"]
        return []

    def chance_left(self, state: State) -> list[str]:
        return [
            f"chance.{stream}: {len(values)} of the outcomes written down were never asked for"
            for stream, values in state.rng.script
            if values
        ]


def _die(name: str) -> str:
    return f"gear die {name}" if name.isdigit() else f"a {name} die"


def _with_gears(table: Any) -> Any:
    """Gear 00 is written "00" wherever it stands."""
    if isinstance(table, list):
        return [_with_gears(part) for part in table]
    if isinstance(table, dict):
        return {k: gear_fact(v) if k in ("gear", "new_gear") else _with_gears(v) for k, v in table.items()}
    return table


# --- setting up ---------------------------------------------------------------------------------------------------


def _options(given: Given) -> Options:
    try:
        options = decode_options(META, given.options)
    except OptionsError as error:
        raise ScenarioError("", join("options", error.place), error.reason) from None
    assert isinstance(options, Options)
    return options


def _chance(given: Given) -> Chance:
    chance = read_table(given.chance, Chance, "chance")
    for number, word in enumerate(chance.dice or (), 1):
        if not DIE.fullmatch(word):
            reason = f"{word!r} is no die: write 1 to 6, c, b or a, with ! for a hazard"
            raise ScenarioError("", f"chance.dice[{number}]", reason)
    return chance


def _fresh(given: Given, options: Options, chance: Chance) -> tuple[State, Events]:
    """A race from the very start, its chance written down."""
    names = given.drivers
    for mistake in _wrong_names(names):
        raise ScenarioError("", "drivers", mistake)
    if chance.grid is not None and sorted(chance.grid) != sorted(names):
        raise ScenarioError("", "chance.grid", f"it must name every driver once: {listed(names)}")
    setup = Setup(given.track, options, tuple(Entrant(name) for name in names), bytes(SEED_BYTES))
    events: Events = []
    return new_race(setup, events, Rng(setup.seed, script=script_of(chance, names))), events


def _wrong_names(names: Sequence[str]) -> Iterator[str]:
    if not META.min_seats <= len(names) <= META.max_seats:
        yield f"{len(names)} drivers: a race has {META.min_seats} to {META.max_seats}"
    for name in names:
        if not name.strip():
            yield "a driver has no name"
        if list(names).count(name) > 1:
            yield f"{name!r} is there more than once"


def _mistakes(position: Position, circuit: Circuit) -> Iterator[tuple[str, str]]:
    """What makes a position impossible: place and reason."""
    yield from (("cars", mistake) for mistake in _wrong_names((*position.cars, *position.finished)))
    if not 1 <= position.round <= MOST:
        yield "round", "rounds are counted from 1"
    for token, count in (position.bag or {}).items():
        if not 0 <= count <= MOST:
            yield f"bag.{token}", f"{count} is not a number of tokens"
    taken: dict[str, str] = {}
    for name, car in position.cars.items():
        yield from ((f"cars.{name}.{key}", reason) for key, reason in _wrong_car(car, circuit))
        if car.where in (None, "road") and car.gear != "00":
            if car.space in taken:
                yield f"cars.{name}.space", f"{taken[car.space]} is on {car.space} already"
            taken[car.space] = name
    if position.turn is not None:
        yield from (("turn", reason) for reason in _wrong_turn(position, position.turn))


def _wrong_turn(position: Position, name: str) -> Iterator[str]:
    if name not in position.cars:
        yield f"there is no driver {name!r} with a car; there are: {listed(position.cars)}"
    elif position.cars[name].marker not in (None, round_colour(position.round)):
        yield f"{name} has already played: the marker shows the colour of the next round"


def _wrong_car(car: CarSetup, circuit: Circuit) -> Iterator[tuple[str, str]]:
    if car.space not in circuit.spaces:
        yield "space", f"there is no space {car.space!r} on this circuit"
    if car.car_class is not None and car.car_class not in material().classes:
        yield "class", f"there is no class {car.car_class!r}; there are: {listed(material().classes)}"
    gear = gear_from_name(str(car.gear))
    where = car.where or ("verge" if car.gear == "00" else "road")
    fits = {"road": range(7), "verge": range(-1, 0), "pits": range(-1, 1)}
    if where not in fits:
        yield "where", "a car that has finished or retired is not part of a position; see finished = [...]"
    elif not (gear in fits[where] and (gear >= 0 or car.gear == "00")):
        yield "gear", f"a car {_at(where)} cannot be in gear {car.gear}"
    counts = {"crossings": car.crossings, "focus": car.focus, "tyre_turns": car.tyre_turns, "left_at": car.left_at}
    counts |= {f"damage.{token}": count for token, count in car.damage.items()}
    for key, count in counts.items():
        if not 0 <= count <= MOST:
            yield key, f"{count} is not a number from 0 to {MOST}"
    if any(not 0 <= tile < len(circuit.tiles) for tile in car.flags):
        yield "flags", f"tiles are numbered from 0 to {len(circuit.tiles) - 1}"


def _at(where: str) -> str:
    return {"road": "on the road", "verge": "beside the road", "pits": "in the pits"}[where]


HOOKS = GtHooks()
