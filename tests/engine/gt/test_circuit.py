"""Circuits: their spaces and steps, the grid and the measure of distance (rules, section 9)."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.core import track
from engine.core.errors import TrackError
from engine.core.model import SpaceId
from engine.gt import circuit as circuit_module
from engine.gt import tiles as tiles_module
from engine.gt.circuit import Circuit, Space, check_road, circuit_file, load_circuit, next_inside
from engine.gt.code import CodeError, parse_code, reverse_code
from engine.gt.tiles import TILE_FILE

IDS = ("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8")

# Section 9.6: tiles, rows, spaces, side of the pole.
CIRCUITS = {
    "C0": (8, 22, 66, "L", "Practice Oval"),
    "C1": (14, 40, 83, "L", "Harbour Lights"),
    "C2": (15, 39, 116, "R", "Linden Park"),
    "C3": (15, 44, 93, "L", "Old Town"),
    "C4": (15, 41, 118, "L", "Airfield"),
    "C5": (16, 45, 112, "L", "Two Quays"),
    "C6": (15, 41, 117, "L", "Quarry Hill"),
    "C7": (17, 47, 99, "L", "Citadel"),
    "C8": (17, 45, 129, "L", "Long Meadow"),
}

# Section 3.7, without the pit tile.
COURSES = {
    "C1": "102b, 103b, 104b, 2×105b, 2×106b, 109b, 110b, 2×111b, 112b, 114b, 115b",
    "C2": "102a, 103a, 2×104a, 2×105a, 106a, 2×111a, 2×112a, 2×115a, 116a, 117a",
    "C3": "102b, 103b, 104b, 105b, 2×106b, 109b, 2×111b, 112b, 114b, 2×115b, 2×116b",
    "C4": "102a, 2×103a, 105a, 2×106a, 110a, 111a, 112a, 113a, 2×115a, 2×117a, 118a",
    "C5": "102a, 103a, 104b, 105a, 106a, 106b, 107b, 108b, 109b, 111a, 112a, 113b, 117b, 118a, 119a, 120b",
    "C6": "102a, 2×103a, 2×104a, 105a, 106a, 107a, 109a, 111a, 112a, 113a, 116a, 117a, 118a",
    "C7": "102b, 2×103b, 104b, 105b, 2×106b, 107b, 108b, 109b, 2×111b, 112b, 113b, 114b, 116b, 117b",
    "C8": "102a, 3×103a, 3×104a, 2×105a, 106a, 107a, 110a, 111a, 113a, 114a, 117a, 118a",
}


def at(address: str) -> SpaceId:
    return SpaceId(address)


def ways(circuit: Circuit, address: str) -> dict[str, tuple[str, int, int]]:
    """Where a space leads: target -> kind, limit, hazards."""
    return {step.to: (step.kind, step.limit, step.auto) for step in circuit.steps[at(address)]}


def space(circuit: Circuit, address: str) -> Space:
    return circuit.spaces[at(address)]


# --- the ready-made circuits --------------------------------------------------------------------------------------


def test_the_ready_made_circuits_are_these() -> None:
    assert track.track_ids("gt") == IDS


@pytest.mark.parametrize("circuit_id", IDS)
@pytest.mark.rule("GT-SETUP-2", "GT-GRID-2", "GT-GRID-3")
def test_a_ready_made_circuit_has_the_published_measures(circuit_id: str) -> None:
    circuit = load_circuit(circuit_id)
    tiles, rows, spaces, pole, name = CIRCUITS[circuit_id]
    assert (circuit.id, circuit.name) == (circuit_id, name)
    assert (len(circuit.tiles), circuit.length, len(circuit.spaces)) == (tiles, 2 * rows, spaces)
    other = "L" if pole == "R" else "R"
    assert circuit.grid == tuple(f"0.{side}{row}" for row in (3, 2, 1) for side in (pole, other))
    assert circuit.line == 6
    assert [tile.face for tile in circuit.tiles].count(circuit.tiles[0].face) == 1
    assert circuit.tiles[0].face in ("102a", "102b")


@pytest.mark.parametrize("circuit_id", sorted(COURSES))
@pytest.mark.rule("GT-SETUP-2")
def test_a_course_uses_exactly_the_published_tiles(circuit_id: str) -> None:
    published: Counter[str] = Counter()
    for item in COURSES[circuit_id].split(", "):
        count, _, face = item.rpartition("×")
        published[face] += int(count or 1)
    assert Counter(tile.face for tile in load_circuit(circuit_id).tiles) == published


def test_the_positions_of_c2() -> None:
    circuit = load_circuit("C2")
    positions = "0,0 0,-1 0,-2 0,-3 1,-4 1,-3 2,-3 1,-2 1,-1 2,-1 2,0 2,1 1,2 0,2 0,1"
    assert [f"{tile.q},{tile.r}" for tile in circuit.tiles] == positions.split()
    assert [tile.heading for tile in circuit.tiles] == [0, 0, 0, 0, 1, 3, 2, 4, 3, 2, 3, 3, 4, 5, 0]
    assert [tile.turn for tile in circuit.tiles] == [0, 0, 0, 1, 2, -1, 2, -1, -1, 1, 0, 1, 1, 1, 0]


def test_a_placed_tile_says_how_it_is_driven() -> None:
    tile = load_circuit("C6").tiles[7]
    assert (tile.token, tile.face, tile.backwards, tile.level) == ("116av", "116a", True, "orange")
    tiles = load_circuit("C5").tiles
    # 120b is drawn to the left, so driving it to the left is driving it as drawn.
    assert (tiles[3].token, tiles[3].backwards, tiles[3].turn) == ("120bl", False, -1)
    assert [tile.first_tick for tile in tiles[:4]] == [0, 8, 12, 16]
    assert sum(tile.ticks for tile in tiles) == load_circuit("C5").length == tiles[-1].first_tick + tiles[-1].ticks


def test_spaces_are_ordered_and_cover_every_tick() -> None:
    for circuit_id in IDS:
        circuit = load_circuit(circuit_id)
        spaces = list(circuit.spaces.values())
        assert spaces == sorted(spaces, key=lambda s: (s.tile, s.rear, s.left))
        assert all(0 <= s.rear < s.front <= circuit.length for s in spaces)
        area = sum((s.front - s.rear) * (s.right - s.left) for s in spaces)
        assert area == 6 * circuit.length


# --- steps --------------------------------------------------------------------------------------------------------

VECTORS = """
C2 2.R1   2.I ahead 1 0
C2 2.M1   2.I ahead 2 0 · 2.O1 diagonal 3 0
C2 2.L1   2.I diagonal 3 0 · 2.O1 ahead 3 0
C2 2.O1   2.I merge 3 0 · 2.O2 ahead 3 0
C2 2.I    2.L3 diagonal – 0 · 2.M3 ahead 2 0 · 2.R3 ahead 1 0
C2 3.L1   3.O ahead 4 0
C2 4.I    5.R1 ahead 1 0 · 5.M1 ahead – 0 · 5.L1 diagonal – 0
C6 3.L2   3.I ahead 1 1
C6 3.M1   3.R1 merge – 0 · 3.M2 ahead – 0 · 3.L2 diagonal – 0
C6 5.LM1  5.I ahead 2 0 · 5.O1 ahead 2 0
C6 5.R1   5.I ahead 2 1
C6 9.I    10.L1 ahead 1 0 · 10.M1 ahead – 0 · 10.R1 diagonal – 0
C5 3.M1   3.I ahead 3 0 · 3.O1 ahead 3 0
C5 11.R2  11.M3 ahead – 0 · 11.R3 ahead – 0
"""


@pytest.mark.parametrize("vector", VECTORS.strip().splitlines())
@pytest.mark.rule("GT-MOVE-2", "GT-MOVE-3", "GT-SHARP-2", "GT-SHARP-3", "GT-SHARP-5")
def test_the_steps_of_section_9_10(vector: str) -> None:
    circuit_id, address, targets = vector.split(maxsplit=2)
    expected = {}
    for target in targets.split(" · "):
        to, kind, limit, auto = target.split()
        expected[to] = (kind, int(limit.replace("–", "0")), int(auto))
    assert ways(load_circuit(circuit_id), address) == expected


def test_a_step_onto_a_dangerous_space_names_its_limit() -> None:
    (step,) = load_circuit("C2").steps[at("3.L1")]
    assert (step.to, step.danger, step.limit) == ("3.O", 4, 4)
    assert {step.to: step.danger for step in load_circuit("C2").steps[at("3.R1")]} == {"3.I": 0, "3.O": 4}
    assert {step.to: step.limit for step in load_circuit("C2").steps[at("3.R1")]} == {"3.I": 3, "3.O": 4}


@pytest.mark.rule("GT-SHARP-2", "GT-SHARP-3", "GT-SHARP-5")
def test_ex_11_lines_of_a_chicane_driven_backwards() -> None:
    circuit = load_circuit("C6")
    assert space(circuit, "7.I").inside == "left"
    entering = {lane: ways(circuit, f"7.{lane}1")["7.I"] for lane in "LMR"}
    assert entering == {"L": ("ahead", 1, 0), "M": ("ahead", 2, 0), "R": ("diagonal", 3, 0)}
    leaving = {"7.L3": ("ahead", 1, 0), "7.M3": ("ahead", 2, 0), "7.R3": ("diagonal", 0, 0)}
    assert ways(circuit, "7.I") == leaving


@pytest.mark.rule("GT-SHARP-5")
def test_ex_12_a_hazard_line_costs_only_on_the_inner_lane() -> None:
    circuit = load_circuit("C6")
    assert ways(circuit, "3.L2")["3.I"] == ("ahead", 1, 1)
    assert ways(circuit, "3.I")["3.L4"] == ("ahead", 0, 1)
    assert ways(circuit, "3.M2")["3.I"] == ("ahead", 1, 0)
    assert ways(circuit, "3.I")["3.M4"] == ("ahead", 0, 0)


@pytest.mark.rule("GT-MOVE-3", "GT-MOVE-7", "GT-OVER-1")
def test_ex_13_beside_in_a_staggered_corner() -> None:
    circuit = load_circuit("C2")
    assert circuit.beside[at("12.I")] == {"12.O1", "12.O2"}
    assert circuit.beside[at("12.O1")] == {"12.I"}
    assert "12.I" in ways(circuit, "12.O1")
    assert "12.O2" not in ways(circuit, "12.I")


@pytest.mark.rule("GT-MOVE-7", "GT-OVER-1")
def test_ex_14_a_long_space_beside_short_ones() -> None:
    circuit = load_circuit("C6")
    assert circuit.beside[at("3.R1")] == {"3.L1", "3.M1", "3.L2", "3.M2"}
    assert ways(circuit, "3.M1")["3.R1"] == ("merge", 0, 0)
    assert "3.M2" not in ways(circuit, "3.R1")
    assert "3.R1" not in ways(circuit, "3.M2")
    assert "3.R1" not in ways(circuit, "3.L1")


@pytest.mark.rule("GT-MOVE-2", "GT-SHARP-2")
def test_ex_15_adapters() -> None:
    circuit = load_circuit("C5")
    assert ways(circuit, "11.L2") == {"11.L3": ("ahead", 0, 0), "11.M3": ("ahead", 0, 0)}
    assert ways(circuit, "3.M1")["3.I"] == ("ahead", 3, 0)
    assert ways(circuit, "3.L1")["3.I"] == ("ahead", 2, 0)
    # Leaving, the lane beside the line is a lane of two, and the line is as wide.
    assert ways(circuit, "3.I") == {"3.L3": ("ahead", 2, 0), "3.R3": ("diagonal", 0, 0)}


@pytest.mark.rule("GT-OVER-1")
def test_the_lanes_between_do_not_matter_for_beside() -> None:
    circuit = load_circuit("C2")
    assert circuit.beside[at("10.L2")] == {"10.M2", "10.R2"}
    assert circuit.beside[at("0.L1")] == {"0.M1", "0.R1"}
    assert all(here in circuit.beside[there] for here, others in circuit.beside.items() for there in others)


@pytest.mark.parametrize("circuit_id", IDS)
@pytest.mark.rule("GT-MOVE-2", "GT-MOVE-3", "GT-MOVE-5", "GT-MOVE-7")
def test_steps_are_exactly_those_of_the_definition(circuit_id: str) -> None:
    """Every pair of spaces, by the words of section 9.3."""
    circuit = load_circuit(circuit_id)
    for here in circuit.spaces.values():
        expected = {}
        for there in circuit.spaces.values():
            overlap = min(here.right, there.right) - max(here.left, there.left)
            if there.rear == here.front % circuit.length and overlap >= 0:
                expected[there.id] = "ahead" if overlap else "diagonal"
            common = min(here.front, there.front) - max(here.rear, there.rear)
            if common > 0 and overlap == 0 and there.front > here.front:
                expected[there.id] = "merge"
        assert {step.to: step.kind for step in circuit.steps[here.id]} == expected
        for step in circuit.steps[here.id]:
            there = circuit.spaces[step.to]
            # Never backwards and never sideways: the front edge moves on, by one long space at most.
            assert 0 < (there.front - here.front) % circuit.length <= 4
            if there.tile != here.tile:
                assert here.front == circuit.tiles[here.tile].first_tick + circuit.tiles[here.tile].ticks


@pytest.mark.parametrize("circuit_id", IDS)
def test_steps_are_listed_from_left_to_right(circuit_id: str) -> None:
    """Menus and the notation rely on this order."""
    circuit = load_circuit(circuit_id)
    for steps in circuit.steps.values():
        targets = [circuit.spaces[step.to] for step in steps]
        assert targets == sorted(targets, key=lambda s: (s.left, s.rear))
        assert len({target.id for target in targets}) == len(targets) > 0


@pytest.mark.rule("GT-SHARP-7")
def test_the_innermost_lane_cannot_swing_out_of_a_double_inner_corner() -> None:
    circuit = load_circuit("C2")
    assert set(ways(circuit, "12.R1")) == {"12.I"}
    assert set(ways(circuit, "12.M1")) == {"12.I", "12.O1"}


@pytest.mark.rule("GT-SHARP-7")
def test_double_inner_strict_closes_the_diagonal_of_the_middle_lane_only() -> None:
    usual, strict = load_circuit("C6"), load_circuit("C6", double_inner_strict=True)
    missing = {
        (here, step.to) for here, steps in usual.steps.items() for step in steps if step not in strict.steps[here]
    }
    # 109a, 116a, 111a, 112a and 107a have a middle lane before the corner; 113a has merged lanes, 117a and 118a split
    # outwards.
    assert missing == {
        ("3.M2", "3.O1"),
        ("7.M1", "7.O1"),
        ("8.M2", "9.O1"),
        ("10.M1", "10.O1"),
        ("10.M3", "11.O1"),
    }
    assert ways(strict, "10.M1") == {"10.I": ("ahead", 2, 0)}
    assert strict is not usual


@pytest.mark.rule("GT-MOVE-7")
def test_merging_can_be_switched_off_and_every_space_still_leads_on() -> None:
    for circuit_id in IDS:
        for reverse in (False, True):
            usual = load_circuit(circuit_id, reverse=reverse)
            without = load_circuit(circuit_id, reverse=reverse, merge_moves=False)
            assert any(step.kind == "merge" for steps in usual.steps.values() for step in steps)
            for here, steps in usual.steps.items():
                assert without.steps[here] == tuple(step for step in steps if step.kind != "merge") != ()


# --- lines that meet ----------------------------------------------------------------------------------------------

OVAL = "GT1-102a-103a-104a-105al-105al-105al-103a-103a-103a-105al-105al-105al"


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data folder that a test may change."""
    shutil.copytree(track.DATA / "gt", tmp_path / "gt")
    shutil.copytree(track.DATA / "tracks" / "gt", tmp_path / "tracks" / "gt")
    monkeypatch.setattr(track, "DATA", tmp_path)
    return tmp_path


