"""`scenario`: run scenario files and tell which of them came out as written (docs/scenarios.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.core.errors import ScenarioError
from engine.core.scenario import Report, run_scenario


def run(paths: Sequence[str]) -> int:
    """Run the files, and all below the folders; 0 if every one passed, else 1."""
    passed = failed = 0
    for path in _files(paths):
        try:
            report = run_scenario(path)
        except ScenarioError as error:
            print(f"FAIL {error}")
            failed += 1
            continue
        _tell(path, report)
        passed += report.passed
        failed += not report.passed
    if passed + failed == 0:
        print("there are no scenario files (*.toml) there")
        return 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _files(paths: Sequence[str]) -> Iterator[Path]:
    for name in paths:
        path = Path(name)
        yield from sorted(path.rglob("*.toml")) if path.is_dir() else (path,)


def _tell(path: Path, report: Report) -> None:
    name = " ".join(part for part in (report.source, report.title) if part)
    if report.passed:
        print(f"ok   {name}")
        return
    print(f"FAIL {name} ({path})")
    for line in report.differences:
        print(f"     {line}")
