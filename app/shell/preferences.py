"""Preferences: what a person set up, kept as JSON in the user's configuration folder.

A damaged file is put aside as `preferences.json.damaged` and the defaults stand in; keys that make no sense are left
out and reported. A folder that cannot be written costs the keeping and nothing else. `SINEW_CONFIG` names another one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any

from app.export.choices import Choices, choices_in
from app.shell.arrangement import Arrangement, arrangements
from app.shell.imports import ImportChoice
from app.shell.keymaps import KEYMAPS, Keys, OwnKeys, sound_keys
from app.style.fonts import SCALES
from app.style.theme import THEME_LABELS, THEMES
from engine.queries.trails import MOST_ONIONS
from engine.runtime.options import about, may_be, option
from engine.runtime.quick_dataclass import dataclass

NAME = "preferences.json"
RECENT_KEPT = 10
ACTIONS_KEPT = 8
PLOTTED_KEPT = 100
MOST_EARLIER = 20
_KEPT = {"recent": RECENT_KEPT, "recent_actions": ACTIONS_KEPT, "plotted": PLOTTED_KEPT}


@dataclass(frozen=True, kw_only=True)
class Preferences:
    """Choices and the places of things; every field has a default."""

    theme: str = option(
        "dark", label="Theme", choices=tuple(THEMES), labels=tuple(THEME_LABELS[each] for each in THEMES)
    )
    text_scale: float = option(
        1.0, label="Size of text", choices=SCALES, labels=tuple(f"{scale:.0%}" for scale in SCALES)
    )
    keymap: str = option(
        "industry", label="Keymap", choices=tuple(KEYMAPS), labels=tuple(each.label for each in KEYMAPS.values())
    )
    keys: OwnKeys = field(default_factory=dict)  # where a person wants others than the keymap's
    anti_aliasing: str = option(
        "auto", label="Smooth edges", choices=("auto", "on", "off"), labels=("Automatic", "Always", "Never")
    )
    shadows: str = option(  # of the views
        "auto",
        label="Shadows",
        choices=("auto", "contact", "full", "off"),
        labels=("Automatic", "Contact with the floor", "All", "None"),
    )
    extent: str = option(  # of a pull: what may move
        "usual",
        label="A drag moves",
        choices=("usual", "part", "branch", "joint", "whole"),
        labels=(
            "The limb; all once something is pinned",
            "The part alone",
            "The limb, up to its branch",
            "Up to where the chain ends",
            "The whole figure",
        ),
    )
    iterations: int = option(100, label="Iterations in one answer", least=1, most=1000)  # of a pull
    auto_key: bool = True  # whether poses become keys where a figure has keys
    axes: str = option("local", label="Axes", choices=("local", "parent", "world"))  # of manipulators
    snaps: bool = False  # whether manipulators go by steps
    grid: str = option(
        "steps", label="Grid", choices=("steps", "lines")
    )  # from where a place was, or to lines of a grid
    angle_step: float = option(5.0, label="Rotate snaps by", unit="°", least=0.1, most=180.0)
    length_step: float = option(1.0, label="Move snaps by", unit="cm", least=0.01, most=1000.0)
    every_frame: bool = False  # shown as it plays, else in real time
    seconds: bool = False  # in which times are shown, else frames
    recent_actions: tuple[str, ...] = ()  # ids, as they were chosen by name, newest first
    recent: tuple[str, ...] = ()  # paths, newest first
    geometry: str = ""  # of the window, as Qt packs it, in base 64
    docks: str = ""  # places of the docks, likewise
    placed_in: str = "pose"  # the workspace that they stand in
    workspaces: Mapping[str, Arrangement] = field(default_factory=dict)  # how each was left, and those of one's own
    start_page: bool = True  # whether it is shown when Sinew starts
    tour_done: bool = False  # whether the first scene was gone through
    views: Mapping[str, Any] | None = None  # cameras and layout of the viewport
    show_balance: bool = False  # centres of mass and what they stand over
    show_contacts: bool = False
    show_keyed: bool = True  # how figures that swing are keyed, as ghosts
    show_targets: bool = True  # where they are to be
    show_paths: bool = False  # how what is selected goes with and without secondary motion
    lead_by_hand: bool = True  # whether dragging what swings sets a target, else poses its keys
    show_onions: bool = False  # bodies at frames around the playhead
    show_trails: bool = False  # paths of what is selected
    times_of_all: bool = option(
        False, label="Show them of", choices=(False, True), labels=("What is selected", "Everything")
    )
    trail_short: bool = option(
        False,
        label="Trails reach over",
        choices=(False, True),
        labels=("All that is played", "Frames around the playhead"),
    )
    trail_frames: int = option(15, label="Frames on each side", least=1, most=1000)
    onions_before: int = option(3, label="Skins before", least=0, most=MOST_ONIONS)
    onions_after: int = option(3, label="Skins after", least=0, most=MOST_ONIONS)
    onions_step: int = option(1, label="One at every so many", least=1, most=1000)
    onions_by: str = option("frames", label="Onion skins stand at", choices=("frames", "keys"))
    cluster: str = option("", label="Cluster")  # the address of a Dask scheduler for studies
    plotted: tuple[str, ...] = ("value",)  # sorts of quantities in the Plot panel
    earlier_versions: int = option(0, label="Earlier versions kept", least=0, most=MOST_EARLIER)  # beside a save
    imports: Mapping[str, ImportChoice] = field(default_factory=dict)  # kinds of files that are not asked about
    switches: Mapping[str, bool] = field(default_factory=dict)  # of features, by name
    film: Choices = field(default_factory=Choices)  # what films and pictures begin with

    def having(self, **choices: Any) -> Preferences:
        """With other choices; what is no field of its own is a switch of a feature."""
        known = {each.name for each in fields(self)}
        own = {name: value for name, value in choices.items() if name in known}
        others = {name: bool(value) for name, value in choices.items() if name not in known}
        found = replace(self, **own)
        return replace(found, switches={**self.switches, **others}) if others else found

    def with_recent(self, path: Path) -> Preferences:
        """With this file as the newest one."""
        text = str(path.absolute())
        return replace(self, recent=(text, *(each for each in self.recent if each != text))[:RECENT_KEPT])

    def without_recent(self, path: Path) -> Preferences:
        """With this file forgotten."""
        return replace(self, recent=tuple(each for each in self.recent if each != str(path)))

    def with_action(self, action: str) -> Preferences:
        """With this action as the one that was chosen by name last."""
        others = (each for each in self.recent_actions if each != action)
        return replace(self, recent_actions=(action, *others)[:ACTIONS_KEPT])

    @property
    def own_keys(self) -> Mapping[str, Keys]:
        """The keys that differ from the present keymap's, by action."""
        return self.keys.get(self.keymap, {})


