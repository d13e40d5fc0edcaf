"""Taking hold of bodies in the real window: they follow the mouse, and whatever happens leaves no half edit."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.scene import canvas
from app.scene.panes import FRONT, PERSPECTIVE, RIGHT
from app.session import Item
from app.session.actors import human, stick
from app.style.value_slider import ValueSlider
from engine.commands.reach import Reached
from engine.document import Actor, Document, Layer, Lock
from engine.document.segment import middle_of_segment
from engine.evaluate.evaluator import Evaluator
from engine.formats import motion_toml
from engine.formats.format import Options
from engine.runtime.guard import forbid_kernels_on
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("unhurried")]

Place = NDArray[np.float64]
HAND, PELVIS = "wrist_left", "pelvis"


def person(*layers: Layer, locks: tuple[Lock, ...] = ()) -> Document:
    exact = replace(human(Document()), natural=0.0, floor=False)  # so that chains and stiffness alone say what moves
    actor = replace(exact, id="me", layers=layers or (Layer(id="pose"),), locks=locks)
    return Document(actors=(actor,))


def be_ready(opened: Stage) -> Stage:
    """Until bodies can be dragged."""
    reaching = opened.session.reaching
    opened.until(lambda: reaching.ready)
    opened.settle()
    return opened


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(person()) as open_stage:
        yield be_ready(open_stage)


def middle(opened: Stage, joint: str, actor: str = "me") -> Place:
    """Where the middle of a body stands in the picture [m]."""
    assert opened.snapshot is not None
    item = next(each for each in opened.snapshot.bodies if each.owner == actor and each.role == "result")
    frame = item.transforms[item.parts.index(joint)].astype(np.float64)
    point = middle_of_segment(opened.session.shown.actor(actor).figure, joint)
    return np.asarray(frame[:, :3] @ point + frame[:, 3])


def seen_at(opened: Stage, place: Place, view: int = FRONT) -> Place:
    """Where a place is seen in the canvas [px]."""
    pane = opened.view.panes()[view]
    x, y, _ = opened.view.cameras[view].project(place, opened.view.size_of(view)).tolist()
    return np.array((pane.x + x, pane.y + y))


def at(opened: Stage, joint: str, view: int = FRONT, actor: str = "me") -> QPoint:
    """A point of the canvas near the middle of a body where that is what is seen."""
    x, y = seen_at(opened, middle(opened, joint, actor), view)
    around = sorted(((i, j) for i in range(-9, 10) for j in range(-9, 10)), key=lambda each: np.hypot(*each))
    points = (QPoint(round(x) + i, round(y) + j) for i, j in around)
    return next(point for point in points if is_over(opened, point, actor, joint))


def is_over(opened: Stage, point: QPoint, actor: str, joint: str) -> bool:
    pick = opened.view.pick(QPointF(point))
    return pick is not None and (pick.owner, pick.part) == (actor, joint)


def way(start: QPoint, right: int, down: int, steps: int = 8) -> list[QPoint]:
    return [start + QPoint(right * n // steps, down * n // steps) for n in range(steps + 1)]


def test_a_finger_is_a_hand_until_the_second_click(opened: Stage) -> None:
    session, x, y = opened.session, *seen_at(opened, middle(opened, "middle_left"), FRONT)
    around = [QPoint(round(x) + i, round(y) + j) for i in range(-9, 10) for j in range(-9, 10)]

    def is_finger(point: QPoint) -> bool:
        pick = opened.view.pick(QPointF(point), exactly=True)
        return pick is not None and pick.part in session.document.actor("me").figure.below(HAND)

    finger = next(filter(is_finger, around))
    before = session.document
    drag(canvas_of(opened), way(finger, 12, -40))
    opened.until(lambda: session.document is not before)
    opened.settle()
    assert session.selection.items == (Item("me", HAND),)
    assert session.history.entries[-1].label == "Drag Left hand"
    session.undo()
    session.select(())
    opened.settle()
    chosen = []
    for _ in range(2):
        QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, pos=finger)
        opened.settle()
        chosen.append(session.selection.items[0].part)
    assert chosen[0] == HAND
    assert chosen[1] in session.document.actor("me").figure.below(HAND)


def drag_body(opened: Stage, joint: str, right: int, down: int, view: int = FRONT, actor: str = "me") -> None:
    """Drag a body by so many pixels, and wait for the new document."""
    before = opened.session.document
    drag(canvas_of(opened), way(at(opened, joint, view, actor), right, down))
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def drag_slowly(opened: Stage, joint: str, right: int, down: int) -> None:
    """The same, so that each point is followed before the next one: the pose depends on the way."""
    before, canvas = opened.session.document, canvas_of(opened)
    points = way(at(opened, joint, FRONT), right, down)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        move(canvas, point)
        opened.until(lambda: opened.session.reaching.pulled is None or caught_up(opened))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def take(opened: Stage, joint: str, right: int, down: int, view: int = FRONT) -> list[QPoint]:
    """Press on a body and drag it without letting go; until it has followed to the last point."""
    canvas, points = canvas_of(opened), way(at(opened, joint, view), right, down)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        move(canvas, point)
    opened.until(lambda: opened.session.reaching.pulled is None or caught_up(opened))
    return points


class Layouts(QObject):
    """Counts how often the window lays out its docks anew."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def caught_up(opened: Stage) -> bool:
    last, reaching = opened.session.reaching.reached, opened.session.reaching
    return last is not None and last.request.drag == reaching.drag and last.goals[0].target == reaching.goal  # type: ignore[union-attr]


