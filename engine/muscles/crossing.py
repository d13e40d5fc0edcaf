"""Which joints and degrees of freedom a muscle crosses. Knows documents alone."""

from __future__ import annotations

from engine.document import Dof, Figure
from engine.muscles.parts import Muscle


def joints_crossed(figure: Figure, muscle: Muscle) -> tuple[str, ...]:
    """The joints that change a muscle's path, in the order of the figure: those between its bodies."""
    chains = [_above(figure, each.joint) for each in muscle.points]
    shared = frozenset.intersection(*chains)
    moving = frozenset.union(*chains) - shared
    return tuple(id for id in figure.joint_index if id in moving)


def dofs_crossed(figure: Figure, muscle: Muscle) -> tuple[Dof, ...]:
    """The hinges and slides that change a muscle's path, in place of a driven one its drivers; not those that their
    limits hold in one place."""
    moving = set(joints_crossed(figure, muscle))
    crossed = {dof.id for joint in figure.joints if joint.id in moving for dof in joint.dofs}
    crossed |= {each.dof for dof in figure.driven if dof.id in crossed for each in dof.driven}
    found = (dof for dof in figure.dofs if dof.id in crossed and dof.kind != "ball" and not dof.driven)
    return tuple(each for each in found if each.lower is None or each.lower != each.upper)


def _above(figure: Figure, joint: str | None) -> frozenset[str]:
    chain = set()
    while joint is not None:
        chain.add(joint)
        joint = figure.joint(joint).parent
    return frozenset(chain)
