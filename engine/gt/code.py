"""Circuit codes: reading, printing and checking them, and turning a circuit round.

A code such as `GT1-102a-105al-…-x2` lists the tiles in driving order, the start tile first (rules, section 9.6).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from engine.core.errors import TrackError
from engine.core.model import Value
from engine.gt.tiles import Section, TileFace, tile_set

PREFIX = "GT1"
MIN_TILES, MAX_TILES = 6, 30
# The range of the option `laps` (rules, section 6): a code that asks for more could not be raced.
MAX_LAPS = 5
# Turning once round, clockwise or anticlockwise, in steps of 60 degrees.
FULL_TURN = 6

# Axial coordinates of the neighbour in each heading, clockwise from north (rules, section 9.1).
HEADINGS: tuple[tuple[int, int], ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

Stock = Literal["box", "free"]
Suffix = Literal["", "l", "r", "v"]
FaultName = Literal["E-TOKEN", "E-START", "E-STOCK", "E-LANES", "E-OVERLAP", "E-OPEN", "E-LENGTH"]

_TOKEN = re.compile(r"([0-9]{3}[ab])([lrv]?)")
_LAPS = re.compile(r"x0*([0-9]+)")
_SWAPPED: dict[Suffix, Suffix] = {"l": "r", "r": "l", "v": "", "": "v"}
_SUFFIXES: dict[str, Suffix] = {"": "", "l": "l", "r": "r", "v": "v"}
_SHOWN = 60


class Token(Value, frozen=True, gc=False):
    """One tile of a code: its face, and how it is driven."""

    face: str
    suffix: Suffix = ""

    def __str__(self) -> str:
        return self.face + self.suffix


class ParsedCode(Value, frozen=True, gc=False):
    """A code whose tokens all exist; whether they make a circuit is another question."""

    tokens: tuple[Token, ...]
    laps: int | None = None

    def __str__(self) -> str:
        return format_code(self.tokens, self.laps)


class CodeFault(Value, frozen=True, gc=False):
    """One thing that is wrong with a code. `token` counts from 1; 0 stands for the whole code."""

    name: FaultName
    token: int
    reason: str
    params: tuple[tuple[str, int | str], ...] = ()


class CodeError(TrackError):
    """A circuit code that cannot be raced on, with everything that is wrong with it."""

    def __init__(self, text: str, faults: Sequence[CodeFault]) -> None:
        first = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        place = f"token {first.token}" if first.token else ""
        super().__init__(shortened(text), place, f"{first.name}: {first.reason}{more}")
        self.args = (text, tuple(faults))
        self.text = text
        self.faults = tuple(faults)


class Station(Value, frozen=True, gc=False):
    """Where a tile lies, and the heading in which it is entered."""

    q: int
    r: int
    heading: int


# --- reading and printing -----------------------------------------------------------------------------------------


def parse_code(text: str) -> ParsedCode:
    """Read a code; only its tokens are checked. Raises `CodeError`."""
    draft = _Draft(text)
    if draft.faults:
        raise CodeError(text, draft.faults)
    return ParsedCode(tuple(token for token in draft.tokens if token), draft.laps)


def valid_code(text: str, stock: Stock = "box") -> ParsedCode:
    """Read a code that has to make a circuit. Raises `CodeError` with all its faults."""
    faults = check(text, stock)
    if faults:
        raise CodeError(text, faults)
    return parse_code(text)


def format_code(tokens: Iterable[Token], laps: int | None = None) -> str:
    """The canonical text of a code."""
    parts = [PREFIX, *map(str, tokens)]
    if laps is not None:
        parts.append(f"x{laps}")
    return "-".join(parts)


def reverse_code(text: str) -> str:
    """The same circuit driven the other way (rules, section 9.7)."""
    code = parse_code(text)
    start, *others = code.tokens
    return format_code([start, *map(_turned_round, reversed(others))], code.laps)


def is_backwards(token: Token) -> bool:
    """True when the tile is driven against the direction in which it is drawn."""
    turn = tile_set().faces[token.face].turn
    if turn == 0:
        return token.suffix == "v"
    return (token.suffix == "r") != (turn > 0)


def section_of(token: Token) -> Section:
    """The road that a token stands for."""
    return tile_set().sections[token.face, is_backwards(token)]


def suffix_of(section: Section) -> Suffix:
    """The suffix under which a code writes a tile driven like this."""
    if section.turn:
        return "r" if section.turn > 0 else "l"
    return "v" if section.backwards else ""


def stations(sections: Iterable[Section]) -> Iterator[Station]:
    """Where the tiles lie, and last of all where one more tile would."""
    here = Station(0, 0, 0)
    yield here
    for section in sections:
        here = after(here, section.turn)
        yield here


def after(here: Station, turn: int) -> Station:
    """The station that follows a tile with this turn."""
    heading = (here.heading + turn) % len(HEADINGS)
    step_q, step_r = HEADINGS[heading]
    return Station(here.q + step_q, here.r + step_r, heading)


def _turned_round(token: Token) -> Token:
    if not tile_set().faces[token.face].two_ways:
        return token
    return Token(token.face, _SWAPPED[token.suffix])


class _Draft:
    """A code as far as it can be read: None stands where a token is at fault."""

    def __init__(self, text: str) -> None:
        self.tokens: list[Token | None] = []
        self.laps: int | None = None
        self.faults: list[CodeFault] = []
        prefix, *parts = text.strip().lower().split("-")
        if prefix != PREFIX.lower():
            self._fault(0, f"a circuit code begins with {PREFIX}-", text=shortened(text))
            return
        laps = _LAPS.fullmatch(parts[-1]) if parts else None
        tiles = parts[:-1] if laps else parts
        if not tiles:
            self._fault(0, "the code names no tile")
        for number, part in enumerate(tiles, start=1):
            self.tokens.append(self._read_token(number, part))
        if laps:
            self._read_laps(len(parts), laps[1])

    def _read_token(self, number: int, part: str) -> Token | None:
        found = _TOKEN.fullmatch(part)
        face = tile_set().faces.get(found[1]) if found else None
        if not found or not face:
            self._fault(number, f"there is no tile '{shortened(part)}'", text=shortened(part))
            return None
        allowed = _allowed_suffixes(face)
        suffix = _SUFFIXES[found[2]]
        if suffix in allowed:
            return Token(face.id, suffix)
        wanted = " or ".join(face.id + suffix for suffix in allowed)
        self._fault(number, f"'{part}' is written {wanted}", text=part)
        return None

    def _read_laps(self, number: int, digits: str) -> None:
        # A longer number is out of range anyway, and Python refuses to read very long ones.
        laps = int(digits) if len(digits) < 3 else MAX_LAPS + 1
        if 1 <= laps <= MAX_LAPS:
            self.laps = laps
        else:
            self._fault(number, f"a race has 1 to {MAX_LAPS} laps", text=shortened("x" + digits))

    def _fault(self, number: int, reason: str, **params: str) -> None:
        self.faults.append(CodeFault("E-TOKEN", number, reason, tuple(params.items())))


def _allowed_suffixes(face: TileFace) -> tuple[Suffix, ...]:
    if not face.two_ways:
        return ("",)
    return ("l", "r") if face.turn else ("", "v")


def shortened(text: str) -> str:
    """As much of a foreign text as a message repeats."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


