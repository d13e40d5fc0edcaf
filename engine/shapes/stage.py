"""The stage of blend shapes: above all that moves joints. It poses nobody; it draws surfaces.

What a surface follows, the joint's frame at the steps of a window, is worked out as any frame is, and kept until an
edit touches its time. Corrections are found by what they were worked out of: numbers that are the same have the same
corrections, whatever was shown before. At a time with a draft nothing is simulated: what is tried out there is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.evaluation import Evaluation, SceneState, Stage
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.model.kinematics import compute_forward_kinematics
from engine.model.skins import vertex_normals
from engine.model.snapshot import SkinSurface, SnapshotItem
from engine.motion.changed import changed_span
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.corrections import Corrected, ShapeCorrection
from engine.shapes.keyed import KeyedShapes, weights_of
from engine.shapes.meeting import ShapeMiss, groups_of, meet
from engine.shapes.parts import BlendShapes, ShapeTarget
from engine.shapes.tracking import ShapeModel, compile_shapes, placed
from engine.shapes.uses import blend_shapes, shaped_actors, without_shapes

NAME = "shapes"
SURFACE = "surface"  # the id of the one skin
_TIMES_KEPT, _MODELS_KEPT, _MET_KEPT, _SEEN_KEPT = 20_000, 16, 32, 16

Met = tuple[ShapeCorrection, tuple[ShapeMiss, ...]]


@dataclass(frozen=True, eq=False)
class ShapedActor:
    """An actor's surface in one document: its model, its keys, and the corrections with which it meets its targets."""

    actor: Actor
    surface: BlendShapes
    model: ShapeModel
    keyed: KeyedShapes
    met: tuple[Met, ...]

    @cached_property
    def corrected(self) -> Corrected:
        """The keys that its secondary motion follows."""
        return Corrected(self.keyed, tuple(each for each, _ in self.met))

    @property
    def misses(self) -> tuple[ShapeMiss, ...]:
        """By how much each target is missed, by time."""
        return tuple(miss for _, misses in self.met for miss in misses)

    def vertices(self, time: float) -> Array:
        """The surface as it is seen at a time [m], in the world."""
        if self.surface.swings:
            return self.model.vertices(self.corrected, time)
        return self.model.keyed_vertices(self.keyed, time)

    def keyed_vertices(self, time: float) -> Array:
        """The surface as it is keyed, without corrections [m]."""
        return self.model.keyed_vertices(self.keyed, time)


@dataclass(eq=False)
class KnownFrames:
    """The frames of an actor's joint in one document, without surfaces and drafts."""

    document: Document
    bare: Document
    frames: Bounded[int, Array]


