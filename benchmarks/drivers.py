"""How strong and how quick the AI drivers are.

    python benchmarks/drivers.py            # prints tables
    python benchmarks/drivers.py --quick

Duels are seeded and go round all nine circuits; who stands on pole is drawn. Times are CPU times, given as multiples of
the mean `apply` of the same run.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from statistics import mean, median, quantiles
from typing import NamedTuple

from engine.cli.simulate import Job, run_job
from engine.cli.table import seed_from
from engine.core.driver import drivers_of
from engine.core.game import Entrant, Setup
from engine.core.options import make_options
from engine.core.registry import find_game
from engine.gt.solo import clock_time

CIRCUITS = tuple(f"C{n}" for n in range(9))


def duels(stronger: str, weaker: str, races: int) -> float:
    """The share of duels the stronger one wins."""
    jobs = [
        Job("gt", CIRCUITS[n % 9], (stronger, weaker) if n % 2 else (weaker, stronger), "standard", (), n)
        for n in range(races)
    ]
    with ProcessPoolExecutor() as pool:
        orders = [outcome.order for outcome in pool.map(run_job, jobs, chunksize=10)]
    return mean(order[0] == (0 if n % 2 else 1) for n, order in enumerate(orders))


def solo_times(driver: str, races: int) -> list[int]:
    """The times of solo laps on C2."""
    jobs = [Job("gt", "C2", (driver,), "solo", (), n) for n in range(races)]
    with ProcessPoolExecutor() as pool:
        return [outcome.score for outcome in pool.map(run_job, jobs, chunksize=10)]


class Thinking(NamedTuple):
    """CPU seconds of a driver's decisions, and of the engine's `apply`."""

    decisions: list[float]
    applies: list[float]


def thinking(driver: str, races: int) -> Thinking:
    """Every decision of races of four, in one process that starts with empty caches."""
    game, strengths = find_game("gt"), drivers_of("gt")
    decisions: list[float] = []
    applies: list[float] = []
    options = make_options(game.meta, "standard", {})
    entrants = tuple(Entrant(f"{driver} {n}", driver=driver) for n in range(4))
    for race in range(races):
        state, _ = game.new(Setup(CIRCUITS[race % 9], options, entrants, seed_from(race)))
        while game.result(state) is None:
            seat = game.decisions(state)[0].seat
            view = game.view(state, seat)
            began = time.process_time()
            action = strengths[driver].choose(view, seat)
            chosen = time.process_time()
            state, _ = game.apply(state, action)
            applies.append(time.process_time() - chosen)
            decisions.append(chosen - began)
    return Thinking(decisions, applies)


def scaling(races: int) -> tuple[float, int]:
    """How many times as many races a second all cores drive as one core does."""
    jobs = [Job("gt", CIRCUITS[n % 9], ("racer", "racer"), "standard", (), n) for n in range(races)]
    rates: list[float] = []
    cores = os.cpu_count() or 1
    for processes in (1, cores):
        with ProcessPoolExecutor(max_workers=processes) as pool:
            list(pool.map(run_job, jobs[: 2 * processes]))
            began = time.perf_counter()
            list(pool.map(run_job, jobs, chunksize=5))
            rates.append(races / (time.perf_counter() - began))
    return rates[1] / rates[0], cores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    races = 40 if quick else 200
    names = list(drivers_of("gt"))
    print(f"| {races} duels | won |\n|---|---|")
    for weaker, stronger in pairwise(names):
        print(f"| {stronger} against {weaker} | {duels(stronger, weaker, races):.1%} |")
    print(f"\n| {races} solo laps on C2 | mean | median | best |\n|---|---|---|---|")
    for name in names:
        times = solo_times(name, races)
        shown = (clock_time(round(seconds)) for seconds in (mean(times), median(times), min(times)))
        print(f"| {name} | {' | '.join(shown)} |")
    print("\n| a decision | mean | p95 | slowest | p95 in applies |\n|---|---|---|---|---|")
    for name in names:
        spent = thinking(name, 3 if quick else 9)
        p95 = quantiles(spent.decisions, n=20)[-1]
        shown = (f"{seconds * 1e3:.1f} ms" for seconds in (mean(spent.decisions), p95, max(spent.decisions)))
        print(f"| {name} | {' | '.join(shown)} | {p95 / mean(spent.applies):.0f} |")
    gain, cores = scaling(races)
    print(f"\n`simulate` on {cores} cores drives {gain:.2f} times the races of one core (other work runs beside it).")


if __name__ == "__main__":
    main()
