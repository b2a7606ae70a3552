"""Laws that hold in every state of every registered game."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.errors import Rejected
from engine.core.log import Race, decode_record, encode_record, record_for, replay_steps
from engine.core.model import Seat, visible
from engine.core.orders import run_clock_out
from engine.core.registry import game_ids
from tests.engine.laws.walk import ALL_GAMES, SETUPS, random_action, some_race, stretch, walk

every_game = pytest.mark.parametrize("game_id", ALL_GAMES)
seeds = st.integers(min_value=0, max_value=2**32)
a_few = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
a_handful = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))

MOST_OPTIONS = 25


def seats_of(race: Race[Any, Any, Any, Any]) -> list[Seat]:
    return [Seat(seat) for seat in range(len(race.header.entrants))]


def test_every_registered_game_takes_part():
    assert set(SETUPS) == set(game_ids())


@every_game
@a_handful
@given(seed=seeds)
def test_random_play_ends_and_owes_nothing_then(game_id: str, seed: int):
    chance = random.Random(seed)
    for race in walk(some_race(game_id, seed), chance):
        over = race.game.result(race.state) is not None
        assert over == (not race.game.decisions(race.state))
    places = race.game.result(race.state).places
    assert sorted(place.seat for place in places) == seats_of(race)
    assert [place.place for place in places] == list(range(1, len(places) + 1))


@every_game
@a_few
@given(seed=seeds)
def test_every_owed_seat_has_a_short_list_of_legal_actions_and_the_default_is_one(game_id: str, seed: int):
    for race in stretch(game_id, seed):
        for decision in race.game.decisions(race.state):
            legal = race.game.legal(race.state, decision.seat)
            assert 0 < len(legal) <= MOST_OPTIONS
            assert len(set(legal)) == len(legal)
            assert decision.default in legal
            assert all(action.seat == decision.seat for action in legal)


@every_game
@a_few
@given(seed=seeds)
def test_every_legal_action_applies_and_every_other_is_rejected(game_id: str, seed: int):
    chance = random.Random(seed)
    races = stretch(game_id, seed, 30)
    pool = {action for race in races for seat in seats_of(race) for action in race.game.legal(race.state, seat)}
    for race in races:
        game, state = race.game, race.state
        legal = {action for seat in seats_of(race) for action in game.legal(state, seat)}
        for action in legal:
            game.apply(state, action)
        before = msgspec.json.encode(state)
        for action in chance.sample(sorted(pool - legal, key=repr), min(12, len(pool - legal))):
            with pytest.raises(Rejected):
                game.apply(state, action)
        assert msgspec.json.encode(state) == before


@every_game
@a_few
@given(seed=seeds)
def test_encoding_and_decoding_is_identity(game_id: str, seed: int):
    for race in stretch(game_id, seed, 10):
        types = race.game.types
        state, actions = race.state, [entry.action for entry in race.entries]
        events = [event for entry in race.entries for event in entry.events]
        view = race.game.view(state, Seat(0))
        assert msgspec.json.decode(msgspec.json.encode(state), type=types.state) == state
        assert msgspec.json.decode(msgspec.json.encode(view), type=types.view) == view
        assert msgspec.json.decode(msgspec.json.encode(actions), type=list[types.action]) == actions
        assert msgspec.json.decode(msgspec.json.encode(events), type=list[types.event]) == events
        assert hash(msgspec.json.decode(msgspec.json.encode(state), type=types.state)) == hash(state)


@every_game
@a_handful
@given(seed=seeds)
def test_replaying_a_record_gives_equal_states_and_events(game_id: str, seed: int):
    driven = list(walk(some_race(game_id, seed), random.Random(seed)))
    record = decode_record(encode_record(driven[-1], reveal=True))
    for old, new in zip(driven, replay_steps(record), strict=True):
        assert old.state == new.state
    assert new.entries == driven[-1].entries


@every_game
@a_few
@given(seed=seeds)
def test_the_order_of_simultaneous_answers_is_irrelevant(game_id: str, seed: int):
    chance = random.Random(seed)
    race = some_race(game_id, seed)
    for _ in range(200):
        owed = list(race.game.decisions(race.state))
        if len(owed) > 1:
            answers = [chance.choice(list(race.game.legal(race.state, d.seat))) for d in owed]
            first = second = race
            for answer in answers:
                first = first.act(answer)
            for answer in reversed(answers):
                second = second.act(answer)
            assert first.state == second.state
            return
        if not owed:
            return
        race = race.act(random_action(race.game, race.state, chance))


@every_game
@a_few
@given(seed=seeds)
def test_a_view_holds_neither_the_seed_nor_anything_that_depends_on_it(game_id: str, seed: int):
    for race in stretch(game_id, seed, 10):
        other = msgspec.structs.replace(race.state.rng, seed=bytes(16))
        twin = msgspec.structs.replace(race.state, rng=other)
        for seat in (*seats_of(race), None):
            view = race.game.view(race.state, seat)
            assert view == race.game.view(twin, seat)
            encoded = msgspec.json.encode(view)
            assert race.setup.seed.hex().encode() not in encoded
            assert msgspec.json.encode(race.setup.seed).strip(b'"') not in encoded


@every_game
@a_few
@given(seed=seeds)
def test_what_one_seat_does_in_secret_no_other_seat_sees(game_id: str, seed: int):
    for race in stretch(game_id, seed, 20):
        for decision in race.game.decisions(race.state):
            for action in race.game.legal(race.state, decision.seat):
                if not type(action).secret:
                    continue
                after = race.act(action)
                others = [seat for seat in (*seats_of(race), None) if seat != decision.seat]
                if type(action).secret in {e.__struct_config__.tag for e in after.entries[-1].events}:
                    continue  # the last answer opens them all
                for seat in others:
                    assert record_for(after, seat)[-1].action is None
                    secret_events = set(after.entries[-1].events) - set(visible(after.entries[-1].events, seat))
                    assert not secret_events & set(record_for(after, seat)[-1].events)
                    if decision.sealed or type(action).secret == "never":
                        assert race.game.view(after.state, seat) == race.game.view(
                            _with_another_secret(race, decision.seat, action).state, seat
                        )


def _with_another_secret(race: Race[Any, Any, Any, Any], seat: Seat, action: Any) -> Race[Any, Any, Any, Any]:
    """The race after another secret choice of the same kind, or after the same one if there is no other."""
    others = [a for a in race.game.legal(race.state, seat) if type(a) is type(action) and a != action]
    return race.act(others[0] if others else action)


@every_game
@a_few
@given(seed=seeds)
def test_the_clock_alone_brings_any_seat_to_the_end_of_its_decision(game_id: str, seed: int):
    for race in stretch(game_id, seed, 6):
        for decision in race.game.decisions(race.state):
            after = run_clock_out(race, decision.seat)
            still = [d.clock for d in after.game.decisions(after.state) if d.seat == decision.seat]
            assert decision.clock not in still
            assert {entry.actor for entry in after.entries[race.number :]} == {"clock"}


@every_game
@a_handful
@given(seed=seeds)
def test_a_race_driven_by_the_clock_alone_ends(game_id: str, seed: int):
    race = some_race(game_id, seed)
    for _ in range(5_000):
        owed = race.game.decisions(race.state)
        if not owed:
            return
        race = run_clock_out(race, owed[0].seat)
    raise AssertionError("the clock alone does not finish the race")


@every_game
@a_few
@given(seed=seeds)
def test_undo_returns_to_the_very_state_before_unless_something_was_revealed(game_id: str, seed: int):
    races = stretch(game_id, seed, 15)
    for before, after in pairwise(races):
        entry = after.entries[-1]
        revealed = any(event.reveals for event in entry.events)
        if revealed:
            with pytest.raises(Rejected):
                after.undo(entry.action.seat, to=before.number)
        else:
            assert after.undo(entry.action.seat).state == before.state
