"""BuildLimits: joint limits out of what clips go through (Engell-Norregard 2012, section 14.1), as one edit.

Clips are what actors of the document do, locks kept, and what files hold; an angle of another figure is taken for the
hinge of the same names, about the same axis. Worked through in slices on the engine's thread; importing this module
loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.commands.make_limit import grid_over, hinges_of, new_limit
from engine.document import Actor, Blob, Document, Figure, Limit
from engine.document.extent import layer_extent
from engine.document.limit import MOST_ANGLES, SampledRange
from engine.document.pose import names_of, partners
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation

    Array = NDArray[np.float64]
    _Clip = tuple[str, Array]  # whose, and its angles

_SAMPLED = 0.3  # share of the work after which clips are read
_LEAP = math.pi / 2  # [rad] that no joint turns from one frame to the next
_SAME_AXIS = 1e-6


@dataclass(frozen=True, kw_only=True)
class BuildLimits(Gradual):
    """The command to build limits of some joints of an actor from motion."""

    uses = ("limits",)

    actor: str
    joints: tuple[str, ...]
    actors: tuple[str, ...] = ()  # of the document, whose motion is taken
    files: tuple[Path, ...] = ()
    ids: tuple[str, ...]  # of the limits that are new, one for each joint
    nodes: int = 32  # along each axis
    margin: float = 0.1  # [rad]
    keeps_holes: bool = False
    mirrored: bool = False  # what one side does, the other may do
    together: bool = False  # one limit over the angles of all joints, where one depends on the other

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        names = [document.actor(self.actor).figure.joint(each).name for each in self.joints]
        return f"Build limits of {', '.join(names) if len(names) <= 3 else f'{len(names)} joints'}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """The edit that does it; yields the share that is done."""
        figure = document.actor(self.actor).figure
        if not self.joints or len(self.ids) < len(self.joints):
            raise InvalidArguments(what="the joints to limit", value=len(self.joints), allowed="one and more")
        clips = yield from within(self._clips(evaluator, document, figure), 0.0, _SAMPLED)
        if self.together:
            limit = _dependent(figure, self, clips)
            yield from within(_compiled(figure, [limit]), _SAMPLED, 1.0)
            return edit("set_limit", actor=self.actor, limit=limit)
        limits = []
        for joint, id in zip(self.joints, self.ids, strict=False):
            made = sampled_limit(
                figure, joint, clips, id=id, nodes=self.nodes, margin=self.margin, keeps_holes=self.keeps_holes
            )
            limits.append(made)
            yield _SAMPLED
        yield from within(_compiled(figure, limits), _SAMPLED, 1.0)
        return edit("put_limits", actor=self.actor, limits=tuple(limits))

    def _clips(self, evaluator: Evaluation, document: Document, figure: Figure) -> Generator[float, None, list[_Clip]]:
        """Whose each clip is, and its angles in the figure's coordinates, where it has them; the actor's own first."""
        count = len(self.actors) + len(self.files)
        if not count:
            raise NothingThere("No clip is chosen to build from", remedy="Tick an actor, a motion or a file")
        found: list[_Clip] = []
        done = 0
        for id in sorted(self.actors, key=lambda each: each != self.actor):
            actor = document.actor(id)
            part = within(_motion(evaluator, document, actor, figure), done / count, (done + 1) / count)
            found.append((actor.name, (yield from part)))
            done += 1
        for path in self.files:
            part = within(clip_of_file(path, document, figure), done / count, (done + 1) / count)
            found.append((path.name, (yield from part)))
            done += 1
        return [*found, *mirrored_clips(figure, found)] if self.mirrored else found


def sampled_limit(
    figure: Figure, joint: str, clips: Sequence[_Clip], *, id: str, nodes: int, margin: float, keeps_holes: bool
) -> Limit:
    """The limit of all hinges of a joint around what they go through in clips."""
    import numpy as np

    dofs = hinges_of(figure.joint(joint))
    own = _samples_of(figure, dofs, clips)
    samples = SampledRange(angles=Blob(np.concatenate(own)), clips=tuple(map(len, own)), keeps_holes=keeps_holes)
    grid = grid_over(figure, dofs, samples, (nodes,) * len(dofs), margin)
    return new_limit(figure, dofs, samples, grid, id=id, margin=margin)


def turned_back(angles: Array, beside: Array | None = None) -> Array:
    """Angles beyond a turn brought back by whole turns, all samples of a hinge alike where one way does; those of a
    further clip brought beside those of the first, as an angle and the same a turn later are two places of a limit,
    where they stay within a turn there."""
    import numpy as np

    far = np.abs(angles).max(axis=0) > math.tau
    shifted = angles - np.where(far, np.rint(_middle(angles) / math.tau) * math.tau, 0.0)
    far = np.abs(shifted).max(axis=0) > math.tau
    shifted = np.where(far, np.remainder(shifted + math.pi, math.tau) - math.pi, shifted)
    if beside is not None:
        moved = shifted - np.rint((_middle(shifted) - _middle(beside)) / math.tau) * math.tau
        shifted = np.where(np.abs(moved).max(axis=0) > math.tau, shifted, moved)
    return np.asarray(shifted)


def _middle(angles: Array) -> Array:
    import numpy as np

    return np.asarray(0.5 * (angles.min(axis=0) + angles.max(axis=0)))


def _motion(evaluator: Evaluation, document: Document, actor: Actor, figure: Figure) -> Generator[float, None, Array]:
    """Sample what an actor does from its first key or sample to its last, in another figure's coordinates."""
    import numpy as np

    from engine.sampling import sample_gradually

    extents = [extent for layer in actor.layers if not layer.mute and (extent := layer_extent(layer)) is not None]
    if not extents:
        raise NothingThere(f"{actor.name} does not move", remedy="Take an actor with keys or a capture")
    start, end = min(each[0] for each in extents), max(each[1] for each in extents)
    samples = yield from sample_gradually(evaluator, document, actor.id, document.rate, start, end)
    values = samples.values.array
    if actor.figure is figure:
        return np.array(values)
    found = np.full((len(values), len(figure.coordinates)), np.nan)
    own, place = actor.figure.coordinate_dof, actor.figure.coordinate_index
    for name, target in partners(figure, names_of(actor.figure)).items():
        if _alike(own[name].axis, figure.coordinate_dof[target].axis):
            found[:, figure.coordinate_index[target]] = values[:, place[name]]
    return found


