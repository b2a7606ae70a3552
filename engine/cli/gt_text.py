"""GT events and results as lines for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.game import Entrant, Result
from engine.gt import events as ev
from engine.gt.material import gear_name
from engine.gt.reasons import explain
from engine.gt.solo import COLUMNS, Sheet, clock_time
from engine.gt.state import PlanStep, RolledDie

__all__ = ["explain", "result_lines", "sheet_lines", "tell"]

_SHORT = {"coast": "c", "brake": "b", "boost": "a"}


def tell(event: ev.GtEvent, entrants: Sequence[Entrant]) -> str | None:
    """One event as a line; None for what a reader need not be told."""

    def name(seat: int) -> str:
        return entrants[seat].name

    match event:
        case ev.GridDrawn(order=order, spaces=spaces) if spaces:
            return "Grid: " + ", ".join(f"{name(s)} {space}" for s, space in zip(order, spaces, strict=True))
        case ev.GridDrawn(order=order):
            return "Drawn order: " + ", ".join(map(name, order))
        case ev.WeatherSet(weather=weather):
            return f"The race starts in the {weather}."
        case ev.TyresSealed(seat=seat):
            return f"{name(seat)} has chosen tyres."
        case ev.TyresRevealed(tyres=tyres):
            return "Tyres: " + ", ".join(f"{name(s)} {tyre}" for s, tyre in enumerate(tyres))
        case ev.GridChosen(seat=seat, space=space):
            return f"{name(seat)} lines up on {space}."
        case ev.RoundStarted(number=number, colour=colour, order=order):
            return f"\nRound {number} ({colour}): " + ", ".join(map(name, order))
        case ev.TurnStarted(seat=seat, gear=gear):
            return f" {name(seat)}, gear {gear_name(gear)}"
        case ev.CarReturned(seat=seat, space=space, source=source):
            return f"   is back on {space} from the {source}"
        case ev.CarWaited(space=space, source=source):
            return f"   waits: {space} is taken (still in the {source})"
        case ev.PitWorkDone():
            return "   is still in the pits, marker 0"
        case ev.FlagsLifted(tiles=tiles):
            return f"   lifts the yellow flag on tile {', '.join(map(str, sorted(set(tiles))))}"
        case ev.Blocked(space=space, gear=gear):
            return f"   is blocked on {space} in gear {gear_name(gear)}"
        case ev.NoDiceLeft(returned=None):
            return "   has no usable die left"
        case ev.NoDiceLeft():
            return "   has no usable die left; a gearbox token goes back into the bag"
        case ev.PlanFixed(mode=mode, steps=steps):
            return f"   plans {_plan(steps)} {mode}"
        case ev.DiceRolled(dice=dice, hazards=hazards):
            return f"   rolls {_dice(dice)} (hazards {hazards})"
        case ev.DiceSecured(dice=dice, cost=cost):
            return f"   secures {' '.join(_SHORT.get(d, d) for d in dice)} for {cost} focus"
        case ev.LineCrossed(lap=lap):
            return f"   crosses the line: lap {lap} begins"
        case ev.DriverStopped():
            return "   stops"
        case ev.PlanReopened():
            return "   plans anew"
        case ev.FocusGained(tokens=tokens):
            return f"   earns {tokens} focus"
        case ev.FlyingStartFailed():
            return "   the flying start fails: one space, gear 2"
        case ev.FlatOutFailed():
            return "   flat out goes wrong: the dice are laid out again"
        case ev.DiceLaidOutAgain(steps=steps):
            return f"   lays {_plan(steps)}"
        case ev.ControlLost(space=space, gear=gear, level=level, new_gear=new_gear, tokens=tokens, cause=cause):
            drawn = f", {tokens} damage" if tokens else ""
            return f"   LOSES CONTROL on {space} in gear {gear} ({level}, {cause}): gear {gear_name(new_gear)}{drawn}"
        case ev.TokensDrawn(tokens=tokens):
            return f"   draws {', '.join(token.replace('_', ' ') for token in tokens) or 'nothing: the bag is empty'}"
        case ev.WeatherChanged(weather=weather):
            return f"   the weather turns {weather}!"
        case ev.YellowFlag(tile=tile):
            return f"   yellow flag on tile {tile}"
        case ev.LeftRoad(side=side):
            return f"   stands beside the road, on the {side}"
        case ev.PitEntered(lane=lane, repaired=repaired):
            return f"   drives into the pits: {lane}" + (f" ({repaired} tokens go back)" if repaired else "")
        case ev.TyresFitted(tyres=tyres):
            return f"   gets {tyres} tyres"
        case ev.CarMoved(target=target, gear=gear):
            return f"   -> {target} in gear {gear}"
        case ev.BoxTicked(column=column, gear=gear, seconds=seconds):
            return f"   sheet: turn {column}, gear {gear_name(gear)}, {seconds} s"
        case ev.CarFinished(seat=seat, place=place):
            return f"   {name(seat)} FINISHES, place {place}"
        case ev.CarRetired(seat=seat):
            return f"   {name(seat)} retires"
        case ev.RaceEnded(order=order):
            return "\nThe race is over: " + ", ".join(f"{p}. {name(s)}" for p, s in enumerate(order, 1))
        case _:
            return None


def _plan(steps: Sequence[PlanStep]) -> str:
    return " ".join(f"{step.dice}@{step.space}" for step in steps)


def _dice(dice: Sequence[RolledDie]) -> str:
    return " ".join(_SHORT.get(die.die, die.die) + ("!" if die.hazard else "") for die in dice)


def sheet_lines(sheet: Sheet) -> list[str]:
    """The solo sheet as a grid of turns and gears."""
    columns = max(COLUMNS, len(sheet.ticks))
    rows = ["6", "5", "4", "3", "2", "1", "0", "00"]
    title = (sheet.circuit, sheet.driver, sheet.car_class, f"{sheet.tyres} tyres", sheet.weather, sheet.date)
    lines = [
        "  ".join(title).rstrip(),
        "gear " + "".join(f"{turn:>3}" for turn in range(1, columns + 1)),
    ]
    for row in rows:
        boxes = ["x" if gear_name(tick.gear) == row else "." for tick in sheet.ticks]
        boxes += ["."] * (columns - len(boxes))
        lines.append(f"{row:>4} " + "".join(f"{box:>3}" for box in boxes))
    lines.append("     " + "".join(f"{tick.weather[0].upper():>3}" for tick in sheet.ticks))
    lines.append(
        f"driving time {clock_time(sheet.driving_time)}, credit {sheet.credit} s, "
        f"total {clock_time(sheet.total)}" + ("" if sheet.finished else " (not finished)")
    )
    return lines


def result_lines(result: Result, entrants: Sequence[Entrant]) -> list[str]:
    """The classification, a line a driver."""
    lines = []
    for place in result.places:
        time = f"  {clock_time(place.score)}" if result.way == "solo" else ""
        status = "" if place.status == "finished" else f"  ({place.status})"
        lines.append(f"{place.place}. {entrants[place.seat].name}{time}{status}")
    return lines