def two_chicanes(folder: Path, first: dict[str, Any], second: dict[str, Any]) -> Circuit:
    """An oval on which tiles 1 and 2 are nothing but corners, so that their lines lie on one boundary.

    With the published tiles that cannot happen: two tiles that are only a corner turn tightly, and two tight turns the
    same way overlap.
    """
    content = json.loads((folder / TILE_FILE).read_text("utf-8"))
    for face in content["faces"]:
        for face_id, corner in (("103a", first), ("104a", second)):
            if face["id"] == face_id:
                face["blocks"] = [{"corner": {"split": "in", "outside": "two"} | corner}]
    (folder / TILE_FILE).write_text(json.dumps(content), "utf-8")
    return load_circuit(OVAL, stock="free")


@pytest.mark.parametrize(
    ("exit_mark", "entry_mark", "expected"),
    [
        (2, 1, ("ahead", 1, 0)),
        (1, 2, ("ahead", 1, 0)),
        ("!", "!", ("ahead", 4, 2)),
        ("!", 2, ("ahead", 2, 1)),
        (2, "!", ("ahead", 2, 1)),
    ],
)
@pytest.mark.rule("GT-RUL-6", "GT-RUL-7")
def test_exit_and_entry_lines_on_one_boundary_both_apply(
    own_data: Path, exit_mark: int | str, entry_mark: int | str, expected: tuple[str, int, int]
) -> None:
    """The inside spaces are merged lanes: the boundary is lined in front of lane C only, and still it is crossed."""
    circuit = two_chicanes(own_data, {"limit": 5, "lines": {"C": exit_mark}}, {"limit": 4, "lines": {"C": entry_mark}})
    assert ways(circuit, "1.I")["2.I"] == expected
    # A diagonal step crosses neither of them (GT-SHARP-5).
    assert ways(circuit, "1.O2")["2.I"] == ("diagonal", 4, 0)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ({"B": 2, "C": 1}, ("ahead", 1, 0)),
        ({"B": 1, "C": 2}, ("ahead", 1, 0)),
        ({"B": "!", "C": "!"}, ("ahead", 4, 1)),
        ({"B": "!", "C": 3}, ("ahead", 3, 1)),
    ],
)
@pytest.mark.rule("GT-RUL-7")
def test_of_two_lines_at_one_end_the_stricter_binds(
    own_data: Path, lines: dict[str, Any], expected: tuple[str, int, int]
) -> None:
    circuit = two_chicanes(own_data, {"limit": 5}, {"limit": 4, "lines": lines})
    assert ways(circuit, "1.I")["2.I"] == expected