def let_go(opened: Stage, point: QPoint) -> None:
    QTest.mouseRelease(canvas_of(opened), Qt.MouseButton.LeftButton, pos=point)
    opened.until(lambda: opened.session.reaching.pulled is None)
    opened.settle()


def pose_of(opened: Stage) -> dict[str, float]:
    return dict(opened.session.document.actor("me").layers[-1].values)


def errors(opened: Stage) -> list[str]:
    return [entry.text for entry in opened.session.log if entry.kind == "error"]


@pytest.mark.parametrize("view", [PERSPECTIVE, FRONT, RIGHT])
def test_a_hand_follows_the_mouse_and_undo_puts_it_back(opened: Stage, view: int) -> None:
    session, first = opened.session, opened.session.document
    start = seen_at(opened, middle(opened, HAND), view)
    drag_body(opened, HAND, 12, -24, view)
    assert session.history.entries[-1].label == "Drag Left hand"
    assert np.hypot(*(seen_at(opened, middle(opened, HAND), view) - start - (12, -24))) < 1.0
    assert all(name.startswith(("collar_left", "shoulder_left", "elbow_left", "forearm_left", "wrist_left"))
               for name in pose_of(opened))  # fmt: skip
    assert session.selection.active == Item("me", HAND)
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    assert session.document is first


def pixels_off(opened: Stage, joint: str, view: int, path: list[tuple[int, int]], beside: QPoint) -> list[float]:
    """How far a body is from under the pointer, move by move [px]; it is taken beside its middle."""
    canvas, start = canvas_of(opened), at(opened, joint, view) + beside
    apart = seen_at(opened, middle(opened, joint), view) - (start.x(), start.y())
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    found = []
    for right, down in path:
        move(canvas, start + QPoint(right, down))
        opened.until(lambda: caught_up(opened))
        off = seen_at(opened, middle(opened, joint), view) - (start.x() + right, start.y() + down) - apart
        found.append(float(np.hypot(*off)))
    let_go(opened, start)
    return found


