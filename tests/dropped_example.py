"""The example "Two bodies dropped": the body with its 823 muscles twice, let go in the air in one pose, one relaxed and
one tensed.

The tensed one is as stiff as its muscles make it, flexors against extensors: activations as near to `TENSE` as those
torques let them be that it takes to stand so, but for `SHARES` of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.optimize import lsq_linear

from engine.document import Actor, Document, Layer, Placement, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.muscles.compiled import MuscledFigure
from engine.muscles.elastic import write_forces
from engine.muscles.hill import BY_ACTIVATION, FORCES, PULL
from engine.muscles.parts import FORCE_MODELS, MuscleActivation, MuscleActivations, Muscles
from engine.muscles.required import RequiredDynamics, held_rates
from engine.physics.parts import Physics, PhysicsWorld
from engine.queries.examples import example, shipped_part

TENSE = 0.9
# Of the torques of standing, by group; others whole. A trunk that falls bears nothing: it would bend back. A chin is
# drawn in, else the head is thrown back before the feet land.
SHARES = {"Lumbar spine": 0.96, "Thoracic spine": 0.96, "Neck": -0.4, "Head": -0.4}
LEFT = 1.0  # [N m] of a torque that counts as much as a whole activation
HEEL = 0.01112  # [m] of the heel bones of a foot that stands
HIGH, APART = 0.3, 0.5  # [m] above the ground, and of each from the middle
LONG = 2.5  # [s]
STEP = 0.0025  # [s] of physics
POSE = {
    "femur_{}.flexion": 24.0, "femur_{}.abduction": 4.0, "tibia_{}.flexion": 34.0, "talus_{}.dorsiflexion": 10.0,
    "humerus_{}.flexion": 20.0, "humerus_{}.abduction": 22.0, "ulna_{}.flexion": 40.0, "index_{}.flexion": 20.0,
    "middle_{}.flexion": 24.0, "ring_{}.flexion": 28.0, "little_{}.flexion": 32.0, "sacrum.tilt": 4.0,
}  # fmt: skip


def dropped() -> Document:
    """Both of them."""
    (skeleton,) = example("skeleton").build().actors
    muscles, cartilages = (shipped_part(f"parts/anatomy/{number}") for number in (1, 2))
    assert isinstance(muscles, Muscles)
    values = [(name.format(side), math.radians(each)) for name, each in POSE.items() for side in ("left", "right")]
    layer = Layer(id="pose", values=tuple(dict([("sacrum.move_y", HIGH), *values]).items()))
    relaxed = Actor(
        id="relaxed", name="Relaxed", figure=skeleton.figure, placement=Placement(position=(-APART, 0.0, 0.0)),
        layers=(layer,), parts=(muscles, cartilages, Physics()),
    )  # fmt: skip
    tensed = replace(
        relaxed, id="tensed", name="Tensed", placement=Placement(position=(APART, 0.0, 0.0)),
        parts=(muscles, cartilages, tension(relaxed, muscles), Physics()),
    )  # fmt: skip
    return Document(
        actors=(relaxed, tensed), rate=(30, 1), play=Span(start=0, end=round(LONG * SECOND)),
        parts=(PhysicsWorld(step=STEP),),
    )  # fmt: skip


def tension(actor: Actor, muscles: Muscles) -> MuscleActivations:
    """Activations near `TENSE` whose torques leave every joint where it is."""
    evaluator = Evaluator()
    figure = MuscledFigure(evaluator.model(actor), muscles)
    q: Array = evaluator.rows_at(Document(actors=(actor.without_part(Physics),)), [0])[0][actor.id][ROW:]
    lengths, gradient = figure.measure(np.ascontiguousarray(q))
    found = np.zeros(FORCES * len(lengths))
    still = np.zeros(len(lengths))
    write_forces(
        FORCE_MODELS.index(muscles.model), figure.strengths.ravel(), lengths, still, still, found
    )  # fmt: skip
    standing = _standing(evaluator, actor)
    asked = np.setdiff1d(np.arange(gradient.shape[1]), held_rates(actor, muscles))
    torques = -gradient[:, asked].T / LEFT
    rows = np.vstack((torques * found[BY_ACTIVATION::FORCES], np.eye(len(lengths))))
    wanted = np.concatenate((standing[asked] / LEFT - torques @ found[PULL::FORCES], np.full(len(lengths), TENSE)))
    values = lsq_linear(rows, wanted, bounds=(0.0, 1.0)).x
    pairs = zip(muscles.muscles, values.tolist(), strict=True)
    return MuscleActivations(
        activations=tuple(MuscleActivation(muscle=each.id, value=round(value, 3)) for each, value in pairs)
    )


def _standing(evaluator: Evaluator, actor: Actor) -> Array:
    """The torques that it takes to stand on the ground in that pose [N m]."""
    bare = Document(actors=(actor.without_part(Physics),))
    heel = evaluator.joint_transforms(bare, actor.id, 0)[actor.figure.joint_index["calcaneus_left"]][1, 3]
    x, _, z = actor.placement.position
    down = replace(bare.actors[0], placement=Placement(position=(x, HEEL - float(heel), z)))
    required = RequiredDynamics(evaluator, bare.with_actor(down), actor.id).at([0])
    groups = {rate: joint.group for joint in actor.figure.joints for dof in joint.dofs for rate in dof.rates}
    shares = [SHARES.get(groups.get(rate) or "", 1.0) for rate in actor.figure.rates]
    found: Array = required.torques[0] * np.array(shares)
    return found


DROPPED: dict[str, Callable[[], Document]] = {"dropped": dropped}
"""That which ships, by its name."""
