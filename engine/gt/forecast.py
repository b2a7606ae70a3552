"""Planning help: what a plan promises before the dice are rolled. Works on a view as well as on a state."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec

from engine.gt.dice import dice_table
from engine.gt.material import STANDING, Allowance, Gear, loss_row
from engine.gt.odds import StepOdds, flat_out_risk, one_by_one_odds
from engine.gt.rules.ahead import outlook, table_for, tip_of
from engine.gt.rules.drive import flying_start
from engine.gt.rules.order import playing_order
from engine.gt.rules.pits import may_pit
from engine.gt.state import PlanStep, State, Turn, laps, road, with_car


class StepForecast(NamedTuple):
    """One step: what the line adds by itself, the odds one by one, and what losing control here would cost."""

    step: PlanStep
    hazards_so_far: int
    odds: StepOdds
    new_gear: Gear
    tokens: int


class Forecast(NamedTuple):
    """All that a driver should see while planning."""

    gear: Gear
    dice_left: Allowance
    automatic_hazards: int
    hazard_limit: int
    steps: tuple[StepForecast, ...]
    flat_out_risk: Fraction
    focus: int
    # The step at which losing control would cost most; None where it costs nothing anywhere.
    worst_step: int | None
    may_pit: bool
    finishes: bool
    # Place in the next round's order if all goes well, counted from 1; None for a car that has finished.
    next_order: int | None
    # Other cars leave no way on from the end of the plan.
    blocked: bool


def forecast(state: State) -> Forecast:
    """What the running plan promises; made for the driver on turn."""
    turn = state.turn
    assert turn is not None, "a forecast is made in a turn"
    table, tip = table_for(state, turn.seat), tip_of(state)
    limit = table.allowed.limit
    ahead = turn.steps[turn.driven :]
    flying = bool(ahead) and flying_start(state, turn)
    steps = _step_forecasts(state, turn, ahead, one_by_one_odds(ahead, limit, hazards=turn.hazards, flying=flying))
    costs = [(step.tokens, step.new_gear < STANDING) for step in steps]
    worst = max(costs, default=(0, False))
    used = tip.used
    return Forecast(
        gear=tip.gear,
        dice_left=msgspec.structs.replace(
            table.allowed,
            gear=table.allowed.gear - used.gear,
            coast=table.allowed.coast - used.coast,
            brake=table.allowed.brake - used.brake,
            boost=table.allowed.boost - used.boost,
        ),
        automatic_hazards=sum(step.auto for step in ahead),
        hazard_limit=limit,
        steps=steps,
        flat_out_risk=flat_out_risk(ahead, limit, flying=flying),
        focus=sum(dice_table()[step.dice].focus for step in ahead),
        worst_step=costs.index(worst) if worst > (0, False) else None,
        may_pit=_may_pit(state, turn),
        finishes=tip.crossings > laps(state),
        next_order=_next_order(state, turn),
        blocked=outlook(table, tip).blocked,
    )


def _step_forecasts(
    state: State, turn: Turn, ahead: tuple[PlanStep, ...], odds: tuple[StepOdds, ...]
) -> tuple[StepForecast, ...]:
    circuit = road(state)
    hazards = turn.hazards
    found: list[StepForecast] = []
    for step, chance in zip(ahead, odds, strict=True):
        hazards += step.auto
        row = loss_row(step.gear)
        found.append(StepForecast(step, hazards, chance, row.gear(), row.tokens(circuit.spaces[step.space].level)))
    return tuple(found)


def _arrived(state: State, turn: Turn) -> State | None:
    """The table after the plan has gone well; None when it ends the race for this car or is a certain loss."""
    tip = tip_of(state)
    if tip.crossings > laps(state) or any(step.sure_loss for step in turn.steps):
        return None
    return with_car(state, turn.seat, space=tip.space, gear=tip.gear, crossings=tip.crossings)


def _may_pit(state: State, turn: Turn) -> bool:
    after = _arrived(state, turn)
    return after is not None and may_pit(after, turn.seat)


def _next_order(state: State, turn: Turn) -> int | None:
    after = _arrived(state, turn)
    return None if after is None else playing_order(after).index(turn.seat) + 1
