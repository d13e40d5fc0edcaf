"""Choices: the settings of the last export, whatever the document; kept between starts. Loads nothing heavy."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engine.document.motion import TICKS_LIMIT
from engine.measure import Quantity
from engine.runtime.errors import EngineError
from engine.runtime.options import may_be, option
from engine.runtime.quick_dataclass import dataclass

ACTIVE = -1  # the view that is active as it is asked for
PLAYED, ALL, OWN, NOW = "played", "all", "own", "now"
STANDS, GOES_WITH, GOES_ROUND = "stands", "with motion", "round"  # of the camera
AS_VIEWS, TRANSPARENT = "", "transparent"
MOST_SIDE = 32768  # [px]
MOST_TEXT, MOST_NUMBERS = 200, 12
LEAST_TURN, MOST_TURN = 0.1, 3600.0  # [s]
GROUNDS = {AS_VIEWS: "As in the views", TRANSPARENT: "Transparent", "#ffffff": "White", "#000000": "Black"}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """Choices for videos and pictures; every field has a default."""

    codec: str = option("h264", label="Make", choices=("h264", "vp9", "av1", "gif", "png"))
    view: int = option(ACTIVE, label="Seen from", choices=(ACTIVE, 0, 1, 2, 3))
    seen_by: str = ""  # id of a camera of the scene, in place of the view
    camera: str = option(
        STANDS,
        label="The camera",
        choices=(STANDS, GOES_WITH, GOES_ROUND),
        labels=("Stands still", "Goes round with the motion", "Goes round while time stands"),
    )
    turn_seconds: float = option(
        6.0, label="Seconds a turn", note="Seconds for once round", unit="s", least=LEAST_TURN, most=MOST_TURN
    )
    width: int = option(1280, label="Width in pixels", least=1, most=MOST_SIDE)
    height: int = option(720, label="Height in pixels", least=1, most=MOST_SIDE)
    as_view: bool = option(False, label="As the view")  # as large as it is on screen
    range: str = option(PLAYED, label="Range", choices=(PLAYED, ALL, OWN, NOW))
    start: int = option(0, label="From", unit="ticks", least=-TICKS_LIMIT, most=TICKS_LIMIT)  # of a range of one's own
    end: int = option(0, label="To", unit="ticks", least=-TICKS_LIMIT, most=TICKS_LIMIT)
    rate: str = option("", label="Frames a second", most=MOST_TEXT)  # as it was typed; empty: the document's
    samples: int = option(
        8,
        label="Smoothness",
        choices=(1, 2, 4, 8, 16, 32),
        labels=("1 picture a frame", *(f"Mean of {count} pictures" for count in (2, 4, 8, 16, 32))),
    )
    sound: bool = option(True, label="Sound")
    background: str = option(AS_VIEWS, label="Background", note="A colour such as #5b6f86", most=MOST_TEXT)
    grid: bool = option(True, label="Grid on the floor")
    shadows: bool = option(True, label="Shadows")
    signs: bool = option(False, label="Symbols of pins")
    # None: as the views show them
    trails: bool | None = option(
        None, label="Motion trails", choices=(None, True, False)
    )  # None: as the views show them
    onions: bool | None = option(None, label="Onion skins", choices=(None, True, False))
    title: str = option("", label="Title", most=MOST_TEXT)
    time: bool = option(False, label="The time")
    numbers: tuple[Quantity, ...] = ()
    curves: bool = option(False, label="Curves of numbers")  # against time
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
    if name == "numbers":
        return tuple(Quantity(**each) for each in value[:MOST_NUMBERS])
    if name == "unfolded":
        good = isinstance(value, list) and all(isinstance(each, str) for each in value)
        value = tuple(value)
    elif name in ("folder", "seen_by"):
        good = isinstance(value, str)
    else:
        good = may_be(Choices(), name, value)
    if not good:
        raise ValueError(f"{name} is {value!r}")
    return value
