"""The stage of light: it moves nothing, and says what shines on a picture and how actors look in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.document import Document
from engine.evaluation import Evaluation, SceneState, Stage
from engine.lighting.parts import Finish, Lighting
from engine.model.snapshot import ActorFinish, SceneLight, SnapshotItem


class LightingStage(Stage):
    """The light of one evaluator's pictures."""

    def __init__(self, evaluation: Evaluation) -> None:
        pass

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell nobody: coordinates stay as they are."""
        return False

    def items(self, document: Document, time: int, scene: SceneState) -> Iterable[SnapshotItem]:
        """Give the lights, and the finish of actors that have one."""
        lights = document.part(Lighting)
        if lights is not None:
            yield SceneLight(
                azimuth=lights.azimuth, elevation=lights.elevation, with_view=lights.with_view, key=lights.key,
                angle=lights.size, fill=lights.fill, rim=lights.rim, sky=lights.sky, background=lights.background,
                floor=lights.floor, horizon=lights.horizon,
            )  # fmt: skip
        for actor in document.actors:
            finish = actor.part(Finish) if actor.parts else None
            if finish is not None:
                yield ActorFinish(owner=actor.id, colour=finish.colour, roughness=finish.roughness)
