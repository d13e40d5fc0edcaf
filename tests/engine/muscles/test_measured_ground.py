"""Forces of the ground that were measured: read, given to feet, and OpenSim's own torques found with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import butter, filtfilt

from engine.commands.bring_in import bring_in
from engine.document import Blob, Document, Layer, Samples
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.document.ticks import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.formats.storage import read_storage
from engine.muscles.measured_ground import AppliedGround, joints_of_plates, read_ground
from engine.muscles.required import RequiredDynamics
from engine.muscles.static import StaticOptimisation, applied_ground
from engine.runtime.errors import InvalidArguments, NothingThere
from tests.engine.shared_data import shared

HEAD = "forces\nversion=1\nnRows={rows}\nnColumns={columns}\ninDegrees=yes\nendheader\n"
LABELS = [f"ground_force_{kind}{axis}" for kind in "vp" for axis in "xyz"] + [f"ground_torque_{axis}" for axis in "xyz"]


def written(folder: Path, labels: list[str], rows: list[list[float]]) -> Path:
    path = folder / "ground.mot"
    head = HEAD.format(rows=len(rows), columns=len(labels) + 1)
    lines = ["\t".join(["time", *labels]), *("\t".join(map(str, row)) for row in rows)]
    path.write_text(head + "\n".join(lines) + "\n")
    return path


def plate(folder: Path) -> Path:
    return written(
        folder, LABELS, [[at * 0.01, 100.0, 700.0 + at, -20.0, 0.1, 0.0, -0.05, 0.0, 3.0, 0.0] for at in range(11)]
    )


def test_a_plate_is_turned_as_models_are_and_goes_on_evenly_between_its_rows(tmp_path: Path) -> None:
    found = read_ground(plate(tmp_path))
    forces, places, torques = found.at([0, round(0.015 * SECOND), SECOND])
    assert found.plates == ("ground_force",)
    assert forces[0, 0] == pytest.approx([20.0, 700.0, 100.0]), "ahead along z, left along x"
    assert forces[1, 0, 1] == pytest.approx(701.5)
    assert forces[2, 0] == pytest.approx([0.0, 0.0, 0.0]), "nothing beyond the last row"
    assert places[0, 0] == pytest.approx([0.05, 0.0, 0.1])
    assert torques[0, 0] == pytest.approx([0.0, 3.0, 0.0])


def test_wrenches_are_about_the_joints_origin(tmp_path: Path) -> None:
    applied = AppliedGround(read_ground(plate(tmp_path)), (1,))
    places = np.zeros((1, 3, 3))
    places[0, 1] = (0.05, 0.2, 0.0)
    found = applied.wrenches([0], places)[0]
    assert (found[[0, 2]] == 0.0).all()
    assert found[1, :3] == pytest.approx([20.0, 700.0, 100.0])
    about = np.cross([0.0, -0.2, 0.1], [20.0, 700.0, 100.0])
    assert found[1, 3:] == pytest.approx(np.add(about, [0.0, 3.0, 0.0]))


def test_what_is_no_file_of_forces_and_feet_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NothingThere, match="has no forces of the ground"):
        read_ground(written(tmp_path, ["knee_angle_r"], [[0.0, 1.0], [0.1, 2.0]]))
    ground, figure = read_ground(plate(tmp_path)), load_figure("human")
    with pytest.raises(InvalidArguments, match="the joints on which the ground acts"):
        joints_of_plates(ground, figure, ("hoof",), np.zeros((1, len(figure.joints), 3)), [0])


def walk() -> tuple[Document, AppliedGround, list[int], Evaluator]:
    """OpenSim's own coordinates of a walk, below 6 Hz, with the forces that were measured."""
    folder = shared("mocap", "opensim_gait2354_walk")
    actor = bring_in(folder / "subject01_scaled.osim").actor
    assert actor is not None
    table = read_storage(folder / "reference_ik.mot")
    turns = [actor.figure.coordinate_dof[name].kind == "hinge" for name in table.labels]
    values = np.where(turns, np.radians(table.values), table.values)
    smooth = filtfilt(*butter(2, 6.0 / (0.5 * table.rate[0] / table.rate[1])), values, axis=0)
    samples = Samples(
        coordinates=table.labels, values=Blob(np.ascontiguousarray(smooth)), rate=table.rate, start=table.start
    )
    actor = replace(actor, layers=(Layer(id="walk", name="Walk", samples=samples),))
    document, evaluator = Document(actors=(actor,), rate=table.rate), Evaluator()
    times = [table.start + frame_time(frame, table.rate) for frame in range(len(table.values))]
    wanted = StaticOptimisation(
        actor=actor.id, start=times[0], end=times[-1], ground=read_ground(folder / "subject01_walk1_grf.mot")
    )
    ground = applied_ground(evaluator, document, wanted, times)
    assert ground is not None
    return document, ground, times, evaluator


def test_torques_of_a_measured_walk_are_those_of_opensim() -> None:
    document, ground, times, evaluator = walk()
    figure = document.actors[0].figure
    assert [figure.joints[each].id for each in ground.joints] == ["calcn_r", "calcn_l"]
    torques = RequiredDynamics(evaluator, document, document.actors[0].id, ground).at(times).torques
    theirs = read_storage(shared("mocap", "opensim_gait2354_walk") / "reference_inverse_dynamics.sto")
    # Away from the ends, where filters differ. Farther up what the filter leaves of accelerations counts for more.
    for joint, allowed in (("ankle", 0.01), ("subtalar", 0.02), ("knee", 0.08), ("hip_flexion", 0.2)):
        for side in "rl":
            name = next(each for each in figure.rates if each.startswith(joint) and each.endswith(side))
            found = torques[6:-6, figure.rate_index[name]]
            wanted = theirs.values[6:-6, theirs.labels.index(f"{name}_moment")]
            off = float(np.sqrt(((found - wanted) ** 2).mean()) / np.sqrt((wanted**2).mean()))
            assert off < allowed, f"{name}: {off:.3f} of its torque"
