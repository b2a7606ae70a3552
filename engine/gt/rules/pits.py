"""Pit stops: where, which lane, which tyres, and coming back (rulebook: pit stops)."""

from __future__ import annotations

import msgspec

from engine.core.model import Seat
from engine.gt.events import Events, PitEntered, TyresFitted
from engine.gt.material import NO_TOKENS, OFF_ROAD, STANDING, Gear, Tokens
from engine.gt.meta import Options, Tyre, Weather
from engine.gt.state import Lane, State, Turn, pit_stops, road, with_car

PIT_GEAR: Gear = 1

# The marker after the stop (GT-PIT-2).
LANES: dict[Lane, Gear] = {"tyres": STANDING, "repairs": OFF_ROAD, "repairs and tyres": OFF_ROAD}

# The tyres that fit a weather, the best first.
FITTING: dict[Weather, tuple[Tyre, ...]] = {"dry": ("asphalt", "soft", "rain"), "wet": ("rain", "asphalt", "soft")}


def tyres_in_play(options: Options) -> tuple[Tyre, ...]:
    """The tyre types drivers can choose from."""
    return ("asphalt", "rain", "soft") if options.soft_tyres or options.tyre_choice == "soft" else ("asphalt", "rain")


def fitting_tyres(weather: Weather) -> Tyre:
    """The tyres that fit the weather: what the clock chooses."""
    return FITTING[weather][0]


def may_pit(state: State, seat: Seat) -> bool:
    """GT-PIT-1: gear 1, at the edge of the road, no printed limit or hazard sign (GT-RUL-8)."""
    car = state.cars[seat]
    if not pit_stops(state) or car.where != "road" or car.gear != PIT_GEAR:
        return False
    space = road(state).spaces[car.space]
    return bool(space.edge) and not space.corner


def open_lanes(state: State, turn: Turn) -> tuple[Lane, ...]:
    """The lanes of the pit tile; without a usable die only those that repair (GT-RUL-24)."""
    return ("repairs", "repairs and tyres") if turn.stuck else tuple(LANES)


def enter_lane(state: State, seat: Seat, lane: Lane, events: Events) -> State:
    """The car goes into the pits; its space becomes free, repairs are done at once."""
    car = state.cars[seat]
    bag, repaired = state.bag, 0
    if lane != "tyres":
        # GT-RUL-27: all tokens on the dashboard go back; a flag still on the road is not on the dashboard.
        repaired = sum(car.tokens)
        bag = _sum(bag, car.tokens)
        state = with_car(state, seat, tokens=NO_TOKENS)
    events.append(PitEntered(seat=seat, lane=lane, repaired=repaired))
    left_road = state.left_road + 1
    state = with_car(
        state,
        seat,
        where="pits",
        gear=LANES[lane],
        lane=lane,
        tyres_due=lane != "repairs",
        left_at=left_road,
        # Whoever keeps his tyres has driven this turn on them; waiting in the pits wears none.
        tyre_turns=car.tyre_turns + 1,
    )
    return msgspec.structs.replace(state, bag=bag, left_road=left_road)


def tyre_choices(state: State, seat: Seat) -> tuple[Tyre, ...]:
    """What he may fit, if that is still due: another type, or with repairs also the present one (GT-RUL-28)."""
    car = state.cars[seat]
    if not car.tyres_due:
        return ()
    others = tuple(tyre for tyre in tyres_in_play(state.options) if tyre != car.tyres)
    return others if car.lane == "tyres" else (*others, car.tyres)


def default_tyres(state: State, seat: Seat) -> Tyre:
    """Of the tyres the lane offers, those that fit the weather best."""
    choices = tyre_choices(state, seat)
    return next(tyres for tyres in FITTING[state.weather] if tyres in choices)


def fit_tyres(state: State, seat: Seat, tyres: Tyre, events: Events) -> State:
    """Exchange the dashboard; a new set starts at its first turn. The present tyres are simply kept."""
    if tyres == state.cars[seat].tyres:
        return with_car(state, seat, tyres_due=False)
    events.append(TyresFitted(seat=seat, tyres=tyres))
    return with_car(state, seat, tyres=tyres, tyre_turns=0, tyres_due=False)


def _sum(one: Tokens, other: Tokens) -> Tokens:
    return tuple(a + b for a, b in zip(one, other, strict=True))  # type: ignore[return-value]