# --- checking (rules, section 9.5) --------------------------------------------------------------------------------


def check(text: str, stock: Stock = "box") -> list[CodeFault]:
    """Everything that is wrong with a code, in the order in which it is reported; empty for a circuit."""
    draft = _Draft(text)
    if not draft.tokens:
        return draft.faults
    sections = [section_of(token) if token else None for token in draft.tokens]
    faults = [*draft.faults, *_start_faults(sections)]
    if stock == "box":
        faults += _stock_faults(draft.tokens)
    return [
        *faults,
        *_lane_faults(sections),
        *_overlap_faults(sections),
        *_open_faults(sections),
        *_length_faults(sections),
    ]


# A token at fault (None) hides part of the road; each check looks at what is known.
Sections = Sequence[Section | None]


def _start_faults(sections: Sections) -> Iterator[CodeFault]:
    faces = tile_set().faces
    starts = [section is not None and faces[section.face].is_start for section in sections]
    if not starts[0]:
        yield CodeFault("E-START", 1, "the first tile must be a start tile")
    for number, is_start in enumerate(starts[1:], start=2):
        if is_start:
            yield CodeFault("E-START", number, "only the first tile may be a start tile")


def _stock_faults(tokens: Sequence[Token | None]) -> Iterator[CodeFault]:
    faces = tile_set().faces
    total = Counter(faces[token.face].number for token in tokens if token)
    used: Counter[str] = Counter()
    for index, token in enumerate(tokens, start=1):
        if not token:
            continue
        face = faces[token.face]
        used[face.number] += 1
        if used[face.number] == face.copies + 1:
            reason = f"the box holds tile {face.number} {face.copies} times, not {total[face.number]} times"
            params = (("number", face.number), ("copies", face.copies), ("used", total[face.number]))
            yield CodeFault("E-STOCK", index, reason, params)


