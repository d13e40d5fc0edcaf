"""Clips of one skeleton, and what its joints of three hinges went through in them.

The CMU captures are of one skeleton with other lengths, in files that tell its angles otherwise: BVH in two orders of
axes, ASF about each bone's own. They are carried over to the first one's hinges, rotation for rotation; of the two
triples of angles that a rotation has, each clip keeps to those nearest to the clips before it. Another motion may take
the place of the jumps. Where captures are not at hand, the motions that ship with Sinew take their place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from engine.commands.bring_in import read_contents
from engine.document import Figure, Joint, Layer
from engine.document.motion import TICKS_PER_SECOND
from engine.experiments.reference import find_capture
from engine.experiments.result import Settings
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.maths.arrays import Array
from engine.motion.mirror import mirror_rows
from engine.motion.mirror_frames import zero_rotations
from engine.motion.mirror_map import joint_coordinates, joint_motion
from engine.motion.motion import compile_motion
from engine.motion.sides import pair_sides
from engine.motion.unwrap import flip_offset, unwrap_values
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

WALK = "cmu_12_01_walk.bvh"
_OTHERS = (WALK, "cmu_jumping_jacks_30fps.bvh", "cmu_lambada.amc", "cmu_charleston1.amc")
_FOLDERS = {".bvh": "bvh", ".amc": "asfamc"}
HANDS = ("Finger", "Thumb", "Hand", "wrist", "thumb")  # in the names of their joints
_EVERY = 8  # frames, of which one is looked at
_SHIPPED, _RATE = ("jump", "walk", "wave"), 240  # frames a second of motions that are keys


@dataclass(frozen=True, eq=False)
class Clips:
    """Motions of one figure."""

    figure: Figure
    poses: dict[str, Array]  # by the name of the clip, shape [frame_count, coordinate_count]
    rates: dict[str, float]  # frames a second
    captured: bool

    @property
    def note(self) -> str:
        """Names and lengths of the clips, for a person."""
        listed = ", ".join(f"{name} ({len(poses)} frames)" for name, poses in self.poses.items())
        return f"clips of one skeleton: {listed}" if self.captured else f"captures are not here; Sinew's own: {listed}"

    def balls(self, most: int | None = None, *, resting: bool = False) -> list[Joint]:
        """The joints of three hinges that move in some clip (or rest), but for the root; so many of them at most."""
        moving = np.concatenate(list(self.poses.values())).std(axis=0) > (-1.0 if resting else 1e-6)
        found = [
            joint
            for joint in self.figure.joints[1:]
            if len(joint.dofs) == 3
            and all(dof.kind == "hinge" for dof in joint.dofs)
            and any(moving[self.figure.coordinate_index[dof.id]] for dof in joint.dofs)
        ]
        return found[:most]

    def mirrored(self) -> Clips:
        """Return the clips mirrored: the other side's motion on this one."""
        return replace(self, poses={name: mirror_rows(self.figure, poses) for name, poses in self.poses.items()})

    def angles(self, joint: Joint, clip: str) -> Array:
        """Return the angles of its hinges in a clip, within half a turn [rad], shape [frame_count, 3]."""
        places = [self.figure.coordinate_index[dof.id] for dof in joint.dofs]
        rows = self.poses[clip][:, places]
        return np.ascontiguousarray(np.remainder(rows + math.pi, math.tau) - math.pi)


def load_clips(settings: Settings) -> Clips:
    """The clips that are at hand."""
    path = find_capture(settings.data)
    if path is not None:
        return clips_of(tuple(dict.fromkeys((path, *captures()))))
    human = load_figure("human")
    poses = {name: _sampled(human, load_motion(name).layers) for name in _SHIPPED}
    return Clips(human, poses, dict.fromkeys(poses, float(_RATE)), captured=False)


def clips_of(paths: Sequence[Path]) -> Clips:
    """Captures of the skeleton of the first, as its hinges have them."""
    figure: Figure | None = None
    poses, rates = dict[str, Array](), dict[str, float]()
    for each in paths:
        contents = read_contents(each)
        samples = contents.layers[0].samples if contents.layers else None
        if contents.figure is None or samples is None:
            raise InvalidArguments(what="--data", value=str(each), allowed="a captured motion with its figure")
        figure = figure or pair_sides(contents.figure)
        if _tree(contents.figure) == _tree(figure):
            times = np.array([samples.time(frame) for frame in range(1, samples.frame_count)], dtype=float)
            rows = compile_motion(contents.figure, contents.layers).at(times)[:, 0]
            poses[each.stem] = _told_alike(figure, _carried(contents.figure, rows, figure), list(poses.values()))
            rates[each.stem] = TICKS_PER_SECOND / (times[1] - times[0])
    assert figure is not None
    return Clips(figure, poses, rates, captured=True)


def captures() -> list[Path]:
    """The captured jumps and the other captures of their skeleton, where they are."""
    jumps = find_capture(None)
    if jumps is None:
        return []
    folder = jumps.parents[1]
    others = (folder / _FOLDERS[Path(name).suffix] / name for name in _OTHERS)
    return [jumps, *(path for path in others if path.exists())]


def _tree(figure: Figure) -> list[int | None]:
    """List the parent of each joint, which makes two skeletons one, whatever they are called."""
    return [None if joint.parent is None else figure.joint_index[joint.parent] for joint in figure.joints]


def _carried(source: Figure, poses: Array, target: Figure) -> Array:
    """Carry the rotations of poses, about the directions of the world at zero, by another figure's coordinates."""
    here, there = zero_rotations(source), zero_rotations(target)
    found = np.zeros((len(poses), len(target.coordinates)))
    for joint, other in zip(source.joints, target.joints, strict=True):
        places = [source.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
        rotations, moves = joint_motion(joint, poses[:, places])
        turned = there[other.id].T @ here[joint.id]
        columns = [target.coordinate_index[name] for dof in other.dofs for name in dof.coordinates]
        found[:, columns] = joint_coordinates(other, turned @ rotations @ turned.T, moves, None)
    return found


def _told_alike(figure: Figure, poses: Array, others: list[Array]) -> Array:
    """Continuous, and of the two ways to be so the one nearer to other clips, or to rest; whole turns taken off."""
    known = np.concatenate(others)[::_EVERY] if others else np.zeros((1, poses.shape[1]))
    other = poses.copy()
    triples = {
        joint.id: ([figure.coordinate_index[dof.id] for dof in joint.dofs], offset)
        for joint in figure.joints
        if (offset := flip_offset(joint.dofs)) is not None
    }
    for columns, offset in triples.values():
        first, middle, last = poses[:, columns].T
        other[:, columns] = np.stack((first + math.pi, offset - middle, last + math.pi), axis=1)
    found, other = (unwrap_values(figure, figure.coordinates, each) for each in (poses, other))
    for columns, _ in triples.values():
        ways = [
            each[:, columns] - math.tau * np.rint(each[:, columns].mean(axis=0) / math.tau) for each in (found, other)
        ]
        near = cKDTree(known[:, columns])
        apart = [float(near.query(way[::_EVERY])[0].mean()) for way in ways]
        found[:, columns] = ways[int(np.argmin(apart))]
    return found


def _sampled(figure: Figure, layers: Sequence[Layer]) -> Array:
    """Sample the motion from the first key to the last."""
    times = [key.time for layer in layers for track in layer.tracks for key in track.keys]
    steps = np.arange(min(times), max(times), TICKS_PER_SECOND / _RATE)
    return compile_motion(figure, tuple(layers)).at(steps)[:, 0]
