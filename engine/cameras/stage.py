"""The stage of cameras: it carries and turns those that are pinned, each as a whole, and says what each of them sees.

A camera that follows is moved by the way from its pin's anchor to where the joint is now. One that is aimed is turned
about its eye so that its -Z points at the joint and its X is level; where it looks straight up or down it keeps the
side that its keys give it, as far as it can. Coordinates stay as they are keyed: the actor's base moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from engine.cameras.parts import NEAREST_FOCUS, FilmCamera, cameras_in, film_camera
from engine.cameras.queries.making import EYE, FILM
from engine.document import Actor, Document
from engine.evaluation import Below, Evaluation, Frames, Instants, Member, Members, SceneState, Stage
from engine.maths.arrays import Array
from engine.maths.transforms import joined, undone
from engine.model.compile import ROW
from engine.model.kinematics import compute_forward_kinematics
from engine.model.snapshot import CameraView, SnapshotItem

_NEAREST = 1e-6  # [m] to the eye, nearer than which nothing is aimed at
_UP = np.array((0.0, 1.0, 0.0))
_LEVEL = 1e-6  # length of the level part of a unit direction, below which it is upright


class CamerasStage(Stage):
    """The cameras of one evaluator."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def joints(self, actor: Actor) -> Iterable[tuple[str, str]]:
        """Name what a camera is pinned to, and its own eye and film, which are drawn."""
        part = film_camera(actor)
        if part is None:
            return ()
        return (*part.holds_on_to(), *((actor.id, joint) for joint in _own(actor)))

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell nobody: coordinates stay as they are."""
        return False

    def replaced(self, instants: Instants, below: Below) -> list[Members]:
        """Give the pinned cameras of a group where their pins have them."""
        pinned = {}
        for actor in instants.group:
            part = film_camera(actor)
            if part is not None and part.is_pinned:
                pinned[actor.id] = part
        if not pinned:
            return [{} for _ in instants.times]
        stands = below(range(len(instants.times)))
        return [
            {id: self._pinned(members[id], part, frames) for id, part in pinned.items()}
            for members, frames in zip(stands, instants.frames, strict=True)
        ]

    def items(self, document: Document, time: int, scene: SceneState) -> Iterable[SnapshotItem]:
        """Give what each camera sees."""
        for actor in cameras_in(document):
            part, own = film_camera(actor), _own(actor)
            assert part is not None, "of those that are cameras"
            eye = scene.frames[actor.id, own[0]]
            film = scene.frames[actor.id, own[-1]]
            focal = abs(float((film[:, 3] - eye[:, 3]) @ eye[:, 2]))
            aperture, focus = _lens(part, eye, max(focal, 1e-4), scene.frames)
            yield CameraView(
                owner=actor.id,
                frame=eye.copy(),
                focal=max(focal, 1e-4),
                film_width=part.film_width,
                near=part.near,
                aperture=aperture,
                focus=focus,
                pinned=part.is_pinned,
                visible=actor.visible,
            )

    def _pinned(self, member: Member, part: FilmCamera, frames: Frames) -> Member:
        base = member.base
        if part.follow is not None:
            way = frames[part.follow.actor, part.follow.joint][:, 3] - np.array(part.follow.anchor)
            if part.follow.level:
                way[1] = 0.0
            base = np.hstack((base[:, :3], (base[:, 3] + way)[:, None]))
        if part.aim is not None:
            target = frames[part.aim.actor, part.aim.joint]
            point = target[:, 3] + target[:, :3] @ np.array(part.aim.point)
            eye = self._eye(member.actor, base, member.q)
            turned = looking_at(eye, point)
            base = joined(turned, joined(undone(eye), base))
        return replace(member, base=base)

    def _eye(self, actor: Actor, base: Array, q: Array) -> Array:
        """Place the eye of a camera that stands on a base."""
        model = self._evaluation.model(actor)
        state = model.new_state()
        state[:9], state[9:ROW] = base[:, :3].ravel(), base[:, 3]
        compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(q), state)
        row = model.transforms(state)[actor.figure.joint_index[_own(actor)[0]]]
        return np.hstack((row[:9].reshape(3, 3), row[9:, None]))


def looking_at(eye: Array, point: Array) -> Array:
    """Turn an eye, shape [3, 4], about itself so that its -Z points at a place in the world [m], its X level."""
    back = eye[:, 3] - point
    distance = float(np.linalg.norm(back))
    if distance < _NEAREST:
        return eye
    back = back / distance
    right = np.cross(_UP, back)
    if float(np.linalg.norm(right)) < _LEVEL:
        right = eye[:, 0] - float(eye[:, 0] @ back) * back
        if float(np.linalg.norm(right)) < _LEVEL:
            right = np.cross(eye[:, 1], back)
    right = right / np.linalg.norm(right)
    return np.column_stack((right, np.cross(back, right), back, eye[:, 3]))


def _lens(part: FilmCamera, eye: Array, focal: float, frames: Frames) -> tuple[float, float]:
    """Give the width of a camera's opening and the distance at which it is sharp [m]; of one that is focused on a
    joint, how far along its line of sight that is, at least as near as its lens can be focused."""
    if part.focus is None:
        return 0.0, 0.0
    distance = part.focus.distance
    if part.focus.on is not None:
        target = frames[part.focus.on.actor, part.focus.on.joint]
        point = target[:, 3] + target[:, :3] @ np.array(part.focus.on.point)
        distance = float((eye[:, 3] - point) @ eye[:, 2])
    return focal / part.focus.f_number, max(distance, focal * NEAREST_FOCUS)


def _own(actor: Actor) -> tuple[str, ...]:
    """Name the joints of eye and film; of a figure that lost them to editing, its first and last."""
    known: Collection[str] = actor.figure.joint_index
    names = tuple(actor.figure.joint_index)
    return (EYE if EYE in known else names[0], FILM if FILM in known else names[-1])
