"""Poses that are pasted, mirrored, blended, keyed and put back to rest; and poses as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.commands.poses import PutPose, blended
from engine.document import Actor, Document, Figure, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.pose import Pose, pose_of, read_pose, rest_of
from engine.edits import edit
from engine.edits.poses import pose_edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.runtime.errors import EngineError
from tests.engine.figures import random_figure

HUMAN = load_figure("human")
WAVE = {"elbow_left.flexion": 1.1, "shoulder_left.abduction": 0.7, "head.rotation": 0.2, "pelvis.move_x": 0.3}
ARM = frozenset(("shoulder_left", "elbow_left"))


def _scene(values: dict[str, float] | None = None, **changed: Any) -> Document:
    order = HUMAN.coordinate_index
    pose = tuple(sorted((WAVE if values is None else values).items(), key=lambda item: order[item[0]]))
    actor = Actor(id="one", name="One", figure=HUMAN, layers=(Layer(id="pose", values=pose, **changed),))
    return Document(actors=(actor,))


def _seen(document: Document, time: int = 0) -> dict[str, float]:
    row = Evaluator().coordinates(document, "one", [time])[0].tolist()
    return dict(zip(document.actors[0].figure.coordinates, row, strict=True))


def _put(document: Document, **wish: Any) -> Document:
    made: dict[str, Any] = {"actor": "one", "time": 0, "title": "Put", **wish}
    return PutPose(**made).work_out(Evaluator(), document).apply(document)


def test_a_pose_that_is_copied_and_pasted_again_gives_the_same_digest() -> None:
    document = _scene()
    text = pose_of(HUMAN, _seen(document), name="Wave").to_json()
    values, missing = read_pose(text).fit(HUMAN)
    assert missing == ()
    bare = edit("reset_pose", actor="one", layer="pose").apply(document)
    assert _put(bare, values=values).digest == document.digest


@pytest.mark.parametrize("text", [Pose.to_json, Pose.to_toml])
def test_text_gives_back_every_number_exactly(text: Any) -> None:
    rng = np.random.default_rng(5)
    values = dict(zip(HUMAN.coordinates, rng.normal(size=len(HUMAN.coordinates)).tolist(), strict=True))
    pose = pose_of(HUMAN, {**values, "head.rotation": 1e-17}, name='A "pose", Élan\\\x7f 😀')
    assert read_pose(text(pose)) == pose


def test_mirroring_twice_is_the_identity() -> None:
    rng = np.random.default_rng(3)
    drawn = {dof.id: dof.clamp(float(rng.uniform(-1.0, 1.0))) for dof in HUMAN.dofs}
    document = _scene(drawn)
    once = _put(document, mirrored=True)
    twice = _put(once, mirrored=True)
    before, after = _seen(document), _seen(twice)
    assert max(abs(before[name] - after[name]) for name in before) < 1e-12
    assert max(abs(before[name] - _seen(once)[name]) for name in before) > 0.1


def test_one_side_goes_onto_the_other_and_leaves_all_else() -> None:
    document = _scene()
    other = frozenset(("shoulder_right", "elbow_right"))
    seen = _seen(_put(document, read=ARM, written=other, mirrored=True))
    assert seen["elbow_right.flexion"] == 1.1
    assert seen["shoulder_right.abduction"] == 0.7
    assert {name: value for name, value in seen.items() if "_right" not in name} == {
        name: value for name, value in _seen(document).items() if "_right" not in name
    }


def test_a_pose_lands_on_chosen_joints_only() -> None:
    bare = _scene({})
    seen = _seen(_put(bare, values=tuple(WAVE.items()), written=frozenset(("elbow_left",))))
    assert {name for name, value in seen.items() if value} == {"elbow_left.flexion"}


def test_blending_ends_at_the_pose_and_goes_beyond_it_up_to_the_limits() -> None:
    bare, wanted = _scene({}), (("elbow_left.flexion", 1.0), ("head.rotation", 0.3))
    for share in (0.0, 0.25, 1.0, 1.2):
        seen = _seen(_put(bare, values=wanted, share=share))
        assert seen["elbow_left.flexion"] == pytest.approx(share, abs=1e-15)
    upper = HUMAN.coordinate_dof["elbow_left.flexion"].upper
    assert upper is not None
    assert _seen(_put(bare, values=(("elbow_left.flexion", upper),), share=1.2))["elbow_left.flexion"] == upper
    with pytest.raises(EngineError, match=r"0 to 1\.2"):
        _put(bare, values=wanted, share=1.3)


def test_balls_blend_along_the_shorter_arc() -> None:
    figure = random_figure(1, ball_root=True)
    names = tuple(name for name in figure.coordinates if name.startswith("j0.turn"))
    seen = dict.fromkeys(figure.coordinates, 0.0) | {names[0]: 1.0}
    wanted = (-np.cos(0.4), 0.0, -np.sin(0.4), 0.0)
    half = dict(blended(figure, seen, tuple(zip(names, map(float, wanted), strict=True)), 0.5))
    assert [half[name] for name in names] == pytest.approx([np.cos(0.2), 0.0, np.sin(0.2), 0.0])
    assert dict(blended(figure, seen, tuple(zip(names, wanted, strict=True)), 1.0)) == pytest.approx(
        {name: -value for name, value in zip(names, wanted, strict=True)}
    )


def test_a_pose_on_keys_is_keyed_or_drafted_at_its_time_alone() -> None:
    track = Track(coordinate="elbow_left.flexion", keys=(Key(0, 0.0), Key(SECOND, 0.5)))
    document = _scene({}, tracks=(track,))
    keyed = _put(document, time=SECOND, values=(("elbow_left.flexion", 1.0),))
    assert keyed.actors[0].layers[0].tracks[0].keys[-1].value == 1.0
    drafted = _put(document, time=SECOND, values=(("elbow_left.flexion", 1.0),), auto_key=False)
    assert drafted.actors[0].layers[0].tracks == (track,)
    assert _seen(drafted, SECOND)["elbow_left.flexion"] == 1.0
    assert _seen(drafted, SECOND - 1) == _seen(document, SECOND - 1)


def test_keying_what_is_seen_takes_the_draft_and_the_lower_layers_with_it() -> None:
    track = Track(coordinate="elbow_left.flexion", keys=(Key(0, 0.0), Key(SECOND, 0.5)))
    document = _put(_scene(tracks=(track,)), values=(("knee_left.flexion", 0.4),), auto_key=False)
    keyed = _put(document, key=True)
    layer = keyed.actors[0].layers[0]
    assert layer.drafts == ()
    assert {track.coordinate for track in layer.tracks} == set(HUMAN.coordinates)
    assert _seen(keyed) == _seen(document)
    some = _put(document, key=True, read=ARM)
    assert {track.coordinate for track in some.actors[0].layers[0].tracks} == {
        dof.id for joint in ARM for dof in HUMAN.joint(joint).dofs
    }


def test_a_pose_finds_its_joints_by_name_on_another_figure() -> None:
    elbow = HUMAN.joint("elbow_left")
    dofs = tuple(replace(dof, id=f"bone_7.{place}") for place, dof in enumerate(elbow.dofs))
    other = Figure(name="Other", joints=(replace(elbow, id="bone_7", parent=None, mirror=None, dofs=dofs),))
    values, missing = pose_of(HUMAN, _seen(_scene()), name="Wave").fit(other)
    assert values == (("bone_7.0", 1.1),)
    assert set(missing) == {joint.name for joint in HUMAN.joints if joint.dofs} - {elbow.name}


def test_rest_is_within_limits() -> None:
    for name, value in rest_of(HUMAN):
        dof = HUMAN.coordinate_dof[name]
        assert dof.clamp(value) == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "copied or saved by Sinew"),
        ("Dear Sir or Madam", "Dear Sir"),
        ("{", "copied or saved"),
        ("{}", "copied or saved"),
        ("[" * 100_000, "copied or saved"),
        ('{"sinew_pose": 9}', "version"),
        ('{"sinew_pose": 1, "name": "a", "figure": "b", "values": []}', "one or more"),
        ('{"sinew_pose": 1, "name": "a", "figure": "b", "values": [["x", "y", "z", NaN]]}', "finite"),
        ('{"sinew_pose": 1, "name": "a", "figure": "b", "values": [["x", "y", "z", "w"]]}', "finite"),
        ('sinew_pose = 1\nname = "a"\nfigure = "b"\nvalues = [["x", "y", "z", 0x' + "f" * 5000 + "]]", "finite"),
        ('sinew_pose = 1\nname = "a"\nfigure = "b"\nvalues = [0x' + "f" * 5000 + "]", "finite"),
        ('{"sinew_pose": 1, "name": "", "figure": "b", "values": [["x", "y", "z", 1]]}', "some text"),
        ('{"sinew_pose": 1, "name": "a", "figure": "b", "values": [["x", "y", "z", 1], ["x", "y", "z", 2]]}', "once"),
        ("x" * 4_000_001, "at most"),
    ],
)
def test_nonsense_is_refused_by_name(text: str, told: str) -> None:
    with pytest.raises(EngineError, match=told):
        read_pose(text)


def test_a_pose_that_a_layer_would_not_show_is_refused() -> None:
    document = _scene({}, weight=0.5)
    with pytest.raises(EngineError, match="replaces the pose in full"):
        _put(document, values=(("elbow_left.flexion", 1.0),))
    with pytest.raises(EngineError, match="has no values for what is chosen"):
        _put(_scene({}), values=(("elbow_left.flexion", 1.0),), written=frozenset(("head",)))
    assert pose_edit(document, "one", 0, ()).apply(document) is document
