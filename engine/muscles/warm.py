"""Compiles this room's kernels: measures and draws a small arm, as the application does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.document import Dof, Figure, Joint, Key, Track
from engine.document.ticks import TICKS_PER_SECOND
from engine.model.compile import compile_model
from engine.muscles.activations import ENTRIES, share_torques
from engine.muscles.compiled import MuscledFigure
from engine.muscles.driving import MuscleDrive
from engine.muscles.keyed import activations_at
from engine.muscles.parts import (
    ACTIVATION,
    Muscle,
    MuscleActivation,
    MuscleActivations,
    Muscles,
    MuscleWrap,
    PathPoint,
    PathWrap,
)
from engine.muscles.static import FrameSharing


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each group when it is ready."""
    elbow = Joint(id="elbow", name="Elbow", parent="arm", offset=(0.0, -0.3, 0.0), dofs=(Dof(id="bend", name="Bend"),))
    figure = Figure(name="Arm", joints=(Joint(id="arm", name="Arm"), elbow))
    points = (PathPoint(joint="arm", point=(0.0, -0.05, 0.02)), PathPoint(joint="elbow", point=(0.0, -0.1, 0.02)))
    wrap = MuscleWrap(id="bone", name="Bone", joint="elbow", shape="sphere", radii=(0.03,))
    plain = Muscle(id="plain", name="Plain", points=points, force=100.0, fibre=0.1, tendon=0.2)
    bent = Muscle(
        id="bent", name="Bent", points=points, wraps=(PathWrap(wrap="bone"),), force=100.0, fibre=0.1, tendon=0.2
    )
    made = MuscledFigure(compile_model(figure), Muscles(muscles=(plain, bent), wraps=(wrap,)))
    q = np.zeros(1)
    lengths, _ = made.measure(q)
    made.forces(lengths, np.zeros(2), np.zeros(2))
    made.fibre_states(lengths, np.zeros(2), np.zeros(2))
    MuscleDrive(made, MuscleActivations()).torques(0.0, q, np.zeros(1), 0.01)
    keys = Track(coordinate=ACTIVATION, keys=(Key(0, 0.0), Key(TICKS_PER_SECOND, 1.0)))
    active = MuscleActivations(activations=(MuscleActivation(muscle="plain", track=keys),))
    for each in (active, replace(active, excited=True)):
        activations_at(each, made.numbers, np.array([0.05 * TICKS_PER_SECOND]))
    sharing = FrameSharing(made, (), "squares")
    sharing.share(q, np.zeros(1), np.ones(1))
    shared, answer = sharing.shared, (np.zeros(1), np.zeros(2), np.zeros(1))  # as the ground's force is shared out
    torques = np.zeros(int(shared.ints[ENTRIES]))
    share_torques(2, shared.ints.copy(), torques, np.ones(1), np.ones(1), sharing.bounds, shared.new_work(), answer)
    yield "measure_muscles"
    made.spindles(q)
    yield "draw_muscles"
