"""What is on screen: layers in order, placements, the rest pose, and the same bytes in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.document import Actor, Document, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.document.shipped import load_skin
from engine.edits import edit
from engine.evaluate import rest_snapshot
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.runtime.errors import Diverged
from tests.engine.figures import scene


@pytest.mark.jit_off
def test_the_rest_picture_without_kernels_is_the_one_with_them() -> None:
    document = scene()
    for plain, solved in zip(rest_snapshot(document).bodies, Evaluator().snapshot(document).bodies, strict=True):
        np.testing.assert_allclose(plain.transforms, solved.transforms, atol=1e-6)
        assert (plain.owner, plain.parts, plain.mesh) == (solved.owner, solved.parts, solved.mesh)


@pytest.mark.jit_off
def test_two_actors_of_one_figure_stand_apart() -> None:
    document = scene()
    one, two = Evaluator().snapshot(document).bodies[:2]
    assert one.mesh is two.mesh
    np.testing.assert_allclose(two.transforms[0, :, 3] - _turned(one.transforms[0, :, 3]), (1.0, 0.0, -2.0), atol=1e-6)


@pytest.mark.jit_off
def test_a_later_layer_replaces_what_it_names_and_nothing_else() -> None:
    document = scene()
    figure = document.actors[0].figure
    assert figure is not None
    first, second = figure.coordinates[:2]
    layers = (Layer(id="a", values=((first, 0.3), (second, 0.2))), Layer(id="b", values=((first, 0.7),)))
    layered = document.with_actor(replace(document.actors[0], layers=layers))
    flat = document.with_actor(
        replace(document.actors[0], layers=(Layer(id="c", values=((first, 0.7), (second, 0.2))),))
    )
    evaluator = Evaluator()
    assert (
        evaluator.snapshot(layered).bodies[0].transforms.tobytes()
        == evaluator.snapshot(flat).bodies[0].transforms.tobytes()
    )


@pytest.mark.jit_off
def test_a_picture_does_not_depend_on_those_before_it() -> None:
    document = scene()
    turned = edit("set_value", actor="one", layer="pose", coordinate=_coordinates(document)[0], value=1.0).apply(
        document
    )
    used, fresh = Evaluator(), Evaluator()
    used.snapshot(turned)
    for old, new in zip(used.snapshot(document).bodies, fresh.snapshot(document).bodies, strict=True):
        assert old.transforms.tobytes() == new.transforms.tobytes()


def test_poses_that_are_not_finite_are_refused() -> None:
    document = scene()
    huge = Layer(id="pose", values=((_coordinates(document)[0], float("nan")),))
    with pytest.raises(Diverged, match="One"):
        Evaluator().snapshot(document.with_actor(replace(document.actors[0], layers=(huge,))))


@pytest.mark.jit_off
def test_a_time_is_the_pose_of_that_time() -> None:
    document = moving_scene()
    evaluator = Evaluator()
    for time in (0, TICKS_PER_SECOND // 2, 3 * TICKS_PER_SECOND):
        pose = tuple(zip(_coordinates(document), evaluator.motion(document.actors[0]).at(time)[0], strict=True))
        still = document.with_actor(replace(document.actors[0], layers=(Layer(id="pose", values=pose),)))
        moved, wanted = (Evaluator().snapshot(each, time).bodies[0].transforms for each in (document, still))
        assert moved.tobytes() == wanted.tobytes()
        assert evaluator.joint_transforms(document, "one", time).astype(np.float32).tobytes() == moved.tobytes()


@pytest.mark.jit_off
def test_a_motion_is_compiled_once() -> None:
    document, evaluator = moving_scene(), Evaluator()
    motion = evaluator.motion(document.actors[0])
    assert evaluator.motion(document.actors[0]) is motion
    evaluator.snapshot(document, 5)
    assert evaluator.motion(document.actors[0]) is motion
    assert evaluator.motion(replace(document.actors[0], layers=())) is not motion


@pytest.mark.jit_off
def test_an_actor_without_layers_stands_as_the_figure_that_it_has_now() -> None:
    """Nothing of it says that the figure is another: no layer means no layer before and after."""
    document, evaluator = scene(), Evaluator()
    actor = document.actors[0]
    for layer in actor.layers:
        document = edit("remove_layer", actor=actor.id, layer=layer.id).apply(document)
    evaluator.snapshot(document)
    joint = next(each for each in actor.figure.joints if each.dofs)
    fewer = edit("set_dofs", actor=actor.id, joint=joint.id, dofs=joint.dofs[1:]).apply(document)
    assert fewer.actors[0].layers is document.actors[0].layers
    assert evaluator.motion(fewer.actors[0]).at(0.0).shape[-1] == len(fewer.actors[0].figure.coordinates)
    for seen, wanted in zip(evaluator.snapshot(fewer).bodies, Evaluator().snapshot(fewer).bodies, strict=True):
        assert seen.transforms.tobytes() == wanted.transforms.tobytes()


@pytest.mark.slow
def test_the_same_bytes_in_fresh_processes_with_one_thread_and_two() -> None:
    code = (
        "import hashlib; from engine.evaluate.evaluator import Evaluator; from tests.engine.figures import scene\n"
        "content = hashlib.sha256()\n"
        "for item in Evaluator().snapshot(scene(9)).bodies: content.update(item.transforms.tobytes())\n"
        "print(content.hexdigest())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "NUMBA_NUM_THREADS": count},
        ).stdout
        for count in ("1", "2")
    }
    assert len(printed) == 1


def moving_scene() -> Document:
    """The scene, its first figure with a pose below and a track above."""
    document = scene()
    first, second = _coordinates(document)[:2]
    track = Track(coordinate=first, keys=(Key(0, 0.1), Key(TICKS_PER_SECOND, 0.9)))
    layers = (Layer(id="pose", values=((first, 0.3), (second, 0.2))), Layer(id="keys", tracks=(track,)))
    return document.with_actor(replace(document.actors[0], layers=layers))


def _coordinates(document: Document) -> tuple[str, ...]:
    figure = document.actors[0].figure
    assert figure is not None
    return figure.coordinates


def _turned(position: NDArray[np.float32]) -> NDArray[np.float64]:
    x, y, z = position.tolist()
    cosine, sine = 1.0 - 2.0 * 0.64, 2.0 * 0.48
    return np.array([cosine * x + sine * z, y, -sine * x + cosine * z])


def test_a_figure_without_shapes_is_never_without_its_skin() -> None:
    figure = replace(load_figure("human"), skins=(load_skin("human"),))
    bare = replace(figure, joints=tuple(replace(joint, shapes=()) for joint in figure.joints))
    document = Document(
        actors=(Actor(id="shaped", name="S", figure=figure), Actor(id="bare", name="B", figure=bare)),
    )
    evaluator = Evaluator()
    assert [skin.owner for skin in evaluator.snapshot(document, skins=False).skins] == ["bare"]
    assert [skin.owner for skin in evaluator.snapshot(document).skins] == ["shaped", "bare"]
