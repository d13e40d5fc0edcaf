"""Scene: the actors of a document as one articulation that can be stepped.

Simulated actors are free; an obstacle, and an actor whose simulation has not begun, is led along its keys by servos on
all of its freedoms, with a thousand times its mass and no weight, so that what strikes it moves it by a thousandth of
what it would. What hangs on a simulated actor, directly or through others, takes no part: it goes where that goes.
An actor that hangs on another that is not simulated has one joint more above its roots, which says where it is held.

rates: of servos [Hz], kp = I (2 pi f)^2, kd = 2 r I 2 pi f with I the inertia of a rate at rest (all that it carries).
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from engine.document import Actor, Document, Figure
from engine.document.actor import Placement
from engine.document.carried import carried
from engine.document.ticks import Rate
from engine.dynamics import layout
from engine.dynamics.articulation import Articulation
from engine.dynamics.ball_roots import BallRoots, with_ball_roots
from engine.dynamics.contact_shapes import Ground, Shapes, compile_shapes
from engine.dynamics.mechanics import Mechanics, compile_mechanics, with_gravity
from engine.dynamics.resistance import (
    DAMPING,
    RATE_WIDTH,
    Resistance,
    Servos,
    compile_rates,
    compile_resisting_fields,
    rest_inertia,
)
from engine.dynamics.stepping import divide_frame
from engine.dynamics.together import put_together
from engine.evaluation import OffGround
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.model.compile import compile_model
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.pushing import Free, divide_for, pushing_systems
from engine.physics.uses import curves_of, driving_systems, moves, physics_of, taking_part
from engine.runtime.quick_dataclass import dataclass

_HEAVIER = 1e3  # times the mass of what is led along its keys
_LEAD = 0.5  # of the rate of steps: frequency of the servos that lead it
_LEAST = 1e-6  # [kg m2] or [kg] that servos take a rate to move


@dataclass(frozen=True, eq=False)
class SceneMember:
    """One actor of the scene."""

    actor: Actor
    physics: Physics
    figure: Figure
    coordinates: slice  # in those of the joined figure
    moves: bool  # by keys, locks or what carries it

    @property
    def is_simulated(self) -> bool:
        """True if it falls once its simulation begins."""
        return self.physics.role == "simulated" and not self.actor.attachments

    @property
    def is_driven(self) -> bool:
        """True if torque curves drive it while it is simulated."""
        return curves_of(self.actor) is not None

    @property
    def launch(self) -> dict[str, float]:
        """Rates with which it is let go in place of those of its keys, by degrees of freedom of the joined figure."""
        curves = curves_of(self.actor)
        rates = {} if curves is None else curves.launch(self.physics.start)
        known = {dof.id for dof in self.figure.dofs if dof.kind != "ball"}
        return {f"{self.actor.id}/{dof}": rate for dof, rate in rates.items() if dof in known}

    def is_loose(self, time: float) -> bool:
        """True if torque curves drive it at a time [ticks] and its joints do not resist as tissue does."""
        curves = curves_of(self.actor)
        if curves is None or curves.tissue:
            return False
        return curves.span is None or curves.span.start <= time <= curves.span.end

    def is_free(self, time: float) -> bool:
        """True if it is simulated at a time [ticks]."""
        return self.is_simulated and time >= self.physics.start


@dataclass(frozen=True, eq=False)
class PhysicsScene:
    """The members, joined; `articulation` for those that are free at a time."""

    members: tuple[SceneMember, ...]
    world: PhysicsWorld
    roots: BallRoots
    mechanics: Mechanics
    shapes: Shapes
    rate: Rate
    dt: float  # [s] of a step
    steps: int  # in a frame
    off_ground: tuple[OffGround, ...] = ()

    @cached_property
    def start(self) -> int:
        """The tick at which the first actor is let go."""
        return min(each.physics.start for each in self.members if each.is_simulated)

    @cached_property
    def owner_of_joint(self) -> IntArray:
        """The number of the member that each joint belongs to."""
        counts = [len(each.figure.joints) for each in self.members]
        return np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    @cached_property
    def owner_of_rate(self) -> IntArray:
        """The number of the member that each rate of the simulated figure belongs to."""
        counts = [sum(len(dof.rates) for dof in joint.dofs) for joint in self.roots.figure.joints]
        return np.repeat(self.owner_of_joint, counts)

    @cached_property
    def owner_of_coordinate(self) -> IntArray:
        """The number of the member that each coordinate of the simulated figure belongs to."""
        counts = [sum(len(dof.coordinates) for dof in joint.dofs) for joint in self.roots.figure.joints]
        return np.repeat(self.owner_of_joint, counts)

    @cached_property
    def _inertia(self) -> Array:
        return rest_inertia(self.mechanics)

    @cached_property
    def _massless(self) -> BoolArray:
        """Which rates move nothing, so that no force tells their acceleration: these are always led."""
        return self._inertia <= _LEAST

    @cached_property
    def _is_root(self) -> tuple[bool, ...]:
        figure = self.roots.figure
        return tuple(joint.parent is None for joint in figure.joints for dof in joint.dofs for _ in dof.rates)

    def free_at(self, time: float) -> tuple[bool, ...]:
        """Tell which members are free at a time [ticks]."""
        return tuple(each.is_free(time) for each in self.members)

    def loose_at(self, time: float) -> tuple[bool, ...]:
        """Tell which members' joints do not resist as tissue does at a time [ticks]."""
        return tuple(each.is_loose(time) for each in self.members)

    def off_ground_at(self, time: float) -> frozenset[int]:
        """Number the joints whose bodies the ground leaves alone at a time [ticks]."""
        index = self.roots.figure.joint_index
        return frozenset(
            index[f"{each.actor}/{each.joint}"] for each in self.off_ground if each.start <= time <= each.end
        )

    def free_actors(self, free: tuple[bool, ...]) -> tuple[Free, ...]:
        """List those that are free: their joints are those of their figures."""
        found, first = list[Free](), 0
        for each, is_free in zip(self.members, free, strict=True):
            last = first + len(each.figure.joints)
            found += [Free(each.actor.id, slice(first, last))] if is_free else []
            first = last
        return tuple(found)

    def needs_keys(self, free: tuple[bool, ...]) -> tuple[bool, ...]:
        """Tell which members servos lead along keys that may differ from step to step."""
        led = set(self.owner_of_rate[self._massless].tolist())
        return tuple(
            each.moves and (not free[place] or each.physics.follow > 0.0 or place in led)
            for place, each in enumerate(self.members)
        )

    def articulation(
        self, free: tuple[bool, ...], loose: tuple[bool, ...] | None = None, off_ground: frozenset[int] = frozenset()
    ) -> Articulation:
        """The joined figure with some members free and the others led, some without the damping of tissue, some joints'
        bodies without contact with the ground; states of all of these have one layout."""
        is_free = np.array(free, dtype=np.bool_)
        led = ~is_free[self.owner_of_joint]
        mechanics = replace(self.mechanics, floats=self.mechanics.floats.copy())
        for first, last in ((layout.MASS, layout.CENTRE), (layout.INERTIA, layout.PULL)):
            mechanics.bodies()[led, first:last] *= _HEAVIER
        mechanics = with_gravity(mechanics, (0.0, -self.world.gravity, 0.0), np.where(led, 0.0, 1.0))
        owner = self.owner_of_rate
        led_rate = ~is_free[owner] | self._massless
        follow = np.array([each.physics.follow for each in self.members])[owner] * ~np.array(self._is_root)
        ratio = np.where(led_rate, 1.0, np.array([each.physics.ratio for each in self.members])[owner])
        inertia = np.maximum(self._inertia, _LEAST) * np.where(led_rate, _HEAVIER, 1.0)
        turning = 2.0 * math.pi * np.where(led_rate, _LEAD / self.dt, follow)
        servos = Servos(
            stiffness=tuple((inertia * turning**2).tolist()),
            damping=tuple((2.0 * ratio * inertia * turning).tolist()),
        )
        return Articulation(
            mechanics=mechanics,
            shapes=self.shapes.off_ground(off_ground) if off_ground else self.shapes,
            table=self._table(servos, () if loose is None else loose),
            fields=compile_resisting_fields(self.roots.figure, Resistance()),
        )

    def _table(self, servos: Servos, loose: tuple[bool, ...]) -> Array:
        table = compile_rates(self.mechanics, servos, Resistance())
        if any(loose):
            own = compile_rates(self.mechanics, servos, Resistance(damping=0.0))
            rows = np.array(loose)[self.owner_of_rate]
            table[np.flatnonzero(rows) * RATE_WIDTH + DAMPING] = own[np.flatnonzero(rows) * RATE_WIDTH + DAMPING]
        return table


