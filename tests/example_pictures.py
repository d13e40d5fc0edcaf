"""`python -m tests.example_pictures [ID ...]`: draws the pictures of the examples into resources/examples."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QImage

from engine.queries.examples import EXAMPLES
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "examples"
SIZE = (320, 200)  # [px]
TICKS = {
    "walk": 0.2, "jump": 1.0, "ball": 7.1, "letters": 4.4, "grasp": 2.4, "hanging_ball": 2.4, "punch": 1.0,
    "fast_punch": 1.05, "ragdoll": 1.4, "hat": 2.6, "jelly": 0.42, "snake": 1.3, "stool": 1.2, "table": 1.2,
    "belly": 0.8,
    "lizard": 1.2, "biceps": 2.2, "word": 6.0, "overlap": 4.2, "regions": 2.0, "face": 40 / 24, "seesaw": 0.8,
    "arm": 2.4, "flesh": 1.0, "dam": 0.7, "splash": 0.7, "floats": 1.2, "face_down": 1.0, "waves": 2.0, "duck": 1.2,
    "stream": 3.0, "pond": 1.2,
}  # fmt: skip
"""[s] of the moment that is shown"""
VIEWS = {
    "lamp": (0.9, 0.2), "quadruped": (0.95, 0.16), "letters": (0.0, 0.05), "grasp": (-0.75, 0.15),
    "hanging_ball": (0.4, 0.25), "punch": (1.25, 0.1), "fast_punch": (0.85, 0.14),
    "belly": (1.25, 0.15),
    "ragdoll": (0.9, 0.2), "hat": (1.1, 0.1), "jelly": (0.5, 0.25), "snake": (0.5, 0.6), "stool": (0.5, 0.3),
    "table": (0.35, 0.12), "lizard": (0.6, 0.6), "biceps": (0.3, 0.15), "face": (0.35, 0.06),
    "word": (0.0, 1.25), "overlap": (0.3, 0.1), "regions": (0.3, 0.1),
    "seesaw": (0.4, 0.15), "arm": (1.45, 0.15), "flesh": (0.6, 0.1),
    "dam": (0.6, 0.25), "splash": (0.6, 0.25), "floats": (0.5, 0.25), "face_down": (0.8, 0.3), "waves": (0.35, 0.25),
    "duck": (0.5, 0.25), "stream": (0.45, 0.35), "pond": (0.5, 0.3),
}  # fmt: skip
"""Azimuth and elevation [rad]"""
USUAL = (0.5, 0.12)


def picture(opened: Stage, id: str) -> QImage:
    """One example, framed."""
    session, view = opened.session, opened.view
    before = session.document
    session.exchange.open_example(id)
    opened.until(lambda: session.document is not before)
    time = round(TICKS.get(id, 0.0) * 705_600_000)
    session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time, patience=600.0)
    opened.settle()
    azimuth, elevation = VIEWS.get(id, USUAL)
    bounds = view.bounds()
    assert bounds is not None
    aimed = replace(view.cameras[view.active], azimuth=azimuth, elevation=elevation)
    return view.render_image(*SIZE, camera=aimed.frame(bounds, SIZE), plain=True)


def main() -> int:
    """Draw all, or those that are named."""
    named = sys.argv[1:] or [each.id for each in EXAMPLES]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with stage(anti_aliasing="on", shadows="full") as opened:
        for id in named:
            path = FOLDER / f"{id}.png"
            picture(opened, id).save(str(path))
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
