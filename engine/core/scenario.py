"""Scenarios: a position, written chance, what is played and what must come of it (docs/scenarios.md).

A game takes part by a `HOOKS` object in `engine.<game>.scenario`; everything else here is the same for every game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from engine.core.errors import BadInput, NotationError, Rejected, ScenarioError
from engine.core.game import AnyGame
from engine.core.model import Event, Seat, Value, canonical_json, tag_of
from engine.core.rng import ScriptExhausted
from engine.core.scenario_file import Changes, Do, Given, Scenario, game_of, load_scenario
from engine.core.tables import Table, differences, join, listed, written

__all__ = ["Given", "Report", "Scenario", "ScenarioHooks", "load_scenario", "play_scenario", "run_scenario"]


# --- what a game adds ---------------------------------------------------------------------------------------------


class ScenarioHooks(Protocol):
    """What a game lends to its scenarios. Errors carry places as they stand in the file, and no source."""

    def start(self, given: Given) -> tuple[Any, Sequence[Event]]:
        """The state the file describes, and the events up to there; raises `BadInput` or `Rejected`."""
        ...

    def names(self, state: Any) -> Sequence[str]:
        """The drivers by seat."""
        ...

    def play(self, state: Any, seat: Seat, text: str) -> tuple[Any, Sequence[Event], str]:
        """Play a line of the game's notation; also what was left over. Raises `Rejected` or `NotationError`."""
        ...

    def facts(self, state: Any) -> Table:
        """Everything an expectation can be about, as nested tables; "" stands for none."""
        ...

    def word(self, action: Any) -> str:
        """An action as a word of the notation, the same word always."""
        ...

    def is_word(self, word: str) -> bool:
        """Whether `word` could ever give that word for an action: a misspelt one would never be found legal."""
        ...

    def shown(self, state: Any, value: Value) -> Table:
        """An event or action as a file writes it, drivers by name."""
        ...

    def chance_told(self, given: Given, events: Sequence[Event]) -> list[str]:
        """Where the chance of the file is not what the events so far asked for (a coast die for a written gear die)."""
        ...

    def chance_left(self, state: Any) -> list[str]:
        """What is written down and was never asked for."""
        ...


def find_hooks(game_id: str) -> ScenarioHooks:
    """What a game lends to its scenarios. Asked for by name, so that the core does not depend on its games."""
    try:
        return cast("ScenarioHooks", import_module(f"engine.{game_id}.scenario").HOOKS)
    except ModuleNotFoundError as error:
        if error.name != f"engine.{game_id}.scenario":
            raise
        raise ScenarioError("", "game", f"{game_id} takes no part in scenarios yet") from None


# --- running ------------------------------------------------------------------------------------------------------


class Report(Value, frozen=True):
    """How a scenario came out; `differences` are readable lines, empty when it passed."""

    passed: bool
    title: str
    source: str
    differences: list[str]


class Branch(NamedTuple):
    """The steps from one set-up to the next."""

    given: Given
    # Where the set-up stands in the file, "" for the file's own.
    place: str
    steps: list[tuple[str, Do]]


def run_scenario(path: Path | str) -> Report:
    """Play a file. A wrong expectation is reported, a malformed file raises `ScenarioError`."""
    return play_scenario(load_scenario(path), str(path))


def play_scenario(scenario: Scenario, source: str) -> Report:
    """Play a scenario that has been read; `source` is what messages call it."""
    branches = _branches(scenario)
    found: list[str] = []
    try:
        game, hooks = game_of(scenario.game), find_hooks(scenario.game)
        for branch in branches:
            final = scenario.expect if branch is branches[-1] else {}
            found += _drive(branch, game, hooks, final)
    except ScenarioError as error:
        raise ScenarioError(source, error.place, error.reason) from None
    return Report(not found, scenario.title, scenario.source, found)


def _branches(scenario: Scenario) -> list[Branch]:
    branches = [Branch(scenario.given(), "", [])]
    for number, step in enumerate(scenario.do, 1):
        place = f"do[{number}]"
        if step.given is not None:
            branches.append(Branch(_changed(scenario.given(), step.given), join(place, "given"), []))
        branches[-1].steps.append((place, step))
    # A file whose first step is a set-up of its own has nothing to do in between.
    return [branch for branch in branches if branch.steps] or branches


def _changed(given: Given, changes: Changes) -> Given:
    return Given(
        given.track if changes.track is None else changes.track,
        _merged(given.options, changes.options),
        None if given.state is None else _merged(given.state, changes.state),
        given.drivers if changes.drivers is None else changes.drivers,
        _merged(given.chance, changes.chance),
    )


