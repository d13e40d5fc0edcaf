"""PutPose: the edit that gives a figure a pose: pasted, mirrored, blended, keyed, or back to rest.

What is worked out is where the values come from and what becomes of them; `engine.edits.poses.pose_edit` says how they
are kept. Values blend from the pose that is seen: angles and lengths in proportion, balls along the shorter arc; a
share above 1 goes on beyond the pose, up to the limits. Runs on the engine's thread; importing this module loads no
kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Actor, Document, Figure
from engine.document.pose import Values, coordinates_of
from engine.edits import Edit, edit
from engine.edits.poses import as_keyed, document_as_keyed, pose_edit, pose_layer
from engine.maths.quaternions import slerp
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

MOST_SHARE = 1.2
_SAME = 1e-6  # [rad or m]


@dataclass(frozen=True, kw_only=True)
class PutPose(AtOnce):
    """The command to put these values, or those that are seen, on some joints of an actor at a time."""

    actor: str
    time: int
    title: str  # what a person reads in the history
    values: Values | None = None  # None: the pose that is seen
    read: frozenset[str] | None = None  # joints whose values count; None: all
    channels: frozenset[str] | None = None  # coordinates that count; None: all
    written: frozenset[str] | None = None  # joints that they are put on, once mirrored; None: all that they are of
    mirrored: bool = False
    share: float = 1.0  # of the way from what is seen to the values
    auto_key: bool = True
    key: bool = False  # keys, whatever there was

    @property
    def needs(self) -> tuple[str, ...]:
        """A key may be the first one."""
        return ("playing",) if self.key else ()

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return self.title

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        owner = document.actor(self.actor)
        figure = owner.figure
        row = evaluator.coordinates(document_as_keyed(document, owner.id), owner.id, [self.time])[0].tolist()
        seen = dict(zip(figure.coordinates, row, strict=True))
        values = self._wanted(figure, seen)
        layer = pose_layer(owner, self.time)
        if self.key:
            return edit("key_pose", actor=owner.id, layer=layer.id, time=self.time, values=values)
        if not layer.tracks and layer.draft_at(self.time) is None:
            values = _moved(figure, seen, values)  # a constant pose holds no more than it needs
        change = pose_edit(document, owner.id, self.time, values, auto_key=self.auto_key)
        _check_shown(evaluator, change.apply(document).actor(owner.id), self.time, values)
        return change

    def _wanted(self, figure: Figure, seen: Mapping[str, float]) -> Values:
        values = tuple(seen.items()) if self.values is None else self.values
        values = _only(figure, values, self.read)
        if self.channels is not None:
            values = tuple(item for item in values if item[0] in self.channels)
        if self.mirrored:
            from engine.motion.mirror import mirror_pose

            values = mirror_pose(figure, values)
        values = _only(figure, values, self.written)
        if not values:
            remedy = "Select joints that it has, or the whole figure"
            raise NothingThere(f"The pose has no values for what is chosen of {figure.name}", remedy=remedy)
        return values if self.share == 1.0 else blended(figure, seen, values, self.share)


def blended(figure: Figure, seen: Mapping[str, float], wanted: Values, share: float) -> Values:
    """Values by a share on the way from what is seen to what is wanted."""
    if not 0.0 <= share <= MOST_SHARE:
        raise InvalidArguments(what="the share of a pose", value=share, allowed=f"0 to {MOST_SHARE}")
    mixed = {name: seen[name] + share * (value - seen[name]) for name, value in wanted}
    goals = dict(wanted)
    for dof in figure.dofs:
        if dof.kind == "ball" and all(name in goals for name in dof.coordinates):
            start, end = ([each[name] for name in dof.coordinates] for each in (seen, goals))
            mixed.update(zip(dof.coordinates, slerp(start, end, share), strict=True))
    return tuple((name, mixed[name]) for name, _ in wanted)


def _only(figure: Figure, values: Values, joints: frozenset[str] | None) -> Values:
    if joints is None:
        return values
    chosen = set(coordinates_of(figure, joints))
    return tuple(item for item in values if item[0] in chosen)


def _moved(figure: Figure, seen: Mapping[str, float], values: Values) -> Values:
    """Without degrees of freedom that stand so already."""
    moved = {figure.coordinate_dof[name].id for name, value in values if value != seen[name]}
    return tuple(item for item in values if figure.coordinate_dof[item[0]].id in moved)


def _check_shown(evaluator: Evaluation, owner: Actor, time: int, values: Values) -> None:
    """Layers that are added, weighed, masked or recorded would show something else."""
    figure = owner.figure
    row = evaluator.motion(as_keyed(owner), float(time)).at(float(time))[0].tolist()
    for name, value in values:
        dof, shown = figure.coordinate_dof[name], row[figure.coordinate_index[name]]
        if dof.driven:
            continue
        if dof.kind != "ball" and dof.id not in figure.limited and abs(shown - dof.clamp(value)) > _SAME:
            layer = pose_layer(owner, time).name or "the layer that keys go to"
            raise InvalidArguments(
                what=f"the pose of {owner.name}",
                value=f"not {layer}'s to give at this time",
                allowed="a layer on top that replaces the pose in full; choose or add one in the Layers panel",
            )
