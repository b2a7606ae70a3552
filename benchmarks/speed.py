"""Speed and memory of the engine, as ratios measured in one run (CPU time, not wall time).

    python benchmarks/speed.py            # prints a table
    python benchmarks/speed.py --quick

Yardsticks: python-chess `copy(stack=False)` + `push`, and drawing one board picture with Pillow.
"""

from __future__ import annotations

import argparse
import io
import random
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import chess
from PIL import Image, ImageDraw

from engine.core import log
from engine.core.driver import drivers_of
from engine.core.game import Entrant, Setup
from engine.core.log import Race, decode_record, encode_record, replay, start_race
from engine.core.options import make_options
from engine.core.registry import find_game
from engine.gt import circuit as circuit_module
from engine.gt.circuit import load_circuit
from engine.gt.generate import random_circuit

GT = find_game("gt")


def cpu(work: Callable[[], object], repeat: int = 1) -> float:
    """CPU seconds of one run of the work; the best of three, because others use the machine too."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        for _ in range(repeat):
            work()
        best = min(best, (time.process_time() - began) / repeat)
    return best


def chess_yardstick(games: int) -> float:
    chance = random.Random(1)
    positions = []
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            move = chance.choice(list(board.legal_moves))
            positions.append((board.copy(stack=False), move))
            board.push(move)

    def work() -> None:
        for board, move in positions:
            board.copy(stack=False).push(move)

    return cpu(work) / len(positions)


def drive(track: str, drivers: list[str], seed: int, **settings: Any) -> Race[Any, Any, Any, Any]:
    strengths = drivers_of("gt")
    options = make_options(GT.meta, "standard", settings)
    entrants = tuple(Entrant(f"{name} {n}", driver=name) for n, name in enumerate(drivers))
    race = start_race(GT, Setup(track, options, entrants, random.Random(seed).randbytes(16)))
    while GT.result(race.state) is None:
        seat = GT.decisions(race.state)[0].seat
        race = race.act(strengths[drivers[seat]].choose(GT.view(race.state, seat), seat), "ai")
    return race


def states_and_actions(races: list[Race[Any, Any, Any, Any]]) -> list[tuple[Any, Any]]:
    pairs = []
    for race in races:
        state, _ = GT.new(race.setup)
        for entry in race.entries:
            pairs.append((state, entry.action))
            state, _ = GT.apply(state, entry.action)
    return pairs


def picture_yardstick() -> float:
    """One board picture drawn plainly: 1280x960, three times supersampled, every space a polygon, PNG encoded."""
    road = load_circuit("C8")

    def work() -> None:
        scale = 3
        image = Image.new("RGB", (1280 * scale, 960 * scale), "#3c6e3c")
        draw = ImageDraw.Draw(image)
        for space in road.spaces.values():
            tile = road.tiles[space.tile]
            x = 1700 + tile.q * 260 + space.left * 40
            y = 1500 + (tile.r * 2 + tile.q) * 150 - (space.rear - tile.first_tick) * 35
            draw.polygon([(x, y), (x + 60, y), (x + 60, y - 60), (x, y - 60)], fill="#666", outline="white", width=4)
            draw.text((x + 10, y - 40), space.id, fill="white")
        buffer = io.BytesIO()
        image.resize((1280, 960), Image.Resampling.LANCZOS).save(buffer, "PNG")

    return cpu(work)


def memory_of_a_race(race: Race[Any, Any, Any, Any], another: Race[Any, Any, Any, Any]) -> int:
    """Bytes that one more running race holds: its record and state, without what all races share."""
    log._shared.cache_clear()
    replay(decode_record(encode_record(another, reveal=True)))
    data = encode_record(race, reveal=True)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    held = replay(decode_record(data))
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held.number == race.number
    return after - before


def measure(games: int) -> list[tuple[str, str, str, str]]:
    chess_cost = chess_yardstick(games)
    races = [
        drive(f"C{n % 9}", (["racer"] * (1 + n % 6)) if n % 2 else (["careful", "ace"] * 3)[: 1 + n % 6], n)
        for n in range(games)
    ]
    pairs = states_and_actions(races)

    def applies() -> None:
        for state, action in pairs:
            GT.apply(state, action)

    def legals() -> None:
        for state, action in pairs:
            GT.legal(state, action.seat)

    apply_cost, legal_cost = cpu(applies) / len(pairs), cpu(legals) / len(pairs)
    long_race = drive("C7", ["racer"] * 4, 5, laps=2)
    cut = Race(
        long_race.game, long_race.header, long_race.setup, long_race.entries[:300], long_race.history, long_race.events
    )
    record = decode_record(encode_record(cut, reveal=True))
    replay_cost = cpu(lambda: replay(record), 3)
    picture_cost = picture_yardstick()
    random_cost = max(cpu(lambda s=s: random_circuit(s, 15)) for s in range(games))  # type: ignore[misc]
    code = random_circuit(1, 15)

    def load() -> None:
        circuit_module._load.cache_clear()
        load_circuit(code)

    load_cost = cpu(load, 3)
    crowd = ["careful", "racer", "ace"] * 2
    six_cars = drive("C2", crowd, 1)
    memory = memory_of_a_race(six_cars, drive("C2", crowd, 2))
    micro = 1e6
    return [
        ("chess copy+push", f"{chess_cost * micro:.1f} us", "1", ""),
        ("mean apply", f"{apply_cost * micro:.1f} us", f"{apply_cost / chess_cost:.2f} x chess", "at most 5"),
        ("mean legal", f"{legal_cost * micro:.1f} us", f"{legal_cost / chess_cost:.2f} x chess", "at most 10"),
        (
            f"replay of {len(cut.entries)} entries",
            f"{replay_cost * 1e3:.1f} ms",
            f"{replay_cost / picture_cost:.3f} x picture",
            "at most 0.25",
        ),
        ("one picture, drawn plainly", f"{picture_cost * 1e3:.1f} ms", "1", ""),
        ("random 15-tile circuit, slowest", f"{random_cost * 1e3:.0f} ms", "", "well under 1 s"),
        ("load and check a circuit", f"{load_cost * 1e3:.1f} ms", "", "milliseconds"),
        (
            f"a race in memory ({six_cars.number} entries, {len(crowd)} cars)",
            f"{memory / 1024:.0f} KiB",
            "",
            "under 200 KiB",
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    rows = measure(6 if parser.parse_args().quick else 24)
    print("| what | measured | ratio | wanted |")
    print("|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
