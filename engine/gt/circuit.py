"""A circuit ready to race on: its spaces, the steps between them, the grid and the measure of distance.

Everything here is derived from a code and the tile faces (rules, section 9); nothing is written by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, final

from engine.core import track
from engine.core.errors import TrackError
from engine.core.model import SpaceId, Value
from engine.gt.code import (
    CodeError,
    Stock,
    format_code,
    parse_code,
    reverse_code,
    section_of,
    shortened,
    stations,
    valid_code,
)
from engine.gt.tiles import ROAD_WIDTH, Cell, Level, Line, Section, Side, line_tick, tile_set

GAME = "gt"

Kind = Literal["ahead", "diagonal", "merge"]
Edge = Literal["left", "right", "both", ""]


class CircuitFile(Value, frozen=True, gc=False):
    """A ready-made circuit, as stored."""

    id: str
    name: str
    code: str


class Step(Value, frozen=True, gc=False):
    """A way from one space to the next."""

    to: SpaceId
    kind: Kind
    limit: int
    """The highest gear for entering by this step, lines included; 0 = none."""
    auto: int
    """Hazards from the "!" lines crossed."""
    danger: int
    """The printed limit of a dangerous space (one more hazard in exactly that gear); 0 = not dangerous."""
    crosses: bool
    """True when the step crosses the start/finish line."""


class Space(Value, frozen=True, gc=False):
    """A place for one car. Ticks count from the rear edge of the start tile; `front` may equal the length."""

    id: SpaceId
    tile: int
    rear: int
    front: int
    left: int
    right: int
    limit: int
    danger: bool
    line_sign: bool
    corner: bool
    edge: Edge
    level: Level
    inside: Side
    inside_rank: int


class Placed(Value, frozen=True, gc=False):
    """One tile of the circuit: where it lies and how it is driven. `heading` is that of entering it."""

    token: str
    face: str
    backwards: bool
    q: int
    r: int
    heading: int
    turn: int
    level: Level
    first_tick: int
    ticks: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """Built once by `load_circuit` and shared from then on, so nobody may edit its mappings."""

    code: str
    name: str
    id: str
    tiles: tuple[Placed, ...]
    spaces: dict[SpaceId, Space]
    steps: dict[SpaceId, tuple[Step, ...]]
    beside: dict[SpaceId, frozenset[SpaceId]]
    length: int
    line: int
    grid: tuple[SpaceId, ...]
    hash: str
    laps_in_code: int | None

    def progress(self, space: SpaceId, crossings: int) -> int:
        """The distance of a car in ticks: what "further ahead" means (GT-ORDER-4)."""
        here = self.spaces[space]
        return crossings * self.length + (here.rear - self.line) % self.length + here.front - here.rear


class StepRules(Value, frozen=True, gc=False):
    """The options that decide which steps are legal."""

    merge_moves: bool = True
    double_inner_strict: bool = False


class Site(Value, frozen=True, gc=False):
    """A space together with the tile it was made from: what deriving the steps needs to know."""

    space: Space
    cell: Cell
    double_inner: bool


# --- loading ------------------------------------------------------------------------------------------------------


def load_circuit(
    text: str,
    *,
    stock: Stock = "box",
    reverse: bool = False,
    merge_moves: bool = True,
    double_inner_strict: bool = False,
) -> Circuit:
    """The circuit with this id ("C2") or code. Asking again gives the same object. Raises `TrackError`."""
    rules = StepRules(merge_moves, double_inner_strict)
    return _load(track.DATA, text.strip().lower(), stock, "other" if reverse else "given", rules)


def circuit_file(circuit_id: str) -> CircuitFile:
    """The stored circuit with exactly this id."""
    path = f"tracks/{GAME}/{circuit_id}.json"
    stored = track.load_json(path, CircuitFile)
    if stored.id != circuit_id:
        raise TrackError(path, "$.id", f"'{stored.id}' differs from the name of the file")
    return stored


@lru_cache(maxsize=256)
def _load(folder: Path, text: str, stock: Stock, way: Literal["given", "other"], rules: StepRules) -> Circuit:
    # `folder` only keeps circuits of different data folders apart.
    stored = _named(text)
    code = stored.code if stored else text
    try:
        parsed = valid_code(code, stock)
    except CodeError as error:
        if not stored:
            raise
        raise TrackError(f"tracks/{GAME}/{stored.id}.json", "$.code", str(error)) from error
    road = format_code(parsed.tokens)
    return build_circuit(
        reverse_code(road) if way == "other" else road,
        rules,
        circuit_id=stored.id if stored else "",
        name=stored.name if stored else "",
        laps=parsed.laps,
    )


def _named(text: str) -> CircuitFile | None:
    """The stored circuit that the text names; None when the text looks like a code instead."""
    known = track.track_ids(GAME)
    for circuit_id in known:
        if circuit_id.lower() == text:
            return circuit_file(circuit_id)
    if "-" in text:
        return None
    raise TrackError(shortened(text), "", f"there is no such circuit; give one of {', '.join(known)} or a circuit code")


def build_circuit(
    code: str, rules: StepRules, *, circuit_id: str = "", name: str = "", laps: int | None = None
) -> Circuit:
    """Derive everything from a code that has been checked."""
    faces = tile_set().faces
    tokens = parse_code(code).tokens
    sections = [section_of(token) for token in tokens]
    tiles = tuple(_placed(map(str, tokens), sections))
    length = sum(section.ticks for section in sections)
    start = faces[tokens[0].face]
    line = line_tick(start)
    sites = {site.space.id: site for site in _sites(tiles, sections, length)}
    spaces = {space_id: site.space for space_id, site in sites.items()}
    circuit = Circuit(
        code=code,
        name=name,
        id=circuit_id,
        tiles=tiles,
        spaces=spaces,
        steps=_all_steps(sites, length, line, rules),
        beside=_beside(spaces.values()),
        length=length,
        line=line,
        grid=tuple(_grid(start.grid, spaces)),
        hash=track.content_hash({"code": code, "faces": {token.face: faces[token.face] for token in tokens}}),
        laps_in_code=laps,
    )
    check_road(circuit)
    return circuit


# --- spaces -------------------------------------------------------------------------------------------------------


def _placed(tokens: Iterable[str], sections: list[Section]) -> Iterator[Placed]:
    tick = 0
    # There is one station more than tiles: the one that closes the loop.
    for token, section, station in zip(tokens, sections, stations(sections), strict=False):
        yield Placed(
            token=token,
            face=section.face,
            backwards=section.backwards,
            q=station.q,
            r=station.r,
            heading=station.heading,
            turn=section.turn,
            level=section.level,
            first_tick=tick,
            ticks=section.ticks,
        )
        tick += section.ticks


def _sites(tiles: tuple[Placed, ...], sections: list[Section], length: int) -> Iterator[Site]:
    """All spaces, ordered by tile, rear edge, and from left to right."""
    corners: list[tuple[int, Side]] = [
        (tile.first_tick + section.corner[0], section.inside)
        for tile, section in zip(tiles, sections, strict=True)
        if section.corner
    ]
    for index, (tile, section) in enumerate(zip(tiles, sections, strict=True)):
        for cell in section.cells:
            in_corner = cell.role != "row"
            rear = tile.first_tick + cell.rear
            inside = section.inside if in_corner else next_inside(rear, corners, length)
            space = Space(
                id=SpaceId(f"{index}.{cell.label}"),
                tile=index,
                rear=rear,
                front=tile.first_tick + cell.front,
                left=cell.left,
                right=cell.right,
                limit=cell.limit,
                danger=cell.danger,
                line_sign=bool(cell.entry_lines or cell.exit_lines),
                corner=in_corner,
                edge=_edge(cell),
                level=section.level,
                inside=inside,
                inside_rank=cell.left if inside == "left" else ROAD_WIDTH - cell.right,
            )
            yield Site(space, cell, section.double_inner)


def next_inside(rear: int, corners: list[tuple[int, Side]], length: int) -> Side:
    """The inside edge of the next corner ahead (GT-ORDER-5); the left one if there is none at all (GT-RUL-39).

    `corners` are rear tick and inside of every corner.
    """
    if not corners:
        return "left"
    return min(corners, key=lambda corner: (corner[0] - rear) % length)[1]


def _edge(cell: Cell) -> Edge:
    match cell.left == 0, cell.right == ROAD_WIDTH:
        case True, True:
            return "both"
        case True, False:
            return "left"
        case False, True:
            return "right"
        case _:
            return ""


def _grid(rows: tuple[tuple[str, str], ...], spaces: Mapping[SpaceId, Space]) -> Iterator[SpaceId]:
    """Row after row backwards from the line, the inside of the first corner first (GT-GRID-2, GT-GRID-3)."""
    for labels in rows:
        pair = [spaces[SpaceId(f"0.{label}")] for label in labels]
        yield from (space.id for space in sorted(pair, key=lambda space: space.inside_rank))


def _beside(spaces: Iterable[Space]) -> dict[SpaceId, frozenset[SpaceId]]:
    """Level front edges or level rear edges, whatever lies between (GT-OVER-1)."""
    spaces = list(spaces)
    level: dict[tuple[str, int], set[SpaceId]] = defaultdict(set)
    for space in spaces:
        level["rear", space.rear].add(space.id)
        level["front", space.front].add(space.id)
    return {
        space.id: frozenset((level["rear", space.rear] | level["front", space.front]) - {space.id}) for space in spaces
    }


# --- steps (rules, section 9.3) -----------------------------------------------------------------------------------


def _all_steps(
    sites: Mapping[SpaceId, Site], length: int, line: int, rules: StepRules
) -> dict[SpaceId, tuple[Step, ...]]:
    behind: dict[int, list[Site]] = defaultdict(list)
    on_tile: dict[int, list[Site]] = defaultdict(list)
    for site in sites.values():
        behind[site.space.rear].append(site)
        on_tile[site.space.tile].append(site)
    steps: dict[SpaceId, tuple[Step, ...]] = {}
    for space_id, site in sites.items():
        space = site.space
        found: list[tuple[Site, Kind]] = []
        for target in behind[space.front % length]:
            overlap = _overlap(space, target.space)
            if overlap > 0:
                found.append((target, "ahead"))
            elif overlap == 0 and not (rules.double_inner_strict and _swings_out(target)):
                found.append((target, "diagonal"))
        # Every lane leads on straight ahead, so without merging no space loses its last successor.
        if rules.merge_moves:
            # The edge of a tile is the edge of spaces (GT-MOVE-5), so only spaces of one tile can share ticks.
            found.extend((target, "merge") for target in on_tile[space.tile] if _can_merge(space, target.space))
        found.sort(key=lambda pair: (pair[0].space.left, pair[0].space.rear))
        steps[space_id] = tuple(_step(site, target, kind, line) for target, kind in found)
    return steps


def _can_merge(source: Space, target: Space) -> bool:
    """From beside a longer space into it: its front edge must lie further ahead (GT-MOVE-3, GT-MOVE-7)."""
    shares_ticks = target.rear < source.front and source.rear < target.front
    return shares_ticks and target.front > source.front and _overlap(source, target) == 0


def _step(source: Site, target: Site, kind: Kind, line: int) -> Step:
    start, end = source.space, target.space
    limit, auto = _across_lines(source, target) if kind == "ahead" else (end.limit, 0)
    return Step(
        to=end.id,
        kind=kind,
        limit=limit,
        auto=auto,
        danger=end.limit if end.danger else 0,
        crosses=start.tile == end.tile == 0 and start.rear < line <= end.rear,
    )


def _overlap(first: Space, second: Space) -> int:
    """How much of the road's width both cover; 0 when they touch, negative when they do not."""
    return min(first.right, second.right) - max(first.left, second.left)


