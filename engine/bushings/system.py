"""Bushings as a system: what is simulated, they resist; plots measure them."""

from engine.systems import Kernels, Measured, System

_EDITS = "engine.bushings.edits"
_PARTS = "engine.bushings.parts"

SYSTEM = System(
    name="bushings",
    uses="engine.bushings.uses:uses_bushings",
    parts=(f"{_PARTS}:Bushings", f"{_PARTS}:Bushing"),
    edits=(
        (_EDITS, "put_bushings", "Put bushings on {actor}"),
        (_EDITS, "set_bushing", "Set bushing of {actor}"),
        (_EDITS, "remove_bushings", "Remove bushings of {actor}"),
    ),
    stage="engine.bushings.stage:BushingsStage",
    order=129,
    follows="engine.bushings.follows:BushingsFollow",
    changes="engine.bushings.changes:BushingsChange",
    figure_tables="engine.bushings.tables:TABLES",
    osim="engine.bushings.osim:read_bushings",
    drives="engine.bushings.uses:drives_joints",
    kernels=Kernels(
        name="bushings",
        purpose="bushings",
        functions=("engine.bushings.warm:warm",),
        seconds={"measure_bushings": 1.5},
    ),
    measured=(
        Measured(
            name="bushing_force",
            label="Force of a bushing",
            unit="N",
            note="Its size: what resists how far its two frames are from each other, and how fast they go.",
        ),
        Measured(
            name="bushing_torque",
            label="Torque of a bushing",
            unit="N m",
            note="Its size: what resists how far its two frames are turned from each other, and how fast they turn.",
        ),
        Measured(
            name="bushing_energy",
            label="Energy of a bushing",
            unit="J",
            note="U = (θ · K θ + d · K d) / 2, by its turn θ and its way d.",
            of_pose=True,
        ),
    ),
    measurable="engine.bushings.measures:measurable",
    measure="engine.bushings.measures:measure",
)
