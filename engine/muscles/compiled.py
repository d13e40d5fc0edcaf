"""MuscledFigure: a figure and its muscles as packed arrays: what they measure, how they pull and what is drawn of them
in a pose. Importing this module loads kernels."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.model.compile import MOTION, MOTION_START, ROW, Model
from engine.model.driven_kernels import fold_entries, follow, slopes_of
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.compile import MusclePaths, compile_paths
from engine.muscles.elastic import STATES, write_fibres, write_forces
from engine.muscles.hill import FORCES, STRENGTH
from engine.muscles.parts import FORCE_MODELS, Muscles
from engine.muscles.paths import measure_paths
from engine.muscles.spindles import (
    SPINE,
    Rings,
    few_rings,
    rings_for,
    spindle_forms,
    spindle_sinew,
    spindle_triangles,
    write_spindles,
)
from engine.muscles.traces import most_traced, trace_paths


class MuscledFigure:
    """The muscles of a compiled figure; its work memory is used by one thread."""

    def __init__(self, model: Model, muscles: Muscles) -> None:
        self.model, self.muscles = model, muscles
        self.paths: MusclePaths = compile_paths(model, muscles)
        self._state, self._work = model.new_state(), self.paths.new_work()
        self._home = self._state[:ROW].copy()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each muscle, by its id."""
        return {each.id: number for number, each in enumerate(self.muscles.muscles)}

    @cached_property
    def strengths(self) -> Array:
        """Strengths of the muscles, as `engine.muscles.hill` reads them."""
        rows = [(m.force, m.fibre, m.tendon, np.sin(m.pennation), m.fastest) for m in self.muscles.muscles]
        return np.array(rows, dtype=np.float64).reshape(len(rows), STRENGTH)

    @property
    def force_model(self) -> int:
        """The number of the model by which they pull, as kernels know it."""
        return FORCE_MODELS.index(self.muscles.model)

    @property
    def is_elastic(self) -> bool:
        """Tell whether their tendons stretch."""
        return self.muscles.model.endswith("_elastic")

    def entries(self, q: Array, base: Array | None = None) -> tuple[Array, Array]:
        """Lengths of all muscles [m], and by how much they change with the rates that each has (`paths.columns`); what
        they change with driven rates is their drivers'."""
        lengths, gradient = np.empty(self.paths.count), np.empty(self.paths.entry_count)
        self.write_entries(q, lengths, gradient, base)
        return lengths, gradient

    def write_entries(self, q: Array, out_lengths: Array, out_gradient: Array, base: Array | None = None) -> None:
        """Write what `entries` gives where there is room for it already, as at each step of a simulation."""
        driven = self.model.driven
        q = follow(driven, q)
        self._pose(q, base)
        measure_paths(self.paths.ints, self.paths.floats, self._state, q, self._work, out_lengths, out_gradient)
        if driven is not None:
            fold_entries(self.paths.folds, slopes_of(driven, q), out_gradient)

    def measure(self, q: Array, base: Array | None = None) -> tuple[Array, Array]:
        """Lengths of all muscles [m], and by how much they change with each rate, shape [muscle_count, rate_count]."""
        lengths, gradient = self.entries(q, base)
        return lengths, self.paths.dense(gradient, self.model.rate_count)

    def arms(self, row: Array, muscle: int) -> tuple[Array, Array, Array]:
        """Moment arms of one muscle for each rate [m], the axes of the rates, and the places of the joints [m] in the
        world; shapes [rate_count], [rate_count, 3], [joint_count, 3]. `row`: a base and the coordinates after it."""
        arms = -self.measure(np.ascontiguousarray(row[ROW:]), np.ascontiguousarray(row[:ROW]))[1][muscle]
        motions = self._state[int(self.model.ints[MOTION_START]) :].reshape(-1, MOTION)
        return arms, motions[:, :3].copy(), self.model.transforms(self._state)[:, 9:].copy()

    def lengths(self, q: Array, base: Array | None = None) -> Array:
        """Lengths of all muscles [m]."""
        return self.measure(q, base)[0]

    def forces(self, lengths: Array, rates: Array, activations: Array) -> Array:
        """Forces along the tendons, by the model of the muscles [N]."""
        found = np.zeros(FORCES * len(lengths))
        write_forces(self.force_model, self.strengths.ravel(), lengths, rates, activations, found)
        return found[::FORCES].copy()

    def fibres(self, lengths: Array, rates: Array, activations: Array) -> Array:
        """Lengths of the fibres over those at which they are strongest."""
        if self.is_elastic:
            return self.fibre_states(lengths, rates, activations)[:, 0].copy()
        along = np.maximum(lengths - self.strengths[:, 2], 0.0)
        width = self.strengths[:, 1] * self.strengths[:, 3]
        return np.hypot(along, width) / self.strengths[:, 1]

    def fibre_states(self, lengths: Array, rates: Array, activations: Array) -> Array:
        """How fibres stand and move whose tendons stretch (`engine.muscles.elastic`), shape [muscle_count, STATES]."""
        found = np.zeros((len(lengths), STATES))
        write_fibres(self.force_model, self.strengths.ravel(), lengths, rates, activations, found.ravel())
        return found

    # What is drawn

    def trace(self, q: Array, base: Array | None = None) -> tuple[Array, IntArray]:
        """Points of all paths in the world [m], shape [point_count, 3], and where each begins and the last ends."""
        drawn = self._drawn
        q = follow(self.model.driven, q)
        self._pose(q, base)
        trace_paths(drawn.paths.ints, drawn.paths.floats, self._state, q, drawn.work, drawn.points, drawn.starts)
        return drawn.points[: drawn.starts[-1]], drawn.starts

    def spindles(
        self, q: Array, base: Array | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Vertices of all spindles in the world [m] and their normals, shapes [vertex_count, 3], and their spines
        (`engine.muscles.spindles`), shape [ring_count, SPINE]; fresh."""
        drawn = self._drawn
        points, starts = self.trace(q, base)
        positions = np.empty((len(drawn.muscle), 3), dtype=np.float32)
        normals, spine = np.empty_like(positions), np.empty((len(positions) // len(drawn.round), SPINE), np.float32)
        rows = drawn.ring_rows
        write_spindles(points, starts, drawn.forms, drawn.rings, drawn.round, rows, spine, positions, normals)
        return positions, normals, spine

    @property
    def topology(self) -> str:
        """A digest of what stays of the spindles."""
        return self._drawn.topology

    @property
    def triangles(self) -> NDArray[np.int32]:
        """Triangles of the spindles, shape [triangle_count, 3]."""
        return self._drawn.triangles

    @property
    def few_rings(self) -> NDArray[np.int32]:
        """Rings of each that do from afar."""
        return self._drawn.few_rings

    @property
    def muscle(self) -> NDArray[np.int32]:
        """The number of each vertex's muscle."""
        return self._drawn.muscle

    @property
    def sinew(self) -> NDArray[np.float32]:
        """How much each vertex is tendon."""
        return self._drawn.sinew

    @cached_property
    def _drawn(self) -> _DrawnMuscles:
        return _DrawnMuscles(self.model, self.muscles)

    def _pose(self, q: Array, base: Array | None) -> None:
        self._state[:ROW] = self._home if base is None else base
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self._state)


