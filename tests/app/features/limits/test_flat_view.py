"""The picture of a limit over two angles: the pose is seen also beyond it, and what stays is painted once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.features.limits.flat import FlatView
from app.style.apply import current_theme
from engine.document.limit import BoxRange, Grid, Limit
from engine.queries.limit_pictures import LimitPicture, LimitWanted, Slice


def picture() -> LimitPicture:
    """A box of +-0.5 rad in a grid of +-1 that goes round along neither angle."""
    ends = (-1.0, -1.0), (1.0, 1.0)
    grid = Grid(counts=(21, 21), lower=ends[0], spacing=(0.1, 0.1), periodic=(False, False))
    content = BoxRange(lower=(-0.5, -0.5), upper=(0.5, 0.5))
    side = np.abs(np.linspace(-1.0, 1.0, 41))
    values = np.maximum(side[:, None], side[None, :]) - 0.5
    return LimitPicture(
        wanted=LimitWanted(actor="arm", limit="wrist"),
        limit=Limit(id="wrist", name="Wrist", dofs=("a", "b"), range=content, grid=grid),
        hinges=("Flexion", "Deviation"),
        lower=ends[0],
        upper=ends[1],
        positions=np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]),
        normals=np.empty((0, 3)),
        faces=np.array([(0, 1), (1, 2), (2, 3), (3, 0)], dtype=np.int32),
        samples=np.random.default_rng(1).uniform(-0.4, 0.4, (5000, 2)),
        slices=(Slice((0, 1), (0.0, 0.0), *ends, values),),
        line=np.empty(0),
    )


@pytest.fixture
def view(qtbot: QtBot) -> FlatView:
    found = FlatView()
    qtbot.addWidget(found)
    found.resize(320, 320)
    found.show_picture(picture())
    return found


def painted(view: FlatView) -> QImage:
    return view.grab().toImage()


def is_warning(colour: QColor) -> bool:
    wanted = QColor(current_theme().warning)
    apart = (colour.red() - wanted.red(), colour.green() - wanted.green(), colour.blue() - wanted.blue())
    return max(abs(each) for each in apart) < 40


def test_a_pose_beyond_the_picture_stands_at_its_edge_with_an_arrow_to_what_is_allowed(view: FlatView) -> None:
    view.show_pose((1.4, 0.2), (0.5, 0.2), ())
    image, frame, end = painted(view), view.frame, view.point_of((0.5, 0.2))
    edge = QPoint(round(frame.right()), round(end.y()))
    assert is_warning(image.pixelColor(edge)), "the dot"
    middle = round(0.5 * (end.x() + edge.x()))
    assert any(is_warning(image.pixelColor(QPoint(middle, edge.y() + row))) for row in (-1, 0, 1)), "the arrow"
    assert not view.frame.contains(view.point_of((1.4, 0.2)))


def test_what_stays_is_painted_once_for_many_poses(view: FlatView, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    paint = view._paint_ground

    def counted(ground: QPixmap, *rest: object) -> None:
        nonlocal count
        count += 1
        paint(ground, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(view, "_paint_ground", counted)
    for step in range(5):
        view.show_pose((0.1 * step, 0.0), None, ())
        painted(view)
    assert count == 1
    view.resize(300, 320)
    painted(view)
    view.show_picture(picture())
    painted(view)
    assert count == 3


def test_a_way_over_the_seam_of_a_turn_is_no_line_across(view: FlatView) -> None:
    before = painted(view)
    view.show_pose(None, None, [(0.9, 0.0), (0.9 - math.tau + 1.0, 0.0)])
    assert painted(view) == before
    view.show_pose(None, None, [(0.9, 0.0), (-0.9, 0.0)])
    assert painted(view) != before


def test_a_stroke_is_dropped_where_the_view_is_hidden(view: FlatView) -> None:
    view.show()
    view.set_brush(0.2)
    ended: list[bool] = []
    view.stroke_ended.connect(ended.append)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=view.frame.center().toPoint())
    view.hide()
    assert ended == [False]