@pytest.mark.parametrize(("own_limit", "expected"), [(4, 2), (1, 1)])
@pytest.mark.rule("GT-SHARP-3")
def test_an_exit_line_never_raises_the_limit_of_the_next_space(own_data: Path, own_limit: int, expected: int) -> None:
    circuit = two_chicanes(own_data, {"limit": 3, "lines": {"C": 2}}, {"limit": own_limit})
    assert ways(circuit, "1.I")["2.I"] == ("ahead", expected, 0)


@pytest.mark.rule("GT-SHARP-2")
def test_an_entry_line_replaces_the_limit_even_by_a_higher_one(own_data: Path) -> None:
    circuit = two_chicanes(own_data, {"limit": 3}, {"limit": 1, "lines": {"C": 3}})
    assert ways(circuit, "1.I")["2.I"] == ("ahead", 3, 0)


@pytest.mark.rule("GT-RUL-8")
def test_a_limit_from_an_exit_line_is_not_printed_on_the_space() -> None:
    circuit = load_circuit("C2")
    assert ways(circuit, "2.I")["2.R3"] == ("ahead", 1, 0)
    after_corner = space(circuit, "2.R3")
    assert (after_corner.limit, after_corner.corner, after_corner.line_sign) == (0, False, False)
    # Nor does it make the space part of that corner: the next one is what counts.
    assert space(load_circuit("C2"), "8.R3").inside == "right"
    assert space(load_circuit("C2"), "8.I").inside == "left"


