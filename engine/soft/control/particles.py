"""Particles joined by springs, and the adjoint of their explicit steps (Engell-Norregard 2012, sections 25.3 to 28).

    u' = u + dt M^-1 (f + f_ext + k(x, u)),   x' = x + dt u'                    (134, 135, 142)
    k_A = -k (|e| - l0) e / |e| - c e e^T / |e|^2 (u_A - u_B),   e = x_A - x_B   (146)

With K = dk/dx and C = dk/du the derivatives of a step are

    dx'/dx = 1 + dt^2 M^-1 K      du'/dx = dt M^-1 K      dx'/df = dt^2 M^-1
    dx'/du = dt (1 + dt M^-1 C)   du'/du = 1 + dt M^-1 C  du'/df = dt M^-1

and r^N = (d phi / dq^N)^T, r^i = (dF^i/dq^i)^T r^{i+1} + (d phi / dq^i)^T for i = N - 1 to 1.

Slips of the print, which differences tell from these: (136a) and (139a) have dx'/dx = 1, and (137a) dx'/df = 0, though
x' has u' in it, as (139b) and (145) know. (136c) and (136d) have + dt M^-1 K and + dt M^-1 C under (133a), where k and
C u stand on the side of the inertia, so that both are minus; plus is right with K and C of forces, as section 27 has
them. (132) makes r^{i-1} of r^i by dF/dq^i for i = N - 1 to 2: the index is one too far, and r^1 is never made, which
the first step's forces need. Section 27 prints the mass matrix as C.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Particles:
    """Particles and the springs between them."""

    masses: Array  # [kg], shape [count]
    ends: IntArray  # A and B of each spring, shape [spring_count, 2]
    rest: Array  # [m]
    stiffness: Array  # [N/m]
    damping: Array  # [N s/m]
    gravity: Array  # [m/s2], shape [dimension]

    def forces(self, x: Array, u: Array) -> Array:
        """Compute the forces of the springs (146), shape [count, dimension]."""
        way, length, slip = self._strained(x, u)
        pull = self.stiffness * (length - self.rest) + self.damping * np.sum(way * slip, axis=1)
        found = np.zeros_like(x)
        np.add.at(found, self.ends[:, 0], -pull[:, None] * way)
        np.add.at(found, self.ends[:, 1], pull[:, None] * way)
        return found

    def tangents(self, x: Array, u: Array) -> tuple[Array, Array]:
        """Compute K and C of these forces, shape [count dimension, count dimension]."""
        way, length, slip = self._strained(x, u)
        size = x.shape[1]
        turn = (np.eye(size) - way[:, :, None] * way[:, None, :]) / length[:, None, None]  # H
        pull = self.stiffness * (length - self.rest) + self.damping * np.sum(way * slip, axis=1)
        ahead = self.stiffness[:, None] * way + self.damping[:, None] * np.einsum("sij,si->sj", turn, slip)
        by_place = -way[:, :, None] * ahead[:, None, :] - pull[:, None, None] * turn
        by_speed = -self.damping[:, None, None] * way[:, :, None] * way[:, None, :]
        return self._spread(by_place), self._spread(by_speed)

    def step(self, x: Array, u: Array, forces: Array, dt: float) -> tuple[Array, Array]:
        """Make one step."""
        after = u + dt * (self.gravity + (self.forces(x, u) + forces) / self.masses[:, None])
        return x + dt * after, after

    def derivatives(self, x: Array, u: Array, dt: float) -> tuple[Array, Array]:
        """Compute the derivatives of a step by its state (x, u), and by the forces (139, set right)."""
        stiff, damp = self.tangents(x, u)
        inverse = np.repeat(1.0 / self.masses, x.shape[1])
        one, size = np.eye(len(inverse)), len(inverse)
        state, forces = np.zeros((2 * size, 2 * size)), np.zeros((2 * size, size))
        state[size:, :size] = dt * inverse[:, None] * stiff
        state[size:, size:] = one + dt * inverse[:, None] * damp
        state[:size] = dt * state[size:]
        state[:size, :size] += one
        forces[size:] = dt * np.diag(inverse)
        forces[:size] = dt * forces[size:]
        return state, forces

    def _strained(self, x: Array, u: Array) -> tuple[Array, Array, Array]:
        first, second = self.ends[:, 0], self.ends[:, 1]
        way = x[first] - x[second]
        length = np.linalg.norm(way, axis=1)
        return way / length[:, None], length, u[first] - u[second]

    def _spread(self, blocks: Array) -> Array:
        """Sum blocks of A by A of all springs to a whole matrix; those of A by B are their opposites."""
        count, size = len(self.masses), blocks.shape[1]
        found = np.zeros((count, size, count, size))
        for (first, second), block in zip(self.ends.tolist(), blocks, strict=True):
            found[first, :, first] += block
            found[second, :, second] += block
            found[first, :, second] -= block
            found[second, :, first] -= block
        return found.reshape(count * size, count * size)


@dataclass(frozen=True, eq=False)
class ParticleRun:
    """States under some forces, from the first on, and what they leave of the goals."""

    states: tuple[Array, ...]  # x and u, flat
    forces: Array  # [N], shape [step_count, count dimension]
    value: float


@dataclass(frozen=True, eq=False)
class ParticleProblem:
    """Particles that are to be at goals after some steps: phi = sum |q^i - goal_i|^2 / 2, forces in each step free."""

    particles: Particles
    begin: Array  # x and u, flat
    dt: float
    goals: Mapping[int, Array]  # x and u by the number of steps made

    def run(self, values: Array) -> ParticleRun:
        """Run forward under forces in each step."""
        states, shape = [self.begin], (2, len(self.particles.masses), -1)
        for forces in values:
            x, u = states[-1].reshape(shape)
            states.append(np.concatenate(self.particles.step(x, u, forces.reshape(x.shape), self.dt)).ravel())
        value = sum(0.5 * float(np.sum((states[step] - goal) ** 2)) for step, goal in self.goals.items())
        return ParticleRun(tuple(states), values, value)

    def gradient(self, run: ParticleRun) -> Array:
        """Find the gradient by the recursion (132)."""
        found, count, shape = np.zeros_like(run.forces), len(run.forces), (2, len(self.particles.masses), -1)
        costate = np.zeros_like(self.begin)
        for number in range(count, 0, -1):
            if number in self.goals:
                costate = costate + run.states[number] - self.goals[number]
            x, u = run.states[number - 1].reshape(shape)
            state, forces = self.derivatives(x, u)
            found[number - 1] = forces.T @ costate
            costate = state.T @ costate
        return found

    def derivatives(self, x: Array, u: Array) -> tuple[Array, Array]:
        """Compute those of a step."""
        return self.particles.derivatives(x, u, self.dt)
