"""The plan the clock plays for an absent driver (decision points: safe plan), and laying a plan choice by choice."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.core.model import SpaceId
from engine.gt.actions import ChooseSpace, ConfirmLoss, FinishPlan, GtAction, LayDice, Stop, TakeBack
from engine.gt.dice import DiceSet, dice_table
from engine.gt.rules.ahead import Outlook, Table, Tip, automatic, outlook, table_for, tip_of
from engine.gt.state import State, Turn, allowance_of

Line = tuple[tuple[SpaceId, DiceSet], ...]


def safe_plan(state: State) -> Line:
    """The longest plan that no roll can turn into a loss of control; else the slowest single step.

    Ties: higher final gear, fewer brake dice, straight before diagonal, nearer the inside.
    """
    turn = state.turn
    assert turn is not None
    # Only what lies on the table counts, not what has been laid so far: the clock starts afresh.
    fresh = msgspec.structs.replace(
        state, turn=Turn(turn.seat, "space", turn.steps[: turn.driven], turn.driven, turn.hazards)
    )
    return _safe_plan(fresh)


@lru_cache(maxsize=64)
def _safe_plan(state: State) -> Line:
    turn = state.turn
    assert turn is not None
    table, tip = _without_flying_start(table_for(state, turn.seat), tip_of(state)), tip_of(state)
    best: tuple[tuple[float, ...], Line] | None = None
    stack: list[tuple[Tip, int, int, int, Line]] = [(tip, 0, 0, 0, ())]
    while stack:
        here, hazards, brakes, diagonals, line = stack.pop()
        for candidate in outlook(table, here).candidates:
            step, gear = candidate.step, candidate.gear
            dice = dice_table()[candidate.dice]
            worst = hazards + len(dice.names) + automatic(step, gear)
            if candidate.sure_loss or worst >= table.allowed.limit - turn.hazards:
                continue
            longer = (*line, (step.to, candidate.dice))
            braked, turned = brakes + dice.brake, diagonals + (step.kind != "ahead")
            inside = table.circuit.spaces[step.to].inside_rank
            rank = (-len(longer), -gear, braked, turned, inside)
            if best is None or rank < best[0]:
                best = (rank, longer)
            crossings = here.crossings + step.crosses
            there = Tip(
                step.to,
                gear,
                here.hazards + automatic(step, gear),
                here.used.plus(dice),
                True,
                crossings,
                crossings > table.laps,
            )
            stack.append((there, worst, braked, turned, longer))
    return best[1] if best else _slowest_step(table, outlook(table, tip), moved=tip.moved)


def _without_flying_start(table: Table, tip: Tip) -> Table:
    """DEC-FLY: the clock takes gear die 1, unless nothing but gear die 2 gets the car past another one."""
    careful = table._replace(flying_start=False)
    return careful if outlook(careful, tip).candidates else table


def _slowest_step(table: Table, view: Outlook, *, moved: bool) -> Line:
    """No plan is safe: one step in the lowest gear, rather one that may still go well."""
    if moved or not view.candidates:
        return ()
    slowest = min(
        view.candidates,
        key=lambda c: (c.sure_loss, c.gear, c.step.kind != "ahead", table.circuit.spaces[c.step.to].inside_rank),
    )
    return ((slowest.step.to, slowest.dice),)


def cannot_fail(state: State) -> bool:
    """Whether the running plan, from its first step on, is one that no roll could turn into a loss of control."""
    turn = state.turn
    assert turn is not None
    worst = sum(len(dice_table()[step.dice].names) + step.auto for step in turn.steps)
    safe = worst < allowance_of(state, state.cars[turn.seat]).limit
    return safe and not any(step.sure_loss for step in turn.steps)


def towards(turn: Turn, line: Line) -> GtAction:
    """One choice closer to that plan, laid and confirmed; what does not belong to it is taken back first."""
    seat = turn.seat
    laid = tuple((step.space, step.dice) for step in turn.steps[turn.driven :])
    if line[: len(laid)] != laid:
        return TakeBack(seat)
    if turn.phase == "confirm":
        return ConfirmLoss(seat)
    if len(laid) == len(line):
        if turn.phase == "dice":
            return TakeBack(seat)
        return FinishPlan(seat) if line else Stop(seat)
    space, dice = line[len(laid)]
    if turn.phase == "mode":
        return TakeBack(seat)
    if turn.phase == "dice":
        return LayDice(seat, dice) if turn.aim == space else TakeBack(seat)
    return ChooseSpace(seat, space)
