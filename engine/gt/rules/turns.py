"""How turns and rounds follow each other, and how the race ends (rulebook: rounds, the turn, end of the race)."""

from __future__ import annotations

import msgspec

from engine.core.model import Seat
from engine.gt.events import (
    Blocked,
    BoxTicked,
    CarFinished,
    CarReturned,
    CarWaited,
    Events,
    FlagsLifted,
    NoDiceLeft,
    PitWorkDone,
    RaceEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from engine.gt.material import OFF_ROAD, STANDING, Gear, add_tokens, solo_seconds
from engine.gt.rules.ahead import outlook, table_for, tip_of
from engine.gt.rules.order import classification, playing_order
from engine.gt.rules.pits import fit_tyres, may_pit, tyre_choices
from engine.gt.state import (
    State,
    Tick,
    Turn,
    occupied,
    other_colour,
    pit_stops,
    round_colour,
    solo,
    with_car,
    with_turn,
)

PODIUM = 3


def end_movement(state: State, events: Events) -> State:
    """The car stands still: a pit stop may follow (GT-PIT-1), else the turn is over."""
    assert state.turn is not None
    if may_pit(state, state.turn.seat):
        return with_turn(state, phase="pit")
    return close_turn(state, events)


def close_turn(state: State, events: Events) -> State:
    """Flip the marker (GT-ROUND-2), tick the solo sheet, go on to the next turn."""
    assert state.turn is not None
    seat = state.turn.seat
    car = state.cars[seat]
    driven = car.tyre_turns + (0 if car.where == "pits" else 1)
    state = with_car(state, seat, marker=other_colour(round_colour(state.round)), tyre_turns=driven)
    events.append(TurnEnded(seat=seat, gear=car.gear))
    state = _tick(state, seat, car.gear, solo_seconds(car.gear, state.options.solo_00), events)
    return next_turn(msgspec.structs.replace(state, turn=None), events)


def _tick(state: State, seat: Seat, gear: Gear, seconds: int, events: Events) -> State:
    """GT-SOLO-3: one box per turn, by the gear on the marker."""
    if not solo(state):
        return state
    tick = Tick(gear, seconds, state.weather)
    events.append(BoxTicked(seat=seat, column=len(state.ticks) + 1, gear=gear, seconds=seconds, weather=state.weather))
    return msgspec.structs.replace(state, ticks=(*state.ticks, tick))


def next_turn(state: State, events: Events) -> State:
    """Start turns until somebody has to decide, or the race is over."""
    while state.turn is None:
        if is_over(state):
            events.append(RaceEnded(order=classification(state)))
            return msgspec.structs.replace(state, stage="over", turn=None)
        colour = round_colour(state.round)
        seat = next((s for s in state.order if state.cars[s].racing and state.cars[s].marker == colour), None)
        state = _new_round(state, events) if seat is None else _start_turn(state, seat, events)
    return state


def is_over(state: State) -> bool:
    """GT-END-2: the places agreed on are settled, or nobody is left to race for them."""
    racing = sum(car.racing for car in state.cars)
    if racing == 0 or state.stopped:
        return True
    if len(state.cars) > 1 and racing == 1:
        return True
    match state.options.continue_places:
        case "first":
            return bool(state.finished)
        case "podium":
            return len(state.finished) >= PODIUM
        case "all":
            return False


def _new_round(state: State, events: Events) -> State:
    number = state.round + 1
    order = playing_order(state)
    events.append(RoundStarted(number=number, colour=round_colour(number), order=order))
    return msgspec.structs.replace(state, round=number, order=order)


def _start_turn(state: State, seat: Seat, events: Events) -> State:
    """GT-TURN-5: return to the road, then lift own flags, then look whether the way is blocked."""
    car = state.cars[seat]
    marker = car.gear
    events.append(TurnStarted(seat=seat, gear=marker))
    state = msgspec.structs.replace(state, turn=Turn(seat, "space"), turns=state.turns + 1)
    match car.where:
        case "verge":
            return close_turn(_return_from_verge(state, seat, events), events)
        case "pits" if marker == OFF_ROAD:
            # GT-PIT-4: only the marker changes.
            events.append(PitWorkDone(seat=seat))
            return close_turn(with_car(state, seat, gear=STANDING), events)
        case "pits":
            if occupied(state, car.space, seat):
                # GT-PIT-5
                events.append(CarWaited(seat=seat, space=car.space, source="pits"))
                return close_turn(state, events)
            events.append(CarReturned(seat=seat, space=car.space, source="pits"))
            state = with_car(state, seat, where="road")
        case _:
            pass
    if marker == STANDING:
        state = _lift_flags(state, seat, events)
    return _choose_exit_tyres(state, seat, events)


def _return_from_verge(state: State, seat: Seat, events: Events) -> State:
    """GT-OFF-1: back on the space in gear 0 and nothing else; GT-OFF-2: wait while it is taken."""
    space = state.cars[seat].space
    if occupied(state, space, seat):
        events.append(CarWaited(seat=seat, space=space, source="verge"))
        return state
    events.append(CarReturned(seat=seat, space=space, source="verge"))
    return with_car(state, seat, where="road", gear=STANDING, side=None)


def _lift_flags(state: State, seat: Seat, events: Events) -> State:
    """GT-FLAG-6: own flags leave the road and lie on the dashboard from now on."""
    car = state.cars[seat]
    if not car.flags:
        return state
    events.append(FlagsLifted(seat=seat, tiles=car.flags))
    return with_car(state, seat, flags=(), tokens=add_tokens(car.tokens, "yellow_flag", len(car.flags)))


def _choose_exit_tyres(state: State, seat: Seat, events: Events) -> State:
    """Option pit_tyres = exit: the new tyres are chosen now that the car leaves the pits."""
    choices = tyre_choices(state, seat)
    if not choices:
        return begin_plan(with_car(state, seat, lane=None), events)
    if len(choices) > 1:
        return with_turn(state, phase="pit_tyres")
    return begin_plan(with_car(fit_tyres(state, seat, choices[0], events), seat, lane=None), events)


def begin_plan(state: State, events: Events) -> State:
    """The driver plans, unless other cars (GT-BLOCK-3) or a lack of dice (GT-RUL-24) end the turn at once."""
    assert state.turn is not None
    seat = state.turn.seat
    state = with_turn(state, phase="space")
    view = outlook(table_for(state, seat), tip_of(state))
    if view.blocked:
        car = state.cars[seat]
        events.append(Blocked(seat=seat, space=car.space, gear=car.gear))
        return end_movement(state, events)
    if view.no_dice:
        return _without_dice(state, seat, events)
    return state


def _without_dice(state: State, seat: Seat, events: Events) -> State:
    """GT-RUL-24: the turn passes; repairs from any space, or where there are no pits a gearbox token goes back."""
    if pit_stops(state):
        events.append(NoDiceLeft(seat=seat))
        return with_turn(state, phase="pit", stuck=True)
    events.append(NoDiceLeft(seat=seat, returned="gearbox"))
    tokens = add_tokens(state.cars[seat].tokens, "gearbox", -1)
    state = msgspec.structs.replace(with_car(state, seat, tokens=tokens), bag=add_tokens(state.bag, "gearbox"))
    return close_turn(state, events)


def finish_car(state: State, seat: Seat, gear: Gear, seconds: int, events: Events) -> State:
    """GT-END-1, GT-END-6: the car has finished and leaves the circuit; its flags go with it (GT-RUL-17)."""
    finished = (*state.finished, seat)
    events.append(CarFinished(seat=seat, place=len(finished)))
    state = _tick(state, seat, gear, seconds, events)
    state = with_car(state, seat, where="finished", gear=gear, flags=())
    return next_turn(msgspec.structs.replace(state, finished=finished, turn=None), events)
