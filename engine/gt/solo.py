"""Driving alone against the clock: the score sheet (rulebook: solo mode)."""

from __future__ import annotations

from engine.core.model import Value
from engine.gt.meta import Tyre, Weather
from engine.gt.state import State, Tick, road

# The printed sheet; a race may take longer (GT-SOLO-4).
COLUMNS = 12


class Sheet(Value, frozen=True):
    """The score sheet: what was driven, a tick per turn, and the sums (GT-SOLO-3 to 9)."""

    circuit: str
    driver: str
    car_class: str
    tyres: Tyre
    weather: Weather
    ticks: tuple[Tick, ...]
    driving_time: int
    credit: int
    total: int
    finished: bool
    date: str = ""


def driving_time(ticks: tuple[Tick, ...]) -> int:
    """GT-SOLO-6: the seconds of all ticks."""
    return sum(tick.seconds for tick in ticks)


def total_time(ticks: tuple[Tick, ...], focus: int) -> int:
    """GT-SOLO-7: one second credit per focus token left."""
    return driving_time(ticks) - focus


def sheet(state: State, date: str = "") -> Sheet:
    """The sheet of a solo race so far."""
    car = state.cars[0]
    circuit = road(state)
    return Sheet(
        circuit=circuit.id or circuit.code,
        driver=state.entrants[0].name,
        car_class=car.car_class,
        tyres=car.tyres,
        weather=state.ticks[0].weather if state.ticks else state.weather,
        ticks=state.ticks,
        driving_time=driving_time(state.ticks),
        credit=car.focus,
        total=total_time(state.ticks, car.focus),
        finished=bool(state.finished),
        date=date,
    )


def clock_time(seconds: int) -> str:
    """97 -> `1:37`."""
    sign = "-" if seconds < 0 else ""
    return f"{sign}{abs(seconds) // 60}:{abs(seconds) % 60:02d}"
