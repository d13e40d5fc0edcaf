"""Drafts: shown at exactly their tick, kept through all else, keyed or thrown away; and which edit keeps a pose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Document, Key, Layer, Span, SpeedRange, Track, validate
from engine.document.drafts import draft_times, without_drafts
from engine.edits import edit
from engine.edits.poses import pose_edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.motion.changed import changed_span
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import SECOND, walker

PLACE: dict[str, Any] = {"actor": "walker", "layer": "walk"}
KEYS = (Key(0, 0.0), Key(SECOND, 1.0), Key(2 * SECOND, 0.5))
HALF = SECOND // 2


def _scene(**changed: Any) -> Document:
    order = walker().coordinate_index
    tracks = tuple(Track(coordinate=name, keys=KEYS) for name in sorted(("knee", "x"), key=order.__getitem__))
    layer = Layer(id="walk", tracks=tracks, **changed)
    return Document(actors=(Actor(id="walker", name="Walker", figure=walker(), layers=(Layer(id="pose"), layer)),))


def _do(document: Document, name: str, /, **arguments: Any) -> Document:
    changed = edit(name, **PLACE, **arguments).apply(document)
    validate(changed)
    return changed


def _drafted(document: Document | None = None, time: int = HALF) -> Document:
    return _do(document or _scene(), "set_draft", time=time, values=(("knee", 0.3), ("hip.1", -0.2)))


def _values(document: Document, time: int) -> dict[str, float]:
    row = Evaluator().coordinates(document, "walker", [time])[0].tolist()
    return dict(zip(walker().coordinates, row, strict=True))


def test_a_draft_gives_its_values_at_exactly_its_tick_and_nothing_elsewhere() -> None:
    before, after = _scene(), _drafted()
    shown, keyed = _values(after, HALF), _values(before, HALF)
    assert (shown.pop("knee"), shown.pop("hip.1")) == (0.3, -0.2)
    assert shown == {name: value for name, value in keyed.items() if name in shown}
    for time in (0, HALF - 1, HALF + 1, SECOND):
        assert _values(after, time) == _values(before, time)
    assert changed_span(before, after) == (("walker", HALF, HALF),)
    assert without_drafts(after).digest == before.digest


def test_what_is_not_drafted_keeps_to_its_speed_curve() -> None:
    speed = SpeedRange(start=0, end=2 * SECOND, coordinates=("knee", "x"), keys=(Key(0, 0.0), Key(2 * SECOND, 1.0)))
    before = _scene(speed=(speed,))
    after = _drafted(before)
    assert _values(after, HALF)["x"] == _values(before, HALF)["x"]
    assert _values(after, HALF)["knee"] == 0.3


def test_a_picture_shows_the_draft_whatever_was_drawn_before() -> None:
    document, evaluator = _drafted(), Evaluator()
    alone = evaluator.snapshot(document, HALF).bodies[0]
    evaluator.snapshot(document, SECOND)
    evaluator.snapshot(_drafted(time=SECOND), SECOND)
    again = evaluator.snapshot(document, HALF).bodies[0]
    assert alone.pose is not None
    assert again.pose is not None
    assert alone.pose.tobytes() == again.pose.tobytes()
    assert alone.transforms.tobytes() == again.transforms.tobytes()
    assert alone.pose[walker().coordinate_index["knee"]] == 0.3


def test_keying_a_draft_sets_its_values_as_keys_and_undrafts_it() -> None:
    keyed = _do(_drafted(), "key_draft", time=HALF)
    assert draft_times(keyed) == ()
    assert _values(keyed, HALF)["knee"] == 0.3
    direct = _do(_scene(), "key_pose", time=HALF, values=(("hip.1", -0.2), ("knee", 0.3)))
    assert keyed.digest == direct.digest


def test_a_draft_that_is_thrown_away_leaves_no_trace() -> None:
    assert _do(_drafted(), "drop_draft", time=HALF).digest == _scene().digest


def test_a_key_that_is_set_takes_the_place_of_the_draft_there() -> None:
    document = _do(_drafted(), "set_key", coordinate="knee", time=HALF, value=0.9)
    assert _values(document, HALF)["knee"] == 0.9
    assert _values(document, HALF)["hip.1"] == -0.2
    elsewhere = _do(_drafted(), "set_key", coordinate="knee", time=SECOND, value=0.9)
    assert draft_times(elsewhere) == (HALF,)
    both = _do(_drafted(), "set_keys", keys=(("knee", Key(HALF, 0.1)), ("hip.1", Key(HALF, 0.1))))
    assert draft_times(both) == ()


def test_a_second_pose_at_the_same_tick_joins_the_draft() -> None:
    document = _do(_drafted(), "set_draft", time=HALF, values=(("knee", 0.4), ("x", 2.0)))
    shown = _values(document, HALF)
    assert (shown["knee"], shown["hip.1"], shown["x"]) == (0.4, -0.2, 2.0)
    assert draft_times(document) == (HALF,)


@pytest.mark.parametrize(
    ("name", "arguments", "times"),
    [
        ("insert_time", {"time": 0, "length": SECOND}, (HALF + SECOND,)),
        ("insert_time", {"time": SECOND, "length": SECOND}, (HALF,)),
        ("delete_time", {"start": -SECOND, "end": 0}, (HALF - SECOND,)),
        ("delete_time", {"start": 0, "end": SECOND}, ()),
        ("stretch_range", {"start": 0, "end": SECOND, "length": 3 * SECOND}, (3 * HALF,)),
        ("slide_range", {"start": 0, "end": SECOND, "ticks": SECOND}, (HALF + SECOND,)),
        ("cut_range", {"start": 0, "end": SECOND}, (HALF,)),
        ("reverse_range", {"start": 0, "end": 2 * SECOND}, (3 * HALF,)),
    ],
)
def test_drafts_go_with_their_time(name: str, arguments: dict[str, Any], times: tuple[int, ...]) -> None:
    assert draft_times(_do(_drafted(), name, **arguments)) == times


def test_drafts_stay_as_the_figure_is_hung_up_elsewhere() -> None:
    document, evaluator = _drafted(), Evaluator()
    before = evaluator.joint_transforms(document, "walker", HALF)
    joint = walker().joints[-1].id
    turned = edit("reroot_figure", actor="walker", joint=joint, layer="path").apply(document)
    validate(turned)
    index = turned.actors[0].figure.joint_index
    after = evaluator.joint_transforms(turned, "walker", HALF)
    for place, each in enumerate(walker().joints):
        if each.id in index and each.id == joint:
            assert np.abs(after[index[each.id]] - before[place]).max() < 1e-9
    assert HALF in draft_times(turned)


def test_drafts_are_saved_and_read_back(tmp_path: Any) -> None:
    document = _drafted()
    sinew.write(tmp_path / "draft.sinew", document)
    assert sinew.read(tmp_path / "draft.sinew").digest == document.digest


def test_a_pose_is_kept_as_the_layer_and_the_choice_ask_for() -> None:
    keyed, values = _scene(), (("knee", 0.3),)
    still = replace(keyed, actors=(replace(keyed.actors[0], layers=(Layer(id="pose"),)),))
    bare = replace(keyed, actors=(replace(keyed.actors[0], layers=()),))
    assert pose_edit(keyed, "walker", HALF, values).name == "key_pose"
    assert pose_edit(keyed, "walker", HALF, values, auto_key=False).name == "set_draft"
    assert pose_edit(still, "walker", HALF, values, auto_key=False).name == "set_pose"
    left = _do(_drafted(), "clear_tracks")
    assert pose_edit(left, "walker", HALF, values).name == "set_draft"
    with pytest.raises(EngineError, match="Layers panel"):
        pose_edit(bare, "walker", HALF, values)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("set_draft", {"time": HALF, "values": (("wing", 0.0),)}, "wing"),
        ("set_draft", {"time": 0.5, "values": (("knee", 0.0),)}, "0.5"),
        ("set_draft", {"time": HALF, "values": (("knee", float("nan")),)}, "nan"),
        ("key_draft", {"time": 3}, "no draft"),
        ("drop_draft", {"time": 3}, "no draft"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(name: str, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(EngineError, match=told):
        _do(_scene(), name, **arguments)


def test_values_stop_at_limits_and_a_span_still_counts() -> None:
    limited = edit("set_limits", actor="walker", dof="knee", lower=0.0, upper=2.5).apply(_scene())
    document = _do(limited, "set_draft", time=HALF, values=(("knee", 9.0),))
    assert document.actors[0].layers[1].drafts[0].values == (("knee", 2.5),)
    spanned = _drafted(_scene(span=Span(start=SECOND, end=2 * SECOND)))
    assert _values(spanned, HALF)["knee"] == 0.0
