"""`python -m engine`: play, solo, verify, circuit, simulate, scenario."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import NoReturn

from engine.core.errors import BadInput
from engine.core.registry import game_ids

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

EXAMPLES = """examples:
  python -m engine play gt --circuit C2 --seats human=Ann,ace,racer
  python -m engine solo --circuit C2 --driver ace --seed 7
  python -m engine circuit random --tiles 15 --seed 42
  python -m engine simulate gt --circuit C2 --seats ace,racer --races 200
  python -m engine scenario tests/scenarios/gt
"""


class Parser(ArgumentParser):
    """One line about a wrong argument, and where to read on."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_BAD_INPUT, f"error: {message} (see: {self.prog} --help)\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; bad input is told in one line and gives exit status 2."""
    arguments = parser().parse_args(words)
    try:
        return _run(arguments)
    except BadInput as error:
        sys.stderr.write(f"error: {error}\n")
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (`head`, say) has seen enough.
        sys.stderr.close()
        return 0


def _run(arguments: Namespace) -> int:
    # Each command imports only what it needs.
    match arguments.command:
        case "play":
            from engine.cli.play import play

            return play(arguments)
        case "solo":
            from engine.cli.play import solo

            return solo(arguments)
        case "verify":
            from engine.cli.verify import verify

            return verify(arguments)
        case "circuit":
            from engine.cli.circuit import circuit

            return circuit(arguments)
        case "simulate":
            from engine.cli.simulate import simulate

            return simulate(arguments)
        case _:
            from engine.cli.scenario import run

            return run(arguments.file)


def parser() -> Parser:
    """All commands and their arguments."""
    top = Parser(
        prog="python -m engine",
        description="Racing board games in the terminal.",
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True)

    play = commands.add_parser("play", help="play a race and tell it")
    play.add_argument("game", choices=game_ids())
    play.add_argument("--seats", default="human,racer", help="human, careful, racer or ace, by commas; human=NAME")
    play.add_argument("--preset", default="standard")
    _race_arguments(play)

    solo = commands.add_parser("solo", help="drive alone against the clock")
    solo.add_argument("--driver", default="human")
    _race_arguments(solo)

    verify = commands.add_parser("verify", help="replay records and check the dice")
    verify.add_argument("record", nargs="+")
    verify.add_argument("--tell", action="store_true", help="tell the race as well")

    circuit = commands.add_parser("circuit", help="check a circuit code and print facts; `random` makes one")
    circuit.add_argument("code", help="a code (GT1-...), an id (C2) or `random`")
    circuit.add_argument("--tiles", type=int, default=15)
    circuit.add_argument("--seed", type=int)
    circuit.add_argument("--stock", choices=("box", "free"), default="box")
    circuit.add_argument("--reverse", action="store_true", help="driven the other way")

    simulate = commands.add_parser("simulate", help="many races in parallel processes")
    simulate.add_argument("game", choices=game_ids())
    simulate.add_argument("--seats", default="ace,racer")
    simulate.add_argument("--races", type=_positive, default=100)
    simulate.add_argument("--jobs", type=_positive, help="processes (default: all cores)")
    simulate.add_argument("--preset", default="standard")
    _track_arguments(simulate)

    scenario = commands.add_parser("scenario", help="run scenario files")
    scenario.add_argument("file", nargs="+")
    return top


def _race_arguments(command: ArgumentParser) -> None:
    _track_arguments(command)
    command.add_argument("--record", help="write the race record to this file")
    command.add_argument("--quiet", action="store_true", help="only the result")


def _track_arguments(command: ArgumentParser) -> None:
    command.add_argument("--circuit", help="an id (C0 to C8) or a circuit code")
    command.add_argument("--seed", type=int, help="the same number gives the same dice")
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option, e.g. laps=2")


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
