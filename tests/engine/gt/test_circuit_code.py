"""Circuit codes: reading, printing, checking and turning round (rules, sections 9.5 to 9.7)."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import TrackError
from engine.gt.circuit import circuit_file, load_circuit
from engine.gt.code import (
    CodeError,
    CodeFault,
    ParsedCode,
    Token,
    check,
    format_code,
    parse_code,
    reverse_code,
    section_of,
    stations,
    suffix_of,
    valid_code,
)
from engine.gt.tiles import tile_set

IDS = ("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8")
OVAL = "GT1-102a-105al-105al-106al-103a-106al-115al-115al"


def names(text: str, stock: str = "box") -> list[tuple[str, int]]:
    assert stock in ("box", "free")
    return [(fault.name, fault.token) for fault in check(text, "free" if stock == "free" else "box")]


# --- reading and printing -----------------------------------------------------------------------------------------


def test_a_code_is_read() -> None:
    tokens = (Token("102a"), Token("105a", "l"), Token("116a", "v"))
    assert parse_code("GT1-102a-105al-116av") == ParsedCode(tokens, None)
    assert parse_code("GT1-102a-105al-116av-x2") == ParsedCode(tokens, 2)
    assert parse_code("GT1-102a-105al-116av-x002") == ParsedCode(tokens, 2)


def test_case_and_surrounding_space_do_not_matter_and_printing_is_canonical() -> None:
    shouted = parse_code("  gt1-102A-105AL-116AV-X2\n")
    assert str(shouted) == "GT1-102a-105al-116av-x2"
    assert shouted == parse_code(str(shouted))
    assert format_code(shouted.tokens) == "GT1-102a-105al-116av"


@pytest.mark.parametrize("circuit_id", IDS)
def test_the_ready_made_codes_are_without_fault(circuit_id: str) -> None:
    code = circuit_file(circuit_id).code
    assert check(code) == check(code + "-x5") == []
    assert str(valid_code(code)) == code


@pytest.mark.parametrize(
    ("token", "turn", "backwards"),
    [
        ("105ar", 1, False),
        ("105al", -1, True),
        ("111br", 2, False),
        ("111bl", -2, True),
        ("119br", 1, False),
        ("119bl", -1, True),
        # 120b alone is drawn to the left.
        ("120bl", -1, False),
        ("120br", 1, True),
        ("116a", 0, False),
        ("116av", 0, True),
        ("119a", 0, False),
        ("119av", 0, True),
        ("103a", 0, False),
    ],
)
def test_the_suffix_says_how_a_tile_is_driven(token: str, turn: int, backwards: bool) -> None:
    parsed = parse_code(f"GT1-{token}").tokens[0]
    section = section_of(parsed)
    assert (section.turn, section.backwards) == (turn, backwards)
    assert parsed.face + suffix_of(section) == token


def test_119av_widens_from_two_lanes_to_three() -> None:
    assert section_of(Token("119a")).lanes == (3, 2)
    assert section_of(Token("119a", "v")).lanes == (2, 3)


def test_every_way_of_driving_every_face_has_its_own_token() -> None:
    tokens = {section.face + suffix_of(section) for section in tile_set().sections.values()}
    assert len(tokens) == len(tile_set().sections) == 70
    for section in tile_set().sections.values():
        assert section_of(parse_code(f"GT1-{section.face}{suffix_of(section)}").tokens[0]) == section


# --- faults -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "token", "params"),
    [
        (
            "GT1-102a-105al-105al-106al-103a-106al-115al-115ar",
            "E-OPEN",
            0,
            {"q": 1, "r": 1, "heading": 2, "turned": -4},
        ),
        ("GT1-102a-103b-105al", "E-LANES", 2, {"from": 3, "to": 2}),
        ("GT1-102a-107al-107al-111al-103a", "E-OVERLAP", 4, {"other": 1, "q": 0, "r": 0}),
        (
            "GT1-102a-105al-105al-105al-103a-106al-115al-115al",
            "E-STOCK",
            4,
            {"number": "105", "copies": 2, "used": 3},
        ),
    ],
)
@pytest.mark.rule("GT-SETUP-2")
def test_the_rejected_codes_of_section_9_6(text: str, name: str, token: int, params: dict[str, int | str]) -> None:
    first = check(text)[0]
    assert (first.name, first.token, dict(first.params)) == (name, token, params)
    with pytest.raises(CodeError, match=name):
        valid_code(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GT1-102a-121a", ("E-TOKEN", 2)),
        ("GT1-102a-101a", ("E-TOKEN", 2)),
        ("GT1-102a-103c", ("E-TOKEN", 2)),
        ("GT1-102a-103a-105a", ("E-TOKEN", 3)),  # A turn needs a hand.
        ("GT1-102a-105av", ("E-TOKEN", 2)),
        ("GT1-102a-116al", ("E-TOKEN", 2)),
        ("GT1-102a-103av", ("E-TOKEN", 2)),  # A plain straight is the same both ways.
        ("GT1-102av-103a", ("E-TOKEN", 1)),
        ("GT1-102al-103a", ("E-TOKEN", 1)),
        ("GT1--102a", ("E-TOKEN", 1)),
        ("GT1-102a-", ("E-TOKEN", 2)),
        ("GT1-102a-x2-103a", ("E-TOKEN", 2)),
        (OVAL + "-x0", ("E-TOKEN", 9)),
        (OVAL + "-x6", ("E-TOKEN", 9)),
        (OVAL + "-x" + "9" * 5000, ("E-TOKEN", 9)),
        (OVAL + "-x", ("E-TOKEN", 9)),
        ("GT1-1０2a", ("E-TOKEN", 1)),  # A digit, but not of ours.
        ("GT1", ("E-TOKEN", 0)),
        ("GT1-x2", ("E-TOKEN", 0)),
        ("GT2-102a-103a", ("E-TOKEN", 0)),
        ("", ("E-TOKEN", 0)),
    ],
)
def test_a_token_that_does_not_exist_is_named(text: str, expected: tuple[str, int]) -> None:
    assert names(text)[0] == expected
    with pytest.raises(CodeError):
        parse_code(text)


def test_a_fault_says_how_the_token_is_written() -> None:
    assert check("GT1-102a-103a-105a")[0].reason == "'105a' is written 105al or 105ar"
    assert check("GT1-102a-116al")[0].reason == "'116al' is written 116a or 116av"


@pytest.mark.rule("GT-SETUP-2")
def test_there_is_one_start_tile_and_it_comes_first() -> None:
    assert ("E-START", 1) in names("GT1-103a-105al-105al-106al-102a-106al-115al-115al")
    assert ("E-START", 5) in names("GT1-103a-105al-105al-106al-102a-106al-115al-115al")
    twice = OVAL.replace("103a", "102a")
    assert names(twice) == [("E-START", 5), ("E-STOCK", 5)]
    assert names(twice, "free") == [("E-START", 5)]


def test_sides_a_and_b_count_together_for_the_stock() -> None:
    # Two of side a and one of side b make three of tile 105; the joints are wrong as well.
    code = OVAL.replace("106al-103a", "105bl-103a")
    assert names(code)[0] == ("E-STOCK", 4)
    assert "E-STOCK" not in dict(names(code, "free"))


def test_only_the_first_tile_too_many_is_named_once_per_number() -> None:
    code = "GT1-102a-104a-103a-103a-103a-103a-103a-118ar-118al"
    assert [fault for fault in names(code) if fault[0] == "E-STOCK"] == [("E-STOCK", 6), ("E-STOCK", 9)]


def test_the_closing_joint_is_reported_at_token_1() -> None:
    code = "GT1-102b-105al-105al-106al-103a-106al-115al-115al"
    assert names(code) == [("E-LANES", 2), ("E-LANES", 1)]


def test_the_number_of_tiles() -> None:
    five = "GT1-102a-115al-115al-115al-115al"
    assert names(five, "free")[-1] == ("E-LENGTH", 0)
    assert "E-LENGTH" not in dict(names(five + "-115al", "free"))
    side = "-103a" * 12
    long_oval = f"GT1-102a{side}-115al-115al-115al-103a{side}-115al-115al-115al"
    assert len(parse_code(long_oval).tokens) == 32
    assert names(long_oval, "free") == [("E-LENGTH", 0)]
    assert dict(check(long_oval, "free")[0].params) == {"tiles": 32}
    side = "-103a" * 11
    assert names(f"GT1-102a{side}-115al-115al-115al-103a{side}-115al-115al-115al", "free") == []


def test_a_circuit_without_any_limit_is_refused() -> None:
    code = OVAL.replace("115al", "105al")
    assert names(code, "free") == [("E-LENGTH", 0)]
    assert "limit" in check(code, "free")[0].reason


def test_a_road_that_runs_home_without_turning_once_round_is_open() -> None:
    # The oval twice: it comes home, but has turned twice (and lies on itself).
    twice = OVAL + OVAL.removeprefix("GT1").replace("102a", "103a")
    faults = check(twice, "free")
    assert faults[-1].name == "E-OPEN"
    assert dict(faults[-1].params) == {"q": 0, "r": 0, "heading": 0, "turned": -12}
    assert {fault.name for fault in faults} == {"E-OVERLAP", "E-OPEN"}


def test_all_faults_are_found_in_the_order_of_section_9_5() -> None:
    faults = check("GT1-105al-105al-105bl-107al-107al-zzz")
    assert [(fault.name, fault.token) for fault in faults] == [
        ("E-TOKEN", 6),
        ("E-START", 1),
        ("E-STOCK", 3),
        ("E-LANES", 3),
        ("E-LANES", 4),
        # Neither E-OPEN nor anything behind the token at fault: nobody knows where the road goes from there.
    ]
    order = ["E-TOKEN", "E-START", "E-STOCK", "E-LANES", "E-OVERLAP", "E-OPEN", "E-LENGTH"]
    everything = check("GT1-103a-107al-107al-107al-105bl")
    found = [fault.name for fault in everything]
    assert found == sorted(found, key=order.index)
    assert set(found) == set(order) - {"E-TOKEN"}


def test_a_code_error_shows_the_first_fault_and_counts_the_others() -> None:
    with pytest.raises(CodeError) as caught:
        valid_code("GT1-102a-103b-105al")
    error = caught.value
    assert isinstance(error, TrackError)
    assert [fault.name for fault in error.faults] == ["E-LANES", "E-LANES", "E-OPEN", "E-LENGTH", "E-LENGTH"]
    assert (error.source, error.place) == ("GT1-102a-103b-105al", "token 2")
    assert str(error) == ("GT1-102a-103b-105al: token 2: E-LANES: 3 lanes (102a) run into 2 (103b) (and 4 more)")
    alone = CodeError("GT1", [CodeFault("E-TOKEN", 0, "the code names no tile")])
    assert str(alone) == "GT1: E-TOKEN: the code names no tile"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.faults) == (str(error), error.faults)


def test_a_message_does_not_repeat_a_whole_novel() -> None:
    with pytest.raises(CodeError) as caught:
        parse_code("once upon a time " * 1000)
    assert len(str(caught.value)) < 200


# --- turning round ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("circuit_id", IDS)
def test_turning_round_twice_changes_nothing(circuit_id: str) -> None:
    code = circuit_file(circuit_id).code
    assert reverse_code(code) != code
    assert check(reverse_code(code)) == []
    assert reverse_code(reverse_code(code)) == code
    assert reverse_code(code + "-x2") == reverse_code(code) + "-x2"


def test_turning_round_c5() -> None:
    """Both adapters: 120bl becomes 120br, 119av becomes 119a; straights and the start stay as they are."""
    assert reverse_code(circuit_file("C5").code) == (
        "GT1-102a-106ar-112ar-118al-111ar-119a-104b-107br-117br-109bl-113bl-106bl-108br-120br-105ar-103a"
    )


@pytest.mark.parametrize("circuit_id", IDS)
def test_turned_round_the_tiles_lie_in_the_mirror_order(circuit_id: str) -> None:
    """Point reflection: seen from the start tile, the same road is driven from its other end."""
    there = [section_of(token) for token in parse_code(circuit_file(circuit_id).code).tokens]
    back = [section_of(token) for token in parse_code(reverse_code(circuit_file(circuit_id).code)).tokens]
    first = [(-s.q, -s.r) for s in list(stations(there))[:-1]]
    assert [(s.q, s.r) for s in stations(back)][:-1] == [first[0], *reversed(first[1:])]


# --- garbage ------------------------------------------------------------------------------------------------------

TOKENS = sorted({section.face + suffix_of(section) for section in tile_set().sections.values()})
PIECES = st.sampled_from(
    [*TOKENS, "GT1", "gt1", "x2", "x0", "", "102", "999a", "105a", "105aV", "-", " ", "x", "ſ", "K"]
)
GARBAGE = st.one_of(
    st.text(),
    st.text(alphabet="GT1-02345689abvlrxABVLRX", max_size=60).map("GT1-".__add__),
    st.lists(PIECES, max_size=40).map("-".join),
    st.lists(PIECES, max_size=40).map(lambda pieces: "GT1-" + "-".join(pieces)),
)


@given(GARBAGE)
def test_garbage_only_ever_raises_a_code_error(text: str) -> None:
    unreadable = tuple(fault for fault in check(text) if fault.name == "E-TOKEN")
    if unreadable:
        with pytest.raises(CodeError) as refused:
            parse_code(text)
        assert refused.value.faults == unreadable
        assert str(refused.value)
        return
    parsed = parse_code(text)
    assert parse_code(str(parsed)) == parsed
    assert reverse_code(reverse_code(text)) == str(parsed)


@given(GARBAGE)
def test_garbage_is_no_circuit(text: str) -> None:
    faults = check(text, "free")
    if faults:
        with pytest.raises(TrackError):
            load_circuit(text, stock="free")
    else:
        assert load_circuit(text, stock="free").spaces


@given(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=35), st.none() | st.integers(1, 5))
def test_every_list_of_tokens_prints_and_parses(tokens: list[str], laps: int | None) -> None:
    text = "GT1-" + "-".join(tokens) + ("" if laps is None else f"-x{laps}")
    assert str(parse_code(text)) == str(parse_code(text.upper())) == text
    assert parse_code(text).laps == laps
