"""The race record: acting, undoing, writing, reading back, and finding the first wrong entry."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import BadInput, RecordError, Rejected
from engine.core.game import Entrant, Setup
from engine.core.log import Race, decode_record, encode_record, record_for, replay, start_race
from engine.core.model import Seat
from engine.core.options import make_options
from engine.core.registry import find_game
from engine.gt.actions import ChooseSpace, ChooseTyres, FinishPlan, OneByOne, Roll, TakeBack
from tests.engine.laws.walk import some_race, walk

GT = find_game("gt")


def new_race(seats: int = 2, **settings_: Any) -> Race[Any, Any, Any, Any]:
    options = make_options(GT.meta, "standard", {"grid": "given", **settings_})
    return start_race(GT, Setup("C2", options, tuple(Entrant(f"D{n}") for n in range(seats)), bytes(16)))


def planned() -> Race[Any, Any, Any, Any]:
    """Driver 0 has laid gear die 1 straight on."""
    race = new_race()
    return race.act(ChooseSpace(Seat(0), race.game.legal(race.state, Seat(0))[0].space))


def finished_record() -> dict[str, Any]:
    *_, race = walk(some_race("gt", 3), random.Random(3))
    return json.loads(encode_record(race, reveal=True))


def check(record: dict[str, Any]) -> None:
    replay(decode_record(json.dumps(record).encode(), "race.json"))


def test_entries_are_numbered_from_one_and_name_the_actor():
    race = planned().act(FinishPlan(Seat(0)), "order", at="2026-11-01T10:00:00Z")
    first, second = race.entries
    assert (first.number, first.actor, first.at) == (1, "driver", "")
    assert (second.number, second.actor, second.at) == (2, "order", "2026-11-01T10:00:00Z")


def test_a_rejected_action_leaves_the_race_as_it_was():
    race = planned()
    with pytest.raises(Rejected, match="turn/not_yours"):
        race.act(FinishPlan(Seat(1)))
    assert race.number == 1


def test_undo_goes_back_entry_by_entry_and_is_itself_an_entry():
    start = new_race()
    race = planned().act(FinishPlan(Seat(0)))
    once = race.undo(Seat(0))
    assert once.state == planned().state
    assert once.entries[-1].undo_to == 1
    twice = once.undo(Seat(0))
    assert twice.state == start.state
    assert [entry.number for entry in twice.entries] == [1, 2, 3, 4]
    with pytest.raises(Rejected, match="undo/nothing"):
        twice.undo(Seat(0))


def test_undo_stops_at_revealed_dice():
    race = planned().act(FinishPlan(Seat(0))).act(OneByOne(Seat(0))).act(Roll(Seat(0)))
    with pytest.raises(Rejected, match="undo/revealed"):
        race.undo(Seat(0), to=2)


def test_nobody_undoes_what_another_driver_did():
    race = planned()
    with pytest.raises(Rejected, match="undo/other_seat"):
        race.undo(Seat(1))


def test_a_race_with_undone_entries_replays():
    race = planned().undo(Seat(0)).act(planned().entries[0].action).act(FinishPlan(Seat(0))).act(TakeBack(Seat(0)))
    again = replay(decode_record(encode_record(race, reveal=True)))
    assert again.state == race.state
    assert again.entries == race.entries


def test_a_running_race_does_not_give_its_seed_away():
    race = new_race()
    data = encode_record(race, reveal=False)
    assert race.setup.seed.hex().encode() not in data
    with pytest.raises(RecordError, match=r"header.seed: the seed is not revealed yet"):
        replay(decode_record(data))


def test_sealed_tyres_stay_sealed_in_the_log_until_all_are_in():
    race = new_race(tyre_choice="free").act(ChooseTyres(Seat(0), "rain"))
    assert record_for(race, Seat(0))[0].action == ChooseTyres(Seat(0), "rain")
    assert record_for(race, Seat(1))[0].action is None
    assert record_for(race, None)[0].action is None
    opened = race.act(ChooseTyres(Seat(1), "asphalt"))
    assert record_for(opened, None)[0].action == ChooseTyres(Seat(0), "rain")


def test_plans_stay_private_in_the_log():
    race = planned()
    assert record_for(race, Seat(0))[0].events
    assert record_for(race, Seat(1))[0].events == ()
    assert record_for(race, Seat(1))[0].action is None


def test_a_finished_race_verifies():
    check(finished_record())


def test_another_seed_than_promised_is_found():
    record = finished_record()
    record["header"]["seed"] = bytes(16).hex()
    with pytest.raises(RecordError, match=r"race.json: header.commitment: the seed is not the one"):
        check(record)


def test_a_changed_die_is_found_at_its_entry():
    record = finished_record()
    number, event = next(
        (entry["number"], event)
        for entry in record["entries"]
        for event in entry.get("events", [])
        if event["event"] == "dice_rolled"
    )
    event["dice"][0]["hazard"] = not event["dice"][0].get("hazard", False)
    with pytest.raises(RecordError, match=f"race.json: entry {number}: event .* is written as"):
        check(record)


def test_a_missing_entry_is_found():
    record = finished_record()
    del record["entries"][4]
    with pytest.raises(RecordError, match="entry 5: it carries the number 6"):
        check(record)


def test_an_illegal_action_is_found_at_its_entry():
    record = finished_record()
    record["entries"][2]["action"] = {"do": "roll", "seat": 5}
    with pytest.raises(RecordError, match="entry 3: the rules refuse it"):
        check(record)


def test_a_changed_track_is_found():
    record = finished_record()
    record["header"]["track_hash"] = "0" * 64
    with pytest.raises(RecordError, match=r"header.track_hash: the track .* is not the one that was raced"):
        check(record)


def test_other_rules_are_never_applied_silently():
    record = finished_record()
    record["header"]["rules_version"] = 99
    with pytest.raises(RecordError, match=r"rules_version: driven by rules version 99"):
        check(record)


def test_events_left_out_are_found():
    record = finished_record()
    record["entries"][-1]["events"].pop()
    with pytest.raises(RecordError, match=r"entry \d+: \d+ events are written, the rules give"):
        check(record)


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [
        ("game", "chess", "header"),
        ("options", {"lapps": 3}, "header"),
        ("options", {"laps": 99}, "header"),
        ("seed", "xyz", "header"),
        ("seed", "00", "header"),
        ("track", "C99", "header"),
    ],
)
def test_a_broken_header_is_named(field: str, value: object, place: str):
    record = finished_record()
    record["header"][field] = value
    with pytest.raises(RecordError, match=f"race.json: {place}"):
        check(record)


def test_an_unreadable_entry_is_named():
    record = finished_record()
    record["entries"][6]["action"] = {"do": "fly_away", "seat": 0}
    with pytest.raises(RecordError, match=r"race.json: entry 7: .*fly_away"):
        check(record)


@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_refused_with_a_record_error(data: bytes):
    with pytest.raises(RecordError):
        decode_record(data)


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)


@settings(max_examples=60, deadline=None)
@given(path=st.integers(min_value=0), value=LEAVES)
def test_a_record_with_any_one_value_changed_is_refused_or_still_true(path: int, value: object):
    record = finished_record()
    spots = [*record["header"].items()]
    key, _ = spots[path % len(spots)]
    record["header"][key] = value
    try:
        check(record)
    except RecordError:
        return
    assert record["header"]["game"] == "gt"


def test_a_seed_of_the_wrong_length_is_refused():
    with pytest.raises(BadInput, match="a seed has 16 bytes, this one 3"):
        start_race(GT, Setup("C2", make_options(GT.meta), (Entrant("Ann"),), b"abc"))