def test_what_a_space_says_about_its_corner() -> None:
    circuit = load_circuit("C2")
    inside, outside, dangerous = space(circuit, "2.I"), space(circuit, "2.O1"), space(circuit, "3.O")
    assert (inside.limit, inside.corner, inside.line_sign, inside.danger) == (3, True, True, False)
    assert (outside.limit, outside.corner, outside.line_sign, outside.danger) == (3, True, False, False)
    assert (dangerous.limit, dangerous.corner, dangerous.line_sign, dangerous.danger) == (4, True, False, True)
    assert {s.level for s in circuit.spaces.values() if s.tile == 2} == {"orange"}


def test_edges_of_the_road() -> None:
    circuit = load_circuit("C6")
    expected = {"0.L1": "left", "0.M1": "", "0.R1": "right", "3.I": "left", "3.O2": "right", "5.LM1": "left"}
    assert {address: space(circuit, address).edge for address in expected} == expected


# --- order, grid, distance ----------------------------------------------------------------------------------------


@pytest.mark.rule("GT-ORDER-5")
def test_the_inside_is_that_of_the_current_or_the_next_corner() -> None:
    circuit = load_circuit("C2")
    # Tile 5 is an unlimited bend to the left; what counts is the limited corner on tile 6, to the right (EX-3).
    assert circuit.tiles[5].turn == -1
    assert space(circuit, "5.R2").inside == "right"
    assert space(circuit, "5.R2").inside_rank < space(circuit, "5.M2").inside_rank < space(circuit, "5.L2").inside_rank
    # Tile 8 turns left, tile 9 right: before, in and after the corner of tile 8.
    sides = {address: space(circuit, address).inside for address in ("8.L1", "8.I", "8.O2", "8.L3", "9.L1", "9.I")}
    assert sides == {
        "8.L1": "left",
        "8.I": "left",
        "8.O2": "left",
        "8.L3": "right",
        "9.L1": "right",
        "9.I": "right",
    }