@pytest.mark.parametrize("view", [PERSPECTIVE, FRONT])
def test_what_is_dragged_stays_under_the_pointer_where_it_was_taken(opened: Stage, view: int) -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 40)
    circle = [(round(20 * np.sin(a)), round(-12 - 20 * (1 - np.cos(a)))) for a in angles]
    assert max(pixels_off(opened, HAND, view, circle, QPoint(2, -2))) < 1.0


def test_a_click_selects_and_moves_nothing(opened: Stage) -> None:
    session, first, canvas = opened.session, opened.session.document, canvas_of(opened)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(opened, HAND))
    assert [item.part for item in session.selection.items] == [HAND]
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, at(opened, "knee_left"))
    assert [item.part for item in session.selection.items] == [HAND, "knee_left"]
    start = at(opened, "knee_left")
    drag(canvas, [start, start + QPoint(2, 1)])
    assert [item.part for item in session.selection.items] == ["knee_left"], "a click may wander a little"
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(12, canvas.height() - 60))
    assert session.selection.items == ()
    assert (session.document, session.history.position) == (first, 0)


def test_a_pull_on_a_mark_wins_over_the_body_behind_it(opened: Stage) -> None:
    opened.session.select([Item("me")])
    opened.settle()
    mark = next(each for each in opened.view.markers if each.part == HAND)
    place = opened.view.place_of("me", mark.part, mark.point)
    assert place is not None
    x, y = seen_at(opened, np.array(place))
    drag(canvas_of(opened), way(QPoint(round(x), round(y)), 10, -20))
    opened.until(lambda: opened.session.history.position == 1)
    assert opened.session.history.entries[-1].label == f"Reach with {mark.name}"


def test_the_pelvis_slides_and_does_not_turn(opened: Stage) -> None:
    drag_body(opened, PELVIS, 20, 10)
    root = opened.session.document.actor("me").figure.joints[0]
    assert set(pose_of(opened)) <= {dof.id for dof in root.dofs if dof.kind == "slide"}
    assert pose_of(opened)


def test_a_prop_is_moved(the_window: OneWindow) -> None:
    prop = stick(Document())
    with the_window.begun(Document(actors=(replace(prop, id="stick"),))) as opened:
        be_ready(opened)
        joint = prop.figure.joints[0].id
        before = middle(opened, joint, "stick")
        drag_body(opened, joint, 30, -40, actor="stick")
        assert opened.session.history.entries[-1].label == f"Drag {prop.name}"
        assert np.linalg.norm(middle(opened, joint, "stick") - before) > 0.1
        figure = opened.session.document.actor("stick").figure
        moved = {
            figure.coordinate_dof[name].kind for name, _ in opened.session.document.actor("stick").layers[-1].values
        }
        assert moved == {"slide"}


def test_in_perspective_a_hand_is_pushed_and_pulled_and_without_it_stays_in_its_plane(opened: Stage) -> None:
    back = opened.view.cameras[FRONT].axes[2]
    before = middle(opened, HAND)
    drag_body(opened, HAND, 10, -20, FRONT)
    assert abs((middle(opened, HAND) - before) @ back) < 2e-3
    back, before = opened.view.cameras[PERSPECTIVE].axes[2], middle(opened, HAND)
    drag_body(opened, HAND, 120, 30, PERSPECTIVE)
    assert abs((middle(opened, HAND) - before) @ back) > 0.01


def test_beyond_reach_it_says_by_how_much_it_is_missed(opened: Stage) -> None:
    points = take(opened, HAND, 140, -60)
    opened.until(lambda: any(mark.missed for mark in opened.view.markers))
    (mark,) = [mark for mark in opened.view.markers if mark.missed]
    reached = opened.session.reaching.reached
    assert reached is not None
    by = np.linalg.norm(middle(opened, HAND) - reached.goals[0].target)  # type: ignore[union-attr]
    assert mark.missed == f"missed by {1000 * by:.0f} mm"
    let_go(opened, points[-1])
    assert opened.session.history.position == 1
    assert not any(mark.missed or mark.goal for mark in opened.view.markers)


