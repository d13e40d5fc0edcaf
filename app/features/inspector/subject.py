"""Subject: what the inspector is about, worked out from the selection and the document."""

from __future__ import annotations

from dataclasses import replace

from app.session import Selection
from engine.document import Actor, Document, Joint
from engine.document.sizes import sizes_of
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Subject:
    """An actor as a whole, or some of its joints."""

    actor: Actor
    joints: tuple[Joint, ...]  # the active one last
    whole: bool  # the actor itself was chosen

    @property
    def dof_count(self) -> int:
        """The number of degrees of freedom that the joints have together, without what others drive."""
        return sum(not dof.driven for joint in self.joints for dof in joint.dofs)

    @property
    def driven_count(self) -> int:
        """The number of coordinates of the joints that others drive."""
        return sum(bool(dof.driven) for joint in self.joints for dof in joint.dofs)

    def is_like(self, other: Subject | None) -> bool:
        """True if the same fields show both, whatever values they hold."""
        return (
            other is not None
            and self.whole == other.whole
            and self.actor.id == other.actor.id
            and (self.actor.name == other.actor.name or not self.whole)
            and _layers(self.actor) == _layers(other.actor)
            and len(self.joints) == len(other.joints)
            and all(_alike(one, two) for one, two in zip(self.joints, other.joints, strict=True))
        )


def subject_of(document: Document, selection: Selection) -> Subject | None:
    """Return the actor of the active item: whole if it is chosen itself, else those of its joints that are."""
    active = selection.active
    if active is None or active.actor not in document.actor_index:
        return None
    actor = document.actor(active.actor)
    figure = actor.figure
    if active.part is None:
        return Subject(actor, figure.joints, True)
    chosen = [item.part for item in selection.items if item.actor == actor.id and item.part is not None]
    joints = tuple(figure.joint(id) for id in chosen if id in figure.joint_index)
    return Subject(actor, joints, False) if joints else None


def _alike(one: Joint, two: Joint) -> bool:
    if one is two:
        return True
    names = [sizes_of(shape).keys() for shape in one.shapes], [sizes_of(shape).keys() for shape in two.shapes]
    return replace(one, shapes=()) == replace(two, shapes=()) and names[0] == names[1]


def _layers(actor: Actor) -> tuple[str, ...]:
    return tuple(layer.id for layer in actor.layers)
