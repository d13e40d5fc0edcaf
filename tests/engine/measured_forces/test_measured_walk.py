"""A walk over force plates: torques as OpenSim's inverse dynamics has them, activations, and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from engine.__main__ import main
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.storage import read_storage
from engine.measured_forces.uses import forces_of
from engine.muscles.control import follow_motion
from engine.muscles.lacking import lacking_words
from engine.muscles.required import RequiredDynamics, held_rates
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.static import FrameSharing, StaticOptimisation
from engine.muscles.uses import muscles_of
from engine.runtime.progress import finish
from tests.engine.measured_forces.walk import LABELS, measured_walk, post, written
from tests.engine.shared_data import shared

PELVIS = {"pelvis_tilt": 0.9, "pelvis_list": 0.8, "pelvis_rotation": 0.4, "pelvis_tx": 2.3, "pelvis_ty": 4.5,
          "pelvis_tz": 1.8}  # fmt: skip


def test_torques_are_those_of_opensim() -> None:
    document = measured_walk()
    owner = document.actors[0]
    assert [each.joint for each in (forces_of(owner) or pytest.fail("no forces")).forces] == ["calcn_r", "calcn_l"]
    theirs = read_storage(shared("mocap", "opensim_gait2354_walk") / "reference_inverse_dynamics.sto")
    times = [round((0.4 + frame / 60) * SECOND) for frame in range(len(theirs.values))]
    torques = RequiredDynamics(Evaluator(), document, owner.id).at(times).torques
    compared = 0
    for label, wanted in zip(theirs.labels, theirs.values.T, strict=True):
        name = label.rpartition("_")[0]
        found = torques[:, owner.figure.rate_index[name]]
        off = float(np.sqrt(((found - wanted) ** 2).mean()))
        assert off < PELVIS.get(name, 0.5), f"{name}: {off:.3f} N m or N RMS"
        compared += 1
    assert compared == 23


def test_every_frame_is_solved_and_forces_as_they_are_give_its_torques() -> None:
    """Gastrocnemius and soleus leap to and fro at 0.73 s to 0.77 s, where they shorten swiftly."""
    document, evaluator = measured_walk(), Evaluator()
    owner = document.actors[0]
    muscles = muscles_of(owner)
    assert muscles is not None
    assert muscles.model == "thelen"
    figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
    sharing = FrameSharing(figure, held_rates(owner, muscles).tolist(), "squares")
    dynamics, paths = RequiredDynamics(evaluator, document, owner.id), figure.paths
    for frame in range(20, 30):
        taken = dynamics.at([round(frame / 30 * SECOND)])
        q, qd = np.ascontiguousarray(taken.q[0]), taken.qd[0]
        active, left, steps = sharing.share(q, qd, taken.torques[0])
        assert steps >= 0, f"frame {frame}"
        lengths, gradient = figure.entries(q)
        rates = np.bincount(paths.rows, gradient * qd[paths.columns], minlength=paths.count).astype(np.float64)
        given = np.zeros(len(qd))
        np.add.at(given, paths.columns, -gradient * figure.forces(lengths, rates, active)[paths.rows])
        missed = (given + left - taken.torques[0])[sharing.moved]
        assert float(np.abs(missed).max()) < 1e-6, f"frame {frame}"
        assert active.min() >= 0.0
        assert active.max() <= 1.0


def test_a_simulated_walk_that_feels_its_forces_goes_on_where_one_on_the_ground_stumbles() -> None:
    """Servos hold the joints alone: what carries the pelvis is the ground, or what was measured of it."""
    document = edit("set_muscle_model", actor=measured_walk().actors[0].id, pulling=False).apply(measured_walk())
    owner, evaluator = document.actors[0], Evaluator()
    pelvis = [owner.figure.coordinates.index(f"pelvis_t{axis}") for axis in "xyz"]
    let_go = edit("set_physics", actor=owner.id, role="simulated", start=round(0.4 * SECOND), follow=30.0)
    keyed = evaluator.coordinates(document, owner.id, [SECOND])[0, pelvis]
    strayed = dict[bool, float]()
    for felt in (True, False):
        simulated = let_go.apply(edit("set_measured_forces", actor=owner.id, felt=felt).apply(document))
        found = evaluator.coordinates(simulated, owner.id, [SECOND])[0, pelvis]
        strayed[felt] = float(np.linalg.norm(found - keyed))
    assert strayed[True] < 0.045  # [m] in 0.6 s
    assert strayed[False] > 0.15


@pytest.mark.parametrize(("motors", "allowed"), [("all", 0.5), ("still", 1.0)])
def test_muscles_with_motors_follow_a_measured_walk(motors: str, allowed: float) -> None:
    """Motors give what muscles lack, of all joints or of the subtalar ones alone, which the motion keeps still."""
    document = measured_walk()
    owner, evaluator = document.actors[0], Evaluator()
    muscles = muscles_of(owner)
    assert muscles is not None
    figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
    wanted = StaticOptimisation(actor=owner.id, start=round(0.6 * SECOND), end=round(0.7 * SECOND), motors=motors)
    shares = finish(follow_motion(evaluator, document, figure, wanted))
    assert shares.off is not None
    assert shares.times[-1] == round(0.7 * SECOND)
    turning = [rate for rate in shares.moved.tolist() if shares.turning[rate]]
    rms = np.degrees(np.sqrt((shares.off[:, turning] ** 2).mean(axis=0)))
    assert float(rms.max()) < allowed, "a foot that no motor holds is off by 50 degrees"
    assert float(np.abs(shares.ground[:, 1]).max()) > 700.0
    held = [line for line in lacking_words(shares) if line.startswith("Motors hold what the motion keeps still: ")]
    assert [line.count("subtalar") for line in held] == ([2] if motors == "still" else [])


def test_the_command_line_puts_forces_on_a_figure_and_writes_sto(tmp_path: Path) -> None:
    scene, kept, table = tmp_path / "post.sinew", tmp_path / "held.sinew", tmp_path / "torques.sto"
    sinew.write(scene, post())
    forces = written(tmp_path / "grf.mot", LABELS, [[0.0, 30.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]] * 11)
    assert main(["forces", str(scene), str(forces), str(kept), "--on", "ground_force=ball"]) == 0
    felt = ["forces", str(scene), str(forces), str(tmp_path / "felt.sinew"), "--on", "ground_force=ball", "--felt"]
    assert main(felt) == 0
    for name, is_felt in (("held.sinew", False), ("felt.sinew", True)):
        part = forces_of(sinew.read(tmp_path / name).actors[0])
        assert part is not None
        assert part.felt is is_felt
    wanted = ["torque:.move_y", "measured_force.y:.ground_force"]
    assert main(["curves", str(kept), str(table), *wanted, "--start", "0", "--end", "0.1"]) == 0
    found = read_storage(table)
    assert found.labels == ("Base_y_force_N", "ground_force_measured_force_y_N")
    assert found.values[0] == pytest.approx([3.0 * 9.80665 - 30.0, 30.0], abs=1e-3)
    assert main(["forces", str(scene), str(forces), str(kept), "--on", "ball"]) == 1
    assert main(["forces", str(scene), str(forces), str(tmp_path / "held.csv")]) == 1