def test_a_drag_out_of_the_window_goes_on_and_ends_well(opened: Stage) -> None:
    points = take(opened, HAND, -3000, 4000)
    let_go(opened, points[-1])
    assert opened.session.history.position == 1
    assert errors(opened) == []


@pytest.mark.parametrize("lost", ["grab", "window", "focus", "escape", "elsewhere"])
def test_a_button_that_is_lost_leaves_everything_as_it_was_and_says_so(opened: Stage, lost: str) -> None:
    session, first, canvas = opened.session, opened.session.document, canvas_of(opened)
    points = take(opened, HAND, 12, -24)
    assert session.shown is not first
    if lost == "escape":
        QTest.keyClick(canvas, Qt.Key.Key_Escape)
    elif lost == "elsewhere":
        move(canvas, points[-1], held=False)
    else:
        kinds = {"grab": QEvent.Type.UngrabMouse, "window": QEvent.Type.WindowDeactivate, "focus": QEvent.Type.FocusOut}
        QApplication.sendEvent(canvas, QEvent(kinds[lost]))
    assert session.reaching.pulled is None
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    opened.settle()
    assert (session.document, session.shown, session.history.position) == (first, first, 0)
    assert session.log[-1].text == "The drag was given up; nothing has changed."
    drag_body(opened, HAND, 12, -24)
    assert session.history.position == 1


def test_what_is_dragged_is_deleted_only_after_the_drag(opened: Stage) -> None:
    session = opened.session
    points = take(opened, HAND, 12, -24)
    session.select([Item("me")])
    opened.window.menus.actions["edit.delete"].trigger()
    move(canvas_of(opened), points[-1] + QPoint(2, 2))
    assert session.document.actors
    let_go(opened, points[-1])
    opened.until(lambda: not session.document.actors)
    assert [entry.label for entry in session.history.entries][1] == "Drag Left hand"
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    assert session.history.position == 0
    assert errors(opened) == []


def test_undo_in_the_middle_of_a_drag_undoes_the_drag(opened: Stage) -> None:
    session = opened.session
    drag_body(opened, "knee_left", 6, -4)
    session.select(())
    first = session.document
    points = take(opened, HAND, 12, -24)
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.shown is not first
    let_go(opened, points[-1])
    opened.until(lambda: session.document is first)
    assert session.history.redo_entry is not None
    assert session.history.redo_entry.label == "Drag Left hand"


def test_playing_waits_until_it_is_let_go(opened: Stage) -> None:
    points = take(opened, HAND, 12, -24)
    press(opened, Qt.Key.Key_Space)
    assert not opened.session.player.playing
    assert opened.session.log[-1].text == "Let go of what is dragged, then play."
    let_go(opened, points[-1])
    assert opened.session.history.position == 1


def walker() -> Document:
    contents = motion_toml.FORMAT.read(Path("resources/motions/walk.motion.toml"), Options())  # type: ignore[misc]
    assert contents.figure is not None
    return Document(actors=(Actor(id="me", name="Walker", figure=contents.figure, layers=contents.layers),))


def test_grabbing_while_it_plays_pauses_on_the_picture_that_was_seen(the_window: OneWindow) -> None:
    with the_window.begun(walker()) as opened:
        be_ready(opened)
        session, canvas = opened.session, canvas_of(opened)
        shown: list[int] = []
        opened.hear(session.snapshot_ready, lambda snapshot: shown.append(snapshot.time))
        press(opened, Qt.Key.Key_Space)
        opened.until(lambda: len(shown) > 5)
        seen, joint = shown[-1], "wrist_left"
        session.playhead += 7  # the clock is ahead of the picture
        start = at(opened, joint)
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
        paused = not session.player.playing
        assert paused
        assert session.playhead == seen
        for point in way(start, 8, -10)[1:]:
            move(canvas, point)
        opened.until(lambda: caught_up(opened))
        let_go(opened, start + QPoint(8, -10))
        assert session.playhead == seen
        assert session.history.position == 1
        press(opened, Qt.Key.Key_Space)
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(opened, joint))
        assert session.player.playing, "a click selects, and the motion goes on"
        assert session.selection.items[-1].actor == "me"


