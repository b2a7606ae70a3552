"""Loss of control and what it costs: damage, weather, flags (rulebook: losing control, damage tokens)."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.core.model import Seat
from engine.core.rng import Rng
from engine.gt.events import ControlLost, Events, LeftRoad, TokensDrawn, WeatherChanged, YellowFlag
from engine.gt.material import OFF_ROAD, STANDING, TOKENS, Gear, Token, Tokens, add_tokens, loss_row, solo_seconds
from engine.gt.rules.turns import close_turn, finish_car
from engine.gt.state import Side, State, laps, road, solo, weather_changes, with_car, with_turn

Cause = Literal["hazards", "speed", "both"]
WEATHER = TOKENS.index("weather")


def lose_control(state: State, seat: Seat, cause: Cause, events: Events) -> State:
    """The car stands on the space where it happened, in the gear of that step (GT-LOC-2, GT-LOC-3)."""
    car = state.cars[seat]
    space = road(state).spaces[car.space]
    row = loss_row(car.gear)
    new_gear = row.gear()
    over_the_line = car.crossings > laps(state) and not state.options.finish_in_control
    count = 0 if over_the_line else row.tokens(space.level)
    events.append(
        ControlLost(
            seat=seat,
            space=space.id,
            gear=car.gear,
            level=space.level,
            cause=cause,
            new_gear=new_gear,
            tokens=count,
        )
    )
    if over_the_line:
        # GT-RUL-9: beyond the line on the last lap the car has finished, and nothing is drawn.
        return finish_car(state, seat, new_gear, _seconds_over_the_line(state, new_gear), events)
    if new_gear == STANDING:
        state = with_car(state, seat, gear=STANDING, spun=True)
    else:
        left_road = state.left_road + 1
        state = with_car(state, seat, gear=OFF_ROAD, where="verge", spun=True, left_at=left_road, side="left")
        state = msgspec.structs.replace(state, left_road=left_road)
    state = _draw_damage(state, seat, space.tile, count, events)
    if new_gear == STANDING:
        return close_turn(state, events)
    match space.edge:
        case "left" | "right":
            return leave_road(state, seat, space.edge, events)
        case _ if state.options.ask_side:
            return with_turn(state, phase="side")
        case _:
            return leave_road(state, seat, "left", events)


def leave_road(state: State, seat: Seat, side: Side, events: Events) -> State:
    """GT-LOC-7: beside the road; the side only shows (GT-RUL-30)."""
    events.append(LeftRoad(seat=seat, side=side))
    return close_turn(with_car(state, seat, side=side), events)


def _seconds_over_the_line(state: State, new_gear: Gear) -> int:
    """GT-SOLO-8: crashing over the line costs what the way back would have cost."""
    seconds_00 = state.options.solo_00
    way_back = solo_seconds(OFF_ROAD, seconds_00) if new_gear == OFF_ROAD else 0
    return way_back + solo_seconds(STANDING, seconds_00)


def _draw_damage(state: State, seat: Seat, tile: int, count: int, events: Events) -> State:
    """GT-LOC-8: all tokens of one loss are drawn before any takes effect."""
    if count == 0:
        return state
    drawn, put_aside, bag, rng = _draw(state, count)
    events.append(TokensDrawn(seat=seat, tokens=drawn, put_aside=put_aside))
    car = state.cars[seat]
    tokens = car.tokens
    flags = drawn.count("yellow_flag")
    for token in drawn:
        # GT-DMG-1: everything is kept on the dashboard, only a yellow flag goes to the road first.
        if token != "yellow_flag":
            tokens = add_tokens(tokens, token)
    state = with_car(state, seat, tokens=tokens, flags=(*car.flags, *[tile] * flags))
    state = msgspec.structs.replace(state, bag=bag, rng=rng)
    if flags:
        events.append(YellowFlag(seat=seat, tile=tile, flags=flags))
    if drawn.count("weather") % 2 and weather_changes(state):
        # GT-WX-2: two weather changes in one loss cancel out.
        weather: Literal["dry", "wet"] = "wet" if state.weather == "dry" else "dry"
        events.append(WeatherChanged(weather=weather))
        state = msgspec.structs.replace(state, weather=weather)
    return state


def _draw(state: State, count: int) -> tuple[tuple[Token, ...], int, Tokens, Rng]:
    """Draw tokens; with weather changes off a weather token is put aside for good and another one drawn (GT-ADV-3).

    Alone a weather token counts as a green flag instead (GT-SOLO-1). An empty bag gives nothing (GT-RUL-25, 26).
    """
    replace_weather = not weather_changes(state) and not solo(state)
    bag, rng = state.bag, state.rng
    drawn: list[Token] = []
    put_aside = 0
    while len(drawn) < count and any(bag):
        index, rng = rng.pick("bag", bag)
        bag = add_tokens(bag, TOKENS[index], -1)
        if index == WEATHER and replace_weather:
            put_aside += 1
        else:
            drawn.append(TOKENS[index])
    return tuple(drawn), put_aside, bag, rng
