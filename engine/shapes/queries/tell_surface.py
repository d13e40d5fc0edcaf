"""tell_surface: the live job that tells a panel of a surface: weights at a time, what targets miss, how far it lags.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.uses import blend_shapes

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

MET = 1e-9  # [m] within which a target counts as met


@dataclass(frozen=True)
class TargetTold:
    """By how much a target is missed."""

    target: str
    distance: float  # [m]
    speed: float | None  # [m/s]
    iterations: int
    note: str

    @property
    def met(self) -> bool:
        """True if nobody could tell the difference."""
        return self.distance <= MET


@dataclass(frozen=True, kw_only=True)
class SurfaceTold:
    """The report on a surface."""

    actor: str
    time: int
    weights: tuple[tuple[str, float], ...]  # as they are keyed, by shape
    targets: tuple[TargetTold, ...]
    lag: float  # [m] of the vertex that is farthest from where it is keyed
    points: int  # that are simulated; 0: none

    def weight(self, shape: str) -> float | None:
        """The keyed weight of a shape."""
        return next((weight for id, weight in self.weights if id == shape), None)

    def told(self, target: str) -> TargetTold | None:
        """Find what is known of a target."""
        return next((each for each in self.targets if each.target == target), None)


def tell_surface(
    evaluator: Evaluation, document: Document, actor: str, time: int
) -> Generator[SurfaceTold | None, None, None]:
    """Answers once."""
    yield None
    if actor not in document.actor_index or blend_shapes(document.actor(actor)) is None:
        return
    import numpy as np

    from engine.shapes.stage import ShapesStage

    seen = cast(ShapesStage, evaluator.stage("shapes")).of(without_drafts(document), actor)
    weights = seen.keyed.weights(np.array([float(time)]))[0].tolist()
    swings = seen.surface.swings
    lag = 0.0
    if swings:
        away = seen.vertices(time) - seen.keyed_vertices(time)
        lag = float(np.linalg.norm(away, axis=1).max())
    yield SurfaceTold(
        actor=actor,
        time=time,
        weights=tuple((shape.id, weight) for shape, weight in zip(seen.surface.shapes, weights, strict=True)),
        targets=tuple(
            TargetTold(each.target, each.distance, each.speed, each.iterations, each.note) for each in seen.misses
        ),
        lag=lag,
        points=len(seen.model.controls.vertices) if swings else 0,
    )
