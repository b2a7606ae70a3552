"""Laying out the plan, choice by choice, and taking choices back (rulebook: planning the line)."""

from __future__ import annotations

import msgspec

from engine.core.errors import Rejected
from engine.core.model import SpaceId, only
from engine.gt.dice import DiceSet
from engine.gt.events import Events, PlanFixed, StepLaid, StepTakenBack
from engine.gt.rules.ahead import Candidate, candidates_on, dice_ahead, lay, outlook, table_for, tip_of
from engine.gt.state import State, Turn, with_turn


def spaces_ahead(state: State) -> tuple[SpaceId, ...]:
    """The spaces that may come next, left to right."""
    turn = _turn(state)
    view = outlook(table_for(state, turn.seat), tip_of(state))
    return tuple(dict.fromkeys(candidate.step.to for candidate in view.candidates))


def dice_for(state: State, space: SpaceId) -> tuple[Candidate, ...]:
    """The sets of dice with which the space may be entered; empty when it may not."""
    turn = _turn(state)
    table, tip = table_for(state, turn.seat), tip_of(state)
    step = next((step for step in table.circuit.steps[tip.space] if step.to == space), None)
    if step is None or tip.closed:
        return ()
    found = candidates_on(table, tip, step, dice_ahead(table, tip))
    if any(candidate.sure_loss for candidate in found) or not found:
        # Whether a certain loss may be laid depends on the other steps too (GT-BLOCK-4 and 5, GT-RUL-41).
        return tuple(c for c in outlook(table, tip).candidates if c.step is step)
    return tuple(found)


def choose_space(state: State, space: SpaceId, events: Events) -> State:
    """Aim at a space; where only one set of dice fits, it is laid at once."""
    candidates = dice_for(state, space)
    if not candidates:
        raise Rejected(_why_not(state, space), space=space)
    if len(candidates) == 1:
        return _lay(state, candidates[0], events)
    return with_turn(state, phase="dice", aim=space)


def lay_dice(state: State, dice: DiceSet, events: Events) -> State:
    """Lay a set of dice on the space aimed at."""
    turn = _turn(state)
    assert turn.aim is not None, "in this phase a space is chosen"
    candidate = next((c for c in dice_for(state, turn.aim) if c.dice == dice), None)
    if candidate is None:
        raise Rejected("plan/dice", dice=dice, space=turn.aim)
    return _lay(state, candidate, events)


def _lay(state: State, candidate: Candidate, events: Events) -> State:
    turn = _turn(state)
    step = lay(candidate)
    events.append(StepLaid(seat=turn.seat, step=step, seen_by=only(turn.seat)))
    # GT-RUL-3: a certain loss of control has to be confirmed.
    phase = "confirm" if step.sure_loss else "space"
    return with_turn(state, phase=phase, aim=None, steps=(*turn.steps, step))


def take_back(state: State, events: Events) -> State:
    """Back by one planning choice: the end of the plan, the space aimed at, or the last step."""
    turn = _turn(state)
    match turn.phase:
        case "mode":
            return with_turn(state, phase="space")
        case "dice":
            return with_turn(state, phase="space", aim=None)
        case _ if len(turn.steps) > turn.driven:
            events.append(StepTakenBack(seat=turn.seat, seen_by=only(turn.seat)))
            return with_turn(state, phase="space", steps=turn.steps[:-1])
        case _:
            raise Rejected("plan/nothing_laid")


def finish_plan(state: State) -> State:
    """The plan is done; GT-RUL-1: it has at least one step."""
    turn = _turn(state)
    if len(turn.steps) == turn.driven:
        raise Rejected("plan/empty")
    return with_turn(state, phase="mode")


def fix_plan(state: State, mode: str, events: Events) -> State:
    """From here on everybody sees the plan, and it stands (GT-ROLL-7)."""
    turn = _turn(state)
    start = state.cars[turn.seat].space
    fixed = msgspec.structs.replace(turn, mode=mode, phase="roll")
    events.append(PlanFixed(seat=turn.seat, mode=mode, start=start, steps=turn.steps[turn.driven :]))  # type: ignore[arg-type]
    return msgspec.structs.replace(state, turn=fixed)


def _why_not(state: State, space: SpaceId) -> str:
    """The most telling reason why a space cannot be chosen."""
    turn = _turn(state)
    table, tip = table_for(state, turn.seat), tip_of(state)
    if tip.closed:
        return "plan/ended"
    if space not in {step.to for step in table.circuit.steps[tip.space]}:
        return "plan/not_adjacent"
    if space in table.traffic:
        return "plan/occupied"
    if outlook(table, tip).blocked:
        return "plan/blocked"
    if not dice_ahead(table, tip):
        return "plan/no_dice"
    alone = table._replace(traffic={}, deliberate=True)
    if any(c.step.to == space for c in outlook(alone, tip).candidates):
        flagged = table.circuit.spaces[space].tile in table.flagged
        passing = not any(c.step.to == space for c in outlook(table._replace(deliberate=True), tip).candidates)
        return ("plan/yellow_flag" if flagged else "plan/overtaking") if passing else "plan/certain_loss"
    return "plan/not_possible"


def _turn(state: State) -> Turn:
    assert state.turn is not None, "planning happens in a turn"
    return state.turn
