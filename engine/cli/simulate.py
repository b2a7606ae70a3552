"""`simulate`: many races in parallel processes, and what came of them."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from statistics import mean, pstdev
from typing import NamedTuple

from engine.cli.table import HUMAN, drive_on, entrants_for, open_race, print_line, track_for
from engine.core.driver import drivers_of
from engine.core.errors import BadInput
from engine.core.model import tag_of
from engine.core.registry import find_game
from engine.gt.solo import clock_time

BAR_WIDTH = 40


class Job(NamedTuple):
    """One race to be driven in some process."""

    game: str
    track: str
    seats: tuple[str, ...]
    preset: str
    settings: tuple[str, ...]
    seed: int


class Outcome(NamedTuple):
    """What is kept of it."""

    order: tuple[int, ...]
    score: int
    way: str
    turns: int
    events: Counter[str]


def run_job(job: Job) -> Outcome:
    """Drive one race to its end."""
    game = find_game(job.game)
    entrants = entrants_for(game, job.seats)
    race = open_race(game, job.track, entrants, job.preset, list(job.settings), job.seed)
    counted = ("turn_ended", "control_lost", "car_returned", "pit_entered")
    events: Counter[str] = Counter()
    while (result := game.result(race.state)) is None:
        after = drive_on(race)
        assert after is not None, "AI drivers do not leave"
        race = after
        events.update(tag for event in race.entries[-1].events if (tag := tag_of(event)) in counted)
    order = tuple(place.seat for place in result.places)
    return Outcome(order, result.places[0].score, result.way, events["turn_ended"], events)


def simulate(arguments: Namespace) -> int:
    """Drive many races and print who won how often."""
    game = find_game(arguments.game)
    seats = tuple(arguments.seats.split(","))
    if any(seat.partition("=")[0] == HUMAN for seat in seats):
        raise BadInput("seats", HUMAN, f"only AI drivers simulate; choose from: {', '.join(drivers_of(game.meta.id))}")
    track = track_for(game, arguments.circuit, arguments.preset)
    first = arguments.seed if arguments.seed is not None else 0
    settings = tuple(arguments.set)
    # Fail here, with a clear message, and not in every process.
    open_race(game, track, entrants_for(game, seats), arguments.preset, list(settings), first)
    jobs = [Job(game.meta.id, track, seats, arguments.preset, settings, first + n) for n in range(arguments.races)]
    outcomes = list(_with_bar(jobs, arguments.jobs or os.cpu_count() or 1))
    for line in summary(outcomes, seats):
        print_line(line)
    return 0


def _with_bar(jobs: list[Job], processes: int) -> Iterator[Outcome]:
    """Results in the order of the jobs; a bar on the error stream while a person is watching."""
    show = sys.stderr.isatty()
    with ProcessPoolExecutor(max_workers=min(processes, max(1, len(jobs)))) as pool:
        chunk = max(1, len(jobs) // (processes * 16))
        for done, outcome in enumerate(pool.map(run_job, jobs, chunksize=chunk), 1):
            if show:
                filled = BAR_WIDTH * done // len(jobs)
                sys.stderr.write(f"\r[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {done}/{len(jobs)}")
            yield outcome
    if show:
        sys.stderr.write("\n")


def summary(outcomes: list[Outcome], seats: tuple[str, ...]) -> list[str]:
    """Wins and mean places by seat, or the times of a solo driver."""
    races = len(outcomes)
    losses = sum(outcome.events["control_lost"] for outcome in outcomes)
    turns = sum(outcome.turns for outcome in outcomes)
    lines = [f"{races} races, {turns / races:.1f} turns and {losses / races:.2f} losses of control a race"]
    if len(seats) == 1:
        times = [outcome.score for outcome in outcomes]
        lines.append(
            f"{seats[0]}: mean {clock_time(round(mean(times)))} (deviation {pstdev(times):.0f} s), "
            f"best {clock_time(min(times))}, worst {clock_time(max(times))}"
        )
        return lines
    for seat, driver in enumerate(seats):
        wins = sum(outcome.order[0] == seat for outcome in outcomes)
        place = mean(outcome.order.index(seat) + 1 for outcome in outcomes)
        lines.append(f"seat {seat + 1} {driver}: {wins} wins ({wins / races:.0%}), mean place {place:.2f}")
    return lines