class Damaged(ValueError):
    """A preferences file whose content is not what it should be."""


class PreferencesFile:
    """The file: read once at the start, written whole after each change."""

    def __init__(self, folder: Path | None) -> None:
        self.path = None if folder is None else folder / NAME
        self._cannot_write = ""

    def read(self) -> tuple[Preferences, str]:
        """Read the preferences, and a warning if something was wrong (else an empty text)."""
        if self.path is None:
            return Preferences(), "There is no home folder: preferences are not kept."
        try:
            return self._told(parse(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Preferences(), ""
        except (Damaged, UnicodeDecodeError) as problem:
            return Preferences(), self._put_aside(problem)
        except OSError as problem:
            return Preferences(), f"Preferences in {self.path} cannot be read: {problem.strerror}. Defaults are used."

    def write(self, preferences: Preferences) -> str:
        """Keep them; a warning if that is impossible, the first time."""
        if self.path is None:
            return ""
        from engine.runtime.folders import write_whole  # 20 ms of imports that the first paint can do without

        try:
            write_whole(self.path, json.dumps(asdict(preferences), indent=1).encode())
        except OSError as problem:
            reported, self._cannot_write = self._cannot_write, problem.strerror or str(problem)
            if not reported:
                return f"Preferences cannot be kept in {self.path.parent}: {self._cannot_write}."
        return ""

    def _told(self, found: Preferences) -> tuple[Preferences, str]:
        keys, problems = sound_keys(found.keys)
        said = f"Some of your keys in {self.path} make no sense and are left out: {'; '.join(problems)}."
        return replace(found, keys=keys), said if problems else ""

    def _put_aside(self, problem: Exception) -> str:
        assert self.path is not None, "a file that was read has a path"
        aside = self.path.with_name(NAME + ".damaged")
        kept = ""
        with suppress(OSError):
            os.replace(self.path, aside)
            kept = f" The file is kept as {aside}."
        return f"Preferences were damaged ({problem}); defaults are used.{kept}"


def parse(text: str) -> Preferences:
    """Preferences from JSON; fields that are not there keep their defaults, unknown ones are a newer version's. Keys
    are as they were found.
    """
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise Damaged(f"not JSON: {problem}") from problem
    if not isinstance(plain, dict):
        raise Damaged("not a JSON object")
    known = {each.name for each in fields(Preferences)}
    given = {name: _checked(name, value) for name, value in plain.items() if name in known}
    return Preferences(**given)


_USUAL = Preferences()


def _checked(name: str, value: object) -> Any:
    if name == "keys":
        return value
    usual = getattr(_USUAL, name)
    if name in about(Preferences):
        if may_be(_USUAL, name, value):
            return float(value) if isinstance(usual, float) else value  # type: ignore[arg-type]
    elif isinstance(usual, bool):
        if isinstance(value, bool):
            return value
    elif name in _KEPT:
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value[: _KEPT[name]])
    elif name == "imports":
        if isinstance(value, dict):
            return {kind: _choice(each) for kind, each in value.items()}
    elif name == "workspaces":
        found = arrangements(value)
        if found is not None:
            return found
    elif name == "switches":
        if isinstance(value, dict) and all(isinstance(each, bool) for each in value.values()):
            return value
    elif name == "film":
        film = choices_in(value)
        if film is not None:
            return film
    elif name == "views":
        if value is None or isinstance(value, dict):
            return value
    elif isinstance(value, str) and value.isascii():
        return value
    raise Damaged(f"{name} is {value!r}")


def _choice(value: Any) -> ImportChoice:
    plain: dict[str, Any] = value if isinstance(value, dict) else {"": value}
    unit, up, rate = (plain.get(name) for name in ("unit", "up", "rate"))
    known = {each.name for each in fields(ImportChoice)}
    sound = (
        plain.keys() <= known
        and (unit is None or (isinstance(unit, float | int) and 1e-9 <= unit <= 1e6))
        and up in (None, "x", "y", "z")
        and (rate is None or (isinstance(rate, list) and len(rate) == 2 and all(_is_count(each) for each in rate)))
    )
    if not sound:
        raise Damaged(f"a choice for imports is {value!r}")
    return ImportChoice(unit=unit, up=up, rate=None if rate is None else (rate[0], rate[1]))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 1 <= value <= 10**9
