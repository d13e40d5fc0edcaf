"""Stiffness: how unwillingly each degree of freedom of a joint gives way to a drag (weights of Welman 1993, 6.2)."""

from __future__ import annotations

from functools import partial

from app.features.inspecting import Fields
from app.session import Session
from app.session.hand import Hand
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from engine.document import Actor, Joint
from engine.edits import Edit, edit

USUAL, MOST = 1.0, 20.0
_WEIGHT = Unit(suffix="", words="times as stiff as usual", scale=1.0, decimals=2, step=0.05, coarse=0.5)


class StiffnessFields(Fields):
    """One slider for each degree of freedom that nothing drives."""

    def __init__(self, session: Session, actor: Actor, joint: Joint) -> None:
        super().__init__(session, actor.id)
        free = tuple(dof for dof in joint.dofs if not dof.driven)
        self._dofs = tuple(dof.id for dof in free)
        for dof in free:
            slider = ValueSlider(dof.name, unit=_WEIGHT)
            slider.setAccessibleName(f"{joint.name}, {dof.name}, stiffness")
            slider.set_limits(0.0, MOST)
            slider.set_rest(USUAL)
            slider.setToolTip(
                f"How unwillingly {dof.name} gives way while something is dragged, beside the other joints\n"
                f"From 0, quite loose, to {MOST:.0f}. Usually {USUAL:.0f}"
            )
            label = f"{joint.name}: stiffness of {dof.name}"
            self._add(slider, Hand(session, slider, label=label, make_edit=partial(self._stiffen, dof.id)))
        self.show_actor(actor)

    def show_actor(self, actor: Actor) -> None:
        """Show the weights of the figure as it is now."""
        for dof, hand in zip(self._dofs, self._hands, strict=True):
            hand.show(next(each.stiffness for each in actor.figure.dofs if each.id == dof))

    def _stiffen(self, dof: str, value: float) -> Edit:
        return edit("set_stiffness", actor=self._actor, dof=dof, stiffness=value)


def summary_of_stiffness(actor: Actor, joint: Joint) -> str:
    """Return the weights in a few words; nothing where all are usual."""
    weights = [dof.stiffness for dof in actor.figure.joint(joint.id).dofs if not dof.driven]
    return "" if all(weight == USUAL for weight in weights) else "  ".join(_WEIGHT.text(weight) for weight in weights)
