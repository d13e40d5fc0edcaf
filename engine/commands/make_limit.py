"""MakeLimit, ImportLimit: a joint limit out of what a joint has, of the limit that it has, or of a file, as an edit.

A limit over hinges that have one already takes its place: it keeps id, name, margin and whether it is on; strokes of
before go. Run on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Document, Figure, Joint, Limit
from engine.document.limit import MOST_ANGLES, BoxRange, ConeRange, Grid, MeshRange, Range, SampledRange
from engine.edits import Edit, edit
from engine.queries.limit_reach import bone_of
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.limits.surface import Boundary
    from engine.maths.arrays import Array

Kind = Literal["box", "cone", "polygon", "wrap"]
KINDS: dict[Kind, str] = {
    "box": "Limit from box", "cone": "Limit from cone", "polygon": "Limit from polygon", "wrap": "Shrink-wrap limit",
}  # fmt: skip
MESH_SUFFIX, FIELD_SUFFIX = ".obj", ".npz"
_SWING = math.pi / 3


@dataclass(frozen=True, kw_only=True)
class MakeLimit(AtOnce):
    """The command to make a limit over all hinges of a joint."""

    uses = ("limits",)

    actor: str
    joint: str
    kind: Kind
    id: str  # of the limit, where it is a new one
    old: str = ""  # the limit to wrap; where none is given, the one over the joint's hinges
    nodes: int = 32  # along each axis

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"{KINDS[self.kind]}: {document.actor(self.actor).figure.joint(self.joint).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        figure = document.actor(self.actor).figure
        joint = figure.joint(self.joint)
        if self.kind == "wrap":
            old = figure.limit(self.old) if self.old else limit_over(figure, hinges_of(joint))
            return edit("set_limit", actor=self.actor, limit=_wrapped(figure, joint, old))
        dofs = hinges_of(joint)
        old = limit_over(figure, dofs)
        margin = 0.0 if old is None else old.margin
        content = self._range(figure, joint, dofs, old)
        grid = grid_over(figure, dofs, content, (self.nodes,) * len(dofs), margin)
        made = new_limit(figure, dofs, content, grid, id=self.id, margin=margin)
        check_fields(figure, (made,))
        return edit("set_limit", actor=self.actor, limit=made)

    def _range(self, figure: Figure, joint: Joint, dofs: tuple[str, ...], old: Limit | None) -> Range:
        if self.kind == "box":
            return _box(joint, dofs)
        cone = _cone(figure, joint, dofs)
        if self.kind == "cone":
            return cone
        from engine.queries.limit_pointing import polygon_over

        grid = grid_over(figure, dofs, cone, (self.nodes,) * len(dofs), 0.0)
        return polygon_over(figure, old or new_limit(figure, dofs, cone, grid, id=self.id, margin=0.0))


@dataclass(frozen=True, kw_only=True)
class ImportLimit(AtOnce):
    """The command to import the range of a file as a limit over all hinges of a joint."""

    uses = ("limits",)

    actor: str
    joint: str
    path: Path
    id: str
    nodes: int = 32

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Import limit of {document.actor(self.actor).figure.joint(self.joint).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it; a file that does not fit is refused by name."""
        figure = document.actor(self.actor).figure
        dofs = hinges_of(figure.joint(self.joint))
        if self.path.name.lower().endswith(FIELD_SUFFIX):
            from engine.formats import limit_field

            found = limit_field.read(self.path)
            if len(found.hinges) != len(dofs):
                allowed = f"{len(dofs)}, the hinges of {figure.joint(self.joint).name}"
                raise InvalidArguments(what=f"the angles of {self.path.name}", value=len(found.hinges), allowed=allowed)
            made = new_limit(figure, dofs, found.range, found.grid, id=self.id, margin=0.0)
        else:
            from engine.formats import limit_mesh

            if len(dofs) not in (2, 3):
                raise InvalidArguments(
                    what="the hinges of a joint", value=len(dofs), allowed="two or three, for a mesh"
                )
            mesh = limit_mesh.read(self.path, len(dofs))
            grid = grid_over(figure, dofs, mesh, (self.nodes,) * len(dofs), 0.0)
            made = new_limit(figure, dofs, mesh, grid, id=self.id, margin=0.0)
        check_fields(figure, (made,))
        return edit("set_limit", actor=self.actor, limit=made)


