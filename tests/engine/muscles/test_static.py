"""Activations from motion: torques that a motion takes, the ground, what muscles lack, keys that are made of it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import nnls

from engine.cli.command_line import open_scene
from engine.cli.muscle_activations import activation_lines
from engine.commands.bring_in import bring_in
from engine.document import Actor, Document, Key, Layer, Placement, Track
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import load_figure
from engine.measure import Quantity
from engine.measure.measuring import measure
from engine.model.compile import compile_model
from engine.motion.curves import evaluate_track
from engine.muscles.commands.activate import ActivationsFromMotion, FoundActivations, thinned
from engine.muscles.compiled import MuscledFigure
from engine.muscles.lacking import lacking_words
from engine.muscles.parts import ACTIVATION, FORCE_MODELS, ForceModel, Muscle, Muscles, PathPoint
from engine.muscles.required import RequiredDynamics, held_rates
from engine.muscles.static import RESERVE, FrameSharing, StaticOptimisation, optimise_motion
from engine.muscles.uses import activations_of, muscles_of
from engine.physics.parts import PhysicsWorld
from engine.queries.examples import example
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.progress import finish
from tests.engine.muscles.test_driving import EXTENSOR, FLEXOR, LENGTH, MASS, G, arm, torque_of
from tests.engine.shared_data import shared

FAST = Track(
    coordinate="bend",
    keys=tuple(Key(round(at * SECOND), value) for at, value in ((0.0, 0.0), (0.4, -1.2), (0.8, 0.3), (1.2, 0.0))),
)


def swinging(*muscles: Muscle, model: ForceModel = "de_groote") -> Document:
    """The arm of another test, which swings along keys."""
    layer = Layer(id="keys", name="Keys", tracks=(FAST,))
    parts = (Muscles(muscles=muscles or (FLEXOR, EXTENSOR), model=model),)
    return Document(actors=(Actor(id="me", name="Me", figure=arm(), layers=(layer,), parts=parts),), rate=(100, 1))


def found_for(document: Document, **options: object) -> FoundActivations:
    command = ActivationsFromMotion(actor=document.actors[0].id, **options)  # type: ignore[arg-type]
    return finish(command.work_through(Evaluator(), document))


def test_muscles_need_not_give_what_a_spring_gives() -> None:
    document, times = swinging(), (0, SECOND // 5, SECOND // 2)
    sprung = edit("set_spring", actor="me", dof="bend", spring=6.0, neutral=-0.4).apply(document)
    bare, less = (RequiredDynamics(Evaluator(), each, "me").at(times) for each in (document, sprung))
    place = bare.q[:, arm().coordinate_index["bend"]]
    rate = arm().rate_index["bend"]
    np.testing.assert_allclose(less.torques[:, rate], bare.torques[:, rate] - 6.0 * (-0.4 - place), atol=1e-9)
    assert np.ptp(place) > 0.1


@pytest.mark.parametrize("model", FORCE_MODELS)
@pytest.mark.parametrize("cost", ["squares", "cubes"])
def test_muscles_pull_as_the_motion_takes_with_what_they_lack_beside(model: ForceModel, cost: str) -> None:
    document = swinging(model=model)
    shares = found_for(document, cost=cost).shares
    moves = Evaluator().motion(document.actors[0]).at(np.array(shares.times, dtype=np.float64))[:, :, 0]
    assert shares.unsolved == 0
    assert shares.activations.max() > 0.1
    for (angle, rate, change), active, required, left in zip(
        moves, shares.activations, shares.required, shares.reserves, strict=True
    ):
        inertia = MASS * LENGTH**2 * change + MASS * G * LENGTH * math.sin(angle)
        given = sum(torque_of(each, model, angle, rate, a) for each, a in zip((FLEXOR, EXTENSOR), active, strict=True))
        assert required[0] == pytest.approx(inertia, abs=1e-6)
        assert given + left[0] == pytest.approx(inertia, abs=1e-4)


def test_torques_are_those_that_the_plot_measures() -> None:
    document = swinging()
    times = [0, SECOND // 4, SECOND // 2]
    wanted = Quantity(kind="torque", actor="me", part="bend")
    (series,) = finish(measure(Evaluator(), document, (wanted,), times))
    assert RequiredDynamics(Evaluator(), document, "me").at(times).torques[:, 0] == pytest.approx(series.values)


def human(height: float, *tracks: Track) -> Document:
    figure = load_figure("human")
    layer = Layer(id="pose", name="Pose", tracks=tracks)
    place = Placement(position=(0.0, height, 0.0))
    return Document(actors=(Actor(id="human", name="Human", figure=figure, layers=(layer,), placement=place),))


def test_the_ground_carries_who_stands_and_nobody_who_hangs_in_the_air() -> None:
    standing, hanging = (RequiredDynamics(Evaluator(), human(up), "human") for up in (0.0, 1.0))
    mass = float(standing.mechanics.bodies()[:, 0].sum())
    on, off = standing.at([0]), hanging.at([0])
    root = load_figure("human").rate_index
    names = [name for dof in load_figure("human").joints[0].dofs for name in dof.rates]
    assert on.ground[0] == pytest.approx([0.0, mass * G, 0.0], abs=0.01 * mass * G)
    assert np.abs(on.torques[0][[root[name] for name in names]]).max() < 0.01 * mass * G
    assert (off.ground == 0.0).all()
    assert np.abs(off.torques[0][[root[name] for name in names]]).max() == pytest.approx(mass * G, rel=1e-6)


def test_who_flies_as_bodies_do_takes_nothing_of_anybody() -> None:
    figure = load_figure("human")
    up = next(dof.id for dof in figure.joints[0].dofs if dof.kind == "slide" and dof.axis == (0.0, 1.0, 0.0))
    # A cubic between two keys whose slopes are those of a throw is a parabola.
    keys = (
        Key(0, 1.0, tangent="free", slope_out=2.0),
        Key(SECOND // 2, 1.0 + 2.0 * 0.5 - 0.5 * G * 0.25, tangent="free", slope_in=2.0 - G * 0.5),
    )
    found = RequiredDynamics(Evaluator(), human(0.0, Track(coordinate=up, keys=keys)), "human").at([SECOND // 4])
    assert (found.ground == 0.0).all()
    assert np.abs(found.torques).max() < 1e-6


def test_without_a_ground_or_a_free_root_nothing_is_carried() -> None:
    bare = replace(human(0.0), parts=(PhysicsWorld(ground=False),))
    assert (RequiredDynamics(Evaluator(), bare, "human").at([0]).ground == 0.0).all()
    assert (RequiredDynamics(Evaluator(), swinging(), "me").at([0]).ground == 0.0).all()


@pytest.mark.parametrize(
    ("name", "muscle_count"), [("body", 823), ("arm26.osim", 6), ("gait2392_millard2012muscle.osim", 92)]
)
def test_activations_are_those_of_scipy_for_whole_models(name: str, muscle_count: int) -> None:
    if name == "body":
        owner = example("body").build().actors[0]
    else:
        found = bring_in(shared("musculoskeletal", "osim", name)).actor
        assert found is not None
        owner = found
    muscles = muscles_of(owner)
    assert muscles is not None
    figure = MuscledFigure(compile_model(owner.figure), muscles)
    sharing, count = FrameSharing(figure, held_rates(owner, muscles).tolist(), "squares"), figure.paths.count
    q = Evaluator().coordinates(Document(actors=(owner,)), owner.id, [0])[0]
    lengths, gradient = figure.measure(q)
    still = np.zeros(count)
    passive, full = (figure.forces(lengths, still, np.full(count, active)) for active in (0.0, 1.0))
    matrix = (-gradient * (full - passive)[:, None])[:, sharing.moved].T
    rest = -gradient.T @ passive
    wanted = np.array(rest)
    wanted[sharing.moved] += matrix @ (0.3 * np.random.default_rng(1).random(count) ** 3)
    active, left, steps = sharing.share(q, np.zeros(figure.model.rate_count), wanted)
    asked = (wanted - rest)[sharing.moved]
    rows = np.vstack([np.eye(count), matrix / RESERVE])
    peer, _ = nnls(rows, np.concatenate([np.zeros(count), asked / RESERVE]), maxiter=5000)
    assert steps > 0
    assert count == muscle_count
    assert 0.05 < peer.max() < 1.0, "so that no upper bound holds"
    assert active == pytest.approx(peer, abs=1e-6)
    assert left[sharing.moved] == pytest.approx(asked - matrix @ peer, abs=1e-6)


def test_a_frame_after_another_takes_few_steps() -> None:
    document = swinging()
    figure = MuscledFigure(compile_model(arm()), Muscles(muscles=(FLEXOR, EXTENSOR)))
    sharing, taken = FrameSharing(figure, (), "squares"), []
    required = RequiredDynamics(Evaluator(), document, "me").at([each * SECOND // 100 for each in range(100)])
    for q, qd, torques in zip(required.q, required.qd, required.torques, strict=True):
        taken.append(sharing.share(q, qd, torques)[2])
    assert min(taken) >= 0
    assert float(np.mean(taken)) < 2.5


def test_a_muscle_that_is_too_weak_is_named_by_what_its_joint_lacks() -> None:
    shares = found_for(swinging(replace(FLEXOR, force=20.0), EXTENSOR)).shares
    (lack,) = shares.lacks()
    assert lack.moved
    assert lack.rate == "bend"
    assert lack.most > 0.5 * lack.required
    assert shares.activations[shares.times.index(lack.time)].max() == 1.0
    said = next(lacking_words(shares))
    assert said.startswith(f"Rod, bend: muscles lack {lack.most:.3g} N m of {lack.required:.3g} N m at ")


def test_a_joint_without_a_muscle_is_named() -> None:
    points = (PathPoint(joint="post", point=(0.0, 0.2, 0.0)), PathPoint(joint="post", point=(0.0, 0.1, 0.0)))
    idle = Muscle(id="idle", name="Idle", points=points, force=1.0, fibre=0.05, tendon=0.05)
    shares = found_for(swinging(idle)).shares
    assert shares.reserves == pytest.approx(shares.required)
    assert next(lacking_words(shares)).startswith("No muscle moves Rod, bend: up to ")


def test_who_hangs_in_the_air_is_told_that_nobody_holds_it() -> None:
    (actor,) = human(1.0).actors
    points = PathPoint(joint="pelvis", point=(0.08, 0.1, 0.08)), PathPoint(joint="hip_left", point=(0.0, -0.1, 0.05))
    flexor = Muscle(id="flexor", name="Flexor", points=points, force=500.0, fibre=0.1, tendon=0.1)
    found = found_for(Document(actors=(actor.with_part(Muscles(muscles=(flexor,))),)), start=0, end=0)
    weight = float(RequiredDynamics(Evaluator(), human(1.0), "human").mechanics.bodies()[:, 0].sum()) * G
    (said,) = [each for each in found.lacking if "at the root" in each and " N m " not in each]
    assert said.startswith(f"Nobody gives {weight:.3g} N at 0.00 s at the root (Pelvis, move y)")


def test_keys_are_few_stay_within_the_tolerance_and_leave_the_time_around_as_it_was() -> None:
    early, late = Key(-SECOND, 0.7), Key(3 * SECOND, 0.4)
    document = edit("set_muscle_keys", actor="me", muscle="flexor", keys=(early, late, Key(SECOND // 2, 1.0))).apply(
        swinging()
    )
    found = found_for(document, start=0, end=SECOND, tolerance=0.02)
    after = found.edit.apply(document)
    track = activations_of(after.actors[0]).of("flexor")
    assert track is not None
    assert track.track is not None
    assert {early, late} < set(track.track.keys)
    assert Key(SECOND // 2, 1.0) not in track.track.keys
    assert found.keys < 0.3 * 2 * len(found.shares.times)
    stage = Evaluator().stage("muscles")
    seen = stage.measured(after, "me", list(found.shares.times)).activations  # type: ignore[attr-defined]
    assert np.abs(seen - found.shares.activations).max() <= 0.02 + 1e-9


def test_keys_of_rough_activations_do_not_swing_between_frames() -> None:
    ticks = np.arange(76) * (SECOND // 30)
    values = np.random.default_rng(5).uniform(0.0, 1.0, 76) * (np.arange(76) % 25 < 9)
    ((_, keys),) = finish(thinned(("rough",), tuple(ticks.tolist()), values[:, None], 0.01))
    between = ticks[:-1, None] + np.linspace(0.0, 1.0, 8) * np.diff(ticks)[:, None]
    seen = evaluate_track(Track(coordinate=ACTIVATION, keys=keys), between.ravel())[:, 0].reshape(between.shape)
    ends = np.stack((values[:-1], values[1:]), axis=1)
    assert np.abs(seen[:, 0] - values[:-1]).max() <= 0.01 + 1e-9
    assert (seen.max(axis=1) - ends.max(axis=1)).max() < 0.05
    assert (ends.min(axis=1) - seen.min(axis=1)).max() < 0.05
    assert len(keys) < 50, "none where it rests"


def test_muscles_that_rest_throughout_lose_their_keys_there() -> None:
    keys = (("flexor", ()), ("extensor", (Key(0, 0.3),)))
    document = edit("set_muscle_keys", actor="me", muscle="flexor", keys=(Key(SECOND, 0.5),)).apply(swinging())
    within = edit("put_muscle_activations", actor="me", start=0, end=2 * SECOND, keys=keys).apply(document)
    beside = edit("put_muscle_activations", actor="me", start=2 * SECOND, end=3 * SECOND, keys=keys[:1]).apply(document)
    assert activations_of(within.actors[0]).of("flexor") is None
    track = activations_of(beside.actors[0]).of("flexor")
    assert track is not None
    assert track.track is not None
    assert [(each.time, each.value) for each in track.track.keys] == [
        (SECOND, 0.5), (2 * SECOND, 0.0), (3 * SECOND, 0.0),
    ]  # fmt: skip


def test_what_cannot_be_done_is_refused_in_words() -> None:
    document = swinging()
    with pytest.raises(InvalidArguments, match="an end at or after the start"):
        found_for(document, start=SECOND, end=0)
    with pytest.raises(InvalidArguments, match="squares or cubes"):
        StaticOptimisation(actor="me", cost="fourths")
    with pytest.raises(NothingThere, match="has no muscles"):
        found_for(human(0.0))
    with pytest.raises(InvalidArguments, match="the tolerance"):
        ActivationsFromMotion(actor="me", tolerance=0.0)


def test_cancelling_between_frames_is_possible_and_the_share_rises() -> None:
    document = swinging()
    figure = MuscledFigure(compile_model(arm()), Muscles(muscles=(FLEXOR, EXTENSOR)))
    steps = optimise_motion(Evaluator(), document, figure, StaticOptimisation(actor="me"))
    shares = [next(steps) for _ in range(5)]
    steps.close()
    assert shares == sorted(shares)
    assert 0.0 < shares[0] < shares[-1] < 0.2


def test_the_command_line_writes_a_table_and_keeps_a_project(tmp_path: Path) -> None:
    scene, kept = tmp_path / "arm.sinew", tmp_path / "active.sinew"
    sinew.write(scene, swinging())
    rows, said = activation_lines(scene, start=0.0, end=0.5, rate=50.0, save=kept)
    assert len(rows) == 27
    assert rows[0][:3] == ("time [s]", "flexor activation", "extensor activation")
    assert {"bend required [N m]", "bend lacking [N m]", "ground y [N]"} <= set(rows[0])
    assert next(said).startswith("2 muscles, 26 frames, ")
    active = activations_of(open_scene(str(kept)).actors[0]).of("flexor")
    assert active is not None
    assert active.track is not None
