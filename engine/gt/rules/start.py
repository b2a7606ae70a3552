"""Before the first turn: seats, colours, weather, tyres, grid (rulebook: set-up, advanced start)."""

from __future__ import annotations

import msgspec

from engine.core.errors import Rejected
from engine.core.game import Entrant, Setup
from engine.core.model import Seat, SpaceId
from engine.core.rng import Rng
from engine.gt.events import Events, GridChosen, GridDrawn, TyresRevealed, TyresSealed, WeatherSet
from engine.gt.material import full_bag, material
from engine.gt.meta import COLOURS, META, Options, Tyre, Weather
from engine.gt.rules.pits import tyres_in_play
from engine.gt.rules.turns import next_turn
from engine.gt.state import Car, State, road, road_of, with_car

NO_SPACE = SpaceId("")


def new_race(setup: Setup[Options], events: Events, rng: Rng | None = None) -> State:
    """Set the table up and go as far as nobody has to decide. `rng` replaces the seed's chance (scenarios)."""
    options = setup.options
    entrants = _with_colours(setup.entrants)
    if not 0 <= setup.host < len(entrants):
        raise Rejected("setup/host", host=setup.host)
    road_of(setup.track, options)
    rng = rng or Rng(setup.seed)
    weather, rng = _weather(options, rng)
    order, rng = _grid_order(options, len(entrants), rng)
    choose_tyres = options.tyre_choice == "free"
    tyres: Tyre = "asphalt" if options.tyre_choice == "free" else options.tyre_choice
    state = State(
        track=setup.track,
        options=options,
        entrants=entrants,
        host=setup.host,
        rng=rng,
        cars=tuple(Car(NO_SPACE, car_class=_car_class(options, e), tyres=tyres) for e in entrants),
        bag=full_bag(),
        weather=weather,
        order=order,
        sealed_tyres=(None,) * len(entrants) if choose_tyres else (),
    )
    if options.weather_start == "random":
        events.append(WeatherSet(weather=weather))
    if choose_tyres:
        events.append(GridDrawn(order=order))
        return msgspec.structs.replace(state, stage="tyres")
    return _to_the_grid(state, events)


def _with_colours(entrants: tuple[Entrant, ...]) -> tuple[Entrant, ...]:
    """GT-SETUP-1: one to six drivers, each in his own colour; who named none gets the first free one."""
    if not META.min_seats <= len(entrants) <= META.max_seats:
        raise Rejected("setup/seats", seats=len(entrants), least=META.min_seats, most=META.max_seats)
    taken = [entrant.colour for entrant in entrants if entrant.colour]
    for colour in taken:
        if colour not in COLOURS:
            raise Rejected("setup/colour", colour=colour)
        if taken.count(colour) > 1:
            raise Rejected("setup/colour_taken", colour=colour)
    free = [colour for colour in COLOURS if colour not in taken]
    return tuple(e if e.colour else msgspec.structs.replace(e, colour=free.pop(0)) for e in entrants)


def _car_class(options: Options, entrant: Entrant) -> str:
    """The class of the race, or with class = mixed the one the driver named (default GT6)."""
    chosen = (entrant.car or "GT6") if options.car_class == "mixed" else options.car_class
    if chosen not in material().classes:
        raise Rejected("setup/class", car=chosen)
    return chosen


def _weather(options: Options, rng: Rng) -> tuple[Weather, Rng]:
    """GT-ADV-1."""
    if options.weather_start != "random":
        return options.weather_start, rng
    wet, rng = rng.below("weather", 2)
    return ("wet" if wet else "dry"), rng


def _grid_order(options: Options, seats: int, rng: Rng) -> tuple[tuple[Seat, ...], Rng]:
    """GT-GRID-1: drawn at random, or the order of an earlier result."""
    everyone = tuple(Seat(seat) for seat in range(seats))
    if options.grid != "given":
        return rng.shuffled("grid", everyone)
    given = tuple(Seat(seat) for seat in options.grid_order) or everyone
    if sorted(given) != list(everyone):
        raise Rejected("setup/grid_order", order=given)
    return given, rng


def choose_tyres(state: State, seat: Seat, tyres: Tyre, events: Events) -> State:
    """GT-ADV-2: sealed, and revealed when the last driver has chosen."""
    if tyres not in tyres_in_play(state.options):
        raise Rejected("tyres/not_in_play", tyres=tyres)
    sealed = tuple(tyres if s == seat else old for s, old in enumerate(state.sealed_tyres))
    state = msgspec.structs.replace(state, sealed_tyres=sealed)
    events.append(TyresSealed(seat=seat))
    chosen = tuple(choice for choice in sealed if choice is not None)
    if len(chosen) < len(sealed):
        return state
    events.append(TyresRevealed(tyres=chosen))
    cars = tuple(msgspec.structs.replace(car, tyres=t) for car, t in zip(state.cars, chosen, strict=True))
    return _to_the_grid(msgspec.structs.replace(state, cars=cars, sealed_tyres=()), events)


def _to_the_grid(state: State, events: Events) -> State:
    """GT-GRID-2, GT-GRID-3: pole for the first of the order, and so on; or each driver chooses."""
    if state.options.grid == "choose":
        events.append(GridDrawn(order=state.order))
        return msgspec.structs.replace(state, stage="grid")
    spaces = road(state).grid[: len(state.cars)]
    events.append(GridDrawn(order=state.order, spaces=spaces))
    for seat, space in zip(state.order, spaces, strict=True):
        state = with_car(state, seat, space=space)
    return next_turn(msgspec.structs.replace(state, stage="race"), events)


def grid_chooser(state: State) -> Seat:
    """Whose turn it is to choose a place on the grid."""
    return next(seat for seat in state.order if state.cars[seat].space == NO_SPACE)


def free_grid(state: State) -> tuple[SpaceId, ...]:
    """The free places on the grid, foremost first."""
    taken = {car.space for car in state.cars}
    return tuple(space for space in road(state).grid if space not in taken)


def choose_grid(state: State, seat: Seat, space: SpaceId, events: Events) -> State:
    """Take a place; when all have, the race begins."""
    if space not in free_grid(state):
        raise Rejected("grid/not_free", space=space)
    events.append(GridChosen(seat=seat, space=space))
    state = with_car(state, seat, space=space)
    if any(car.space == NO_SPACE for car in state.cars):
        return state
    return next_turn(msgspec.structs.replace(state, stage="race"), events)
