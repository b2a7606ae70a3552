"""What all drivers share: laying the plan they have in mind, and the decisions that hardly differ."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Literal, NamedTuple

import msgspec

from engine.core.model import Seat
from engine.gt.actions import (
    ChooseSide,
    ChooseTyres,
    FlatOut,
    GtAction,
    LoseControlAt,
    LoseControlIn,
    OneByOne,
    PitStop,
    StayOut,
)
from engine.gt.drivers.judge import Rest, far_rest, lane_cost, loss_cost, rules_for
from engine.gt.drivers.plans import Leg
from engine.gt.rules.choices import decisions, legal
from engine.gt.rules.pits import fitting_tyres
from engine.gt.rules.relay import Outcome, outcomes
from engine.gt.rules.safe import Line, towards
from engine.gt.state import PlanStep, Turn
from engine.gt.view import View

Mode = Literal["one by one", "flat out"]


class Intent(NamedTuple):
    """What a driver means to do with his turn."""

    line: Line
    mode: Mode


class BaseDriver:
    """Answers every decision; a driver of his own plans, rolls and pits in his own way."""

    name: str
    # How a driver looks beyond the end of a turn.
    rest: Rest = staticmethod(far_rest)

    def plan(self, view: View) -> Intent:
        """The plan for the turn, from a view in which nothing is laid."""
        raise NotImplementedError

    def roll(self, view: View, turn: Turn) -> GtAction:
        """Before each step driven one by one: roll, secure or stop."""
        raise NotImplementedError

    def pit(self, view: View, turn: Turn) -> GtAction:
        """The turn has ended where a pit stop is possible: the lane after which least is left to do."""
        return min(
            (choice for choice in legal(view, turn.seat) if isinstance(choice, PitStop | StayOut)),
            key=lambda choice: self._pit_cost(view, turn, choice),
        )

    def _pit_cost(self, view: View, turn: Turn, choice: PitStop | StayOut) -> float:
        car, rules = view.cars[turn.seat], rules_for(view, turn.seat)
        if isinstance(choice, PitStop):
            lane = next(lane for lane in rules.lanes if lane.name == choice.lane)
            return lane_cost(rules, lane, car.space, car.crossings, self.rest)
        # Without a usable die staying out would be for ever.
        return inf if turn.stuck else self.rest(rules._replace(lanes=()), car.space, car.gear, car.crossings)

    def choose(self, view: View, seat: Seat) -> GtAction:
        """One legal action."""
        turn = view.turn
        if view.stage == "tyres":
            return ChooseTyres(seat, fitting_tyres(view.weather))
        if turn is None or turn.seat != seat:
            return self._default(view, seat)
        match turn.phase:
            case "space" | "dice" | "confirm" | "mode":
                return self._follow(view, turn)
            case "roll":
                return self.roll(view, turn)
            case "relay":
                return LoseControlAt(seat, self._least_bad(view, seat, outcomes(view)).space)
            case "relay_gear":
                there = tuple(outcome for outcome in outcomes(view) if outcome.space == turn.aim)
                return LoseControlIn(seat, self._least_bad(view, seat, there).gear)
            case "side":
                return ChooseSide(seat, "left")
            case "pit":
                return self.pit(view, turn)
            case "pit_tyres":
                return self._default(view, seat)

    def _default(self, view: View, seat: Seat) -> GtAction:
        """As the clock would: the first free place on the grid, the tyres that fit the weather."""
        mine = (decision for decision in decisions(view) if decision.seat == seat)
        return next((decision.default for decision in mine), legal(view, seat)[0])

    def _follow(self, view: View, turn: Turn) -> GtAction:
        intent = self.plan(unplanned(view, turn))
        if turn.phase == "mode" and line_of(turn.steps[turn.driven :]) == intent.line:
            return FlatOut(turn.seat) if intent.mode == "flat out" and turn.driven == 0 else OneByOne(turn.seat)
        return towards(turn, intent.line)

    def _least_bad(self, view: View, seat: Seat, possible: tuple[Outcome, ...]) -> Outcome:
        rules = rules_for(view, seat)
        before = view.cars[seat].crossings

        def cost(outcome: Outcome) -> float:
            last = outcome.steps[-1]
            crossings = before + sum(step.crosses for step in outcome.steps)
            return loss_cost(rules, Leg(last.space, last.dice, last.gear, last.auto, crossings), self.rest)

        return min(possible, key=cost)


def unplanned(view: View, turn: Turn) -> View:
    """The view without the steps that are laid but not driven: all that a plan may depend on."""
    fresh = Turn(turn.seat, "space", turn.steps[: turn.driven], turn.driven, turn.hazards, turn.secured)
    return msgspec.structs.replace(view, turn=fresh)


def line_of(steps: Iterable[Leg | PlanStep]) -> Line:
    """A plan as the choices that lay it."""
    return tuple((step.space, step.dice) for step in steps)


def legs_ahead(view: View, turn: Turn) -> tuple[Leg, ...]:
    """The steps of the running plan that are not driven yet."""
    crossings = view.cars[turn.seat].crossings
    legs: list[Leg] = []
    for step in turn.steps[turn.driven :]:
        crossings += step.crosses
        legs.append(Leg(step.space, step.dice, step.gear, step.auto, crossings))
    return tuple(legs)
