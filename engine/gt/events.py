"""What happened in a GT race. Texts, pictures, replays and statistics are made of these and of views."""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.core.model import Event, Seat, SpaceId
from engine.gt.material import Gear, Level, Token
from engine.gt.meta import Tyre, Weather
from engine.gt.state import Colour, Lane, PlanStep, RolledDie, Side


class GridDrawn(Event, frozen=True, gc=False):
    """The starting order, pole first; the places where the cars already stand on them."""

    order: tuple[Seat, ...]
    spaces: tuple[SpaceId, ...] = ()
    reveals: ClassVar[bool] = True


class WeatherSet(Event, frozen=True, gc=False):
    """The weather at the start."""

    weather: Weather
    reveals: ClassVar[bool] = True


class TyresSealed(Event, frozen=True, gc=False):
    """A driver has chosen his tyres; nobody else knows which."""

    seat: Seat


class TyresRevealed(Event, frozen=True, gc=False):
    """All have chosen: the tyres by seat."""

    tyres: tuple[Tyre, ...]
    reveals: ClassVar[bool] = True


class GridChosen(Event, frozen=True, gc=False):
    """A driver has taken his place on the grid."""

    seat: Seat
    space: SpaceId


class RoundStarted(Event, frozen=True, gc=False):
    """A new round and its order."""

    number: int
    colour: Colour
    order: tuple[Seat, ...]


class TurnStarted(Event, frozen=True, gc=False):
    """A driver's turn begins."""

    seat: Seat
    gear: Gear


class CarReturned(Event, frozen=True, gc=False):
    """A car is put back on the road."""

    seat: Seat
    space: SpaceId
    source: Literal["verge", "pits"]


class CarWaited(Event, frozen=True, gc=False):
    """The space is taken: the car waits, the turn is lost."""

    seat: Seat
    space: SpaceId
    source: Literal["verge", "pits"]


class PitWorkDone(Event, frozen=True, gc=False):
    """The marker of a car in the pits changes from 00 to 0; the car stays there for this turn."""

    seat: Seat


class FlagsLifted(Event, frozen=True, gc=False):
    """A driver's own yellow flags are taken off the road."""

    seat: Seat
    tiles: tuple[int, ...]


class Blocked(Event, frozen=True, gc=False):
    """Other cars leave no way on: the turn ends here."""

    seat: Seat
    space: SpaceId
    gear: Gear


class NoDiceLeft(Event, frozen=True, gc=False):
    """Damage has left no legal die: the turn passes. `returned` is the token that goes back instead of a pit stop."""

    seat: Seat
    returned: Token | None = None


class StepLaid(Event, frozen=True, gc=False):
    """A step was added to the plan. Only its driver sees it."""

    seat: Seat
    step: PlanStep


class StepTakenBack(Event, frozen=True, gc=False):
    """The last step was taken off the plan. Only its driver sees it."""

    seat: Seat


class PlanFixed(Event, frozen=True, gc=False):
    """The plan, now that everybody may see it."""

    seat: Seat
    mode: Literal["one by one", "flat out"]
    start: SpaceId
    steps: tuple[PlanStep, ...]


class DiceRolled(Event, frozen=True, gc=False):
    """Dice on the table. `hazards` is the sum of the turn, spaces and lines included."""

    seat: Seat
    dice: tuple[RolledDie, ...]
    hazards: int
    reveals: ClassVar[bool] = True


class DiceSecured(Event, frozen=True, gc=False):
    """A step was made safe."""

    seat: Seat
    dice: tuple[str, ...]
    cost: int


class CarMoved(Event, frozen=True, gc=False):
    """A car made one step."""

    seat: Seat
    source: SpaceId
    target: SpaceId
    gear: Gear
    # Hazards of the turn after this step.
    hazards: int


class LineCrossed(Event, frozen=True, gc=False):
    """A car crossed the start/finish line and begins that lap."""

    seat: Seat
    lap: int


class DriverStopped(Event, frozen=True, gc=False):
    """The driver leaves the rest of his plan unrolled."""

    seat: Seat


class PlanReopened(Event, frozen=True, gc=False):
    """The driver plans the rest of his turn anew."""

    seat: Seat


class FocusGained(Event, frozen=True, gc=False):
    """Focus earned flat out."""

    seat: Seat
    tokens: int


class FlyingStartFailed(Event, frozen=True, gc=False):
    """Gear die 2 showed a hazard: one space, gear 2, turn over."""

    seat: Seat


class FlatOutFailed(Event, frozen=True, gc=False):
    """Too many hazards, or too fast: the dice are laid out again."""

    seat: Seat


class DiceLaidOutAgain(Event, frozen=True, gc=False):
    """The layout the driver chose; control is lost on its last step."""

    seat: Seat
    steps: tuple[PlanStep, ...]


class ControlLost(Event, frozen=True, gc=False):
    """Loss of control: where, how fast, and what the table says."""

    seat: Seat
    space: SpaceId
    gear: Gear
    level: Level
    cause: Literal["hazards", "speed", "both"]
    new_gear: Gear
    tokens: int


class TokensDrawn(Event, frozen=True, gc=False):
    """Damage tokens out of the bag, in the order drawn; `put_aside` weather tokens were replaced (GT-ADV-3)."""

    seat: Seat
    tokens: tuple[Token, ...]
    put_aside: int = 0
    reveals: ClassVar[bool] = True


class WeatherChanged(Event, frozen=True, gc=False):
    """The weather is another one, for everybody."""

    weather: Weather


class YellowFlag(Event, frozen=True, gc=False):
    """Yellow flags lie on a tile."""

    seat: Seat
    tile: int
    flags: int


class LeftRoad(Event, frozen=True, gc=False):
    """A car stands beside the road."""

    seat: Seat
    side: Side


class PitEntered(Event, frozen=True, gc=False):
    """A car went into a lane of the pits."""

    seat: Seat
    lane: Lane
    repaired: int = 0


class TyresFitted(Event, frozen=True, gc=False):
    """A car has other tyres."""

    seat: Seat
    tyres: Tyre


class TurnEnded(Event, frozen=True, gc=False):
    """A turn is over; the marker shows that gear."""

    seat: Seat
    gear: Gear


class BoxTicked(Event, frozen=True, gc=False):
    """One more tick on the solo sheet."""

    seat: Seat
    column: int
    gear: Gear
    seconds: int
    weather: Weather


class CarFinished(Event, frozen=True, gc=False):
    """A car has finished the race."""

    seat: Seat
    place: int


class CarRetired(Event, frozen=True, gc=False):
    """A car left the race."""

    seat: Seat


class RaceEnded(Event, frozen=True, gc=False):
    """The race is over; `order` is the classification."""

    order: tuple[Seat, ...]


GtEvent = (
    GridDrawn
    | WeatherSet
    | TyresSealed
    | TyresRevealed
    | GridChosen
    | RoundStarted
    | TurnStarted
    | CarReturned
    | CarWaited
    | PitWorkDone
    | FlagsLifted
    | Blocked
    | NoDiceLeft
    | StepLaid
    | StepTakenBack
    | PlanFixed
    | DiceRolled
    | DiceSecured
    | CarMoved
    | LineCrossed
    | DriverStopped
    | PlanReopened
    | FocusGained
    | FlyingStartFailed
    | FlatOutFailed
    | DiceLaidOutAgain
    | ControlLost
    | TokensDrawn
    | WeatherChanged
    | YellowFlag
    | LeftRoad
    | PitEntered
    | TyresFitted
    | TurnEnded
    | BoxTicked
    | CarFinished
    | CarRetired
    | RaceEnded
)

Events = list[GtEvent]
