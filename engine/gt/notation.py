"""One line for a plan or a whole turn: `3 4< 5 c ; one r s r .` (for players: docs/notation.md).

Reading has two halves. `read` knows only the grammar and cuts a line into items; `play` and `parse` carry the items out
on a state, because only there directions become spaces and one can tell what the rules say. Malformed (the grammar),
ambiguous (two spaces lie straight on) and illegal (the rules) are three different errors, each with its column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, cast

from engine.core.errors import NotationError, Rejected
from engine.core.model import Seat, SpaceId
from engine.gt.actions import (
    ChooseGrid,
    ChooseSide,
    ChooseSpace,
    ChooseTyres,
    ConfirmLoss,
    FinishPlan,
    FitTyres,
    FlatOut,
    GtAction,
    LayDice,
    LoseControlAt,
    LoseControlIn,
    OneByOne,
    PitStop,
    Replan,
    Retire,
    Roll,
    Secure,
    StayOut,
    Stop,
    StopRace,
    TakeBack,
)
from engine.gt.circuit import Circuit, Step
from engine.gt.dice import DiceSet, dice_table
from engine.gt.events import GtEvent, TyresFitted
from engine.gt.game import GAME
from engine.gt.meta import Tyre
from engine.gt.reasons import explain
from engine.gt.rules.ahead import tip_of
from engine.gt.rules.planning import dice_for
from engine.gt.rules.relay import outcomes
from engine.gt.state import Lane, Phase, PlanStep, Side, State, Turn, road

MALFORMED = "notation/malformed"
ILLEGAL = "notation/illegal"
AMBIGUOUS = "notation/ambiguous"

Sign = Literal["", "<", ">"]
"""Straight on, left, right."""

SIGNS: tuple[Sign, ...] = ("", "<", ">")

Verb = Literal[
    "step",
    "aim",
    "anyway",
    "back",
    "done",
    "one",
    "flat",
    "roll",
    "secure",
    "stop",
    "replan",
    "lose",
    "side",
    "pit",
    "stay",
    "tyres",
    "grid",
    "retire",
    "stop race",
]


class Item(NamedTuple):
    """One thing the line asks for, and where it stands (offset from 0)."""

    verb: Verb
    at: int
    text: str
    dice: DiceSet = DiceSet("")
    sign: Sign = ""
    space: SpaceId | None = None
    # Where the direction of a step, or the second argument of a decision, stands.
    second_at: int = 0
    # Drive anyway: the step may be a certain loss of control.
    anyway: bool = False
    # The next item says whether to drive anyway, or leaves the race altogether.
    answered: bool = False
    # The lane of a pit stop, the side of the road.
    word: str = ""
    tyres: str = ""
    gear: int = 0


# --- the grammar --------------------------------------------------------------------------------------------------

DONE_SIGNS = ";/"
SEPARATORS = f",{DONE_SIGNS}"
EXPECTED = "expected dice (4, c, 2bb, 5a, b), one, flat, or a decision such as r, s, . or back"
BLANK = "expected a direction (<, >, @space), ! or a blank behind a step"

_WORD = re.compile(r"[^\s,;/<>@!]+")
_DICE = re.compile(r"[1-6](?:b*|a)|[cb]", re.IGNORECASE | re.ASCII)
_LETTERS = re.compile(r"[1-6abc]+", re.IGNORECASE | re.ASCII)
_SPACE = re.compile(r"[0-9]+\.[a-z]+[0-9]*", re.IGNORECASE | re.ASCII)
_ROLLS = re.compile(r"[rs.]+", re.IGNORECASE | re.ASCII)

_GEARS = ("1", "2", "3", "4", "5", "6")
KEEP = "keep"
_TYRES = ("asphalt", "rain", "soft", KEEP)
_LANES: dict[str, Lane] = {"tyres": "tyres", "repairs": "repairs", "both": "repairs and tyres"}
_ROLL_LETTERS: dict[str, Verb] = {"r": "roll", "s": "secure", ".": "stop"}
_MODES: dict[str, Verb] = {"one": "one", "1by1": "one", "flat": "flat", "f": "flat"}
_PLAIN: dict[str, Verb] = {
    "back": "back",
    "done": "done",
    "roll": "roll",
    "secure": "secure",
    "stop": "stop",
    "replan": "replan",
    "stay": "stay",
    "retire": "retire",
}


_ANSWERS: tuple[Verb, ...] = ("back", "anyway", "retire", "stop race")


def read(text: str) -> list[Item]:
    """Cut a line into its items; raises only for malformed text."""
    items = list(_Reader(text).items())
    following = [*(item.verb for item in items[1:]), "done"]
    return [item._replace(answered=verb in _ANSWERS) for item, verb in zip(items, following, strict=True)]


class _Reader:
    """Walks through a line from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def items(self) -> Iterator[Item]:
        """Item after item. Between two of them stands a blank or a separator, except after a direction."""
        self._blanks()
        if self._done_sign():
            yield Item("done", self.at, self.text[self.at])
            return
        while True:
            planning = False
            for item in self._item():
                planning = item.verb in ("step", "aim", "anyway", "back")
                yield item
            glued = self.text[self.at - 1] in "<>"
            if not (self._blanks() or self._at_separator() or self._at_end() or glued):
                raise self.error(BLANK)
            if planning and self._done_sign():
                yield Item("done", self.at, self.text[self.at])
                return
            if self._at_separator():
                self.at += 1
                self._blanks()
            elif self._at_end():
                return

    def _done_sign(self) -> bool:
        """A `;` behind a plan, and nothing more: the plan is done, its mode comes later."""
        return not self._at_end() and self.text[self.at] in DONE_SIGNS and not self.text[self.at + 1 :].strip()

    def error(self, reason: str, at: int | None = None) -> NotationError:
        return NotationError(self.text, (self.at if at is None else at) + 1, MALFORMED, reason)

    def _at_end(self) -> bool:
        return self.at >= len(self.text)

    def _at_separator(self) -> bool:
        return not self._at_end() and self.text[self.at] in SEPARATORS

    def _blanks(self) -> bool:
        before = self.at
        while not self._at_end() and self.text[self.at].isspace():
            self.at += 1
        return self.at > before

    def _take(self, pattern: re.Pattern[str]) -> str:
        """What the pattern finds right here; empty if nothing."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def _next_word(self) -> str:
        """The word after blanks, in small letters, not taken yet."""
        before = self.at
        self._blanks()
        found = _WORD.match(self.text, self.at)
        self.at = before
        return found[0].lower() if found else ""

    def _argument(self, choices: Sequence[str], expected: str) -> str:
        word = self._optional(choices)
        if not word:
            self._blanks()
            raise self.error(expected)
        return word

    def _optional(self, choices: Sequence[str]) -> str:
        word = self._next_word()
        if word not in choices:
            return ""
        self._blanks()
        self._take(_WORD)
        return word

    def _space_argument(self) -> SpaceId:
        self._blanks()
        start = self.at
        word = self._take(_WORD)
        if not _SPACE.fullmatch(word):
            raise self.error("expected a space such as 10.M2", start)
        return SpaceId(word.upper())

    def _item(self) -> Iterator[Item]:
        start = self.at
        if self._at_end() or self._at_separator():
            raise self.error(EXPECTED)
        if self.text[start] == "!":
            self.at += 1
            yield Item("anyway", start, "!")
            return
        if self.text[start] == "@":
            yield self._aim()
            return
        word = self._take(_WORD)
        if not word:
            raise self.error(f"the sign {self.text[start]} stands right behind the dice, as in 4{self.text[start]}")
        if _DICE.fullmatch(word):
            yield self._step(start, word)
        elif _ROLLS.fullmatch(word):
            for offset, letter in enumerate(word):
                yield Item(_ROLL_LETTERS[letter.lower()], start + offset, letter)
        else:
            yield self._decision(start, word.lower())._replace(text=self.text[start : self.at])

    def _aim(self) -> Item:
        start = self.at
        self.at += 1
        space = self._address()
        return Item("aim", start, self.text[start : self.at], space=space, second_at=start)

    def _address(self) -> SpaceId:
        space = self._take(_SPACE)
        if not space:
            raise self.error("expected a space such as 10.M2 behind @")
        return SpaceId(space.upper())

    def _step(self, start: int, word: str) -> Item:
        dice = DiceSet(word.lower())
        if dice not in dice_table():
            raise self.error("a step takes four brake dice at the most", start)
        sign: Sign = ""
        space: SpaceId | None = None
        second_at = self.at
        match self.text[self.at : self.at + 1]:
            case "<":
                sign = "<"
                self.at += 1
            case ">":
                sign = ">"
                self.at += 1
            case "@":
                self.at += 1
                space = self._address()
            case _:
                second_at = start
        anyway = self.text[self.at : self.at + 1] == "!"
        self.at += anyway
        return Item("step", start, self.text[start : self.at], dice, sign, space, second_at, anyway)

    def _decision(self, start: int, word: str) -> Item:
        if word == "stop" and self._optional(("race",)):
            return Item("stop race", start, word)
        if word in _PLAIN:
            return Item(_PLAIN[word], start, word)
        if word in _MODES:
            return self._mode(start, word)
        match word:
            case "left" | "right":
                return Item("side", start, word, word=word)
            case "tyres":
                return Item("tyres", start, word, tyres=self._argument(_TYRES, "expected asphalt, rain, soft or keep"))
            case "grid":
                return Item("grid", start, word, space=self._space_argument())
            case "pit":
                return self._pit(start)
            case "lose":
                return self._lose(start)
        raise self._unknown(start, word)

    def _unknown(self, start: int, word: str) -> NotationError:
        dice = _DICE.match(word)
        if dice and (word[0].isdigit() or _LETTERS.fullmatch(word)):
            return self.error(BLANK, start + dice.end())
        return self.error(EXPECTED, start)

    def _mode(self, start: int, word: str) -> Item:
        if word == "flat":
            self._optional(("out",))
        elif word == "one" and self._optional(("by",)):
            self._argument(("one",), "expected one by one")
        return Item(_MODES[word], start, word)

    def _pit(self, start: int) -> Item:
        lane = self._argument(tuple(_LANES), "expected tyres, repairs or both")
        second_at = self._after_blanks()
        tyres = "" if lane == "repairs" else self._optional(_TYRES)
        return Item("pit", start, "pit", second_at=second_at, word=lane, tyres=tyres)

    def _lose(self, start: int) -> Item:
        gear = self._optional(_GEARS)
        if gear:
            return Item("lose", start, "lose", gear=int(gear), second_at=start)
        space = self._space_argument()
        second_at = self._after_blanks()
        gear = self._optional(_GEARS)
        return Item("lose", start, "lose", space=space, gear=int(gear or 0), second_at=second_at)

    def _after_blanks(self) -> int:
        before = self.at
        self._blanks()
        after, self.at = self.at, before
        return after


# --- directions ---------------------------------------------------------------------------------------------------


def straight_on(steps: Sequence[Step]) -> int | None:
    """Which of the steps (left to right) is meant without a sign; None where the signs must choose.

    The only one ahead; where the road widens and several are, the middle one of an odd number of steps. With two lanes
    straight ahead and nothing else (a merged lane that splits) there is no middle.
    """
    ahead = [index for index, step in enumerate(steps) if step.kind == "ahead"]
    if len(ahead) == 1:
        return ahead[0]
    if len(steps) % 2:
        return len(steps) // 2
    return None


def signed(steps: Sequence[Step], sign: Sign) -> Step | None:
    """The step that a sign stands for; None if there is none (or, without a sign, no single one)."""
    middle = straight_on(steps)
    if middle is None:
        return {"": None, "<": steps[0], ">": steps[-1]}[sign]
    at = middle + {"": 0, "<": -1, ">": 1}[sign]
    return steps[at] if 0 <= at < len(steps) else None


def direction(circuit: Circuit, source: SpaceId, target: SpaceId) -> str:
    """How the way from one space to the next is written: a sign, or `@space` where no sign means it."""
    steps = circuit.steps[source]
    for sign in SIGNS:
        step = signed(steps, sign)
        if step is not None and step.to == target:
            return sign
    return f"@{target}"


# --- carrying a line out ------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """What became of a line: `unused` is the part that was not carried out, because the turn ended before it."""

    state: State
    events: list[GtEvent]
    actions: list[GtAction]
    unused: str


def play(state: State, seat: Seat, text: str, *, raw: bool = False) -> Played:
    """Carry a line out, dice included.

    Raises `NotationError`; with `raw` what the rules forbid raises their own `Rejected` instead. Decisions that come
    too late, because control was lost or the turn is over, are left unused. Dice once rolled stay rolled: what the
    rules refuse after that is not an error but ends the line there, and stays unused (with `raw` it still raises).
    """
    line = _Line(state, seat, text, raw=raw)
    unused: list[Item] = []
    items = read(text)
    for index, item in enumerate(items):
        if line.over or line.too_late(item):
            unused.append(item)
            continue
        try:
            line.carry_out(item)
        except NotationError:
            # Nobody may look at his dice and then plan again.
            if raw or not line.chanced:
                raise
            unused += items[index:]
            break
    return Played(line.state, line.events, line.actions, " ".join(item.text for item in unused))


def parse(state: State, seat: Seat, text: str) -> list[GtAction]:
    """The actions a line asks for, up to the first that rolls dice or draws tokens: nobody can know what follows.

    The rest of the line is only checked for its grammar. Raises `NotationError`.
    """
    line = _Line(state, seat, text, raw=False)
    for item in read(text):
        if line.over or line.chanced:
            break
        line.carry_out(item)
    return line.actions


# After the movement only these answers fit; others were meant for a movement that ended early.
_FITTING: dict[Phase, tuple[Verb, ...]] = {
    "relay": ("lose",),
    "relay_gear": ("lose",),
    "side": ("side",),
    "pit": ("pit", "stay"),
    "pit_tyres": ("tyres",),
}
_NEVER_TOO_LATE: tuple[Verb, ...] = ("back", "retire", "stop race", "grid")
_CHANCE = (FlatOut, Roll, LoseControlAt, LoseControlIn)


class _Line:
    """A line on its way: the state so far, and what has been done."""

    def __init__(self, state: State, seat: Seat, text: str, *, raw: bool) -> None:
        self.state = state
        self.seat = seat
        self.text = text
        self.raw = raw
        self.turn_number = state.turns
        self.events: list[GtEvent] = []
        self.actions: list[GtAction] = []
        # Dice were rolled or tokens drawn.
        self.chanced = False
        # What an error points at.
        self.at = 0

    @property
    def over(self) -> bool:
        """The turn in which the line began is over."""
        return bool(self.actions) and self.turn is None

    @property
    def turn(self) -> Turn | None:
        """The turn of this driver, as long as it is the one in which the line began."""
        turn = self.state.turn
        return turn if turn and turn.seat == self.seat and self.state.turns == self.turn_number else None

    @property
    def phase(self) -> Phase | None:
        """What the turn waits for."""
        return self.turn.phase if self.turn else None

    def too_late(self, item: Item) -> bool:
        """Written for a movement that has ended meanwhile."""
        if not self.chanced or self.phase not in _FITTING or item.verb in _NEVER_TOO_LATE:
            return False
        return item.verb not in _FITTING[self.phase]

    def carry_out(self, item: Item) -> None:
        """Do what one item asks for, all of it or nothing."""
        before = self.state, len(self.events), len(self.actions), self.chanced
        self.at = item.at
        try:
            if not 0 <= self.seat < len(self.state.cars):
                raise Rejected("seat/unknown", seat=self.seat)
            _CARRY_OUT[item.verb](self, item)
        except Rejected as rejected:
            if self.raw:
                raise
            reason = f"{explain(rejected)}{self._hint(rejected)}"
            self._restore(*before)
            raise NotationError(self.text, self.at + 1, ILLEGAL, reason) from rejected
        except NotationError:
            self._restore(*before)
            raise

    def _restore(self, state: State, events: int, actions: int, chanced: bool) -> None:
        self.state, self.chanced = state, chanced
        del self.events[events:], self.actions[actions:]

    def do(self, action: GtAction) -> None:
        """Apply one small action."""
        self.state, events = GAME.apply(self.state, action)
        self.events += events
        self.actions.append(action)
        self.chanced = self.chanced or isinstance(action, _CHANCE)

    def _hint(self, rejected: Rejected) -> str:
        """What would have been possible instead."""
        if self.turn is None:
            return ""
        match rejected.code:
            case "plan/dice":
                fitting = rejected.params.get("only") or " ".join(
                    c.dice for c in dice_for(self.state, SpaceId(str(rejected.params["space"])))
                )
                return f"; possible: {fitting}"
            case "plan/not_adjacent" | "plan/direction":
                return f"; from {tip_of(self.state).space} the way leads to {_listed(self._ways_on(), 'and')}"
            case _:
                return ""

    def _ways_on(self) -> list[SpaceId]:
        return [step.to for step in road(self.state).steps[tip_of(self.state).space]]

    # --- steps

    def step(self, item: Item) -> None:
        """Choose the space, lay the dice, confirm a certain loss (GT-RUL-3)."""
        aimed = self.planning().aim
        if aimed is None or item.sign or item.space:
            self.aim(item)
        # Otherwise the space was chosen before, and only its dice were missing.
        self.at = item.at
        if self.phase == "dice":
            self.do(LayDice(self.seat, item.dice))
        laid = self.planned()
        if laid.dice != item.dice:
            # The only set that fits was laid with the space.
            raise Rejected("plan/dice", dice=item.dice, space=laid.space, only=laid.dice)
        if self.phase != "confirm":
            return
        if item.anyway:
            self.do(ConfirmLoss(self.seat))
        elif not item.answered:
            raise Rejected("plan/unconfirmed", dice=laid.dice, space=laid.space)

    def planning(self) -> Turn:
        """The turn, if it takes another step now; otherwise the rules say why not."""
        turn = self.turn
        if turn is None or turn.phase not in ("space", "dice"):
            self.do(ChooseSpace(self.seat, SpaceId("")))
        assert turn is not None, "the rules refuse a space that does not exist"
        return turn

    def planned(self) -> PlanStep:
        """The step laid last."""
        assert self.turn is not None, "laying a step does not end the turn"
        return self.turn.steps[-1]

    def aim(self, item: Item) -> None:
        """Choose the space, instead of one chosen before if need be."""
        aimed = self.planning().aim
        space = self.target(item)
        if aimed == space:
            return
        if aimed is not None:
            self.do(TakeBack(self.seat))
        self.at = item.second_at
        self.do(ChooseSpace(self.seat, space))

    def target(self, item: Item) -> SpaceId:
        """The space a step leads to."""
        if item.space is not None:
            return item.space
        tip = tip_of(self.state)
        if tip.closed:
            raise Rejected("plan/ended")
        step = signed(road(self.state).steps[tip.space], item.sign)
        if step is not None:
            return step.to
        if item.sign:
            self.at = item.second_at
            raise Rejected("plan/direction", direction=item.sign)
        reason = f"straight on may be {_listed(self._ways_on(), 'or')}: write < or > behind the dice"
        raise NotationError(self.text, item.at + 1, AMBIGUOUS, reason)

    # --- other decisions

    def mode(self, action: OneByOne | FlatOut) -> None:
        """Naming the mode also says that the plan is done."""
        if self.phase == "space":
            self.do(FinishPlan(self.seat))
        self.do(action)

    def lose(self, item: Item) -> None:
        """Where control is lost, and in which gear."""
        if item.space is None:
            self.do(LoseControlIn(self.seat, item.gear))
            return
        if item.gear and self.phase == "relay":
            self._check_relay(item.space, item.gear, item.second_at)
        self.do(LoseControlAt(self.seat, item.space))
        if item.gear and self.phase == "relay_gear":
            self.do(LoseControlIn(self.seat, item.gear))

    def _check_relay(self, space: SpaceId, gear: int, at: int) -> None:
        """Before tokens are drawn: where only one gear is possible the rules do not ask for it."""
        gears = [outcome.gear for outcome in outcomes(self.state) if outcome.space == space]
        if gears and gear not in gears:
            self.at = at
            raise Rejected("relay/not_possible", space=space, gear=gear)

    def pit(self, item: Item) -> None:
        """Into a lane, and the tyres to fit there."""
        tyres = self._tyres_named(item)
        self.do(PitStop(self.seat, _LANES[item.word]))
        if tyres is None:
            return
        self.at = item.second_at
        if self.phase == "pit_tyres":
            self.do(FitTyres(self.seat, tyres))
        elif self.state.options.pit_tyres == "exit":
            raise Rejected("pit/tyres_later")
        elif TyresFitted(seat=self.seat, tyres=tyres) not in self.events:
            # Only one other type is in play, and it was fitted without asking.
            raise Rejected("pit/tyres", tyres=tyres)

    def tyres(self, item: Item) -> None:
        """Tyres for the start, or those to fit in the pits."""
        tyres = self._tyres_named(item)
        assert tyres is not None, "the grammar asks for them"
        if self.state.stage != "tyres":
            self.do(FitTyres(self.seat, tyres))
        elif item.tyres == KEEP:
            raise Rejected("tyres/not_in_play", tyres=KEEP)
        else:
            self.do(ChooseTyres(self.seat, tyres))

    def _tyres_named(self, item: Item) -> Tyre | None:
        if not item.tyres:
            return None
        return self.state.cars[self.seat].tyres if item.tyres == KEEP else cast("Tyre", item.tyres)

    def named_space(self, item: Item) -> SpaceId:
        """The space that the grammar has asked for."""
        assert item.space is not None
        return item.space


_CARRY_OUT: dict[Verb, Callable[[_Line, Item], None]] = {
    "step": _Line.step,
    "aim": _Line.aim,
    "anyway": lambda line, _: line.do(ConfirmLoss(line.seat)),
    "back": lambda line, _: line.do(TakeBack(line.seat)),
    "done": lambda line, _: line.do(FinishPlan(line.seat)),
    "one": lambda line, _: line.mode(OneByOne(line.seat)),
    "flat": lambda line, _: line.mode(FlatOut(line.seat)),
    "roll": lambda line, _: line.do(Roll(line.seat)),
    "secure": lambda line, _: line.do(Secure(line.seat)),
    "stop": lambda line, _: line.do(Stop(line.seat)),
    "replan": lambda line, _: line.do(Replan(line.seat)),
    "lose": _Line.lose,
    "side": lambda line, item: line.do(ChooseSide(line.seat, cast("Side", item.word))),
    "pit": _Line.pit,
    "stay": lambda line, _: line.do(StayOut(line.seat)),
    "tyres": _Line.tyres,
    "grid": lambda line, item: line.do(ChooseGrid(line.seat, line.named_space(item))),
    "retire": lambda line, _: line.do(Retire(line.seat)),
    "stop race": lambda line, _: line.do(StopRace(line.seat)),
}


def _listed(spaces: Sequence[SpaceId], last: str) -> str:
    """`4.L1, 4.M1 and 4.R1`."""
    return f" {last} ".join(part for part in (", ".join(spaces[:-1]), spaces[-1]) if part)


# --- printing -----------------------------------------------------------------------------------------------------


def format_step(circuit: Circuit, source: SpaceId, step: PlanStep) -> str:
    """One step from a space: `4<`; a certain loss of control carries its confirmation, `5!`."""
    return f"{step.dice}{direction(circuit, source, step.space)}{'!' if step.sure_loss else ''}"


def format_plan(circuit: Circuit, start: SpaceId, steps: Sequence[PlanStep]) -> str:
    """A plan from a space: `3 4< 5 c`."""
    words: list[str] = []
    for step in steps:
        words.append(format_step(circuit, start, step))
        start = step.space
    return " ".join(words)


class _Word(NamedTuple):
    """A printed item; items of one group stand together, groups are separated by `;`."""

    group: Literal["plan", "drive", "decision"]
    text: str


def format_turn(state: State, actions: Sequence[GtAction]) -> str:
    """The line that makes `play` do exactly these actions: decisions of one driver within one turn, from `state` on."""
    words: list[_Word] = []
    left = list(actions)
    while left:
        count, word = _word(state, left)
        if word is not None:
            words.append(word)
        for action in left[:count]:
            state, _ = GAME.apply(state, action)
        del left[:count]
    return _joined(words)


def _joined(words: Sequence[_Word]) -> str:
    line = ""
    group: str | None = None
    for word in words:
        if line:
            line += " " if word.group == group and group != "decision" else " ; "
        line += word.text
        group = word.group
    return line


_FIXED_WORDS: dict[type[GtAction], _Word] = {
    ConfirmLoss: _Word("plan", "!"),
    TakeBack: _Word("plan", "back"),
    OneByOne: _Word("drive", "one"),
    FlatOut: _Word("drive", "flat"),
    Roll: _Word("drive", "r"),
    Secure: _Word("drive", "s"),
    Stop: _Word("drive", "."),
    Replan: _Word("drive", "replan"),
    StayOut: _Word("decision", "stay"),
    Retire: _Word("decision", "retire"),
    StopRace: _Word("decision", "stop race"),
}


def _word(state: State, actions: Sequence[GtAction]) -> tuple[int, _Word | None]:
    """What the first actions are called together, and how many they are."""
    after = actions[1] if len(actions) > 1 else None
    match actions[0]:
        case ChooseSpace():
            return _step_word(state, actions)
        case LayDice(dice=dice):
            return _confirmed(dice, actions, 1)
        case FinishPlan():
            # The mode says it too.
            return 1, None if isinstance(after, OneByOne | FlatOut) else _Word("plan", "done")
        case LoseControlAt(space=space):
            gear = f" {after.gear}" if isinstance(after, LoseControlIn) else ""
            return (2 if gear else 1), _Word("decision", f"lose {space}{gear}")
        case LoseControlIn(gear=in_gear):
            return 1, _Word("decision", f"lose {in_gear}")
        case PitStop(lane=lane):
            name = next(name for name, meant in _LANES.items() if meant == lane)
            tyres = f" {after.tyres}" if isinstance(after, FitTyres) else ""
            return (2 if tyres else 1), _Word("decision", f"pit {name}{tyres}")
        case ChooseTyres(tyres=kind) | FitTyres(tyres=kind):
            return 1, _Word("decision", f"tyres {kind}")
        case ChooseGrid(space=place):
            return 1, _Word("decision", f"grid {place}")
        case ChooseSide(side=side):
            return 1, _Word("decision", side)
        case action:
            return 1, _FIXED_WORDS[type(action)]


def _step_word(state: State, actions: Sequence[GtAction]) -> tuple[int, _Word]:
    """A space with its dice; alone (`@4.M1`) if the driver did not lay any."""
    aim, after = actions[0], actions[1] if len(actions) > 1 else None
    assert isinstance(aim, ChooseSpace)
    way = direction(road(state), tip_of(state).space, aim.space)
    if isinstance(after, LayDice):
        return _confirmed(f"{after.dice}{way}", actions, 2)
    laid = dice_for(state, aim.space)
    if len(laid) == 1:
        return _confirmed(f"{laid[0].dice}{way}", actions, 1)
    return 1, _Word("plan", f"@{aim.space}")


def _confirmed(text: str, actions: Sequence[GtAction], count: int) -> tuple[int, _Word]:
    """The step, with the sign that confirms a certain loss if that comes next."""
    if len(actions) > count and isinstance(actions[count], ConfirmLoss):
        return count + 1, _Word("plan", f"{text}!")
    return count, _Word("plan", text)
