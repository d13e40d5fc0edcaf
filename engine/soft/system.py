"""Soft bodies as a system: above physics, whose bodies they touch, with a clock of their own."""

from engine.systems import Kernels, Measured, System

_EDITS = "engine.soft.edits"
_PARTS = "engine.soft.parts"
_VECTOR = ("x", "y", "z", "length")

SYSTEM = System(
    name="soft",
    uses="engine.soft.uses:uses_soft",
    upon=("physics",),
    parts=(
        f"{_PARTS}:SoftBody",
        f"{_PARTS}:ActivationSpline",
        f"{_PARTS}:SoftAttachment",
        "engine.soft.pulls:SoftPull",
        f"{_PARTS}:SoftBake",
        f"{_PARTS}:SoftWorld",
    ),
    edits=(
        (_EDITS, "add_soft_body", "Add soft body {actor}"),
        (_EDITS, "put_soft_body", "Make {actor} soft"),
        (_EDITS, "remove_soft_body", "Remove soft body of {actor}"),
        (_EDITS, "set_soft_body", "Set soft body of {actor}"),
        (_EDITS, "set_soft_heading", "Set heading of {actor}"),
        (_EDITS, "set_soft_factors", "Set stiffness of the cells of {actor}"),
        (_EDITS, "add_activation_spline", "Add spline to {actor}"),
        (_EDITS, "remove_activation_spline", "Remove spline of {actor}"),
        (_EDITS, "rename_activation_spline", "Rename spline of {actor}"),
        (_EDITS, "set_activation_spline", "Set spline of {actor}"),
        (_EDITS, "set_activation_points", "Draw spline of {actor}"),
        (_EDITS, "move_activation_point", "Move point of spline of {actor}"),
        (_EDITS, "set_activation_region", "Set region of spline of {actor}"),
        (_EDITS, "set_activation", "Set activation of {actor}"),
        (_EDITS, "set_activation_keys", "Key activation of {actor}"),
        (_EDITS, "draw_activation", "Draw activation of {actor}"),
        (_EDITS, "move_activation_keys", "Move keys of activation of {actor}"),
        (_EDITS, "remove_activation_keys", "Remove keys of activation of {actor}"),
        (_EDITS, "extend_activation", "Set extrapolation of activation of {actor}"),
        (_EDITS, "attach_soft_body", "Attach {actor}"),
        (_EDITS, "detach_soft_body", "Detach {actor}"),
        (_EDITS, "set_soft_attachment", "Set attachment of {actor}"),
        (_EDITS, "move_soft_attachment", "Move attachment of {actor}"),
        (_EDITS, "put_soft_pull", "Pull {actor}"),
        (_EDITS, "remove_soft_pulls", "Remove pulls of {actor}"),
        (_EDITS, "set_soft_world", "Set soft bodies of the scene"),
        (_EDITS, "bake_soft_body", "Bake {actor}"),
        (_EDITS, "remove_soft_bake", "Remove bake of {actor}"),
    ),
    stage="engine.soft.stage:SoftStage",
    order=110,
    kernels=Kernels(
        name="soft",
        purpose="soft bodies",
        functions=("engine.soft.warm_splines:warm", "engine.soft.warm:warm", "engine.soft.warm_shown:warm"),
        seconds={
            "embed": 3.0,
            "fill_surface": 4.0,
            "stiffened": 1.0,
            "add_virtual_forces": 0.5,
            "advance_springs": 1.0,
            "invert_dense": 0.5,
            "remember_samples": 1.0,
            "assemble": 8.0,
            "advance": 8.0,
            "evaluate_times": 0.3,
            "measure_cells": 1.0,
        },
    ),
    measured=(
        Measured(name="soft_volume", label="Volume", unit="m3", note="V = sum over the cells.", of_pose=True),
        Measured(
            name="soft_centre",
            label="Centre of mass",
            unit="m",
            note="C = sum(m x) / M.",
            components=_VECTOR,
            of_pose=True,
        ),
        Measured(name="soft_momentum", label="Momentum", unit="kg m/s", note="P = sum(m v).", components=_VECTOR),
        Measured(
            name="soft_spin",
            label="Angular momentum",
            unit="kg m2/s",
            note="L = sum(m (x - C) x v).",
            components=_VECTOR,
        ),
        Measured(name="soft_kinetic", label="Kinetic energy", unit="J", note="T = sum(m v.v) / 2."),
        Measured(name="soft_potential", label="Potential energy", unit="J", note="U = g sum(m y), above the floor."),
        Measured(
            name="soft_elastic", label="Elastic energy", unit="J", note="W of all soft bodies of the scene together."
        ),
        Measured(
            name="soft_contact",
            label="Contact force",
            unit="N",
            note="F, the sum over the points that are touched.",
            components=_VECTOR,
        ),
        Measured(
            name="soft_contraction", label="Contraction", unit="1", note="l / l0, how long the spline is.", of_pose=True
        ),
        Measured(
            name="soft_alpha",
            label="Activation",
            unit="1",
            note="alpha, how long the spline is to be.",
            of_pose=True,
        ),
    ),
    measurable="engine.soft.uses:measurable",
    measure="engine.soft.measured:measure",
    surfaced="engine.soft.uses:is_soft",
    follows="engine.soft.follows:SoftFollows",
    changes="engine.soft.changes:SoftChanges",
    pushes="engine.soft.uses:pushes",
)
