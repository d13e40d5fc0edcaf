"""The desk lamp of Winzell 2004, 70 cm high, whose base may leave the floor, as a file; at zero it crouches."""

from __future__ import annotations

from pathlib import Path

from engine.document import Actor, Layer
from engine.formats.figure_toml import read
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMuscle, SpacetimeStage

ROOT = ("base.move_x", "base.move_y", "base.z")
DOFS = ("lower_arm.lean", "upper_arm.bend", "head.nod")
LEAPING_LAMP = """
name = "Leaping lamp"
angles = "degrees"

[[joint]]
id = "base"
root = "planar"
shapes = [{ kind = "box", half = [0.1, 0.01, 0.08], centre = [0, 0.01, 0], rounding = 0.005 }]
body = { mass = 1.2, centre = [0, 0.02, 0], inertia = [0.00432, 0.00432, 0.00432, 0, 0, 0] }

[[joint]]
id = "lower_arm"
parent = "base"
offset = [0, 0.04, 0]
rest = [["z", 125]]
dofs = [{ name = "Lean", axis = "z", limits = [-95, 25] }]
shapes = [{ kind = "capsule", start = [0, 0, 0], end = [0.3, 0, 0], radius = 0.008 }]
body = { mass = 0.25, centre = [0.15, 0, 0], inertia = [0.001875, 0.001875, 0.001875, 0, 0, 0] }

[[joint]]
id = "upper_arm"
parent = "lower_arm"
offset = [0.3, 0, 0]
rest = [["z", -90]]
dofs = [{ name = "Bend", axis = "z", limits = [-30, 75] }]
shapes = [{ kind = "capsule", start = [0, 0, 0], end = [0.3, 0, 0], radius = 0.008 }]
body = { mass = 0.25, centre = [0.15, 0, 0], inertia = [0.001875, 0.001875, 0.001875, 0, 0, 0] }

[[joint]]
id = "head"
parent = "upper_arm"
offset = [0.3, 0, 0]
rest = [["z", -60]]
dofs = [{ name = "Nod", axis = "z", limits = [-30, 90] }]
shapes = [{ kind = "capsule", start = [0.01, 0, 0], end = [0.09, 0, 0], radius = 0.045 }]
body = { mass = 0.4, centre = [0.05, 0, 0], inertia = [0.00144, 0.00144, 0.00144, 0, 0, 0] }
"""


def leaping_lamp(folder: Path) -> Actor:
    """The lamp as an actor, read from its file."""
    path = folder / "lamp.figure.toml"
    path.write_text(LEAPING_LAMP)
    return Actor(id="lamp", name="Lamp", figure=read(path), layers=(Layer(id="pose"),))


def nod(**fields: object) -> Spacetime:
    """A lamp that stands, and nods once more than it did."""
    rest = tuple((dof, 0.0) for dof in (*ROOT, *DOFS))
    given: dict[str, object] = {
        "stages": (SpacetimeStage(id="stage", name="Nod", pieces=4, length=0.4, nailed=True),),
        "muscles": tuple(SpacetimeMuscle(dof=dof) for dof in DOFS),
        "constraints": (
            SpacetimeConstraint(id="begin", name="Begin", stage="stage", values=rest, rates=rest),
            SpacetimeConstraint(
                id="end", name="End", stage="stage", at=1.0, values=(*rest[:-1], ("head.nod", 0.5)), rates=rest
            ),
        ),
    }
    return Spacetime(**(given | fields))  # type: ignore[arg-type]


def leap(far: float) -> Spacetime:
    """A leap of so many metres: it stands, flies, stands again as it did (figures 5 and 6)."""
    begin = tuple((dof, 0.0) for dof in (*ROOT, *DOFS))
    return Spacetime(
        stages=(
            SpacetimeStage(id="stand", name="Take-off", pieces=12, length=0.4, nailed=True),
            SpacetimeStage(id="fly", name="Flight", pieces=12, length=0.35, impact=True),
            SpacetimeStage(id="land", name="Landing", pieces=12, length=0.4, nailed=True),
        ),
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in DOFS),
        constraints=(
            SpacetimeConstraint(id="begin", name="Begin", stage="stand", values=begin, rates=begin),
            SpacetimeConstraint(
                id="end", name="Landing", stage="land", at=1.0, values=((ROOT[0], far), *begin[1:]), rates=begin
            ),
        ),
    )
