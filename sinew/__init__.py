"""Sinew as a library: pose, solve, simulate, measure and draw bodies from a script or a notebook (docs/library.md).

    import sinew

    scene = sinew.figure("human")
    scene, report = sinew.solve(scene, {"hand_right": (-0.3, 1.2, 0.4)})
    sinew.save(scene, "reaching.sinew")

A scene is a `Document`, a frozen value: nothing here changes the one that it is given. Lengths are metres, angles
radians, times seconds, y is up. What cannot be done raises an `EngineError` with a sentence for a person. Importing
this loads neither numpy nor numba; the first call that needs kernels says on standard error how long they take.
"""

from sinew import installed  # noqa: F401  (looks for strangers, before anything of the engine is imported)
from sinew.adding import camera, light, paint, soft_body, water_tank
from sinew.face import (
    EngineError,
    Evaluated,
    Measured,
    __version__,
    evaluate,
    figure,
    load,
    measure,
    pose,
    quiet,
    render,
    retarget,
    save,
    set_range,
    simulate,
    solve,
    surface,
)
from sinew.forces import ReducedMotion, put_forces, reduce_residuals
from sinew.markers import Fitted, Scaled, fit_markers, scale_to_markers
from sinew.motions import between, find_motion
from sinew.muscles import Activated, MeasuredArms, activate, moment_arms, muscle_forces, put_activations
from sinew.planning import Planned, keyframe, plan, push
from sinew.sweeping import Swept, sweep

__all__ = [
    "load",
    "figure",
    "pose",
    "solve",
    "evaluate",
    "simulate",
    "between",
    "find_motion",
    "muscle_forces",
    "moment_arms",
    "activate",
    "put_activations",
    "put_forces",
    "reduce_residuals",
    "soft_body",
    "keyframe",
    "plan",
    "push",
    "surface",
    "water_tank",
    "camera",
    "light",
    "paint",
    "measure",
    "sweep",
    "set_range",
    "retarget",
    "fit_markers",
    "scale_to_markers",
    "render",
    "save",
    "quiet",
    "Activated",
    "Evaluated",
    "Fitted",
    "Measured",
    "MeasuredArms",
    "Planned",
    "ReducedMotion",
    "Scaled",
    "Swept",
    "EngineError",
    "__version__",
]
