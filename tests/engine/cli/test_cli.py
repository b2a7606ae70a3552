"""The command line: what good runs print, and that bad input gives one clear line, exit status 2 and no traceback."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.__main__ import main

ROOT = Path(__file__).parents[3]
PASSES = """
title = "an empty step"
game = "gt"
track = "C2"
rules = ["GT-ROUND-1"]
[state.cars]
Red = { space = "10.L1", gear = 3 }
[expect]
cars.Red.gear = 3
"""
FAILS = PASSES.replace("cars.Red.gear = 3", "cars.Red.gear = 4")


class Ran(NamedTuple):
    """How a command came out."""

    status: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command line; words are its arguments."""

    def run(*words: str) -> Ran:
        capsys.readouterr()
        try:
            status = main(words)
        except SystemExit as left:
            status = int(left.code or 0)
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lines that the person at the keyboard will type; then the keyboard is gone."""

    def lines(*texts: str) -> None:
        waiting = iter(texts)

        def read(_: str = "") -> str:
            for text in waiting:
                return text
            raise EOFError

        monkeypatch.setattr("builtins.input", read)

    return lines


@pytest.fixture(scope="session")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a short race."""
    path = tmp_path_factory.mktemp("records") / "race.json"
    words = ["play", "gt", "--circuit", "C0", "--seats", "careful,racer", "--seed", "5", "--quiet"]
    assert main([*words, "--record", str(path)]) == 0
    return path


def refused(ran: Ran, message: str, status: int = 2) -> None:
    """One line on the error stream, saying that."""
    assert ran.status == status
    assert re.fullmatch(rf"error: {message}\n", ran.err), ran.err
    assert "Traceback" not in ran.out


# --- play ---------------------------------------------------------------------------------------------------------


def test_play_tells_a_race_of_ai_drivers(command: Command):
    ran = command("play", "gt", "--circuit", "C0", "--seats", "careful,racer", "--seed", "5")
    assert (ran.status, ran.err) == (0, "")
    assert re.match(r"GT Circuit on C0\. Commitment to the dice: [0-9a-f]{64}\nGrid: ", ran.out)
    assert "\nRound 1 (white): " in ran.out
    assert re.search(r"\n1\. \w+ \d\n2\. \w+ \d.*\nSeed: [0-9a-f]{32} \(\d+ entries\)\n$", ran.out)


def test_the_same_seed_gives_the_same_race(command: Command):
    words = ("play", "gt", "--circuit", "C0", "--seats", "careful,careful", "--seed", "8")
    assert command(*words) == command(*words)


def test_quiet_tells_only_the_result(command: Command):
    ran = command("play", "gt", "--circuit", "C0", "--seats", "careful,careful", "--seed", "8", "--quiet")
    assert ran.status == 0
    assert "Round" not in ran.out


def test_preset_and_options_are_used(command: Command):
    ran = command(
        "play", "gt", "--preset", "first race", "--set", "laps=2", "--seats", "careful,careful", "--seed", "1"
    )
    assert ran.out.startswith("GT Circuit on C0.")
    assert "lap 2 begins" in ran.out


def test_a_person_drives_leaves_and_is_told_what_is_wrong(command: Command, typed: Any):
    typed("4 5", "xyz", "help", "1 2 ; one", "r", "roll", "quit")
    ran = command("play", "gt", "--circuit", "C0", "--seats", "human=Ann,careful", "--set", "grid=given", "--seed", "1")
    assert ran.status == 1
    assert "[Ann] your plan" in ran.out
    assert "^ 4 cannot be laid on" in ran.out
    assert "^ expected dice" in ran.out
    assert "next: 1 to 0." in ran.out
    assert ran.out.endswith("You left the race.\n")


