"""The tile faces, and the spaces of a face driven one way or the other.

Along the road a tile is measured in ticks (a row is 2 ticks long), across it in sixths (0 = left edge, 6 = right
edge in driving direction). The file says which blocks a face is made of; the spaces are derived (rules, section 9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.core import track
from engine.core.errors import TrackError
from engine.core.model import Value

TILE_FILE = "gt/tiles.json"

ROW_TICKS = 2
ROAD_WIDTH = 6
GRID_SPACES = 6

Level = Literal["yellow", "orange", "red"]
Side = Literal["left", "right"]
Limit = Annotated[int, Meta(ge=1, le=6)]
Mark = Limit | Literal["!"]
"""What is printed on a dashed line: a limit, or a hazard sign."""
LaneCount = Literal[2, 3]


# --- what the file says -------------------------------------------------------------------------------------------


class Lines(Value, frozen=True, gc=False):
    """The dashed lines at both ends of the inside space. The outer lane A never leads there, so it has none."""

    middle: Mark | None = msgspec.field(default=None, name="B")
    inner: Mark | None = msgspec.field(default=None, name="C")


class Corner(Value, frozen=True, gc=False):
    """A corner block: one inside space, and one or two outside spaces."""

    split: Literal["in", "out", "even"]
    limit: Limit
    outside: Literal["two", "one!"]
    lines: Lines = Lines()


class Block(Value, frozen=True, gc=False):
    """One piece of a face, in driving order: exactly one of the three is given."""

    row: Literal[2, 3, "AB"] | None = None
    run: LaneCount | None = None
    corner: Corner | None = None


class TileFace(Value, frozen=True, gc=False):
    """One side of a tile, as drawn."""

    id: Annotated[str, Meta(pattern=r"^[0-9]{3}[ab]\Z")]
    copies: Annotated[int, Meta(ge=1)]
    # Steps of 60 degrees, clockwise. A negative turn also says that the inside of the corner is the left.
    turn: Annotated[int, Meta(ge=-2, le=2)]
    danger: Level
    lanes: tuple[LaneCount, LaneCount]
    blocks: tuple[Block, ...]
    # The start tile alone: blocks before the line, and the grid spaces (left, right) from the line backwards.
    line_after: int = 0
    grid: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> str:
        """The number of the tile, the same on both sides."""
        return self.id[:3]

    @property
    def corner(self) -> Corner | None:
        """Its corner block, if it has one."""
        return next((block.corner for block in self.blocks if block.corner), None)

    @property
    def is_start(self) -> bool:
        """True for the tile with the start/finish line, which is only ever driven as drawn."""
        return self.line_after > 0

    @property
    def is_tight(self) -> bool:
        """True for a turn of 120 degrees."""
        return abs(self.turn) == 2

    @property
    def is_chicane(self) -> bool:
        """True for a corner on a tile that is left in the direction in which it was entered."""
        return self.turn == 0 and self.corner is not None

    @property
    def two_ways(self) -> bool:
        """True when driving it backwards gives another road. A plain straight is the same both ways."""
        return not self.is_start and (self.turn != 0 or self.is_chicane or self.lanes[0] != self.lanes[1])


class TileFile(Value, frozen=True, gc=False):
    """The file. Faces are decoded one by one, so that a message can name the face."""

    faces: tuple[dict[str, Any], ...]


# --- what follows from it -----------------------------------------------------------------------------------------


class Line(Value, frozen=True, gc=False):
    """A dashed line across part of the road."""

    left: int
    right: int
    mark: Mark


class Cell(Value, frozen=True, gc=False):
    """One space of a driven face; ticks count from the tile's rear edge."""

    role: Literal["row", "inside", "outside"]
    rear: int
    front: int
    left: int
    right: int
    limit: int = 0
    danger: bool = False
    entry_lines: tuple[Line, ...] = ()
    exit_lines: tuple[Line, ...] = ()
    label: str = ""


