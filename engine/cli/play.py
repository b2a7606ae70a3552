"""`play` and `solo`: a race in the terminal, told as it happens."""

from __future__ import annotations

import os
from argparse import Namespace
from datetime import date
from pathlib import Path
from typing import Any

from engine.cli.gt_text import sheet_lines
from engine.cli.table import HUMAN, drive_on, entrants_for, open_race, print_line, tell_new, track_for
from engine.cli.text import text_of
from engine.core.errors import BadInput
from engine.core.game import AnyGame
from engine.core.log import Race, encode_record
from engine.core.registry import find_game
from engine.gt.solo import sheet
from engine.gt.solo_log import log_of


def play(arguments: Namespace) -> int:
    """Play one race from start to finish and tell it."""
    return _race(arguments, find_game(arguments.game), arguments.seats.split(","), arguments.preset)


def solo(arguments: Namespace) -> int:
    """One driver against the clock, with the score sheet at the end."""
    return _race(arguments, find_game("gt"), [arguments.driver], "solo")


def _race(arguments: Namespace, game: AnyGame, seats: list[str], preset: str) -> int:
    if arguments.record:
        _check_writable(Path(arguments.record))
    track = track_for(game, arguments.circuit, preset)
    race = open_race(game, track, entrants_for(game, seats), preset, arguments.set, arguments.seed)
    print_line(f"{game.meta.title} on {track}. Commitment to the dice: {race.header.commitment}")
    finished = _run(race, quiet=arguments.quiet)
    if finished is None:
        return 1
    _conclude(finished, arguments.record)
    return 0


def _check_writable(path: Path) -> None:
    """Before the race: whoever has driven it wants to keep it."""
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(str(path), "", "a record cannot be written there; choose a file in a folder of yours")


def _run(race: Race[Any, Any, Any, Any], *, quiet: bool) -> Race[Any, Any, Any, Any] | None:
    # Imported here: only a person at the keyboard needs it.
    from engine.cli.ask import ask_driver

    told = -1
    human = any(entrant.driver == HUMAN for entrant in race.header.entrants)
    while True:
        if not quiet or human:
            tell_new(race, told, print_line)
        told = race.number
        if race.game.result(race.state) is not None:
            return race
        after = drive_on(race, ask_driver)
        if after is None:
            print_line("You left the race.")
            return None
        race = after


def _conclude(race: Race[Any, Any, Any, Any], record: str | None) -> None:
    result = race.game.result(race.state)
    assert result is not None, "the race is over"
    print_line("")
    for line in text_of(race.game.meta.id).result_lines(result, race.state.entrants):
        print_line(line)
    if result.way == "solo":
        for line in sheet_lines(sheet(race.state, date.today().isoformat())):
            print_line(line)
        print_line(f"log: {log_of(race)}")
    print_line(f"Seed: {race.setup.seed.hex()} ({race.number} entries)")
    if record:
        try:
            Path(record).write_bytes(encode_record(race, reveal=True))
        except OSError as error:
            raise BadInput(record, "", f"cannot be written: {error.strerror}") from None
        print_line(f"Record written to {record}; check it with: python -m engine verify {record}")
