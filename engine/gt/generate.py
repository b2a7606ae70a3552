"""Random circuits: the same seed always gives the same code (rules, section 9.9)."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, TypeVar

from engine.core.errors import TrackError
from engine.gt.code import HEADINGS, Station, Stock, Token, after, check, format_code, suffix_of
from engine.gt.tiles import Section, TileFace, tile_set

MIN_RANDOM_TILES, MAX_RANDOM_TILES = 8, 21

# A search that has tried so many tiles has driven itself into a knot: a fresh one is quicker than backtracking.
_TRIES_PER_SEARCH = 60
# How many circuits the most compact one is chosen from, and when to stop looking for more of them.
_HITS = 5
_TRIES_IN_ALL = 1200
# With so few tiles left the search only goes where the road can still come home in the right heading.
_HOMING_TILES = 6

Lanes = Literal["three", "two", "mixed"]
# Mixed roads cost the variety of two adapters, so they are the rarer treat.
_LANES: tuple[Lanes, ...] = ("three", "three", "two", "two", "mixed")
_START_LANES: dict[Lanes, tuple[int, ...]] = {"three": (3,), "two": (2,), "mixed": (3, 2)}

T = TypeVar("T")
HOME = Station(0, 0, 0)
TURNS = (-2, -1, 0, 1, 2)


def random_circuit(seed: int | str, tiles: int = 15, stock: Stock = "box") -> str:
    """The code of a closed circuit with this many tiles, the start tile included."""
    if not MIN_RANDOM_TILES <= tiles <= MAX_RANDOM_TILES:
        reason = f"a random circuit has {MIN_RANDOM_TILES} to {MAX_RANDOM_TILES} tiles, not {tiles}"
        raise TrackError("random circuit", "tiles", reason)
    key = f"gt/circuit/{stock}/{tiles}/{seed}".encode("utf-8", "surrogatepass")
    # Settled before the search, so that every hit is of this sort: choosing the most compact one must not favour one.
    lanes = _Chance(key, "lanes").choice(_LANES)
    hits: list[list[Section]] = []
    attempt = tries = 0
    while not hits or (len(hits) < _HITS and tries < _TRIES_IN_ALL):
        search = _Search(_Chance(key, str(attempt)), lanes, tiles, stock)
        hits += [road] if (road := search.run()) else []
        tries += search.tries
        attempt += 1
    code = format_code(Token(section.face, suffix_of(section)) for section in min(hits, key=_bounding_box))
    assert not check(code, stock), code
    return code


class _Chance:
    """A stream of draws of its own: HMAC-SHA256 over a counter, so that no version of Python changes it."""

    def __init__(self, key: bytes, stream: str) -> None:
        self._key = key
        self._stream = stream
        self._counter = 0
        self._bytes = b""

    def below(self, n: int) -> int:
        """An integer from 0 to n - 1; n is small, so the remainder of 32 bits is even enough."""
        if not self._bytes:
            self._bytes = hmac.digest(self._key, f"{self._stream}#{self._counter}".encode(), "sha256")
            self._counter += 1
        word, self._bytes = self._bytes[:4], self._bytes[4:]
        return int.from_bytes(word, "big") % n

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: list[T]) -> None:
        """Put the items in a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


