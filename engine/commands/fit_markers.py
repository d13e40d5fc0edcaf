"""FitMarkers: a figure moved so that its handles follow captured markers, as one layer of samples; ScaleToMarkers: its
bodies made as large as those of the person who wore them.

Both read a capture of the scene, or a file. They work on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Document
from engine.document.capture import MarkerGaps
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere, UnreadableFile
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.markers.captured_markers import CapturedMarkers
    from engine.markers.fitting import MarkerFit
    from engine.markers.scaling import Pair, Scaling

Weights = tuple[tuple[str, float], ...]

_READ = 0.05  # of the work, till the markers are there


@dataclass(frozen=True, eq=False)
class FittedMarkers:
    """The edit, and how near the figure comes."""

    edit: Edit
    fit: MarkerFit


@dataclass(frozen=True, eq=False)
class ScaledToMarkers:
    """The edit, and what it is by."""

    edit: Edit
    scaling: Scaling


@dataclass(frozen=True, kw_only=True)
class FitMarkers(Gradual):
    """The command to move an actor with the markers of `source`, a capture, or of the file `path`."""

    uses = ("markers", "limits")

    actor: str
    id: str  # of the layer
    source: str | None = None
    path: Path | None = None
    weights: Weights = ()  # by markers; 1 where none is given
    start: int | None = None  # from when to when [ticks]; None: the whole capture
    end: int | None = None

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Fit {document.actor(self.actor).name} to {_called(document, self.source, self.path)}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, FittedMarkers]:
        """The edit and what it comes to; yields the share that is done."""
        from engine.markers.fitting import fitting_steps

        owner = document.actor(self.actor)
        markers = markers_from(document, self.source, self.path).within(self.start, self.end)
        yield _READ
        steps = fitting_steps(owner.figure, markers, weights=dict(self.weights), placement=owner.placement)
        fit = yield from within(steps, _READ, 1.0)
        layer = fit.layer(id=self.id, name=_called(document, self.source, self.path))
        return FittedMarkers(edit("add_layer", actor=self.actor, layer=layer), fit)


@dataclass(frozen=True, kw_only=True)
class ScaleToMarkers(Gradual):
    """The command to scale the bodies of an actor to the markers of `source`, a capture, or of the file `path`."""

    uses = ("markers", "limits")

    actor: str
    source: str | None = None
    path: Path | None = None
    pairs: tuple[Pair, ...] = ()  # a joint and two markers each; none: by pose and size in turn
    mass: float | None = None  # [kg]
    place: bool = False  # put the handles where the markers were
    weights: Weights = ()
    start: int | None = None
    end: int | None = None

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Scale {document.actor(self.actor).name} to {_called(document, self.source, self.path)}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, ScaledToMarkers]:
        """The edit and what it comes to; yields the share that is done."""
        from engine.markers.scaling import ScaleBy, scaling_steps

        owner = document.actor(self.actor)
        markers = markers_from(document, self.source, self.path).within(self.start, self.end)
        yield _READ
        by = ScaleBy(pairs=self.pairs, mass=self.mass, place=self.place)
        steps = scaling_steps(owner.figure, markers, by, weights=dict(self.weights))
        found = yield from within(steps, _READ, 1.0)
        return ScaledToMarkers(
            edit(
                "scale_figure",
                actor=self.actor,
                factors=found.factors,
                heavier=found.heavier,
                points=found.points,
            ),
            found,
        )


def wearers(document: Document) -> tuple[Actor, ...]:
    """The figures that could be fitted: those with handles that are no captures themselves."""
    return tuple(each for each in document.actors if each.figure.handles and each.part(MarkerGaps) is None)


def marker_pairs(capture: Actor, owner: Actor) -> tuple[tuple[str, str | None], ...]:
    """Each marker of a capture with the name of the handle of a figure that it is for, None where there is none."""
    from engine.markers.names import pairs_of

    return pairs_of((each.name for each in capture.figure.joints), owner.figure)


def markers_from(document: Document, source: str | None, path: Path | None) -> CapturedMarkers:
    """The markers of a capture in the scene, or of a file."""
    from engine.markers.captured_markers import markers_of_actor

    if path is not None:
        return markers_of_actor(capture_in(path))
    if source is None:
        raise NothingThere("nobody says whose markers", remedy="Choose a capture of markers")
    return markers_of_actor(document.actor(source))


def capture_in(path: Path) -> Actor:
    """The capture of a file of markers."""
    from engine.commands.bring_in import bring_in
    from engine.markers.uses import capture_samples

    found = bring_in(path)
    actors = found.document.actors if found.document is not None else (found.actor,)
    for actor in actors:
        if actor is not None and capture_samples(actor) is not None:
            return actor
    raise UnreadableFile(path=path, found="no captured markers", remedy="Choose a file of markers: .trc or .c3d.")


def _called(document: Document, source: str | None, path: Path | None) -> str:
    if path is not None:
        return path.name.split(".")[0]
    return "nothing" if source is None else document.actor(source).name
