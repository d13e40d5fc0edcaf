"""Driving: how other systems drive joints of what is simulated, such as muscles.

A system drives joints of an actor (`System.drives`): its stage gives a `Drive`, which is asked at each step for torques
by how the figure stands and moves then. They are taken implicitly: what each falls by as its rate rises is added to the
mass that the step moves, so that stiff and strongly damped joints stay calm.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.document import Document
from engine.evaluation import Drive, Evaluation
from engine.maths.arrays import Array, IntArray
from engine.physics.scene import PhysicsScene
from engine.physics.uses import driving_systems
from engine.runtime.errors import Diverged
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Driver:
    """A drive of one member of a scene."""

    member: int
    name: str  # of the actor
    drive: Drive
    coordinates: slice  # in those of the joined figure as it is given
    own: slice  # its rates there
    taken: IntArray  # of the actor's rates those that the simulated figure has as well
    rates: IntArray  # where they are there

    def add(self, time: float, q: Array, qd: Array, dt: float, torque: Array, giving: Array) -> None:
        """Add its torques to those of the simulated figure; `q` and `qd` are of the joined figure as it is given."""
        found, falls = self.drive.torques(time, q[self.coordinates], qd[self.own], dt)
        if not (np.isfinite(found).all() and np.isfinite(falls).all()):
            raise Diverged(what=f"a torque on {self.name}", value=float("nan"))
        torque[self.rates] += found[self.taken]
        giving[self.rates] += falls[self.taken]


def compile_drivers(
    document: Document,
    scene: PhysicsScene,
    evaluation: Evaluation,
    instead: Mapping[tuple[str, str], Drive] | None = None,
) -> list[Driver]:
    """Give all that drive members of a scene; `instead`: of some actors in place of those of some system of theirs,
    whether it drives them otherwise or not."""
    found, rates = list[Driver](), scene.roots.figure.rate_index
    first_rate = 0
    for number, member in enumerate(scene.members):
        count = sum(len(dof.rates) for dof in member.figure.dofs)
        rates_of = slice(first_rate, first_rate + count)
        first_rate += count
        actor = document.actor(member.actor.id)
        if not member.is_simulated:
            continue
        put = {name: drive for (id, name), drive in (instead or {}).items() if id == actor.id}
        given = [system.name for system, _ in driving_systems(actor) if system.name not in put]
        for drive in (*put.values(), *(evaluation.stage(name).drive(document, actor.id) for name in given)):
            if drive is None:
                continue
            there = [name for dof in member.figure.dofs for name in dof.rates if f"{actor.id}/{name}" in rates]
            taken: IntArray = np.array([member.figure.rate_index[name] for name in there], dtype=np.int32)
            places: IntArray = np.array([rates[f"{actor.id}/{name}"] for name in there], dtype=np.int32)
            found.append(Driver(number, actor.name, drive, member.coordinates, rates_of, taken, places))
    return found
