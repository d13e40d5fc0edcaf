"""What tests of targets share: a human that punches, its window, its line on the timeline, and how near its hand is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, Qt

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.features.secondary.targets import TargetsSection
from app.features.secondary.wanted import TargetTermFields
from app.session import Item
from app.session.actors import new_document
from app.timeline.panel import TimelinePanel
from app.timeline.sheet import DopeSheet
from engine.document import Document, Key, Secondary, Span, Target, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains
from engine.evaluate.evaluator import Evaluator
from tests.one_window import Arranged
from tests.stage import Stage, drag

HAND, WITHIN = "wrist_right", 1e-6
SHOULDER, ELBOW = "shoulder_right.flexion", "elbow_right.flexion"


def punching(*targets: Target, window: int = 3 * SECOND // 10) -> Document:
    """A human whose right arm swings, loosely, with a target for its hand."""
    document = new_document()
    actor = document.actors[0]
    tracks = tuple(
        Track(coordinate=name, keys=tuple(Key(round(time * SECOND), value) for time, value in keys))
        for name, keys in (
            (SHOULDER, ((0.0, 0.0), (0.6, 1.2), (1.2, 0.2), (2.0, 0.6))),
            (ELBOW, ((0.0, 0.4), (0.6, 0.3), (1.2, 1.4), (2.0, 0.5))),
        )
    )
    aims = targets or (Target(id="hand", kind="point", joint=HAND, time=SECOND),)
    secondary = Secondary(gains=Gains(tension=3.0), targets=aims, window=window)
    layer = replace(actor.layers[0], tracks=tracks)
    moved = replace(actor, layers=(layer,), secondary=secondary)
    return replace(document.with_actor(moved), play=Span(start=0, end=2 * SECOND))


@contextmanager
def begun_with(window: Arranged, *targets: Target) -> Iterator[Stage]:
    """A shared window on that human, which is selected; nothing is met that is not asked for. It swings for a short
    window, over which each search goes.
    """
    with window.anew(punching(*targets, window=SECOND // 10)) as begun:
        begun.session.select([Item(begun.session.document.actors[0].id)])
        begun.session.of(CurrentTargets).meet_always(False)
        yield begun


def panel_of(opened: Stage) -> SecondaryPanel:
    """The dock of secondary motion with its targets alone unfolded."""
    opened.window.show_panel("secondary")
    opened.window.resizeDocks([opened.window.docks["secondary"]], [340], Qt.Orientation.Horizontal)
    found = opened.window.docks["secondary"].widget()
    assert isinstance(found, SecondaryPanel)
    for name in ("all", "chosen", "window"):
        found.sections[name].header.set_unfolded(False)
    found.sections["targets"].header.set_unfolded(True)
    opened.until(found.isVisible)
    opened.settle()
    return found


def section_of(opened: Stage, panel: SecondaryPanel) -> TargetsSection:
    """The fields of the first target, which is chosen."""
    found = panel.findChild(TargetsSection)
    assert found is not None
    found.list.setCurrentRow(0)
    opened.until(lambda: opened.session.of(CurrentTargets).target is not None)
    opened.settle()
    return found


def drag_middle(opened: Stage, told: TargetTermFields) -> None:
    """Drag the second slider of a field, in one entry."""
    entries = len(opened.session.history.entries)
    middle = told.sliders[1].rect().center()
    drag(told.sliders[1], [middle, middle + QPoint(12, 0), middle + QPoint(25, 0)])
    opened.until(lambda: opened.session.at_rest)
    assert len(opened.session.history.entries) == entries + 1


def sheet_of(opened: Stage) -> DopeSheet:
    """The dope sheet, high enough and with all of its time."""
    dock = opened.window.docks["timeline"]
    panel = dock.widget()
    assert isinstance(panel, TimelinePanel)
    opened.window.show_panel("timeline")
    opened.window.resizeDocks([dock], [360], Qt.Orientation.Vertical)
    opened.until(lambda: panel.sheet.keys is not None and panel.sheet.height() > 280)
    panel.sheet.commands.show_all()
    opened.settle()
    return panel.sheet


def on_line(sheet: DopeSheet, line: int, time: float, share: float) -> QPoint:
    """On a line of the sheet, at a tick and a share of its height."""
    return QPoint(round(sheet.x_of(time)), sheet.y_of(line) + round(share * sheet.row_height))


def pull(opened: Stage, sheet: DopeSheet, start: QPoint, end: QPoint) -> None:
    """Drag from one place of the sheet to another, until what comes of it is there."""
    drag(sheet.viewport(), [start, (start + end) / 2, end])
    opened.until(lambda: sheet.drag is None and opened.session.at_rest)
    opened.settle()


def target(opened: Stage, at: int = 0) -> Target:
    """One of the first actor's targets."""
    secondary = opened.session.document.actors[0].secondary
    assert secondary is not None
    return secondary.targets[at]


def missed(document: Document, time: int) -> float:
    """How far the hand that is seen is from where the keys have it [m]."""
    actor = document.actors[0]
    layers = tuple(each for each in actor.layers if each.correction is None)
    keyed = document.with_actor(replace(actor, secondary=None, layers=layers))
    index = actor.figure.joint_index[HAND]
    places = [Evaluator().joint_transforms(each, actor.id, time)[index, :, 3] for each in (document, keyed)]
    return float(np.linalg.norm(places[0] - places[1]))
