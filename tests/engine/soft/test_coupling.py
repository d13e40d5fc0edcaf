"""Soft bodies push what physics simulates: momentum is exchanged, and all times stay what they are alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Blob, Box, Document, Ellipsoid, Key, Layer, Placement, Track, prop
from engine.document.ticks import TICKS_PER_SECOND, ticks_per_frame
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.inertia import masses_of
from engine.motion.changed import changed_span
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.simulation import SceneSimulation
from engine.physics.stage import PhysicsStage
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftAttachment, SoftBody, SoftWorld
from engine.soft.running import SoftTerms
from engine.soft.simulation import SoftSimulation
from engine.soft.stage import SoftStage

SECOND = TICKS_PER_SECOND
WEIGHTLESS = PhysicsWorld(gravity=0.0, ground=False)
EXACT = SoftWorld(tolerance=1e-10, iterations=100)
PLATE = prop("Plate", (Box(half=(0.3, 0.02, 0.3)),))


def thrown(id: str, figure: Any, at: Vector3, speed: float, start: int = SECOND // 10) -> Actor:
    """A prop that is let go after some ticks with a speed along x [m/s]."""
    keys = (Key(0, 0.0, interpolation="linear"), Key(SECOND, speed, interpolation="linear"))
    layers = (Layer(id="keys", tracks=(Track(coordinate="body.move_x", keys=keys),)),)
    physics = Physics(start=start)
    return Actor(id=id, name=id, figure=figure, placement=Placement(position=at), layers=layers, parts=(physics,))


def resting(id: str, figure: Any, at: Vector3 = (0.0, 0.0, 0.0), **given: Any) -> Actor:
    """A prop that is simulated."""
    return Actor(
        id=id, name=id, figure=figure, placement=Placement(position=at), layers=(Layer(id="keys"),),
        parts=(Physics(**given),),
    )  # fmt: skip


def jelly(at: Vector3, **given: Any) -> Actor:
    """A soft box of 0.2 m that pushes back, 8 kg."""
    options = {"young": 2e4, "pushes": True, "mass_damping": 0.0, **given}
    return soft_actor("jelly", "Jelly", soft_box((0.2, 0.2, 0.2), (2, 2, 2), **options), position=at)


def attached(actor: Actor, target: str, away: Vector3, *, hold: str = "hard", tension: float = 15.0) -> Actor:
    """Attach the lower side of a soft box to a prop that stands so far away from it."""
    (body,) = actor.parts
    assert isinstance(body, SoftBody)
    points = body.points.array
    side = np.flatnonzero(points[:, 1] < -0.099).astype(np.int32)
    made = SoftAttachment(
        id="held", points=Blob(side), places=Blob(points[side] + np.array(away)), target=target, joint="body",
        hold=hold, tension=tension,
    )  # fmt: skip
    return actor.with_part(replace(body, attachments=(made,)))


def scene(*actors: Actor, world: PhysicsWorld = WEIGHTLESS, soft: SoftWorld = EXACT, **given: Any) -> Document:
    return Document(actors=actors, parts=(world, soft), **given)


class Run:
    """Both simulations of a document, and what they carry."""

    def __init__(self, document: Document, *, exact: bool = True) -> None:
        self.document, self.evaluator = document, Evaluator()
        self.soft = self._soft()
        if exact:  # solved below the millionth of the weight that counts as nothing
            terms = self.soft.scene.terms
            terms = SoftTerms(replace(terms.model, floor=0.0), terms.dt)
            self.soft.scene = replace(self.soft.scene, terms=terms)
        self.physics = self._physics()

    def _soft(self) -> SoftSimulation:
        stage = self.evaluator.stage("soft")
        assert isinstance(stage, SoftStage)
        found = stage.simulation(self.document)
        assert found is not None
        return found

    def _physics(self) -> SceneSimulation:
        stage = self.evaluator.stage("physics")
        assert isinstance(stage, PhysicsStage)
        stage.moves(self.document, self.document.actors[0].id, (0,))
        assert stage.simulation is not None
        return stage.simulation

    def to(self, step: int) -> None:
        """Step both to the end of a step of the soft bodies, no further."""
        count = round((self.soft.tick(step) - self.physics.scene.start) / self.physics._step_ticks)
        for _ in self.physics.reach(self.physics.tick(count - 1)):
            pass
        assert self.soft._front == step
        assert self.physics._now is not None
        assert self.physics.tick(self.physics._now.step) == self.soft.tick(step)

    def soft_momentum(self) -> Array:
        run = self.soft._live
        assert run is not None
        masses = np.concatenate([each.masses for each in self.soft.scene.members])
        return masses @ run.speeds

    def rigid_momentum(self, actor: str) -> Array:
        """Of a prop of one body whose centre is its origin."""
        now = self.physics._now
        assert now is not None
        member = next(each for each in self.physics.scene.members if each.actor.id == actor)
        first = self.physics.scene.mechanics.coordinate_count
        rate = 6 * self.physics.scene.members.index(member)
        return float(masses_of(member.figure)[0, 0]) * now.state[first + rate : first + rate + 3]


@pytest.mark.parametrize(
    ("shape", "surface"),
    [
        (Ellipsoid(radii=(0.08, 0.08, 0.08)), False),
        (Ellipsoid(radii=(0.08, 0.08, 0.08)), True),
        (Box(half=(0.08, 0.07, 0.04)), True),
    ],
    ids=["ball", "ball-surface", "box-surface"],
)
def test_what_strikes_a_soft_body_gives_it_the_momentum_that_it_loses(shape: Box | Ellipsoid, surface: bool) -> None:
    body = jelly((0.0, 0.0, 0.0), touches_by_surface=surface)
    run = Run(scene(thrown("ball", prop("Ball", (shape,)), (-0.4, 0.03, 0.02), 1.5), body))
    run.to(8)
    whole = run.soft_momentum() + run.rigid_momentum("ball")
    met = 0.0
    for step in range(9, 40):
        run.to(step)
        assert run.soft_momentum() + run.rigid_momentum("ball") == pytest.approx(whole, abs=1e-9 * whole[0])
        met = max(met, np.abs(run.soft_momentum()).max())
    assert met > 0.4 * whole[0]
    assert run.soft.stopped is None


@pytest.mark.parametrize(
    ("hold", "rate"),
    [
        ("hard", (24, 1)),
        ("spring", (30, 1)),
        ("hard", (60, 1)),
        *(
            pytest.param(*each, marks=pytest.mark.deep)
            for each in (("spring", (24, 1)), ("hard", (30, 1)), ("spring", (60, 1)))
        ),
    ],
)
def test_a_light_plate_that_a_heavy_soft_body_is_fixed_to_swings_with_it(hold: str, rate: tuple[int, int]) -> None:
    start = round(3 * ticks_per_frame(rate))
    plate = thrown("plate", PLATE, (0.0, 0.0, 0.0), 0.5, start)
    body = attached(jelly((0.0, 0.12, 0.0), density=5000.0), "plate", (0.0, 0.12, 0.0), hold=hold)
    run = Run(scene(plate, body, rate=rate))
    begin = 3 * run.soft.scene.steps + 1
    run.to(begin)
    whole = run.soft_momentum() + run.rigid_momentum("plate")
    for step in range(begin + 1, begin + 60):
        run.to(step)
        found = run.soft_momentum() + run.rigid_momentum("plate")
        assert found == pytest.approx(whole, abs=1e-9 * np.abs(whole).max())
        assert np.abs(run.rigid_momentum("plate")).max() < 40.0
    assert run.soft.stopped is None


def test_a_heavy_soft_body_rests_on_a_light_plate() -> None:
    plate = resting("plate", PLATE, (0.0, 0.021, 0.0))
    run = Run(
        scene(plate, jelly((0.0, 0.145, 0.0), mass_damping=1.0), world=PhysicsWorld(), soft=SoftWorld()), exact=False
    )
    run.to(90)
    low = run.soft.kept_points(88)
    assert low is not None
    assert np.abs(run.soft.kept_points(80) - low).max() < 2e-3  # type: ignore[operator]
    forces = run.physics.contacts(run.soft.tick(88)).forces
    weight = 9.80665 * (float(masses_of(PLATE)[0, 0]) + float(run.soft.scene.members[0].masses.sum()))
    assert np.abs(forces.sum(axis=0)[1]) == pytest.approx(weight, rel=0.05)


def falling() -> Document:
    """A plate with a soft body on it, that falls onto an edge."""
    edge = Actor(id="edge", name="edge", figure=prop("Edge", (Box(half=(0.05, 0.05, 0.4)),)), layers=(Layer(id="k"),))
    edge = replace(edge, placement=Placement(position=(0.12, 0.05, 0.0)))
    plate = resting("plate", PLATE, (0.0, 0.3, 0.0))
    return scene(plate, edge, jelly((0.05, 0.45, 0.0)), world=PhysicsWorld(), soft=SoftWorld())


def frames_of(evaluator: Evaluator, document: Document, frames: range) -> list[bytes]:
    """What is seen of some frames, one after the other."""
    found = []
    for frame in frames:
        time = round(frame * ticks_per_frame(document.rate))
        rows = evaluator.rows(document, time)["plate"]
        stage = evaluator.stage("soft")
        assert isinstance(stage, SoftStage)
        found.append(rows.tobytes() + stage.stepped(document, "jelly").points(time).tobytes())
    return found


def test_a_frame_alone_has_the_bytes_that_it_has_in_sequence_and_whoever_is_asked_first() -> None:
    document = falling()
    whole = frames_of(Evaluator(), document, range(0, 21, 4))
    assert frames_of(Evaluator(), document, range(20, 21)) == whole[-1:]
    evaluator = Evaluator()
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    stage.stepped(document, "jelly").points(round(20 * ticks_per_frame(document.rate)))
    assert frames_of(evaluator, document, range(0, 21, 4)) == whole
    document = document.with_actor(document.actor("jelly").with_part(body_of(document, pushes=False)))
    assert frames_of(Evaluator(), document, range(0, 21, 4))[-1] != whole[-1]


def body_of(document: Document, **given: Any) -> SoftBody:
    body = document.actor("jelly").part(SoftBody)
    assert body is not None
    return replace(body, **given)


def test_an_edit_of_a_soft_body_touches_what_it_pushes_and_undo_gives_the_same_bytes() -> None:
    document, evaluator = falling(), Evaluator()
    before = frames_of(evaluator, document, range(0, 13, 4))
    softer = document.with_actor(document.actor("jelly").with_part(body_of(document, young=5e3)))
    assert {actor for actor, *_ in changed_span(document, softer)} >= {"plate", "jelly"}
    other = frames_of(evaluator, softer, range(0, 13, 4))
    assert other[-1] != before[-1]
    assert other == frames_of(Evaluator(), softer, range(0, 13, 4))
    assert frames_of(evaluator, document, range(0, 13, 4)) == before


def test_an_edit_at_a_time_leaves_what_comes_before_it() -> None:
    document, evaluator = falling(), Evaluator()
    edge = document.actor("edge")
    keys = (Key(SECOND // 3, 0.0), Key(SECOND, 0.2))
    moved = replace(edge, layers=(Layer(id="k", tracks=(Track(coordinate="body.move_x", keys=keys),)),))
    before = frames_of(evaluator, document.with_actor(replace(moved)), range(0, 21, 4))
    later = (keys[0], Key(round(0.5 * SECOND), 0.0), Key(SECOND, 0.4))
    again = replace(edge, layers=(Layer(id="k", tracks=(Track(coordinate="body.move_x", keys=later),)),))
    after = frames_of(evaluator, document.with_actor(again), range(0, 21, 4))
    assert after == frames_of(Evaluator(), document.with_actor(again), range(0, 21, 4))
    assert before[2] == after[2]


def test_steps_that_were_forgotten_are_made_again_with_the_same_bytes() -> None:
    run = Run(falling(), exact=False)
    run.to(60)
    wanted = [run.soft.kept_points(step) for step in (5, 37)]
    for step in list(run.soft._kept.kept):
        run.soft._kept.drop(step)
    for step, known in zip((5, 37), wanted, strict=True):
        assert known is not None
        assert run.soft._moment(step).points.tobytes() == known.tobytes()
