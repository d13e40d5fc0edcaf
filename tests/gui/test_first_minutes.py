"""The first minutes in the real window: from the start page to an exported clip of poses of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.export.choices import Choices
from app.features.films.films import Films
from app.features.films.view.sheet import FilmSheet
from tests.app.export.films import read
from tests.counted import Counted
from tests.first_minutes import MOST_ACTIONS, POSES, make_clip
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels, pytest.mark.usefixtures("unhurried")]


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """The start page over it, as Sinew starts; videos are small."""
    with the_window.begun() as begun:
        begun.until(lambda: begun.session.reaching.ready)
        begun.window.prefer(film=Choices(width=160, height=120, samples=1))
        begun.window.menus.actions["help.start_page"].trigger()
        yield begun
        begun.window.of(Films).exports.clear()
        for sheet in begun.window.findChildren(FilmSheet):
            sheet.close()


def test_a_novice_comes_from_the_start_page_to_a_clip_in_few_actions(opened: Stage, tmp_path: Path) -> None:
    hand = Counted(opened, moves=2)
    make_clip(hand, tmp_path / "mine.mp4")
    assert hand.count == 13 <= MOST_ACTIONS, hand.actions  # as docs/tour.md says
    frames = read(tmp_path / "mine.mp4").frames
    assert len(frames) == POSES[-1][0] + 1
    first, last = (np.asarray(frames[place], dtype=float) for place in (0, -1))
    assert np.abs(first - last).max() > 50.0, "the figure moves"
