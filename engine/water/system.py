"""Water as a system: above physics and soft bodies, which are in it, with a clock of its own."""

from engine.systems import Kernels, Measured, System

_EDITS = "engine.water.edits"
_VECTOR = ("x", "y", "z", "length")

SYSTEM = System(
    name="water",
    uses="engine.water.uses:uses_water",
    upon=("physics", "soft"),
    parts=("engine.water.parts:WaterTank",),
    edits=(
        (_EDITS, "add_water_tank", "Add water tank {actor}"),
        (_EDITS, "put_water_tank", "Make {actor} a water tank"),
        (_EDITS, "remove_water_tank", "Remove water of {actor}"),
        (_EDITS, "set_water_tank", "Set tank {actor}"),
        (_EDITS, "stretch_water_tank", "Stretch tank {actor}"),
        (_EDITS, "shape_water", "Set first shape of water of {actor}"),
        (_EDITS, "move_water", "Set waves of {actor}"),
        (_EDITS, "set_water", "Set water of {actor}"),
        (_EDITS, "show_water", "Set what is seen in {actor}"),
    ),
    stage="engine.water.stage:WaterStage",
    order=120,
    kernels=Kernels(
        name="water",
        purpose="water",
        functions=("engine.water.warm:warm",),
        seconds={
            "begin": 4.5,
            "step": 29.0,
            "push_triangles": 0.8,
            "flip": 2.0,
            "full": 0.5,
            "cover_columns": 1.5,
            "fill_harmonic": 0.3,
            "mesh_water": 1.0,
            "foam": 1.5,
            "drops": 1.5,
        },
    ),
    measured=(
        Measured(name="water_volume", label="Volume of water", unit="m3", note="V, drops that fly included."),
        Measured(
            name="water_put_back", label="Volume put back", unit="m3", note="Sum of all corrections since the start."
        ),
        Measured(
            name="water_momentum",
            label="Momentum of water",
            unit="kg m/s",
            note="P = sum(rho V v).",
            components=_VECTOR,
        ),
        Measured(name="water_kinetic", label="Kinetic energy of water", unit="J", note="T = sum(rho V v.v) / 2."),
        Measured(
            name="water_potential",
            label="Potential energy of water",
            unit="J",
            note="U = g sum(rho V y), above the tank's floor.",
        ),
        Measured(
            name="water_force",
            label="Force on bodies",
            unit="N",
            note="F, the sum over all that is in the water.",
            components=_VECTOR,
        ),
        Measured(
            name="water_divergence", label="Divergence left", unit="1", note="After the projection over before it."
        ),
        Measured(name="water_sub_steps", label="Sub-steps", unit="1", note="Of the last step, by the flow's speed."),
    ),
    surfaced="engine.water.uses:is_water",
    remeshed="engine.water.uses:is_water",
    measurable="engine.water.uses:measurable",
    measure="engine.water.measured:measure",
    follows="engine.water.follows:WaterFollows",
    changes="engine.water.changes:WaterChanges",
    pushes="engine.water.uses:pushes",
    pushes_soft="engine.water.uses:pressed_bodies",
)
