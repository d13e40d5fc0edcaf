"""`python -m tests.shots [NAME ...] [FOLDER]`: pictures of the real window, by default all, into docs/pictures.

They are made by the tests too (into a temporary folder), so that what the README shows can always be drawn. `help` is
the name of the pictures in pages of help, each of one dock at work, which go to resources/help.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QScrollArea

from app.features.films.view.sheet import FilmSheet
from app.features.limits.current_limit import CurrentLimit
from app.features.physics.panel import PhysicsPanel
from app.features.plot.panel import PlotPanel
from app.features.plot.plotting import Plotting
from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.features.sequences.library import SequenceLibrary
from app.features.soft.panel import SoftPanel
from app.features.soft.plan_run import PlanRun
from app.features.spacetime.chart import SearchChart
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.study.panel import StudyPanel
from app.features.study.running import StudyRun
from app.features.water.panel import WaterPanel
from app.scene.camera import Bounds
from app.session import Item
from app.timeline.graph.panel import CurvesPanel
from engine.document import Document, Handle, Key, Target
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from tests.counted import Counted
from tests.leaping_lamp import leap, leaping_lamp
from tests.muscle_shots import muscles
from tests.stage import Stage, stage

ROOT = Path(__file__).resolve().parents[1]
FOLDER, HELP_FOLDER, HELP = ROOT / "docs" / "pictures", ROOT / "resources" / "help", "help"
SEEN, LEAST = 520, 210  # [px] of a tall dock, from its top; of one that is wide
STUDY = """example = "hanging_ball"
end = 0.5

[[edit]]
edit = "set_gains"
actor = "frames_5"
tension = { from = 0.5, to = 8, count = 8, spacing = "log", name = "tension" }
damping = { values = [0.1, 0.4, 0.8, 1.6], name = "damping" }

