"""RetargetMotion: the motion of an actor, or of a file, given to another actor whose joints have other names.

What is carried over is the keyed motion, as a layer of frames on top of the actor's others; how a body followed it,
its targets and what corrected them are of that figure alone. Works on the engine's thread; importing this module loads
no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Blob, Document, Figure, Layer, Samples
from engine.document.extent import layer_extent
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere, UnreadableFile
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.ik.joint_map import JointMap

Pairs = tuple[tuple[str, str], ...]

KEYED = (60, 1)  # frames a second of keyed motions, which have none
_READ, _BEGUN = 0.2, 0.5  # shares of the work till a file is read, and till the whole clip is carried over


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The edit, and what it comes to."""

    edit: Edit
    pairs: Pairs  # source before target
    unmatched: tuple[str, ...]  # joints of the target that keep their rest pose
    contacts: int
    scale: float  # of the way of the hips
    slide: float  # [m] of held points along the floor
    sink: float  # [m] of held points below it


@dataclass(frozen=True, kw_only=True)
class RetargetMotion(Gradual):
    """The command to put the motion of `source`, another actor, or of the file `path` onto an actor."""

    uses = ("locks", "limits", "motion")

    actor: str
    id: str  # of the layer
    source: str | None = None
    path: Path | None = None
    pairs: Pairs | None = None  # source before target; None: as the names say
    keep_contacts: bool = True
    time: int | None = None  # at which it begins; None: when it does in its own scene

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Retarget {self._called(document)} onto {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Retargeted]:
        """The edit and what it comes to; yields the share that is done."""
        from engine.ik.joint_map import map_of
        from engine.ik.retarget import Retarget, Retargeting

        figure, layers, _ = self._moving(document)
        yield _READ
        target = document.actor(self.actor).figure
        joints: JointMap | None = None if self.pairs is None else map_of(figure, target, self.pairs)
        rate, start, end = span_of(layers)
        options = Retarget(joints=joints, keep_contacts=self.keep_contacts)
        found = Retargeting(figure, layers, target, rate=rate, start=start, end=end, options=options, at_once=False)
        yield from within(found.begin(), _READ, _BEGUN)
        values = yield from within(found.steps(), _BEGUN, 1.0)
        begins = start if self.time is None else self.time
        samples = Samples(coordinates=target.coordinates, values=Blob(values), rate=rate, start=begins)
        layer = Layer(id=self.id, name=self._called(document), samples=samples)
        slide, sink = yield from within(found.slip_gradually(), 1.0, 1.0)
        return Retargeted(
            edit=edit("add_layer", actor=self.actor, layer=layer),
            pairs=found.joints.pairs,
            unmatched=found.joints.unmatched,
            contacts=len(found.contacts),
            scale=found.scale,
            slide=slide,
            sink=sink,
        )

    def _called(self, document: Document) -> str:
        if self.path is not None:
            return self.path.name.split(".")[0]
        return "nothing" if self.source is None else document.actor(self.source).name

    def _moving(self, document: Document) -> tuple[Figure, tuple[Layer, ...], tuple[str, ...]]:
        if self.path is not None:
            return motion_of_file(self.path)
        if self.source is None or self.source == self.actor:
            allowed = "another figure of the scene, or a file"
            raise InvalidArguments(what="whose motion is retargeted", value=self.source or "nobody's", allowed=allowed)
        owner = document.actor(self.source)
        found = moving(owner)
        if found is None:
            raise NothingThere(f"{owner.name} does not move", remedy="Choose a figure with keys or a capture")
        return found


def moving(actor: Actor) -> tuple[Figure, tuple[Layer, ...], tuple[str, ...]] | None:
    """The figure of an actor, the layers of its motion, and what of it is not carried over; None where it has none."""
    layers = tuple(replace(layer, solo=False, correction=None) for layer in actor.layers)
    if not any(layer_extent(layer) is not None for layer in layers):
        return None
    corrected = any(layer.correction is not None for layer in actor.layers)
    lost = ["corrections that meet targets"] if corrected else []
    lost += ["secondary motion with its targets"] if actor.secondary is not None else []
    return actor.figure, layers, tuple(lost)


def motion_of_file(path: Path) -> tuple[Figure, tuple[Layer, ...], tuple[str, ...]]:
    """The first figure of a file that moves, likewise."""
    from engine.commands.bring_in import bring_in

    found = bring_in(path)
    for actor in found.document.actors if found.document is not None else (found.actor,):
        motion = None if actor is None else moving(actor)
        if motion is not None:
            return motion
    raise UnreadableFile(path=path, found="no figure that moves", remedy="Choose a file with a motion.")


def span_of(layers: Sequence[Layer]) -> tuple[tuple[int, int], int, int]:
    """The rate of a motion, and from when to when it goes [ticks]."""
    extents = [extent for extent in map(layer_extent, layers) if extent is not None]
    samples = next((layer.samples for layer in layers if layer.samples is not None), None)
    rate = KEYED if samples is None else samples.rate
    return rate, min(start for start, _ in extents), max(end for _, end in extents)


def suggested(source: Figure, target: Figure) -> Pairs:
    """The pairs of joints that the names say; none where no limb is known in both."""
    from engine.ik.joint_map import guess_map

    try:
        return guess_map(source, target).pairs
    except InvalidArguments:
        return ()


def has_limbs(figure: Figure) -> bool:
    """Tell whether there are arms or legs that another figure's motion could be put onto."""
    from engine.ik.joint_map import find_roles

    return any(role.startswith(("thigh", "upper arm")) for role in find_roles(figure))


def pairs_text(pairs: Pairs) -> str:
    """Pairs as a file holds them: a line each, source before target."""
    return "".join(f"{a} -> {b}\n" for a, b in pairs)


def read_pairs(path: Path, source: Figure, target: Figure) -> Pairs:
    """The pairs of a file whose joints both figures have; a line that is none is refused."""
    from engine.formats.text import read_text

    found: dict[str, str] = {}
    for number, line in enumerate(read_text(path, "a map of joints").lines, 1):
        a, arrow, b = (each.strip() for each in line.partition(" -> "))
        if line.strip() and not (arrow and a and b):
            remedy = "Write a line for each joint: the one of the capture, ->, the one of the figure."
            raise UnreadableFile(path=path, found=f"{line.strip()!r}", remedy=remedy, line=number)
        if a in source.joint_index and b in target.joint_index:
            found[b] = a
    if not found:
        remedy = "Choose a map for these two figures."
        raise UnreadableFile(path=path, found="no pair of joints that both figures have", remedy=remedy)
    return tuple((found[joint.id], joint.id) for joint in target.joints if joint.id in found)
