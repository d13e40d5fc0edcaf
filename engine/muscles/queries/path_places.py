"""path_places: the live job that says where points of a path stand that no joint carries unmoved: those on the ground
on which the figure is placed, and those that a degree of freedom moves.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.document.values import Vector3
from engine.muscles.uses import muscles_of
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class PathPlaces:
    """Of one muscle at a time."""

    actor: str
    time: int
    muscle: str
    ground: tuple[float, ...]  # the frame of the ground in the world: rotation row by row, then position [m]
    moved: tuple[tuple[int, Vector3], ...]  # numbers of points that are moved, and where each is [m] in its joint


def path_places(
    evaluator: Evaluation, document: Document, actor: str, time: int, muscle: str
) -> Generator[PathPlaces | None, None, None]:
    """Answers once."""
    yield None
    owner = document.actor(actor) if actor in document.actor_index else None
    found = None if owner is None else muscles_of(owner)
    if owner is None or found is None:
        return
    import numpy as np

    from engine.maths.splines import spline_value
    from engine.model.compile import ROW
    from engine.model.driven_kernels import follow
    from engine.muscles.stage import NAME, MusclesStage

    figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, found)
    row = evaluator.rows_at(document.with_all_that_hold(actor), [time], of=(actor,))[0][actor]
    q = follow(figure.model.driven, np.ascontiguousarray(row[ROW:]))
    own, places = found.muscle(muscle), list[tuple[int, Vector3]]()
    for number, point in enumerate(() if own is None else own.points):
        if point.curves:
            place = list(point.point)
            for each in point.curves:
                at, values = zip(*each.knots, strict=True)
                place[each.axis] = spline_value(at, values, float(q[owner.figure.coordinate_index[each.dof]]))
            places.append((number, (place[0], place[1], place[2])))
    yield PathPlaces(
        actor=actor, time=time, muscle=muscle, ground=tuple(row[:ROW].tolist()), moved=tuple(places)
    )  # fmt: skip