def test_a_person_drives_a_whole_race_alone(command: Command, typed: Any):
    # The lap of EX-31; with this seed it goes well.
    typed(
        "1@0.M4 2@1.M1 3@1.M2 4@2.M1 5@2.M2 6@3.M1 ; flat",
        "5@3.M2 4@3.M3 3@4.M1 ; flat",
        "4@4.M2 5@5.M1 ; flat",
        "5@5.M2 ; flat",
        "5@5.M3 c@6.M1 ; flat",
        "2bb@6.I c@6.M3 c@7.M1 3@7.I 4@7.M3 5@0.M1 ; flat",
        "6@0.M2 ; flat",
        "6@0.M3 c@0.M4 ; flat",
    )
    ran = command("solo", "--circuit", "C0", "--seed", "1")
    assert ran.status == 0
    assert "1. Human 1  1:37" in ran.out
    assert "driving time 2:00, credit 23 s, total 1:37" in ran.out
    assert "log: 123456(6):543(3):45(2):5(1):5c(2):2bbcc345(6):6(1):6c(2)" in ran.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("play", r"the following arguments are required: game \(see: .* play --help\)"),
        ("play chess", r"argument game: invalid choice: 'chess' \(choose from '?gt'?\) \(see: .*\)"),
        ("play gt --seats careful,sunday", "seats: 'sunday': no such driver; choose from: human, careful, racer, ace"),
        ("play gt --seats careful,,careful", "seats: '': no such driver; choose from: .*"),
        ("play gt --seats " + ",".join(["careful"] * 7), "race: a race has 1 to 6 drivers, not 7"),
        ("play gt --preset fast --seats careful", "preset: 'fast': no such preset; choose one of: standard, .*"),
        ("play gt --set wings=2 --seats careful", "options: wings: no such option; gt knows: laps, .*"),
        ("play gt --set laps --seats careful", "options: laps: write it as key=value"),
        ("play gt --set laps=99 --seats careful", "options: laps: Expected `int` <= 5"),
        ("play gt --set laps=many --seats careful", r"options: laps: Expected `int \| null`, got `str`"),
        ("play gt --set grid=up --seats careful", "options: grid: .* 'up'; choose one of: draw, choose, given"),
        ("play gt --circuit C99 --seats careful", "c99: there is no such circuit; give one of C0, .*"),
        ("play gt --circuit GT1-zz --seats careful", "gt1-zz: token 1: E-TOKEN: there is no tile 'zz' .*"),
        ("play gt --seed x --seats careful", r"argument --seed: invalid int value: 'x' \(see: .*\)"),
        ("play gt --sets laps=2", r"unrecognized arguments: --sets laps=2 \(see: .*\)"),
        ("solo --driver sunday", "seats: 'sunday': no such driver; choose from: .*"),
        ("solo --driver careful,racer", "seats: 'careful,racer': no such driver; choose from: .*"),
        ("fly", r"argument command: invalid choice: 'fly' \(choose from .*\) \(see: python -m engine --help\)"),
        ("", r"the following arguments are required: command \(see: python -m engine --help\)"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(command: Command, words: str, message: str):
    refused(command(*words.split()), message)


def test_a_record_that_cannot_be_written_is_refused_before_the_race(command: Command, tmp_path: Path):
    for path in (tmp_path / "none" / "race.json", tmp_path):
        ran = command("play", "gt", "--circuit", "C0", "--seats", "careful", "--record", str(path))
        refused(ran, f"{path}: a record cannot be written there; choose .*")
        assert ran.out == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk at hand")
def test_a_record_that_cannot_be_written_after_the_race_is_told(command: Command):
    ran = command(
        "play", "gt", "--circuit", "C0", "--seats", "careful", "--seed", "1", "--quiet", "--record", "/dev/full"
    )
    refused(ran, "/dev/full: cannot be written: No space left on device")
    assert "\nSeed: " in ran.out


# --- solo ---------------------------------------------------------------------------------------------------------


def test_solo_ends_with_sheet_and_log(command: Command):
    ran = command("solo", "--circuit", "C0", "--driver", "careful", "--seed", "3", "--quiet")
    assert (ran.status, ran.err) == (0, "")
    assert re.search(r"^1\. Careful 1  \d:\d\d$", ran.out, re.MULTILINE)
    assert re.search(r"^driving time \d:\d\d, credit \d+ s, total \d:\d\d$", ran.out, re.MULTILINE)
    assert re.search(r"^log: [0-9abc():-]+$", ran.out, re.MULTILINE)


# --- verify -------------------------------------------------------------------------------------------------------


def test_verify_confirms_a_record_and_tells_it(command: Command, record_file: Path):
    ran = command("verify", str(record_file))
    assert (ran.status, ran.err) == (0, "")
    assert re.match(
        rf"{record_file}: \d+ entries replayed, every roll is as promised \([0-9a-f]{{64}}\)\n1\. ", ran.out
    )
    told = command("verify", "--tell", str(record_file))
    assert "\nRound 1 (white): " in told.out
    assert told.out.endswith(ran.out)


@pytest.fixture
def altered(record_file: Path, tmp_path: Path) -> Callable[[Callable[[dict[str, Any]], object]], str]:
    """A copy of the record with a change; the copy's name."""

    def write(change: Callable[[dict[str, Any]], object]) -> str:
        record = json.loads(record_file.read_bytes())
        change(record)
        path = tmp_path / "altered.json"
        path.write_text(json.dumps(record))
        return str(path)

    return write


def first_roll(record: dict[str, Any]) -> int:
    """The number of the first entry with dice."""
    return next(
        entry["number"]
        for entry in record["entries"]
        if any(event["event"] == "dice_rolled" for event in entry.get("events", ()))
    )


def test_changed_dice_are_found_at_their_entry(command: Command, altered: Any, record_file: Path):
    number = first_roll(json.loads(record_file.read_bytes()))

    def change(record: dict[str, Any]) -> None:
        rolled = next(event for event in record["entries"][number - 1]["events"] if event["event"] == "dice_rolled")
        rolled["dice"][0]["hazard"] = not rolled["dice"][0].get("hazard", False)

    refused(command("verify", altered(change)), rf".*altered\.json: entry {number}: event \d is written as .*", 1)


def test_swapped_entries_are_found(command: Command, altered: Any):
    def swap(record: dict[str, Any]) -> None:
        entries = record["entries"]
        entries[4], entries[5] = entries[5], entries[4]

    message = r".*altered\.json: entry 5: it carries the number 6: an entry is missing or out of order"
    refused(command("verify", altered(swap)), message, 1)


def test_swapped_and_renumbered_entries_are_found(command: Command, altered: Any, record_file: Path):
    number = first_roll(json.loads(record_file.read_bytes()))

    def swap(record: dict[str, Any]) -> None:
        one, other = record["entries"][number - 2 : number]
        one["number"], other["number"] = number, number - 1
        record["entries"][number - 2 : number] = [other, one]

    refused(command("verify", altered(swap)), rf".*altered\.json: entry {number - 1}: the rules refuse it: .*", 1)


@pytest.mark.parametrize(
    ("change", "message", "status"),
    [
        (
            lambda r: r["header"].update(commitment="0" * 64),
            r"header\.commitment: the seed is not the one that was .*",
            1,
        ),
        (lambda r: r["header"].update(seed="0" * 32), r"header\.commitment: the seed is not the one that was .*", 1),
        (lambda r: r["header"].pop("seed"), r"header\.seed: the seed is not revealed yet: .*", 1),
        (lambda r: r["header"].update(track="C1"), r"header\.track_hash: the track C1 is not the one .*", 1),
        (lambda r: r["header"].update(rules_version=99), r"header\.rules_version: driven by rules version 99, .*", 1),
        (lambda r: r["entries"].pop(2), r"entry 3: it carries the number 4: .*", 1),
        (lambda r: r["entries"][2].update(action={"do": "roll", "seat": 0}), r"entry 3: the rules refuse it: .*", 1),
        (lambda r: r["entries"][2].update(action={"do": "fly", "seat": 0}), r"entry 3: Invalid value 'fly' .*", 2),
        (lambda r: r["header"].update(game="chess"), r"header: .*there is no such game; choose one of: gt", 2),
        (lambda r: r["header"].update(wings=2), r"Object contains unknown field `wings` .*", 2),
    ],
)
def test_an_altered_record_is_refused_with_the_place(
    command: Command, altered: Any, change: Any, message: str, status: int
):
    refused(command("verify", altered(change)), rf".*altered\.json: {message}", status)


def test_the_other_records_are_still_checked(command: Command, altered: Any, record_file: Path):
    ran = command("verify", altered(lambda r: r["header"].update(commitment="x")), str(record_file))
    assert ran.status == 1
    assert f"{record_file}: " in ran.out


def test_a_missing_or_truncated_record_is_refused(command: Command, record_file: Path, tmp_path: Path):
    refused(command("verify", str(tmp_path / "none.json")), r".*none\.json: cannot be read: No such file or directory")
    refused(command("verify", str(tmp_path)), r".*: cannot be read: Is a directory")
    cut = tmp_path / "cut.json"
    for length in (0, 1, 200, record_file.stat().st_size - 1):
        cut.write_bytes(record_file.read_bytes()[:length])
        refused(command("verify", str(cut)), r".*cut\.json: .+")


# --- circuit ------------------------------------------------------------------------------------------------------


def test_circuit_describes_a_circuit_by_id_and_by_code(command: Command):
    by_id = command("circuit", "C2")
    assert (by_id.status, by_id.err) == (0, "")
    code = re.search(r"^code +(\S+)$", by_id.out, re.MULTILINE)
    assert code
    assert command("circuit", code[1]).out.splitlines()[1:] == by_id.out.splitlines()[1:]
    assert command("circuit", "C2", "--reverse").out != by_id.out


def test_a_random_circuit_is_fixed_by_its_seed(command: Command):
    ran = command("circuit", "random", "--tiles", "12", "--seed", "42")
    assert ran.status == 0
    assert "tiles   12: " in ran.out
    assert command("circuit", "random", "--tiles", "12", "--seed", "42") == ran
    assert command("circuit", "random", "--tiles", "12", "--seed", "43") != ran
    assert command("circuit", "random", "--tiles", "12").status == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("circuit C99", "c99: there is no such circuit; give one of C0, .* or a circuit code"),
        ("circuit GT1-", "gt1-: .+"),
        ("circuit GT1-zz", r"gt1-zz: token 1: E-TOKEN: there is no tile 'zz' \(and 2 more\)"),
        ("circuit GT1-116a-116a-116a-116a-116a-116a", "gt1-116a.*: E-.*"),
        ("circuit random --tiles 3", "random circuit: tiles: a random circuit has 8 to 21 tiles, not 3"),
        ("circuit random --tiles x", r"argument --tiles: invalid int value: 'x' \(see: .*\)"),
        ("circuit C2 --stock all", r"argument --stock: invalid choice: 'all' .*"),
    ],
)
def test_a_bad_circuit_is_refused_in_one_line(command: Command, words: str, message: str):
    refused(command(*words.split()), message)


