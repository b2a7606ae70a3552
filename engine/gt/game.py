"""GT Circuit as a game: the six functions, each handing over to the chapter of the rules it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec

from engine.core.errors import Rejected
from engine.core.game import Decision, Meta, Place, Result, Setup, Types
from engine.core.model import Seat, tag_of
from engine.gt.actions import (
    ChooseGrid,
    ChooseSide,
    ChooseSpace,
    ChooseTyres,
    ConfirmLoss,
    FinishPlan,
    FitTyres,
    FlatOut,
    GtAction,
    LayDice,
    LoseControlAt,
    LoseControlIn,
    OneByOne,
    PitStop,
    Replan,
    Retire,
    Roll,
    Secure,
    StayOut,
    Stop,
    StopRace,
    TakeBack,
)
from engine.gt.events import (
    CarRetired,
    DiceLaidOutAgain,
    DriverStopped,
    Events,
    GtEvent,
    PlanReopened,
)
from engine.gt.meta import META, Options
from engine.gt.rules import choices, drive, loss, pits, planning, start, turns
from engine.gt.rules.order import classification
from engine.gt.rules.relay import Outcome, outcomes
from engine.gt.solo import total_time
from engine.gt.state import State, road_of, solo, with_car, with_turn
from engine.gt.view import View, view

_TYPES = Types(State, GtAction, GtEvent, View)


class GtGame:
    """The contract of `engine.core.game.Game`, fulfilled."""

    meta: Meta = META
    types: Types = _TYPES

    def track_hash(self, track: str, options: Options) -> str:
        return road_of(track, options).hash

    def new(self, setup: Setup[Options]) -> tuple[State, Sequence[GtEvent]]:
        events: Events = []
        return start.new_race(setup, events), events

    def decisions(self, state: State) -> Sequence[Decision[GtAction]]:
        return choices.decisions(state)

    def legal(self, state: State, seat: Seat) -> Sequence[GtAction]:
        return choices.legal(state, seat)

    def apply(self, state: State, action: GtAction) -> tuple[State, Sequence[GtEvent]]:
        events: Events = []
        if not 0 <= action.seat < len(state.cars):
            raise Rejected("seat/unknown", seat=action.seat)
        stages, phases, handler = _HANDLERS[type(action)]
        if state.stage not in stages:
            raise Rejected("race/stage", stage=state.stage, action=tag_of(action))
        if phases is not None:
            turn = state.turn
            if turn is None or turn.seat != action.seat:
                raise Rejected("turn/not_yours", seat=action.seat)
            if turn.phase not in phases:
                raise Rejected("turn/phase", phase=turn.phase, action=tag_of(action))
        return handler(state, cast("Any", action), events), events

    def view(self, state: State, seat: Seat | None) -> View:
        return view(state, seat)

    def result(self, state: State) -> Result | None:
        return _result(state) if state.stage == "over" else None


def _choose_tyres(state: State, action: ChooseTyres, events: Events) -> State:
    if state.sealed_tyres[action.seat] is not None:
        raise Rejected("tyres/already_chosen")
    return start.choose_tyres(state, action.seat, action.tyres, events)


def _choose_grid(state: State, action: ChooseGrid, events: Events) -> State:
    if start.grid_chooser(state) != action.seat:
        raise Rejected("turn/not_yours", seat=action.seat)
    return start.choose_grid(state, action.seat, action.space, events)


def _choose_space(state: State, action: ChooseSpace, events: Events) -> State:
    return planning.choose_space(state, action.space, events)


def _lay_dice(state: State, action: LayDice, events: Events) -> State:
    return planning.lay_dice(state, action.dice, events)


def _confirm_loss(state: State, _: ConfirmLoss, __: Events) -> State:
    return with_turn(state, phase="space")


def _take_back(state: State, _: TakeBack, events: Events) -> State:
    return planning.take_back(state, events)


def _finish_plan(state: State, _: FinishPlan, __: Events) -> State:
    return planning.finish_plan(state)


def _one_by_one(state: State, _: OneByOne, events: Events) -> State:
    return planning.fix_plan(state, "one by one", events)


def _flat_out(state: State, _: FlatOut, events: Events) -> State:
    if state.turn is not None and state.turn.driven > 0:
        raise Rejected("mode/already_rolling")
    return drive.drive_flat_out(planning.fix_plan(state, "flat out", events), events)


def _roll(state: State, _: Roll, events: Events) -> State:
    return drive.roll_step(state, events)


def _secure(state: State, _: Secure, events: Events) -> State:
    return drive.secure_step(state, events)


def _stop(state: State, action: Stop, events: Events) -> State:
    _must_have_moved(state)
    if state.turn is not None and state.turn.phase == "space" and len(state.turn.steps) > state.turn.driven:
        raise Rejected("turn/phase", phase=state.turn.phase, action=tag_of(action))
    events.append(DriverStopped(seat=action.seat))
    return turns.end_movement(state, events)


def _replan(state: State, action: Replan, events: Events) -> State:
    if not state.options.replan:
        raise Rejected("replan/off")
    events.append(PlanReopened(seat=action.seat))
    assert state.turn is not None
    return with_turn(state, phase="space", steps=state.turn.steps[: state.turn.driven], mode=None)


def _must_have_moved(state: State) -> None:
    """GT-ROLL-5, GT-TURN-2: the first step cannot be refused."""
    assert state.turn is not None
    if state.turn.driven == 0:
        raise Rejected("roll/first_step")


def _lose_control_at(state: State, action: LoseControlAt, events: Events) -> State:
    there = [outcome for outcome in outcomes(state) if outcome.space == action.space]
    if not there:
        raise Rejected("relay/not_possible", space=action.space)
    if len(there) == 1:
        return _lay_out_again(state, there[0], events)
    return with_turn(state, phase="relay_gear", aim=action.space)


def _lose_control_in(state: State, action: LoseControlIn, events: Events) -> State:
    assert state.turn is not None
    for outcome in outcomes(state):
        if outcome.space == state.turn.aim and outcome.gear == action.gear:
            return _lay_out_again(state, outcome, events)
    raise Rejected("relay/not_possible", space=state.turn.aim, gear=action.gear)


def _lay_out_again(state: State, outcome: Outcome, events: Events) -> State:
    """GT-FLAT-6: drive the new layout; control is lost on its last step."""
    assert state.turn is not None
    seat = state.turn.seat
    events.append(DiceLaidOutAgain(seat=seat, steps=outcome.steps))
    for step, hazards in zip(outcome.steps, outcome.hazards, strict=True):
        state = drive.move(state, seat, step, hazards, events)
    cause = drive.loss_cause(state, seat, outcome.hazards[-1], over=outcome.steps[-1].over)
    assert cause is not None, "every layout ends in a loss of control"
    return loss.lose_control(state, seat, cause, events)


def _choose_side(state: State, action: ChooseSide, events: Events) -> State:
    return loss.leave_road(state, action.seat, action.side, events)


def _pit_stop(state: State, action: PitStop, events: Events) -> State:
    assert state.turn is not None
    if action.lane not in pits.open_lanes(state, state.turn):
        raise Rejected("pit/lane", lane=action.lane)
    state = pits.enter_lane(state, action.seat, action.lane, events)
    tyres = pits.tyre_choices(state, action.seat) if state.options.pit_tyres == "entry" else ()
    if len(tyres) > 1:
        return with_turn(state, phase="pit_tyres")
    if tyres:
        state = pits.fit_tyres(state, action.seat, tyres[0], events)
    return turns.close_turn(state, events)


def _stay_out(state: State, _: StayOut, events: Events) -> State:
    return turns.close_turn(state, events)


def _fit_tyres(state: State, action: FitTyres, events: Events) -> State:
    if action.tyres not in pits.tyre_choices(state, action.seat):
        raise Rejected("pit/tyres", tyres=action.tyres)
    state = pits.fit_tyres(state, action.seat, action.tyres, events)
    if state.cars[action.seat].where == "pits":
        return turns.close_turn(state, events)
    # Fitted on leaving the pits: the turn goes on.
    return turns.begin_plan(with_car(state, action.seat, lane=None), events)


def _retire(state: State, action: Retire, events: Events) -> State:
    if not choices.may_retire(state, action.seat):
        raise Rejected("retire/not_now")
    events.append(CarRetired(seat=action.seat))
    # GT-RUL-17: the car and its flags disappear, its tokens stay out of the bag.
    state = with_car(state, action.seat, where="retired", flags=())
    state = msgspec.structs.replace(state, retired=(*state.retired, action.seat))
    assert state.turn is not None
    if state.turn.seat == action.seat or turns.is_over(state):
        state = msgspec.structs.replace(state, turn=None)
    return turns.next_turn(state, events)


def _stop_race(state: State, action: StopRace, events: Events) -> State:
    if not choices.may_stop_race(state, action.seat):
        raise Rejected("race/stop")
    return turns.next_turn(msgspec.structs.replace(state, stopped=True, turn=None), events)


_RACE = frozenset({"race"})
_Handler = Callable[[State, Any, Events], State]

# Per action: the stages and (in a turn) the phases in which it can come, and who carries it out.
_HANDLERS: dict[type[Any], tuple[frozenset[str], frozenset[str] | None, _Handler]] = {
    ChooseTyres: (frozenset({"tyres"}), None, _choose_tyres),
    ChooseGrid: (frozenset({"grid"}), None, _choose_grid),
    ChooseSpace: (_RACE, frozenset({"space"}), _choose_space),
    LayDice: (_RACE, frozenset({"dice"}), _lay_dice),
    ConfirmLoss: (_RACE, frozenset({"confirm"}), _confirm_loss),
    TakeBack: (_RACE, frozenset({"space", "dice", "confirm", "mode"}), _take_back),
    FinishPlan: (_RACE, frozenset({"space"}), _finish_plan),
    OneByOne: (_RACE, frozenset({"mode"}), _one_by_one),
    FlatOut: (_RACE, frozenset({"mode"}), _flat_out),
    Roll: (_RACE, frozenset({"roll"}), _roll),
    Secure: (_RACE, frozenset({"roll"}), _secure),
    Stop: (_RACE, frozenset({"roll", "space"}), _stop),
    Replan: (_RACE, frozenset({"roll"}), _replan),
    LoseControlAt: (_RACE, frozenset({"relay"}), _lose_control_at),
    LoseControlIn: (_RACE, frozenset({"relay_gear"}), _lose_control_in),
    ChooseSide: (_RACE, frozenset({"side"}), _choose_side),
    PitStop: (_RACE, frozenset({"pit"}), _pit_stop),
    StayOut: (_RACE, frozenset({"pit"}), _stay_out),
    FitTyres: (_RACE, frozenset({"pit_tyres"}), _fit_tyres),
    Retire: (_RACE, None, _retire),
    StopRace: (_RACE, None, _stop_race),
}


def _result(state: State) -> Result:
    score = total_time(state.ticks, state.cars[0].focus) if solo(state) and state.finished else 0
    places: list[Place] = []
    for place, seat in enumerate(classification(state), 1):
        where = state.cars[seat].where
        status = "finished" if where == "finished" else "retired" if where == "retired" else "racing"
        places.append(Place(seat, place, status, score))  # type: ignore[arg-type]
    return Result(tuple(places), _way(state))


def _way(state: State) -> str:
    """How the race ended."""
    if state.stopped:
        return "stopped"
    if not state.finished:
        return "walkover" if any(car.racing for car in state.cars) else "retired"
    return "solo" if solo(state) else state.options.continue_places


GAME = GtGame()
