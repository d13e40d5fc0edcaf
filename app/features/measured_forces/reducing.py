"""ReductionSheet: changes a motion a little so that it agrees with its measured forces; it is seen, with what was left
at the root and is now, before it is kept."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from app.features.finding_sheet import FindingSheet
from app.session import Session
from engine.document import Actor
from engine.document.ticks import TICKS_LIMIT, TICKS_PER_SECOND
from engine.document.values import new_id
from engine.measured_forces.commands.reduce import HEAVIEST, FoundReduction, ReduceResiduals, usual_time
from engine.runtime.options import About

ABOUT = (
    "What inverse dynamics leaves at the root once measured forces are counted, nobody gives: the residual. Here the "
    "motion changes a little, as a layer that adds to it, and the mass centre of the trunk, so that the residual is "
    "small: min Σ |r/s|² + w Σ |x/σ|², corrections x being cubic splines, feet kept where they were."
)
LONGEST = TICKS_LIMIT // TICKS_PER_SECOND  # [s]


class ReductionSheet(FindingSheet):
    """Asks, shows and keeps."""

    def __init__(self, parent: QWidget, session: Session, owner: Actor) -> None:
        super().__init__(
            parent,
            session,
            owner.id,
            title=f"Residuals of {owner.name}",
            about=ABOUT,
            said="What is left at the root",
            asked=_asked(owner),
            command=lambda values: _command(owner.id, values),
            words=lambda report: "\n".join(report.words) if isinstance(report, FoundReduction) else None,
        )
        self.setObjectName("residuals")


def _command(owner: str, values: dict[str, Any]) -> ReduceResiduals:
    return ReduceResiduals(
        actor=owner,
        id=new_id("layer"),
        start=round(values["start"] * TICKS_PER_SECOND),
        end=round(values["end"] * TICKS_PER_SECOND),
        spacing=values["spacing"],
        degrees=values["degrees"],
        centimetres=values["centimetres"],
        trunk=values["trunk"] or None,
    )


def _asked(owner: Actor) -> dict[str, tuple[About, Any]]:
    """List the questions with their usual answers."""
    known = usual_time(owner) or (0, TICKS_PER_SECOND)
    start, end = (each / TICKS_PER_SECOND for each in known)
    joints = owner.figure.joints
    trunk = About(
        label="Mass centre of",
        choices=(HEAVIEST, "", *(joint.id for joint in joints)),
        labels=("The heaviest body", "None: masses stay", *(joint.name for joint in joints)),
        note="It may shift by 5 cm at most",
    )
    hinges = About(label="Hinges change by", unit="°", least=0.01, most=45.0, note="At most")
    slides = About(label="Slides change by", unit="cm", least=0.01, most=100.0, note="At most")
    knots = About(label="Knots every", unit="s", least=0.01, most=10.0, note="Of the splines that change the motion")
    first, last = (
        About(label=label, unit="s", least=-LONGEST, most=LONGEST, note="While forces were measured")
        for label in ("From", "To")
    )
    return {
        "start": (first, start),
        "end": (last, end),
        "trunk": (trunk, HEAVIEST),
        "degrees": (hinges, 3.0),
        "centimetres": (slides, 3.0),
        "spacing": (knots, 0.05),
    }
