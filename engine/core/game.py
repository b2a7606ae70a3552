"""What a game is: six functions over frozen values, and a description of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar

from engine.core.model import Action, Event, Seat, Value

Stage = Literal["alpha", "beta", "production"]


class Entrant(Value, frozen=True):
    """Who takes a seat: shown name, colour, the car (or team) he chose, and who drives."""

    name: str
    colour: str = ""
    car: str = ""
    driver: str = "human"


O_co = TypeVar("O_co", bound=Value, covariant=True)


class Setup(Value, Generic[O_co], frozen=True):
    """All that a race starts from; with the actions it determines everything."""

    track: str
    options: O_co
    entrants: tuple[Entrant, ...]
    seed: bytes
    host: Seat = Seat(0)


A_co = TypeVar("A_co", bound=Action, covariant=True)


class Decision(Value, Generic[A_co], frozen=True):
    """What one seat owes. `default` is played when its clock runs out, so no race can stall.

    Small choices that belong together (laying out a plan) name the same `clock`: they share one deadline, and the
    clock plays default after default until no decision with that name is left.
    """

    seat: Seat
    kind: str
    default: A_co
    clock: str
    # The answer stays hidden until all seats that owe it have answered.
    sealed: bool = False
    # Asked in another driver's turn; such questions get the short clock.
    interrupts: bool = False


class Place(Value, frozen=True):
    """One line of the classification. `score` is what the game counts (seconds, points); 0 where it counts none."""

    seat: Seat
    place: int
    status: Literal["finished", "racing", "retired"]
    score: int = 0


class Result(Value, frozen=True):
    """The classification, best first. `way` names how the race ended."""

    places: tuple[Place, ...]
    way: str


class Meta(Value, frozen=True):
    """A game's description of itself."""

    id: str
    title: str
    plays_by: str
    min_seats: int
    max_seats: int
    stage: Stage
    rules_version: int
    options: type[Value]
    presets: Mapping[str, Mapping[str, Any]]
    default_track: str


class Types(Value, frozen=True):
    """The classes a game stores: what to decode its bytes into."""

    state: Any
    action: Any
    event: Any
    view: Any


S = TypeVar("S", bound=Value)
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
E_co = TypeVar("E_co", bound=Event, covariant=True)
V_co = TypeVar("V_co", bound=Value, covariant=True)


class Game(Protocol[S, A, E_co, V_co]):
    """The contract. All functions are pure; `apply` and `new` raise `Rejected` and leave everything as it was."""

    @property
    def meta(self) -> Meta: ...

    @property
    def types(self) -> Types: ...

    def track_hash(self, track: str, options: Any) -> str:
        """The fingerprint of the track as it is raced; raises `TrackError` for a track that cannot be."""
        ...

    def new(self, setup: Setup[Any]) -> tuple[S, Sequence[E_co]]: ...

    def decisions(self, state: S) -> Sequence[Decision[A]]:
        """Who owes what, now. Empty exactly when there is a result."""
        ...

    def legal(self, state: S, seat: Seat) -> Sequence[A]:
        """Every action the seat may take now, in a fixed order, never more than 25."""
        ...

    def apply(self, state: S, action: A) -> tuple[S, Sequence[E_co]]: ...

    def view(self, state: S, seat: Seat | None) -> V_co:
        """All that the seat (None: a spectator) may know."""
        ...

    def result(self, state: S) -> Result | None:
        """None while the race runs."""
        ...


AnyGame = Game[Any, Any, Any, Any]
