"""The only two ways in which the engine refuses: the rules say no, or the input is malformed."""

from __future__ import annotations


class Rejected(Exception):
    """The rules say no. `code` and `params` are translated by whoever speaks to the driver."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} ({details})" if details else self.code


class BadInput(Exception):
    """Something from outside is malformed: says what (`source`), where (`place`) and why (`reason`)."""

    def __init__(self, source: str, place: str, reason: str) -> None:
        super().__init__(source, place, reason)
        self.source = source
        self.place = place
        self.reason = reason

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.place, self.reason) if part)


class TrackError(BadInput):
    """A track file, or a circuit code, does not describe a road that can be driven."""


class RecordError(BadInput):
    """A race record cannot be read, or does not replay to what it says."""


class ScenarioError(BadInput):
    """A scenario file is malformed (not: its expectation failed)."""


class NotationError(BadInput):
    """A line of notation cannot be read; `column` points at the first wrong character, counted from 1."""

    def __init__(self, text: str, column: int, code: str, reason: str) -> None:
        super().__init__("", f"column {column}", reason)
        self.args = (text, column, code, reason)
        self.text = text
        self.column = column
        self.code = code

    def pointed(self) -> str:
        """The text with a caret under the wrong place, and the reason."""
        return f"{self.text}\n{' ' * (self.column - 1)}^ {self.reason}"


class OptionsError(BadInput):
    """An option does not exist, or has a value it cannot have."""
