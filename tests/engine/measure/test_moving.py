"""How joints move, against closed forms, against differences of what is seen, and against the engine's Jacobians."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Attachment, Document, Dof, Figure, Joint, Key, Layer, Lock, Placement, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import STEP, Evaluator
from engine.measure.moving import Moving, moving
from tests.engine.figures import random_figure


def document_of(figure: Figure, *tracks: Track, placement: Placement | None = None) -> Document:
    actor = Actor(
        id="a", name="A", figure=figure, layers=(Layer(id="keys", tracks=tracks),), placement=placement or Placement()
    )
    return Document(actors=(actor,))


def waving(seed: int, *, ball_root: bool = False) -> Document:
    """A random figure whose every coordinate goes through random keys."""
    figure = random_figure(seed, 8, ball_root=ball_root)
    rng = np.random.default_rng(seed)
    tracks = []
    for name in figure.coordinates:
        values = rng.normal(0.0, 0.5, 4) + (1.0 if name.endswith(".w") else 0.0)
        keys = tuple(Key(time=place * SECOND // 2, value=float(value)) for place, value in enumerate(values))
        tracks.append(Track(coordinate=name, keys=keys))
    placement = Placement(position=(1.0, 0.5, -2.0), rotation=(0.6, 0.0, 0.8, 0.0))
    return document_of(figure, *tracks, placement=placement)


def neighbours(document: Document, time: int, away: int) -> list[Moving]:
    evaluator = Evaluator()
    return [moving(evaluator, document, "a", (time + each,)) for each in (-away, 0, away)]


@pytest.mark.parametrize("ball_root", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_velocities_and_accelerations_are_the_changes_of_places(seed: int, ball_root: bool) -> None:
    away = SECOND // 20_000
    before, now, after = neighbours(waving(seed, ball_root=ball_root), 3 * SECOND // 8, away)
    step = away / SECOND
    scale = 1.0 + np.abs(now.accelerations).max()
    assert not now.by_differences.any()
    assert np.abs((after.positions - before.positions) / (2 * step) - now.velocities).max() < 1e-5 * scale
    assert np.abs((after.velocities - before.velocities) / (2 * step) - now.accelerations).max() < 1e-4 * scale
    assert np.abs((after.turning - before.turning) / (2 * step) - now.turning_rates).max() < 1e-4 * scale
    spin = (after.rotations - before.rotations) / (2 * step) @ np.swapaxes(now.rotations, 2, 3)
    found = np.stack((spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]), axis=-1)
    assert np.abs(found - now.turning).max() < 1e-5 * scale


@pytest.mark.parametrize("ball_root", [False, True])
def test_places_are_those_of_the_picture(ball_root: bool) -> None:
    document, times = waving(5, ball_root=ball_root), (0, SECOND // 3, SECOND, 2 * SECOND)
    found, evaluator = moving(Evaluator(), document, "a", times), Evaluator()
    for place, time in enumerate(times):
        worlds = evaluator.joint_transforms(document, "a", time)
        np.testing.assert_array_equal(found.rotations[place], worlds[:, :, :3])
        np.testing.assert_array_equal(found.positions[place], worlds[:, :, 3])


def test_a_point_of_a_turning_body_has_its_centripetal_acceleration() -> None:
    """A hinge that goes by keys from 0 at one steady rate w: v = w r, a = w^2 r towards the hinge."""
    figure = Figure(
        name="Rod", joints=(Joint(id="hub", name="Hub", dofs=(Dof(id="hub.z", name="Z", axis=(0, 0, 1)),)),)
    )
    rate, arm = 3.0, 0.7
    keys = (Key(time=0, value=0.0, interpolation="linear"), Key(time=2 * SECOND, value=2 * rate))
    document = document_of(figure, Track(coordinate="hub.z", keys=keys))
    times = tuple(place * SECOND // 7 for place in range(1, 10))
    found = moving(Evaluator(), document, "a", times)
    place, velocity, acceleration = found.points([0], np.array([[arm, 0.0, 0.0]]))
    angle = rate * np.array(times) / SECOND
    out = np.stack((np.cos(angle), np.sin(angle), np.zeros_like(angle)), axis=1)
    across = np.stack((-np.sin(angle), np.cos(angle), np.zeros_like(angle)), axis=1)
    np.testing.assert_allclose(place[:, 0], arm * out, atol=1e-12)
    np.testing.assert_allclose(velocity[:, 0], arm * rate * across, atol=1e-11)
    np.testing.assert_allclose(acceleration[:, 0], -arm * rate * rate * out, atol=1e-10)


def test_where_something_is_held_the_numbers_are_differences_of_what_is_seen() -> None:
    """The same motion, once by its own curves and once hung on a body that makes it."""
    document = waving(2)
    carrier = replace(document.actors[0], id="carrier", name="Carrier")
    held = Actor(
        id="a",
        name="A",
        figure=Figure(name="Thing", joints=(Joint(id="thing", name="Thing"),)),
        attachments=(Attachment(id="hang", joint="thing", target="carrier", target_joint="j6"),),
    )
    both, time = Document(actors=(carrier, held)), 3 * SECOND // 8
    own = moving(Evaluator(), both, "carrier", (time,))
    found = moving(Evaluator(), both, "a", (time,))
    joint = carrier.figure.joint_index["j6"]
    assert found.by_differences.all()
    assert not own.by_differences.any()
    for name, slack in (
        ("positions", 1e-9),
        ("velocities", 1e-3),
        ("accelerations", 1e-2),
        ("turning", 1e-3),
        ("turning_rates", 1e-2),
    ):
        mine, its = getattr(found, name)[:, 0], getattr(own, name)[:, joint]
        assert np.abs(mine - its).max() < slack * (1.0 + np.abs(its).max()), name


def test_a_lock_makes_differences_only_while_it_counts() -> None:
    document = waving(1)
    lock = Lock(id="l", name="L", joint="j7", span=Span(start=SECOND, end=2 * SECOND), position=(0.1, 0.2, 0.3))
    locked = document.with_actor(replace(document.actors[0], locks=(lock,)))
    times = (0, SECOND - 2 * STEP, SECOND + STEP, 2 * SECOND + 2 * STEP)
    assert moving(Evaluator(), locked, "a", times).by_differences.tolist() == [False, False, True, False]
    muted = document.with_actor(replace(document.actors[0], locks=(replace(lock, mute=True),)))
    assert not moving(Evaluator(), muted, "a", times).by_differences.any()


def test_a_slice_is_the_same_as_its_times_alone() -> None:
    document, times = waving(3, ball_root=True), tuple(place * SECOND // 30 for place in range(20))
    together = moving(Evaluator(), document, "a", times)
    for place, time in enumerate(times):
        alone = moving(Evaluator(), document, "a", (time,))
        np.testing.assert_allclose(together.accelerations[place], alone.accelerations[0], rtol=1e-12, atol=1e-12)
    assert math.isfinite(float(together.accelerations.max()))


@pytest.mark.parametrize("ball_root", [False, True])
@pytest.mark.parametrize("places", [(7,), (2, 5), ()])
def test_joints_that_are_asked_for_move_as_they_do_among_all(places: tuple[int, ...], ball_root: bool) -> None:
    document, times = waving(3, ball_root=ball_root), [place * SECOND // 7 for place in range(9)]
    joints = tuple(document.actors[0].figure.joints[place].id for place in places)
    some, all_of_them = (moving(Evaluator(), document, "a", times, each) for each in (joints, None))
    np.testing.assert_array_equal(some.coordinates, all_of_them.coordinates)
    chosen = [some.figure.joint_index[each] for each in joints]
    for name in ("rotations", "positions", "velocities", "accelerations", "turning", "turning_rates"):
        found, expected = (getattr(each, name)[:, chosen] for each in (some, all_of_them))
        np.testing.assert_array_equal(found, expected, err_msg=name)
        assert not joints or np.abs(expected).max() > 0.0
