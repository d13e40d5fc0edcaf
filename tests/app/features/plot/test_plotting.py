"""What a session plots: it follows document and selection while somebody watches, and asks for nothing twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication

from app.features.plot.plotting import KEY, SORTS, Plotting
from app.session.found_curves import FoundCurve, FoundCurves
from app.session.selection import Item
from engine.document import Actor, Document, Dof, Figure, Handle, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.measure import KINDS
from engine.measure.series import Plot
from engine.muscles.parts import Muscle, Muscles, PathPoint
from engine.queries.plots import Plots
from tests.app.session.conftest import small_document
from tests.app.session.held import Held

ARM, UPPER, LOWER, BOX = Item("arm"), Item("arm", "upper"), Item("arm", "lower"), Item("box")


@pytest.fixture
def document() -> Document:
    """The arm with a hand, moving for a second."""
    found = small_document()
    arm = found.actor("arm")
    figure = replace(arm.figure, handles=(Handle(id="hand", name="Hand", joint="lower", point=(0.0, 0.4, 0.0)),))
    track = Track(coordinate="upper.turn", keys=(Key(0, 0.0), Key(SECOND, 0.5)))
    return found.with_actor(replace(arm, figure=figure, layers=(Layer(id="pose", tracks=(track,)),)))


@pytest.fixture
def watched(held: Held) -> Held:
    held.session.engine.plots = Plots(Evaluator())
    held.session.of(Plotting).watch(True)
    return held


def parts(plotting: Plotting, held: Held) -> list[tuple[str, str, str]]:
    return [(each.kind, each.actor, each.part) for each in plotting.quantities(held.session.document)]


def shown(held: Held) -> Plot:
    assert held.worker.waiting(KEY) == 1
    held.worker.answer(KEY)
    plot = held.session.of(Plotting).plot
    assert plot is not None
    return plot


def test_nothing_is_asked_for_until_somebody_watches_and_something_is_selected(held: Held) -> None:
    held.session.engine.plots = Plots(Evaluator())
    held.session.select([UPPER])
    assert held.worker.waiting(KEY) == 0
    held.session.of(Plotting).watch(True)
    assert held.worker.waiting(KEY) == 1
    held.session.select([])
    assert held.worker.waiting(KEY) == 0
    held.session.select([UPPER])
    assert held.worker.waiting(KEY) == 1
    held.session.of(Plotting).watch(False)
    assert held.worker.waiting(KEY) == 0


def test_the_curves_are_of_what_is_selected_over_what_is_played(watched: Held) -> None:
    watched.session.select([UPPER])
    (series,) = shown(watched).series
    assert (series.label, series.unit) == ("Upper, Turn", "rad")
    assert (series.times[0], series.times[-1]) == (0, SECOND)
    assert (series.values[0], series.values[-1]) == (0.0, 0.5)
    watched.session.set_playhead(SECOND // 2)
    assert watched.worker.waiting(KEY) == 0, "another time needs no other curves"
    watched.session.select([UPPER, LOWER])
    assert [each.label for each in shown(watched).series] == ["Upper, Turn", "Lower, Turn"]


def test_an_edit_is_followed_and_nothing_is_asked_twice(watched: Held) -> None:
    watched.session.select([UPPER])
    shown(watched)
    watched.session.of(Plotting).watch(True)
    watched.session.select([UPPER])
    assert watched.worker.waiting(KEY) == 0
    key = ("upper.turn", Key(SECOND, -0.5))
    watched.session.do(edit("set_keys", actor="arm", layer="pose", keys=(key,)))
    assert shown(watched).series[0].values[-1] == -0.5


def test_each_sort_gives_what_the_selection_has_of_it(held: Held) -> None:
    plotting, session = held.session.of(Plotting), held.session
    session.select([LOWER])
    for name, expected in {
        "value": [("value", "arm", "lower.turn")],
        "margin": [],
        "resistance": [],
        "anatomical": [("anatomical", "arm", "lower.turn")],
        "place.y": [("place", "arm", "lower")],
        "handle velocity.length": [("velocity", "arm", "hand")],
        "turning.x": [("turning", "arm", "lower")],
        "energy": [("energy", "arm", "")],
        "torque": [("torque", "arm", "lower.turn")],
        "residual_force.y": [("residual_force", "arm", "")],
    }.items():
        plotting.choose([name])
        assert parts(plotting, held) == expected, name
        assert plotting.applies(SORTS[name]) == bool(expected)
    session.select([UPPER])
    plotting.choose(["margin", "handle place.x"])
    assert parts(plotting, held) == [("margin", "arm", "upper.turn")]
    session.select([ARM, BOX])
    plotting.choose(["energy", "handle place.x", "place.x"])
    assert parts(plotting, held) == [
        ("energy", "arm", ""),
        ("energy", "box", ""),
        ("place", "arm", "hand"),
        ("place", "arm", "upper"),
        ("place", "box", session.document.actor("box").figure.joints[0].id),
    ]


def test_a_ball_has_three_torques_and_four_values() -> None:
    ball = Joint(id="root", name="Root", dofs=(Dof(id="root.turn", name="Turn", kind="ball"),))
    actor = Actor(id="a", name="A", figure=Figure(name="F", joints=(ball,)))
    found = {name: [each.part[-1] for each in SORTS[name].of(actor, "root")] for name in ("value", "torque", "work")}
    assert found == {"value": ["w", "x", "y", "z"], "torque": ["x", "y", "z"], "work": ["x", "y", "z"]}


def test_every_kind_of_quantity_can_be_chosen() -> None:
    assert {each.kind for each in SORTS.values()} == set(KINDS)
    assert all(SORTS[name].name == name for name in SORTS)


def test_sorts_are_toggled_and_unknown_ones_left_out(held: Held) -> None:
    plotting, told = held.session.of(Plotting), list[tuple[str, ...]]()
    plotting.chosen_changed.connect(lambda: told.append(plotting.chosen))
    plotting.choose(["energy", "dance", "energy", "value"])
    plotting.toggle("energy")
    plotting.toggle("rate")
    plotting.choose(["value", "rate"])
    assert told == [("energy", "value"), ("value",), ("value", "rate")]


def test_kept_curves_stay_beside_those_of_what_is_selected_next(held: Held) -> None:
    plotting, session = held.session.of(Plotting), held.session
    session.select([UPPER])
    plotting.keep()
    session.select([LOWER])
    assert [part for _, _, part in parts(plotting, held)] == ["upper.turn", "lower.turn"]
    session.select([])
    assert [part for _, _, part in parts(plotting, held)] == ["upper.turn"]
    session.do(edit("remove_actor", actor="arm"))
    assert parts(plotting, held) == []
    session.undo()
    assert [part for _, _, part in parts(plotting, held)] == ["upper.turn"]
    plotting.forget()
    assert parts(plotting, held) == []


def test_what_is_plotted_is_written_and_nothing_says_what_to_do(watched: Held, tmp_path: Path) -> None:
    session = watched.session
    session.of(Plotting).write(tmp_path / "none.csv")
    assert "select a joint" in session.log[-1].text
    session.select([UPPER])
    session.engine.evaluator = Evaluator()
    session.of(Plotting).write(tmp_path / "turn.csv")
    watched.worker.answer("file")
    assert (session.log[-1].kind, session.log[-1].text) == ("note", "Exported turn.csv")
    assert (tmp_path / "turn.csv").read_text(encoding="utf-8").startswith('time [s],"Upper, Turn [rad]"\n0.0,0.0\n')
    assert [each.name for each in tmp_path.iterdir()] == ["turn.csv"]


def test_a_drive_that_refuses_is_told_of(watched: Held, tmp_path: Path, qapp: QCoreApplication) -> None:
    watched.session.select([UPPER])
    watched.session.engine.evaluator = Evaluator()
    watched.session.of(Plotting).write(tmp_path / "gone" / "turn.csv")
    watched.worker.answer("file")
    assert watched.session.log[-1].kind == "error"
    assert "no such folder" in watched.session.log[-1].text
    assert watched.session.at_rest


def test_torques_that_are_found_stand_behind_those_that_are_worked_out(watched: Held) -> None:
    plotting, found = watched.session.of(Plotting), watched.session.of(FoundCurves)
    times, values = np.array([0.0, float(SECOND)]), np.array([1.0, 2.0])
    curve = FoundCurve(actor="arm", part="upper.turn", name="found, not kept", why="", times=times, values=values)
    watched.session.select([UPPER])
    shown(watched)
    found.show((curve,))
    assert [each.label for each in plotting.series] == ["Upper, Turn"], "no torque is plotted"
    plotting.choose(["torque"])
    shown(watched)
    torque, other = plotting.series
    assert (other.label, other.unit, other.values[-1]) == (f"{torque.label}, found, not kept", torque.unit, 2.0)
    found.show(())
    assert plotting.series == (torque,)


def test_of_a_muscle_that_is_chosen_its_own_curve_is_seen_and_no_other(held: Held) -> None:
    arm = held.session.document.actor("arm")
    points = PathPoint(joint="upper", point=(0.1, 0.1, 0.0)), PathPoint(joint="lower", point=(0.1, 0.1, 0.0))
    muscles = tuple(Muscle(id=id, name=id, points=points, force=500.0, fibre=0.1, tendon=0.1) for id in ("one", "two"))
    held.session.do(edit("put_muscles", actor="arm", muscles=Muscles(muscles=muscles)))
    assert held.session.document.actor("arm") is not arm
    plotting = held.session.of(Plotting)
    plotting.choose(["muscle_force"])
    for item, seen in ((ARM, ["one", "two"]), (Item("arm", "upper", "two"), ["two"])):
        held.session.select([item])
        assert [part for _, _, part in parts(plotting, held)] == seen
