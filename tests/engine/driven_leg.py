"""A leg with driven coordinates, for tests of what becomes of them."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Body, Dof, DrivenBy, Figure, Joint

KNEE = DrivenBy(dof="knee.x", at=(0.0, 0.7, 1.4, 2.2), values=(0.0, -0.02, -0.05, -0.06))
TURN = DrivenBy(dof="knee.x", at=(0.0, 1.0, 2.2), values=(0.0, 0.7, 1.1))
LEAN = DrivenBy(dof="hip.z", at=(-1.0, 1.0), values=(-0.1, 0.1))


BODY = Body(mass=2.0, centre=(0.0, -0.2, 0.01), inertia=(0.03, 0.01, 0.03, 0.0, 0.0, 0.0))


def leg(body: Body | None = None) -> Figure:
    """A leg whose shin glides along as its knee bends, a kneecap beside it, and toes that the knee turns."""
    glide = Dof(id="glide", name="Glide", kind="slide", axis=(0.0, 1.0, 0.0), driven=(KNEE,))
    cap = Dof(id="cap", name="Turn", driven=(TURN, LEAN))
    toes = Dof(id="toes.x", name="Toes", driven=(replace(TURN, values=(0.0, -0.3, -0.4)),))
    hip = (Dof(id="hip.x", name="Swing", lower=-1.5, upper=1.5), Dof(id="hip.z", name="Spread", axis=(0.0, 0.0, 1.0)))
    joints = (
        Joint(id="hip", name="Hip", dofs=hip),
        Joint(id="cap", name="Kneecap", parent="hip", offset=(0.0, -0.4, 0.05), dofs=(cap,)),
        Joint(
            id="knee",
            name="Knee",
            parent="hip",
            offset=(0.0, -0.4, 0.0),
            dofs=(glide, Dof(id="knee.x", name="Flex", lower=0.0, upper=2.2)),
        ),
        Joint(id="toes", name="Toes", parent="knee", offset=(0.0, -0.4, 0.1), dofs=(toes,)),
    )
    return Figure(name="Leg", joints=tuple(replace(each, body=body) for each in joints))
