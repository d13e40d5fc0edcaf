"""Fields of captured motion: what they hold of motion that they were not made of."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.experiments.clips import Clips, clips_of
from engine.limits.field import compile_fields
from engine.maths.arrays import Array
from tests.engine.limits.captures import JUMPS, WALK, balls, some
from tests.engine.limits.regions import limit_of, sampled, turning, values_at
from tests.engine.shared_data import shared

FINGERS = ("Finger", "Thumb", "Hand")
SKELETON = (
    ("bvh", f"{JUMPS}.bvh"),
    ("bvh", f"{WALK}.bvh"),
    ("bvh", "cmu_jumping_jacks_30fps.bvh"),
    ("asfamc", "cmu_lambada.amc"),
    ("asfamc", "cmu_charleston1.amc"),
)


def held(clips: list[dict[str, Array]], left_out: dict[str, Array]) -> dict[str, float]:
    """For each joint the share of what was left out that a field of the clips holds at a margin of 0.2."""
    axes = {ball.joint: ball.axes for ball in balls(WALK)}
    limits = [
        limit_of(
            sampled(np.concatenate([clip[joint] for clip in clips]), clips=tuple(len(clip[joint]) for clip in clips)),
            turning(32),
            name=joint,
        )
        for joint in left_out
    ]
    fields = compile_fields(limits, [axes[joint] for joint in left_out])
    return {
        joint: float((values_at(field, angles) <= 0.0).mean())
        for (joint, angles), field in zip(left_out.items(), fields, strict=True)
    }


def take(clip: str, *, body: bool = True) -> dict[str, Array]:
    """The joints that both takes have, without those of hands where only the body is meant."""
    named = {ball.joint for ball in balls(JUMPS)} & {ball.joint for ball in balls(WALK)}
    return {
        ball.joint: ball.angles
        for ball in balls(clip)
        if ball.joint in named and not (body and any(word in ball.joint for word in FINGERS))
    }


def test_a_clip_s_own_poses_are_all_held() -> None:
    jumps = take(JUMPS, body=False)
    assert min(held([jumps], jumps).values()) == 1.0


@pytest.mark.parametrize("third", [0, 1, 2])
def test_a_third_of_a_walk_is_held_by_the_rest_of_it_and_jumps(third: int) -> None:
    walk = take(WALK, body=False)
    parts = [{joint: np.array_split(angles, 3)[each] for joint, angles in walk.items()} for each in range(3)]
    rest = [part for each, part in enumerate(parts) if each != third]
    shares = held([take(JUMPS, body=False), *rest], parts[third])
    assert np.mean(list(shares.values())) >= 0.95


def test_a_walk_that_was_not_seen_is_mostly_held_by_jumps() -> None:
    shares = held([take(JUMPS)], take(WALK))
    assert np.mean(list(shares.values())) >= 0.9
    assert min(shares, key=lambda joint: shares[joint]) == "LeftUpLeg"  # jumps do not reach as far back


def test_a_walk_is_held_by_all_other_clips_of_its_skeleton_and_more_of_it_with_their_mirror_images() -> None:
    clips = clips_of([shared("mocap", *each) for each in SKELETON])
    joints = [joint for joint in clips.balls() if joint.id in take(WALK)]

    def others(of: Clips) -> list[dict[str, Array]]:
        return [{joint.id: of.angles(joint, clip)[::4] for joint in joints} for clip in of.poses if clip != WALK]

    walk = {joint.id: clips.angles(joint, WALK) for joint in joints}
    shares = held(others(clips), walk)
    assert np.mean(list(shares.values())) >= 0.95
    assert min(shares, key=lambda joint: shares[joint]) == "LeftUpLeg"
    mirrored = held([*others(clips), *others(clips.mirrored())], walk)
    assert np.mean(list(mirrored.values())) >= np.mean(list(shares.values())) + 0.01


def test_a_motion_is_the_same_whether_bvh_or_asf_tells_it() -> None:
    walk, jumps = shared("mocap", *SKELETON[1]), shared("mocap", *SKELETON[0])
    told = clips_of((walk, jumps))
    other = clips_of((walk, shared("mocap", "asfamc", f"{JUMPS}.amc")))
    hinges = [each for each, dof in enumerate(told.figure.dofs) if dof.kind == "hinge"][3:]
    apart = told.poses[JUMPS][1:, hinges] - other.poses[JUMPS][:, hinges]  # the BVH begins with a frame of rest
    assert np.abs(np.remainder(apart + math.pi, math.tau) - math.pi).max() < 1e-3


def test_adaptive_samples_of_captures_have_no_gaps() -> None:
    for ball in balls(JUMPS)[:8]:
        limit = limit_of(sampled(some(ball.angles, 200)), turning(32))
        field = compile_fields([limit], [ball.axes])[0]
        assert values_at(field, ball.angles).max() < 0.3
