"""What it costs to drive a plan: all at once, or step by step with the right to stop and to pay focus."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from engine.gt.dice import dice_table
from engine.gt.drivers.hazards import loss_chance, shown
from engine.gt.drivers.judge import Rest, Rules, loss_cost, stop_cost
from engine.gt.drivers.plans import Leg, Plan

Call = Literal["roll", "secure", "stop"]

# Steps further on than this many secured dice are never secured: the price rises with each.
MOST_SECURED = 5


class Standing(NamedTuple):
    """Where a turn driven one by one has got to."""

    driven: int
    hazards: int
    secured: int


class OneByOne:
    """A plan driven step by step, weighed from its end backwards."""

    def __init__(
        self,
        rules: Rules,
        legs: tuple[Leg, ...],
        rest: Rest,
        *,
        focus: int,
        worth: float,
        flying: bool = False,
        secured: int = 0,
    ) -> None:
        """`legs` are the steps ahead, `focus` the tokens at hand, `secured` the dice secured before them."""
        self._legs = legs
        self._limit = rules.allowed.limit
        self._focus = focus
        self._worth = worth
        self._flying = flying
        self._secured = secured
        self._stop = [stop_cost(rules, leg, rest) for leg in legs]
        self._loss = [loss_cost(rules, leg, rest) for leg in legs]
        self._known: dict[Standing, tuple[float, Call]] = {}

    def best(self, hazards: int = 0, here: float | None = None) -> tuple[float, Call]:
        """The cost, and what to do before the first step ahead; `here` is the cost of ending the turn right now."""
        cost, call = self._weigh(Standing(0, hazards, self._secured))
        if here is not None and here <= cost:
            return here, "stop"
        return cost, call

    def _weigh(self, at: Standing) -> tuple[float, Call]:
        known = self._known.get(at)
        if known is not None:
            return known
        leg = self._legs[at.driven]
        cost, call = self._roll(at, leg), "roll"
        price, dice = self._price(at, leg)
        if price is not None:
            secured = price * self._worth + self._on(Standing(at.driven + 1, at.hazards + leg.auto, at.secured + dice))
            if secured < cost:
                cost, call = secured, "secure"
        if at.driven > 0 and self._stop[at.driven - 1] <= cost:
            cost, call = self._stop[at.driven - 1], "stop"
        self._known[at] = (cost, call)  # type: ignore[assignment]
        return self._known[at]

    def _roll(self, at: Standing, leg: Leg) -> float:
        chances = shown(leg.dice)
        if self._flying and at.driven == 0:
            # GT-FLY-2: a hazard ends the turn here, in control.
            return (1 - chances[0]) * self._stop[0] + chances[0] * self._on(
                Standing(1, at.hazards + leg.auto, at.secured)
            )
        cost = 0.0
        for more, chance in enumerate(chances):
            if chance:
                cost += chance * self._on(Standing(at.driven + 1, at.hazards + leg.auto + more, at.secured))
        return cost

    def _on(self, at: Standing) -> float:
        """The cost once the step has been made."""
        made = at.driven - 1
        if at.hazards >= self._limit:
            return self._loss[made]
        if at.driven == len(self._legs):
            return self._stop[made]
        return self._weigh(at)[0]

    def _price(self, at: Standing, leg: Leg) -> tuple[int | None, int]:
        dice = len(dice_table()[leg.dice].names)
        last = at.secured + dice
        price = sum(range(at.secured + 1, last + 1))
        spent = sum(range(self._secured + 1, at.secured + 1))
        affordable = last <= MOST_SECURED and spent + price <= self._focus
        return (price if affordable else None), dice


def flat_out_cost(rules: Rules, plan: Plan, rest: Rest, worth: float) -> float:
    """Roll all dice at once; where it fails, the cheapest place to lose control is taken."""
    arrive = stop_cost(rules, plan.end, rest)
    earliest = max(0, min(len(plan.legs), rules.allowed.limit) - 1)
    fail = min(loss_cost(rules, leg, rest) for leg in plan.legs[earliest:])
    focus = worth * plan.focus
    if not plan.flying:
        return (1 - plan.risk) * arrive + plan.risk * fail - focus
    held = shown(plan.legs[0].dice)[0]
    risk = _risk_after_flying(plan, rules.allowed.limit)
    after = (1 - risk) * arrive + risk * fail
    return held * after + (1 - held) * stop_cost(rules, plan.legs[0], rest) - focus


@lru_cache(maxsize=4096)
def _risk_after_flying(plan: Plan, limit: int) -> float:
    return loss_chance(plan.ones - 1, plan.twos, limit - plan.hazards)
