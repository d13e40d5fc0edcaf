"""A written glTF file shows the poses of the evaluator in a viewer that is not ours: `gltf_viewer`, over pygltflib."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.document import Document, Key, Layer, Track
from engine.document.extent import stated_extent
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats.format import Options
from engine.long.export import export
from engine.queries.examples import EXAMPLES, example
from engine.queries.seen import seen_extent
from tests.engine.formats.gltf_viewer import Viewed
from tests.golden.simulated import SIMULATED

NEAR = 1e-5  # [m]
MANY = 10  # times of each file
SURFACES = (SIMULATED - {"ragdoll"}) | {"face"}  # morph targets, which the tests of their exports read, or water
DEAR = {"letters", "grasp", "fast_punch", "hanging_ball"}  # their motion is solved for in each frame, as that of punch
DEAR |= {"hands", "skeleton", "body"}  # figures of many joints, as the human's
SKELETONS = [
    pytest.param(each.id, marks=[pytest.mark.deep] if each.id in DEAR else [])
    for each in EXAMPLES
    if each.id not in SURFACES
]


USUAL_END = 2 * SECOND
ENDS = {"ragdoll": SECOND}  # which is simulated anew for each of its actors


@cache
def moving(id: str) -> Document:
    """An example; where nothing moves in it, its first actor is keyed over its own pose, locks and all."""
    document = example(id).build()
    if any(layer.tracks or layer.samples is not None for actor in document.actors for layer in actor.layers):
        return document
    first, figure = document.actors[0], document.actors[0].figure
    swing = [dof.id for dof in figure.dofs if dof.kind == "hinge"][:12]
    tracks = tuple(
        Track(coordinate=each, keys=(Key(SECOND // 4, 0.0), Key(SECOND, 0.25 - 0.04 * place), Key(2 * SECOND, -0.1)))
        for place, each in enumerate(swing)
    )
    keyed = Layer(id="keyed", name="Keyed", mode="add", weight=0.8, tracks=tracks)
    return document.with_actor(replace(first, layers=(*first.layers, keyed)))


def written(document: Document, actor: str, path: Path, **options: object) -> Viewed:
    (found,) = export(path, document, [actor], Options(**options))  # type: ignore[arg-type]
    return Viewed.load(found)


def times_of(viewed: Viewed, document: Document, actor: str) -> list[int]:
    """Exact ticks of some of the file's frames, the first and the last among them."""
    if not viewed.file.animations:
        return [0]
    times = viewed.array(viewed.file.animations[0].samplers[0].input)[:, 0]
    first, _ = stated_extent(document) or seen_extent(document.with_all_that_hold(actor))
    assert times[0] == pytest.approx(max(first, 0) / SECOND, abs=1e-7)
    frames = np.unique(np.linspace(0, len(times) - 1, MANY).astype(int)).tolist()
    return [first + frame_time(frame, document.rate) for frame in frames]


def joints_shown(viewed: Viewed, time: float, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """World transforms of the joints of the figure, which are the last ones of the skin, shape [count, 3, 4]."""
    worlds = viewed.worlds(time)
    return np.stack([worlds[node][:3] for node in viewed.joints[-count:]])


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("id", SKELETONS)
def test_every_example_is_shown_as_it_is_seen(id: str, suffix: str, tmp_path: Path) -> None:
    if suffix == ".gltf" and id != "jump":
        pytest.skip("one is enough: only the shell differs")
    document, evaluator = moving(id), Evaluator()
    moved = 0.0
    for actor in document.actors:
        viewed = written(document, actor.id, tmp_path / f"{actor.id}{suffix}", end=ENDS.get(id, USUAL_END))
        shown = []
        for time in times_of(viewed, document, actor.id):
            shown.append(joints_shown(viewed, time / SECOND, len(actor.figure.joints)))
            seen = evaluator.joint_transforms(document, actor.id, time)
            assert np.abs(shown[-1][:, :, 3] - seen[:, :, 3]).max() <= NEAR, (actor.name, time / SECOND)
            assert np.abs(shown[-1][:, :, :3] - seen[:, :, :3]).max() <= NEAR, (actor.name, time / SECOND)
        moved = max(moved, float(np.ptp(np.array(shown), axis=0).max()))
    assert moved > 0.02, "something moves, so that there is something to see"


def test_a_bound_skin_bends_as_it_is_seen(tmp_path: Path) -> None:
    document = moving("walk")
    human = document.actors[0]
    (skin,) = human.figure.skins
    linear = replace(human, figure=replace(human.figure, skins=(replace(skin, blending="linear"),)))
    document, evaluator = document.with_actor(linear), Evaluator()
    viewed = written(document, human.id, tmp_path / "human.glb")
    for time in times_of(viewed, document, human.id)[::6]:
        (seen,) = evaluator.snapshot(document, time).skins
        shown = viewed.vertices(time / SECOND)
        assert shown.shape == seen.positions.shape
        assert np.linalg.norm(shown - seen.positions, axis=1).max() <= NEAR, time / SECOND


@pytest.mark.parametrize("id", ["lamp", "quadruped"])
def test_the_shapes_of_bodies_stand_where_they_are_seen(id: str, tmp_path: Path) -> None:
    document, evaluator = moving(id), Evaluator()
    for actor in document.actors:
        viewed = written(document, actor.id, tmp_path / f"{actor.id}.glb")
        for time in times_of(viewed, document, actor.id)[::6]:
            item = next(each for each in evaluator.snapshot(document, time).bodies if each.owner == actor.id)
            frames = item.transforms[item.mesh.body].astype(float)
            seen = np.einsum("vij,vj->vi", frames[:, :, :3], item.mesh.positions) + frames[:, :, 3]
            assert np.linalg.norm(viewed.vertices(time / SECOND) - seen, axis=1).max() <= NEAR, (actor.name, time)


def test_between_frames_the_error_falls_with_the_square_of_the_rate(tmp_path: Path) -> None:
    document, evaluator = moving("jump"), Evaluator()
    human, usual = document.actors[0], {}
    for rate in (30, 120):
        viewed, off = written(document, human.id, tmp_path / f"{rate}.glb", rate=(rate, 1)), []
        first, _ = seen_extent(document)
        for place in range(24):
            frame = round((viewed.span[1] * rate - 1) * place / 24)
            time = first + round((frame + 0.5) * SECOND / rate)
            seen = evaluator.joint_transforms(document, human.id, time)
            shown = joints_shown(viewed, time / SECOND, len(human.figure.joints))
            off.append(float(np.linalg.norm((shown - seen)[:, :, 3], axis=1).max()))
        usual[rate] = float(np.median(off))
    assert usual[120] < usual[30] / 8.0, "where the motion has no kinks"
    assert usual[120] < 1e-3
