"""The ace: weighs every plan both ways of rolling, with stops, focus and losses of control, one turn further ahead."""

from __future__ import annotations

from functools import lru_cache
from heapq import nsmallest
from math import inf

from engine.core.model import SpaceId
from engine.gt.actions import GtAction, Roll, Secure, Stop
from engine.gt.dice import NOTHING_USED
from engine.gt.drivers.base import BaseDriver, Intent, Mode, legs_ahead, line_of
from engine.gt.drivers.judge import (
    Rest,
    Rules,
    far_rest,
    focus_worth,
    loss_cost,
    rules_for,
    stop_cost,
    turn_cost,
)
from engine.gt.drivers.plans import Plan, forced_steps, plans
from engine.gt.drivers.rolling import Call, OneByOne, flat_out_cost
from engine.gt.material import STANDING, Gear
from engine.gt.rules.ahead import NO_FLAGS, Table, Tip, table_for, tip_of
from engine.gt.rules.drive import flying_start
from engine.gt.state import Turn
from engine.gt.view import View

# Plans weighed exactly after a first glance, and those among them for which the turn after counts too.
GLANCE = 40
CLOSE_LOOK = 8
# A look at the turn after leaves out what is riskier than this flat out.
RISKY_LATER = 0.4


_CALLS: dict[Call, type[Roll | Secure | Stop]] = {"roll": Roll, "secure": Secure, "stop": Stop}


class Ace(BaseDriver):
    """Looks two turns ahead."""

    name = "ace"

    def plan(self, view: View) -> Intent:
        return _plan(view)

    def roll(self, view: View, turn: Turn) -> GtAction:
        seat = turn.seat
        car, rules = view.cars[seat], rules_for(view, seat)
        if turn.steps[turn.driven].sure_loss:
            return Roll(seat)
        here = None
        if turn.driven:
            here = turn_cost(rules, car.gear) + near_rest(rules, car.space, car.gear, car.crossings)
        drive = OneByOne(
            rules,
            legs_ahead(view, turn),
            near_rest,
            focus=car.focus,
            worth=_worth(view, rules),
            flying=flying_start(view, turn),
            secured=turn.secured,
        )
        _, call = drive.best(turn.hazards, here)
        return _CALLS[call](seat)


@lru_cache(maxsize=256)
def _plan(view: View) -> Intent:
    turn = view.turn
    assert turn is not None
    seat = turn.seat
    table, tip, rules = table_for(view, seat), tip_of(view), rules_for(view, seat)
    possible = plans(table, tip)
    if not possible:
        step = min(forced_steps(table, tip), key=lambda leg: loss_cost(rules, leg, far_rest))
        return Intent(line_of([step]), "one by one")
    focus, worth = view.cars[seat].focus, _worth(view, rules)

    def weigh(plan: Plan, rest: Rest) -> tuple[float, Mode]:
        steps = OneByOne(rules, plan.legs, rest, focus=focus, worth=worth, flying=plan.flying, secured=turn.secured)
        one_by_one, _ = steps.best(turn.hazards)
        # Once a step has been rolled, the rest of the turn is driven one by one too (option replan).
        at_once = inf if tip.moved else flat_out_cost(rules, plan, rest, worth)
        return (at_once, "flat out") if at_once < one_by_one else (one_by_one, "one by one")

    glanced = nsmallest(GLANCE, possible, key=lambda plan: _glance(rules, plan, worth))
    weighed = nsmallest(CLOSE_LOOK, ((weigh(plan, far_rest), plan) for plan in glanced), key=lambda pair: pair[0][0])
    (_, mode), best = min(((weigh(plan, near_rest), plan) for _, plan in weighed), key=lambda pair: pair[0][0])
    return Intent(line_of(best.legs), mode)


def _glance(rules: Rules, plan: Plan, worth: float) -> float:
    """A quick guess at what a plan costs, good enough to throw most of them away."""
    end = stop_cost(rules, plan.end, far_rest)
    halfway = stop_cost(rules, plan.legs[len(plan.legs) // 2], far_rest)
    flat_out = (1 - plan.risk) * end + plan.risk * loss_cost(rules, plan.end, far_rest) - worth * plan.focus
    return min(flat_out, (1 - plan.risk) * end + plan.risk * max(halfway, end))


def _worth(view: View, rules: Rules) -> float:
    assert view.turn is not None
    car = view.cars[view.turn.seat]
    return focus_worth(rules, car.focus, far_rest(rules, car.space, car.gear, car.crossings))


@lru_cache(maxsize=65_536)
def near_rest(rules: Rules, space: SpaceId, gear: Gear, crossings: int) -> float:
    """The cost from here to the finish, with the next turn planned out and only what follows guessed."""
    if crossings > rules.laps:
        return 0.0
    table = Table(rules.circuit, {}, NO_FLAGS, rules.allowed, rules.laps, False, False, deliberate=False)
    tip = Tip(space, max(gear, STANDING), 0, NOTHING_USED, False, crossings, False)
    possible = plans(table, tip, RISKY_LATER)
    if not possible:
        return far_rest(rules, space, gear, crossings) + turn_cost(rules, STANDING)
    worth = 1.0 if rules.alone else 0.0
    best = min(_glance(rules, plan, worth) for plan in possible)
    # The pits may be the better way on.
    return min(best, far_rest(rules, space, gear, crossings)) if rules.lanes else best
