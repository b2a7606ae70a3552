"""Set up any position by hand: for scenario files, tests and puzzles. Chance can be written down in advance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from engine.core.errors import ScenarioError
from engine.core.game import Entrant
from engine.core.model import Seat, SpaceId, Value
from engine.core.options import decode_options
from engine.core.rng import SEED_BYTES, Rng, Script
from engine.gt.events import Events
from engine.gt.material import NO_TOKENS, TOKENS, Token, Tokens, full_bag, gear_from_name
from engine.gt.meta import COLOURS, META, Options, Tyre, Weather
from engine.gt.rules.order import playing_order
from engine.gt.rules.turns import next_turn
from engine.gt.state import Car, Colour, Lane, State, Where, road, round_colour

# Faces that stand for a written outcome: every die has at least one hazard face and at least one without.
HAZARD_FACE = 0
CLEAR_FACE = 5


class CarSetup(Value, frozen=True):
    """A car as a scenario writes it; what is not said is as on an ordinary first lap."""

    space: SpaceId
    gear: int | Literal["00"] = 0
    where: Where | None = None
    marker: Colour | None = None
    crossings: int = 1
    focus: int = 0
    damage: dict[Token, int] = msgspec.field(default_factory=dict)
    car_class: str | None = msgspec.field(default=None, name="class")
    tyres: Tyre = "asphalt"
    tyre_turns: int = 0
    flags: tuple[int, ...] = ()
    left_at: int = 0
    lane: Lane | None = None
    tyres_due: bool = False


class Position(Value, frozen=True):
    """A race in the middle: cars by driver's name, and whose turn starts now (None: as the order says)."""

    cars: dict[str, CarSetup]
    turn: str | None = None
    weather: Weather = "dry"
    round: int = 1
    # Tokens left in the bag; None: all that are not on dashboards or on the road.
    bag: dict[Token, int] | None = None
    # Drivers who have crossed the line already, in order, without a car on the circuit.
    finished: tuple[str, ...] = ()
    host: str | None = None


class Chance(Value, frozen=True):
    """Outcomes written down: dice as "4" or "4!" (hazard), tokens by name, the grid by driver, the weather."""

    dice: tuple[str, ...] | None = None
    bag: tuple[Token, ...] | None = None
    grid: tuple[str, ...] | None = None
    weather: tuple[Weather, ...] | None = None


def script_of(chance: Chance, names: Sequence[str]) -> Script:
    """The written outcomes as the dice stream understands them."""
    script: list[tuple[str, tuple[int, ...]]] = []
    if chance.dice is not None:
        script.append(("dice", tuple(HAZARD_FACE if die.endswith("!") else CLEAR_FACE for die in chance.dice)))
    if chance.bag is not None:
        script.append(("bag", tuple(TOKENS.index(token) for token in chance.bag)))
    if chance.grid is not None:
        script.append(("grid", tuple(_seat_of(name, names, "chance.grid") for name in chance.grid)))
    if chance.weather is not None:
        script.append(("weather", tuple(int(weather == "wet") for weather in chance.weather)))
    return tuple(script)


def arrange(
    track: str,
    position: Position,
    options: Mapping[str, Any] | None = None,
    chance: Chance | None = None,
) -> tuple[State, Events]:
    """The state in which the driver on turn has to decide (or the race is over), and the events up to there."""
    chosen = decode_options(META, options or {})
    assert isinstance(chosen, Options)
    names = (*position.cars, *position.finished)
    state = State(
        track=track,
        options=chosen,
        entrants=tuple(Entrant(name, COLOURS[seat]) for seat, name in enumerate(names)),
        host=_seat_of(position.host, names, "host") if position.host else Seat(0),
        rng=Rng(bytes(SEED_BYTES), script=script_of(chance or Chance(), names)),
        cars=(),
        bag=full_bag(),
        weather=position.weather,
        round=position.round,
    )
    circuit = road(state)
    cars: list[Car] = []
    for name, setup in position.cars.items():
        if setup.space not in circuit.spaces:
            raise ScenarioError("", f"cars.{name}.space", f"there is no space {setup.space} on {track}")
        cars.append(_car(setup, state))
    cars += [Car(circuit.grid[0], where="finished", crossings=9) for _ in position.finished]
    finished = tuple(Seat(len(position.cars) + at) for at in range(len(position.finished)))
    left_road = max((car.left_at for car in cars), default=0)
    state = msgspec.structs.replace(
        state, cars=tuple(cars), bag=_bag(position, cars), finished=finished, left_road=left_road
    )
    order = playing_order(state)
    if position.turn is not None:
        first = _seat_of(position.turn, names, "turn")
        order = (first, *(seat for seat in order if seat != first))
    events: Events = []
    return next_turn(msgspec.structs.replace(state, order=order), events), events


def _car(setup: CarSetup, state: State) -> Car:
    gear = gear_from_name(str(setup.gear))
    where: Where = setup.where or ("verge" if gear < 0 else "road")
    default_class = "GT6" if state.options.car_class == "mixed" else state.options.car_class
    return Car(
        setup.space,
        gear,
        where,
        setup.marker or round_colour(state.round),
        setup.crossings,
        setup.focus,
        tuple(setup.damage.get(token, 0) for token in TOKENS),  # type: ignore[arg-type]
        setup.car_class or default_class,
        setup.tyres,
        setup.tyre_turns,
        setup.flags,
        setup.left_at,
        lane=setup.lane,
        tyres_due=setup.tyres_due,
    )


def _bag(position: Position, cars: Sequence[Car]) -> Tokens:
    if position.bag is not None:
        return tuple(position.bag.get(token, 0) for token in TOKENS)  # type: ignore[return-value]
    gone = list(NO_TOKENS)
    for car in cars:
        for index, count in enumerate(car.tokens):
            gone[index] += count
        gone[TOKENS.index("yellow_flag")] += len(car.flags)
    return tuple(max(0, full - out) for full, out in zip(full_bag(), gone, strict=True))  # type: ignore[return-value]


def _seat_of(name: str, names: Sequence[str], place: str) -> Seat:
    if name not in names:
        raise ScenarioError("", place, f"there is no driver {name!r}; there are {', '.join(names)}")
    return Seat(list(names).index(name))
