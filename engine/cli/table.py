"""A race in the terminal: set it up, let people and AI drivers play, tell what happens."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from engine.cli.text import text_of
from engine.core.driver import drivers_of
from engine.core.errors import BadInput, Rejected
from engine.core.game import AnyGame, Entrant, Setup
from engine.core.log import Race, start_race
from engine.core.model import Seat, visible
from engine.core.options import make_options, parse_settings
from engine.core.rng import SEED_BYTES
from engine.gt.meta import PRESET_TRACKS

HUMAN = "human"

Ask = Callable[[Race[Any, Any, Any, Any], Seat], Race[Any, Any, Any, Any] | None]


def seed_from(number: int | None) -> bytes:
    """The seed that belongs to a number, or a fresh one nobody knows."""
    if number is None:
        return os.urandom(SEED_BYTES)
    return sha256(f"race-control/numbered/{number}".encode()).digest()[:SEED_BYTES]


def entrants_for(game: AnyGame, seats: Sequence[str]) -> tuple[Entrant, ...]:
    """Seats as they are typed: the name of an AI driver, or `human` (also `human=Ann`)."""
    strengths = drivers_of(game.meta.id)
    entrants: list[Entrant] = []
    for number, seat in enumerate(seats, 1):
        driver, _, name = seat.partition("=")
        if driver != HUMAN and driver not in strengths:
            known = ", ".join([HUMAN, *strengths])
            raise BadInput("seats", repr(driver), f"no such driver; choose from: {known}")
        entrants.append(Entrant(name or f"{driver.capitalize()} {number}", driver=driver))
    return tuple(entrants)


def track_for(game: AnyGame, circuit: str | None, preset: str) -> str:
    """The track asked for, or the preset's own, or the game's."""
    return circuit or PRESET_TRACKS.get(preset) or game.meta.default_track


def open_race(
    game: AnyGame, track: str, entrants: tuple[Entrant, ...], preset: str, settings: list[str], seed: int | None
) -> Race[Any, Any, Any, Any]:
    """Start a race as the command line describes it."""
    options = make_options(game.meta, preset, parse_settings(game.meta, settings))
    try:
        return start_race(game, Setup(track, options, entrants, seed_from(seed)))
    except Rejected as error:
        raise BadInput("race", "", text_of(game.meta.id).explain(error)) from None


def drive_on(race: Race[Any, Any, Any, Any], ask: Ask | None = None) -> Race[Any, Any, Any, Any] | None:
    """One more action; None when the person at the keyboard has left."""
    game = race.game
    decision = game.decisions(race.state)[0]
    driver = race.header.entrants[decision.seat].driver
    if driver == HUMAN and ask is not None:
        return ask(race, decision.seat)
    chosen = drivers_of(game.meta.id)[driver].choose(game.view(race.state, decision.seat), decision.seat)
    return race.act(chosen, "ai")


def tell_new(race: Race[Any, Any, Any, Any], since: int, out: Callable[[str], None], seat: Seat | None = None) -> None:
    """Tell the events of all entries after number `since`; at -1 those of the start too."""
    tell = text_of(race.game.meta.id).tell
    entrants = race.state.entrants
    told = list(race.events) if since < 0 else []
    for entry in race.entries[max(since, 0) :]:
        told += entry.events
    for event in visible(told, seat):
        line = tell(event, entrants)
        if line is not None:
            out(line)


def print_line(line: str) -> None:
    """To the terminal, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
