"""Stages of keeping locks: each moves more joints than the one before it, and comes where that fell short.

First the limb of each locked part, up to the nearest branch; then on from branch to branch: the spine with the arms;
then the slides of the root, and last its turns. So what a person sets above a limb, a pelvis that is tilted or a spine
that is bent, stays as it was set while the limbs can follow. Joints that a lock names move for it in every stage, a
root among them in its turn. A centre of mass is led by the level slides of the root from the first, then by all joints,
before the root rises: legs bend and the trunk leans over the feet.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.document import Figure, Lock
from engine.maths.quaternions import turned

Movable = frozenset[str]  # ids of degrees of freedom

_LEVEL = 0.1  # of a slide's way: how much of it may lead up


def stages_of(figure: Figure, held: Sequence[tuple[Lock, str]], fixed: frozenset[str]) -> tuple[Movable, ...]:
    """The stages of one figure. `held`: locks that move it, each with the joint that it holds or holds on to; `fixed`:
    joints that may not move."""
    limbs = [_climb(figure, joint) for lock, joint in held if lock.joints is None and not lock.of_mass]
    named = {joint for lock, _ in held for joint in lock.joints or ()}
    of_mass = [lock for lock, _ in held if lock.of_mass]
    whole = named.union(*(limb[-1] for limb in limbs))
    if any(lock.joints is None for lock in of_mass):
        whole.update(figure.joint_index)
    roots = {joint.id for joint in figure.joints if joint.parent is None and joint.id in whole - fixed}
    slides, turns = _of_roots(figure, roots)
    level = _level(figure, roots) if of_mass else frozenset()
    first = slides if figure.is_prop else level
    climbed = [
        named.union(*(limb[min(height, len(limb) - 1)] for limb in limbs)) - roots - fixed
        for height in range(max((len(limb) for limb in limbs), default=1))
    ]
    found = [_of_joints(figure, joints) | first for joints in climbed]
    if figure.is_prop:
        return (found[0] | turns,)
    below = _of_joints(figure, whole - roots - fixed if of_mass else climbed[-1])
    found += [below | first, below | slides, _of_joints(figure, whole - roots - fixed) | slides | turns]
    return tuple(dict.fromkeys(filter(None, found))) or (frozenset(),)


def steady_of(figure: Figure, held: Sequence[tuple[Lock, str]]) -> Movable:
    """Find the joints that a stage that falls far short leaves near to where they should be: those between a limb and
    the root, and limbs on the root whose orientation is locked. Any other limb, stretched towards what is far away, may
    end in any turn about itself."""
    joints: set[str] = set()
    for lock, joint in held:
        if lock.joints is None and not lock.of_mass:
            limb, *above = _climb(figure, joint)
            if len(above) > 1:
                joints |= above[-2] - limb
            elif lock.axes:
                joints |= limb
    return _of_joints(figure, joints)


def _climb(figure: Figure, joint: str) -> list[set[str]]:
    """The joints from one up to, and without, each branch above it; at last with the root."""
    path, children = figure.above(joint), [each.parent for each in figure.joints]
    ends = [place for place in range(1, len(path)) if children.count(path[place]) > 1 or place == len(path) - 1]
    return [set(path[:end]) for end in (*ends, len(path))]


def _of_joints(figure: Figure, joints: set[str]) -> Movable:
    return frozenset(dof.id for joint in figure.joints if joint.id in joints for dof in joint.dofs)


def _level(figure: Figure, roots: set[str]) -> Movable:
    """The slides of some roots that raise nothing."""
    found = [(dof, turned(joint.rest, dof.axis)) for joint in figure.joints if joint.id in roots for dof in joint.dofs]
    return frozenset(dof.id for dof, (_, up, _) in found if dof.kind == "slide" and abs(up) < _LEVEL)


def _of_roots(figure: Figure, roots: set[str]) -> tuple[Movable, Movable]:
    """Split the degrees of freedom of some roots into slides and turns."""
    dofs = [dof for joint in figure.joints if joint.id in roots for dof in joint.dofs]
    slides = frozenset(dof.id for dof in dofs if dof.kind == "slide")
    return slides, frozenset(dof.id for dof in dofs) - slides
