"""Who plays when, and who is ahead (rulebook: rounds and turn order)."""

from __future__ import annotations

from engine.core.model import Seat
from engine.gt.circuit import Circuit
from engine.gt.state import Car, State, road


def distance(circuit: Circuit, car: Car) -> int:
    """How far a car is along the race, in ticks; laps count (GT-ORDER-4)."""
    return circuit.progress(car.space, car.crossings)


def playing_order(state: State) -> tuple[Seat, ...]:
    """The order of a round that starts now (GT-ORDER-1 to 6)."""
    circuit = road(state)

    def key(seat: Seat) -> tuple[int, ...]:
        car = state.cars[seat]
        if car.where == "road":
            return (0, -car.gear, -distance(circuit, car), circuit.spaces[car.space].inside_rank)
        return (1, -car.gear, car.left_at, 0)

    return tuple(sorted(_racing(state), key=key))


def running_order(state: State) -> tuple[Seat, ...]:
    """The cars still racing, the one furthest ahead first (GT-RUL-12)."""
    circuit = road(state)

    def key(seat: Seat) -> tuple[int, ...]:
        car = state.cars[seat]
        return (-distance(circuit, car), circuit.spaces[car.space].inside_rank, seat)

    return tuple(sorted(_racing(state), key=key))


def classification(state: State) -> tuple[Seat, ...]:
    """Finishers in order of crossing, then those racing, then the retired, the last to retire first."""
    return (*state.finished, *running_order(state), *reversed(state.retired))


def _racing(state: State) -> list[Seat]:
    return [Seat(seat) for seat, car in enumerate(state.cars) if car.racing]
