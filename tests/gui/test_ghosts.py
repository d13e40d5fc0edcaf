"""The ghosts of planned motions with real mouse events: minima side by side, a point dragged, a force turned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.view.force_dragging import FORCES
from app.features.spacetime.view.ghost_tool import GHOSTS
from app.scene.markers import PlacedMarker
from app.scene.panes import FRONT
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.queries.examples import read_example
from engine.spacetime.parts import Spacetime, SpacetimeForce
from tests.gui.acting import go_to
from tests.gui.test_planned_motions import leaping, pixel, plan_of
from tests.gui.test_window import canvas_of
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, move

pytestmark = pytest.mark.gui
LINKS = Path(__file__).parents[2] / "resources" / "examples" / "links.json"
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged(size=(1280, 800))


def symbols(opened: Stage, of: str) -> dict[str, PlacedMarker]:
    """The symbols of one kind that are drawn, by id."""
    canvas = opened.view._canvas
    assert canvas is not None
    markers = canvas.sprites.markers
    return {each.marker.id: each for each in markers if each.marker.symbol and each.marker.symbol.of == of}


def lead(opened: Stage, start: QPoint, way: QPoint) -> None:
    """Drag from one pixel of the front view by a way, and let go once the engine has answered."""
    session, canvas, before = opened.session, canvas_of(opened), opened.session.document
    QTest.mousePress(canvas, LEFT, NONE, start)
    for share in (0.3, 0.6, 1.0):
        move(canvas, start + way * share)
    assert session.document is before, "one entry of the history, when it is let go"
    QTest.mouseRelease(canvas, LEFT, NONE, start + way)
    opened.until(lambda: session.document is not before and session.at_rest)


def searched(opened: Stage, *, compare: bool = False) -> CurrentSpacetime:
    """Search in the front view, the dock in front."""
    current = opened.session.of(CurrentSpacetime)
    opened.window.show_panel("spacetime")
    opened.view.maximise(FRONT)
    opened.until(lambda: opened.session.is_ready("A search"))
    current.run(compare=compare)
    opened.until(lambda: not current.running)
    opened.settle()
    return current


def test_minima_stand_side_by_side_and_a_click_on_a_ghost_looks_at_it(window: Arranged) -> None:
    document = read_example(LINKS.read_text())
    chain = document.actors[0]
    plan = chain.part(Spacetime)
    assert plan is not None
    stages = tuple(replace(each, pieces=6) for each in plan.stages)
    document = document.with_actor(chain.with_part(replace(plan, stages=stages, guesses=4)))
    with window.anew(document) as opened:
        current = searched(opened, compare=True)
        first, second, *_ = current.minima
        go_to(opened, 0.3)
        opened.until(lambda: f"way {len(current.minima)}" in symbols(opened, GHOSTS))
        opened.view.frame()
        seen = symbols(opened, GHOSTS)
        for number, motion in enumerate(current.minima, start=1):
            at = pixel(opened, seen[f"way {number}"].place)
            assert opened.view.panes()[FRONT].width > at.x() > opened.view.panes()[FRONT].x, "all are framed"
            symbol = seen[f"way {number}"].marker.symbol
            assert symbol is not None
            assert f"{motion.objective:.4g}" in symbol.label
        way = next(
            each for each in opened.view._trails["planned motion"].onions if each.way == 2  # type: ignore[union-attr]
        )  # fmt: skip
        hub, knee = (way.bodies.transforms[at, :, 3].astype(float) for at in (2, 3))
        middle = 0.5 * (hub + knee)
        QTest.mouseClick(canvas_of(opened), LEFT, NONE, pixel(opened, (middle[0], middle[1], middle[2])))
        opened.until(lambda: current.motion is second)
        opened.until(lambda: "way 1" in symbols(opened, GHOSTS))
        opened.settle()
        QTest.mouseClick(canvas_of(opened), LEFT, NONE, pixel(opened, symbols(opened, GHOSTS)["way 1"].place))
        opened.until(lambda: current.motion is first)


def test_a_point_of_the_ghost_is_dragged_and_the_motion_follows_and_a_force_is_turned_by_its_arrow(
    window: Arranged, tmp_path: Path
) -> None:
    document = leaping(tmp_path)
    lamp = document.actors[0]
    plan = lamp.part(Spacetime)
    assert plan is not None
    wind = SpacetimeForce(id="wind", name="Wind", joint="head", direction=(1.0, 0.0, 0.0), least=1.0, most=1.0)
    document = document.with_actor(lamp.with_part(replace(plan, forces=(wind,))))
    with window.anew(document) as opened:
        view = opened.view
        view.place_camera(FRONT, replace(view.cameras[FRONT], target=(0.2, 0.3, 0.0), distance=2.0))
        current = searched(opened)
        assert current.motion is not None
        assert current.motion.state == "solved"
        go_to(opened, 0.57)
        opened.until(lambda: "point 0" in symbols(opened, GHOSTS))
        opened.settle()
        found = next(each for each in symbols(opened, GHOSTS).values() if each.marker.name == "Upper arm")
        seen: list[float] = []
        opened.hear(current.iterated, lambda: seen.append(current.motion.objective if current.motion else 0.0))
        lead(opened, pixel(opened, found.place), QPoint(0, -20))
        opened.until(lambda: not current.running)
        made = plan_of(opened).constraints[-1]
        metres = view.cameras[FRONT].metres_per_pixel(np.zeros(3), view.size_of(FRONT))
        assert (made.quantity, made.joint, current.chosen) == ("point", "upper_arm", made.id)
        assert made.position == pytest.approx(np.add(found.place, (0.0, 20.0 * metres, 0.0)), abs=1e-6)
        assert plan_of(opened).time(made.stage, made.at) == pytest.approx(0.57 * SECOND, abs=0.02 * SECOND)
        assert seen, "it is found anew"
        assert current.motion.state == "solved"

        opened.settle()
        tip = next(iter(symbols(opened, FORCES).values()))
        lead(opened, pixel(opened, tip.place), QPoint(0, -30))
        turned = plan_of(opened).force("wind")
        assert turned.direction[1] > 0.1
        assert turned.direction[2] == pytest.approx(0.0, abs=1e-9)
        assert turned.most == turned.least
        assert turned.most is not None
        assert turned.most > 1.0, "longer is harder"
        opened.session.undo()
        opened.session.undo()
        opened.until(lambda: opened.session.at_rest and not current.running)
        assert plan_of(opened).forces == (wind,)
        assert made.id not in [each.id for each in plan_of(opened).constraints]