def _swings_out(target: Site) -> bool:
    """A diagonal into the outside of a double inner corner comes from its inner lanes, never from further out."""
    return target.double_inner and target.cell.role == "outside"


def _across_lines(source: Site, target: Site) -> tuple[int, int]:
    """Limit and hazards of driving straight on, with the lines on the boundary (GT-SHARP-2, -3, -4).

    A line at the exit of one corner and one at the entry of the next both count (GT-RUL-6).
    """
    entry = _crossed(source.space, target.space, target.cell.entry_lines)
    leave = _crossed(source.space, target.space, source.cell.exit_lines)
    limit = entry.number or target.space.limit
    if leave.number:
        limit = min(limit, leave.number) if limit else leave.number
    return limit, entry.hazards + leave.hazards


class _Crossed(Value, frozen=True, gc=False):
    number: int
    hazards: int


def _crossed(source: Space, target: Space, lines: tuple[Line, ...]) -> _Crossed:
    """What the lines at one end of a space do: of several lines the strictest binds (GT-RUL-7)."""
    left, right = max(source.left, target.left), min(source.right, target.right)
    marks = [line.mark for line in lines if min(right, line.right) > max(left, line.left)]
    return _Crossed(
        number=min((mark for mark in marks if isinstance(mark, int)), default=0),
        hazards=1 if "!" in marks else 0,
    )


