"""The racer: goes as far as a fair risk allows, flat out where it is small. He looks no further than this turn."""

from __future__ import annotations

from functools import lru_cache

from engine.gt.actions import GtAction, Roll, Secure, Stop
from engine.gt.drivers.base import BaseDriver, Intent, line_of
from engine.gt.drivers.judge import far_rest, loss_cost, rules_for, stop_cost
from engine.gt.drivers.plans import forced_steps, plans
from engine.gt.rules.ahead import table_for, tip_of
from engine.gt.rules.choices import legal
from engine.gt.state import Turn
from engine.gt.view import View


class Racer(BaseDriver):
    """Drives by two bounds of risk."""

    def __init__(self, name: str, boldest: float, flat_out: float) -> None:
        self.name = name
        # The highest chance of losing control, if everything were rolled, that he plans for.
        self.boldest = boldest
        # ... and that he takes at once.
        self.flat_out = flat_out

    def plan(self, view: View) -> Intent:
        return _plan(view, self.boldest, self.flat_out)

    def roll(self, view: View, turn: Turn) -> GtAction:
        """Rolls on until one more hazard would be too many; then pays focus, or stops."""
        seat = turn.seat
        table = table_for(view, seat)
        step = turn.steps[turn.driven]
        if turn.hazards + step.auto + 1 < table.allowed.limit:
            return Roll(seat)
        offered = legal(view, seat)
        return next((action for action in (Secure(seat), Stop(seat)) if action in offered), Roll(seat))


@lru_cache(maxsize=256)
def _plan(view: View, boldest: float, flat_out: float) -> Intent:
    assert view.turn is not None
    seat = view.turn.seat
    table, tip, rules = table_for(view, seat), tip_of(view), rules_for(view, seat)
    possible = plans(table, tip)
    if not possible:
        step = min(forced_steps(table, tip), key=lambda leg: loss_cost(rules, leg, far_rest))
        return Intent(line_of([step]), "one by one")
    bearable = [plan for plan in possible if plan.risk <= boldest] or [min(possible, key=lambda plan: plan.risk)]
    best = min(bearable, key=lambda plan: stop_cost(rules, plan.end, far_rest) + plan.risk)
    return Intent(line_of(best.legs), "flat out" if best.risk <= flat_out else "one by one")
