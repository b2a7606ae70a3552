"""`scenario`: run scenario files and tell which of them came out as written (docs/scenarios.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.errors import BadInput, ScenarioError
from engine.core.scenario import Report, run_scenario

EXIT_FAILED = 1
EXIT_MALFORMED = 2


def run(paths: Sequence[str]) -> int:
    """Run the files, and all below the folders: 0 if every one passed, 1 if one failed, 2 if one cannot be read."""
    files = [file for path in paths for file in _files(Path(path))]
    passed = malformed = 0
    for path in files:
        try:
            report = run_scenario(path)
        except ScenarioError as error:
            print(f"BAD  {error}")
            malformed += 1
            continue
        _tell(path, report)
        passed += report.passed
    failed = len(files) - passed - malformed
    print(f"{passed} passed, {failed} failed" + (f", {malformed} malformed" if malformed else ""))
    if malformed:
        return EXIT_MALFORMED
    return EXIT_FAILED if failed else 0


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise BadInput(str(path), "", "there is no such file or folder")
    files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    if not files:
        raise BadInput(str(path), "", "there are no scenario files (*.toml) in this folder")
    return files


def _tell(path: Path, report: Report) -> None:
    name = " ".join(part for part in (report.source, report.title) if part)
    if report.passed:
        print(f"ok   {name}")
        return
    print(f"FAIL {name} ({path})")
    for line in report.differences:
        print(f"     {line}")