class _DrawnMuscles:
    """Buffers that spindles are drawn from, made when they first are."""

    def __init__(self, model: Model, muscles: Muscles) -> None:
        count = len(muscles.muscles)
        rings: Rings = rings_for(count)
        self.paths = compile_paths(model, muscles, whole=True)
        self.work = self.paths.new_work()
        self.points = np.zeros((most_traced(self.paths), 3))
        self.starts: IntArray = np.zeros(count + 1, dtype=np.int32)
        self.forms = spindle_forms(muscles).ravel()
        self.rings: IntArray = np.array((rings.tendon, rings.belly), dtype=np.int32)
        angles = 2.0 * np.pi * np.arange(rings.sides) / rings.sides
        # As large as the circle, so that a belly of few sides has its volume, too.
        wide = np.sqrt(2.0 * np.pi / rings.sides / np.sin(2.0 * np.pi / rings.sides))
        self.round = wide * np.stack((np.cos(angles), np.sin(angles)), axis=1)
        self.ring_rows = np.zeros((rings.count + 1, 4))
        self.triangles: NDArray[np.int32] = spindle_triangles(count, rings)
        self.few_rings: NDArray[np.int32] = few_rings(rings)
        self.muscle: NDArray[np.int32] = np.repeat(np.arange(count, dtype=np.int32), rings.vertex_count)
        self.sinew = np.tile(spindle_sinew(rings), count)
        text = f"spindles {count} {rings}"
        self.topology = blake2b(text.encode(), digest_size=16).hexdigest()
