"""Planning help: everything a driver is shown while planning."""

from __future__ import annotations

from fractions import Fraction

from engine.core.model import Seat, SpaceId
from engine.gt.actions import ChooseSpace, LayDice
from engine.gt.arrange import CarSetup, Position, arrange
from engine.gt.dice import DiceSet
from engine.gt.forecast import Forecast, forecast
from engine.gt.game import GAME
from engine.gt.state import State

RED = Seat(0)


def lay(state: State, *steps: tuple[str, str]) -> State:
    for space, dice in steps:
        state, _ = GAME.apply(state, ChooseSpace(RED, SpaceId(space)))
        if state.turn is not None and state.turn.phase == "dice":
            state, _ = GAME.apply(state, LayDice(RED, DiceSet(dice)))
    return state


def planned(circuit: str, cars: dict[str, CarSetup], *steps: tuple[str, str], **options: object) -> Forecast:
    state, _ = arrange(circuit, Position(cars, turn="Red"), options)
    return forecast(GAME.view(lay(state, *steps), RED))


def test_dice_left_focus_and_risk_of_a_plan():
    ahead = planned("C0", {"Red": CarSetup(SpaceId("3.M1"), 4)}, ("3.M2", "5"), ("3.M3", "c"), ("4.M1", "6"))
    assert (ahead.dice_left.gear, ahead.dice_left.coast, ahead.dice_left.brake) == (4, 1, 3)
    assert ahead.focus == 3
    assert ahead.flat_out_risk == Fraction(2, 6) * Fraction(1, 6) * Fraction(2, 6)
    assert ahead.gear == 6
    assert [step.odds.loss_here for step in ahead.steps] == [0, 0, Fraction(1, 54)]


def test_where_losing_control_would_hurt_most():
    ahead = planned("C0", {"Red": CarSetup(SpaceId("3.M1"), 4)}, ("3.M2", "5"), ("3.M3", "c"), ("4.M1", "6"))
    # Tile 3 (106) is orange, tile 4 (103) yellow: gear 5 on orange costs 2 tokens, gear 6 on yellow 2 as well.
    assert [step.tokens for step in ahead.steps] == [2, 2, 2]
    assert ahead.worst_step == 0


def test_hazards_of_the_line_are_announced():
    ahead = planned("C6", {"Red": CarSetup(SpaceId("3.L2"), 1)}, ("3.I", "c"), ("3.L4", "2"))
    assert ahead.automatic_hazards == 2
    assert [step.hazards_so_far for step in ahead.steps] == [1, 2]
    assert ahead.steps[1].odds.loss_here == Fraction(1, 6) + Fraction(5, 6) * Fraction(1, 6)


def test_a_plan_that_ends_in_gear_1_at_the_edge_allows_a_pit_stop():
    two_cars = {"Red": CarSetup(SpaceId("10.L1"), 1), "Blue": CarSetup(SpaceId("2.L1"), 1)}
    assert planned("C2", two_cars, ("10.L2", "1")).may_pit
    assert not planned("C2", two_cars, ("10.M2", "1")).may_pit
    assert not planned("C2", two_cars, ("10.L2", "2")).may_pit


def test_the_place_in_the_next_rounds_order():
    cars = {"Red": CarSetup(SpaceId("10.L1"), 3), "Blue": CarSetup(SpaceId("12.L1"), 4)}
    assert planned("C2", cars, ("10.L2", "4")).next_order == 2
    assert planned("C2", cars, ("10.L2", "4"), ("10.L3", "5")).next_order == 1


def test_a_plan_over_the_finish_line_needs_no_place_in_the_order():
    ahead = planned("C2", {"Red": CarSetup(SpaceId("0.R3"), 4)}, ("0.R4", "5"))
    assert ahead.finishes
    assert ahead.next_order is None


def test_being_blocked_at_the_end_of_the_plan_is_shown():
    cars = {"Red": CarSetup(SpaceId("1.L1"), 2), "Orange": CarSetup(SpaceId("1.R3"), 5)}
    assert planned("C7", cars, ("1.L2", "3")).blocked
    assert not planned("C7", cars).blocked
