"""What a scenario file says, and reading it with messages that name file, place and reason (docs/scenarios.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import field

from engine.core.errors import BadInput, ScenarioError
from engine.core.game import AnyGame
from engine.core.model import Value
from engine.core.registry import find_game
from engine.core.tables import Table, join, read_table, unknown, written

# No file needs more, and whoever walks through the tables may do so without fear of the stack.
MAX_DEPTH = 20


# --- what a file says ---------------------------------------------------------------------------------------------


class Given(Value, frozen=True):
    """What a scenario starts from. Options, state and chance are read by the game."""

    track: str
    options: dict[str, Any] = field(default_factory=dict)
    # A position in the middle of a race; None: a fresh race of these drivers.
    state: dict[str, Any] | None = None
    drivers: tuple[str, ...] = ()
    chance: dict[str, Any] = field(default_factory=dict)


class Changes(Value, frozen=True):
    """Set up anew, with these changes: tables are merged, everything else is replaced."""

    track: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    drivers: tuple[str, ...] | None = None
    chance: dict[str, Any] = field(default_factory=dict)


class Do(Value, frozen=True):
    """One step: something is played, then everything the step expects is looked at."""

    given: Changes | None = None
    by: str = ""
    play: str | None = None
    rejected: str = ""
    events: tuple[dict[str, Any], ...] = ()
    no_events: tuple[str, ...] = ()
    legal: tuple[str | dict[str, Any], ...] | None = None
    legal_includes: tuple[str | dict[str, Any], ...] = ()
    legal_excludes: tuple[str | dict[str, Any], ...] = ()
    expect: dict[str, Any] = field(default_factory=dict)

    @property
    def asks_legal(self) -> bool:
        """Whether the step says anything about what is legal."""
        return self.legal is not None or bool(self.legal_includes or self.legal_excludes)

    def legal_lists(self) -> dict[str, tuple[str | dict[str, Any], ...]]:
        """What the step says about it, by key."""
        return {
            "legal": self.legal or (),
            "legal_includes": self.legal_includes,
            "legal_excludes": self.legal_excludes,
        }


class Scenario(Value, frozen=True):
    """A whole file."""

    title: str
    game: str
    track: str
    rules: tuple[str, ...]
    source: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] | None = None
    drivers: tuple[str, ...] = ()
    chance: dict[str, Any] = field(default_factory=dict)
    do: tuple[Do, ...] = ()
    expect: dict[str, Any] = field(default_factory=dict)

    def given(self) -> Given:
        """What the file starts from."""
        return Given(self.track, self.options, self.state, self.drivers, self.chance)


# --- reading ------------------------------------------------------------------------------------------------------


def load_scenario(path: Path | str) -> Scenario:
    """Read a file; `ScenarioError` says which file, where in it, and why."""
    try:
        scenario = read_table(_read_toml(Path(path)), Scenario)
        game = game_of(scenario.game)
        _check_file(scenario)
        for number, step in enumerate(scenario.do, 1):
            _check_step(step, game, f"do[{number}]")
            _check_given(step, scenario, f"do[{number}].given")
    except ScenarioError as error:
        raise ScenarioError(str(path), error.place, error.reason) from None
    return scenario


def game_of(game_id: str) -> AnyGame:
    """The game a file names."""
    try:
        return find_game(game_id)
    except BadInput as error:
        raise ScenarioError("", "game", error.reason) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ScenarioError("", "", "there is no such file") from None
    except OSError as error:
        raise ScenarioError("", "", f"the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ScenarioError("", f"byte {error.start + 1}", "the file is not UTF-8") from None
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ScenarioError("", "", "the file is nested too deeply") from None
    except ValueError as error:
        reason, _, place = str(error).removesuffix(")").partition(" (at ")
        raise ScenarioError("", place.replace("end of document", f"line {len(text.splitlines())}"), reason) from None
    _check_depth(data)
    return data


def _check_depth(data: dict[str, Any]) -> None:
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        level = [part for value in level for part in (value.values() if isinstance(value, dict) else value)]
        level = [part for part in level if isinstance(part, dict | list)]
        if not level:
            return
    raise ScenarioError("", "", "the file is nested too deeply")


def _check_file(scenario: Scenario) -> None:
    if (scenario.state is None) == (not scenario.drivers):
        raise ScenarioError("", "state", "give either a [state] or, for a fresh race, drivers = [...]")
    if not scenario.title.strip():
        raise ScenarioError("", "title", "the title is empty")
    if not scenario.do and not scenario.expect:
        raise ScenarioError("", "", "nothing is played and nothing is expected")


def _check_step(step: Do, game: AnyGame, place: str) -> None:
    if (step.play is not None or step.asks_legal) and not step.by:
        raise ScenarioError("", join(place, "by"), "whose step is it? give the driver's name")
    if step.rejected and step.play is None:
        raise ScenarioError("", join(place, "rejected"), "nothing is played that could be rejected")
    if step.rejected and (step.events or step.no_events):
        raise ScenarioError("", join(place, "events"), "what is rejected has no events")
    for number, event in enumerate(step.events, 1):
        _check_tagged(event, "event", game.types.event, f"{place}.events[{number}]")
    for number, tag in enumerate(step.no_events, 1):
        _check_tagged({"event": tag}, "event", game.types.event, f"{place}.no_events[{number}]")
    for key, actions in step.legal_lists().items():
        for number, action in enumerate(actions, 1):
            if isinstance(action, Mapping):
                _check_tagged(action, "do", game.types.action, f"{place}.{key}[{number}]")


def _check_given(step: Do, scenario: Scenario, place: str) -> None:
    changes = step.given
    if changes is not None and (changes.state if scenario.state is None else changes.drivers is not None):
        kind = "fresh race with drivers" if scenario.state is None else "position with a state"
        raise ScenarioError("", place, f"this file starts from a {kind}; the other kind needs a file of its own")


def _check_tagged(table: Table, tag_field: str, union: Any, place: str) -> None:
    """The table names an event (or action) of the game, and only fields that it has."""
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(union) or (union,)}
    tag = table.get(tag_field)
    if not isinstance(tag, str) or tag not in kinds:
        what = f"{written(tag)} is none; there are" if tag_field in table else "it is missing; there are"
        raise ScenarioError("", join(place, tag_field), f"{what}: {', '.join(kinds)}")
    known = [tag_field, *(known_field.encode_name for known_field in msgspec.structs.fields(kinds[tag]))]
    for key in table:
        if key not in known:
            raise unknown(join(place, key), known)
