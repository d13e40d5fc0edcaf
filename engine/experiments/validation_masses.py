"""Segments of the skeleton beside those of men: masses, centres and radii of gyration after de Leva 1996.

P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, J. Biomech. 29 (1996), table 4, men:
mass as a share of the whole body's, the centre along the segment as a share of its length, and the radii of gyration
about the sagittal axis and about the segment's own, as shares of its length. Lengths go from joint centre to joint
centre, the hand's to the third knuckle, the foot's from heel to toe tip. His sagittal axis is that of a body with its
palms to the front: across the palm of ours, which faces the thigh.
"""

from __future__ import annotations

import math

import numpy as np

from engine.document import Figure
from engine.experiments.anatomy import anatomy, frames_in, mass_of, posed
from engine.experiments.result import Claim, Table
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class MeasuredSegment:
    """A segment: the bones with which it begins, its ends, and what de Leva has of it; the left one of two."""

    name: str
    bones: tuple[str, ...]
    begin: str
    end: str
    mass: float
    centre: float
    across: float  # radius of gyration about the sagittal axis
    along: float  # about its own
    faces: str = ""  # the bone whose third axis is the sagittal one; the body's, if none


_FINGERS = tuple(f"{finger}{tip}" for finger in ("index", "middle", "ring", "little") for tip in ("", "_tip"))
SEGMENTS = (
    MeasuredSegment(name="Upper arm", bones=("humerus",), begin="humerus", end="ulna",
                    mass=0.0271, centre=0.5772, across=0.285, along=0.158),
    MeasuredSegment(name="Forearm", bones=("ulna", "radius"), begin="ulna", end="hand",
                    mass=0.0162, centre=0.4574, across=0.276, along=0.121),
    MeasuredSegment(name="Hand", bones=("hand", "thumb", "thumb_tip", *_FINGERS), begin="hand", end="middle",
                    mass=0.0061, centre=0.7900, across=0.628, along=0.401, faces="hand"),
    MeasuredSegment(name="Thigh", bones=("femur", "patella"), begin="femur", end="tibia",
                    mass=0.1416, centre=0.4095, across=0.329, along=0.149),
    MeasuredSegment(name="Shank", bones=("tibia", "fibula"), begin="tibia", end="talus",
                    mass=0.0433, centre=0.4395, across=0.251, along=0.102),
)  # fmt: skip
FOOT, FOOT_MASS = ("talus", "calcaneus", "midfoot", "toes"), 0.0137
HEAD, HEAD_MASS = ("skull", "jaw", "hyoid", *(f"cervical{k}" for k in range(1, 8))), 0.0694


def compare_masses() -> tuple[Table, list[Claim]]:
    """Lay out masses, centres and radii of gyration, ours and de Leva's."""
    figure = anatomy().model.figure
    frames = frames_in(posed({}))
    whole, _, _ = mass_of(figure.joints, frames)
    rows: list[tuple[str, str, float, float]] = []
    for each in SEGMENTS:
        mass, centre, inertia = _sum(figure, frames, tuple(f"{bone}_left" for bone in each.bones))
        begin, end = (frames[figure.joint_index[f"{bone}_left"], 9:] for bone in (each.begin, each.end))
        way = end - begin
        length = float(np.linalg.norm(way))
        axis = way / length
        front = np.array([0.0, 0.0, 1.0])
        if each.faces:
            front = frames[figure.joint_index[f"{each.faces}_left"], :9].reshape(3, 3)[:, 2]
        side = front - (axis @ front) * axis
        side /= np.linalg.norm(side)
        rows += [
            (each.name, "mass, share of the body", mass / whole, each.mass),
            (each.name, "centre, share of the length", float((centre - begin) @ axis) / length, each.centre),
            (each.name, "gyration across", math.sqrt(float(side @ inertia @ side) / mass) / length, each.across),
            (each.name, "gyration along", math.sqrt(float(axis @ inertia @ axis) / mass) / length, each.along),
        ]
    for name, bones, share in (("Foot", tuple(f"{each}_left" for each in FOOT), FOOT_MASS), ("Head", HEAD, HEAD_MASS)):
        rows.append((name, "mass, share of the body", _sum(figure, frames, bones)[0] / whole, share))
    table = Table(name="segments", columns=("segment", "quantity", "ours", "de_leva"), rows=tuple(rows))
    return table, _claims(rows, whole)


def _sum(figure: Figure, frames: Array, bones: tuple[str, ...]) -> tuple[float, Array, Array]:
    places = [figure.joint_index[bone] for bone in bones]
    return mass_of([figure.joints[place] for place in places], frames[places])


def _claims(rows: list[tuple[str, str, float, float]], whole: float) -> list[Claim]:
    masses = [row for row in rows if row[1].startswith("mass")]
    centres = [row for row in rows if row[1].startswith("centre")]
    radii = [row for row in rows if row[1].startswith("gyration")]
    off = max(masses, key=lambda row: abs(row[2] / row[3] - 1.0))
    apart = max(centres, key=lambda row: abs(row[2] - row[3]))
    wide = max(radii, key=lambda row: abs(row[2] - row[3]))
    return [
        Claim(
            source="de Leva 1996: masses of segments, as shares of the body's, within 5%",
            ours=f"of {whole:.1f} kg; farthest apart: {off[0].lower()}, {off[2]:.2%} against {off[3]:.2%}",
            agrees=all(abs(row[2] / row[3] - 1.0) <= 0.05 for row in masses),
        ),
        Claim(
            source="their centres, within 5% of the segment's length",
            ours=f"farthest apart: {apart[0].lower()}, {apart[2]:.3f} against {apart[3]:.3f}",
            agrees=all(abs(row[2] - row[3]) <= 0.05 for row in centres),
        ),
        Claim(
            source="their radii of gyration, within 5% of the segment's length",
            ours=f"farthest apart: {wide[0].lower()}, {wide[1]}, {wide[2]:.3f} against {wide[3]:.3f}",
            agrees=all(abs(row[2] - row[3]) <= 0.05 for row in radii),
        ),
    ]