@pytest.mark.rule("GT-ORDER-5", "GT-GRID-2")
def test_behind_the_last_corner_the_first_one_of_the_next_lap_counts() -> None:
    circuit = load_circuit("C0")
    assert [tile.face for tile in circuit.tiles[-2:]] == ["115a", "115a"]
    assert space(circuit, "7.R3").inside == "left"
    reverse = load_circuit("C0", reverse=True)
    assert space(reverse, "7.R1").inside == "right"
    assert reverse.grid[0] == "0.R3"


@pytest.mark.rule("GT-GRID-2", "GT-ORDER-5")
def test_an_unlimited_bend_does_not_decide_the_pole() -> None:
    # The first bend is tile 1, to the right; the first corner with a limit is tile 2, to the left.
    circuit = load_circuit("C3")
    assert (circuit.tiles[1].turn, circuit.tiles[2].turn) == (1, -1)
    assert circuit.grid[0] == "0.L3"


@pytest.mark.rule("GT-GRID-2", "GT-GRID-3")
def test_ex_1_the_grid_of_c2() -> None:
    assert load_circuit("C2").grid[:4] == ("0.R3", "0.L3", "0.R2", "0.L2")


@pytest.mark.rule("GT-RUL-39")
def test_without_any_limit_the_left_lane_is_the_inside() -> None:
    assert next_inside(10, [], 40) == "left"
    assert next_inside(10, [(12, "right"), (20, "left")], 40) == "right"
    assert next_inside(13, [(12, "right"), (20, "left")], 40) == "left"
    assert next_inside(21, [(12, "right"), (20, "left")], 40) == "right"


