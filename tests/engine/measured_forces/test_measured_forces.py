"""Measured forces: read, put on bodies, in inverse dynamics, drawn, in new time; against closed forms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Actor, Blob, Document, Key, Layer, Placement, Track
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.formats.force_columns import holds_forces, read_forces
from engine.maths.quaternions import turn_about
from engine.measure import Quantity
from engine.measure.measuring import measure
from engine.measured_forces.commands.take import TakeForces
from engine.measured_forces.uses import forces_of
from engine.model.snapshot import Arrows
from engine.muscles.required import RequiredDynamics
from engine.runtime.errors import InvalidArguments, InvalidDocument, UnknownPart, UnreadableFile
from engine.runtime.progress import finish
from tests.engine.measured_forces.walk import LABELS, MASS, G, post, steady, written

WEIGHT = MASS * G
ROW = [100.0, 700.0, -20.0, 0.1, 0.0, -0.05, 1.0, 3.0, 0.0]
NAMES = {
    "opensim": LABELS,
    "with a number": [each.replace("ground_", "1_ground_") for each in LABELS],
    "of a C3D": [f"ground_{word}_2_{kind}{axis}" for word, kind in (("force", "v"), ("force", "p"), ("moment", "m"))
                 for axis in "xyz"],
    "of a plate": [*(f"FP1_{kind}{axis}" for kind in "vp" for axis in "xyz"), *(f"FP1_torque_{a}" for a in "xyz")],
    "with digits": [*(f"l_ground_force_{kind}{axis}" for kind in "vp" for axis in "123"),
                    *(f"l_ground_torque_{axis}" for axis in "123")],
}  # fmt: skip


def numbers(document: Document, kind: str, part: str, seconds: float, component: str = "") -> float:
    wanted = Quantity(kind=kind, actor="me", part=part, component=component)
    (found,) = finish(measure(Evaluator(), document, [wanted], [round(seconds * SECOND)]))
    return float(found.values[0])


@pytest.mark.parametrize("names", NAMES)
def test_columns_of_one_plate_are_found_whatever_they_are_called_and_turned(tmp_path: Path, names: str) -> None:
    path = written(tmp_path / "grf.mot", ["knee_angle_r", *NAMES[names]], [[5.0, *ROW]] * 3)
    found = read_forces(path)
    (plate,) = found.plates
    assert holds_forces(path)
    assert plate.values[1] == pytest.approx([20.0, 700.0, 100.0, 0.05, 0.0, 0.1, 0.0, 3.0, 1.0], abs=1e-12)
    assert found.rate == (100, 1)
    assert any("knee_angle_r" in note for note in found.notes)


def test_two_plates_are_two_and_what_lacks_columns_is_refused(tmp_path: Path) -> None:
    both = [*LABELS, *NAMES["with a number"]]
    found = read_forces(written(tmp_path / "two.mot", both, [[*ROW, *ROW]] * 2))
    assert [each.name for each in found.plates] == ["ground_force", "1_ground_force"]
    with pytest.raises(UnreadableFile, match="ground_force without point y"):
        read_forces(written(tmp_path / "less.mot", [each for each in LABELS if not each.endswith("py")], [ROW[:8]]))
    alone = written(tmp_path / "none.mot", ["knee_angle_r"], [[1.0], [2.0]])
    with pytest.raises(UnreadableFile, match="no columns of a force and its point"):
        read_forces(alone)
    assert not holds_forces(alone)
    rows = written(tmp_path / "back.mot", LABELS, [ROW, ROW, ROW])
    rows.write_text(rows.read_text().replace("\n0.02\t", "\n0.005\t"))
    with pytest.raises(UnreadableFile, match="times that do not rise"):
        read_forces(rows)


def test_what_is_measured_holds_a_body_at_rest() -> None:
    document = post(steady((0.0, WEIGHT, 5.0), (0.2, 0.1, 0.0), (0.0, 0.0, 0.4)))
    about_z = 0.2 * WEIGHT + 0.4
    taken = RequiredDynamics(Evaluator(), document, "me").at([SECOND // 2])
    for name, wanted in (("move_y", 0.0), ("move_z", -5.0), ("bend", -about_z), ("turn_z", -about_z)):
        assert numbers(document, "torque", name, 0.5) == pytest.approx(wanted, abs=1e-3), name
        rate = document.actors[0].figure.rate_index[name]
        assert taken.torques[0, rate] == pytest.approx(wanted, abs=1e-3), name
    assert numbers(document, "residual_force", "", 0.5, "y") == pytest.approx(0.0, abs=1e-3)
    assert numbers(document, "residual_torque", "", 0.5, "z") == pytest.approx(-about_z, abs=1e-3)
    assert taken.ground[0] == pytest.approx([0.0, WEIGHT, 5.0])


def test_before_and_after_nothing_is_known() -> None:
    document = post(steady((0.0, WEIGHT, 0.0), (0.0, 0.0, 0.0), seconds=0.5))
    assert numbers(document, "torque", "move_y", 0.5) == pytest.approx(0.0, abs=1e-3)
    assert numbers(document, "torque", "move_y", 0.6) == pytest.approx(WEIGHT, abs=1e-3)
    assert numbers(document, "measured_force", "plate", 0.4, "y") == pytest.approx(WEIGHT)
    assert numbers(document, "measured_force", "plate", 0.6, "length") == 0.0


def test_a_force_in_the_frame_of_a_joint_turns_with_it() -> None:
    turned = post(steady((0.0, 10.0, 0.0), (0.0, -0.1, 0.0), joint="ball", frame="ball"))
    quarter = edit("set_pose", actor="me", layer="pose", values=(("bend", 0.5 * np.pi),))
    owner = turned.actors[0]
    layered = edit("add_layer", actor="me", layer=_pose("pose")).apply(turned)
    found = quarter.apply(layered)
    assert numbers(found, "measured_force", "plate", 0.0, "x") == pytest.approx(-10.0)
    assert numbers(found, "measured_point", "plate", 0.0, "x") == pytest.approx(0.1)
    assert numbers(found, "measured_point", "plate", 0.0, "y") == pytest.approx(0.5)
    assert numbers(found, "torque", "move_x", 0.0) == pytest.approx(10.0, abs=1e-3)
    assert owner.figure.joints[1].id == "ball"


def _pose(id: str) -> object:
    from engine.document import Layer

    return Layer(id=id)


def test_what_is_carried_meets_the_same_forces() -> None:
    """By differences of what is seen, where something else may move the figure."""
    from engine.measure.efforts import Efforts
    from engine.measure.masses import Masses, bodies_of
    from engine.measure.moving import moving

    document, evaluator = post(steady((3.0, WEIGHT, 5.0), (0.2, 0.1, -0.3), (0.1, 0.2, 0.4))), Evaluator()
    actor, times = document.actors[0], (SECOND // 4,)
    found = moving(evaluator, document, "me", times)
    torques = []
    for carried in (False, True):
        seen = replace(found, by_differences=np.array([carried]))
        masses = Masses(bodies_of(actor.figure), seen)
        torques.append(Efforts(actor, evaluator.model(actor), seen, masses, times).torques)
    np.testing.assert_allclose(torques[1], torques[0], atol=1e-9)
    assert np.abs(torques[0]).max() > 1.0


def test_forces_are_put_changed_and_taken_away_and_bodies_that_are_not_there_refused() -> None:
    force = steady((0.0, WEIGHT, 0.0), (0.0, 0.0, 0.0))
    document = edit("put_measured_forces", actor="me", forces=(force,)).apply(post())
    assert edit("put_measured_forces", actor="me", forces=(force,)).apply(document) is document
    changed = edit("set_measured_force", actor="me", force="plate", joint="base", start=SECOND).apply(document)
    (found,) = (forces_of(changed.actors[0]) or MeasuredForces()).forces
    assert (found.joint, found.start, found.values) == ("base", SECOND, force.values)
    assert edit("remove_measured_forces", actor="me").apply(changed).actors[0].parts == ()
    with pytest.raises(UnknownPart, match="hoof"):
        edit("put_measured_forces", actor="me", forces=(replace(force, joint="hoof"),)).apply(document)
    with pytest.raises(UnknownPart, match="measured force"):
        edit("set_measured_force", actor="me", force="other", name="x").apply(document)


def test_numbers_that_are_none_and_other_shapes_are_refused_with_words() -> None:
    with pytest.raises(InvalidDocument, match="the numbers of Plate"):
        MeasuredForce(id="a", name="Plate", joint="ball", values=Blob(np.full((3, 9), 1e12)), rate=(100, 1))
    with pytest.raises(InvalidDocument, match="the shape of Plate"):
        MeasuredForce(id="a", name="Plate", joint="ball", values=Blob(np.zeros((3, 6))), rate=(100, 1))
    one = steady((0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    with pytest.raises(InvalidDocument, match="each once"):
        MeasuredForces(forces=(one, one))


def test_inserted_time_parts_a_force_and_what_comes_later_moves() -> None:
    rows = [[float(frame), *[0.0] * 8] for frame in range(11)]
    force = MeasuredForce(id="plate", name="Plate", joint="ball", values=Blob(rows), rate=(10, 1))
    document = edit("insert_everywhere", actors=("me",), time=SECOND // 2, length=SECOND).apply(post(force))
    found = (forces_of(document.actors[0]) or MeasuredForces()).forces
    assert [(each.id, each.start, each.end) for each in found] == [
        ("plate", 0, SECOND // 2), ("plate.2", 3 * SECOND // 2, 2 * SECOND)
    ]  # fmt: skip
    assert found[1].values.array[:, 0].tolist() == [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    moved = edit("insert_everywhere", actors=("me",), time=-SECOND, length=SECOND).apply(post(force))
    (later,) = (forces_of(moved.actors[0]) or MeasuredForces()).forces
    assert (later.start, later.values) == (SECOND, force.values)


def test_each_force_is_an_arrow_where_it_acts() -> None:
    snapshot = Evaluator().snapshot(post(steady((0.0, WEIGHT, 0.0), (0.2, 0.0, 0.1))), SECOND // 2)
    (arrows,) = (each for each in snapshot.items if isinstance(each, Arrows))
    assert arrows.role == "measured"
    assert arrows.starts[0] == pytest.approx([0.2, 0.0, 0.1])
    assert arrows.vectors[0] == pytest.approx([0.0, 1e-3 * WEIGHT, 0.0])


def test_a_plate_is_on_the_body_that_is_said_else_on_one_that_is_near(tmp_path: Path) -> None:
    near = written(tmp_path / "near.mot", LABELS, [[0.0, 30.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]] * 5)
    found = finish(TakeForces(actor="me", path=near).work_through(Evaluator(), post()))
    (force,) = (forces_of(found.edit.apply(post()).actors[0]) or MeasuredForces()).forces
    assert (force.id, force.joint) == ("ground_force", "ball")
    assert found.words[0] == "ground_force is on Ball, 20.0 cm away"
    said = TakeForces(actor="me", path=near, bodies=(("ground_force", "base"),))
    assert finish(said.work_through(Evaluator(), post())).bodies[0][1] == "Base"
    with pytest.raises(InvalidArguments, match="a plate of the file"):
        finish(replace(said, bodies=(("other", "base"),)).work_through(Evaluator(), post()))
    far = written(tmp_path / "far.mot", LABELS, [[0.0, 30.0, 0.0, 9.0, 0.3, 0.0, 0.0, 0.0, 0.0]] * 5)
    with pytest.raises(UnreadableFile, match="away from the nearest body of Me"):
        finish(TakeForces(actor="me", path=far).work_through(Evaluator(), post()))


def walker(*forces: MeasuredForce, placement: Placement | None = None) -> Document:
    """The human in a stride, with forces on its feet."""
    pose = {"hip_left.flexion": 0.5, "knee_left.flexion": 0.4, "hip_right.flexion": -0.3, "knee_right.flexion": 0.0}
    tracks = tuple(Track(coordinate=name, keys=(Key(0, value), Key(SECOND, value))) for name, value in pose.items())
    layer = Layer(id="pose", tracks=tracks)
    parts = (MeasuredForces(forces=forces),) if forces else ()
    actor = Actor(
        id="me", name="Me", figure=load_figure("human"), layers=(layer,), parts=parts,
        placement=placement or Placement(),
    )  # fmt: skip
    return Document(actors=(actor,))


def mirrored_forces(document: Document, end: int) -> Document:
    return edit("mirror_ranges", parts=(("me", "pose", None),), start=0, end=end).apply(document)


@pytest.mark.parametrize("frame", [None, "ankle_left"])
def test_a_motion_that_is_mirrored_takes_the_forces_along(frame: str | None) -> None:
    placed = Placement(position=(0.3, 0.0, 0.2), rotation=turn_about((0.0, 1.0, 0.0), 0.7))
    force = steady((40.0, 500.0, -30.0), (0.12, 0.02, 0.1), (0.0, 4.0, 0.0), joint="ankle_left", frame=frame)
    document = walker(force, placement=placed)
    whole = mirrored_forces(document, 2 * SECOND)
    (found,) = (forces_of(whole.actors[0]) or MeasuredForces()).forces
    assert found.joint == "ankle_right"
    assert found.frame == (None if frame is None else "ankle_right")
    old, new = dict[str, float](), dict[str, float]()
    for each, torques in ((document, old), (whole, new)):
        taken = RequiredDynamics(Evaluator(), each, "me").at([SECOND // 2]).torques[0]
        torques |= {name: taken[rate] for name, rate in each.actors[0].figure.rate_index.items()}
    assert abs(old["knee_left.flexion"]) > 10.0
    for joint in ("hip", "knee", "ankle"):
        for name in (each for each in old if each.startswith(f"{joint}_left.")):
            assert new[name.replace("_left", "_right")] == pytest.approx(old[name], abs=1e-6), name
    back = mirrored_forces(whole, 2 * SECOND)
    (again,) = (forces_of(back.actors[0]) or MeasuredForces()).forces
    assert again.values.array == pytest.approx(force.values.array, abs=1e-12)


def test_forces_of_both_feet_are_exchanged_in_the_range_alone() -> None:
    left = steady((0.0, 400.0, 0.0), (0.1, 0.0, 0.0), joint="ankle_left", seconds=1.0)
    right = replace(steady((0.0, 300.0, 0.0), (-0.2, 0.0, 0.0), joint="ankle_right", seconds=1.0), id="other")
    document = mirrored_forces(walker(left, right), SECOND // 2)
    found = {each.joint: each.values.array for each in (forces_of(document.actors[0]) or MeasuredForces()).forces}
    assert set(found) == {"ankle_left", "ankle_right"}
    assert found["ankle_left"][:, 1].tolist() == [300.0] * 5 + [400.0] * 6
    assert found["ankle_right"][:, 1].tolist() == [400.0] * 5 + [300.0] * 6
    assert found["ankle_left"][:, 3].tolist() == [0.2] * 5 + [0.1] * 6
    alone = mirrored_forces(walker(left), SECOND // 2)
    parted = (forces_of(alone.actors[0]) or MeasuredForces()).forces
    assert [(each.id, each.joint) for each in parted] == [("plate", "ankle_left"), ("plate.2", "ankle_right")]
    assert np.sum([each.values.array[:, 1] for each in parted], axis=0).tolist() == [400.0] * 11
