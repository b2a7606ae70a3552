"""Reading the data files of every game, with messages that say which file, where in it, and why."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.core.errors import TrackError
from engine.core.model import canonical_json

T = TypeVar("T")

DATA_VARIABLE = "RACE_CONTROL_DATA"


def data_folder() -> Path:
    """The folder named by the environment, or `data/` beside the `engine` package."""
    chosen = os.environ.get(DATA_VARIABLE, "")
    return Path(chosen) if chosen else Path(__file__).resolve().parents[2] / "data"


# Functions look this name up when they are called, so a test may point it at another folder.
DATA: Path = data_folder()

# msgspec appends the place of a wrong value to its message: "Expected `int` - at `$.blocks[1]`".
_AT_PLACE = re.compile(r"^(?P<reason>.*) - at `(?P<place>[^`]*)`$", re.DOTALL)


def load_json(path: Path | str, type: type[T]) -> T:
    """Read the file (relative paths start at `DATA`) as a value of `type`; every failure is a `TrackError`."""
    source = source_name(path)
    try:
        text = (DATA / path).read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise TrackError(source, "", "there is no such file") from None
    except OSError as error:
        raise TrackError(source, "", f"the file cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TrackError(source, f"byte {error.start}", "the file is not UTF-8") from error
    try:
        return msgspec.json.decode(text, type=type)
    except msgspec.ValidationError as error:
        raise _wrong_value(source, "", error) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise TrackError(source, "$", str(error)) from error


def convert_value(value: Any, type: type[T], *, source: str, part: str) -> T:
    """Turn a decoded piece of a file into a `type`; `part` names the piece in the message of a failure."""
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        raise _wrong_value(source, part, error) from error


def source_name(path: Path | str) -> str:
    """How messages call a data file: its path within `DATA`."""
    full = DATA / path
    return full.relative_to(DATA).as_posix() if full.is_relative_to(DATA) else full.name


def track_ids(game: str) -> tuple[str, ...]:
    """The ids of all tracks of a game, sorted."""
    return tuple(sorted(path.stem for path in (DATA / "tracks" / game).glob("*.json")))


def content_hash(value: Any) -> str:
    """What a race record notes about a track, so that a changed track is noticed."""
    return sha256(canonical_json(value)).hexdigest()


def _wrong_value(source: str, part: str, error: msgspec.ValidationError) -> TrackError:
    found = _AT_PLACE.match(str(error))
    place, reason = (found["place"], found["reason"]) if found else ("$", str(error))
    return TrackError(source, f"{part} {place}".strip(), reason)
