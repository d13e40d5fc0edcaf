"""ActivationSheet: finds activations for the motion of a figure; they are seen, with what muscles lack, before they are
kept."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from app.features.finding_sheet import FindingSheet
from app.session import Session
from engine.document import Actor, Document
from engine.document.extent import acting_extent, play_extent
from engine.document.ticks import TICKS_LIMIT, TICKS_PER_SECOND
from engine.muscles.commands.activate import COSTS, METHODS, ActivationsFromMotion, FoundActivations
from engine.runtime.options import About

ABOUT = (
    "Torques that the motion takes, by inverse dynamics, are shared out among muscles: the least activations that give "
    "them, frame by frame (static optimisation). The ground's force is as it was measured, else it is "
    "estimated where feet stand. Computed muscle "
    "control (Thelen 2003) goes forward through physics: played with Simulate on, its activations follow the keys."
)
LONGEST = TICKS_LIMIT // TICKS_PER_SECOND  # [s]
MOST_RATE = 1000  # frames a second


class ActivationSheet(FindingSheet):
    """Asks, shows and keeps."""

    def __init__(self, parent: QWidget, session: Session, owner: Actor) -> None:
        super().__init__(
            parent,
            session,
            owner.id,
            title=f"Activations of {owner.name} from its motion",
            about=ABOUT,
            said="What muscles lack",
            asked=_asked(session.document, owner),
            command=lambda values: _command(session.document, owner.id, values),
            words=_words,
        )
        self.setObjectName("activations")


def _command(document: Document, owner: str, values: dict[str, Any]) -> ActivationsFromMotion:
    rate, frames = document.rate, values["rate"]
    return ActivationsFromMotion(
        actor=owner,
        start=round(values["start"] * TICKS_PER_SECOND),
        end=round(values["end"] * TICKS_PER_SECOND),
        rate=None if frames == round(rate[0] / rate[1]) else (frames, 1),
        cost=values["cost"],
        method=values["method"],
    )


def _words(report: object) -> str | None:
    if not isinstance(report, FoundActivations):
        return None
    return "\n".join((f"{len(report.shares.times)} frames, {report.keys} keys.", *report.lacking))


def usual_times(document: Document, owner: Actor) -> tuple[int, int]:
    """Return the span that is played [ticks], of a figure that was captured no more than its capture."""
    start, end = play_extent(document)
    captures = [acting_extent(each) for each in owner.layers if each.samples is not None]
    known = [each for each in captures if each is not None]
    if known:
        first, last = max(start, min(each[0] for each in known)), min(end, max(each[1] for each in known))
        return (first, last) if first < last else (start, end)
    return start, end


def _asked(document: Document, owner: Actor) -> dict[str, tuple[About, Any]]:
    """List the questions with their usual answers: all that is played or was captured, at the frames of the
    document."""
    start, end = (each / TICKS_PER_SECOND for each in usual_times(document, owner))
    frames = min(max(round(document.rate[0] / document.rate[1]), 1), MOST_RATE)
    costs = About(
        label="Least are the",
        choices=COSTS,
        labels=("Squares of activations", "Cubes of activations"),
        note="Cubes share out more evenly: muscles that tire least",
    )
    ways = About(
        label="By",
        choices=METHODS,
        labels=(
            "Static optimisation",
            "Computed muscle control",
            "The same, with motors for what muscles lack",
            "The same, with motors for joints kept still",
        ),
        note="Of each frame of the motion as it is seen; or forward through physics, each 10 ms, along the keys",
    )
    return {
        "start": (About(label="From", unit="s", least=-LONGEST, most=LONGEST, note="The first frame"), start),
        "end": (About(label="To", unit="s", least=-LONGEST, most=LONGEST, note="The last frame"), end),
        "rate": (About(label="Frames a second", least=1, most=MOST_RATE, note="Of activations that are found"), frames),
        "cost": (costs, COSTS[0]),
        "method": (ways, METHODS[0]),
    }