# --- checking -----------------------------------------------------------------------------------------------------


def check_road(circuit: Circuit) -> None:
    """Raise a `TrackError` unless every space leads on, can be reached, and is part of a closed lap."""
    source = f"circuit {circuit.id or circuit.code}"
    for space_id in circuit.spaces:
        if not circuit.steps[space_id]:
            raise TrackError(source, f"space {space_id}", "no step leads on from it")
    forwards = {space_id: [step.to for step in steps] for space_id, steps in circuit.steps.items()}
    backwards: dict[SpaceId, list[SpaceId]] = {space_id: [] for space_id in circuit.spaces}
    for space_id, targets in forwards.items():
        for target in targets:
            backwards[target].append(space_id)
    pole = circuit.grid[0]
    reached, leading_home = _reached(pole, forwards), _reached(pole, backwards)
    for space_id in circuit.spaces:
        if space_id not in reached:
            raise TrackError(source, f"space {space_id}", f"it cannot be reached from {pole}")
        if space_id not in leading_home:
            raise TrackError(source, f"space {space_id}", f"no lap closes: {pole} cannot be reached from it")


def _reached(start: SpaceId, links: Mapping[SpaceId, list[SpaceId]]) -> set[SpaceId]:
    found, open_ends = {start}, [start]
    while open_ends:
        for target in links[open_ends.pop()]:
            if target not in found:
                found.add(target)
                open_ends.append(target)
    return found
