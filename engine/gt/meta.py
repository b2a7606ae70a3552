"""What GT Circuit is called, who can play it, and what can be agreed before a race (section "Options")."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engine.core.game import Meta
from engine.core.model import Value

Tyre = Literal["asphalt", "rain", "soft"]
Weather = Literal["dry", "wet"]

COLOURS = ("blue", "red", "yellow", "green", "orange", "purple")

Laps = Annotated[int, msgspec.Meta(ge=1, le=5)]


class Options(Value, frozen=True, kw_only=True):
    """Everything that can be agreed before the start; the circuit itself is the race's track."""

    # None: as the circuit code says ("-x2"), else 1.
    laps: Laps | None = None
    stock: Literal["box", "free"] = "box"
    reverse: bool = False
    grid: Literal["draw", "choose", "given"] = "draw"
    # The order for grid = "given", pole first; empty means the order of the seats.
    grid_order: tuple[int, ...] = ()
    weather_start: Literal["dry", "wet", "random"] = "dry"
    # One tyre type for everyone, or each driver's own sealed choice.
    tyre_choice: Literal["asphalt", "rain", "soft", "free"] = "asphalt"
    # None: on in company, off when driving alone.
    weather_changes: bool | None = None
    flying_start: bool = False
    red_zone: bool = False
    # None: on in company, off when driving alone.
    pit_stops: bool | None = None
    pit_tyres: Literal["entry", "exit"] = "entry"
    continue_places: Literal["first", "podium", "all"] = "all"
    car_class: Literal["GT6", "GT6 BOP", "GT5", "GT5 BOP", "GT4", "mixed"] = msgspec.field(default="GT6", name="class")
    soft_tyres: bool = False
    limit_profile: Literal["balanced", "strict", "flat"] = "balanced"
    deliberate_loc: bool = True
    merge_moves: bool = True
    double_inner_strict: bool = False
    replan: bool = False
    finish_in_control: bool = False
    ask_side: bool = False
    solo_00: Literal[30, 120] = 30


META = Meta(
    id="gt",
    title="GT Circuit",
    plays_by="Rallyman: GT",
    min_seats=1,
    max_seats=6,
    stage="beta",
    rules_version=1,
    options=Options,
    presets={
        "standard": {},
        "first race": {"weather_changes": False},
        "advanced": {"tyre_choice": "free", "weather_start": "random", "flying_start": True, "red_zone": True},
        "solo": {"pit_stops": False, "weather_changes": False},
        "solo challenge": {"pit_stops": False, "weather_changes": False},
    },
    default_track="C2",
)

# The preset for a first race is also a circuit: the short oval.
PRESET_TRACKS = {"first race": "C0"}
