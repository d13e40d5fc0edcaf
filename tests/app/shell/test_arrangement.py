"""Arrangements as they are kept, and floating panels on other screens than they were left on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from app.shell.arrangement import Arrangement, arrangements, on_screen
from app.shell.preferences import Damaged, Preferences, PreferencesFile, parse

SMALL, LARGE = QRect(0, 0, 800, 600), QRect(800, 0, 1920, 1080)


@pytest.mark.parametrize(
    ("place", "screens"),
    [
        (QRect(100, 100, 300, 200), [SMALL]),
        (QRect(2000, 900, 300, 400), [SMALL]),
        (QRect(-900, -900, 300, 200), [SMALL]),
        (QRect(10, 10, 3000, 3000), [SMALL]),
        (QRect(2600, 1000, 300, 400), [SMALL, LARGE]),
    ],
)
def test_a_floating_panel_is_held_by_one_screen(place: QRect, screens: list[QRect]) -> None:
    kept = on_screen(place, screens)
    assert any(screen.contains(kept) for screen in screens)


def test_a_panel_that_is_seen_stays_where_it_is() -> None:
    place = QRect(900, 100, 300, 200)
    assert on_screen(place, [SMALL, LARGE]) == place


def test_workspaces_are_kept_and_found(tmp_path: Path) -> None:
    chosen = Preferences(workspaces={"pose": Arrangement(docks="QQ=="), "Mine": Arrangement(docks="", maximised=1)})
    kept = PreferencesFile(tmp_path)
    assert kept.write(chosen) == ""
    assert kept.read() == (chosen, "")


@pytest.mark.parametrize(
    "plain",
    [
        "1", "[]", '{"a": 1}', '{"a": {}}', '{"": {"docks": ""}}', '{"a": {"docks": "é"}}',
        '{"a": {"docks": "", "maximised": 4}}', '{"a": {"docks": "", "maximised": true}}',
        f'{{"{"n" * 41}": {{"docks": ""}}}}',
    ],
)  # fmt: skip
def test_damaged_workspaces_are_refused(plain: str) -> None:
    with pytest.raises(Damaged, match="workspaces"):
        parse(f'{{"workspaces": {plain}}}')


def test_a_field_of_a_newer_version_is_left_out() -> None:
    assert arrangements({"a": {"docks": "QQ==", "sound": True}}) == {"a": Arrangement(docks="QQ==")}
