"""Makes the playthroughs anew: `python -m tests.playthroughs.make`, after a change that is meant. Read the difference.

The first line of a file is the command it shows; for a new playthrough write a file with that line alone.
"""

from __future__ import annotations

import io
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path

from engine.__main__ import main as run

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*/*.txt"))
PROMPT = "$ python -m engine "


def played(path: Path) -> str:
    """What the file would hold if it were made now."""
    command = path.read_text("utf-8").splitlines()[0]
    if not command.startswith(PROMPT):
        raise ValueError(f"{path}: the first line must begin with {PROMPT!r}")
    with redirect_stdout(io.StringIO()) as told:
        run(shlex.split(command.removeprefix(PROMPT)))
    return f"{command}\n{told.getvalue()}"


def main() -> None:
    """Write all files."""
    for path in FILES:
        text = played(path)
        changed = text != path.read_text("utf-8")
        path.write_text(text, "utf-8")
        sys.stdout.write(f"{path.relative_to(FOLDER)}: {'CHANGED' if changed else 'as before'}\n")


if __name__ == "__main__":
    main()
