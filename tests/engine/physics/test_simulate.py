"""An actor that is left to dynamics moves as closed forms and servos say, from the pose and the speed that it has."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Body, Box, Document, Dof, Figure, Joint, Key, Layer, Placement, Track
from engine.document.freedoms import freedoms
from engine.document.motion import TICKS_PER_SECOND
from engine.document.validation import validate
from engine.dynamics.mechanics import GRAVITY
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.physics.simulate import Fall, simulate
from engine.queries.examples import example
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish

FREE = freedoms("free", "root")
HEIGHT = FREE[1].id


def scene(figure: Figure, *tracks: Track, **actor: object) -> Document:
    layer = Layer(id="pose", tracks=tracks)
    return Document(actors=(Actor(id="thing", name="Thing", figure=figure, layers=(layer,), **actor),))  # type: ignore[arg-type]


def brick(**root: object) -> Figure:
    return Figure(name="Brick", joints=(Joint(id="root", name="Root", dofs=FREE, shapes=(Box(half=(0.1, 0.2, 0.1)),)),))


def pendulum(length: float) -> Figure:
    """A point of 1 kg that swings about z, without damping beside that of tissue, which roots do not have."""
    body = Body(mass=1.0, centre=(0.0, -length, 0.0))
    swing = Dof(id="root.swing", name="Swing", axis=(0.0, 0.0, 1.0))
    return Figure(name="Pendulum", joints=(Joint(id="root", name="Root", dofs=(swing,), body=body),))


def run(document: Document, seconds: float, **how: object) -> Document:
    options: dict[str, object] = {"id": "fall", "actor": document.actors[0].id, "start": 0, "seconds": seconds} | how
    return finish(simulate(Evaluator(), document, Fall(**options)))  # type: ignore[arg-type]


def values(document: Document) -> Array:
    samples = document.actors[0].layers[-1].samples
    assert samples is not None
    return np.array(samples.values.array)


def test_a_thrown_brick_flies_a_parabola_from_the_speed_of_its_keys() -> None:
    climbing = Track(
        coordinate=HEIGHT,
        keys=(Key(0, 0.0, interpolation="linear"), Key(TICKS_PER_SECOND, 2.0)),
    )
    document = scene(brick(), climbing, placement=Placement(position=(0.0, 3.0, 0.0)))
    thrown = run(document, 0.5, ground=False, stepper="midpoint")
    times = np.arange(16) / 30.0
    place = thrown.actors[0].figure.coordinate_index[HEIGHT]
    np.testing.assert_allclose(values(thrown)[:, place], 2.0 * times + 0.5 * GRAVITY[1] * times**2, atol=1e-9)
    shown = Evaluator().joint_transforms(thrown, "thing", TICKS_PER_SECOND // 2)[0, 1, 3]
    assert shown == pytest.approx(3.0 + 1.0 + 0.125 * GRAVITY[1], abs=1e-9), "at its placement, in the layer on top"


def test_samples_come_at_the_rate_that_is_asked_for_and_lie_on_the_same_motion() -> None:
    document = scene(brick(), placement=Placement(position=(0.0, 3.0, 0.0)))
    often = run(document, 0.5, ground=False, rate=(120, 1), step=1.0 / 240.0)
    seldom = run(document, 0.5, ground=False, step=1.0 / 240.0)
    np.testing.assert_allclose(values(often)[::4], values(seldom), atol=1e-12)


def test_a_pendulum_swings_in_its_period() -> None:
    length, small = 0.8, 0.02
    document = scene(pendulum(length), Track(coordinate="root.swing", keys=(Key(0, small),)))
    period = 2.0 * math.pi * math.sqrt(length / -GRAVITY[1])
    swung = values(run(replace(document, rate=(1000, 1)), period, ground=False, step=0.001, stepper="midpoint"))[:, 0]
    np.testing.assert_allclose(swung[[0, -1]], small, rtol=1e-3)
    assert swung.min() == pytest.approx(-small, rel=1e-3)


def test_a_brick_comes_to_rest_on_the_ground_or_falls_past_it() -> None:
    document = scene(brick(), placement=Placement(position=(0.0, 0.5, 0.0)))
    heights = [values(run(document, 1.0, ground=ground))[-1, 1] for ground in (True, False)]
    assert heights[0] == pytest.approx(-0.3, abs=1e-3), "its half height above the floor"
    assert heights[1] == pytest.approx(0.5 * GRAVITY[1], rel=0.02)


def test_a_human_with_servos_stands_where_a_slack_one_falls_and_locks_are_muted() -> None:
    document = Document(actors=(replace(example("standing").build().actors[0], id="thing"),))
    falls = {servos: run(document, 0.8, servos=servos) for servos in (None, 4.0)}
    heads = {
        servos: Evaluator().joint_transforms(fallen, "thing", round(0.8 * TICKS_PER_SECOND))[:, 1, 3].max()
        for servos, fallen in falls.items()
    }
    assert heads[None] < 1.0 < 1.5 < heads[4.0]
    for fallen in falls.values():
        validate(fallen)
        assert all(lock.mute for lock in fallen.actors[0].locks)
        assert [layer.id for layer in fallen.actors[0].layers] == ["pose", "fall"]
    assert run(document, 0.8) == falls[None], "the same each time"


def test_servos_follow_what_is_keyed() -> None:
    figure = pendulum(0.5)
    arm = replace(figure.joints[0], id="arm", parent="base", dofs=(replace(figure.joints[0].dofs[0], id="arm.swing"),))
    figure = Figure(name="Arm", joints=(Joint(id="base", name="Base"), arm))
    track = Track(coordinate="arm.swing", keys=(Key(0, 0.0), Key(TICKS_PER_SECOND, 1.0)))
    followed = values(run(scene(figure, track), 1.0, servos=20.0, ground=False))
    assert followed[-1, 0] == pytest.approx(1.0, abs=0.05)
    assert followed[15, 0] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf, 0.001, 1e9])
def test_a_time_that_cannot_be_is_refused(seconds: float) -> None:
    with pytest.raises(InvalidArguments, match="the seconds to simulate"):
        run(scene(brick()), seconds)


def test_what_weighs_nothing_and_what_hangs_on_another_is_refused() -> None:
    empty = Figure(name="Empty", joints=(Joint(id="root", name="Root", dofs=FREE),))
    with pytest.raises(InvalidArguments, match="the mass of Thing"):
        run(scene(empty), 1.0)
    from engine.document import Attachment

    hanging = Attachment(id="hold", joint="root", target="other", target_joint="root")
    document = scene(brick(), attachments=(hanging,))
    other = replace(scene(brick()).actors[0], id="other")
    with pytest.raises(InvalidArguments, match="hangs on no other"):
        run(replace(document, actors=(*document.actors, other)), 1.0)
