"""The comparison itself: what differs is told, on this machine to the byte and on others within the tolerance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.golden import found
from tests.golden.found import Found, Recorded, differences
from tests.golden.texts import content

LONG = np.sin(np.arange(3000.0))


def some() -> Found:
    return Found(
        exact={"names": ["a", "b"]},
        close={"short": np.array([0.0, 1.0, -250.0]), "long": LONG.astype(np.float32)},
        bytes={"file": found.digest(b"file")},
    )


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    monkeypatch.setattr(found, "DATA", tmp_path)
    found.record("kind", "name", some())
    before = found.recorded("kind", "name")
    assert before is not None
    return before


def elsewhere(kept: Recorded) -> Recorded:
    return replace(kept, machine="another")


def test_the_same_is_the_same(kept: Recorded) -> None:
    assert differences(kept, some()) == []
    assert differences(elsewhere(kept), some()) == []
    assert differences(None, some()) != []


def test_the_last_bit_counts_on_this_machine_alone(kept: Recorded) -> None:
    now = some()
    now.close["short"] = np.nextafter(now.close["short"], 1.0)
    assert differences(kept, now) == ["short: other bytes, values within tolerance"]
    assert differences(elsewhere(kept), now) == []


def test_what_hangs_on_the_last_bit_counts_on_this_machine_alone(kept: Recorded) -> None:
    now = replace(some(), frail=lambda: frozenset({"short"}))
    now.close["short"] = now.close["short"] + 1.0
    assert len(differences(kept, now)) == 1
    assert differences(elsewhere(kept), now) == []


def test_a_number_beyond_the_tolerance_counts_everywhere(kept: Recorded) -> None:
    for name, place, by in (("short", 1, 1e-3), ("short", 2, 0.1), ("long", 1500, 0.5), ("long", 1501, 0.5)):
        now = some()
        now.close[name] = now.close[name].copy()
        now.close[name][place] += by
        for before in (kept, elsewhere(kept)):
            (line,) = differences(before, now)
            assert line.startswith(name)
            assert "differ" in line
    now = some()
    now.close["short"][0] = np.nan
    assert differences(elsewhere(kept), now)


def test_what_is_new_gone_or_of_another_shape_is_told(kept: Recorded) -> None:
    for change in (Found(), replace(some(), exact={"names": ["a"]}), replace(some(), close={"short": LONG})):
        assert differences(elsewhere(kept), change)
    now = some()
    now.close["short"] = np.zeros(4)
    assert differences(elsewhere(kept), now) == ["short: 3 numbers became 4"]
    other = replace(some(), bytes={"file": found.digest(b"other")})
    assert differences(kept, other) == ["file: other bytes"]
    assert differences(elsewhere(kept), other) == []


def test_a_text_is_its_words_its_numbers_and_how_many_decimals_it_has(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_text("ROOT hip_1\nOFFSET 0.125 -3e-05 12\n")
    before = content(path)
    assert before.close["numbers"].tolist() == [0.125, -3e-05, 12.0]
    path.write_text("ROOT hip_1\nOFFSET 0.12 -3e-05 12\n")
    assert content(path).exact["decimals"] == before.exact["decimals"] - 1
    assert content(path).exact["words"] == before.exact["words"]
    path.write_text("ROOT hip_2\nOFFSET 0.125 -3e-05 12\n")
    assert content(path).exact["words"] != before.exact["words"]
