"""PlantContacts: pins for the times in which joints stand still near their lowest place, as feet of captures do.

Contacts are those of `engine.ik.contacts`, found of a joint's origin as it is seen, the floor being its lowest height.
A pin holds it at the middle of where it was from the contact's first frame to its last, eased on both sides. The
report says how far the joint slid in the contacts, which the pins take out. Worked through in slices on the engine's
thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Document, Lock, Span
from engine.document.extent import layer_extent
from engine.document.motion import TICKS_PER_SECOND, frame_time, ticks_per_frame
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.progress import Pace, within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation

    Array = NDArray[np.float64]

_LEG = 0.85  # [m] for which the thresholds of `Stillness` are
_LEAST_LEG = 0.05  # [m] of a figure without legs


@dataclass(frozen=True, eq=False)
class Planted:
    """The edit, and what it comes to."""

    edit: Edit
    count: int  # of locks
    slid: float  # [m] the farthest that a joint goes from where it is then held


@dataclass(frozen=True, kw_only=True)
class PlantContacts(Gradual):
    """The command to pin joints for as long as they stand still."""

    uses = ("locks", "motion")

    id: str  # that the ids of the locks begin with
    parts: tuple[tuple[str, frozenset[str] | None], ...]
    speed: float = 0.25  # [m/s] below which a contact may begin, for legs of 0.85 m

    @property
    def changes(self) -> tuple[str, ...]:
        """The ids of the actors that it changes."""
        return tuple(actor for actor, _ in self.parts)

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Pin contacts"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Planted]:
        """The edit and what it comes to; yields the share that is done."""
        parts, slid, whole = [], 0.0, len(self.parts)
        for number, (id, joints) in enumerate(self.parts):
            if joints is None:
                raise NothingThere("No joint is selected", remedy="Select those that touch the ground, as both ankles")
            owner = document.actor(id)
            for joint in sorted(joints):
                owner.figure.joint(joint)  # says which has gone
            frames = _frames(document, owner)
            steps = _places(evaluator, document, owner, frames)
            places = yield from within(steps, number / whole, (number + 1) / whole)
            locks: list[Lock] = []
            for joint in sorted(joints, key=owner.figure.joint_index.__getitem__):
                found = self._locks(document, owner, joint, frames, places[:, owner.figure.joint_index[joint]])
                locks += [replace(lock, id=f"{self.id}_{id}_{joint}_{n}") for n, (lock, _) in enumerate(found, 1)]
                slid = max((slid, *(way for _, way in found)))
                yield (number + 1) / whole
            if locks:
                parts.append((id, tuple(locks)))
        if not parts:
            remedy = "Select joints that stand still near their lowest place, or allow for a higher speed"
            raise NothingThere("No contact was found", remedy=remedy)
        return Planted(edit("plant_locks", parts=tuple(parts)), sum(len(locks) for _, locks in parts), slid)

    def _locks(
        self, document: Document, owner: Actor, joint: str, frames: range, places: Array
    ) -> list[tuple[Lock, float]]:
        """A pin for each contact, and how far the joint goes from its place meanwhile [m]."""
        import numpy as np

        from engine.ik.contacts import Stillness, find_contacts

        rate, still = document.rate, Stillness(speed=self.speed)
        scale = _leg_length(owner) / _LEG
        spans = find_contacts(places, float(places[:, 1].min()), rate[0] / rate[1], scale, still)
        ease, name = round(still.ease * TICKS_PER_SECOND), owner.figure.joint(joint).name
        made = []
        for first, last in spans:
            inside = places[first : last + 1]
            middle = np.median(inside, axis=0)
            start, end = frame_time(frames[first], rate), frame_time(frames[last], rate)
            span = Span(start=start - ease, end=end + ease, ease_in=ease, ease_out=ease)
            x, y, z = middle.tolist()
            lock = Lock(id="new", name=f"{name} down", joint=joint, position=(x, y, z), span=span)
            made.append((lock, float(np.linalg.norm(inside - middle, axis=1).max())))
        return made


def _frames(document: Document, owner: Actor) -> range:
    """The document's frames while the actor moves."""
    extents = [extent for layer in owner.layers if (extent := layer_extent(layer)) is not None and not layer.mute]
    if not extents:
        raise NothingThere(f"{owner.name} does not move", remedy="Set keys, or import a capture, first")
    frame = ticks_per_frame(document.rate)
    first, last = min(start for start, _ in extents), max(end for _, end in extents)
    return range(round(first / frame), round(last / frame) + 1)


def _places(evaluator: Evaluation, document: Document, owner: Actor, frames: range) -> Generator[float, None, Array]:
    """Sample the position of each joint at each frame [m], shape [frame_count, joint_count, 3]."""
    import numpy as np

    places, pace = np.empty((len(frames), len(owner.figure.joints), 3)), Pace()
    for row, frame in enumerate(frames):
        places[row] = evaluator.joint_transforms(document, owner.id, frame_time(frame, document.rate))[:, :, 3]
        if pace.due():
            yield row / len(frames)
    return places


def _leg_length(owner: Actor) -> float:
    """Measure the height of the root over the lowest joint at rest [m]."""
    from engine.ik.joint_map import rest_places

    heights = [float(place[1]) for place in rest_places(owner.figure).values()]
    return max(heights[0] - min(heights), _LEAST_LEG)