class ShapesStage(Stage):
    """Keeps models, frames and corrections between calls; used by one thread."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[str, KnownFrames] = {}
        self._models: Bounded[tuple[object, ...], ShapeModel] = Bounded(_MODELS_KEPT)
        self._met: Bounded[str, Met] = Bounded(_MET_KEPT)
        self._seen: Bounded[tuple[int, str], tuple[Document, ShapedActor]] = Bounded(_SEEN_KEPT)

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of surfaces."""
        return False

    def joints(self, actor: Actor) -> Iterable[tuple[str, str]]:
        """Name the joint that carries an actor's surface."""
        if blend_shapes(actor) is not None:
            yield actor.id, actor.figure.joints[0].id

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the surfaces."""
        for actor, _ in shaped_actors(document):
            seen = self.of(document, actor.id)
            drafted = any(layer.draft_at(time) for layer in actor.layers)
            if drafted:
                weights = weights_of(seen.surface.shapes, np.array([float(time)]))[0]
                frame = scene.frames[actor.id, actor.figure.joints[0].id]
                points = placed(seen.model.local(weights)[None], frame[None])[0]
            else:
                points = seen.vertices(time)
            yield surface_item(seen, points)

    def of(self, document: Document, actor: str) -> ShapedActor:
        """The surface of an actor in a document, its targets met."""
        known = self._seen.get((id(document), actor))
        if known is None or known[0] is not document:
            known = self._seen.keep((id(document), actor), (document, self._made(document, actor)))
        return known[1]

    def _made(self, document: Document, actor: str) -> ShapedActor:
        owner = without_drafts(document).actor(actor)
        surface = blend_shapes(owner)
        assert surface is not None, "an actor with blend shapes"
        model = self._model(surface, document)
        known = self._follow(document, actor)
        keyed = KeyedShapes(owner, surface, lambda ticks: self._frames(known, owner, ticks))
        met = tuple(self._meet(model, keyed, group) for group in groups_of(model, surface.met))
        return ShapedActor(document.actor(actor), surface, model, keyed, met)

    def _model(self, surface: BlendShapes, document: Document) -> ShapeModel:
        """Compile a surface; one with other keys and targets alone is the same."""
        bare = _bare_surface(surface)
        key = (bare, document.rate)
        found = self._models.kept.get(key)
        return self._models.keep(key, compile_shapes(bare, document.rate)) if found is None else found

    def _meet(self, model: ShapeModel, keyed: KeyedShapes, targets: tuple[ShapeTarget, ...]) -> Met:
        """Meet a group of targets; kept by all that is read for it."""
        digest = blake2b(f"{model.surface.digest} {model.step} {targets!r}".encode(), digest_size=16)
        for each in targets:
            sides = (-model.step, 0, model.step) if each.velocity != "free" else (0,)
            for side in sides:
                times = model.window(each.time + side)
                digest.update(keyed.weights(times).tobytes())
                digest.update(keyed.frames(times).tobytes())
                flags = (keyed.jumps(times[0], times[1]), keyed.jumps(times[1], times[2]))
                digest.update(bytes(flags))
        name = digest.hexdigest()
        found = self._met.get(name)
        return self._met.keep(name, meet(model, keyed, targets)) if found is None else found

    def _frames(self, known: KnownFrames, actor: Actor, ticks: Sequence[int]) -> Array:
        """The joint's frame at some ticks, those that are not known yet worked out together."""
        kept = known.frames.kept
        missing = list(dict.fromkeys(tick for tick in ticks if tick not in kept))
        fresh: dict[int, Array] = {}
        if missing:
            model = self._evaluation.model(actor)
            rows = self._evaluation.rows_at(known.bare, missing, below=NAME, of=(actor.id,))
            for tick, row in zip(missing, rows, strict=True):
                own, state = row[actor.id], model.new_state()
                state[:ROW] = own[:ROW]
                compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(own[ROW:]), state)
                first = model.transforms(state)[0]
                fresh[tick] = np.concatenate((first[:9].reshape(3, 3), first[9:, None]), axis=1)
        found = np.array([fresh[tick] if tick in fresh else kept[tick] for tick in ticks])
        for tick, frame in fresh.items():
            known.frames.keep(tick, frame)
        return found

    def _follow(self, document: Document, actor: str) -> KnownFrames:
        """The frames of an actor's joint in a document: those of the one before that no edit touched are there."""
        known = self._known.get(actor)
        if known is not None and known.document is document:
            return known
        bare = without_drafts(without_shapes(document.with_all_that_hold(actor)))
        begins = [] if known is None else _untouched(known, bare, actor)
        made = KnownFrames(document, bare, Bounded(_TIMES_KEPT, begins=begins))
        self._known[actor] = made
        return made


def surface_item(seen: ShapedActor, points: Array) -> SkinSurface:
    """Draw a surface whose vertices stand there."""
    triangles: NDArray[np.int32] = seen.surface.triangles.array
    text = f"shapes {seen.surface.triangles.digest} {len(points)}"
    return SkinSurface(
        owner=seen.actor.id,
        role="result",
        skin=SURFACE,
        topology=blake2b(text.encode(), digest_size=16).hexdigest(),
        triangles=triangles,
        body=np.zeros(len(points), dtype=np.int32),
        positions=points.astype(np.float32),
        normals=vertex_normals(points, triangles).astype(np.float32),
        visible=seen.actor.visible,
        colouring=seen.surface.colouring,
    )


def _bare_surface(surface: BlendShapes) -> BlendShapes:
    """A surface whose shapes are keyed nowhere, with no targets: what a model depends on."""
    shapes = (replace(each, name="", weight=0.0, track=None, least=0.0, most=1.0) for each in surface.shapes)
    return replace(surface, shapes=tuple(shapes), targets=(), motion=replace(surface.motion, on=True), colouring=None)


def _untouched(known: KnownFrames, bare: Document, actor: str) -> list[tuple[int, Array]]:
    spans = [
        (-math.inf if start is None else start, math.inf if end is None else end)
        for id, start, end in changed_span(known.bare, bare)
        if id == actor
    ]
    kept = known.frames.kept.items()
    return [(tick, frame) for tick, frame in kept if not any(start <= tick <= end for start, end in spans)]
