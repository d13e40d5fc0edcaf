"""Rerooting: every body stands where it stood, at every key and sample, whatever the figure and its layers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import (
    Actor,
    Blob,
    Document,
    Dof,
    Figure,
    Handle,
    Joint,
    Key,
    Layer,
    Placement,
    Samples,
    SelectionSet,
    Span,
    Track,
    validate,
)
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import figure_names, load_figure
from engine.maths.arrays import Array
from engine.runtime.errors import EngineError
from tests.engine.figures import random_figure
from tests.engine.motion.motions import SECOND, mixed_keys

EVALUATOR = Evaluator()
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _rooted(seed: int, kind: str) -> Figure:
    """A random tree with a root of some kind, its other joints as they come."""
    figure = random_figure(seed, ball_root=kind == "ball")
    dofs = figure.joints[0].dofs
    slides = tuple(Dof(id=f"j0.s{n}", name=f"s{n}", kind="slide", axis=AXES[n]) for n in range(3))
    hinges = tuple(Dof(id=f"j0.h{n}", name=f"h{n}", axis=AXES[n]) for n in (2, 0, 1))
    if kind == "hinges":
        dofs = (*slides, *hinges)
    elif kind == "planar":
        dofs = (slides[0], slides[1], hinges[0])
    elif kind == "fixed":
        dofs = ()
    return replace(figure, joints=(replace(figure.joints[0], dofs=dofs), *figure.joints[1:]))


def _tracks(rng: np.random.Generator, figure: Figure) -> tuple[Track, ...]:
    made = []
    for name in figure.coordinates:
        ball = figure.coordinate_dof[name].kind == "ball"
        shift = 1.0 if name.endswith(".w") and ball else 0.0
        keys = tuple(
            Key(key.time, shift + 0.3 * key.value) if ball else replace(key, interpolation="cubic")
            for key in mixed_keys(rng, 4)
        )
        made.append(Track(coordinate=name, keys=keys))
    return tuple(made)


def _scene(figure: Figure, *layers: Layer) -> Document:
    placement = Placement(position=(1.0, 2.0, -1.0), rotation=(0.6, 0.0, 0.8, 0.0))
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=layers, placement=placement),))


def _worlds(document: Document, time: int) -> dict[str, Array]:
    actor = document.actors[0]
    return dict(zip(actor.figure.joint_index, EVALUATOR.joint_transforms(document, actor.id, time), strict=True))


def _same(old: Document, new: Document, times: list[int], tolerance: float = 1e-12) -> None:
    validate(new)
    for time in times:
        before, after = _worlds(old, time), _worlds(new, time)
        assert before.keys() <= after.keys()
        for id, world in before.items():
            np.testing.assert_allclose(after[id], world, atol=tolerance)


def _reroot(document: Document, joint: str) -> Document:
    return edit("reroot_figure", actor="one", joint=joint, layer="root").apply(document)


def _deepest(figure: Figure) -> str:
    depth: dict[str, int] = {}
    for joint in figure.joints:
        depth[joint.id] = 0 if joint.parent is None else depth[joint.parent] + 1
    return max(depth, key=lambda id: depth[id])


DEEP = [pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2, 3)]
KINDS = ("ball", "hinges", "planar", "fixed", "random")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, *DEEP])
def test_a_pose_stays_wherever_the_figure_is_hung_up(seed: int, kind: str) -> None:
    figure, rng = _rooted(seed, kind), np.random.default_rng(seed)
    pose = tuple((name, float(rng.normal())) for name in figure.coordinates if ".turn" not in name)
    document = _scene(figure, Layer(id="pose", values=pose))
    for joint in figure.joints:
        new = _reroot(document, joint.id)
        _same(document, new, [0])
        content = new.actors[0].figure
        assert content is not None
        assert content.joints[0].id == joint.id
        assert len(new.actors[0].layers) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, *DEEP])
def test_a_keyed_motion_stays_at_every_key_and_frame(seed: int, kind: str) -> None:
    figure, rng = _rooted(seed, kind), np.random.default_rng(seed)
    layer = Layer(id="walk", tracks=_tracks(rng, figure))
    document = _scene(figure, layer)
    joint = _deepest(figure)
    new = _reroot(document, joint)
    times = sorted({key.time for track in layer.tracks for key in track.keys})
    frames = [SECOND * frame // 30 for frame in range(30, 60, 7)]
    _same(document, new, times[:: max(1, len(times) // 12)] + [f for f in frames if times[0] < f < times[-1]])
    between = [SECOND * frame // 30 + SECOND // 70 for frame in range(40, 60, 5)]
    _same(document, new, [f for f in between if times[0] < f < times[-1]], 0.02)


@pytest.mark.parametrize("name", figure_names())
def test_every_shipped_figure_can_be_hung_up_at_every_joint(name: str) -> None:
    """Its pose at the keys and its samples stay to 1e-12; of many joints, some are taken."""
    figure, rng = load_figure(name), np.random.default_rng(0)
    moved = tuple(
        Track(
            coordinate=each,
            keys=tuple(Key(time * SECOND, float(rng.uniform(-0.5, 0.5)), "linear") for time in range(3)),
        )
        for each in figure.coordinates
    )
    values = Blob(rng.uniform(-0.5, 0.5, (3, len(figure.coordinates))))
    taken = Samples(coordinates=figure.coordinates, values=values, rate=(1, 1))
    for layer in (Layer(id="walk", tracks=moved), Layer(id="take", samples=taken)):
        document = _scene(figure, layer)
        for joint in figure.joints[:: max(1, len(figure.joints) // 8)]:
            _same(document, _reroot(document, joint.id), [0, SECOND, 2 * SECOND])


@pytest.mark.parametrize("kind", KINDS)
def test_samples_stay_samples_and_exact(kind: str) -> None:
    figure, rng = _rooted(5, kind), np.random.default_rng(5)
    names = figure.coordinates
    values = np.cumsum(0.1 * rng.normal(size=(20, len(names))), axis=0)
    for place, name in enumerate(names):
        values[:, place] += 1.0 if name.endswith(".w") else 0.0
    ball = [place for place, name in enumerate(names) if "turn" in name]
    if ball:
        values[:, ball] /= np.linalg.norm(values[:, ball], axis=1)[:, None]
    samples = Samples(coordinates=names, values=Blob(values), rate=(25, 1), start=777)
    document = _scene(figure, Layer(id="take", samples=samples))
    new = _reroot(document, _deepest(figure))
    layer = new.actors[0].layers[0]
    assert not layer.tracks
    assert layer.samples is not None
    assert layer.samples.frame_count == 20
    _same(document, new, [samples.time(frame) for frame in range(20)])


def test_layers_of_every_kind_together_stay() -> None:
    figure, rng = _rooted(7, "hinges"), np.random.default_rng(7)
    layers = (
        Layer(id="walk", tracks=_tracks(rng, figure)),
        Layer(id="more", tracks=_tracks(rng, figure)[::2], mode="add", weight=0.5),
        Layer(id="part", values=(("j0.s0", 2.0),), span=Span(start=SECOND, end=2 * SECOND, ease_in=SECOND // 2)),
        Layer(id="never", values=(("j0.s1", 9.0),), mute=True),
    )
    document = _scene(figure, *layers)
    new = _reroot(document, _deepest(figure))
    assert [layer.id for layer in new.actors[0].layers] == ["walk", "more", "part", "never", "root"]
    times = sorted({key.time for layer in layers for track in layer.tracks for key in track.keys})
    _same(document, new, times[::9])


def test_tracks_below_the_root_are_the_identical_objects_and_ids_stay() -> None:
    figure, rng = _rooted(2, "ball"), np.random.default_rng(2)
    figure = replace(figure, handles=(Handle(id="tip", name="Tip", joint="j5"),))
    document = _scene(figure, Layer(id="walk", tracks=_tracks(rng, figure)))
    new = _reroot(document, _deepest(figure)).actors[0]
    assert new.figure is not None
    assert set(figure.coordinates) == set(new.figure.coordinates)
    for name, track in document.actors[0].layers[0].track_of.items():
        if not name.startswith("j0."):
            assert new.layers[0].track_of[name] is track
    assert new.figure.handles is figure.handles
    for joint in figure.joints:
        same = new.figure.joint(joint.id)
        assert (same.shapes, same.name, same.body) == (joint.shapes, joint.name, joint.body)


@pytest.mark.parametrize("kind", ["ball", "hinges"])
def test_there_and_back_is_the_same_tree(kind: str) -> None:
    figure = _rooted(3, kind)
    document = _scene(figure, Layer(id="pose"))
    joint = _deepest(figure)
    back = _reroot(_reroot(document, joint), "j0")
    content = back.actors[0].figure
    assert content is not None
    assert set(content.joint_index) == set(figure.joint_index)
    for old in figure.joints:
        new = content.joint(old.id)
        assert new.parent == old.parent
        assert [dof.id for dof in new.dofs] == [dof.id for dof in old.dofs]
        np.testing.assert_allclose(new.offset, old.offset, atol=1e-14)
        for first, second in zip(new.dofs, old.dofs, strict=True):
            np.testing.assert_allclose(first.axis, second.axis, atol=1e-15)
    _same(document, back, [0])


def test_no_selection_set_names_a_joint_that_went_on_the_way_back() -> None:
    figure = _rooted(3, "ball")
    there = _reroot(_scene(figure, Layer(id="pose")), _deepest(figure))
    put_in = set(there.actors[0].figure.joint_index) - set(figure.joint_index)
    assert put_in
    named = tuple(("one", joint) for joint in ("j0", *sorted(put_in)))
    chosen = edit("add_selection_set", selection_set=SelectionSet(id="set", name="Set", items=named)).apply(there)
    back = _reroot(chosen, "j0")
    validate(back)
    assert back.selection_sets[0].items == (("one", "j0"),)


def test_joints_joined_as_rotations_stay_so() -> None:
    dofs = tuple(Dof(id=f"b{n}", name=f"b{n}", axis=AXES[n]) for n in range(3))
    root = Joint(id="a", name="A", dofs=_rooted(0, "hinges").joints[0].dofs)
    middle = Joint(id="b", name="B", parent="a", offset=(0.0, 1.0, 0.0), dofs=dofs)
    end = Joint(id="c", name="C", parent="b", offset=(0.0, 1.0, 0.0), dofs=(Dof(id="c0", name="c0"),))
    figure = Figure(name="Three", joints=(root, middle, end))
    rng = np.random.default_rng(1)
    document = _scene(figure, Layer(id="walk", tracks=_tracks(rng, figure), quaternions=("a", "b")))
    new = _reroot(document, "c")
    carrier = new.actors[0].layers[0].quaternions
    content = new.actors[0].figure
    assert content is not None
    assert [content.joint(id).dofs[-1].id for id in carrier] == ["j0.h1"]
    times = sorted({key.time for track in document.actors[0].layers[0].tracks for key in track.keys})
    _same(document, new, times)


def test_the_root_as_it_is_changes_nothing_and_bad_arguments_are_refused() -> None:
    document = _scene(_rooted(0, "ball"), Layer(id="pose"))
    assert _reroot(document, "j0") is document
    with pytest.raises(EngineError, match="wing"):
        _reroot(document, "wing")
    with pytest.raises(EngineError, match="pose"):
        edit("reroot_figure", actor="one", joint="j1", layer="pose").apply(document)
