"""`verify`: replay a record and check every roll against the commitment."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from engine.cli.table import print_line, tell_new
from engine.cli.text import text_of
from engine.core.errors import RecordError
from engine.core.log import decode_record, replay


def verify(arguments: Namespace) -> int:
    """Check one or more records; a wrong one stops with the first entry that does not fit."""
    for name in arguments.record:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise RecordError(name, "", f"cannot be read: {error.strerror}") from None
        race = replay(decode_record(data, name))
        result = race.game.result(race.state)
        if arguments.tell:
            tell_new(race, -1, print_line)
        print_line(f"{name}: {race.number} entries replayed, every roll is as promised ({race.header.commitment})")
        if result is None:
            print_line("the race is not over yet")
            continue
        for line in text_of(race.game.meta.id).result_lines(result, race.state.entrants):
            print_line(line)
    return 0