class _Search:
    """One depth-first search for a closed road; it gives up after a bounded number of tries."""

    def __init__(self, chance: _Chance, lanes: Lanes, tiles: int, stock: Stock) -> None:
        self._chance = chance
        self._tiles = tiles
        self._faces = tile_set().faces
        self._start = chance.choice(_start_tiles(_START_LANES[lanes]))
        self._adapters = self._places_of_adapters() if lanes == "mixed" else ()
        self._left = Counter({face.number: face.copies if stock == "box" else tiles for face in self._faces.values()})
        self._taken: set[tuple[int, int]] = set()
        self._road: list[Section] = []
        self.tries = 0

    def run(self) -> list[Section] | None:
        """The tiles of a circuit, or None when this search is hopeless."""
        self._lay(self._start, HOME)
        return self._road if self._extend(after(HOME, self._start.turn)) else None

    def _places_of_adapters(self) -> tuple[int, int]:
        """Where a mixed road changes its lanes and where it changes back."""
        first = 1 + self._chance.below(self._tiles - 2)
        return first, first + 1 + self._chance.below(self._tiles - 1 - first)

    def _extend(self, here: Station) -> bool:
        if len(self._road) == self._tiles:
            return any(section.corner for section in self._road)
        for section in self._candidates(here):
            if self.tries == _TRIES_PER_SEARCH:
                return False
            self.tries += 1
            self._lay(section, here)
            if self._extend(after(here, section.turn)):
                return True
            self._take_back(here)
        return False

    def _lay(self, section: Section, here: Station) -> None:
        self._left[section.face[:3]] -= 1
        self._taken.add((here.q, here.r))
        self._road.append(section)

    def _take_back(self, here: Station) -> None:
        self._left[self._road.pop().face[:3]] += 1
        self._taken.remove((here.q, here.r))

    def _candidates(self, here: Station) -> list[Section]:
        """The tiles that may come next, in random order; a tile of which many are left tends to come early."""
        turns = [turn for turn in TURNS if self._leads_on(after(here, turn))]
        ways: list[Section] = []
        for section in self._allowed(turns):
            ways += [section] * min(self._left[section.face[:3]], self._faces[section.face].copies)
        self._chance.shuffle(ways)
        return list({(section.face, section.backwards): section for section in ways}.values())

    def _leads_on(self, there: Station) -> bool:
        """False where the road would run into itself or get too far from home."""
        remaining = self._tiles - len(self._road) - 1
        if remaining == 0:
            return there == HOME
        return (there.q, there.r) not in self._taken and _can_come_home(there, remaining)

    def _allowed(self, turns: Sequence[int]) -> Iterator[Section]:
        place = len(self._road)
        behind = self._road[-1]
        next_to_start = place in (1, self._tiles - 1)
        for section in tile_set().sections.values():
            if section.lanes[0] != behind.lanes[1] or section.turn not in turns:
                continue
            face = self._faces[section.face]
            if face.is_start or not self._left[face.number]:
                continue
            if (face.lanes[0] != face.lanes[1]) != (place in self._adapters):
                continue
            if next_to_start and section.corner:
                continue
            if _too_much(self._faces[behind.face], face):
                continue
            yield section


def _start_tiles(lane_counts: Sequence[int]) -> list[Section]:
    tiles = tile_set()
    return [
        section
        for section in tiles.sections.values()
        if tiles.faces[section.face].is_start and section.lanes[0] in lane_counts
    ]


def _too_much(behind: TileFace, face: TileFace) -> bool:
    """Two tight turns, or two chicanes, one after the other are no pleasure to drive."""
    return (behind.is_tight and face.is_tight) or (behind.is_chicane and face.is_chicane)


def _can_come_home(here: Station, remaining: int) -> bool:
    if remaining <= _HOMING_TILES:
        return here in _homing()[remaining]
    return _distance(here) <= remaining


def _distance(here: Station) -> int:
    """Tiles from here to the start, as the crow flies."""
    return max(abs(here.q), abs(here.r), abs(here.q + here.r))


@lru_cache(maxsize=1)
def _homing() -> tuple[frozenset[Station], ...]:
    """From which stations 0, 1, 2 ... tiles can lead home, if no other tile is in the way."""
    layers = [frozenset([HOME])]
    for _ in range(_HOMING_TILES):
        layers.append(frozenset(_before(there, turn) for there in layers[-1] for turn in TURNS))
    return tuple(layers)


def _before(there: Station, turn: int) -> Station:
    """The station from which a tile with this turn leads there."""
    step_q, step_r = HEADINGS[there.heading]
    return Station(there.q - step_q, there.r - step_r, (there.heading - turn) % len(HEADINGS))


def _bounding_box(road: Iterable[Section]) -> int:
    """The area that a picture of the road takes, in quarters of a hexagon's own box."""
    here = HOME
    columns: list[int] = []
    heights: list[int] = []
    for section in road:
        # Columns of flat-topped hexagons are three quarters of a hexagon apart, each half a hexagon lower.
        columns.append(here.q)
        heights.append(2 * here.r + here.q)
        here = after(here, section.turn)
    width = 3 * (max(columns) - min(columns)) + 4
    height = max(heights) - min(heights) + 2
    return width * height
