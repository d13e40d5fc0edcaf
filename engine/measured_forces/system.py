"""Measured forces as a system: what acted on a figure from outside while its motion was captured."""

from engine.systems import Measured, System

_EDITS = "engine.measured_forces.edits"
_PART = "engine.document.measured_forces"
_VECTOR = ("x", "y", "z", "length")

SYSTEM = System(
    name="measured_forces",
    uses="engine.measured_forces.uses:uses_forces",
    parts=(f"{_PART}:MeasuredForces", f"{_PART}:MeasuredForce"),
    edits=(
        (_EDITS, "put_measured_forces", "Put measured forces on {actor}"),
        (_EDITS, "set_measured_force", "Set measured force on {actor}"),
        (_EDITS, "set_measured_forces", "Set measured forces on {actor}"),
        (_EDITS, "remove_measured_forces", "Remove measured forces on {actor}"),
    ),
    stage="engine.measured_forces.stage:MeasuredForcesStage",
    order=128,
    follows="engine.measured_forces.follows:MeasuredForcesFollow",
    pushes="engine.measured_forces.uses:pushes",
    changes="engine.measured_forces.changes:MeasuredForcesChange",
    measured=(
        Measured(
            name="measured_force",
            label="Measured force",
            unit="N",
            note="What a plate measured, in the world's axes; 0 while nothing was measured.",
            components=_VECTOR,
            of_pose=True,
        ),
        Measured(
            name="measured_point",
            label="Point of a measured force",
            unit="m",
            note="Where it acts, in the world.",
            components=_VECTOR,
            of_pose=True,
        ),
        Measured(
            name="measured_torque",
            label="Free torque of a measured force",
            unit="N m",
            note="Beside what the force does at its point.",
            components=_VECTOR,
            of_pose=True,
        ),
    ),
    measurable="engine.measured_forces.measures:measurable",
    measure="engine.measured_forces.measures:measure",
)