def test_a_frozen_figure_is_not_dragged(the_window: OneWindow) -> None:
    frozen = person()
    with the_window.begun(frozen.with_actor(replace(frozen.actor("me"), frozen=True))) as opened:
        be_ready(opened)
        x, y = seen_at(opened, middle(opened, HAND))
        drag(canvas_of(opened), way(QPoint(round(x), round(y)), 12, -24))
        assert opened.session.reaching.pulled is None
        assert opened.session.history.position == 0
        assert not [entry for entry in opened.session.log if entry.kind == "error"]


def test_no_older_picture_is_painted_in_the_way_of_an_answer(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "MOST_AWAITED", 60_000)  # so that no slow machine gives up
    points = take(opened, HAND, 40, -40)
    reaching, drawn, after = opened.session.reaching, list[int](), points[-1] + QPoint(4, 4)

    def hear(reached: Reached) -> None:
        drawn.append(opened.pictures)
        if len(drawn) == 1:  # its own picture is due, and the hand moves on
            move(canvas_of(opened), after)

    opened.settle()
    opened.hear(reaching.answered, hear)
    move(canvas_of(opened), points[-1] + QPoint(2, 2))
    opened.until(lambda: len(drawn) == 2)
    assert drawn[0] == drawn[1]
    let_go(opened, after)


def test_a_drag_calls_no_kernel_in_the_windows_thread(opened: Stage) -> None:
    with forbid_kernels_on(threading.main_thread()):
        drag_body(opened, HAND, 12, -24)
    assert errors(opened) == []


def trigger(opened: Stage, action: str) -> None:
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled(), action
    opened.window.menus.actions[action].trigger()


def moved_joints(opened: Stage) -> set[str]:
    figure = opened.session.document.actor("me").figure
    return {joint.id for joint in figure.joints if {dof.id for dof in joint.dofs} & pose_of(opened).keys()}


@pytest.mark.parametrize(
    ("action", "moves"),
    [
        ("pose.chain_part", {HAND}),
        ("pose.chain_branch", {"collar_left", "shoulder_left", "elbow_left", "forearm_left", HAND}),
        ("pose.chain_usual", {"collar_left", "shoulder_left", "elbow_left", "forearm_left", HAND}),
    ],
)
def test_a_person_chooses_how_far_up_a_drag_moves(opened: Stage, action: str, moves: set[str]) -> None:
    trigger(opened, action)
    opened.window.menus.refresh()
    assert [each for each in CHAINS if opened.window.menus.actions[each].isChecked()] == [action]
    drag_body(opened, HAND, 6, -8)
    assert moved_joints(opened)
    assert moved_joints(opened) <= moves


CHAINS = ("pose.chain_usual", "pose.chain_part", "pose.chain_branch", "pose.chain_joint", "pose.chain_whole")


def test_the_whole_figure_moves_if_told_so(opened: Stage) -> None:
    trigger(opened, "pose.chain_whole")
    drag_body(opened, HAND, 20, -30)
    assert "spine" in " ".join(moved_joints(opened)) or PELVIS in moved_joints(opened)


def test_a_chain_ends_at_the_joint_that_is_named_until_that_is_cleared(opened: Stage) -> None:
    opened.session.select([Item("me", "elbow_left")])
    trigger(opened, "pose.chain_end")
    opened.session.select(())
    opened.settle()
    opened.window.menus.refresh()
    assert opened.window.menus.actions["pose.chain_joint"].isChecked()
    drag_body(opened, HAND, 6, -8)
    assert moved_joints(opened) <= {"elbow_left", "forearm_left", HAND}
    trigger(opened, "pose.chain_branch")
    trigger(opened, "pose.chain_joint")
    assert opened.session.reaching.chain_end("me") == "elbow_left"
    trigger(opened, "pose.chain_clear")
    assert opened.session.reaching.chain_end("me") is None
    assert opened.session.reaching.terms.extent == "usual"


