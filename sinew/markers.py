"""Captured markers: a figure fitted to them, and scaled to the person who wore them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sinew.finding import actor_of, evaluator, finished, prepare

if TYPE_CHECKING:
    from engine.document import Document
    from engine.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class Fitted:
    """How near a figure comes to its markers."""

    rms: float  # [m] of all markers in all frames
    worst: tuple[str, float, float]  # the marker that is off most, by how much [m], and when [s]
    markers: dict[str, float]  # RMS error of each [m]
    errors: dict[str, Array] = field(repr=False)  # of each marker in each frame [m], nan where it was not seen
    unmatched: tuple[str, ...] = ()  # markers that the figure has no end-effector for


@dataclass(frozen=True, eq=False)
class Scaled:
    """By how much bodies grew."""

    factors: dict[str, float]  # by the ids of joints
    mass: float  # [kg] of the figure


def fit_markers(
    document: Document,
    markers: str | Path,
    *,
    actor: str | None = None,
    weights: Mapping[str, float] | None = None,
    start: float | None = None,
    end: float | None = None,
) -> tuple[Document, Fitted]:
    """Move a figure so that its end-effectors follow the markers of a file (TRC, C3D) that have their names, as a layer
    of it; joint limits hold. `weights` by markers, 1 where none is given; from a time to another [s]."""
    from engine.commands.fit_markers import FitMarkers
    from engine.document.values import new_id

    owner = actor_of(document, actor)
    prepare(document, *FitMarkers.uses)
    command = FitMarkers(
        actor=owner.id,
        path=Path(markers),
        id=new_id("layer"),
        weights=tuple((weights or {}).items()),
        start=_ticks(start),
        end=_ticks(end),
    )
    found = finished("fitting", command.work_through(evaluator(), document))
    fit = found.fit
    labels = fit.match.labels
    said = Fitted(
        rms=fit.rms,
        worst=fit.worst,
        markers=dict(zip(labels, fit.marker_rms, strict=True)),
        errors=dict(zip(labels, fit.errors.T, strict=True)),
        unmatched=fit.match.unmatched_markers,
    )
    return found.edit.apply(document), said


def scale_to_markers(
    document: Document,
    markers: str | Path,
    *,
    actor: str | None = None,
    mass: float | None = None,
    pairs: Sequence[tuple[str, str, str]] = (),
    place: bool = False,
    start: float | None = None,
    end: float | None = None,
) -> tuple[Document, Scaled]:
    """Make the bodies of a figure as large as those of the person who wore the markers of a file: by pairs of a joint
    and two markers, or by pose and size in turn. `mass` [kg] is that of the whole figure; `place` puts end-effectors
    where the markers were, on average."""
    from engine.commands.fit_markers import ScaleToMarkers

    owner = actor_of(document, actor)
    prepare(document, *ScaleToMarkers.uses)
    command = ScaleToMarkers(
        actor=owner.id,
        path=Path(markers),
        pairs=tuple(pairs),
        mass=mass,
        place=place,
        start=_ticks(start),
        end=_ticks(end),
    )
    found = finished("scaling", command.work_through(evaluator(), document))
    return found.edit.apply(document), Scaled(dict(found.scaling.factors), found.scaling.mass)


def _ticks(seconds: float | None) -> int | None:
    from engine.queries.naming import ticks_of

    return None if seconds is None else ticks_of(seconds, "a range")
