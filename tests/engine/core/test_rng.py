"""Dice that can be checked: repeatable, unbiased, independent by stream, scriptable."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine.core.rng import Rng, ScriptExhausted, commitment

SEED = bytes(range(16))


def test_a_draw_is_hmac_sha256_over_stream_and_counter():
    word = int.from_bytes(hmac.new(SEED, b"dice/3#0", hashlib.sha256).digest()[:8], "big")
    value, after = Rng(SEED).below("dice/3", 6)
    assert value == word % 6
    assert after.counters == (("dice/3", 1),)


def test_the_same_seed_gives_the_same_dice_for_ever():
    # Written down once: if this changes, no published record can be verified any more.
    assert Rng(SEED).many_below("dice/0", 6, 12)[0] == (0, 0, 5, 0, 0, 0, 4, 0, 2, 1, 4, 0)
    assert commitment(SEED) == "f476f69b76561cf05bfd3dfa002cad129c66fd893642551f73456862b218a835"


def test_many_draws_in_one_go_are_the_draws_one_after_the_other():
    rng, single = Rng(SEED), []
    for _ in range(5):
        value, rng = rng.below("dice/1", 6)
        single.append(value)
    many, after = Rng(SEED).many_below("dice/1", 6, 5)
    assert (list(many), after) == (single, rng)


def test_streams_do_not_disturb_each_other():
    _, after_bag = Rng(SEED).below("bag", 42)
    assert after_bag.below("dice/0", 6)[0] == Rng(SEED).below("dice/0", 6)[0]
    one = Rng(SEED).many_below("dice/0", 6, 40)[0]
    other = Rng(SEED).many_below("dice/1", 6, 40)[0]
    assert one != other


def test_draws_are_spread_evenly():
    faces = Counter(Rng(SEED).many_below("dice/0", 6, 6000)[0])
    assert set(faces) == set(range(6))
    # Six standard deviations of a binomial with 6000 draws and a chance of 1/6.
    assert all(abs(count - 1000) < 174 for count in faces.values())


def test_words_that_would_favour_small_numbers_are_thrown_away(monkeypatch: pytest.MonkeyPatch):
    words = iter([(1 << 64) - 1, 7])
    monkeypatch.setattr(hmac, "digest", lambda *_: next(words).to_bytes(8, "big") + bytes(24))
    value, after = Rng(SEED).below("dice/0", 6)
    assert value == 1
    assert after.counters == (("dice/0", 2),)


def test_picking_follows_the_weights_and_never_takes_what_is_not_there():
    rng, kinds = Rng(SEED), Counter[int]()
    for _ in range(3000):
        kind, rng = rng.pick("bag", (1, 0, 2))
        kinds[kind] += 1
    assert kinds[1] == 0
    assert 1800 < kinds[2] < 2200


def test_shuffling_reaches_every_order():
    rng, orders = Rng(SEED), set()
    for _ in range(200):
        order, rng = rng.shuffled("grid", "abc")
        orders.add("".join(order))
    assert orders == {"abc", "acb", "bac", "bca", "cab", "cba"}


def test_a_script_replaces_chance_stream_by_stream():
    rng = Rng(SEED, script=(("dice", (0, 5)), ("grid", (2, 0, 1)), ("bag", (2,))))
    first, rng = rng.below("dice/0", 6)
    second, rng = rng.below("dice/1", 6)
    order, rng = rng.shuffled("grid", "abc")
    kind, rng = rng.pick("bag", (1, 1, 1))
    assert (first, second, order, kind) == (0, 5, ("c", "a", "b"), 2)
    assert rng.below("weather", 2) == Rng(SEED, script=rng.script).below("weather", 2)
    with pytest.raises(ScriptExhausted, match="dice: 1 more wanted, 0 left"):
        rng.below("dice/0", 6)


def test_a_script_cannot_draw_a_token_that_is_not_in_the_bag():
    with pytest.raises(ScriptExhausted, match="kind 1 is not in the bag"):
        Rng(SEED, script=(("bag", (1,)),)).pick("bag", (3, 0))
