"""Says in sentences what was left at the root of a motion, what is left of it now, and by how much what was changed."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.maths.arrays import Array
from engine.measured_forces.reduction import ReducedResiduals

LITTLE = 0.05  # [kg] that nobody misses


def reduction_words(found: ReducedResiduals) -> Iterator[str]:
    """Say it, forces first."""
    (most, rms), (now, now_rms) = found.force(reduced=False), found.force(reduced=True)
    share = 100.0 / found.peak
    yield (
        f"Left at the root: {now:.3g} N at most, {now_rms:.3g} N RMS, instead of {most:.3g} and {rms:.3g}: "
        f"{share * now:.2g} and {share * now_rms:.2g} % of the ground's greatest force of {found.peak:.0f} N, "
        f"instead of {share * most:.2g} and {share * rms:.2g} %"
    )
    (most, rms), (now, now_rms) = found.torque(reduced=False), found.torque(reduced=True)
    yield f"Torques there: {now:.3g} N m at most, {now_rms:.3g} N m RMS, instead of {most:.3g} and {rms:.3g}"
    kinds = {dof.id: dof.kind for dof in found.figure.dofs}
    for kind, what, unit, factor in (("hinge", "Angles", "°", 180.0 / math.pi), ("slide", "Slides", " cm", 100.0)):
        places = [place for place, name in enumerate(found.coordinates) if kinds[name] == kind]
        if places:
            yield _changed(found, places, factor * found.changed[:, places], what, unit)
    if found.trunk is not None:
        x, y, z = (100.0 * found.shift).tolist()
        name, length = found.figure.joint(found.trunk).name, 100.0 * float(np.linalg.norm(found.shift))
        yield f"The mass centre of {name} is shifted by {length:.2g} cm: x {x:.2g}, y {y:.2g}, z {z:.2g} cm"
    if abs(found.heavier) > LITTLE:
        more = "more" if found.heavier > 0.0 else "less"
        yield f"Masses stay: with {abs(found.heavier):.2g} kg {more}, no vertical force would be left on average"
    if found.kept_within:
        yield "Changes are as large as is allowed: allow more, and less is left"


def _changed(found: ReducedResiduals, places: list[int], changed: Array, what: str, unit: str) -> str:
    worst = int(np.abs(changed).max(axis=0).argmax())
    most, rms = float(np.abs(changed).max()), np.sqrt((changed**2).mean(axis=0)).max()
    where = _name(found, found.coordinates[places[worst]])
    return f"{what} change by {most:.2g}{unit} at most ({where}), {rms:.2g}{unit} RMS"


def _name(found: ReducedResiduals, dof: str) -> str:
    joint = found.figure.dof_joint[dof]
    return f"{joint.name}, {next(each.name for each in joint.dofs if each.id == dof).lower()}"