[[result]]
quantity = "velocity.length:frames_5.ball"
of = "max"
name = "speed"
"""
WALKING = {
    "hip_left.flexion": 0.55, "hip_right.flexion": -0.32, "knee_left.flexion": 0.45,
    "knee_right.flexion": 0.35, "ankle_right.dorsiflexion": -0.35, "shoulder_left.flexion": -0.45,
    "shoulder_right.flexion": 0.65, "elbow_left.flexion": 0.5, "elbow_right.flexion": 0.95,
    "middle_spine.rotation": 0.12, "head.rotation": -0.1,
}  # fmt: skip


def posed(open_stage: Stage) -> str:
    """Give the human a stride; its id."""
    session = open_stage.session
    actor = session.document.actors[0]
    values = tuple(WALKING.items())
    session.do(edit("set_pose", actor=actor.id, layer=actor.layers[0].id, values=values))
    return actor.id


def window(open_stage: Stage) -> None:
    """Four views, a joint selected."""
    actor = posed(open_stage)
    open_stage.session.select([Item(actor, "knee_left")])


def maximised(open_stage: Stage) -> None:
    """One view, the human turned towards it."""
    actor = posed(open_stage)
    open_stage.view.maximise(3 if open_stage.view.panes().get(3) is None else open_stage.view.active)
    open_stage.view.frame()
    open_stage.session.select([Item(actor, "elbow_right")])


def two(open_stage: Stage) -> None:
    """Two humans and a ball; a whole figure selected."""
    posed(open_stage)
    open_stage.window.menus.actions["add.ball"].trigger()
    open_stage.window.menus.actions["add.human"].trigger()
    open_stage.settle()
    open_stage.view.frame()


def figure(open_stage: Stage) -> None:
    """A figure that is edited, one of its joints in the panel."""
    actor = open_stage.session.document.actors[0].id
    open_stage.window.workspaces.go_to("figure")
    open_stage.view.maximise(open_stage.view.active)
    open_stage.session.select([Item(actor, "elbow_left")])
    open_stage.window.show_panel("figure")
    open_stage.window.menus.actions["figure.edit"].trigger()
    open_stage.settle()
    open_stage.view.frame()


def poses(open_stage: Stage) -> None:
    """The library of poses beside a human."""
    maximised(open_stage)
    open_stage.window.show_panel("poses")


def film(open_stage: Stage) -> None:
    """The sheet of films over the window."""
    posed(open_stage)
    open_stage.view.frame()
    open_stage.window.menus.actions["file.export_film"].trigger()
    (sheet,) = open_stage.window.findChildren(FilmSheet)
    open_stage.until(lambda: sheet.view.picture.image is not None)


def timeline(open_stage: Stage) -> None:
    """The example that was made by hand, its keys and the bars of its locks; one of them is selected."""
    moving(open_stage, "ball", 7.4, "timeline", 270)
    person = next(actor for actor in open_stage.session.document.actors if actor.locks)
    planted = max(person.locks, key=lambda lock: (lock.joint == "ankle_left", lock.span.start if lock.span else 0))
    open_stage.session.select([Item(person.id, planted.joint, planted.id)])
    aim(open_stage, 0.42, 0.1)


def curves(open_stage: Stage) -> None:
    """A waving arm, its curves, and the tangents of some keys."""
    moving(open_stage, "ball", 7.4, "curves", 300)
    session, panel = open_stage.session, open_stage.window.docks["curves"].widget()
    assert isinstance(panel, CurvesPanel)
    graph = panel.graph
    person = next(actor for actor in session.document.actors if actor.locks)
    session.select([Item(person.id, "elbow_left"), Item(person.id, "wrist_left")])
    open_stage.until(lambda: panel.is_current and bool(graph.curves.curves))
    graph.axis.show_range(6.3 * TICKS_PER_SECOND, 9.1 * TICKS_PER_SECOND)
    graph.fit_values()
    elbow = next(each for each in graph.curves.curves if each.channel.coordinate == "elbow_left.flexion")
    assert elbow.track is not None
    waving = (key.time for key in elbow.track.keys if 7.0 <= key.time / TICKS_PER_SECOND <= 8.0)
    graph.choose({elbow.channel: frozenset(waving)})
    session.posing.set_auto_key(False)
    aim(open_stage, 0.42, 0.1)


def plot(open_stage: Stage) -> None:
    """A jump, the height of its centre of mass and its energy under the playhead."""
    moving(open_stage, "jump", 1.0, "plot", 300)
    session, panel = open_stage.session, open_stage.window.docks["plot"].widget()
    assert isinstance(panel, PlotPanel)
    plotting = session.of(Plotting)
    plotting.choose(["centre.y", "kinetic"])
    session.select([Item(session.document.actors[0].id)])
    open_stage.window.prefer(show_balance=True)

    def is_whole() -> bool:
        """the whole plot of what is chosen"""
        found, wanted = plotting.plot, plotting.quantities(session.shown)
        return found is not None and found.whole and {each.quantity for each in found.series} == set(wanted)

    open_stage.until(is_whole)
    plotting.keep()
    session.select(())
    panel.curves.show_all()
    open_stage.until(lambda: is_whole() and panel.curves.is_drawn)
    aim(open_stage, 0.9, 0.1)


def study(open_stage: Stage) -> None:
    """A hanging ball by the tension and the damping of its chain, worked out and drawn."""
    running, panel = open_stage.session.of(StudyRun), open_stage.window.docks["study"].widget()
    assert isinstance(panel, StudyPanel)
    open_stage.window.show_panel("study")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ball.toml"
        path.write_text(STUDY, encoding="utf-8")
        running.open(path)
        open_stage.until(lambda: bool(running.rows) and not running.running, patience=300.0)
    open_stage.until(lambda: panel.chart.is_drawn)


def trails(open_stage: Stage) -> None:
    """Two strides of the library: where a hand and a foot go, and the figure before and after."""
    session, window = open_stage.session, open_stage.window
    window.workspaces.go_to("animate")
    window.show_panel("sequences")
    session.posing.set_auto_key(False)
    person = session.document.actors[0]
    session.select([Item(person.id)])
    library = session.of(SequenceLibrary)
    walk = next(each for each in library.sequences if each.name == "Walk")
    library.put(walk, manner=replace(library.manner, runs=2, ease_in=0, ease_out=0))
    open_stage.until(lambda: len(session.document.actors[0].layers) > len(person.layers) and session.at_rest)
    session.select([Item(person.id, "wrist_left"), Item(person.id, "ankle_right")])
    window.prefer(show_trails=True, show_onions=True, onions_before=2, onions_after=2, onions_step=8)
    session.set_playhead(round(1.05 * TICKS_PER_SECOND))
    open_stage.settle()
    trails = session.trails

    def is_whole() -> bool:
        """trails and onion skins about the playhead"""
        found = trails.picture
        return found is not None and found.whole and found.time == session.playhead

    open_stage.until(is_whole)
    aim(open_stage, 1.2, 0.14, Bounds((-0.4, 0.0, -0.1), (0.4, 1.75, 2.5)))


def limits(open_stage: Stage) -> None:
    """The limit of a shoulder as a polygon on the sphere, and its patch on the body."""
    session, actor = open_stage.session, posed(open_stage)
    current = session.of(CurrentLimit)
    session.select([Item(actor, "shoulder_left")])
    open_stage.window.show_panel("limits")
    open_stage.window.resizeDocks([open_stage.window.docks["limits"]], [420], Qt.Orientation.Horizontal)
    current.make("polygon")
    current.show_on_body(True)

    def is_whole() -> bool:
        """the map and the patch of the polygon"""
        picture = current.picture
        return current.pointing.picture is not None and picture is not None and picture.reach is not None

    open_stage.until(is_whole, patience=240.0)
    aim(open_stage, 0.7, 0.1)


def secondary(open_stage: Stage) -> None:
    """A jump whose limbs trail behind their keys, the keyed figure as a ghost; a forearm is looser than the rest."""
    session, window = open_stage.session, open_stage.window
    moving(open_stage, "jump", 1.0, "timeline", 150)
    (actor, *_) = session.document.actors
    session.do(edit("apply_preset", actor=actor.id, preset="relaxed"))
    session.do(edit("set_gains", actor=actor.id, joints=("elbow_left",), tension=1.5, damping=0.3))
    session.select([Item(actor.id, "elbow_left")])
    window.show_panel("secondary")
    window.resizeDocks([window.docks["secondary"]], [340], Qt.Orientation.Horizontal)
    panel = window.docks["secondary"].widget()
    assert isinstance(panel, SecondaryPanel)
    panel.sections["all"].header.set_unfolded(False)
    panel.sections["window"].header.set_unfolded(True)
    assert panel.window_fields is not None
    fields = panel.window_fields
    fields.suggest.click()
    open_stage.until(lambda: getattr(session.of(CurrentSecondary).found, "bound", None) is not None)
    open_stage.settle()
    panel.area.verticalScrollBar().setValue(panel.sections["chosen"].y())
    aim(open_stage, 0.8, 0.08)


def targets(open_stage: Stage) -> None:
    """A loose punch whose hand is to be elsewhere at two times, how it goes there, and the keyed figure behind it."""
    session, window = open_stage.session, open_stage.window
    actor = session.document.actors[0]
    keys = {
        "shoulder_right.flexion": ((0.0, -0.5), (0.4, 1.3), (1.0, 0.3), (1.6, 0.9)),
        "shoulder_right.rotation": ((0.0, 0.0), (0.4, -0.2), (1.6, 0.1)),
        "elbow_right.flexion": ((0.0, 1.9), (0.4, 0.2), (1.0, 1.5), (1.6, 0.7)),
        "upper_spine.rotation": ((0.0, -0.3), (0.4, 0.35), (1.6, 0.0)),
        "shoulder_left.flexion": ((0.0, 0.6), (0.4, -0.3), (1.6, 0.3)),
        "elbow_left.flexion": ((0.0, 1.3), (1.6, 1.0)),
    }
    figure = actor.figure.coordinate_index
    made = tuple(
        (name, Key(round(time * TICKS_PER_SECOND), value))
        for name, own in keys.items()
        if name in figure
        for time, value in own
    )
    session.do(edit("set_keys", actor=actor.id, layer=actor.layers[-1].id, keys=made))
    session.do(edit("set_play_range", start=0, end=round(1.6 * TICKS_PER_SECOND)))
    session.do(edit("set_gains", actor=actor.id, tension=2.2, damping=0.35))
    hand = next(each for each in figure_handles(session.document) if each.joint == "wrist_right")
    wanted = ((0.44, None), (1.2, (-0.1, 1.25, 0.42)))
    aims = tuple(
        Target(id=f"hand {time}", kind="point", joint=hand.joint, point=hand.point, time=round(time * TICKS_PER_SECOND),
               position=position)
        for time, position in wanted
    )  # fmt: skip
    session.do(edit("place_targets", actor=actor.id, targets=aims))
    window.workspaces.go_to("animate")
    window.show_panel("timeline")
    window.resizeDocks([window.docks["timeline"]], [170], Qt.Orientation.Vertical)
    session.select([Item(actor.id, hand.joint)])
    window.prefer(show_paths=True)
    session.of(CurrentTargets).meet()
    open_stage.until(lambda: session.at_rest and session.of(CurrentTargets).is_fresh)
    session.do(edit("set_targets", actor=actor.id, targets=(aims[1].id,), changes=(("position", (-0.42, 1.12, 0.5)),)))
    session.of(CurrentTargets).choose(aims[0].id)
    session.set_playhead(aims[0].time)
    open_stage.settle()
    open_stage.until(
        lambda: len(session.of(CurrentSecondary).paths.paths) == 3 and len(session.of(CurrentTargets).marks.marks) == 2
    )
    aim(open_stage, 0.75, 0.12, Bounds((-0.6, 0.75, -0.1), (0.35, 1.75, 0.6)))


def physics(open_stage: Stage) -> None:
    """A ragdoll over crates, with the forces of contact, what the scene has in common beside it."""
    session, window = open_stage.session, open_stage.window
    moving(open_stage, "ragdoll", 1.5, "timeline", 150)
    session.select([Item("human")])
    window.show_panel("physics")
    window.resizeDocks([window.docks["physics"]], [340], Qt.Orientation.Horizontal)
    panel = window.docks["physics"].widget()
    assert isinstance(panel, PhysicsPanel)
    panel.scene.header.set_unfolded(True)
    window.prefer(show_forces=True)
    session.select([])
    open_stage.settle()
    aim(open_stage, 0.9, 0.16)


def soft(open_stage: Stage) -> None:
    """A snake that crawls, coloured by its strain, over the lanes of its two splines, its material beside it."""
    session, window = open_stage.session, open_stage.window
    moving(open_stage, "snake", 1.6, "activation", 190)
    session.select([Item(session.document.actors[0].id)])
    window.show_panel("soft")
    window.resizeDocks([window.docks["soft"]], [320], Qt.Orientation.Horizontal)
    window.prefer(colour_strain=True)
    open_stage.settle()
    aim(open_stage, 0.5, 0.5)


def spacetime(open_stage: Stage) -> None:
    """A lamp that leaps, as it was planned and found, with its plan beside it."""
    session, window = open_stage.session, open_stage.window
    with tempfile.TemporaryDirectory() as folder:
        lamp = leaping_lamp(Path(folder)).with_part(leap(0.4))
    for actor in session.document.actors:
        session.do(edit("remove_actor", actor=actor.id))
    session.do(edit("add_actor", actor=lamp), choose=Item(lamp.id))
    session.do(edit("set_play_range", start=0, end=round(1.15 * TICKS_PER_SECOND)))
    open_stage.settle()
    window.show_panel("spacetime")
    current = session.of(CurrentSpacetime)
    current.run()
    open_stage.until(lambda: not current.running)
    session.set_playhead(round(0.56 * TICKS_PER_SECOND))
    open_stage.view.maximise(open_stage.view.active)
    chart = window.docks["spacetime"].widget().findChild(SearchChart)
    assert isinstance(chart, SearchChart)
    open_stage.until(lambda: bool(chart.grab()) and chart.is_drawn)
    open_stage.settle()
    aim(open_stage, 0.35, 0.15, Bounds((-0.3, 0.0, -0.2), (0.8, 0.8, 0.2)))


def planned(open_stage: Stage) -> None:
    """A soft table in the middle of a leap that was planned: marks, shapes over time, the way of its centre."""
    session, window = open_stage.session, open_stage.window
    moving(open_stage, "leap", 1.0, "timeline", 120)
    session.select([Item(session.document.actors[0].id)])
    window.show_panel("soft")
    window.resizeDocks([window.docks["soft"]], [330], Qt.Orientation.Horizontal)
    panel, run = window.docks["soft"].widget(), session.of(PlanRun)
    assert isinstance(panel, SoftPanel)
    panel.sections["material"].header.set_unfolded(False)
    panel.sections["plan"].header.set_unfolded(True)
    session.do(edit("set_plan_choices", iterations=3))
    open_stage.until(lambda: run.may_plan)
    run.plan()
    open_stage.until(lambda: len(run.objectives) > 1 and not run.running, patience=300.0)
    open_stage.settle()
    area = panel.findChild(QScrollArea)
    assert area is not None
    inside = area.widget()
    assert inside is not None
    area.verticalScrollBar().setValue(panel.sections["plan"].mapTo(inside, QPoint(0, 0)).y())
    aim(open_stage, 0.35, 0.15, Bounds((-0.45, 0.0, -0.1), (0.7, 0.7, 0.1)))
    assert panel.plan is not None
    chart = panel.plan.chart
    open_stage.until(lambda: bool(chart.grab()) and chart.is_drawn)


def shapes(open_stage: Stage) -> None:
    """A face in its smile, with a slider for each shape."""
    session, window = open_stage.session, open_stage.window
    moving(open_stage, "face", 40 / 24, "timeline", 170)
    session.select([Item(session.document.actors[0].id)])
    window.show_panel("shapes")
    window.resizeDocks([window.docks["shapes"]], [320], Qt.Orientation.Horizontal)
    open_stage.settle()
    aim(open_stage, 0.45, 0.08)


def water(open_stage: Stage) -> None:
    """What floats, in one view, with the dock of its tank."""
    session, window = open_stage.session, open_stage.window
    before = session.document
    session.exchange.open_example("floats")
    open_stage.until(lambda: session.document is not before)
    session.select([Item("tank")])
    window.show_panel("water")
    window.resizeDocks([window.docks["water"]], [320], Qt.Orientation.Horizontal)
    open_stage.view.maximise(3 if open_stage.view.panes().get(3) is None else open_stage.view.active)
    time = round(1.2 * TICKS_PER_SECOND)
    session.set_playhead(time)
    open_stage.until(lambda: open_stage.snapshot is not None and open_stage.snapshot.time == time, patience=600.0)
    open_stage.settle()
    aim(open_stage, 0.5, 0.25)


def figure_handles(document: Document) -> tuple[Handle, ...]:
    """Those of the first figure."""
    return document.actors[0].figure.handles


def moving(open_stage: Stage, example: str, seconds: float, panel: str, height: int) -> None:
    """An example at a moment in the workspace of time, one of its panels raised and so high [logical px]."""
    session, window = open_stage.session, open_stage.window
    before = session.document
    session.exchange.open_example(example)
    open_stage.until(lambda: session.document is not before)
    window.workspaces.go_to("animate")
    window.show_panel(panel)
    window.resizeDocks([window.docks[panel]], [height], Qt.Orientation.Vertical)
    session.set_playhead(round(seconds * TICKS_PER_SECOND))
    open_stage.settle()


def aim(open_stage: Stage, azimuth: float, elevation: float, at: Bounds | None = None) -> None:
    """Look from there [rad] at everything, or at a box."""
    view, bounds = open_stage.view, at or open_stage.view.bounds()
    assert bounds is not None
    camera = replace(view.cameras[view.active], azimuth=azimuth, elevation=elevation)
    view.set_camera(view.active, camera.frame(bounds, view.size_of(view.active)))


PICTURES: dict[str, tuple[Callable[[Stage], None], str]] = {
    "window": (window, "dark"),
    "maximised": (maximised, "dark"),
    "two-figures": (two, "dark"),
    "figure": (figure, "dark"),
    "poses": (poses, "dark"),
    "film": (film, "dark"),
    "timeline": (timeline, "dark"),
    "curves": (curves, "dark"),
    "plot": (plot, "dark"),
    "trails": (trails, "dark"),
    "muscles": (muscles, "dark"),
    "limits": (limits, "dark"),
    "secondary": (secondary, "dark"),
    "targets": (targets, "dark"),
    "physics": (physics, "dark"),
    "soft": (soft, "dark"),
    "spacetime": (spacetime, "dark"),
    "planned": (planned, "dark"),
    "shapes": (shapes, "dark"),
    "water": (water, "dark"),
    "light": (window, "light"),
}


def studio(open_stage: Stage) -> None:
    """A human in a studio."""
    maximised(open_stage)
    open_stage.window.menus.actions["light.studio"].trigger()
    actor = open_stage.session.document.actors[0].id
    open_stage.session.do(edit("set_finish", actor=actor, colour="#a8b4c8", roughness=0.5))


def method(open_stage: Stage) -> None:
    """A hand that was dragged by a method that takes its time."""
    window(open_stage)
    open_stage.window.workspaces.go_to("inspect")
    session, reaching = open_stage.session, open_stage.session.reaching
    session.do(edit("set_natural", actor=session.document.actors[0].id, natural=0.0))
    reaching.set_method(replace(reaching.method, solver="transpose_by_model", options=()))
    open_stage.settle()
    Counted(open_stage).drag("wrist_right", (-0.1, 0.25, 0.0))


def done(open_stage: Stage) -> None:
    """Some things that were done, the last of them taken back."""
    window(open_stage)
    session, actor = open_stage.session, open_stage.session.document.actors[0].id
    open_stage.window.menus.actions["add.ball"].trigger()
    open_stage.settle()
    session.select([Item(actor, "ankle_left"), Item(actor, "ankle_right")])
    for action in ("lock.both", "pose.key", "pose.flip", "edit.undo"):
        open_stage.window.menus.actions[action].trigger()
        open_stage.until(lambda: session.at_rest)
        open_stage.settle()


HELP_OF: dict[str, tuple[Callable[[Stage], None], tuple[str, ...]]] = {
    "posed": (window, ("outliner", "inspector")),
    "done": (done, ("log", "history")),
    "dragged": (method, ("method",)),
    "poses": (poses, ("poses",)),
    "figure": (figure, ("figure",)),
    "timeline": (timeline, ("timeline", "keys")),
    "curves": (curves, ("curves",)),
    "plot": (plot, ("plot",)),
    "study": (study, ("study",)),
    "trails": (trails, ("sequences",)),
    "limits": (limits, ("limits",)),
    "targets": (targets, ("layers",)),
    "secondary": (secondary, ("secondary",)),
    "physics": (physics, ("physics",)),
    "soft": (soft, ("soft",)),
    "spacetime": (spacetime, ("spacetime",)),
    "planned": (planned, ("planned",)),
    "shapes": (shapes, ("shapes",)),
    "muscles": (muscles, ("activation",)),
    "water": (water, ("water",)),
    "studio": (studio, ("light",)),
}
"""What is prepared, and of which docks pictures are taken then."""
DOCK_OF = {"planned": "soft"}
"""The dock that a page of the help is about, where it is none of its own."""


def take_help(folder: Path) -> None:
    """Make the pictures of the docks."""
    folder.mkdir(parents=True, exist_ok=True)
    for prepare, docks in HELP_OF.values():
        with stage(anti_aliasing="on") as open_stage:
            open_stage.until(lambda opened=open_stage: opened.session.reaching.ready)  # type: ignore[misc]
            prepare(open_stage)
            for dock in docks:
                of_dock(open_stage, DOCK_OF.get(dock, dock)).save(str(folder / f"{dock}.png"))
                print(folder / f"{dock}.png")


def of_dock(open_stage: Stage, name: str) -> QImage:
    """One dock, in front; a tall one from its top."""
    window, dock = open_stage.window, open_stage.window.docks[name]
    window.show_panel(name)
    if dock.width() > dock.height():
        window.resizeDocks([dock], [max(dock.height(), LEAST)], Qt.Orientation.Vertical)
    open_stage.settle()
    open_stage.draw()
    for label in (each.pace for each in window.findChildren(WaterPanel)):
        label.hide()
    corner = dock.mapTo(window, dock.rect().topLeft())
    return open_stage.grab().copy(corner.x(), corner.y(), dock.width(), min(dock.height(), SEEN))


def take(name: str, path: Path, *, document: Document | None = None) -> None:
    """Make one picture."""
    with stage(document, theme=PICTURES[name][1], anti_aliasing="on", shadows="full") as open_stage:
        if not grab(name, open_stage).save(str(path)):
            raise OSError(f"cannot write {path}")


def grab(name: str, open_stage: Stage) -> QImage:
    """One picture of a window that is open, in its theme."""
    open_stage.until(lambda: open_stage.session.reaching.ready)
    PICTURES[name][0](open_stage)
    open_stage.settle()
    open_stage.draw()
    status, is_ready = open_stage.window.status, open_stage.session.engine_state.text == "Ready"
    preparing = [] if is_ready else [status.job, status.engine, status._lamp]
    timed = [
        status.solved,
        status.drawn,
        *preparing,
        *(each.pace for each in open_stage.window.findChildren(WaterPanel)),
    ]
    try:
        for label in timed:  # what depends on how busy the machine is
            label.hide()
        return open_stage.grab()
    finally:
        for label in timed:
            label.show()


def main(arguments: list[str]) -> int:
    """Make pictures, without a person's own poses in them."""
    named = [each for each in arguments if each in PICTURES]
    folder = next((Path(each) for each in arguments if each not in (*PICTURES, HELP)), FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as nobody:
        os.environ["SINEW_DATA"] = nobody
        if HELP in arguments or not named:
            take_help(HELP_FOLDER if folder == FOLDER else folder)
        for name in [] if arguments == [HELP] else named or PICTURES:
            take(name, folder / f"{name}.png")
            print(folder / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