@pytest.mark.rule("GT-RUL-40")
def test_level_front_edges_tie_on_distance_and_the_inside_ranks_first() -> None:
    circuit = load_circuit("C2")
    inside, outside = space(circuit, "12.I"), space(circuit, "12.O2")
    assert circuit.progress(inside.id, 1) == circuit.progress(outside.id, 1)
    assert circuit.progress(at("12.O1"), 1) == circuit.progress(inside.id, 1) - 1
    assert inside.inside_rank < outside.inside_rank
    left_hand = load_circuit("C6")
    assert space(left_hand, "3.I").inside_rank < space(left_hand, "3.O2").inside_rank


@pytest.mark.rule("GT-ORDER-4")
def test_ex_33_distance() -> None:
    circuit = load_circuit("C2")
    assert circuit.progress(at("0.M2"), 1) == 78 + 74 + 2
    assert circuit.progress(at("14.R3"), 1) == 78 + 70 + 2
    assert circuit.progress(at("0.L4"), 2) == 156 + 0 + 2
    assert circuit.progress(at("0.R4"), 1) == 78 + 0 + 2
    assert circuit.progress(circuit.grid[0], 0) == 0 + 76 + 2


@pytest.mark.parametrize("circuit_id", IDS)
@pytest.mark.rule("GT-END-4")
def test_the_line_is_crossed_from_row_3_to_row_4_of_the_start_tile(circuit_id: str) -> None:
    circuit = load_circuit(circuit_id)
    crossing = {(here, step.to) for here, steps in circuit.steps.items() for step in steps if step.crosses}
    third_row = {here for here, s in circuit.spaces.items() if s.tile == 0 and s.front == circuit.line}
    expected = {(here, step.to) for here in third_row for step in circuit.steps[here]}
    assert crossing == expected != set()
    assert all(to.startswith("0.") and to.endswith("4") for _, to in crossing)


