"""A table to test the rules of GT Circuit at: put cars on a circuit, lay plans, roll written dice, look what happened.

    table = put("C2", red=on("10.L1", 4), blue=on("10.R2", 5), dice="5 6!")     # red is on turn (the first named)
    table.drive(("10.L2", "5"), ("10.M3", "6"))                                 # plan, one by one, roll every step
    assert table.car("red").space == "10.M3"
    assert table.only(TurnEnded).gear == 6

Nothing is left to chance: `dice` and `bag` are written down in the order in which they come ("4" shows no hazard, "4!"
does; c, b, a stand for coast, brake and boost dice), and each die rolled must be the die written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from engine.core.errors import Rejected
from engine.core.game import Decision, Entrant, Setup
from engine.core.model import Action, Event, Seat
from engine.core.options import decode_options
from engine.gt.actions import (
    ChooseSpace,
    ConfirmLoss,
    FinishPlan,
    FlatOut,
    GtAction,
    LayDice,
    OneByOne,
    Roll,
)
from engine.gt.arrange import CarSetup, Chance, Position, arrange
from engine.gt.events import DiceRolled, GtEvent
from engine.gt.game import GAME
from engine.gt.meta import META
from engine.gt.state import Car, State, Turn

E = TypeVar("E", bound=Event)
Planned = tuple[str, str]
"""One step of a plan: the space and its set of dice ("4", "c", "2bb", "5a", "b")."""

_DIE_NAMES = {"c": "coast", "b": "brake", "a": "boost"}


def on(space: str, gear: int | str = 0, **more: Any) -> CarSetup:
    """A car on that space, in that gear; `more` are fields of `CarSetup` (focus=3, where="pits", damage={...})."""
    return CarSetup(space, gear, **more)  # type: ignore[arg-type]


def put(
    track: str,
    *,
    turn: str | None = "",
    dice: str = "",
    bag: str = "",
    options: dict[str, Any] | None = None,
    weather: str = "dry",
    round: int = 1,
    tokens: dict[str, int] | None = None,
    finished: Sequence[str] = (),
    host: str | None = None,
    **cars: CarSetup,
) -> Table:
    """Set a position up. The turn of the first named car starts (`turn="blue"`: of that one; None: as the order says).

    One car alone drives solo (no pits, no weather changes); name a second one where that matters. `tokens` is what the
    bag holds, by default all that is not on dashboards.
    """
    position = Position(
        cars=dict(cars),
        turn=next(iter(cars)) if turn == "" else turn,
        weather=weather,  # type: ignore[arg-type]
        round=round,
        bag=tokens,  # type: ignore[arg-type]
        finished=tuple(finished),
        host=host,
    )
    chance = Chance(dice=tuple(dice.split()), bag=tuple(bag.split()))  # type: ignore[arg-type]
    state, events = arrange(track, position, options, chance)
    return Table(state, tuple(events), written=tuple(dice.split()))


def start(track: str, *names: str, seed: bytes = bytes(16), **options: Any) -> Table:
    """A race from its very beginning, with real chance out of `seed`. Options by their key, `car_class` for class."""
    if "car_class" in options:
        options["class"] = options.pop("car_class")
    entrants = tuple(Entrant(name) for name in names)
    state, events = GAME.new(Setup(track, decode_options(META, options), entrants, seed))  # type: ignore[arg-type]
    return Table(state, tuple(events))


class Table:
    """A race under test: `state` now, `events` since it was put up, `last` those of the newest action."""

    def __init__(self, state: State, events: tuple[GtEvent, ...], written: tuple[str, ...] | None = None) -> None:
        self.state = state
        self.events: list[GtEvent] = list(events)
        self.last: tuple[GtEvent, ...] = events
        self._written = None if written is None else list(written)

    # --- looking -------------------------------------------------------------------------------------------------

    def seat(self, name: str) -> Seat:
        """The seat of a driver."""
        return Seat([entrant.name for entrant in self.state.entrants].index(name))

    def car(self, name: str) -> Car:
        """The car of a driver."""
        return self.state.cars[self.seat(name)]

    @property
    def turn(self) -> Turn:
        """The running turn."""
        assert self.state.turn is not None, "no turn is running"
        return self.state.turn

    @property
    def driver(self) -> str:
        """The name of the driver on turn."""
        return self.state.entrants[self.turn.seat].name

    @property
    def phase(self) -> str:
        """What the driver on turn has to decide."""
        return self.turn.phase

    @property
    def order(self) -> list[str]:
        """The order of the running round, by name."""
        return [self.state.entrants[seat].name for seat in self.state.order]

    def all(self, kind: type[E]) -> list[E]:
        """All events of a class since the position was put up."""
        return [event for event in self.events if isinstance(event, kind)]

    def only(self, kind: type[E]) -> E:
        """The one event of a class; fails when there are none or several."""
        (event,) = self.all(kind)
        return event

    def legal(self, name: str | None = None) -> list[GtAction]:
        """All that the driver (by default the one on turn) may do."""
        return list(GAME.legal(self.state, self.turn.seat if name is None else self.seat(name)))

    def decision(self) -> Decision[GtAction]:
        """The one decision that is owed now."""
        (owed,) = GAME.decisions(self.state)
        return owed

    def spaces(self) -> set[str]:
        """The spaces that are offered for the next step."""
        return {action.space for action in self.legal() if isinstance(action, ChooseSpace)}

    def dice_for(self, space: str) -> list[str]:
        """The sets of dice that are offered for a step to that space, in their order; empty where there is none."""
        if ChooseSpace(self.turn.seat, space) not in self.legal():
            return []
        aimed, _ = GAME.apply(self.state, ChooseSpace(self.turn.seat, space))
        assert aimed.turn is not None
        if aimed.turn.phase != "dice":
            return [aimed.turn.steps[-1].dice]
        return [action.dice for action in GAME.legal(aimed, self.turn.seat) if isinstance(action, LayDice)]

    # --- acting --------------------------------------------------------------------------------------------------

    def do(self, action: type[Action], *words: Any, by: str | None = None) -> tuple[GtEvent, ...]:
        """Play `action(seat, *words)` for the driver on turn (or `by`), and return what happened."""
        seat = self.turn.seat if by is None else self.seat(by)
        self.state, self.last = self._apply(action(seat, *words))  # type: ignore[arg-type]
        self.events += self.last
        self._compare_dice()
        return self.last

    def refused(self, action: type[Action], *words: Any, by: str | None = None) -> str:
        """The code with which `action(seat, *words)` is refused; fails when it is not."""
        seat = self.turn.seat if by is None else self.seat(by)
        try:
            GAME.apply(self.state, action(seat, *words))  # type: ignore[arg-type]
        except Rejected as rejected:
            return rejected.code
        raise AssertionError(f"{action.__name__}{words} was not refused")

    def lay(self, *plan: Planned) -> Table:
        """Lay the steps of a plan one after the other; a certain loss of control is confirmed."""
        for space, dice in plan:
            self.do(ChooseSpace, space)
            if self.phase == "dice":
                self.do(LayDice, dice)
            laid = self.turn.steps[-1]
            if (laid.space, laid.dice) != (space, dice):
                raise Rejected("plan/dice", dice=dice, space=space)
            if self.phase == "confirm":
                self.do(ConfirmLoss)
        return self

    def one_by_one(self, *plan: Planned) -> Table:
        """Lay a plan and fix it; the first step waits to be rolled."""
        self.lay(*plan).do(FinishPlan)
        self.do(OneByOne)
        return self

    def drive(self, *plan: Planned) -> Table:
        """Lay a plan and roll its steps one by one until the driver need not roll any more."""
        seat = self.turn.seat
        self.one_by_one(*plan)
        while self.state.turn is not None and self.turn.seat == seat and self.phase == "roll":
            self.do(Roll)
        return self

    def flat_out(self, *plan: Planned) -> Table:
        """Lay a plan and roll all its dice at once."""
        self.lay(*plan).do(FinishPlan)
        self.do(FlatOut)
        return self

    def default(self) -> GtAction:
        """Play what the clock would play, and return it."""
        action = self.decision().default
        self.do(type(action), *(getattr(action, field) for field in action.__struct_fields__[1:]))
        return action

    def _apply(self, action: GtAction) -> tuple[State, tuple[GtEvent, ...]]:
        state, events = GAME.apply(self.state, action)
        return state, tuple(events)

    def _compare_dice(self) -> None:
        """The dice rolled must be the dice the test wrote down."""
        if self._written is None:
            return
        for event in self.last:
            if isinstance(event, DiceRolled):
                written = [self._written.pop(0).rstrip("!") for _ in event.dice]
                assert [die.die for die in event.dice] == [_DIE_NAMES.get(name, name) for name in written]
