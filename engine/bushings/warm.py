"""Compiles this room's kernels: a bushing between two bodies, one of them driven."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.bushings.forces import BushingForces
from engine.bushings.parts import Bushing
from engine.document import Dof, DrivenBy, Figure, Joint
from engine.model.compile import compile_model


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of the step when it is ready."""
    follower = DrivenBy(dof="bend", at=(0.0, 1.0), values=(0.0, 1.0))
    figure = Figure(
        name="Hinges",
        joints=(
            Joint(id="base", name="Base"),
            Joint(id="one", name="One", parent="base", dofs=(Dof(id="bend", name="Bend"),)),
            Joint(id="two", name="Two", parent="base", dofs=(Dof(id="other", name="Other", driven=(follower,)),)),
        ),
    )
    forces = BushingForces(compile_model(figure), (Bushing(id="cord", name="Cord", first="one", second="two"),))
    forces.ahead(np.zeros(2), np.zeros(2), 0.01)
    yield "measure_bushings"