def test_as_soon_as_something_is_locked_the_whole_figure_gives_way(the_window: OneWindow) -> None:
    feet = tuple(
        Lock(id=side, name=side, joint=f"ankle_{side}", position=tuple(place.tolist()))
        for side, place in (("left", foot("left")), ("right", foot("right")))
    )
    with the_window.begun(person(locks=feet)) as opened:
        be_ready(opened)
        before = {side: joint_at(opened, f"ankle_{side}") for side in ("left", "right")}
        drag_body(opened, HAND, 60, 60)
        assert moved_joints(opened) - {"collar_left", "shoulder_left", "elbow_left", "forearm_left", HAND}
        for side, place in before.items():
            assert np.linalg.norm(joint_at(opened, f"ankle_{side}") - place) < 1e-3


def foot(side: str) -> Place:
    document = person()
    frames = Evaluator().joint_transforms(document, "me", 0)
    return np.asarray(frames[document.actor("me").figure.joint_index[f"ankle_{side}"]][:, 3])


def joint_at(opened: Stage, joint: str) -> Place:
    document = opened.session.document
    frames = Evaluator().joint_transforms(document, "me", opened.session.playhead)
    return np.asarray(frames[document.actor("me").figure.joint_index[joint]][:, 3])


def test_a_joint_that_is_stiff_gives_way_less(opened: Stage) -> None:
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None

    def elbow_after_drag() -> float:
        opened.session.select(())
        drag_slowly(opened, HAND, 6, -20)
        elbow = opened.session.document.actor("me").figure.joint("elbow_left")
        turned = sum(abs(pose_of(opened).get(dof.id, 0.0)) for dof in elbow.dofs)
        press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        opened.settle()
        return turned

    loose = elbow_after_drag()
    opened.session.select([Item("me", "elbow_left")])
    opened.settle()
    assert isinstance(panel.page, Page)
    section = panel.page.sections["stiffness"]
    QTest.mouseClick(section.header, Qt.MouseButton.LeftButton, pos=QPoint(30, section.header.height() // 2))
    slider = next(each for each in section.findChildren(ValueSlider) if each.isVisible())
    before = opened.session.document
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.1, 0.5, 0.9)])
    opened.until(lambda: opened.session.document is not before)
    opened.settle()
    stiff = opened.session.document.actor("me").figure.joint("elbow_left").dofs[0]
    assert stiff.stiffness > 5.0
    assert "stiffness" in opened.session.history.entries[-1].label
    assert elbow_after_drag() < 0.7 * loose


def test_the_window_is_not_laid_out_anew_while_a_body_is_dragged(opened: Stage) -> None:
    """Each layout has the whole window painted several times, which makes the drag halt."""
    status, layouts = opened.window.status, Layouts(opened.window)
    opened.until(lambda: status.job.isHidden())
    for label in (status.solved, status.drawn):
        label.show_text("Pose 12345.6 ms")
    canvas, points = canvas_of(opened), take(opened, HAND, 30, -20)
    opened.draw()
    opened.grab()  # once what was asked of the layout is done
    opened.window.installEventFilter(layouts)
    texts = set()
    for step in range(1, 25):
        status.show_solved(1e-3 * (1.0 + step % 12))  # the times of this machine may all look alike
        pictures = opened.pictures
        move(canvas, points[-1] + QPoint(step, -step))
        opened.until(lambda before=pictures: opened.pictures > before)  # type: ignore[misc]
        status._show_numbers()
        texts.add(status.solved.text())
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    opened.window.removeEventFilter(layouts)
    assert len(texts) > 3
    assert layouts.count == 0