# --- simulate -----------------------------------------------------------------------------------------------------


def test_simulate_counts_wins_and_places(command: Command):
    words = ("simulate", "gt", "--circuit", "C0", "--seats", "careful,racer", "--races", "3", "--jobs", "2")
    ran = command(*words)
    assert (ran.status, ran.err) == (0, "")
    assert re.match(r"3 races, [\d.]+ turns and [\d.]+ losses of control a race\nseat 1 careful: \d wins ", ran.out)
    assert command(*words) == ran


def test_simulate_times_a_solo_driver(command: Command):
    ran = command("simulate", "gt", "--circuit", "C0", "--seats", "careful", "--preset", "solo", "--races", "2")
    assert re.search(r"careful: mean \d:\d\d \(deviation \d+ s\), best \d:\d\d, worst \d:\d\d\n", ran.out)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--seats human,careful", "seats: human: only AI drivers simulate; choose from: careful, racer, ace"),
        ("--seats human=Ann", "seats: human: only AI drivers simulate; .*"),
        ("--seats sunday", "seats: 'sunday': no such driver; .*"),
        ("--seats careful --circuit C99", "c99: there is no such circuit; .*"),
        ("--seats careful --set laps=0", "options: laps: Expected `int` >= 1"),
        ("--races 0", r"argument --races: '0' is not a number above 0 \(see: .*\)"),
        ("--jobs -1", r"argument --jobs: '-1' is not a number above 0 \(see: .*\)"),
    ],
)
def test_a_bad_simulation_is_refused_in_one_line(command: Command, words: str, message: str):
    refused(command("simulate", "gt", *words.split()), message)


