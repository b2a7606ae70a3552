"""Dice that can be checked.

A draw is HMAC-SHA256 over stream name and counter, keyed by the race's seed. The hash of the seed (the commitment)
is published before the race and the seed after it, so anyone can repeat every draw. Python promises the same
sequence across versions for none of `random`'s choices, hence this one.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from engine.core.errors import BadInput
from engine.core.model import Value

SEED_BYTES = 16
_WORD = 1 << 64
T = TypeVar("T")

Script = tuple[tuple[str, tuple[int, ...]], ...]


class ScriptExhausted(BadInput):
    """A scenario asked for more scripted chance than it wrote down."""


def commitment(seed: bytes) -> str:
    """What is published before the race: it fixes the seed without giving it away."""
    return sha256(b"race-control/seed/" + seed).hexdigest()


class Rng(Value, frozen=True, gc=False):
    """All chance of a race, as a value: every draw returns the next `Rng`."""

    seed: bytes
    counters: tuple[tuple[str, int], ...] = ()
    # Scenario files write outcomes down per stream; an empty script means real chance.
    script: Script = ()

    def below(self, stream: str, n: int) -> tuple[int, Rng]:
        """An unbiased integer from 0 to n - 1."""
        if self.script:
            scripted = self._scripted(stream, 1)
            if scripted is not None:
                (value,), rng = scripted
                return value, rng
        at = self._counter(stream)
        value, at = _draw(self.seed, stream, at, n)
        return value, self._advanced(stream, at)

    def many_below(self, stream: str, n: int, count: int) -> tuple[tuple[int, ...], Rng]:
        """`count` draws of `below`, made in one go."""
        if self.script:
            scripted = self._scripted(stream, count)
            if scripted is not None:
                return scripted
        at = self._counter(stream)
        values: list[int] = []
        for _ in range(count):
            value, at = _draw(self.seed, stream, at, n)
            values.append(value)
        return tuple(values), self._advanced(stream, at)

    def pick(self, stream: str, weights: Sequence[int]) -> tuple[int, Rng]:
        """An index, as likely as its weight: a token out of a bag that holds `weights[i]` of kind i."""
        if self.script:
            scripted = self._scripted(stream, 1)
            if scripted is not None:
                (value,), rng = scripted
                if not (0 <= value < len(weights) and weights[value] > 0):
                    raise ScriptExhausted("script", stream, f"kind {value} is not in the bag {tuple(weights)}")
                return value, rng
        ticket, rng = self.below(stream, sum(weights))
        for index, weight in enumerate(weights):
            if ticket < weight:
                return index, rng
            ticket -= weight
        raise AssertionError("the ticket is below the sum of the weights")

    def shuffled(self, stream: str, items: Sequence[T]) -> tuple[tuple[T, ...], Rng]:
        """The items in an order drawn at random (every order equally likely)."""
        if self.script:
            scripted = self._scripted(stream, len(items))
            if scripted is not None:
                order, rng = scripted
                return tuple(items[i] for i in order), rng
        deck = list(items)
        rng = self
        for last in range(len(deck) - 1, 0, -1):
            other, rng = rng.below(stream, last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck), rng

    def _counter(self, stream: str) -> int:
        for name, count in self.counters:
            if name == stream:
                return count
        return 0

    def _advanced(self, stream: str, count: int) -> Rng:
        rest = tuple(pair for pair in self.counters if pair[0] != stream)
        return Rng(self.seed, (*rest, (stream, count)), self.script)

    def _scripted(self, stream: str, count: int) -> tuple[tuple[int, ...], Rng] | None:
        """The next scripted values of a stream; None when the scenario leaves that stream to chance.

        A script for "dice" serves "dice/0" and "dice/1" alike, in the order in which they ask.
        """
        for index, (name, values) in enumerate(self.script):
            if stream == name or stream.startswith(name + "/"):
                if len(values) < count:
                    raise ScriptExhausted("script", name, f"{count} more wanted, {len(values)} left")
                script = (*self.script[:index], (name, values[count:]), *self.script[index + 1 :])
                return values[:count], Rng(self.seed, self.counters, script)
        return None


def _draw(seed: bytes, stream: str, counter: int, n: int) -> tuple[int, int]:
    """One unbiased draw and the counter after it; words above the largest multiple of n are thrown away."""
    limit = _WORD - _WORD % n
    while True:
        digest = hmac.digest(seed, f"{stream}#{counter}".encode(), "sha256")
        counter += 1
        word = int.from_bytes(digest[:8], "big")
        if word < limit:
            return word % n, counter
