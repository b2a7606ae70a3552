"""What a driver can ask for. Planning is cut into small choices, so no list is longer than 25."""

from __future__ import annotations

from typing import ClassVar

from engine.core.model import Action, SpaceId
from engine.gt.dice import DiceSet
from engine.gt.material import Gear
from engine.gt.meta import Tyre
from engine.gt.state import Lane, Side


class ChooseTyres(Action, frozen=True, gc=False):
    """Tyres for the start, sealed until everyone has chosen (GT-ADV-2)."""

    tyres: Tyre
    secret: ClassVar[str] = "tyres_revealed"


class ChooseGrid(Action, frozen=True, gc=False):
    """A free place on the grid (option grid = choose)."""

    space: SpaceId


class ChooseSpace(Action, frozen=True, gc=False):
    """The next space of the plan."""

    space: SpaceId
    secret: ClassVar[str] = "never"


class LayDice(Action, frozen=True, gc=False):
    """The dice for the space just chosen."""

    dice: DiceSet
    secret: ClassVar[str] = "never"


class ConfirmLoss(Action, frozen=True, gc=False):
    """Drive anyway, although control is certain to be lost on the step just laid (GT-RUL-3)."""

    secret: ClassVar[str] = "never"


class TakeBack(Action, frozen=True, gc=False):
    """Take the last planning choice back: nothing has been rolled for it."""

    secret: ClassVar[str] = "never"


class FinishPlan(Action, frozen=True, gc=False):
    """The plan is done."""

    secret: ClassVar[str] = "never"


class OneByOne(Action, frozen=True, gc=False):
    """Fix the plan and roll step by step (GT-ROLL-1)."""


class FlatOut(Action, frozen=True, gc=False):
    """Fix the plan and roll all its dice at once (GT-FLAT-1)."""


class Roll(Action, frozen=True, gc=False):
    """Roll the next step."""


class Secure(Action, frozen=True, gc=False):
    """Pay focus and make the next step without rolling (GT-FOCUS-3)."""


class Stop(Action, frozen=True, gc=False):
    """End the movement here (GT-ROLL-5)."""


class Replan(Action, frozen=True, gc=False):
    """Plan the steps not yet rolled anew (GT-ROLL-7, option replan)."""


class LoseControlAt(Action, frozen=True, gc=False):
    """Lay the dice of a failed flat-out roll out again so that control is lost on that space (GT-FLAT-4)."""

    space: SpaceId


class LoseControlIn(Action, frozen=True, gc=False):
    """... and in that gear, where several are possible."""

    gear: Gear


class ChooseSide(Action, frozen=True, gc=False):
    """Off which side of the road the car goes (GT-LOC-7)."""

    side: Side


class PitStop(Action, frozen=True, gc=False):
    """Drive into a lane of the pits (GT-PIT-2)."""

    lane: Lane


class StayOut(Action, frozen=True, gc=False):
    """No pit stop."""


class FitTyres(Action, frozen=True, gc=False):
    """The tyres to fit in the pits; the present ones mean: keep them."""

    tyres: Tyre


class Retire(Action, frozen=True, gc=False):
    """Leave the race (between turns)."""


class StopRace(Action, frozen=True, gc=False):
    """The host ends the race after the first car has finished."""


GtAction = (
    ChooseTyres
    | ChooseGrid
    | ChooseSpace
    | LayDice
    | ConfirmLoss
    | TakeBack
    | FinishPlan
    | OneByOne
    | FlatOut
    | Roll
    | Secure
    | Stop
    | Replan
    | LoseControlAt
    | LoseControlIn
    | ChooseSide
    | PitStop
    | StayOut
    | FitTyres
    | Retire
    | StopRace
)