# --- scenario -----------------------------------------------------------------------------------------------------


def test_scenario_runs_files_and_folders(command: Command, tmp_path: Path):
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "one.toml").write_text(PASSES)
    assert command("scenario", str(tmp_path)) == Ran(0, "ok   an empty step\n1 passed, 0 failed\n", "")


def test_a_failed_scenario_shows_its_differences(command: Command, tmp_path: Path):
    (tmp_path / "a.toml").write_text(PASSES)
    (tmp_path / "b.toml").write_text(FAILS)
    ran = command("scenario", str(tmp_path))
    assert ran.status == 1
    assert ran.out.splitlines() == [
        "ok   an empty step",
        f"FAIL an empty step ({tmp_path / 'b.toml'})",
        "     expect.cars.Red.gear: expected 4, found 3",
        "1 passed, 1 failed",
    ]


def test_a_malformed_scenario_is_named_and_the_others_run(command: Command, tmp_path: Path):
    (tmp_path / "a.toml").write_text(PASSES + "title")
    (tmp_path / "b.toml").write_text(PASSES)
    ran = command("scenario", str(tmp_path))
    assert ran.status == 2
    assert ran.out.splitlines() == [
        f"BAD  {tmp_path / 'a.toml'}: line 10: Expected '=' after a key in a key/value pair",
        "ok   an empty step",
        "1 passed, 0 failed, 1 malformed",
    ]


