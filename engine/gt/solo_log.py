"""The solo drivers' own log: `1234(4):56c(3):3bb2100(-1)!G` (rules, section 10; for players: docs/notation.md).

Per turn the dice of the steps made, the new gear if it is not that of the last die (0 or 00: control lost, pit stop,
return to the road), focus in brackets, `!` for a loss of control and a letter per broken part. `-` is a turn in which
nothing moved; `...` at the end marks a race that did not finish (yet).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.core.errors import NotationError, Rejected
from engine.core.log import Entry, Race
from engine.core.model import Value
from engine.gt.actions import GtAction
from engine.gt.dice import NOTHING_USED, DiceSet, Used, dice_table, sets_for
from engine.gt.events import (
    BoxTicked,
    CarMoved,
    ControlLost,
    DiceLaidOutAgain,
    DiceSecured,
    FocusGained,
    GtEvent,
    PlanFixed,
    TokensDrawn,
)
from engine.gt.material import OFF_ROAD, STANDING, Gear, Token, gear_from_name, gear_name, material, solo_seconds
from engine.gt.meta import Weather
from engine.gt.notation import ILLEGAL, MALFORMED
from engine.gt.rules.pits import PIT_GEAR
from engine.gt.solo import driving_time, total_time
from engine.gt.state import State, Tick

JOINT = ":"
NOTHING = "-"
UNFINISHED = "..."

BACK_FIRST = "the car stands in gear 00: this turn only brings it back, write 0"

LETTERS: dict[str, Token] = {"G": "gearbox", "B": "brakes", "C": "coasting"}
_LETTER_OF: dict[Token, str] = {token: letter for letter, token in LETTERS.items()}


class LogTurn(Value, frozen=True):
    """One turn of the log. `gear` is the row ticked on the sheet, `damage` one letter per broken part."""

    dice: tuple[DiceSet, ...]
    gear: Gear
    seconds: int
    focus: int = 0
    lost: bool = False
    damage: str = ""


class SoloLog(Value, frozen=True):
    """A log and what it adds up to (GT-SOLO-6, GT-SOLO-7)."""

    turns: tuple[LogTurn, ...]
    finished: bool
    # The class named, or else the first one whose dice allow this log.
    car_class: str
    ticks: tuple[Tick, ...]
    driving_time: int
    credit: int
    total: int


# --- writing ------------------------------------------------------------------------------------------------------

SoloRace = Race[State, GtAction, GtEvent, Any]


def log_of(race: SoloRace) -> str:
    """The log of a race with one driver, for copying."""
    return format_log(tuple(turns_of(race)), UNFINISHED if not race.state.finished else "")


def format_log(turns: Sequence[LogTurn], end: str = "") -> str:
    """The turns as a log; `end` is `UNFINISHED` for a race that did not reach the line."""
    written: list[str] = []
    gear: Gear = STANDING
    for turn in turns:
        written.append(_format_turn(turn, gear))
        gear = turn.gear
    return JOINT.join([*written, end] if end else written)


def _format_turn(turn: LogTurn, before: Gear) -> str:
    if not turn.dice:
        return NOTHING if turn.gear == before else gear_name(turn.gear)
    new_gear = gear_name(turn.gear) if turn.gear <= STANDING else ""
    focus = f"({turn.focus})" if turn.focus else ""
    lost = f"!{turn.damage}" if turn.lost else ""
    return f"{''.join(turn.dice)}{new_gear}{focus}{lost}"


def turns_of(race: SoloRace) -> Iterator[LogTurn]:
    """The finished turns of a race with one driver, out of its record."""
    if len(race.state.cars) != 1:
        raise ValueError("only a race with one driver has a solo log")
    steps: list[DiceSet] = []
    dice: list[DiceSet] = []
    focus, lost, damage = 0, False, ""
    for event in _events(race):
        match event:
            case PlanFixed() | DiceLaidOutAgain():
                steps = [step.dice for step in event.steps]
            case CarMoved():
                dice.append(steps.pop(0))
            case FocusGained(tokens=tokens):
                focus += tokens
            case DiceSecured(cost=cost):
                focus -= cost
            case ControlLost():
                lost = True
            case TokensDrawn(tokens=drawn):
                damage += "".join(_LETTER_OF.get(token, "") for token in drawn)
            case BoxTicked(gear=gear, seconds=seconds):
                yield LogTurn(tuple(dice), gear, seconds, focus, lost, damage)
                dice, focus, lost, damage = [], 0, False, ""
            case _:
                pass


def _events(race: SoloRace) -> Iterator[GtEvent]:
    """All that happened and was not taken back."""
    standing: list[Entry[GtAction, GtEvent]] = []
    for entry in race.entries:
        target = entry.undo_to
        if target is None:
            standing.append(entry)
        else:
            standing = [kept for kept in standing if kept.number <= target]
    yield from race.events
    for entry in standing:
        yield from entry.events


# --- reading ------------------------------------------------------------------------------------------------------


def parse_log(text: str, *, car_class: str | None = None, seconds_00: int = 30, weather: Weather = "dry") -> SoloLog:
    """Read a log, check that its dice could have been driven, and add it up.

    Raises `NotationError`, and `Rejected` for a class that does not exist. Without a class the first one whose dice
    allow the log is taken. The log does not say the weather; the ticks carry the one given. Focus is taken as written:
    a failed flat-out roll earns some for dice that were never driven.
    """
    if car_class is not None and car_class not in material().classes:
        raise Rejected("setup/class", car=car_class)
    written, finished = _Scanner(text).turns()
    chosen = list(material().classes) if car_class is None else [car_class]
    # Of several classes that do not fit, the one that gets furthest explains best what is wrong.
    errors: list[NotationError] = []
    for name in chosen:
        try:
            turns = tuple(_Referee(text, name, seconds_00, finished=finished).turns(written))
        except NotationError as error:
            errors.append(error)
            continue
        return _added_up(turns, name, weather, finished=finished)
    raise max(errors, key=lambda error: error.column)


def _added_up(turns: tuple[LogTurn, ...], car_class: str, weather: Weather, *, finished: bool) -> SoloLog:
    ticks = tuple(Tick(turn.gear, turn.seconds, weather) for turn in turns)
    credit = sum(turn.focus for turn in turns)
    return SoloLog(turns, finished, car_class, ticks, driving_time(ticks), credit, total_time(ticks, credit))


class _Written(NamedTuple):
    """A turn as it stands in the text; the offsets say where its parts begin."""

    at: int
    # Letters of the dice, each with its offset.
    dice: tuple[tuple[str, int], ...]
    gear: str
    gear_at: int
    focus: int
    focus_at: int
    lost: bool
    lost_at: int
    damage: str


_BLANKS = re.compile(r"\s*")
_DIE = re.compile(r"[1-6cba]", re.IGNORECASE | re.ASCII)
_GEAR = re.compile(r"00?")
# Nobody has ever earned a million.
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_LETTER = re.compile(r"[gbc]", re.IGNORECASE | re.ASCII)
_OPEN, _CLOSE, _LOSS, _JOINT = (re.compile(re.escape(sign)) for sign in "()!:")
_NOTHING, _UNFINISHED = re.compile(re.escape(NOTHING)), re.compile(re.escape(UNFINISHED))


class _Scanner:
    """Knows only the grammar; blanks may stand anywhere between two signs."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def turns(self) -> tuple[list[_Written], bool]:
        """All turns, and whether the race was finished."""
        turns: list[_Written] = []
        self._take(_BLANKS)
        while not self._take(_UNFINISHED):
            turns.append(self._turn())
            if self.at == len(self.text):
                return turns, True
            if not self._take(_JOINT):
                raise self._error(self.at, "expected : between two turns, or the end")
        if self.at < len(self.text):
            raise self._error(self.at, "nothing can follow ...")
        return turns, False

    def _turn(self) -> _Written:
        at = self.at
        if self._take(_NOTHING):
            return _Written(at, (), NOTHING, at, 0, at, False, at, "")
        dice = tuple(self._run(_DIE))
        gear_at = self.at
        gear = self._take(_GEAR)
        if not (dice or gear):
            raise self._error(at, "expected dice (1 to 6, c, b, a), a gear 0 or 00, or - for a turn without a step")
        focus_at = self.at
        focus = self._focus()
        lost_at = self.at
        lost = bool(self._take(_LOSS))
        damage = "".join(letter.upper() for letter, _ in self._run(_LETTER)) if lost else ""
        return _Written(at, dice, gear, gear_at, focus, focus_at, lost, lost_at, damage)

    def _focus(self) -> int:
        if not self._take(_OPEN):
            return 0
        number = self._take(_NUMBER)
        if not number:
            raise self._error(self.at, "expected the focus earned, as in (4), or spent, as in (-1)")
        if not self._take(_CLOSE):
            raise self._error(self.at, "expected )")
        return int(number)

    def _run(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
        at = self.at
        while sign := self._take(pattern):
            yield sign.lower(), at
            at = self.at

    def _take(self, pattern: re.Pattern[str]) -> str:
        """What the pattern finds here, and the blanks behind it skipped."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        blanks = _BLANKS.match(self.text, found.end())
        assert blanks is not None, "it also matches nothing"
        self.at = blanks.end()
        return found[0]

    def _error(self, at: int, reason: str) -> NotationError:
        return NotationError(self.text, at + 1, MALFORMED, reason)


class _Referee:
    """Follows the car through the log: gear, dice, focus, damage."""

    def __init__(self, text: str, car_class: str, seconds_00: int, *, finished: bool) -> None:
        self.text = text
        self.seconds_00 = seconds_00
        self.finished = finished
        # The log does not say tyres and weather: the best dashboard of the class is the bound.
        boards = [counts for rows in material().classes[car_class].values() for counts in rows.values()]
        self.top, self.coasts, self.brakes, self.boosts = (max(column) for column in zip(*boards, strict=True))
        self.gear: Gear = STANDING
        self.focus = 0
        self.damage: dict[str, int] = dict.fromkeys(LETTERS, 0)
        self.number = 0

    def turns(self, written: Sequence[_Written]) -> Iterator[LogTurn]:
        """The turns, checked one after the other."""
        for self.number, turn in enumerate(written, 1):
            last = self.number == len(written)
            yield self._turn(turn, over_the_line=last and self.finished and turn.lost)

    def _turn(self, turn: _Written, *, over_the_line: bool) -> LogTurn:
        dice, gear = self._driven(turn) if turn.dice else ((), self._standing_still(turn))
        if turn.dice and turn.gear:
            gear = self._new_gear(turn, gear)
        elif turn.lost:
            raise self._error(turn.lost_at, "after a loss of control the new gear 0 or 00 stands behind the dice")
        self._count(turn)
        self.gear = gear
        return LogTurn(dice, gear, self._seconds(gear, over_the_line=over_the_line), turn.focus, turn.lost, turn.damage)

    def _driven(self, turn: _Written) -> tuple[tuple[DiceSet, ...], Gear]:
        """GT-GEAR-1 to GT-BOOST-1: every set of dice must be one that could come next."""
        if self.gear == OFF_ROAD:
            raise self._error(turn.at, BACK_FIRST)
        sets: list[DiceSet] = []
        gear, used, index = self.gear, NOTHING_USED, 0
        letters = "".join(letter for letter, _ in turn.dice)
        while index < len(letters):
            dice = _next_set(letters[index:], gear)
            legal = self._legal(gear, used, first=index == 0)
            if dice not in legal:
                possible = " ".join(legal) or "nothing"
                raise self._error(
                    turn.dice[index][1], f"{dice} is not possible in gear {gear} now; possible: {possible}"
                )
            gear = dice_table()[dice].gear or gear
            used = used.plus(dice_table()[dice])
            sets.append(dice)
            index += len(dice)
        return tuple(sets), gear

    def _legal(self, gear: Gear, used: Used, *, first: bool) -> tuple[DiceSet, ...]:
        return sets_for(
            gear,
            used.numbers,
            max(0, self.top - self.damage["G"]) - used.gear,
            max(0, self.coasts - self.damage["C"]) - used.coast,
            max(0, self.brakes - self.damage["B"]) - used.brake,
            self.boosts - used.boost,
            self.top,
            # The log does not say the options either.
            red_zone=True,
            flying=first,
        )

    def _standing_still(self, turn: _Written) -> Gear:
        """A turn without dice: back on the road, waiting, no usable die, or straight to the repairs (GT-RUL-24)."""
        if turn.gear == NOTHING:
            # Without pits a broken gearbox goes back to the bag.
            self.damage["G"] = max(0, self.damage["G"] - 1)
            return self.gear
        gear = gear_from_name(turn.gear)
        if gear == self.gear == OFF_ROAD:
            raise self._error(turn.at, BACK_FIRST)
        if gear == OFF_ROAD:
            self._repair()
        elif self.gear != OFF_ROAD:
            raise self._error(turn.at, f"the car is in gear {self.gear}: without dice only 00 turns into 0")
        return gear

    def _new_gear(self, turn: _Written, driven: Gear) -> Gear:
        """0 or 00 behind the dice: control was lost, or a pit stop was made (GT-PIT-1: in gear 1)."""
        gear = gear_from_name(turn.gear)
        if turn.lost:
            return gear
        if driven != PIT_GEAR:
            raise self._error(turn.gear_at, f"from gear {driven} only a loss of control (!) leads to {turn.gear}")
        if gear == OFF_ROAD:
            self._repair()
        return gear

    def _repair(self) -> None:
        self.damage = dict.fromkeys(LETTERS, 0)

    def _count(self, turn: _Written) -> None:
        self.focus += turn.focus
        if self.focus < 0:
            spent, held = -turn.focus, self.focus - turn.focus
            raise self._error(turn.focus_at, f"{spent} focus are spent, but there are only {held}")
        if turn.focus and not turn.dice:
            raise self._error(turn.focus_at, "without dice no focus is earned or spent")
        for letter in turn.damage:
            self.damage[letter] += 1

    def _seconds(self, gear: Gear, *, over_the_line: bool) -> int:
        """GT-SOLO-3; losing control over the line costs what the way back would have cost (GT-SOLO-8)."""
        seconds = solo_seconds(gear, self.seconds_00)
        if over_the_line and gear == OFF_ROAD:
            seconds += solo_seconds(STANDING, self.seconds_00)
        return seconds

    def _error(self, at: int, reason: str) -> NotationError:
        return NotationError(self.text, at + 1, ILLEGAL, f"turn {self.number}: {reason}")


def _next_set(letters: str, gear: Gear) -> DiceSet:
    """The first set of dice; brake dice needed for the jump belong to it, further ones are red-zone dice."""
    if not letters[0].isdigit():
        return DiceSet(letters[0])
    if letters[1:2] == "a":
        return DiceSet(letters[:2])
    needed = max(0, gear - int(letters[0]) - 1)
    brakes = len(letters[1 : 1 + needed]) - len(letters[1 : 1 + needed].lstrip("b"))
    return DiceSet(letters[: 1 + brakes])