class Section(Value, frozen=True, gc=False):
    """A face as it is driven: its spaces, ordered by rear edge, then from left to right."""

    face: str
    backwards: bool
    turn: int
    lanes: tuple[int, int]
    level: Level
    ticks: int
    cells: tuple[Cell, ...]
    inside: Side
    # Rear and front tick of the corner; None without one.
    corner: tuple[int, int] | None
    # True when the two inner lanes run into one space (GT-SHARP-7).
    double_inner: bool


class TileSet(Value, frozen=True, gc=False):
    """All faces by id, and how each is driven by (id, backwards)."""

    faces: dict[str, TileFace]
    sections: dict[tuple[str, bool], Section]


# (left, right, rear, front) of every space of a block, the inside being the right.
Rectangles = tuple[tuple[int, int, int, int], ...]

_ROWS: dict[int | str, Rectangles] = {
    3: ((0, 2, 0, 2), (2, 4, 0, 2), (4, 6, 0, 2)),
    2: ((0, 3, 0, 2), (3, 6, 0, 2)),
    "AB": ((0, 4, 0, 2), (4, 6, 0, 2)),
}
_RUNS: dict[int, Rectangles] = {
    3: ((0, 2, 0, 4), (2, 4, 0, 2), (2, 4, 2, 4), (4, 6, 0, 2), (4, 6, 2, 4)),
    2: ((0, 3, 0, 4), (3, 6, 0, 2), (3, 6, 2, 4)),
}
# Where the outside space of a corner ends and the inside space begins.
_SPLITS = {"in": 2, "out": 4, "even": 3}
_LANE_LETTERS = {(0, 2): "L", (2, 4): "M", (4, 6): "R", (0, 3): "L", (3, 6): "R", (0, 4): "LM", (2, 6): "MR"}


def tile_set() -> TileSet:
    """The tiles of the data folder in use."""
    return _tile_set(track.DATA)


@lru_cache(maxsize=8)
def _tile_set(folder: Path) -> TileSet:
    raw_faces = track.load_json(folder / TILE_FILE, TileFile).faces
    faces: dict[str, TileFace] = {}
    for number, raw in enumerate(raw_faces, start=1):
        part = raw["id"] if isinstance(raw.get("id"), str) else f"face number {number}"
        face = track.convert_value(raw, TileFace, source=TILE_FILE, part=part)
        if face.id in faces:
            raise TrackError(TILE_FILE, face.id, "this face is there twice")
        faces[face.id] = face
    for face in faces.values():
        check_face(face)
    _check_sides(faces)
    sections = [drive(face, backwards=False) for face in faces.values()]
    sections += [drive(face, backwards=True) for face in faces.values() if face.two_ways]
    return TileSet(faces, {(section.face, section.backwards): section for section in sections})


# --- deriving the spaces ------------------------------------------------------------------------------------------


def drive(face: TileFace, *, backwards: bool) -> Section:
    """The spaces of a face driven as drawn, or backwards."""
    cells: list[Cell] = []
    corner: tuple[int, int] | None = None
    start = 0
    for index, block in enumerate(face.blocks):
        end = start + block_ticks(block)
        if block.corner:
            corner = (start, end)
        cells += (_shifted(cell, start) for cell in _block_cells(face, index))
        start = end
    ticks = start
    # The tables above have the inside on the right; a tile drawn to the left is their mirror image.
    inside: Side = "right"
    if face.turn < 0:
        cells = [_mirrored(cell) for cell in cells]
        inside = _other(inside)
    if backwards:
        cells = [_reversed(cell, ticks) for cell in cells]
        inside = _other(inside)
        corner = corner and (ticks - corner[1], ticks - corner[0])
    cells.sort(key=lambda cell: (cell.rear, cell.left))
    return Section(
        face=face.id,
        backwards=backwards,
        turn=-face.turn if backwards else face.turn,
        lanes=(face.lanes[1], face.lanes[0]) if backwards else face.lanes,
        level=face.danger,
        ticks=ticks,
        cells=tuple(_labelled(cells)),
        inside=inside,
        corner=corner,
        double_inner=face.corner is not None and face.corner.split == "in",
    )


