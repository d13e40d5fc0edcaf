"""Secondary motion of soft bodies in the real window: a window that is suggested, a point that is clicked and met."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.secondary.current_targets import CurrentTargets
from app.features.soft.current_soft import CurrentSoft
from app.scene.panes import PERSPECTIVE
from app.session import Item
from engine.document import Span
from engine.model import SkinSurface
from tests.engine.soft.driven import SECOND, reaching
from tests.one_window import OneWindow
from tests.picking import find_body
from tests.stage import Stage

pytestmark = pytest.mark.gui
HERE = 7 * SECOND // 10


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """An arm that swings, with a slab in its hand, at the playhead."""
    document = replace(reaching(), play=Span(start=0, end=SECOND))
    with the_window.begun(document) as open_stage:
        open_stage.session.of(CurrentTargets).meet_always(False)
        go_to(open_stage, HERE)
        yield open_stage


def go_to(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def trigger(opened: Stage, action: str) -> None:
    """Do it, and wait for the edit."""
    before = opened.session.document
    opened.until(lambda: opened.session.engine_state.ready)
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled()
    opened.window.menus.actions[action].trigger()
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()


def surface(opened: Stage) -> SkinSurface:
    assert opened.snapshot is not None
    return next(each for each in opened.snapshot.skins if each.owner == "flag")


def click(opened: Stage, at: QPoint) -> None:
    canvas = opened.view.childAt(opened.view.rect().center())
    assert canvas is not None
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    opened.settle()


def test_a_point_that_is_clicked_is_reached_by_the_figure_that_carries_it(opened: Stage) -> None:
    session = opened.session
    found = find_body(opened.view, session.document.actor("flag"), pane=PERSPECTIVE)
    assert found is not None
    click(opened, found[0].toPoint())
    assert session.spot is not None
    owner, spot = session.spot
    assert owner == "flag"
    seen = surface(opened).positions[spot]
    assert np.linalg.norm(seen - np.array(found[1].point_world)) < 0.06, "the vertex that is next to it"
    trigger(opened, "targets.here")
    (target,) = session.of(CurrentTargets).targets
    assert (target.carried, target.spot, target.joint, target.time) == ("flag", spot, "j7", HERE)
    assert session.selection.items == (Item("arm", "j7"),), "whose targets are seen"
    assert target.position == pytest.approx(seen.tolist(), abs=1e-5)
    assert session.of(CurrentTargets).chosen == target.id
    assert target.position is not None
    wanted = np.array(target.position) + np.array((0.03, 0.05, 0.0))
    session.of(CurrentTargets).change(position=tuple(wanted.tolist()))
    trigger(opened, "targets.meet")
    opened.until(lambda: bool(np.linalg.norm(surface(opened).positions[spot] - wanted) < 1e-5))
    assert "1 target met" in session.log[-1].text


def test_a_window_is_suggested_and_scrubbing_shows_any_frame(opened: Stage) -> None:
    session, current = opened.session, opened.session.of(CurrentSoft)
    session.select([Item("flag")])
    before = surface(opened).positions.tobytes()
    go_to(opened, SECOND // 3)
    go_to(opened, HERE)
    assert surface(opened).positions.tobytes() == before
    trigger(opened, "soft.suggest_window")
    body = current.body
    assert body is not None
    assert body.stepped == "over_window"
    assert body.window != 0.3
    session.undo()
    assert current.body is not None
    assert current.body.window == 0.3
