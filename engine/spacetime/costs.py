"""Costs of the use of muscles at a state, and their derivatives (4.18 to 4.20). Kernels.

`muscles` are the coordinates that each turns; torques are the functions from `first` on, `costs` the weights of torque,
power, work and smoothness.
"""

from __future__ import annotations

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel


@kernel
def cost_of_muscles(muscles: IntArray, costs: Array, first: int, a: Array, v: Array) -> float:
    """Sum the costs."""
    found = 0.0
    for m in range(muscles.size):
        torque, change, rate = a[first + m], v[first + m], v[muscles[m]]
        found += costs[m, 0] * torque * torque + costs[m, 1] * (torque * rate) ** 2
        found += costs[m, 2] * torque * rate + costs[m, 3] * change * change
    return found


@kernel
def add_cost_slopes(
    muscles: IntArray, costs: Array, first: int, factor: float, a: Array, v: Array, out_by_a: Array, out_by_v: Array
) -> None:
    """Add factor times the first derivatives."""
    for m in range(muscles.size):
        dof, torque, rate = muscles[m], a[first + m], v[muscles[m]]
        squared = costs[m, 0] + costs[m, 1] * rate * rate
        out_by_a[first + m] += factor * (2.0 * torque * squared + costs[m, 2] * rate)
        out_by_v[dof] += factor * (2.0 * costs[m, 1] * torque * torque * rate + costs[m, 2] * torque)
        out_by_v[first + m] += factor * 2.0 * costs[m, 3] * v[first + m]


@kernel
def add_cost_curvature(
    muscles: IntArray, costs: Array, first: int, factor: float, a: Array, v: Array, out_matrix: Array
) -> None:
    """Add factor times the second derivatives by (a, v)."""
    functions = a.size
    for m in range(muscles.size):
        dof, torque, rate, at = muscles[m], a[first + m], v[muscles[m]], first + m
        out_matrix[at, at] += factor * 2.0 * (costs[m, 0] + costs[m, 1] * rate * rate)
        mixed = factor * (4.0 * costs[m, 1] * torque * rate + costs[m, 2])
        out_matrix[at, functions + dof] += mixed
        out_matrix[functions + dof, at] += mixed
        out_matrix[functions + dof, functions + dof] += factor * 2.0 * costs[m, 1] * torque * torque
        out_matrix[functions + at, functions + at] += factor * 2.0 * costs[m, 3]
