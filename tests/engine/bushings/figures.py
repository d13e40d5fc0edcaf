"""A figure of two branches with a bushing between their ends, for tests."""

from __future__ import annotations

from dataclasses import replace

from engine.bushings.parts import Bushing, Bushings
from engine.document import Actor, Body, Document, Dof, DrivenBy, Figure, Joint, Placement

MASS, G = 2.0, 9.80665
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TURNED = (0.8, 0.6, 0.0, 0.0)
SMALL = (0.01, 0.01, 0.01, 0.0, 0.0, 0.0)


def branches() -> Figure:
    """A base with two limbs of two joints each; the left one ends with a ball."""
    hinges = tuple(Dof(id=f"right_{name}", name=name, axis=axis) for name, axis in (("x", X), ("y", Y), ("z", Z)))
    body = Body(mass=MASS, centre=(0.0, 0.1, 0.0), inertia=SMALL)
    return Figure(
        name="Branches",
        joints=(
            Joint(id="base", name="Base", body=body),
            Joint(id="left", name="Left", parent="base", offset=(-0.2, 0.3, 0.0), body=body,
                  dofs=(Dof(id="left_bend", name="Bend", axis=Z),)),
            Joint(id="left_end", name="Left end", parent="left", offset=(0.0, 0.3, 0.0), body=body,
                  dofs=(Dof(id="left_ball", name="Ball", kind="ball"),)),
            Joint(id="right", name="Right", parent="base", offset=(0.2, 0.3, 0.0), rest=TURNED, body=body, dofs=hinges),
            Joint(id="right_end", name="Right end", parent="right", offset=(0.0, 0.2, 0.0), body=body,
                  dofs=(Dof(id="right_slide", name="Slide", kind="slide", axis=Y),)),
        ),
    )  # fmt: skip


def coupled() -> Figure:
    """The same whose right limb is driven about one axis by the bend of the left one, and by a slide of its own."""
    figure = branches()
    pulls = (
        DrivenBy(dof="left_bend", at=(-1.0, 0.0, 1.0), values=(0.4, 0.0, 0.9)),
        DrivenBy(dof="right_slide", at=(-1.0, 1.0), values=(-0.5, 0.5)),
    )
    joints = tuple(
        replace(joint, dofs=tuple(replace(dof, driven=pulls) if dof.id == "right_y" else dof for dof in joint.dofs))
        for joint in figure.joints
    )
    return replace(figure, joints=joints)


def falling() -> Document:
    """A body whose root slides up and down, high above the ground, its actor placed aside."""
    down = Dof(id="down", name="Down", kind="slide", axis=Y)
    joint = Joint(id="body", name="Body", dofs=(down,), body=Body(mass=MASS, inertia=SMALL))
    placement = Placement(position=(1.0, 20.0, 0.0))
    return Document(
        actors=(Actor(id="me", name="Me", figure=Figure(name="Weight", joints=(joint,)), placement=placement),)
    )


def cartilage(**fields: object) -> Bushing:
    """A bushing between the ends of both branches."""
    usual: dict[str, object] = {
        "id": "cartilage", "name": "Cartilage", "first": "left_end", "second": "right_end",
        "first_position": (0.1, 0.0, 0.05), "first_rotation": TURNED, "second_position": (-0.1, 0.1, 0.0),
        "turning": (3.0, 4.0, 5.0), "sliding": (100.0, 200.0, 300.0),
        "turning_damping": (0.1, 0.2, 0.3), "sliding_damping": (1.0, 2.0, 3.0),
    }  # fmt: skip
    return Bushing(**{**usual, **fields})  # type: ignore[arg-type]


def hanging(*bushings: Bushing) -> Document:
    """A weight that two slides in a row let down from a base that stands still, with bushings between."""
    slides = (Dof(id=f"{name}_down", name="Down", kind="slide", axis=Y) for name in ("link", "weight"))
    upper, lower = (replaced for replaced in slides)
    figure = Figure(
        name="Hanging",
        joints=(
            Joint(id="base", name="Base"),
            Joint(id="link", name="Link", parent="base", offset=(0.0, 1.0, 0.0), dofs=(upper,),
                  body=Body(mass=0.1, inertia=SMALL)),
            Joint(id="weight", name="Weight", parent="link", dofs=(lower,), body=Body(mass=MASS, inertia=SMALL)),
        ),
    )  # fmt: skip
    parts = (Bushings(bushings=bushings),) if bushings else ()
    return Document(actors=(Actor(id="me", name="Me", figure=figure, parts=parts),))
