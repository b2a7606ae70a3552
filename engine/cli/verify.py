"""`verify`: replay a record and check every roll against the commitment."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from engine.cli.table import print_line, tell_new
from engine.cli.text import text_of
from engine.core.errors import RecordError
from engine.core.log import decode_record, replay

EXIT_WRONG = 1


def verify(arguments: Namespace) -> int:
    """Check records: 0 if all are right, 1 if one is not (its first wrong entry is named)."""
    wrong = 0
    for name in arguments.record:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise RecordError(name, "", f"cannot be read: {error.strerror}") from None
        record = decode_record(data, name)
        try:
            race = replay(record)
        except RecordError as error:
            sys.stderr.write(f"error: {error}\n")
            wrong += 1
            continue
        result = race.game.result(race.state)
        if arguments.tell:
            tell_new(race, -1, print_line)
        print_line(f"{name}: {race.number} entries replayed, every roll is as promised ({race.header.commitment})")
        if result is None:
            print_line("the race is not over yet")
            continue
        for line in text_of(race.game.meta.id).result_lines(result, race.state.entrants):
            print_line(line)
    return EXIT_WRONG if wrong else 0
