"""The tile faces and the spaces derived from them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core import track
from engine.core.errors import TrackError
from engine.gt.tiles import TILE_FILE, Cell, Section, drive, line_tick, tile_set

# The table of section 3.6: tile, copies, turn, side a, side b, danger of side a.
TABLE = """
102 1 0  R3 R3 R3 R3          / R2 R2 R2 R2            / yellow
103 3 0  R3 R3                / R2 R2                  / yellow
104 3 0  R3 R3 R3             / R2 R2 R2               / orange
105 2 1  R3 R3                / R2 R2                  / yellow
106 2 1  R3 R3 R3             / R2 R2 R2               / orange
107 2 2  C(in,1,two,C:!)      / C(even,1,two,C:!)      / yellow
108 1 2  R3 C(in,1,two,C:!) R3 / R2 C(even,1,two,C:!) R2 / yellow
109 1 2  L3 C(in,1,two,C:!) L3 / L2 C(even,1,two,) L2  / orange
110 1 0  R3 C(in,1,two,) R3   / R2 C(even,1,two,) R2   / yellow
111 2 2  C(in,2,two,C:1)      / C(even,2,two,C:1)      / yellow
112 2 1  R3 C(in,2,two,C:1) R3 / R2 C(even,2,two,C:1) R2 / orange
113 1 1  AB C(in,2,two,C:!) AB / R2 C(even,2,two,C:!) R2 / yellow
114 1 2  L3 C(in,2,two,C:1) L3 / L2 C(even,2,two,) L2  / yellow
115 2 1  R3 C(out,3,two,C:2) R3 / R2 C(even,3,two,C:2) R2 / yellow
116 2 0  R3 C(in,3,two,B:2C:1) R3 / R2 C(even,3,two,C:1) R2 / orange
117 2 1  R3 C(out,4,one!,C:3) R3 / R2 C(even,4,one!,C:3) R2 / yellow
118 1 1  R3 C(out,5,one!,C:4) R3 / R2 C(even,5,one!,C:4) R2 / orange
"""
NEXT_LEVEL = {"yellow": "orange", "orange": "red"}

WITH_LINES = ("108a", "109a", "112a", "113a", "115a", "116a", "117a", "118a", "119b", "120b", "107a", "107b", "111a")


def face_notation(face_id: str) -> str:
    """A face in the notation of the table."""
    words = []
    for block in tile_set().faces[face_id].blocks:
        if block.corner:
            c = block.corner
            lines = (f"B:{c.lines.middle}" if c.lines.middle else "") + (f"C:{c.lines.inner}" if c.lines.inner else "")
            words.append(f"C({c.split},{c.limit},{c.outside},{lines})")
        else:
            words.append(f"L{block.run}" if block.run else "AB" if block.row == "AB" else f"R{block.row}")
    return " ".join(words)


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
def test_the_faces_are_those_of_the_table(row: str) -> None:
    number, copies, turn, rest = row.split(maxsplit=3)
    side_a, side_b, danger = (part.strip() for part in rest.split("/"))
    a, b = tile_set().faces[number + "a"], tile_set().faces[number + "b"]
    assert (face_notation(a.id), face_notation(b.id)) == (side_a, side_b)
    assert {a.copies, b.copies} == {int(copies)}
    assert {a.turn, b.turn} == {int(turn)}
    assert (a.danger, b.danger) == (danger, NEXT_LEVEL[danger])
    assert (a.lanes, b.lanes) == ((3, 3), (2, 2))


def test_the_adapters() -> None:
    faces = tile_set().faces
    for number in ("119", "120"):
        assert face_notation(number + "a") == "R3 R2 R2"
        assert face_notation(number + "b") == "R3 C(even,3,two,C:2) R2"
        assert (faces[number + "a"].danger, faces[number + "b"].danger) == ("yellow", "orange")
        assert faces[number + "a"].lanes == faces[number + "b"].lanes == (3, 2)
        assert faces[number + "a"].copies == faces[number + "b"].copies == 1
    assert [faces[name].turn for name in ("119a", "120a", "119b", "120b")] == [0, 0, 1, -1]


def test_the_box_holds_31_road_tiles_and_no_pit_tile() -> None:
    faces = tile_set().faces
    assert sorted(faces) == sorted(f"{number}{side}" for number in range(102, 121) for side in "ab")
    assert sum(face.copies for face in faces.values() if face.id.endswith("a")) == 31


def rectangles(section: Section) -> dict[str, tuple[int, int, int, int]]:
    return {cell.label: (cell.rear, cell.front, cell.left, cell.right) for cell in section.cells}


def cell(section: Section, label: str) -> Cell:
    return next(cell for cell in section.cells if cell.label == label)


def test_a_row_and_a_corner_as_drawn() -> None:
    section = tile_set().sections["116a", False]
    assert rectangles(section) == {
        "L1": (0, 2, 0, 2),
        "M1": (0, 2, 2, 4),
        "R1": (0, 2, 4, 6),
        "O1": (2, 3, 0, 2),
        "I": (2, 4, 2, 6),
        "O2": (3, 4, 0, 2),
        "L3": (4, 6, 0, 2),
        "M3": (4, 6, 2, 4),
        "R3": (4, 6, 4, 6),
    }
    assert (section.ticks, section.turn, section.inside, section.corner) == (6, 0, "right", (2, 4))


@pytest.mark.rule("GT-MOVE-7")
def test_a_run_has_one_long_space_outside_and_two_in_every_other_lane() -> None:
    """Section 9.4: 109a driven left."""
    section = tile_set().sections["109a", True]
    order = ["L1", "M1", "R1", "L2", "M2", "I", "O1", "O2", "L4", "M4", "R4", "L5", "M5"]
    assert [cell.label for cell in section.cells] == order
    spaces = rectangles(section)
    assert spaces["R1"] == (0, 4, 4, 6)
    assert spaces["R4"] == (6, 10, 4, 6)
    assert (spaces["M1"], spaces["M2"]) == ((0, 2, 2, 4), (2, 4, 2, 4))
    assert (spaces["L4"], spaces["L5"]) == ((6, 8, 0, 2), (8, 10, 0, 2))
    assert spaces["I"] == (4, 6, 0, 4)
    assert (section.ticks, section.turn, section.inside, section.corner) == (10, -2, "left", (4, 6))


def test_the_run_of_a_two_lane_hairpin() -> None:
    spaces = rectangles(tile_set().sections["114b", False])
    # Outside 1 + 2 + 1 spaces, inside 2 + 1 + 2.
    assert [label for label in spaces if label[0] in "LO"] == ["L1", "O1", "O2", "L4"]
    assert [label for label in spaces if label[0] in "RI"] == ["R1", "R2", "I", "R4", "R5"]
    assert spaces["L1"] == (0, 4, 0, 3)


def test_merged_rows_take_both_letters() -> None:
    forwards, backwards = tile_set().sections["113a", False], tile_set().sections["113a", True]
    assert [cell.label for cell in forwards.cells] == ["LM1", "R1", "O1", "I", "O2", "LM3", "R3"]
    assert [cell.label for cell in backwards.cells] == ["L1", "MR1", "I", "O1", "O2", "L3", "MR3"]


def test_a_dangerous_outside_space_is_one_space() -> None:
    section = tile_set().sections["118a", True]
    assert rectangles(section)["O"] == (2, 4, 2, 6)
    assert (cell(section, "O").limit, cell(section, "O").danger) == (5, True)
    assert (cell(section, "I").limit, cell(section, "I").danger) == (5, False)


@pytest.mark.parametrize("face_id", WITH_LINES)
@pytest.mark.rule("GT-SHARP-1")
def test_lines_stand_at_both_ends_of_the_inside_space_only(face_id: str) -> None:
    for backwards in (False, True):
        section = tile_set().sections[face_id, backwards]
        lined = [cell.label for cell in section.cells if cell.entry_lines or cell.exit_lines]
        assert lined == ["I"]
        inside = cell(section, "I")
        assert inside.limit
        assert [line.mark for line in inside.entry_lines] == [line.mark for line in inside.exit_lines]


def marks(section: Section) -> tuple[list[tuple[int, int, Any]], list[tuple[int, int, Any]]]:
    inside = cell(section, "I")
    entry, leave = inside.entry_lines, inside.exit_lines
    return [(x.left, x.right, x.mark) for x in entry], [(x.left, x.right, x.mark) for x in leave]


@pytest.mark.rule("GT-SHARP-1")
def test_a_line_is_as_wide_as_the_lane_in_front_of_it() -> None:
    sections = tile_set().sections
    assert marks(sections["116a", False]) == ([(2, 4, 2), (4, 6, 1)],) * 2
    assert marks(sections["116a", True]) == ([(2, 4, 2), (0, 2, 1)],) * 2
    # Nothing but a corner: as wide as the lanes of the tile.
    assert marks(sections["107a", False]) == ([(4, 6, "!")],) * 2
    assert marks(sections["107b", False]) == ([(3, 6, "!")],) * 2
    # An adapter: three lanes at one end, two at the other.
    assert marks(sections["119b", False]) == ([(4, 6, 2)], [(3, 6, 2)])
    assert marks(sections["119b", True]) == ([(0, 3, 2)], [(0, 2, 2)])
    assert marks(sections["109b", False]) == ([], [])


def test_120b_is_the_mirror_image_of_119b() -> None:
    for backwards in (False, True):
        right, left = tile_set().sections["119b", backwards], tile_set().sections["120b", backwards]
        mirrored = {(c.rear, c.front, 6 - c.right, 6 - c.left, c.role) for c in right.cells}
        assert {(c.rear, c.front, c.left, c.right, c.role) for c in left.cells} == mirrored
        assert (left.turn, left.lanes) == (-right.turn, right.lanes)
        assert {left.inside, right.inside} == {"left", "right"}
    assert tile_set().sections["120b", False].inside == "left"
    assert tile_set().sections["120b", False].turn == -1


def test_every_section_covers_the_whole_road_once() -> None:
    """Each tick of each sixth of the road belongs to exactly one space; so no step can find a hole."""
    for section in tile_set().sections.values():
        covered = Counter(
            (tick, sixth)
            for cell in section.cells
            for tick in range(cell.rear, cell.front)
            for sixth in range(cell.left, cell.right)
        )
        assert covered == Counter((tick, sixth) for tick in range(section.ticks) for sixth in range(6)), section.face


def test_driving_backwards_twice_is_driving_forwards() -> None:
    for face in tile_set().faces.values():
        if not face.two_ways:
            continue
        there, back = tile_set().sections[face.id, False], tile_set().sections[face.id, True]
        turned = {(there.ticks - c.front, there.ticks - c.rear, 6 - c.right, 6 - c.left, c.limit) for c in there.cells}
        assert {(c.rear, c.front, c.left, c.right, c.limit) for c in back.cells} == turned
        assert (back.turn, back.lanes) == (-there.turn, there.lanes[::-1])


def test_straights_and_the_start_are_driven_one_way() -> None:
    one_way = {face_id for face_id, backwards in tile_set().sections} - {
        face_id for face_id, backwards in tile_set().sections if backwards
    }
    assert one_way == {"102a", "102b", "103a", "103b", "104a", "104b"}
    assert {face.id for face in tile_set().faces.values() if face.is_chicane} == {"110a", "110b", "116a", "116b"}
    tight = {face.number for face in tile_set().faces.values() if face.is_tight}
    assert tight == {"107", "108", "109", "111", "114"}


@pytest.mark.rule("GT-GRID-3")
def test_the_start_tile_has_its_grid_before_the_line() -> None:
    for side in "ab":
        face = tile_set().faces["102" + side]
        assert line_tick(face) == 6
        assert face.grid == (("L3", "R3"), ("L2", "R2"), ("L1", "R1"))
        fronts = {c.label: c.front for c in drive(face, backwards=False).cells}
        assert [fronts[left] for left, _ in face.grid] == [6, 4, 2]


# --- broken files -------------------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Change], TrackError]:
    """Change one face in a copy of the tile file and give back the complaint."""
    content = json.loads((track.DATA / TILE_FILE).read_text("utf-8"))

    def complaint(face_id: str, change: Change) -> TrackError:
        change(next(face for face in content["faces"] if face["id"] == face_id))
        return complaint_about(content, tmp_path, monkeypatch)

    return complaint


def complaint_about(content: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> TrackError:
    (folder / "gt").mkdir()
    (folder / TILE_FILE).write_text(json.dumps(content), "utf-8")
    monkeypatch.setattr(track, "DATA", folder)
    with pytest.raises(TrackError) as caught:
        tile_set()
    return caught.value


def corner_of(face: dict[str, Any]) -> dict[str, Any]:
    return next(block["corner"] for block in face["blocks"] if "corner" in block)  # type: ignore[no-any-return]


BROKEN: list[tuple[str, Change, str, str]] = [
    ("112a", lambda f: corner_of(f).update(limit=7), "112a $.blocks[1].corner.limit", "<= 6"),
    ("112a", lambda f: corner_of(f).update(limit=0), "112a $.blocks[1].corner.limit", ">= 1"),
    ("112a", lambda f: corner_of(f).update(limit="2"), "112a $.blocks[1].corner.limit", "got `str`"),
    ("112a", lambda f: corner_of(f).update(split="up"), "112a $.blocks[1].corner.split", "'up'"),
    ("112a", lambda f: corner_of(f).update(outside="three"), "112a $.blocks[1].corner.outside", "'three'"),
    ("112a", lambda f: corner_of(f).update(lines={"A": 1}), "112a $.blocks[1].corner.lines", "unknown field `A`"),
    ("112a", lambda f: corner_of(f).update(lines={"C": 0}), "112a $.blocks[1].corner.lines.C", ">= 1"),
    ("112a", lambda f: corner_of(f).update(lines={"C": "?"}), "112a $.blocks[1].corner.lines.C", "'?'"),
    ("112b", lambda f: corner_of(f).update(lines={"B": 1}), "112b $.blocks[1].corner.lines.B", "no middle lane"),
    ("115a", lambda f: corner_of(f).update(lines={"B": 1}), "115a $.blocks[1].corner.lines.B", "inside space"),
    ("119b", lambda f: corner_of(f).update(split="in"), "119b $.blocks[1].corner.split", "three lanes"),
    ("103a", lambda f: f["blocks"].append({"bridge": 3}), "103a $.blocks[2]", "unknown field `bridge`"),
    ("103a", lambda f: f["blocks"].append({}), "103a $.blocks[2]", "unknown block"),
    ("103a", lambda f: f["blocks"].append({"row": 3, "run": 3}), "103a $.blocks[2]", "unknown block"),
    ("103a", lambda f: f["blocks"].append({"row": 4}), "103a $.blocks[2].row", "4"),
    ("103a", lambda f: f.update(blocks=[]), "103a $.blocks", "at least one block"),
    ("103a", lambda f: f.update(lanes=[3, 2]), "103a $.lanes[1]", "2 lanes, but the block there has 3"),
    ("103a", lambda f: f.update(lanes=[2, 3]), "103a $.lanes[0]", "2 lanes, but the block there has 3"),
    ("107a", lambda f: f["blocks"].append(f["blocks"][0]), "107a $.blocks[1]", "second corner"),
    ("103a", lambda f: f.update(turn=3), "103a $.turn", "<= 2"),
    ("103a", lambda f: f.update(danger="green"), "103a $.danger", "'green'"),
    ("103b", lambda f: f.update(copies=2), "103a $.copies", "3, but 103b has 2"),
    ("103a", lambda f: f.update(copies=0), "103a $.copies", ">= 1"),
    ("103a", lambda f: f.pop("turn"), "103a $", "missing required field `turn`"),
    ("103a", lambda f: f.update(id="103c"), "103c $.id", "matching regex"),
    ("103a", lambda f: f.update(id="104a"), "104a", "twice"),
    ("103a", lambda f: f.update(id="903a"), "903a", "other side"),
    ("103a", lambda f: f.update(id=7), "face number 3 $.id", "got `int`"),
    ("102a", lambda f: f.update(line_after=4), "102a $.line_after", "block behind it"),
    ("102a", lambda f: f.update(line_after=2), "102a $.grid[0][0]", "no space L3 before the line"),
    ("102a", lambda f: f.update(grid=[["L3", "R9"]]), "102a $.grid[0][1]", "no space R9"),
    ("102a", lambda f: f.update(grid=[["R3", "L3"]]), "102a $.grid[0]", "left space comes first"),
    ("102a", lambda f: f.update(grid=f["grid"][:2]), "102a $.grid", "6 different spaces"),
    ("102a", lambda f: f.update(grid=f["grid"][:2] + f["grid"][:1]), "102a $.grid", "6 different spaces"),
    ("102a", lambda f: f.update(turn=1), "102a $.blocks", "straight"),
    ("102a", lambda f: f.pop("line_after"), "102a $.line_after", "belong together"),
    ("102a", lambda f: [f.pop("line_after"), f.pop("grid")], "102a $.line_after", "only one"),
]


@pytest.mark.parametrize(("face_id", "change", "place", "reason"), BROKEN)
def test_a_broken_face_is_named(
    broken: Callable[[str, Change], TrackError], face_id: str, change: Change, place: str, reason: str
) -> None:
    error = broken(face_id, change)
    assert (error.source, error.place) == (TILE_FILE, place)
    assert reason in error.reason


def test_a_set_without_start_tile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.loads((track.DATA / TILE_FILE).read_text("utf-8"))
    content["faces"] = content["faces"][2:]
    assert "no start tile" in str(complaint_about(content, tmp_path, monkeypatch))
