"""A program that is killed leaves files that open, and work that is a second old at most."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL, and no fork")
TIMES, DEEP_TIMES = 20, 1000


def kills(times: int, folder: Path, timeout: float) -> list[list[str]]:
    """The rows of the table."""
    command = [sys.executable, "-m", "tests.reliability.kill", "--times", str(times), "--keep", str(folder)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    return [line.split() for line in found.stdout.splitlines()[1:]]


def check(rows: list[list[str]], times: int) -> None:
    assert [row[0] for row in rows] == ["save", "recovery", "bake", "export", "migrate"]
    assert all(int(row[1]) == times // 5 for row in rows)
    assert all(int(row[2]) >= times // 10 for row in rows), "half of them within a write"
    assert sum(int(row[3]) for row in rows) > times


@pytest.mark.slow
def test_kills_at_random_moments_and_within_writes_harm_nothing(tmp_path: Path) -> None:
    check(kills(TIMES, tmp_path, 250.0), TIMES)


@pytest.mark.deep
def test_a_thousand_kills_harm_nothing(tmp_path: Path) -> None:
    check(kills(DEEP_TIMES, tmp_path, 3500.0), DEEP_TIMES)


@pytest.mark.deep
def test_windows_that_are_killed_lose_nothing() -> None:
    command = [sys.executable, "-m", "tests.reliability.kill_window", "--times", "40"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=1200.0, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "40 windows killed, nothing lost" in found.stdout
