"""The pictures of the documentation can be made, and show what they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.features.plot.plotting import Plotting
from tests import shots
from tests.one_window import OneWindow

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
WHOLE_WAY = "light"  # in a window of its own, with smooth edges, in a deep run; in the usual one it is dark as all
USUAL = ("figure", "film", "timeline", "plot", "limits", "physics", "shapes", WHOLE_WAY)  # of each kind of picture one
EVERY = [pytest.param(name, marks=[] if name in USUAL else [pytest.mark.deep]) for name in shots.PICTURES]


@pytest.mark.parametrize("name", EVERY)
def test_every_picture_can_be_prepared(the_window: OneWindow, name: str) -> None:
    assert name == WHOLE_WAY or shots.PICTURES[name][1] == "dark"
    with the_window.begun() as opened:
        check(name, shots.grab(name, opened))
        opened.session.of(Plotting).forget()
        opened.session.of(Plotting).choose(["value"])


@pytest.mark.deep
def test_a_picture_is_made_the_whole_way(qapp: object, tmp_path: Path) -> None:
    shots.take(WHOLE_WAY, tmp_path / "made.png")
    check(WHOLE_WAY, QImage(str(tmp_path / "made.png")))


def check(name: str, picture: QImage) -> None:
    assert (picture.width(), picture.height()) == (1280, 800)
    colours = {picture.pixel(x, y) for x in range(230, 970, 5) for y in range(30, 640, 5)}
    assert len(colours) > 500, "a shaded body, not an empty page"
    assert (shots.FOLDER / f"{name}.png").is_file(), "made by `python3 start.py shots` and committed"
