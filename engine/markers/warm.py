"""Compiles this room's kernels: fits an arm to three markers, as the application does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Dof, Figure, Handle, Joint
from engine.markers.captured_markers import CapturedMarkers
from engine.markers.fitting import fit_to_markers


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each group when it is ready."""
    elbow = Joint(id="elbow", name="Elbow", parent="arm", offset=(0.0, -0.3, 0.0), dofs=(Dof(id="bend", name="Bend"),))
    root = Joint(id="arm", name="Arm", dofs=(Dof(id="turn", name="Turn", axis=(0.0, 1.0, 0.0)),))
    handles = tuple(
        Handle(id=f"m{place}", name=f"m{place}", joint="elbow", point=(0.1 * place, -0.2, 0.0)) for place in range(3)
    )
    points = np.array([[[0.1 * place, -0.5, 0.02] for place in range(3)]] * 2)
    points[1, 0] = np.nan
    markers = CapturedMarkers(("m0", "m1", "m2"), points, (60, 1), 0)
    fit_to_markers(Figure(name="Arm", joints=(root, elbow), handles=handles), markers)
    yield "fit_frames"