@pytest.mark.parametrize("circuit_id", IDS)
@pytest.mark.rule("GT-ORDER-4", "GT-END-4")
def test_every_step_leads_further_ahead(circuit_id: str) -> None:
    """The distance grows with each step, over the line too."""
    circuit = load_circuit(circuit_id)
    for here, steps in circuit.steps.items():
        for step in steps:
            assert circuit.progress(step.to, 1 + step.crosses) > circuit.progress(here, 1)


# --- loading ------------------------------------------------------------------------------------------------------


def test_an_id_is_found_in_any_case_and_a_circuit_is_built_once() -> None:
    assert load_circuit("c2") is load_circuit(" C2 ") is load_circuit("C2", stock="box", reverse=False)
    code = load_circuit("C2").code
    assert load_circuit(code.upper()) is load_circuit(code)
    assert load_circuit(code).spaces == load_circuit("C2").spaces
    assert load_circuit(code).hash == load_circuit("C2").hash


def test_laps_in_a_code_do_not_change_the_road() -> None:
    plain = load_circuit("C0")
    raced = load_circuit(plain.code + "-x3")
    assert (plain.laps_in_code, raced.laps_in_code) == (None, 3)
    assert (raced.code, raced.hash) == (plain.code, plain.hash)
    assert load_circuit(plain.code + "-x3", reverse=True).laps_in_code == 3


def test_the_hash_sees_code_and_faces(own_data: Path) -> None:
    content = json.loads((own_data / TILE_FILE).read_text("utf-8"))
    harbour = load_circuit("C1").hash
    oval = load_circuit("C0").hash
    assert harbour != oval
    for face in content["faces"]:
        if face["id"] == "115a":
            face["danger"] = "red"
    (own_data / TILE_FILE).write_text(json.dumps(content), "utf-8")
    forget_circuits()
    assert load_circuit("C0").hash != oval
    assert load_circuit("C1").hash == harbour