def clip_of_file(path: Path, document: Document, figure: Figure) -> Generator[float, None, Array]:
    """Sample what a file holds in a figure's coordinates, nan where it has none of them; yields the share done."""
    from engine.commands.bring_in import bring_in

    found = bring_in(path)
    yield 0.5
    if found.actor is None:
        raise InvalidArguments(what="the file to build from", value=path.name, allowed="one that holds a motion")
    from engine.evaluate.evaluator import Evaluator

    alone = Document(actors=(found.actor,), rate=found.rate or document.rate)
    return (yield from within(_motion(Evaluator(), alone, found.actor, figure), 0.5, 1.0))


def mirrored_clips(figure: Figure, clips: Sequence[_Clip]) -> list[_Clip]:
    """Clips as the other side does them."""
    from engine.motion.mirror import mirror_rows

    return [(f"{name}, mirrored,", mirror_rows(figure, clip)) for name, clip in clips]


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < _SAME_AXIS for a, b in zip(one, other, strict=True))


def _dependent(figure: Figure, command: BuildLimits, clips: Sequence[_Clip]) -> Limit:
    from engine.limits.dependent import dependent_limit

    dofs = tuple(dof for joint in command.joints for dof in hinges_of(figure.joint(joint)))
    if len(command.joints) < 2 or len(dofs) > MOST_ANGLES:
        allowed = f"of two joints and more, {MOST_ANGLES} in all"
        raise InvalidArguments(what="the hinges of a dependent limit", value=len(dofs), allowed=allowed)
    own = _samples_of(figure, dofs, clips)
    names = " with ".join(figure.joint(each).name for each in command.joints)
    made = dependent_limit(command.ids[0], names, dofs, own, margin=command.margin)
    return new_limit(figure, dofs, made.range, made.grid, id=made.id, margin=made.margin)


def _samples_of(figure: Figure, dofs: Sequence[str], clips: Sequence[_Clip]) -> list[Array]:
    """The angles of some hinges in the clips that have them; refused where they tell nothing, or leap."""
    import numpy as np

    columns = [figure.coordinate_index[each] for each in dofs]
    named = [(name, clip[:, columns]) for name, clip in clips if np.isfinite(clip[:, columns]).all()]
    found = [clip for _, clip in named]
    names = " with ".join(dict.fromkeys(figure.dof_joint[each].name for each in dofs))
    if sum(map(len, found)) < 2:
        value = "one sample" if found else "none that has its angles"
        allowed = "two frames and more" if found else "clips in which it has the same hinges, about the same axes"
        raise InvalidArguments(what=f"the clips for {names}", value=value, allowed=allowed)
    for joint in dict.fromkeys(figure.dof_joint[each].id for each in dofs):
        places = [place for place, each in enumerate(dofs) if figure.dof_joint[each].id == joint]
        axes = np.array([figure.coordinate_dof[dofs[place]].axis for place in places])
        for name, clip in named:
            _check_leaps(f"the clip of {name} for {figure.joint(joint).name}", axes, clip[:, places])
    first = turned_back(found[0])
    return [first, *(turned_back(each, first) for each in found[1:])]


def _check_leaps(what: str, axes: Array, angles: Array) -> None:
    """Refuse samples of one joint between which it turns as no joint does: the way between them is anybody's guess."""
    import numpy as np

    from engine.maths.rotation_arrays import chain

    poses = chain(axes, angles)
    turns = np.arccos(np.clip(0.5 * (np.einsum("nij,nij->n", poses[:-1], poses[1:]) - 1.0), -1.0, 1.0))
    if len(turns) and turns.max() > _LEAP:
        frame, degrees = int(turns.argmax()) + 1, math.degrees(_LEAP)
        value = f"a turn of {math.degrees(turns.max()):.0f} degrees from frame {frame} to frame {frame + 1}"
        allowed = f"at most {degrees:.0f} degrees from frame to frame: mend the clip there, or leave the joint out"
        raise InvalidArguments(what=what, value=value, allowed=allowed)


def _compiled(figure: Figure, limits: Sequence[Limit]) -> Generator[float, None, None]:
    """Work out the fields, so that what is wrong is refused before anything is kept."""
    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field

    for place, limit in enumerate(limits, start=1):
        compile_field(limit, axes_of(figure, limit))
        yield place / len(limits)
