"""The state of a GT race: cars, the running turn, the round."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.core.game import Entrant
from engine.core.model import Seat, SpaceId, Value
from engine.core.rng import Rng
from engine.gt.circuit import Circuit, load_circuit
from engine.gt.dice import DiceSet
from engine.gt.material import NO_TOKENS, STANDING, Allowance, Gear, Tokens, allowance
from engine.gt.meta import Options, Tyre, Weather

Where = Literal["road", "verge", "pits", "finished", "retired"]
Colour = Literal["white", "black"]
Side = Literal["left", "right"]
Lane = Literal["tyres", "repairs", "repairs and tyres"]

Phase = Literal[
    "space",  # lay the next step: where to
    "dice",  # ... and with which dice
    "confirm",  # the step laid is a certain loss of control
    "mode",  # the plan is done: one by one or flat out
    "roll",  # one by one, before each step
    "relay",  # flat out failed: where control is lost
    "relay_gear",  # ... and in which gear
    "side",  # off which side of the road
    "pit",  # the turn ended where a pit stop is possible
    "pit_tyres",  # which tyres to fit
]

PLANNING: frozenset[Phase] = frozenset({"space", "dice", "confirm", "mode"})


class Car(Value, frozen=True):
    """One driver's car, its markers and what lies on its dashboard."""

    space: SpaceId
    gear: Gear = STANDING
    where: Where = "road"
    # The side of the gear marker: in a round of that colour the car has yet to play (GT-ROUND-2).
    marker: Colour = "white"
    # How often the car has crossed the line; the start counts (GT-END-3).
    crossings: int = 0
    focus: int = 0
    tokens: Tokens = NO_TOKENS
    car_class: str = "GT6"
    tyres: Tyre = "asphalt"
    # The turns driven on this set of tyres, for soft ones.
    tyre_turns: int = 0
    # Own yellow flags on the road: the index of the tile, once per flag.
    flags: tuple[int, ...] = ()
    # When it left the road, counted over the whole race (GT-ORDER-6).
    left_at: int = 0
    side: Side | None = None
    lane: Lane | None = None
    # In a lane with tyres, and not fitted yet.
    tyres_due: bool = False
    # Facing backwards after a loss of control (GT-LOC-6, GT-OFF-1); it only shows.
    spun: bool = False

    @property
    def racing(self) -> bool:
        """Still in the race: on the road, beside it or in the pits."""
        return self.where in ("road", "verge", "pits")


class PlanStep(Value, frozen=True):
    """One space of a plan with its dice; what the line does to the car is worked out when it is laid."""

    space: SpaceId
    dice: DiceSet
    gear: Gear
    # Hazards that the space and the lines add by themselves.
    auto: int = 0
    # The gear is above the limit that binds here.
    over: bool = False
    # The car crosses the start/finish line.
    crosses: bool = False
    # A certain loss of control; such a step is the last of its plan (GT-RUL-3).
    sure_loss: bool = False


class RolledDie(Value, frozen=True):
    """One die on the table: "4", "coast", "brake" or "boost", and whether it shows a hazard."""

    die: str
    hazard: bool = False


class Turn(Value, frozen=True):
    """The turn that is being played."""

    seat: Seat
    phase: Phase
    steps: tuple[PlanStep, ...] = ()
    # How many of the steps the car has made.
    driven: int = 0
    # Hazards received so far.
    hazards: int = 0
    # Dice secured so far; the next one costs one token more (GT-FOCUS-4).
    secured: int = 0
    # The space chosen, waiting for its dice.
    aim: SpaceId | None = None
    # The plan is fixed: everybody sees it.
    mode: Literal["one by one", "flat out"] | None = None
    # The dice of a failed flat-out roll, waiting to be laid out again.
    rolled: tuple[RolledDie, ...] = ()
    # No legal die was left at the start of the turn (GT-RUL-24).
    stuck: bool = False


class Tick(Value, frozen=True):
    """One ticked box of the solo sheet."""

    gear: Gear
    seconds: int
    weather: Weather


class State(Value, frozen=True):
    """A whole race between two actions."""

    track: str
    options: Options
    entrants: tuple[Entrant, ...]
    host: Seat
    rng: Rng
    cars: tuple[Car, ...]
    bag: Tokens
    weather: Weather = "dry"
    stage: Literal["tyres", "grid", "race", "over"] = "race"
    round: int = 0
    # The order of the running round (GT-ORDER-1); before the race the order of the grid.
    order: tuple[Seat, ...] = ()
    turn: Turn | None = None
    # Turns begun so far: names the clock of a turn.
    turns: int = 0
    sealed_tyres: tuple[Tyre | None, ...] = ()
    left_road: int = 0
    finished: tuple[Seat, ...] = ()
    retired: tuple[Seat, ...] = ()
    stopped: bool = False
    ticks: tuple[Tick, ...] = ()


def road_of(track: str, options: Options) -> Circuit:
    """The circuit as these options drive it."""
    return load_circuit(
        track,
        stock=options.stock,
        reverse=options.reverse,
        merge_moves=options.merge_moves,
        double_inner_strict=options.double_inner_strict,
    )


def road(state: State) -> Circuit:
    """The circuit of the race."""
    return road_of(state.track, state.options)


def solo(state: State) -> bool:
    """One driver against the clock (GT-SOLO-1)."""
    return len(state.cars) == 1


def laps(state: State) -> int:
    """How many laps are driven (GT-SETUP-3)."""
    return state.options.laps or road(state).laps_in_code or 1


def weather_changes(state: State) -> bool:
    """Whether weather tokens change the weather (GT-ADV-3, GT-SOLO-1, GT-SOLO-2)."""
    chosen = state.options.weather_changes
    return not solo(state) if chosen is None else chosen


def pit_stops(state: State) -> bool:
    """Whether there are pit stops."""
    chosen = state.options.pit_stops
    return not solo(state) if chosen is None else chosen


def round_colour(number: int) -> Colour:
    """Rounds alternate, the first is white (GT-SETUP-6, GT-ROUND-1)."""
    return "white" if number % 2 else "black"


def other_colour(colour: Colour) -> Colour:
    """The other side of a marker."""
    return "black" if colour == "white" else "white"


def allowance_of(state: State, car: Car) -> Allowance:
    """The dice and the hazard limit of a car, now."""
    tokens = car.tokens
    return allowance(
        car.car_class,
        car.tyres,
        state.weather,
        car.tyre_turns + 1,
        state.options.limit_profile,
        tokens[0],
        tokens[1],
        tokens[2],
    )


def with_car(state: State, seat: Seat, **changes: Any) -> State:
    """The state with one car changed."""
    cars = list(state.cars)
    cars[seat] = msgspec.structs.replace(cars[seat], **changes)
    return msgspec.structs.replace(state, cars=tuple(cars))


def with_turn(state: State, **changes: Any) -> State:
    """The state with the running turn changed."""
    assert state.turn is not None, "no turn is running"
    return msgspec.structs.replace(state, turn=msgspec.structs.replace(state.turn, **changes))


def occupied(state: State, space: SpaceId, but: Seat | None = None) -> bool:
    """Whether a car stands on the space (GT-MOVE-1); cars beside the road hold none (GT-RUL-14)."""
    return any(car.space == space and car.where == "road" for seat, car in enumerate(state.cars) if seat != but)
