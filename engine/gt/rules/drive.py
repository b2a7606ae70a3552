"""Rolling and moving: one by one, flat out, focus, flying start (rulebook: rolling the dice)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.core.errors import Rejected
from engine.core.model import Seat
from engine.gt.dice import FLYING_START, dice_table
from engine.gt.events import (
    CarMoved,
    DiceRolled,
    DiceSecured,
    Events,
    FlatOutFailed,
    FlyingStartFailed,
    FocusGained,
    LineCrossed,
)
from engine.gt.material import STANDING, solo_seconds
from engine.gt.rules.loss import Cause, lose_control
from engine.gt.rules.turns import end_movement, finish_car
from engine.gt.state import PlanStep, RolledDie, State, Turn, allowance_of, laps, with_car, with_turn

FACES = 6


def flying_start(state: State, turn: Turn) -> bool:
    """Whether the turn begins with gear die 2 from a standstill (GT-FLY-1)."""
    return turn.driven == 0 and state.cars[turn.seat].gear == STANDING and turn.steps[0].dice == FLYING_START


def securing_cost(turn: Turn) -> int:
    """GT-FOCUS-4, GT-FOCUS-5: the n-th die secured in a turn costs n; a step is secured as a whole."""
    dice = len(dice_table()[turn.steps[turn.driven].dice].names)
    return sum(range(turn.secured + 1, turn.secured + dice + 1))


def roll_step(state: State, events: Events) -> State:
    """GT-ROLL-2: roll the next step, move, count hazards."""
    turn = state.turn
    assert turn is not None
    step = turn.steps[turn.driven]
    if step.over:
        # GT-RUL-4: too fast anyway, no die needs to be rolled.
        return _make_step(state, step, turn.hazards + step.auto, events)
    flying = flying_start(state, turn)
    rolled, state = _roll(state, turn.seat, (step,))
    hazards = turn.hazards + step.auto + sum(die.hazard for die in rolled)
    events.append(DiceRolled(seat=turn.seat, dice=rolled, hazards=hazards))
    if flying and rolled[0].hazard and not step.sure_loss:
        return _fail_flying_start(state, step, hazards, events)
    return _make_step(state, step, hazards, events)


def secure_step(state: State, events: Events) -> State:
    """GT-FOCUS-3: pay, and make the step without rolling."""
    turn = state.turn
    assert turn is not None
    step = turn.steps[turn.driven]
    cost = securing_cost(turn)
    focus = state.cars[turn.seat].focus
    if step.over:
        raise Rejected("secure/pointless")
    if cost > focus:
        raise Rejected("secure/focus", cost=cost, focus=focus)
    names = dice_table()[step.dice].names
    events.append(DiceSecured(seat=turn.seat, dice=names, cost=cost))
    state = with_turn(with_car(state, turn.seat, focus=focus - cost), secured=turn.secured + len(names))
    return _make_step(state, step, turn.hazards + step.auto, events)


def _make_step(state: State, step: PlanStep, hazards: int, events: Events) -> State:
    """Move one space; control may be lost there, the race may be over, the plan may be used up."""
    turn = state.turn
    assert turn is not None
    state = move(state, turn.seat, step, hazards, events)
    state = with_turn(state, driven=turn.driven + 1, hazards=hazards)
    cause = loss_cause(state, turn.seat, hazards, over=step.over)
    if cause is not None:
        return lose_control(state, turn.seat, cause, events)
    return settle(state, events)


def move(state: State, seat: Seat, step: PlanStep, hazards: int, events: Events) -> State:
    """GT-DICE-3, GT-GEAR-4: one space, in the gear of the step. Counts the line (GT-END-4)."""
    car = state.cars[seat]
    events.append(CarMoved(seat=seat, source=car.space, target=step.space, gear=step.gear, hazards=hazards))
    crossings = car.crossings
    if step.crosses:
        crossings += 1
        events.append(LineCrossed(seat=seat, lap=crossings))
    return with_car(state, seat, space=step.space, gear=step.gear, crossings=crossings, spun=False)


def loss_cause(state: State, seat: Seat, hazards: int, *, over: bool) -> Cause | None:
    """GT-LOC-1: too many hazards, too fast, or both at once (one loss of control, GT-RUL-5)."""
    too_many = hazards >= allowance_of(state, state.cars[seat]).limit
    if over:
        return "both" if too_many else "speed"
    return "hazards" if too_many else None


def settle(state: State, events: Events) -> State:
    """After steps that went well: the finish, the next roll, or the end of the movement."""
    turn = state.turn
    assert turn is not None
    car = state.cars[turn.seat]
    if car.crossings > laps(state):
        # With finish_in_control a car that lost control beyond the line finishes when it next drives off (GT-RUL-9).
        return finish_car(state, turn.seat, car.gear, solo_seconds(car.gear, state.options.solo_00), events)
    if turn.driven < len(turn.steps):
        return state
    return end_movement(state, events)


def _fail_flying_start(state: State, step: PlanStep, hazards: int, events: Events) -> State:
    """GT-FLY-2, GT-FLY-3: one space, gear 2, turn over, no loss of control."""
    turn = state.turn
    assert turn is not None
    state = move(state, turn.seat, step, hazards, events)
    events.append(FlyingStartFailed(seat=turn.seat))
    state = with_turn(state, steps=turn.steps[:1], driven=1, hazards=hazards)
    return settle(state, events)


def drive_flat_out(state: State, events: Events) -> State:
    """GT-FLAT-1 to 4: roll everything; reach the end of the plan, or lay the dice out again."""
    turn = state.turn
    assert turn is not None
    flying = flying_start(state, turn)
    rolled, state = _roll(state, turn.seat, turn.steps)
    hazards = sum(die.hazard for die in rolled) + sum(step.auto for step in turn.steps)
    events.append(DiceRolled(seat=turn.seat, dice=rolled, hazards=hazards))
    # GT-FOCUS-1: for every gear and coast die rolled, whatever happens.
    gained = sum(dice_table()[step.dice].focus for step in turn.steps)
    if gained:
        events.append(FocusGained(seat=turn.seat, tokens=gained))
        state = with_car(state, turn.seat, focus=state.cars[turn.seat].focus + gained)
    if flying and rolled[0].hazard and not turn.steps[0].sure_loss:
        return _fail_flying_start(state, turn.steps[0], turn.steps[0].auto + 1, events)
    over = any(step.over for step in turn.steps)
    if loss_cause(state, turn.seat, hazards, over=over) is not None:
        events.append(FlatOutFailed(seat=turn.seat))
        return with_turn(state, phase="relay", rolled=rolled)
    at = 0
    shown = 0
    for step in turn.steps:
        count = len(dice_table()[step.dice].names)
        shown += step.auto + sum(die.hazard for die in rolled[at : at + count])
        at += count
        state = move(state, turn.seat, step, shown, events)
    return settle(with_turn(state, driven=len(turn.steps), hazards=hazards), events)


def _roll(state: State, seat: Seat, steps: tuple[PlanStep, ...]) -> tuple[tuple[RolledDie, ...], State]:
    """Roll the dice of these steps; each die has its own number of hazard faces."""
    sets = [dice_table()[step.dice] for step in steps]
    names = [name for dice in sets for name in dice.names]
    hazard_faces = [faces for dice in sets for faces in dice.faces]
    shown, rng = state.rng.many_below(f"dice/{seat}", FACES, len(names))
    rolled = tuple(_shown(n, face < hazards) for n, face, hazards in zip(names, shown, hazard_faces, strict=True))
    return rolled, msgspec.structs.replace(state, rng=rng)


@lru_cache(maxsize=32)
def _shown(die: str, hazard: bool) -> RolledDie:
    """The same object for equal dice: a race shows hundreds of them."""
    return RolledDie(die, hazard)
