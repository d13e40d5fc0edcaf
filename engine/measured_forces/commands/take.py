"""TakeForces: forces of a MOT, STO or C3D file put on the bodies of a figure, each on the foot that is nearest to it.

While a plate carries, the centre of its foot's body stays near the point where it acts. Of the bodies that are about
as near on average, weighed by the force, the heaviest is taken: heel and midfoot rather than toes or ankle. Importing
this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Blob, Document
from engine.document.extent import acting_extent
from engine.document.measured_forces import MeasuredForce
from engine.document.ticks import frame_time
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, UnreadableFile
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.formats.force_columns import PlateForce, PlateForces

CARRIES = 0.1  # of the greatest force of a plate, from which on it carries
LOOKED = 60  # times at which feet are looked for, at most
AS_NEAR = 1.6  # times the distance of the nearest body
FAR = 0.4  # [m] on average, from which on nobody stands there


def holds_forces(path: Path) -> bool:
    """Tell whether a file has columns of forces that act at points, or plates."""
    from engine.formats import c3d_plates, force_columns

    suffix = path.suffix.lower()
    if suffix == ".c3d":
        return c3d_plates.holds_plates(path)
    return suffix in (".mot", ".sto") and force_columns.holds_forces(path)


def _forces_in(path: Path) -> PlateForces:
    from engine.formats import c3d_plates, force_columns

    return c3d_plates.read_plates(path) if path.suffix.lower() == ".c3d" else force_columns.read_forces(path)


@dataclass(frozen=True, eq=False)
class TakenForces:
    """The edit, and what was found."""

    edit: Edit
    bodies: tuple[tuple[str, str, float], ...]  # plate, joint's name, distance [m]: 0 where the joint was said
    notes: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Say which plate is on which body."""
        near = (
            f"{plate} is on {joint}" + (f", {100.0 * off:.1f} cm away" if off else "")
            for plate, joint, off in self.bodies
        )
        return (*near, *self.notes)


@dataclass(frozen=True, kw_only=True)
class TakeForces(Gradual):
    """The command to put the measured forces of a file on an actor."""

    uses = ("motion",)

    actor: str
    path: Path
    bodies: tuple[tuple[str, str], ...] = ()  # of plates, by their names in the file, the joints; else the nearest

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Put forces of {self.path.name} on {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, TakenForces]:
        """Find the edit; yields the share that is done."""
        owner, found = document.actor(self.actor), _forces_in(self.path)
        said = self._said(owner, found)
        made, bodies = list[MeasuredForce](), list[tuple[str, str, float]]()
        for number, plate in enumerate(found.plates):
            yield number / len(found.plates)
            joint, off = (said[plate.name], 0.0) if plate.name in said else self._nearest(
                evaluator, document, owner, found, plate
            )  # fmt: skip
            made.append(
                MeasuredForce(
                    id=plate.name,
                    name=plate.name,
                    joint=joint,
                    values=Blob(plate.values),
                    rate=found.rate,
                    start=found.start,
                )
            )
            bodies.append((plate.name, owner.figure.joint(joint).name, off))
        return TakenForces(
            edit("put_measured_forces", actor=self.actor, forces=tuple(made)), tuple(bodies), found.notes
        )

    def _said(self, owner: Actor, found: PlateForces) -> Mapping[str, str]:
        names = [each.name for each in found.plates]
        for plate, joint in self.bodies:
            if plate not in names:
                raise InvalidArguments(what="a plate of the file", value=plate, allowed=", ".join(names))
            owner.figure.joint(joint)
        return dict(self.bodies)

    def _nearest(
        self, evaluator: Evaluation, document: Document, owner: Actor, found: PlateForces, plate: PlateForce
    ) -> tuple[str, float]:
        """The joint whose body is near the plate while it carries, and how far its centre is on average [m]."""
        import numpy as np

        from engine.model.inertia import body_of

        sizes = np.linalg.norm(plate.values[:, :3], axis=1)
        frames = np.flatnonzero(sizes >= max(CARRIES * float(sizes.max()), 1e-9))
        ticks = np.array([found.start + frame_time(int(frame), found.rate) for frame in frames], dtype=np.int64)
        extents = [each for each in map(acting_extent, owner.layers) if each is not None]
        if extents:
            first, last = min(each[0] for each in extents), max(each[1] for each in extents)
            inside = (ticks >= first) & (ticks <= last)
            frames, ticks = frames[inside], ticks[inside]
        if not len(frames):
            found_there = f"{plate.name} carries nothing while {owner.name} moves"
            remedy = "Choose the forces of the same trial, or say on which body they are."
            raise UnreadableFile(path=self.path, found=found_there, remedy=remedy)
        chosen = np.unique(np.linspace(0, len(frames) - 1, LOOKED).astype(int))
        bodies = [body_of(joint) for joint in owner.figure.joints]
        centres, off = np.array([each.centre for each in bodies]), np.zeros(len(bodies))
        for row in chosen.tolist():
            stand = evaluator.joint_transforms(document, owner.id, int(ticks[row]))
            places = np.einsum("jab,jb->ja", stand[:, :, :3], centres) + stand[:, :, 3]
            off += sizes[frames[row]] * np.linalg.norm(places - plate.values[frames[row], 3:6], axis=1)
        off /= sizes[frames[chosen]].sum()
        if not float(off.min()) <= FAR:
            found_there = f"{plate.name} acts {off.min():.2f} m away from the nearest body of {owner.name}"
            remedy = "Move the figure with the same trial first, or say on which body it is."
            raise UnreadableFile(path=self.path, found=found_there, remedy=remedy)
        near = np.flatnonzero(off <= AS_NEAR * float(off.min()))
        best = max(near.tolist(), key=lambda place: bodies[place].mass)
        return owner.figure.joints[best].id, float(off[best])
