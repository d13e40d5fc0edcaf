"""Choices: the settings of the last export, whatever the document; kept between starts. Loads nothing heavy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.document.motion import TICKS_LIMIT
from engine.measure import Quantity
from engine.runtime.errors import EngineError

ACTIVE = -1  # the view that is active as it is asked for
PLAYED, ALL, OWN, NOW = "played", "all", "own", "now"
STANDS, GOES_WITH, GOES_ROUND = "stands", "with motion", "round"  # of the camera
AS_VIEWS, TRANSPARENT = "", "transparent"
MOST_SIDE = 32768  # [px]
MOST_TEXT, MOST_NUMBERS = 200, 12
LEAST_TURN, MOST_TURN = 0.1, 3600.0  # [s]
ALLOWED: Mapping[str, tuple[object, ...]] = {
    "codec": ("h264", "vp9", "av1", "gif", "png"),
    "view": (ACTIVE, 0, 1, 2, 3),
    "range": (PLAYED, ALL, OWN, NOW),
    "camera": (STANDS, GOES_WITH, GOES_ROUND),
    "samples": (1, 2, 4, 8, 16, 32),
    "trails": (None, True, False),
    "onions": (None, True, False),
    **dict.fromkeys(("as_view", "sound", "grid", "signs", "time", "curves"), (True, False)),
}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """Choices for films and pictures; every field has a default."""

    codec: str = "h264"
    view: int = ACTIVE
    camera: str = STANDS
    turn_seconds: float = 6.0  # for once round
    width: int = 1280
    height: int = 720
    as_view: bool = False  # as large as the view is on screen
    range: str = PLAYED
    start: int = 0  # [ticks] of a range of one's own
    end: int = 0
    rate: str = ""  # as it was typed; empty: the document's
    samples: int = 8
    sound: bool = True
    background: str = AS_VIEWS  # or transparent, or '#rrggbb'
    grid: bool = True
    signs: bool = False  # of locks
    trails: bool | None = None  # None: as the views show them
    onions: bool | None = None
    title: str = ""
    time: bool = False
    numbers: tuple[Quantity, ...] = ()
    curves: bool = False  # of the numbers, against time
    folder: str = ""  # that the last one went to
    unfolded: tuple[str, ...] = ()  # groups of the sheet


def choices_in(plain: object) -> Choices | None:
    """Return choices as they were kept; None where they make no sense. Fields of a newer version are left out."""
    if not isinstance(plain, dict):
        return None
    known = {each.name for each in fields(Choices)}
    try:
        return Choices(**{name: _sound(name, value) for name, value in plain.items() if name in known})
    except (ValueError, TypeError, EngineError):
        return None


def _sound(name: str, value: Any) -> Any:
    if name in ALLOWED:
        good = any(value is each or (type(value) is type(each) and value == each) for each in ALLOWED[name])
    elif name in ("width", "height"):
        good = type(value) is int and 1 <= value <= MOST_SIDE
    elif name in ("start", "end"):
        good = type(value) is int and abs(value) <= TICKS_LIMIT
    elif name == "turn_seconds":
        good = type(value) in (int, float) and math.isfinite(value) and LEAST_TURN <= value <= MOST_TURN
    elif name == "numbers":
        return tuple(Quantity(**each) for each in value[:MOST_NUMBERS])
    elif name == "unfolded":
        good = isinstance(value, list) and all(isinstance(each, str) for each in value)
        value = tuple(value)
    else:
        good = isinstance(value, str) and (name == "folder" or len(value) <= MOST_TEXT)
    if not good:
        raise ValueError(f"{name} is {value!r}")
    return value
