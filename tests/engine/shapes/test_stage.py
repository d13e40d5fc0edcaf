"""Surfaces as they are seen: keys alone, windows, targets that are met, frames alone, what an edit touches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document, Span
from engine.document.motion import Draft
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.motion.changed import changes
from engine.runtime.progress import finish
from engine.shapes.changes import ShapesChanges
from engine.shapes.commands.bake_shapes import BakeShapes
from engine.shapes.parts import BlendShapes, ShapeTarget
from engine.shapes.stage import ShapedActor, ShapesStage
from tests.engine.shapes.surfaces import FRAME, a_shape, a_surface, ball_actor, keyed, swinging

TILT = (0.9689124217106447, 0.0, 0.0, 0.2474039592545229)  # half a radian about z


def seen_of(document: Document, evaluator: Evaluator | None = None) -> ShapedActor:
    """The ball, its targets met."""
    stage = (evaluator or Evaluator()).stage("shapes")
    assert isinstance(stage, ShapesStage)
    return stage.of(document, "ball")


def drawn(document: Document, frame: float, evaluator: Evaluator | None = None) -> Array:
    """The vertices of the picture."""
    (skin,) = (evaluator or Evaluator()).snapshot(document, round(frame * FRAME)).skins
    assert np.isfinite(skin.positions).all()
    return skin.positions.astype(np.float64)


def smile(**given: object) -> ShapeTarget:
    """The full smile at frame 9."""
    usual = {"pose": "given", "weights": (("smile", 1.0),), "before": 10 * FRAME, "after": 10 * FRAME}
    return ShapeTarget(id="smile_now", name="Smile", time=9 * FRAME, **(usual | given))  # type: ignore[arg-type]


def tilt(**given: object) -> ShapeTarget:
    """The head tilted at frame 15."""
    usual = {"place": "given", "position": (0.1, 0.02, 0.0), "rotation": TILT, "before": 9 * FRAME, "after": 9 * FRAME}
    return ShapeTarget(id="tilt", name="Tilt", time=15 * FRAME, **(usual | given))  # type: ignore[arg-type]


def test_without_secondary_motion_a_surface_is_base_and_weighted_shapes_in_its_joint() -> None:
    surface = a_surface(a_shape("smile", track=keyed((0, 0.0), (10, 1.0))), a_shape("brow", at=40, weight=0.5))
    document = Document(actors=(ball_actor("ball", surface, move_x=((0.0, 0.0), (10.0, 1.0))),))
    smile_, brow = surface.shapes
    expected = surface.positions.array.astype(np.float64)
    expected[smile_.vertices.array] += smile_.offsets.array
    expected[brow.vertices.array] += 0.5 * brow.offsets.array
    assert np.abs(drawn(document, 10) - expected - (1.0, 0.0, 0.0)).max() < 1e-6
    muted = edit("set_blend_shape", actor="ball", shape="smile", mute=True).apply(document)
    assert np.abs(drawn(muted, 10) - drawn(document, 10)).max() > 0.02


def test_a_frame_alone_has_the_bytes_that_it_has_in_sequence() -> None:
    document, evaluator = swinging(smile(), tilt(), rigidity=4.0, clusters=3), Evaluator()
    sequence = {frame: drawn(document, frame, evaluator).tobytes() for frame in range(0, 24, 2)}
    for frame in (18, 4, 10):
        assert drawn(document, frame).tobytes() == sequence[frame]
    assert drawn(document, 4, evaluator).tobytes() == sequence[4]


def test_after_an_edit_and_back_the_bytes_are_the_same_again() -> None:
    document, evaluator = swinging(smile(), rigidity=4.0), Evaluator()
    before = drawn(document, 9, evaluator).tobytes()
    moved = edit("set_shape_keys", actor="ball", shape="smile", keys=keyed((5, 0.9)).keys).apply(document)
    drawn(moved, 12, evaluator)
    assert drawn(moved, 9, evaluator).tobytes() == drawn(moved, 9).tobytes()
    assert drawn(document, 9, evaluator).tobytes() == before


def test_the_surface_lags_behind_the_keys_of_its_joint() -> None:
    seen = seen_of(swinging())
    away = seen.vertices(3 * FRAME) - seen.keyed_vertices(3 * FRAME)
    assert 0.002 < -away[:, 0].min() < 0.2
    still = seen_of(swinging(move_x=((0.0, 0.1),)))
    assert np.abs(still.vertices(-30 * FRAME) - still.keyed_vertices(-30 * FRAME)).max() < 1e-12


@pytest.mark.parametrize("points", [30, 72])
def test_targets_of_linear_parts_are_met_in_one_iteration(points: int) -> None:
    for velocity in ("free", "keyed", "still"):
        seen = seen_of(swinging(smile(velocity=velocity), tilt(), points=points))
        assert [each.iterations for each in seen.misses] == [1, 1]
        assert max(each.distance for each in seen.misses) < 1e-12
        assert seen.misses[0].speed is None or seen.misses[0].speed < 1e-10


@pytest.mark.parametrize(("rigidity", "clusters"), [(3.0, 1), (9.0, 4), (18.0, 2)])
def test_targets_are_met_where_clusters_keep_their_shape(rigidity: float, clusters: int) -> None:
    seen = seen_of(swinging(smile(velocity="still"), tilt(), rigidity=rigidity, clusters=clusters))
    assert max(each.distance for each in seen.misses) < 1e-9
    assert max(each.iterations for each in seen.misses) <= 12
    assert not any(each.note for each in seen.misses)


def test_the_picture_at_a_targets_time_is_what_it_asks_for() -> None:
    document = swinging(smile(), tilt(), rigidity=5.0, clusters=2)
    seen = seen_of(document)
    wanted = seen.model.local(np.array([1.0, 0.3])) + seen.keyed.frames(np.array([9.0 * FRAME]))[0, :, 3]
    assert np.abs(seen.vertices(9 * FRAME) - wanted).max() < 1e-9
    c, s = np.cos(0.5), np.sin(0.5)
    turn = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    local = seen.model.local(seen.keyed.weights(np.array([15.0 * FRAME]))[0])
    assert np.abs(seen.vertices(15 * FRAME) - (local @ turn.T + (0.1, 0.02, 0.0))).max() < 1e-9
    away = np.abs(seen.vertices(40 * FRAME) - seen_of(swinging(rigidity=5.0, clusters=2)).vertices(40 * FRAME))
    assert away.max() == 0.0, "beyond its curve nothing is corrected"


def test_the_velocity_that_is_asked_for_is_that_of_what_is_seen() -> None:
    seen = seen_of(swinging(smile(velocity="still"), rigidity=3.0))
    step = seen.model.step
    before, after = seen.vertices(9 * FRAME - step), seen.vertices(9 * FRAME + step)
    assert np.abs(after - before).max() / (2.0 * seen.model.dt) < 1e-7


def test_what_cannot_be_met_is_the_nearest_and_says_so() -> None:
    near = [smile(), replace(smile(weights=(("smile", 0.2),)), id="other", time=9 * FRAME + 1)]
    seen = seen_of(swinging(*near))
    assert any(each.distance > 1e-3 and "is not met" in each.note for each in seen.misses)
    loose = swinging(smile(before=FRAME, after=FRAME))
    short = seen_of(edit("set_shape_motion", actor="ball", tension=0.2, ratio=0.0).apply(loose))
    assert "ease it in for longer" in short.misses[0].note


def test_a_target_that_is_off_or_without_secondary_motion_changes_nothing() -> None:
    bare = swinging()
    muted = swinging(smile(mute=True))
    assert drawn(bare, 9).tobytes() == drawn(muted, 9).tobytes()
    off = edit("set_shape_motion", actor="ball", on=False).apply(swinging(smile()))
    assert seen_of(off).misses == ()
    assert np.abs(drawn(off, 9) - seen_of(off).keyed_vertices(9 * FRAME)).max() < 1e-6


def test_at_a_draft_what_is_tried_out_is_shown() -> None:
    document = swinging(rigidity=3.0)
    actor = document.actor("ball")
    layer = replace(actor.layers[0], drafts=(Draft(time=5 * FRAME, values=(("body.move_x", 0.7),)),))
    drafted = document.with_actor(replace(actor, layers=(layer,)))
    assert drawn(drafted, 5)[:, 0].mean() == pytest.approx(0.7, abs=0.01)
    assert drawn(drafted, 6).tobytes() == drawn(document, 6).tobytes()


@pytest.mark.parametrize("targets", [(), (smile(),)])
def test_an_edit_touches_no_other_times_than_it_says(targets: tuple[ShapeTarget, ...]) -> None:
    document = swinging(*targets, rigidity=3.0)
    later = edit("set_shape_keys", actor="ball", shape="smile", keys=keyed((30, 0.6), (40, 0.6)).keys).apply(document)
    rule = next(each for each in changes() if isinstance(each, ShapesChanges))
    found = rule.drawn(document.actor("ball"), later.actor("ball"))
    assert found
    evaluator, other = Evaluator(), Evaluator()
    for frame in range(-4, 60, 3):
        touched = any(start <= frame * FRAME <= end for start, end in found)
        if not touched:
            assert drawn(document, frame, evaluator).tobytes() == drawn(later, frame, other).tobytes(), frame
    assert any(not any(start <= frame * FRAME <= end for start, end in found) for frame in (0, 90))


def test_what_moves_the_joint_is_felt_for_the_window_and_through_targets() -> None:
    document = swinging(smile())
    rule = next(each for each in changes() if isinstance(each, ShapesChanges))
    group = document.groups[0]
    surface = document.actor("ball").part(BlendShapes)
    assert surface is not None
    late = rule.widened(document, group, group[0], [(50 * FRAME, 50 * FRAME)])
    assert late[0][0] > 40 * FRAME
    assert late[0][1] >= 50 * FRAME + surface.motion.window
    early = rule.widened(document, group, group[0], [(6 * FRAME, 6 * FRAME)])
    assert early[0][0] <= smile().bell.start


def test_a_bake_has_keys_that_come_near_to_what_is_seen() -> None:
    loose = replace(swinging(rigidity=0.0), play=Span(start=0, end=30 * FRAME))
    made = finish(BakeShapes(actor="ball").work_through(Evaluator(), loose))
    baked = made.apply(loose)
    surface = baked.actor("ball").part(BlendShapes)
    assert surface is not None
    assert not surface.motion.on
    assert max(len(each.track.keys) for each in surface.shapes if each.track is not None) < 31, "few of them"
    tight = edit("set_shape_motion", actor="ball", on=False).apply(loose)
    off, apart = [], []
    for frame in range(0, 31, 3):
        seen, kept, plain = (_shape(drawn(each, frame)) for each in (loose, baked, tight))
        off.append(np.abs(kept - seen).max())
        apart.append(np.abs(plain - seen).max())
    assert max(off) < 0.5 * max(apart)
    assert max(off) < 2e-3


def _shape(points: Array) -> Array:
    """The vertices about their middle, which a joint moves."""
    return np.asarray(points - points.mean(axis=0))
