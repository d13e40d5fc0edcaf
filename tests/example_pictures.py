"""`python -m tests.example_pictures [ID ...]`: draws the pictures of the examples into resources/examples.

Each example has a picture, and a flipbook of what moves in it, which the start page plays under the pointer: pages side
by side, as wide to their height as the picture. What does not move by itself is walked around.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from math import tau
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage, QPainter

from app.scene.camera import Camera
from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.queries.examples import EXAMPLES
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "examples"
SIZE = (320, 200)  # [px]
TICKS = {
    "walk": 0.2, "jump": 1.0, "ball": 7.1, "letters": 4.4, "grasp": 2.4, "hanging_ball": 2.4, "punch": 1.0,
    "fast_punch": 1.05, "ragdoll": 1.4, "hat": 2.6, "jelly": 0.42, "snake": 1.3, "stool": 1.2, "table": 1.2,
    "muscled_walk": 0.55, "limp": 0.2, "belly": 0.8, "leap": 1.0, "two_particles": 0.7,
    "lamp_leap": 0.58, "long_leap": 0.6, "pendulum": 0.6, "links": 0.42, "kneel": 0.1, "ball_play": 0.46,
    "fall": 0.4, "throw": 1.15,
    "lizard": 1.2, "biceps": 2.2, "word": 6.0, "overlap": 4.2, "regions": 2.0, "face": 40 / 24, "seesaw": 0.8,
    "arm": 2.4, "flesh": 1.0, "curl": 1.1, "squat": 1.5, "dropped": 0.62, "lift": 1.4,
    "dam": 0.7, "splash": 0.7, "floats": 1.2, "face_down": 1.0, "waves": 2.0, "duck": 1.2,
    "stream": 3.0, "pond": 1.2,
}  # fmt: skip
"""[s] of the moment that is shown"""
VIEWS = {
    "lamp": (0.9, 0.2), "muscled_walk": (1.15, 0.08), "limp": (0.12, 0.05),
    "skeleton": (0.42, 0.04), "body": (0.42, 0.04),
    "quadruped": (0.95, 0.16), "letters": (0.0, 0.05),
    "grasp": (-0.75, 0.15),
    "hanging_ball": (0.4, 0.25), "punch": (1.25, 0.1), "fast_punch": (0.85, 0.14),
    "belly": (1.25, 0.15), "leap": (0.35, 0.12), "two_particles": (0.25, 0.1),
    "lamp_leap": (1.3, 0.1), "long_leap": (1.3, 0.1), "pendulum": (0.3, 0.08), "links": (0.3, 0.08),
    "kneel": (0.4, 0.08), "ball_play": (1.3, 0.08), "fall": (0.3, 0.12), "throw": (1.0, 0.16),
    "ragdoll": (0.9, 0.2), "hat": (1.1, 0.1), "jelly": (0.5, 0.25), "snake": (0.5, 0.6), "stool": (0.5, 0.3),
    "table": (0.35, 0.12), "lizard": (0.6, 0.6), "biceps": (0.3, 0.15), "face": (0.35, 0.06),
    "word": (0.0, 1.25), "overlap": (0.3, 0.1), "regions": (0.3, 0.1),
    "seesaw": (0.4, 0.15), "arm": (1.45, 0.15), "flesh": (0.6, 0.1), "curl": (1.05, 0.1), "lift": (1.05, 0.1),
    "dam": (0.6, 0.25), "splash": (0.6, 0.25), "floats": (0.5, 0.25), "face_down": (0.8, 0.3), "waves": (0.35, 0.25),
    "squat": (0.95, 0.08), "dropped": (0.35, 0.1), "duck": (0.5, 0.25), "stream": (0.45, 0.35), "pond": (0.5, 0.3),
}  # fmt: skip
"""Azimuth and elevation [rad]"""
USUAL = (0.5, 0.12)
PAGES, PAGE = 16, (200, 125)  # of a flipbook: how many, and how large [px]
BEFORE, LASTS = 1.0, 2.0  # [s] before the moment that is shown, and of how long a flipbook tells
STILL = ("standing", "hands", "lamp", "quadruped", "skeleton", "body")  # these wait for a hand
SPANS = {
    "curl": (0.0, 6.0),
    "muscled_walk": (0.0, 32 / 15),
    "limp": (0.0, 32 / 15),
    "squat": (0.0, 2.8),
    "dropped": (0.0, 1.9),
    "lift": (0.2, 6.2),
    "word": (0.5, 6.0),
    "biceps": (0.4, 3.4),
    "stream": (0.0, 3.2),
    "leap": (0.4, 2.2),
    "two_particles": (0.0, 1.3),
    "lamp_leap": (0.0, 1.2),
    "long_leap": (0.0, 1.2),
    "pendulum": (0.0, 1.2),
    "links": (0.0, 0.7),
    "kneel": (0.0, 0.8),
    "fall": (0.0, 1.15),
    "throw": (0.0, 2.4),
    "ball_play": (0.0, 1.4),
}  # [s] of those of which the moment is no middle
FROM_FLOOR = (
    "dropped",
    "jump",
    "lamp_leap",
    "long_leap",
    "ball_play",
    "pendulum",
    "links",
    "fall",
    "throw",
    "leap",
    "two_particles",
)  # these are seen as high as they are
UP_TO = {"squat": 1.72, "dropped": 1.95}  # [m] of those that are higher at other times
WANDERS = ("walk", "muscled_walk", "limp", "flesh", "snake", "lizard", "stool", "table")  # these go away
QUALITY = 82  # of JPEG


def picture(opened: Stage, id: str) -> QImage:
    """One example, framed."""
    open_example(opened, id)
    go(opened, moment(id))
    return opened.view.render_image(*SIZE, camera=camera(opened, id), plain=True)


def flipbook(opened: Stage, id: str) -> QImage:
    """The pages of the example that is open and was framed, side by side."""
    aimed = camera(opened, id)
    strip = QImage(PAGES * PAGE[0], PAGE[1], QImage.Format.Format_RGB32)
    painter = QPainter(strip)
    for number, each in enumerate(_round(aimed) if id in STILL else _along(opened, id, aimed)):
        painter.drawImage(number * PAGE[0], 0, opened.view.render_image(*PAGE, camera=each, plain=True))
    painter.end()
    return strip


def open_example(opened: Stage, id: str) -> None:
    """Open it, and wait until it is seen."""
    before = opened.session.document
    opened.session.exchange.open_example(id)
    opened.until(lambda: opened.session.document is not before)


def go(opened: Stage, time: int) -> None:
    """Show another time [ticks]."""
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time, patience=900.0)
    opened.settle()


def camera(opened: Stage, id: str) -> Camera:
    """Where the picture is taken from: all that is seen now, framed."""
    azimuth, elevation = VIEWS.get(id, USUAL)
    bounds = opened.view.bounds()
    assert bounds is not None
    if id in FROM_FLOOR:
        bounds = replace(bounds, lower=(bounds.lower[0], 0.0, bounds.lower[2]))
    across, high, along = bounds.upper
    bounds = replace(bounds, upper=(across, max(high, UP_TO.get(id, high)), along))
    aimed = replace(opened.view.cameras[opened.view.active], azimuth=azimuth, elevation=elevation)
    return aimed.frame(bounds, SIZE)


def moment(id: str) -> int:
    """Of the picture [ticks]."""
    return round(TICKS.get(id, 0.0) * TICKS_PER_SECOND)


def times(document: Document, id: str) -> list[int]:
    """Of the pages of a flipbook [ticks]: about the moment of the picture, within what is played."""
    last = document.play.end if document.play is not None else moment(id) + round(LASTS * TICKS_PER_SECOND)
    start = max(min(moment(id) - round(BEFORE * TICKS_PER_SECOND), last - round(LASTS * TICKS_PER_SECOND)), 0)
    step = frame_time(1, document.rate)
    end = min(start + round(LASTS * TICKS_PER_SECOND), last)
    if id in SPANS:
        start, end = (round(each * TICKS_PER_SECOND) for each in SPANS[id])
    return [round((start + (end - start) * page / PAGES) / step) * step for page in range(PAGES)]


def _round(aimed: Camera) -> Iterator[Camera]:
    """Once around what stands still."""
    for page in range(PAGES):
        yield replace(aimed, azimuth=aimed.azimuth + tau * page / PAGES)


def _along(opened: Stage, id: str, aimed: Camera) -> Iterator[Camera]:
    """From time to time, and over the floor along with what goes away."""
    middle = np.array(_middle(opened))
    for time in times(opened.session.document, id):
        go(opened, time)
        across, _, along = np.array(_middle(opened)) - middle
        yield aimed.carried((float(across), 0.0, float(along))) if id in WANDERS else aimed


def _middle(opened: Stage) -> tuple[float, float, float]:
    bounds = opened.view.bounds()
    assert bounds is not None
    return bounds.centre


def main() -> int:
    """Draw all, or those that are named."""
    named = sys.argv[1:] or [each.id for each in EXAMPLES]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with stage(anti_aliasing="on", shadows="full") as opened:
        for id in named:
            path = FOLDER / f"{id}.png"
            picture(opened, id).save(str(path))
            flipbook(opened, id).save(str(path.with_suffix(".jpg")), quality=QUALITY)
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
