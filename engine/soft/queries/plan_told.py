"""Reads what a search for a plan tells of itself (`engine.soft.control.telling`): what is planned, its iterates, and
shapes of bodies in these. Importing this module loads no kernel.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from engine.document import Blob, Document, Key
from engine.document.drafts import without_drafts
from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.model.snapshot import SkinSurface
    from engine.runtime.child import Json


class PlannedShapes(NamedTuple):
    """A body at some times of an iterate."""

    times: tuple[int, ...]  # [ticks] ascending
    points: bytes  # [m] of all points of its mesh, float32, shape [time_count, point_count, 3]
    way: tuple[Vector3, ...]  # [m] of its centre, over the span


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanIterate:
    """Where a search stands."""

    number: int
    until: int  # [ticks]: keyframes up to here count
    objective: float
    effort: float
    missed: tuple[tuple[float, float], ...]  # [m, m/s] of each keyframe, as `PlanAbout` lists them
    said: tuple[str, ...]
    keys: tuple[tuple[str, str, tuple[Key, ...]], ...]  # of alphas, by actor and spline
    forces: tuple[tuple[str, str, tuple[int, ...], bytes], ...]  # times and values, by actor and id of nodal forces
    shapes: Mapping[str, PlannedShapes]  # by actor


@dataclass(frozen=True, kw_only=True)
class PlanAbout:
    """Names what is searched for."""

    splines: tuple[tuple[str, str], ...]  # actor and id
    forces: tuple[tuple[str, str], ...]  # actor and id of nodal forces
    knots: tuple[int, ...]  # [ticks]
    keyframes: tuple[tuple[str, int], ...]  # actor and time [ticks]
    tolerance: float | None  # of steps, where it is another than that of the document


def read_about(told: Json) -> PlanAbout:
    """Read what is searched for."""
    found = cast(dict[str, Any], told)
    return PlanAbout(
        splines=tuple((str(actor), str(spline)) for actor, spline in found["splines"]),
        forces=tuple((str(actor), str(forces)) for actor, forces in found["forces"]),
        knots=tuple(map(int, found["knots"])),
        keyframes=tuple((str(actor), int(time)) for actor, time in found["keyframes"]),
        tolerance=None if found["tolerance"] is None else float(found["tolerance"]),
    )


def read_iterate(told: Json) -> PlanIterate:
    """Read an iterate."""
    found = cast(dict[str, Any], told)
    return PlanIterate(
        number=int(found["number"]),
        until=int(found["until"]),
        objective=float(found["objective"]),
        effort=float(found["effort"]),
        missed=tuple((float(place), float(speed)) for place, speed in found["missed"]),
        said=tuple(map(str, found["said"])),
        keys=tuple((str(actor), str(spline), _keys(keys)) for actor, spline, keys in found["parts"]),
        forces=tuple(
            (str(actor), str(id), tuple(map(int, times)), b64decode(values))
            for actor, id, times, values in found["forces"]
        ),
        shapes={
            actor: PlannedShapes(
                tuple(map(int, each["times"])),
                b64decode(each["points"]),
                tuple((float(x), float(y), float(z)) for x, y, z in each["way"]),
            )
            for actor, each in found["shapes"].items()
        },
    )


def kept_arguments(about: PlanAbout, iterate: PlanIterate) -> dict[str, Any]:
    """Give the arguments of the edit by which splines and nodal forces do what an iterate does."""
    given: dict[str, Any] = {"parts": iterate.keys, "tolerance": about.tolerance}
    if iterate.forces:
        given["forces"] = tuple(
            (actor, id, times, Blob.from_data(values, "<f8", (len(times), len(values) // (24 * len(times)), 3)))
            for actor, id, times, values in iterate.forces
        )
    return given


def _keys(told: list[list[float]]) -> tuple[Key, ...]:
    return tuple(Key(int(time), float(value), interpolation="linear") for time, value in told)


def planned_surfaces(
    evaluator: Evaluation, document: Document, shapes: Mapping[str, PlannedShapes]
) -> Generator[tuple[SkinSurface, ...] | None, None, None]:
    """Find the surfaces of bodies in an iterate, each body's in the order of its times; a body without a surface, or
    that is another by now, has none."""
    import numpy as np

    from engine.model.snapshot import SkinSurface
    from engine.soft.stage import SURFACE, SoftStage

    stage, found = evaluator.stage("soft"), list[SkinSurface]()
    simulation = stage.simulation(without_drafts(document)) if isinstance(stage, SoftStage) else None
    for actor, shape in shapes.items():
        member = (
            next((each for each in simulation.scene.members if each.actor.id == actor), None) if simulation else None
        )
        points = np.frombuffer(shape.points, dtype="<f4")
        if member is None or points.size != 3 * len(member.masses) * len(shape.times):
            continue
        for each in points.reshape(len(shape.times), -1, 3).astype(np.float64):
            surface = member.surface(each)
            if surface is not None:
                found.append(
                    SkinSurface(
                        owner=actor, role="onion", skin=SURFACE, topology=member.topology, triangles=member.triangles,
                        body=member.body_of_vertex, positions=surface[0], normals=surface[1],
                    )
                )  # fmt: skip
            yield None
    yield tuple(found)