def test_a_missing_scenario_or_an_empty_folder_is_refused(command: Command, tmp_path: Path):
    refused(command("scenario", str(tmp_path / "none.toml")), r".*none\.toml: there is no such file or folder")
    refused(command("scenario", str(tmp_path)), r".*: there are no scenario files \(\*\.toml\) in this folder")


# --- as a program -------------------------------------------------------------------------------------------------


def program(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engine", *words]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=False, timeout=60)


def test_the_program_gives_its_status_to_the_shell():
    good = program("circuit", "C0")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("C0 ")
    bad = program("circuit", "C99")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("error: c99: there is no such circuit")
    helped = program("--help")
    assert helped.returncode == 0
    assert "examples:" in helped.stdout


def test_the_program_reads_what_is_typed():
    left = program("play", "gt", "--circuit", "C0", "--seats", "human", "--seed", "1", text="1 2 ; flat\nquit\n")
    assert (left.returncode, left.stderr) == (1, "")
    assert "Human 1, gear 0" in left.stdout
    assert "You left the race." in left.stdout


def test_a_reader_that_has_seen_enough_is_no_error():
    words = [
        sys.executable,
        "-m",
        "engine",
        "play",
        "gt",
        "--circuit",
        "C0",
        "--seats",
        "careful,careful",
        "--seed",
        "1",
    ]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 0