def _lane_faults(sections: Sections) -> Iterator[CodeFault]:
    for index, behind in enumerate(sections):
        # The last tile is followed by the first: the closing joint is reported at token 1.
        following = (index + 1) % len(sections)
        ahead = sections[following]
        if not behind or not ahead or behind.lanes[1] == ahead.lanes[0]:
            continue
        reason = f"{behind.lanes[1]} lanes ({behind.face}) run into {ahead.lanes[0]} ({ahead.face})"
        yield CodeFault("E-LANES", following + 1, reason, (("from", behind.lanes[1]), ("to", ahead.lanes[0])))


def _overlap_faults(sections: Sections) -> Iterator[CodeFault]:
    taken: dict[tuple[int, int], int] = {}
    known = _known_beginning(sections)
    for number, (station, _) in enumerate(zip(stations(known), known, strict=False), start=1):
        here = (station.q, station.r)
        if here in taken:
            reason = f"the tile lies on top of tile {taken[here]}"
            yield CodeFault("E-OVERLAP", number, reason, (("other", taken[here]), ("q", here[0]), ("r", here[1])))
        taken.setdefault(here, number)


def _open_faults(sections: Sections) -> Iterator[CodeFault]:
    known = _known_beginning(sections)
    if len(known) < len(sections):
        return
    *_, end = stations(known)
    turned = sum(section.turn for section in known)
    if end == Station(0, 0, 0) and abs(turned) == FULL_TURN:
        return
    reason = f"the road ends at ({end.q}, {end.r}) with heading {end.heading} instead of closing the loop"
    if end == Station(0, 0, 0):
        reason = "the road does not turn round exactly once"
    params = (("q", end.q), ("r", end.r), ("heading", end.heading), ("turned", turned))
    yield CodeFault("E-OPEN", 0, reason, params)


def _length_faults(sections: Sections) -> Iterator[CodeFault]:
    tiles = len(sections)
    if not MIN_TILES <= tiles <= MAX_TILES:
        reason = f"a circuit has {MIN_TILES} to {MAX_TILES} tiles, not {tiles}"
        yield CodeFault("E-LENGTH", 0, reason, (("tiles", tiles),))
    if all(section and not section.corner for section in sections):
        yield CodeFault("E-LENGTH", 0, "at least one tile must have a limit", (("tiles", tiles),))


def _known_beginning(sections: Sections) -> list[Section]:
    """The tiles before the first token at fault: behind it nobody knows where the road goes."""
    known: list[Section] = []
    for section in sections:
        if section is None:
            break
        known.append(section)
    return known
