"""Limits as fields: building those of 30 joints against brute force, asking one, projecting, and a whole human."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from engine.document import Blob
from engine.document.limit import Grid, Limit, SampledRange
from engine.limits import field as field_module
from engine.limits.distance import find_nearest
from engine.limits.field import Field, compile_fields
from engine.limits.packed import pack_limits
from engine.limits.query import project_angles, project_pose, slope_at, value_at
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel, parallel_kernel, prange
from tests.benchmarks.harness import Row, interleave, medians

NAME = "limits"

_JOINTS, _SAMPLES, _POINTS = 30, 200, 2000


def turning(count: int) -> Grid:
    """Periodic along three axes."""
    return Grid(counts=(count,) * 3, lower=(-math.pi,) * 3, spacing=(math.tau / count,) * 3, periodic=(True,) * 3)


def motion(seed: int) -> Array:
    """A joint's way through a second and a half: slow waves, 200 samples [rad]."""
    rng = np.random.default_rng(seed)
    times = np.linspace(0.0, math.tau, _SAMPLES)[:, None]
    widths, phases = rng.uniform(0.05, 0.5, size=(2, 3)), rng.uniform(0.0, 6.0, size=(2, 3))
    return np.asarray(sum(widths[each] * np.sin((each + 1) * times + phases[each]) for each in range(2)))


def limits_at(count: int) -> list[Limit]:
    """Of 30 joints."""
    return [
        Limit(
            id=f"limit{each}",
            name=f"Joint {each}",
            dofs=("a", "b", "c"),
            range=SampledRange(angles=Blob(motion(each)), clips=(_SAMPLES,)),
            grid=turning(count),
            margin=0.2,
        )
        for each in range(_JOINTS)
    ]


@parallel_kernel
def measure_all(samples: Array, count: int, out_distance: Array) -> None:
    """Every node against every sample, the short way round: samples of shape [joint, sample, 3]."""
    step = 2.0 * math.pi / count
    for joint in prange(len(samples)):
        for node in range(count**3):
            x, y = -math.pi + step * (node // count**2), -math.pi + step * (node // count % count)
            z = -math.pi + step * (node % count)
            least = math.inf
            for each in range(samples.shape[1]):
                a, b = abs(x - samples[joint, each, 0]), abs(y - samples[joint, each, 1])
                c = abs(z - samples[joint, each, 2])
                a, b, c = min(a, 2.0 * math.pi - a), min(b, 2.0 * math.pi - b), min(c, 2.0 * math.pi - c)
                least = min(least, a * a + b * b + c * c)
            out_distance[joint, node] = math.sqrt(least)


def building(count: int, repeats: int) -> Iterator[Row]:
    """All of it, from samples to fields; of it, the distances alone beside brute force over the same samples."""
    limits, axes = limits_at(count), [np.eye(3)] * _JOINTS
    samples = [motion(each) for each in range(_JOINTS)]
    stacked, grids = np.stack(samples), [turning(count)] * _JOINTS
    out = np.empty((_JOINTS, count**3))
    found = find_nearest(grids, samples)
    measure_all(stacked, count, out)
    assert max(np.abs(found[each][0].ravel() - out[each]).max() for each in range(_JOINTS)) < 1e-12

    def whole() -> None:
        field_module._fields.clear()
        compile_fields(limits, axes)

    calls: dict[str, Callable[[], object]] = {
        "whole": whole,
        "distances": lambda: find_nearest(grids, samples),
        "brute force": lambda: measure_all(stacked, count, out),
    }
    times = {name: 1e3 * each for name, each in medians(interleave(calls, rounds=repeats, repeats=1)).items()}
    asked = "at most 30 ms" if count == 32 else "at most 300 ms"
    yield Row(what=f"fields of 30 joints at {count}^3", measured=times["whole"], unit="ms", asked=asked)
    yield Row(
        what="of it, distances without samples between",
        measured=times["distances"],
        unit="ms",
        peer="brute force",
        peer_measured=times["brute force"],
        allowed=0.6,
    )


@kernel
def ask_values(ints: IntArray, floats: Array, points: Array, out_points: Array) -> None:
    for each in range(len(points)):
        out_points[each, 0] = value_at(ints, floats, 0, points[each])


@kernel
def ask_slopes(ints: IntArray, floats: Array, points: Array, out_points: Array) -> None:
    for each in range(len(points)):
        slope_at(ints, floats, 0, points[each], out_points[each])


@kernel
def project_all(ints: IntArray, floats: Array, points: Array, out_points: Array) -> None:
    for each in range(len(points)):
        project_angles(ints, floats, 0, points[each], out_points[each])


@kernel
def project_poses(ints: IntArray, floats: Array, poses: Array, out_poses: Array) -> None:
    for each in range(len(poses)):
        project_pose(ints, floats, poses[each], out_poses[each])


def asking(field: Field) -> Iterator[Row]:
    """One field, at random triples from all of Euler space."""
    limits, out = pack_limits([(field, (0, 1, 2))]), np.empty((_POINTS, 3))
    points = np.random.default_rng(0).uniform(-math.pi, math.pi, size=(_POINTS, 3))
    asks = {"value": ask_values, "slope": ask_slopes, "projection": project_all}
    calls = {name: partial(ask, limits.ints, limits.floats, points, out) for name, ask in asks.items()}
    times = {name: each / _POINTS * 1e9 for name, each in medians(interleave(calls, repeats=10)).items()}
    yield Row(what="value of a field", measured=times["value"], unit="ns")
    yield Row(
        what="value and analytic gradient",
        measured=times["slope"],
        unit="ns",
        asked="at most 25 ns",
        peer="value",
        peer_measured=times["value"],
        allowed=3.0,
    )
    yield Row(
        what="with projection, always feasible",
        measured=times["projection"],
        unit="ns",
        asked="at most 120 ns",
        peer="value",
        peer_measured=times["value"],
    )


def posing(fields: list[Field]) -> Iterator[Row]:
    """A human's joints at once, near their limits as a solver has them."""
    places = [(each, range(3 * each, 3 * each + 3)) for each in range(_JOINTS)]
    limits = pack_limits([(fields[each], mine) for each, mine in places])
    moves = np.concatenate([motion(each) for each in range(_JOINTS)], axis=1)
    for name, spread, asked in (("a step of 0.1 rad", 0.1, "at most 4 us"), ("a step of 0.5 rad", 0.5, "")):
        poses = moves + np.random.default_rng(1).normal(scale=spread, size=moves.shape)
        out = np.empty(poses.shape)
        calls = {"ours": partial(project_poses, limits.ints, limits.floats, poses, out)}
        time = medians(interleave(calls, repeats=10))["ours"] / len(poses) * 1e6
        yield Row(what=f"projection of 30 joints after {name}", measured=time, unit="us", asked=asked)


def measure() -> Iterator[Row]:
    """The rows."""
    yield from building(32, 15)
    yield from building(64, 3)
    fields = compile_fields(limits_at(32), [np.eye(3)] * _JOINTS)
    yield from asking(fields[0])
    yield from posing(fields)
