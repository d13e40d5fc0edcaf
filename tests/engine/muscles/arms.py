"""An arm with three muscles of every kind of path, for tests."""

from __future__ import annotations

import math

from engine.document import Actor, Dof, Figure, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.muscles.parts import Muscle, Muscles, MuscleSet, MuscleWrap, PathPoint, PathWrap, PointCurve

BEND = "elbow.bend"


def arm_figure() -> Figure:
    """An upper arm that hangs, and a forearm that bends forward."""
    bend = Dof(id=BEND, name="Bend", axis=(-1.0, 0.0, 0.0), lower=0.0, upper=math.radians(140.0))
    lift = Dof(id="shoulder.lift", name="Lift", axis=(-1.0, 0.0, 0.0))
    return Figure(
        name="Arm",
        joints=(
            Joint(id="trunk", name="Trunk"),
            Joint(id="shoulder", name="Shoulder", parent="trunk", dofs=(lift,)),
            Joint(id="elbow", name="Elbow", parent="shoulder", offset=(0.0, -0.3, 0.0), dofs=(bend,)),
        ),
    )


def arm_muscles() -> Muscles:
    """A straight one over two joints, one around a cylinder, one with a point that comes and moves."""
    bone = MuscleWrap(
        id="bone", name="Bone", joint="shoulder", shape="cylinder", radii=(0.02,), length=0.1, centre=(0.0, -0.3, 0.0),
        rotation=(math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0), side=(1.0, 0.0, 0.0),
    )  # fmt: skip
    biceps = Muscle(
        id="biceps", name="Biceps", region="Front", force=600.0, fibre=0.13, tendon=0.2, pennation=math.radians(5.0),
        points=(PathPoint(joint="trunk", point=(0.0, 0.03, 0.02)), PathPoint(joint="elbow", point=(0.0, -0.05, 0.02))),
        mirror="biceps",
    )  # fmt: skip
    triceps = Muscle(
        id="triceps", name="Triceps", region="Back", force=800.0, fibre=0.1, tendon=0.15,
        points=(
            PathPoint(joint="shoulder", point=(0.0, -0.05, -0.03)),
            PathPoint(joint="shoulder", point=(0.0, -0.2, -0.03)),
            PathPoint(joint="elbow", point=(0.0, -0.03, -0.024)),
        ),
        wraps=(PathWrap(wrap="bone", first=1),),
    )  # fmt: skip
    curve = PointCurve(axis=2, dof=BEND, knots=((0.0, 0.03), (1.0, 0.035), (2.0, 0.03)))
    brachialis = Muscle(
        id="brachialis", name="Brachialis", force=900.0, fibre=0.08, tendon=0.05, fastest=8.5,
        points=(
            PathPoint(joint="shoulder", point=(0.0, -0.15, 0.02)),
            PathPoint(joint="shoulder", point=(0.0, -0.27, 0.03), curves=(curve,)),
            PathPoint(joint="elbow", point=(0.0, -0.02, 0.03), dof=BEND, lower=0.3),
            PathPoint(joint="elbow", point=(0.0, -0.04, 0.02)),
        ),
    )  # fmt: skip
    flexors = MuscleSet(id="flexors", name="Flexors", muscles=("biceps", "brachialis"))
    return Muscles(muscles=(biceps, triceps, brachialis), wraps=(bone,), sets=(flexors,))


def bent_arm() -> Actor:
    """The arm, bending by a radian a second."""
    keys = (Key(0, 0.0, interpolation="linear"), Key(2 * SECOND, 2.0, interpolation="linear"))
    track = Track(coordinate=BEND, keys=keys)
    return Actor(
        id="arm", name="Arm", figure=arm_figure(), layers=(Layer(id="pose", tracks=(track,)),), parts=(arm_muscles(),)
    )