def write_limit(path: Path, document: Document, actor: str, limit: str) -> None:
    """Write the field of a limit (.npz), or its boundary as a mesh (.obj), by the ending."""
    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field

    figure = document.actor(actor).figure
    meant = figure.limit(limit)
    field = compile_field(meant, axes_of(figure, meant))
    names = [f"{figure.dof_joint[each].name} {figure.coordinate_dof[each].name}" for each in meant.dofs]
    if path.name.lower().endswith(FIELD_SUFFIX):
        from engine.formats import limit_field

        limit_field.write(path, meant.grid, field.values, names)
        return
    from engine.document import Blob
    from engine.formats import limit_mesh
    from engine.limits.surface import zero_level

    if len(meant.dofs) not in (2, 3):
        allowed = "two or three, for a mesh; write its field instead"
        raise InvalidArguments(what=f"the angles of {meant.name}", value=len(meant.dofs), allowed=allowed)
    positions, faces = zero_level(meant.grid, field.values)
    limit_mesh.write(path, MeshRange(positions=Blob(positions), faces=Blob(faces)), names)


def hinges_of(joint: Joint) -> tuple[str, ...]:
    """The ids of a joint's hinges, in order; refused where it has none."""
    found = tuple(dof.id for dof in joint.dofs if dof.kind == "hinge")
    if not 1 <= len(found) <= MOST_ANGLES:
        raise InvalidArguments(what=f"the hinges of {joint.name}", value=len(found), allowed=f"1 to {MOST_ANGLES}")
    return found


def limit_over(figure: Figure, dofs: Sequence[str]) -> Limit | None:
    """The limit that a figure has over exactly these hinges."""
    return next((each for each in figure.limits if set(each.dofs) == set(dofs)), None)


def new_limit(figure: Figure, dofs: tuple[str, ...], content: Range, grid: Grid, *, id: str, margin: float) -> Limit:
    """A limit in place of the one over the same hinges, or a new one."""
    old = limit_over(figure, dofs)
    if old is not None:
        return replace(old, dofs=dofs, range=content, grid=grid, margin=margin, strokes=())
    names = dict.fromkeys(figure.dof_joint[each].name for each in dofs)
    return Limit(id=id, name=" with ".join(names), dofs=dofs, range=content, grid=grid, margin=margin)


def check_fields(figure: Figure, limits: Sequence[Limit]) -> None:
    """Work out the fields of limits, so that what is wrong is refused while a figure still has its former ones."""
    from engine.ik.regions import axes_of
    from engine.limits.field import compile_fields

    compile_fields(limits, [axes_of(figure, limit) for limit in limits], strict=True)


def grid_over(figure: Figure, dofs: Sequence[str], content: Range, counts: Sequence[int], margin: float) -> Grid:
    """The grid that a range over some hinges of one joint wants."""
    import numpy as np

    from engine.limits.ranges import grid_for

    return grid_for(content, counts, margin, np.array([figure.coordinate_dof[each].axis for each in dofs]))


def _box(joint: Joint, dofs: Sequence[str]) -> BoxRange:
    own = [dof for dof in joint.dofs if dof.id in dofs]
    return BoxRange(
        lower=tuple(-math.pi if dof.lower is None else dof.lower for dof in own),
        upper=tuple(math.pi if dof.upper is None else dof.upper for dof in own),
    )


def _cone(figure: Figure, joint: Joint, dofs: Sequence[str]) -> ConeRange:
    if len(dofs) != 3:
        allowed = "three: swing and twist"
        raise InvalidArguments(what=f"the hinges of {joint.name}", value=len(dofs), allowed=allowed)
    return ConeRange(axis=bone_of(figure, joint), swing=(_SWING, _SWING), twist=(-_SWING, _SWING))


def _wrapped(figure: Figure, joint: Joint, old: Limit | None) -> Limit:
    """A sphere shrunk onto what a limit allows now, strokes and margin included; it holds all samples that are allowed
    now."""
    from engine.document import Blob
    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field
    from engine.limits.signs import interpolate
    from engine.limits.wrapping import shrink_wrap, wrap_holding

    if old is None:
        raise NothingThere(f"{joint.name} has no limit to wrap", remedy="Build one first")
    axes = axes_of(figure, old)
    field = compile_field(old, axes)

    def around(boundary: Boundary) -> Limit:
        mesh = MeshRange(positions=Blob(boundary.positions), faces=Blob(boundary.faces))
        grid = grid_over(figure, old.dofs, mesh, old.grid.counts, 0.0)
        return replace(old, range=mesh, grid=grid, margin=0.0, strokes=())

    if not isinstance(old.range, SampledRange):
        return around(shrink_wrap(old.grid, field.values))
    samples = old.range.angles.array
    held = samples[interpolate(old.grid, field.values, samples) <= 0.0]

    def values_of(boundary: Boundary) -> Array:
        limit = around(boundary)
        return interpolate(limit.grid, compile_field(limit, axes).values, held)

    return around(wrap_holding(old.grid, field.values, held, values_of))
