"""Where files go on each platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.runtime.places import CACHE, CONFIG, Place


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for place in (CACHE, CONFIG):
        for name in (place.variable, place.windows[0], place.xdg[0]):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")


@pytest.mark.parametrize(
    ("place", "platform", "variables", "expected"),
    [
        (CACHE, "linux", {}, "home/.cache/sinew"),
        (CACHE, "linux", {"XDG_CACHE_HOME": "/elsewhere"}, "/elsewhere/sinew"),
        (CACHE, "linux", {"XDG_CACHE_HOME": "relative"}, "home/.cache/sinew"),
        (CACHE, "linux", {"SINEW_CACHE": "/mine", "XDG_CACHE_HOME": "/elsewhere"}, "/mine"),
        (CACHE, "darwin", {}, "home/Library/Caches/Sinew"),
        (CACHE, "win32", {}, "home/AppData/Local/Sinew"),
        (CACHE, "win32", {"LOCALAPPDATA": "/local"}, "/local/Sinew"),
        (CONFIG, "linux", {}, "home/.config/sinew"),
        (CONFIG, "linux", {"XDG_CONFIG_HOME": "/elsewhere"}, "/elsewhere/sinew"),
        (CONFIG, "linux", {"SINEW_CONFIG": "/mine"}, "/mine"),
        (CONFIG, "darwin", {}, "home/Library/Application Support/Sinew"),
        (CONFIG, "win32", {"APPDATA": "/roaming"}, "/roaming/Sinew"),
    ],
)
def test_each_platform_has_its_folder(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    place: Place,
    platform: str,
    variables: dict[str, str],
    expected: str,
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert place.folder() == tmp_path / expected


def test_without_a_home_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    assert CONFIG.folder() is None
