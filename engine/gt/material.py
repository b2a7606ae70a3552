"""What lies in the box: dice, dashboards, tables, tokens. All numbers come from data/gt/material.json."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from engine.core.errors import TrackError
from engine.core.model import Value
from engine.core.track import DATA, load_json
from engine.gt.meta import Tyre, Weather

Gear = int
"""1 to 6 are driven; `STANDING` and `OFF_ROAD` are what the marker shows after losing control or in the pits."""

STANDING: Gear = 0
OFF_ROAD: Gear = -1
"""The gear written 00: beside the road or in the pits. Below 0, as it ranks in the order of play (GT-ORDER-3)."""

Level = Literal["yellow", "orange", "red"]
Token = Literal["gearbox", "brakes", "coasting", "weather", "yellow_flag", "green_flag"]

TOKENS: tuple[Token, ...] = ("gearbox", "brakes", "coasting", "weather", "yellow_flag", "green_flag")

Tokens = tuple[int, int, int, int, int, int]
"""How many tokens of each kind, in the order of `TOKENS`."""

NO_TOKENS: Tokens = (0, 0, 0, 0, 0, 0)


def gear_name(gear: Gear) -> str:
    """A gear as the marker shows it."""
    return "00" if gear == OFF_ROAD else str(gear)


def gear_from_name(name: str) -> Gear:
    """The gear a marker shows."""
    return OFF_ROAD if name == "00" else int(name)


class LossRow(Value, frozen=True):
    """One row of the loss-of-control table: the new gear, and the tokens by danger level."""

    new_gear: Literal["0", "00"]
    yellow: int
    orange: int
    red: int

    def gear(self) -> Gear:
        """The gear the car ends up in."""
        return gear_from_name(self.new_gear)

    def tokens(self, level: Level) -> int:
        """How many damage tokens are drawn on a tile of that danger level."""
        return {"yellow": self.yellow, "orange": self.orange, "red": self.red}[level]


class SoftLimit(Value, frozen=True):
    """Hazard limit of a soft set up to and including its turn `until_turn` (None: for ever)."""

    limit: int
    until_turn: int | None = None


DiceCounts = tuple[int, int, int, int]


class Material(Value, frozen=True):
    """The material file."""

    hazard_faces: dict[str, int]
    classes: dict[str, dict[Tyre, dict[Weather, DiceCounts]]]
    limit_profiles: dict[str, dict[Literal["asphalt", "rain"], dict[Weather, int]]]
    soft_limits: tuple[SoftLimit, ...]
    loss_of_control: dict[str, LossRow]
    damage_bag: dict[Token, int]
    solo_seconds: dict[str, int]


@lru_cache(maxsize=1)
def material() -> Material:
    """The material file, read once and checked."""
    path = DATA / "gt" / "material.json"
    box: Material = load_json(path, Material)
    dice = {"1", "2", "3", "4", "5", "6", "coast", "brake", "boost"}
    checks = (
        ("hazard_faces", set(box.hazard_faces) == dice and all(0 <= n <= 6 for n in box.hazard_faces.values())),
        ("classes", all(set(rows) == {"asphalt", "rain", "soft"} for rows in box.classes.values())),
        ("loss_of_control", set(box.loss_of_control) == {"1", "2", "3", "4", "5", "6"}),
        ("damage_bag", set(box.damage_bag) == set(TOKENS)),
        ("solo_seconds", set(box.solo_seconds) == {"0", "1", "2", "3", "4", "5", "6"}),
        ("soft_limits", bool(box.soft_limits) and box.soft_limits[-1].until_turn is None),
    )
    for place, holds in checks:
        if not holds:
            raise TrackError("gt/material.json", f"$.{place}", "rows are missing or do not belong there")
    return box


class Allowance(Value, frozen=True):
    """What a driver may use this turn: dice by kind, the hazard limit, the top gear of his class."""

    gear: int
    coast: int
    brake: int
    boost: int
    limit: int
    top: Gear


@lru_cache(maxsize=4096)
def allowance(
    car_class: str, tyre: Tyre, weather: Weather, tyre_turn: int, profile: str, gearbox: int, brakes: int, coasting: int
) -> Allowance:
    """The dashboard of class, tyre and weather, less damage (GT-DICE-1, GT-DMG-2 to 4)."""
    gear, coast, brake, boost = material().classes[car_class][tyre][weather]
    return Allowance(
        gear=max(0, gear - gearbox),
        coast=max(0, coast - coasting),
        brake=max(0, brake - brakes),
        boost=boost,
        limit=hazard_limit(tyre, weather, tyre_turn, profile),
        top=gear,
    )


def hazard_limit(tyre: Tyre, weather: Weather, tyre_turn: int, profile: str) -> int:
    """How many hazards in one turn are too many. `tyre_turn` counts the turns of a set from 1."""
    table = material().limit_profiles[profile]
    if tyre != "soft":
        return table[tyre][weather]
    limit = next(row.limit for row in material().soft_limits if row.until_turn is None or tyre_turn <= row.until_turn)
    # Soft tyres in the wet are never better than asphalt tyres.
    return min(limit, table["asphalt"]["wet"]) if weather == "wet" else limit


@lru_cache(maxsize=1)
def full_bag() -> Tokens:
    """The damage bag before the race: all 42 tokens."""
    counts = material().damage_bag
    return tuple(counts[token] for token in TOKENS)  # type: ignore[return-value]


def loss_row(gear: Gear) -> LossRow:
    """The row of the loss-of-control table for the gear in which control is lost."""
    return material().loss_of_control[str(gear)]


def solo_seconds(gear: Gear, seconds_00: int) -> int:
    """What one turn costs on the solo sheet, by the gear at its end."""
    return seconds_00 if gear == OFF_ROAD else material().solo_seconds[str(gear)]


def add_tokens(tokens: Tokens, token: Token, count: int = 1) -> Tokens:
    """The tokens with `count` more of one kind."""
    at = TOKENS.index(token)
    return (*tokens[:at], tokens[at] + count, *tokens[at + 1 :])  # type: ignore[return-value]
