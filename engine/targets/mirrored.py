"""Targets seen in a mirror: where left and right of a motion are exchanged in a range, the goals there are mirrored,
too.

With S = diag(-1, 1, 1) of the figure's own frame, across whose plane x = 0 a motion is mirrored, and M that takes the
frame of a joint to its partner's (`engine.motion.mirror_map`), a target of the joint is one of its partner, with

    point p -> M p,   place x -> S x,   velocity v -> S v,   turn R -> S R M',   angular velocity w -> -S w,

the last because S R(a, n) S = R(-a, S n): a mirror turns what turns the other way round. Numbers of the world are taken
into the figure's frame and back. Numbers of poses are mirrored as those of a layer are. Of rates and null-space edits
those of joints whose angles have to be solved have no mirror image and are left out; a null-space edit of these alone
stays as it is.

A target that stands for many stays, and one of a point of another actor, which is not mirrored; so do the targets of an
actor that hangs on another, whose world is its holder's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.document import Actor, Layer, Target
from engine.document.correction import Amplitudes
from engine.document.frames import Frame
from engine.document.mirrored import mirrored_spin, mirrored_turn, mirrored_vector
from engine.document.values import Quaternion, vector3
from engine.maths.arrays import Array
from engine.maths.quaternions import inverse, product, turned, unit

if TYPE_CHECKING:
    from engine.motion.mirror_map import Mirror


def mirror_targets(owner: Actor, start: int, end: int) -> Actor:
    """Mirror the targets of an actor from one tick on to before another."""
    secondary = owner.secondary
    if secondary is None or owner.attachments:
        return owner
    own = (each for each in secondary.targets if each.source == "own" and each.carried is None)
    inside = [each for each in own if start <= each.time < end]
    if not inside:
        return owner
    image = {each.id: each for each in _mirrored(owner, inside)}
    targets = tuple(image.get(each.id, each) for each in secondary.targets)
    return replace(owner, secondary=replace(secondary, targets=targets))


def _mirrored(owner: Actor, targets: Iterable[Target]) -> Iterable[Target]:
    from engine.motion.mirror_map import compile_mirror

    mirror = compile_mirror(owner.figure)
    for target in targets:
        if target.joint is None:
            yield _pose(mirror, target)
        else:
            yield _body(mirror, target, target.joint, Frame(owner.placement.position, owner.placement.rotation))


def _body(mirror: Mirror, target: Target, joint: str, home: Frame) -> Target:
    """home: where the figure's own frame stands."""
    there, place, speed, turn = mirror.reflections[joint], target.position, target.speed, target.rotation
    if place is not None:
        place = home.at(mirrored_vector(home.seeing(Frame(place)).position))
    if turn is not None:
        turn = home.holding(Frame(rotation=_turned(there, home.seeing(Frame(rotation=turn)).rotation))).rotation
    if speed is not None:
        inside = turned(inverse(home.rotation), speed)
        inside = mirrored_spin(inside) if target.kind == "turn" else mirrored_vector(inside)
        speed = turned(home.rotation, inside)
    return replace(
        target,
        joint=mirror.figure.joint(joint).mirror or joint,
        point=vector3("the point of a target", (0.0 + there @ target.point).tolist()),
        position=place,
        rotation=turn,
        speed=speed,
    )


def _turned(there: Array, turn: Quaternion) -> Quaternion:
    """S R M' as S R S, turned by the rotation S M' before."""
    from engine.maths.rotations import matrix_to_quaternion

    between = np.empty(4)
    matrix_to_quaternion(np.diag((-1.0, 1.0, 1.0)) @ there.T, between)
    w, x, y, z = between.tolist()
    return unit(product(mirrored_turn(turn), (w, x, y, z)))


def _pose(mirror: Mirror, target: Target) -> Target:
    from engine.motion.mirror import mirror_layer

    figure, order = mirror.figure, mirror.figure.joint_index
    joints, values = target.joints, target.values
    if joints is not None:
        joints = tuple(sorted((figure.joint(each).mirror or each for each in joints), key=lambda each: order[each]))
    if values is not None:
        values = mirror_layer(figure, Layer(id="pose", values=values)).values
    rates, change = (_signed(mirror, each) for each in (target.rates, target.change))
    if target.kind == "wish" and change is None:
        return target
    return replace(target, joints=joints, values=values, rates=rates, change=change)


def _signed(mirror: Mirror, given: Amplitudes | None) -> Amplitudes | None:
    """The rates of the partners; None where none has a mirror image."""
    image = {each.source: (name, each.sign) for name, each in mirror.copied.items()}
    made = [(image[name][0], 0.0 + image[name][1] * number) for name, number in given or () if name in image]
    return tuple(sorted(made, key=lambda item: mirror.figure.rate_index[item[0]])) or None