def compile_scene(document: Document) -> PhysicsScene:
    """Join the actors that take part, of which at least one is simulated."""
    world = document.part(PhysicsWorld) or PhysicsWorld()
    rate = document.rate[0] / document.rate[1]
    dt, least = divide_frame(rate, world.step)
    steps = divide_for(document, least)
    dt = dt if steps == least else 1.0 / rate / steps
    actors = list(taking_part(document))
    figures = {each.id: (_figure(each), Placement() if each.attachments else each.placement) for each in actors}
    driven = {f"{each.id}/{dof}" for each in actors for dof in turned_roots(each)}
    roots = with_ball_roots(put_together(figures), driven)
    model = compile_model(roots.figure)
    members, first = list[SceneMember](), 0
    for actor in actors:
        figure = figures[actor.id][0]
        size = len(figure.coordinates)
        members.append(
            SceneMember(actor, physics_of(actor), figure, slice(first, first + size), moves(document, actor))
        )
        first += size
    return PhysicsScene(
        members=tuple(members),
        world=world,
        roots=roots,
        mechanics=compile_mechanics(model, massless=True),
        shapes=compile_shapes(
            model,
            ground=Ground(friction=world.ground_friction) if world.ground else None,
            bodies=True,
            friction=world.friction,
            actor_of=[place for place, each in enumerate(members) for _ in each.figure.joints],
            led=frozenset(place for place, each in enumerate(members) if not each.is_simulated),
            filled=True,
        ),
        rate=document.rate,
        dt=dt,
        steps=steps,
        off_ground=tuple(body for _, pushes in pushing_systems(document) for body in pushes.off_ground),
    )


def turned_roots(actor: Actor) -> tuple[str, ...]:
    """The degrees of freedom of an actor's roots that torque curves push, or whoever drives it: these stay hinges."""
    curves = curves_of(actor)
    names = set() if curves is None else {track.coordinate for track in curves.heard}
    names.update(*(roots for _, roots in driving_systems(actor)))
    return tuple(
        dof.id for dof in actor.figure.dofs if dof.id in names and actor.figure.dof_joint[dof.id].parent is None
    )


def _figure(actor: Actor) -> Figure:
    return carried(actor.figure) if actor.attachments else actor.figure
