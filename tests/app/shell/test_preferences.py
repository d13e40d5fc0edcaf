"""Preferences: kept, damaged, and where nothing can be kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.export.choices import Choices
from app.shell.preferences import NAME, Damaged, Preferences, PreferencesFile, parse
from engine.measure import Quantity


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    chosen = Preferences(
        theme="contrast",
        text_scale=1.25,
        keymap="blender",
        keys={"blender": {"time.loop": ("F9", "Ctrl+L")}},
        iterations=7,
        trail_short=True,
        trail_frames=9,
        onions_by="keys",
        onions_after=0,
        extent="whole",
        recent=("/a.sinew",),
        geometry="QQ==",
        views={"active": 1},
        film=Choices(codec="png", title="Grüße", numbers=(Quantity(kind="energy", actor="human"),)),
    )
    kept = PreferencesFile(tmp_path / "deep" / "folder")
    assert kept.write(chosen) == ""
    assert PreferencesFile(tmp_path / "deep" / "folder").read() == (chosen, "")


def test_without_a_file_the_defaults_stand_and_nothing_is_said(tmp_path: Path) -> None:
    assert PreferencesFile(tmp_path).read() == (Preferences(), "")


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'"x"',
        b"\xff\xfe",
        b'{"theme": "pink"}',
        b'{"recent": [1]}',
        b'{"views": 3}',
        b'{"docks": 1}',
        b"",
        b'{"keymap": "vi"}',
        b'{"text_scale": 3}',
        b'{"text_scale": true}',
        b'{"iterations": 0}',
        b'{"extent": []}',
        b'{"onions_by": "days"}',
        b'{"onions_before": -1}',
        b'{"onions_step": 0}',
        b'{"trail_frames": 1.5}',
        b'{"times_of_all": 1}',
        b'{"iterations": true}',
        b'{"recent_actions": "x"}',
        b'{"film": {"codec": "mpeg2"}}',
        b'{"film": 3}',
    ],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(content)
    found, warning = PreferencesFile(tmp_path).read()
    assert found == Preferences()
    assert "damaged" in warning
    assert not path.exists()
    assert path.with_name(NAME + ".damaged").read_bytes() == content


def test_damaged_keys_are_told_of_and_cost_nothing_else(tmp_path: Path) -> None:
    text = '{"theme": "light", "keys": {"industry": {"time.loop": ["Nonsense"], "time.play": ["P"]}}}'
    (tmp_path / NAME).write_text(text)
    found, warning = PreferencesFile(tmp_path).read()
    assert found == Preferences(theme="light", keys={"industry": {"time.play": ("P",)}})
    assert "time.loop in industry: 'Nonsense' is no key" in warning
    assert (tmp_path / NAME).read_text() == text


def test_what_was_chosen_by_name_stands_once_newest_first() -> None:
    kept = Preferences()
    for number in range(20):
        kept = kept.with_action(f"add.{number % 12}")
    assert kept.recent_actions[:2] == ("add.7", "add.6")
    assert len(set(kept.recent_actions)) == len(kept.recent_actions) == 8


def test_fields_of_a_newer_version_are_no_damage() -> None:
    assert parse('{"theme": "light", "workspace": "muscles"}') == Preferences(theme="light")


def test_a_deep_file_is_damage_not_a_crash() -> None:
    with pytest.raises(Damaged):
        parse("[" * 100_000)


def test_where_nothing_can_be_written_it_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = PreferencesFile(tmp_path / "file" / "folder")
    assert kept.read()[0] == Preferences()
    assert "cannot be kept" in kept.write(Preferences())
    assert kept.write(Preferences()) == ""


def test_recent_files_stand_once_newest_first_and_are_bounded(tmp_path: Path) -> None:
    kept = Preferences()
    for number in range(14):
        kept = kept.with_recent(tmp_path / f"{number}.sinew")
    kept = kept.with_recent(tmp_path / "9.sinew")
    names = [Path(text).name for text in kept.recent]
    assert names[:3] == ["9.sinew", "13.sinew", "12.sinew"]
    assert len(names) == len(set(names)) == 10


def test_the_file_is_plain_json(tmp_path: Path) -> None:
    PreferencesFile(tmp_path).write(Preferences(theme="light"))
    assert json.loads((tmp_path / NAME).read_text())["theme"] == "light"