def block_ticks(block: Block) -> int:
    """The length of a block."""
    return 2 * ROW_TICKS if block.run else ROW_TICKS


def _block_cells(face: TileFace, index: int) -> Iterator[Cell]:
    """The spaces of one block, its rear edge at tick 0."""
    block = face.blocks[index]
    if block.corner:
        yield from _corner_cells(block.corner, _lanes_beside(face, index))
        return
    rectangles = _RUNS[block.run] if block.run else _ROWS[block.row or 0]
    for left, right, rear, front in rectangles:
        yield Cell("row", rear, front, left, right)


def _corner_cells(corner: Corner, lanes_beside: tuple[int, int]) -> Iterator[Cell]:
    split, limit = _SPLITS[corner.split], corner.limit
    if corner.outside == "two":
        yield Cell("outside", 0, 1, 0, split, limit)
        yield Cell("outside", 1, 2, 0, split, limit)
    else:
        yield Cell("outside", 0, 2, 0, split, limit, danger=True)
    entry, leave = (tuple(_lines(corner.lines, lanes)) for lanes in lanes_beside)
    yield Cell("inside", 0, 2, split, ROAD_WIDTH, limit, entry_lines=entry, exit_lines=leave)


def _lines(lines: Lines, lanes: int) -> Iterator[Line]:
    """A line is as wide as the lane of the row it stands in front of."""
    if lines.middle:
        yield Line(2, 4, lines.middle)
    if lines.inner:
        yield Line(ROAD_WIDTH - ROAD_WIDTH // lanes, ROAD_WIDTH, lines.inner)


def _lanes_beside(face: TileFace, index: int) -> tuple[int, int]:
    """The lanes before and after a block; at an end of the tile those of the tile (GT-MOVE-5)."""
    before = _block_lanes(face.blocks[index - 1]) if index > 0 else face.lanes[0]
    after = _block_lanes(face.blocks[index + 1]) if index + 1 < len(face.blocks) else face.lanes[1]
    return before, after


def _block_lanes(block: Block) -> int:
    if block.corner:
        return 2 if block.corner.split == "even" else 3
    return block.run or (3 if block.row == "AB" else block.row or 0)


def _shifted(cell: Cell, ticks: int) -> Cell:
    return msgspec.structs.replace(cell, rear=cell.rear + ticks, front=cell.front + ticks)


def _mirrored(cell: Cell) -> Cell:
    """Left and right exchanged."""
    return msgspec.structs.replace(
        cell,
        left=ROAD_WIDTH - cell.right,
        right=ROAD_WIDTH - cell.left,
        entry_lines=tuple(map(_mirrored_line, cell.entry_lines)),
        exit_lines=tuple(map(_mirrored_line, cell.exit_lines)),
    )


def _mirrored_line(line: Line) -> Line:
    return Line(ROAD_WIDTH - line.right, ROAD_WIDTH - line.left, line.mark)


def _reversed(cell: Cell, ticks: int) -> Cell:
    """Driven backwards: the tile is turned by 180 degrees, and entry lines become exit lines."""
    turned = _mirrored(cell)
    return msgspec.structs.replace(
        turned,
        rear=ticks - cell.front,
        front=ticks - cell.rear,
        entry_lines=turned.exit_lines,
        exit_lines=turned.entry_lines,
    )


def _labelled(cells: list[Cell]) -> Iterator[Cell]:
    """Give every space its label in driving direction; the corner counts as a row."""
    outside = [cell for cell in cells if cell.role == "outside"]
    for cell in cells:
        match cell.role:
            case "inside":
                label = "I"
            case "outside":
                label = "O" if len(outside) == 1 else f"O{1 + outside.index(cell)}"
            case "row":
                label = f"{_LANE_LETTERS[cell.left, cell.right]}{1 + cell.rear // ROW_TICKS}"
        yield msgspec.structs.replace(cell, label=label)


def _other(side: Side) -> Side:
    return "left" if side == "right" else "right"


# --- checking -----------------------------------------------------------------------------------------------------


def check_face(face: TileFace) -> None:
    """Raise a `TrackError` that names the face, unless a road can be made of it."""

    def fault(place: str, reason: str) -> TrackError:
        return TrackError(TILE_FILE, f"{face.id} {place}", reason)

    if not face.blocks:
        raise fault("$.blocks", "a face needs at least one block")
    for index, block in enumerate(face.blocks):
        if sum(part is not None for part in (block.row, block.run, block.corner)) != 1:
            raise fault(f"$.blocks[{index}]", "unknown block: exactly one of row, run and corner is needed")
    corners = [index for index, block in enumerate(face.blocks) if block.corner]
    if len(corners) > 1:
        raise fault(f"$.blocks[{corners[1]}]", "a second corner: the addresses of its spaces would not be unique")
    for index, block in enumerate(face.blocks):
        if block.corner:
            _check_corner(block.corner, _lanes_beside(face, index), f"$.blocks[{index}].corner", fault)
    for end, index in ((0, 0), (1, len(face.blocks) - 1)):
        lanes = _block_lanes(face.blocks[index])
        if lanes != face.lanes[end]:
            raise fault(f"$.lanes[{end}]", f"{face.lanes[end]} lanes, but the block there has {lanes}")
    _check_start(face, fault)


Fault = Callable[[str, str], TrackError]


def _check_corner(corner: Corner, lanes_beside: tuple[int, int], place: str, fault: Fault) -> None:
    if corner.split != "even" and lanes_beside != (3, 3):
        raise fault(f"{place}.split", f"'{corner.split}' needs three lanes at both ends")
    if not corner.lines.middle:
        return
    if 2 in lanes_beside:
        raise fault(f"{place}.lines.B", "two lanes have no middle lane for a line")
    if corner.split == "out":
        raise fault(f"{place}.lines.B", "the middle lane does not lead into the inside space, so it has no line")


def _check_start(face: TileFace, fault: Fault) -> None:
    if not face.is_start:
        if face.line_after or face.grid:
            raise fault("$.line_after", "a grid and a line after at least one block belong together")
        return
    if face.line_after >= len(face.blocks):
        raise fault("$.line_after", f"the line must have a block behind it; there are {len(face.blocks)}")
    if face.turn or face.corner or any(block.run for block in face.blocks):
        raise fault("$.blocks", "the start tile is straight and made of rows")
    line = line_tick(face)
    before = {cell.label: cell for cell in drive(face, backwards=False).cells if cell.front <= line}
    for index, row in enumerate(face.grid):
        for column, label in enumerate(row):
            if label not in before:
                raise fault(f"$.grid[{index}][{column}]", f"there is no space {label} before the line")
        if before[row[0]].left >= before[row[1]].left:
            raise fault(f"$.grid[{index}]", "the left space comes first")
    labels = [label for row in face.grid for label in row]
    if len(labels) != GRID_SPACES or len(set(labels)) != GRID_SPACES:
        raise fault("$.grid", f"{GRID_SPACES} different spaces are needed")


def line_tick(face: TileFace) -> int:
    """Where the start/finish line lies on the start tile."""
    return sum(block_ticks(block) for block in face.blocks[: face.line_after])


def _check_sides(faces: dict[str, TileFace]) -> None:
    if not any(face.is_start for face in faces.values()):
        raise TrackError(TILE_FILE, "$.faces", "there is no start tile")
    for face in faces.values():
        other = faces.get(face.number + ("b" if face.id[-1] == "a" else "a"))
        if other is None:
            raise TrackError(TILE_FILE, face.id, "the other side of the tile is missing")
        if other.copies != face.copies:
            raise TrackError(TILE_FILE, f"{face.id} $.copies", f"{face.copies}, but {other.id} has {other.copies}")
        if other.is_start != face.is_start:
            raise TrackError(TILE_FILE, f"{face.id} $.line_after", f"only one of {face.id} and {other.id} has a line")
