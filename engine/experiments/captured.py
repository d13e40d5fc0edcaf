"""Captured motions on the skeleton of the captured jumps, with the boxes that its ASF file gives each bone.

That file is where Engell-Norregard 2012 says that boxes come from (section 13). Where captures are not at hand, or
another motion is chosen, the human figure takes the skeleton's place, as in the other experiments.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Figure, Handle
from engine.experiments.clips import Clips, captures, clips_of
from engine.experiments.following import ELBOW
from engine.experiments.reference import ACTOR, ReferenceMotion, load_reference, place_spots, turning_freely
from engine.experiments.result import Settings
from engine.ik.goals import Spot
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

RATE = 20  # frames a second
_FOLLOWED = ("jumps", "walk")
_LED = ("lhand", "rhand", "lfoot", "rfoot", "head", "root")
_ELBOW, _SHOULDER = "rradius", "rhumerus"


@dataclass(frozen=True, eq=False)
class Captured:
    """One figure, what it is led along, and all that is known of how it moves."""

    references: dict[str, ReferenceMotion]  # by what a person calls the motion
    clips: dict[str, Array]  # by the same names, and others that nobody follows
    elbow: str
    shoulder: str

    @property
    def figure(self) -> Figure:
        """The figure, with the boxes that it came with."""
        return next(iter(self.references.values())).figure


def load_captured(settings: Settings) -> Captured:
    """The jumps and the walk, or what takes their place."""
    paths = captures()
    jumps = paths[0].parents[1] / "asfamc" / f"{paths[0].stem}.amc" if paths else None
    if settings.data is not None or jumps is None or not jumps.exists():
        reference = load_reference(settings)
        return Captured({"motion": reference}, {"motion": reference.poses}, ELBOW, "shoulder_right")
    clips = clips_of((jumps, *paths[1:]))
    handles = tuple(Handle(id=joint, name=joint, joint=joint) for joint in _LED)
    figure = replace(turning_freely(clips.figure), handles=handles)
    poses = {name.rsplit("_", 1)[-1]: _thinned(clips, name, settings) for name in clips.poses}
    references = {name: _reference(name, figure, poses[name]) for name in _FOLLOWED if name in poses}
    return Captured(references, poses, _ELBOW, _SHOULDER)


def _thinned(clips: Clips, name: str, settings: Settings) -> Array:
    """Thin a clip to so many frames a second, from a moment that the seed draws."""
    stride = max(1, round(clips.rates[name] / RATE))
    return np.ascontiguousarray(clips.poses[name][settings.seed % stride :: stride][: 30 if settings.quick else None])


def _reference(name: str, figure: Figure, poses: Array) -> ReferenceMotion:
    spots = [Spot(actor=ACTOR, joint=each.joint) for each in figure.handles]
    return ReferenceMotion(
        name=f"captured {name} on their own skeleton, boxes of its ASF file",
        figure=figure,
        poses=poses,
        rate=RATE,
        targets=place_spots(figure, poses, spots),
        misfit=0.0,
    )
