"""Which decision is owed, what may be answered, and what the clock would answer (decision points)."""

from __future__ import annotations

from engine.core.game import Decision
from engine.core.model import Seat
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
from engine.gt.rules.drive import securing_cost
from engine.gt.rules.pits import default_tyres, fitting_tyres, open_lanes, tyre_choices, tyres_in_play
from engine.gt.rules.planning import dice_for, spaces_ahead
from engine.gt.rules.relay import outcomes
from engine.gt.rules.safe import cannot_fail, safe_plan, towards
from engine.gt.rules.start import free_grid, grid_chooser
from engine.gt.state import State, Turn


def decisions(state: State) -> list[Decision[GtAction]]:
    """Who owes what."""
    match state.stage:
        case "tyres":
            return [
                Decision(Seat(seat), "tyres", ChooseTyres(Seat(seat), fitting_tyres(state.weather)), "start", True)
                for seat, chosen in enumerate(state.sealed_tyres)
                if chosen is None
            ]
        case "grid":
            seat = grid_chooser(state)
            return [Decision(seat, "grid", ChooseGrid(seat, free_grid(state)[0]), f"grid/{seat}")]
        case "race":
            assert state.turn is not None, "between turns nothing waits"
            turn = state.turn
            return [Decision(turn.seat, turn.phase, _default(state, turn), f"turn/{state.turns}")]
        case "over":
            return []


def legal(state: State, seat: Seat) -> list[GtAction]:
    """Everything the seat may do, in a fixed order: what it owes first, then what it may do besides."""
    owed: list[GtAction] = []
    match state.stage:
        case "tyres" if state.sealed_tyres[seat] is None:
            owed = [ChooseTyres(seat, tyres) for tyres in tyres_in_play(state.options)]
        case "grid" if grid_chooser(state) == seat:
            owed = [ChooseGrid(seat, space) for space in free_grid(state)]
        case "race" if state.turn is not None and state.turn.seat == seat:
            owed = _in_turn(state, state.turn)
        case _:
            pass
    if may_retire(state, seat):
        owed.append(Retire(seat))
    if may_stop_race(state, seat):
        owed.append(StopRace(seat))
    return owed


def between_turns(state: State) -> bool:
    """Nothing has been rolled or moved in the running turn yet, so other cars may still vanish from it."""
    turn = state.turn
    return (
        state.stage == "race"
        and turn is not None
        and turn.phase in ("space", "dice", "confirm", "mode")
        and (turn.driven == 0)
    )


def may_retire(state: State, seat: Seat) -> bool:
    """DEC-RETIRE: any driver still racing, between turns."""
    return between_turns(state) and state.cars[seat].racing


def may_stop_race(state: State, seat: Seat) -> bool:
    """DEC-GO-ON: the host, after the first car has finished."""
    return seat == state.host and bool(state.finished) and between_turns(state)


def _in_turn(state: State, turn: Turn) -> list[GtAction]:
    seat = turn.seat
    match turn.phase:
        case "space":
            ways_on: list[GtAction] = [ChooseSpace(seat, space) for space in spaces_ahead(state)]
            if len(turn.steps) > turn.driven:
                return [*ways_on, FinishPlan(seat), TakeBack(seat)]
            # Replanning after the first step, the driver may also leave it at that.
            return [*ways_on, Stop(seat)] if turn.driven else ways_on
        case "dice":
            assert turn.aim is not None
            return [*(LayDice(seat, c.dice) for c in dice_for(state, turn.aim)), TakeBack(seat)]
        case "confirm":
            return [ConfirmLoss(seat), TakeBack(seat)]
        case "mode":
            # Once a die has been rolled one by one, the rest of the turn is driven so too (option replan).
            flat_out: list[GtAction] = [FlatOut(seat)] if turn.driven == 0 else []
            return [OneByOne(seat), *flat_out, TakeBack(seat)]
        case "roll":
            return _before_roll(state, turn)
        case "relay":
            return [LoseControlAt(seat, space) for space in dict.fromkeys(o.space for o in outcomes(state))]
        case "relay_gear":
            return [LoseControlIn(seat, o.gear) for o in outcomes(state) if o.space == turn.aim]
        case "side":
            return [ChooseSide(seat, "left"), ChooseSide(seat, "right")]
        case "pit":
            return [StayOut(seat), *(PitStop(seat, lane) for lane in open_lanes(state, turn))]
        case "pit_tyres":
            return [FitTyres(seat, tyres) for tyres in tyre_choices(state, seat)]


def _before_roll(state: State, turn: Turn) -> list[GtAction]:
    seat = turn.seat
    offered: list[GtAction] = [Roll(seat)]
    if not turn.steps[turn.driven].over and securing_cost(turn) <= state.cars[seat].focus:
        offered.append(Secure(seat))
    if turn.driven > 0:
        offered.append(Stop(seat))
    if state.options.replan:
        # GT-ROLL-7: before each roll, the first one too.
        offered.append(Replan(seat))
    return offered


def _default(state: State, turn: Turn) -> GtAction:
    """What the clock plays; played again and again it brings the turn to its end."""
    seat = turn.seat
    match turn.phase:
        case "space" | "dice" | "confirm":
            # The safe plan holds a certain loss only where nothing else is possible (GT-BLOCK-5).
            return towards(turn, safe_plan(state))
        case "mode":
            return OneByOne(seat)
        case "roll":
            # The safe plan is driven to its end; any other plan is broken off after the step that must be made.
            return Roll(seat) if turn.driven == 0 or cannot_fail(state) else Stop(seat)
        case "relay":
            return LoseControlAt(seat, outcomes(state)[0].space)
        case "relay_gear":
            return LoseControlIn(seat, next(o.gear for o in outcomes(state) if o.space == turn.aim))
        case "side":
            return ChooseSide(seat, "left")
        case "pit":
            # Without a usable die staying out would be for ever.
            return PitStop(seat, "repairs") if turn.stuck else StayOut(seat)
        case "pit_tyres":
            return FitTyres(seat, default_tyres(state, seat))