def forget_circuits() -> None:
    circuit_module._load.cache_clear()
    tiles_module._tile_set.cache_clear()


@pytest.mark.parametrize("circuit_id", IDS)
def test_every_circuit_can_be_driven_the_other_way(circuit_id: str) -> None:
    there, back = load_circuit(circuit_id), load_circuit(circuit_id, reverse=True)
    assert back.code == reverse_code(there.code) != there.code
    assert (back.length, len(back.spaces)) == (there.length, len(there.spaces))
    assert Counter(s.limit for s in back.spaces.values()) == Counter(s.limit for s in there.spaces.values())
    assert load_circuit(back.code, reverse=True).code == there.code


@pytest.mark.parametrize("text", ["", "C9", "nonsense", "C2/../C3", "../C2", "*"])
def test_an_unknown_circuit_names_the_known_ones(text: str) -> None:
    with pytest.raises(TrackError, match="C0, C1, C2"):
        load_circuit(text)


def test_a_code_with_faults_raises_them() -> None:
    with pytest.raises(CodeError) as caught:
        load_circuit("GT1-102a-105al-105al-105al-103a-106al-115al-115al")
    assert [fault.name for fault in caught.value.faults] == ["E-STOCK"]
    assert load_circuit("GT1-102a-105al-105al-105al-103a-106al-115al-115al", stock="free").length == 42


@pytest.mark.parametrize(
    ("content", "place", "reason"),
    [
        ({"id": "C1", "name": "x", "code": "GT1-102a"}, "$.id", "'C1' differs from the name of the file"),
        ({"id": "C2", "name": "x"}, "$", "missing required field `code`"),
        ({"id": "C2", "name": 5, "code": "GT1-102a"}, "$.name", "got `int`"),
        ({"id": "C2", "name": "x", "code": "GT1-102a-103b"}, "$.code", "token 2: E-LANES"),
        ({"id": "C2", "name": "x", "code": "GT1-102a", "laps": 2}, "$", "unknown field `laps`"),
    ],
)
def test_a_broken_track_file_is_named_with_the_place(
    own_data: Path, content: dict[str, Any], place: str, reason: str
) -> None:
    (own_data / "tracks" / "gt" / "C2.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(TrackError) as caught:
        load_circuit("C2")
    assert (caught.value.source, caught.value.place) == ("tracks/gt/C2.json", place)
    assert reason in caught.value.reason


def test_the_stored_codes_are_canonical() -> None:
    for circuit_id in IDS:
        stored = circuit_file(circuit_id)
        assert str(parse_code(stored.code)) == stored.code == load_circuit(circuit_id).code


# --- checking the road --------------------------------------------------------------------------------------------


def changed(circuit: Circuit, steps: dict[SpaceId, tuple[Any, ...]]) -> Circuit:
    parts = {name: getattr(circuit, name) for name in Circuit.__slots__}
    return Circuit(**(parts | {"steps": circuit.steps | steps}))


def test_a_dead_end_is_named() -> None:
    circuit = changed(load_circuit("C2"), {at("7.M2"): ()})
    with pytest.raises(TrackError, match=r"circuit C2: space 7\.M2: no step leads on"):
        check_road(circuit)


def test_a_space_out_of_reach_is_named() -> None:
    circuit = load_circuit("C2")
    cut = {here: tuple(s for s in steps if s.to != "2.O1") for here, steps in circuit.steps.items()}
    with pytest.raises(TrackError, match=r"circuit C2: space 2\.O1: it cannot be reached"):
        check_road(changed(circuit, cut))


def test_a_road_that_does_not_come_back_is_named() -> None:
    circuit = load_circuit("C2")
    # A trap: from 2.O1 the only step leads back to it.
    into = next(step for step in circuit.steps[at("2.L1")] if step.to == "2.O1")
    with pytest.raises(TrackError, match=r"circuit C2: space 2\.O1: no lap closes"):
        check_road(changed(circuit, {at("2.O1"): (into,)}))