def _merged(table: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = dict(table)
    for key, value in changes.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _drive(branch: Branch, game: AnyGame, hooks: ScenarioHooks, final: Table) -> Iterator[str]:
    """Play the steps of one set-up; what follows a step that could not be played is left out."""
    state, events = _start(branch, hooks)
    happened = list(events)
    for place, step in branch.steps:
        seat = _seat(step, state, hooks, place)
        try:
            state, played = _play(step, state, seat, hooks, place)
        except _NotPlayedError as failure:
            yield failure.line
            return
        happened += played
        told = hooks.chance_told(branch.given, happened)
        if told:
            yield from (f"{place}: {line}" for line in told)
            return
        # What happened while the position was set up belongs to its first step.
        yield from _check_events(step, [hooks.shown(state, event) for event in (*events, *played)], place)
        if step.asks_legal:
            _check_words(step, hooks, place)
            offered = [(hooks.word(action), hooks.shown(state, action)) for action in game.legal(state, seat)]
            yield from _check_legal(step, offered, place)
        if step.expect:
            yield from differences(step.expect, hooks.facts(state), join(place, "expect"))
        events = ()
    if final:
        yield from differences(final, hooks.facts(state), "expect")
    where = branch.steps[-1][0] if branch.steps else "chance"
    yield from (f"{where}: {line}" for line in hooks.chance_left(state))


def _start(branch: Branch, hooks: ScenarioHooks) -> tuple[Any, Sequence[Event]]:
    try:
        return hooks.start(branch.given)
    except ScenarioError as error:
        raise ScenarioError("", join(branch.place, error.place), error.reason) from None
    except (BadInput, Rejected) as error:
        raise ScenarioError("", branch.place, str(error)) from None


class _NotPlayedError(Exception):
    """A step came out so differently that what follows means nothing."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


def _play(step: Do, state: Any, seat: Seat, hooks: ScenarioHooks, place: str) -> tuple[Any, Sequence[Event]]:
    if step.play is None:
        return state, ()
    before = canonical_json(state)
    try:
        after, events, unused = hooks.play(state, seat, step.play)
    except NotationError as error:
        raise ScenarioError("", join(place, "play"), f"{error.place}: {error.reason}") from None
    except Rejected as error:
        return _rejected(step, error, state, before, place), ()
    except ScriptExhausted as error:
        raise _NotPlayedError(f"{place}: not enough chance is written down: {error.place}: {error.reason}") from None
    if step.rejected:
        happened = listed(dict.fromkeys(map(tag_of, events)))
        raise _NotPlayedError(
            f"{place}.rejected: expected {written(step.rejected)}, found that it happened: {happened}"
        )
    if unused:
        raise _NotPlayedError(
            f"{place}.play: expected that all of it is played, found that {written(unused)} is too late"
        )
    return after, events


def _rejected(step: Do, error: Rejected, state: Any, before: bytes, place: str) -> Any:
    if error.code != step.rejected:
        expected = (
            f"rejected: expected {written(step.rejected)}" if step.rejected else "play: expected that it is legal"
        )
        raise _NotPlayedError(f"{place}.{expected}, found {error}")
    if canonical_json(state) != before:
        raise _NotPlayedError(f"{place}.rejected: the refused play has changed the state")
    return state


def _seat(step: Do, state: Any, hooks: ScenarioHooks, place: str) -> Seat:
    """The seat the step is about; without a name it looks only, and any seat will do."""
    names = list(hooks.names(state))
    if not step.by:
        return Seat(0)
    if step.by not in names:
        raise ScenarioError("", join(place, "by"), f"there is no driver {step.by!r}; there are: {listed(names)}")
    return Seat(names.index(step.by))


def _check_events(step: Do, happened: list[Table], place: str) -> Iterator[str]:
    """The expected events, in this order, whatever lies between them; and none of the unwanted."""
    at = 0
    for number, expected in enumerate(step.events, 1):
        here = f"{place}.events[{number}]"
        match = next((i for i, event in enumerate(happened) if i >= at and _matches(expected, event, here)), None)
        if match is None:
            yield f"{here}: expected {written(expected)}, found {_nearest(expected, happened[at:])}"
            break
        at = match + 1
    for number, tag in enumerate(step.no_events, 1):
        unwanted = next((event for event in happened if event["event"] == tag), None)
        if unwanted is not None:
            yield f"{place}.no_events[{number}]: expected no {tag}, found {written(unwanted)}"


def _matches(expected: Table, found: Table, place: str) -> bool:
    tag_field = "event" if "event" in expected else "do"
    return expected[tag_field] == found[tag_field] and not differences(expected, found, place)


def _nearest(expected: Table, happened: list[Table]) -> str:
    """The events of that kind, or else what happened at all."""
    same = [event for event in happened if event["event"] == expected["event"]]
    if same:
        return ", ".join(map(written, same))
    tags = ", ".join(event["event"] for event in happened)
    return f"no such event among those that remain: {tags}" if tags else "no more events"


def _check_words(step: Do, hooks: ScenarioHooks, place: str) -> None:
    for key, actions in step.legal_lists().items():
        for number, action in enumerate(actions, 1):
            if isinstance(action, str) and not hooks.is_word(action):
                raise ScenarioError("", f"{place}.{key}[{number}]", f"no action is ever called {written(action)}")


def _check_legal(step: Do, offered: list[tuple[str, Table]], place: str) -> Iterator[str]:
    """`offered` are the legal actions, each as a word and as a table."""
    words = written([word for word, _ in offered])
    for key, actions in step.legal_lists().items():
        wanted = key != "legal_excludes"
        for number, action in enumerate(actions, 1):
            here = f"{place}.{key}[{number}]"
            if any(_is_action(action, *one, here) for one in offered) != wanted:
                yield f"{here}: expected {written(action)} {'' if wanted else 'not '}to be legal, found {words}"
    if step.legal is not None:
        here = f"{place}.legal"
        extra = [one[0] for one in offered if not any(_is_action(action, *one, here) for action in step.legal)]
        if extra:
            yield f"{here}: expected no more than {written(step.legal)}, found also {written(extra)}"


def _is_action(wanted: str | Table, word: str, table: Table, place: str) -> bool:
    return wanted == word if isinstance(wanted, str) else _matches(wanted, table, place)
