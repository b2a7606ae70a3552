"""A person at the keyboard: shows the road ahead and the odds, reads a line of notation."""

from __future__ import annotations

from typing import Any

from engine.cli.table import print_line
from engine.core.errors import NotationError, Rejected
from engine.core.log import Race
from engine.core.model import Seat
from engine.gt.forecast import forecast
from engine.gt.material import gear_name
from engine.gt.notation import play
from engine.gt.reasons import explain
from engine.gt.rules.drive import securing_cost
from engine.gt.rules.planning import dice_for, spaces_ahead
from engine.gt.rules.relay import outcomes
from engine.gt.state import PLANNING, State

PROMPTS = {
    "tyres": "tyres asphalt | rain | soft",
    "grid": "grid SPACE",
    "space": 'your plan, such as "3 4< 5 c ; flat" or "2 3 ; one"; help and quit work too',
    "dice": 'dice for the space, or "back"',
    "confirm": "a certain loss of control: repeat the step with ! or take it back",
    "mode": "flat | one | back",
    "roll": "roll | secure | stop",
    "relay": "lose SPACE [GEAR]",
    "relay_gear": "lose SPACE GEAR",
    "side": "left | right",
    "pit": "stay | pit tyres | pit repairs | pit both",
    "pit_tyres": "tyres asphalt | rain | soft",
}


def ask_driver(race: Race[Any, Any, Any, Any], seat: Seat) -> Race[Any, Any, Any, Any] | None:
    """Ask until something legal is typed; None when the person leaves."""
    decision = race.game.decisions(race.state)[0]
    for line in situation(race.game.view(race.state, seat)):
        print_line(line)
    while True:
        print_line(f"  [{race.header.entrants[seat].name}] {PROMPTS[decision.kind]}")
        try:
            text = input("> ").strip()
        except EOFError:
            return None
        if text.lower() in ("quit", "exit"):
            return None
        if not text or text.lower() == "help":
            for line in situation(race.game.view(race.state, seat)):
                print_line(line)
            continue
        try:
            played = play(race.state, seat, text)
        except NotationError as error:
            print_line(error.pointed())
            continue
        except Rejected as error:
            print_line(f"The rules say no: {explain(error)}")
            continue
        for action in played.actions:
            race = race.act(action)
        if played.unused:
            print_line(f"  (not used any more: {played.unused})")
        return race


def situation(view: State) -> list[str]:
    """What a driver wants to know before answering."""
    turn = view.turn
    if turn is None:
        return []
    car = view.cars[turn.seat]
    if turn.phase in PLANNING:
        return _planning(view)
    if turn.phase == "roll":
        step = turn.steps[turn.driven]
        cost = securing_cost(turn)
        return [
            f"  next: {step.dice} to {step.space}; hazards {turn.hazards}; securing costs {cost} of {car.focus} focus"
        ]
    if turn.phase in ("relay", "relay_gear"):
        return [
            f"  lose {o.space} {o.gear}: gear {gear_name(o.new_gear)}, {o.tokens} tokens"
            + (" and you have finished" if o.finishes else "")
            for o in outcomes(view)
        ]
    return []


def _planning(view: State) -> list[str]:
    turn = view.turn
    assert turn is not None
    car = view.cars[turn.seat]
    ahead = forecast(view)
    left = ahead.dice_left
    lines = [
        f"  on {car.space} in gear {gear_name(car.gear)}, focus {car.focus}, {view.weather}, hazard limit "
        f"{ahead.hazard_limit}; dice left: {left.gear} gear, {left.coast} coast, {left.brake} brake, {left.boost} boost"
    ]
    if turn.steps:
        plan = " ".join(f"{step.dice}@{step.space}" for step in turn.steps)
        lines.append(f"  plan: {plan}; flat out {float(ahead.flat_out_risk):.0%} risk, +{ahead.focus} focus")
    if turn.phase == "space":
        for space in spaces_ahead(view):
            dice = " ".join(c.dice + ("!" if c.sure_loss else "") for c in dice_for(view, space))
            lines.append(f"  {space}: {dice}")
    return lines
