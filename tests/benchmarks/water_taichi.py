"""The step of a falling dam in Taichi, where that is installed (`pip install ".[peers]"`): the peer of ours.

The same tank at the same moment: velocities carried along (semi-Lagrangian, midpoint rule), gravity, what flows out of
cells, conjugate gradients preconditioned by one multigrid cycle, the pressure's gradient; in single precision, with
loops over the cores by Taichi, as its example `mgpcg` has it (two Gauss-Seidel sweeps by colours before and after,
corrections constant within coarse cells). Its matrices, and those of the coarser levels, are ours and are there before
anything is timed; velocities are not extrapolated afterwards. Both is to the peer's advantage.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from engine.water import equation
from engine.water.equation import Faces, Open
from engine.water.multigrid import CX, CY, CZ, DIAGONAL, NX, NZ, coarsen, level_array
from engine.water.step import WaterModel, WaterState, WaterWork

MOST = 60  # iterations
BOTTOM = 10  # sweeps on the coarsest level
_VECTORS = "begin", "along", "turn", "multiply", "advance", "finish"


def has_taichi() -> bool:
    """Tell whether the peer is installed."""
    return find_spec("taichi") is not None


def taichi_step(
    model: WaterModel, state: WaterState, work: WaterWork, dt: float, tolerance: float
) -> Callable[[], float]:
    """Make a call that takes the step again and again; it gives the residual left."""
    ti: Any = import_module("taichi")
    ti.init(arch=ti.cpu, default_fp=ti.f32, cpu_max_num_threads=2, log_level=ti.ERROR, offline_cache=False)
    equation.build(state.phi, Open(*work.walls.weights), work.solve)
    equation.outflow(state.velocities, Open(*work.walls.weights), Faces(*work.walls.velocities), work.solve)
    levels = _levels(ti, work)
    carry, flow_out, push = _flow(ti, model, state, levels[0], dt)
    solve = _gradients(ti, levels, tolerance)

    def call() -> float:
        carry()
        flow_out()
        left: float = solve()
        push()
        ti.sync()
        return left

    return call


def _levels(ti: Any, work: WaterWork) -> list[dict[str, Any]]:
    """The matrices of all levels as fields, with room."""
    grid = work.solve.multigrid
    coarsen(grid)
    found = []
    for level in range(len(grid.table)):
        shape = tuple(int(each) + 2 for each in grid.table[level, NX : NZ + 1])
        fields: dict[str, Any] = {name: ti.field(ti.f32, shape) for name in ("x", "y", "z", "own", "r", "u")}
        for name, kind in (("x", CX), ("y", CY), ("z", CZ), ("own", DIAGONAL)):
            fields[name].from_numpy(np.array(level_array(grid, level, kind)).reshape(shape))
        found.append(fields)
    return found


def _flow(ti: Any, model: WaterModel, state: WaterState, fine: dict[str, Any], dt: float) -> tuple[Any, Any, Any]:
    """Kernels around the pressure."""
    given, out = ([ti.field(ti.f32, shape) for shape in model.grid.faces] for _ in range(2))
    for to, each in zip(given, state.velocities, strict=True):
        to.from_numpy(each.astype(np.float32))
    phi = ti.field(ti.f32, model.grid.cells)
    phi.from_numpy(state.phi.astype(np.float32))
    own, right, found = fine["own"], fine["r"], fine["u"]
    first, second, third = out

    @ti.kernel
    def flow_out():
        for i, j, k in phi:
            flow = first[i, j, k] - first[i + 1, j, k] + second[i, j, k] - second[i, j + 1, k]
            flow += third[i, j, k] - third[i, j, k + 1]
            right[i + 1, j + 1, k + 1] = flow if own[i + 1, j + 1, k + 1] > 0.0 else 0.0

    @ti.kernel
    def push():
        for i, j, k in phi:
            a, b, c = i + 1, j + 1, k + 1
            if i > 0 and ti.min(phi[i, j, k], phi[i - 1, j, k]) < 0.0:
                first[i, j, k] -= found[a, b, c] - found[a - 1, b, c]
            if j > 0 and ti.min(phi[i, j, k], phi[i, j - 1, k]) < 0.0:
                second[i, j, k] -= found[a, b, c] - found[a, b - 1, c]
            if k > 0 and ti.min(phi[i, j, k], phi[i, j, k - 1]) < 0.0:
                third[i, j, k] -= found[a, b, c] - found[a, b, c - 1]

    return _carrier(ti, model, (given, out, phi), dt), flow_out, push


def _carrier(ti: Any, model: WaterModel, fields: tuple[Any, Any, Any], dt: float) -> Any:
    """Make the kernel that carries velocities along, and lets them fall; fields: given ones, new ones, the distance."""
    (u, v, w), (first, second, third), phi = fields
    step, pull = dt / model.grid.spacing, model.gravity[1] * dt
    nx, ny, nz = model.grid.cells

    @ti.func
    def sample(values, x, y, z, a, b, c):
        x, y, z = ti.max(ti.min(x, a - 1.0), 0.0), ti.max(ti.min(y, b - 1.0), 0.0), ti.max(ti.min(z, c - 1.0), 0.0)
        i, j, k = ti.min(int(x), a - 2), ti.min(int(y), b - 2), ti.min(int(z), c - 2)
        x, y, z = x - i, y - j, z - k
        low = (values[i, j, k] * (1 - z) + values[i, j, k + 1] * z) * (1 - y) + (
            values[i, j + 1, k] * (1 - z) + values[i, j + 1, k + 1] * z
        ) * y
        high = (values[i + 1, j, k] * (1 - z) + values[i + 1, j, k + 1] * z) * (1 - y) + (
            values[i + 1, j + 1, k] * (1 - z) + values[i + 1, j + 1, k + 1] * z
        ) * y
        return low * (1 - x) + high * x

    @ti.func
    def speed(x, y, z):
        return (
            sample(u, x, y - 0.5, z - 0.5, nx + 1, ny, nz),
            sample(v, x - 0.5, y, z - 0.5, nx, ny + 1, nz),
            sample(w, x - 0.5, y - 0.5, z, nx, ny, nz + 1),
        )

    @ti.func
    def origin(x, y, z):
        a, b, c = speed(x, y, z)
        a, b, c = speed(x - 0.5 * step * a, y - 0.5 * step * b, z - 0.5 * step * c)
        return x - step * a, y - step * b, z - step * c

    @ti.kernel
    def carry():
        for i, j, k in first:
            if 0 < i < nx and ti.min(phi[i, j, k], phi[i - 1, j, k]) < 0.0:
                x, y, z = origin(float(i), j + 0.5, k + 0.5)
                first[i, j, k] = sample(u, x, y - 0.5, z - 0.5, nx + 1, ny, nz)
        for i, j, k in second:
            if 0 < j < ny and ti.min(phi[i, j, k], phi[i, j - 1, k]) < 0.0:
                x, y, z = origin(i + 0.5, float(j), k + 0.5)
                second[i, j, k] = sample(v, x - 0.5, y, z - 0.5, nx, ny + 1, nz) + pull
        for i, j, k in third:
            if 0 < k < nz and ti.min(phi[i, j, k], phi[i, j, k - 1]) < 0.0:
                x, y, z = origin(i + 0.5, j + 0.5, float(k))
                third[i, j, k] = sample(w, x - 0.5, y - 0.5, z, nx, ny, nz + 1)

    return carry


def _around(ti: Any, level: dict[str, Any]) -> Any:
    """Make the function that sums the neighbours of a cell by their couplings."""
    a, b, c = level["x"], level["y"], level["z"]

    @ti.func
    def around(x, i, j, k):
        total = a[i, j, k] * x[i - 1, j, k] + a[i + 1, j, k] * x[i + 1, j, k]
        total += b[i, j, k] * x[i, j - 1, k] + b[i, j + 1, k] * x[i, j + 1, k]
        total += c[i, j, k] * x[i, j, k - 1] + c[i, j, k + 1] * x[i, j, k + 1]
        return total

    return around


def _vectors(ti: Any, fine: dict[str, Any]) -> dict[str, Any]:
    """Kernels of conjugate gradients."""
    shape = fine["own"].shape
    residual, search, product, found = (ti.field(ti.f32, shape) for _ in range(4))
    right, own, z, around = fine["r"], fine["own"], fine["u"], _around(ti, fine)

    @ti.kernel
    def begin() -> float:
        total = 0.0
        for i, j, k in own:
            residual[i, j, k], found[i, j, k], search[i, j, k] = right[i, j, k], 0.0, 0.0
            total += right[i, j, k] ** 2
        return total

    @ti.kernel
    def along() -> float:
        total = 0.0
        for i, j, k in own:
            if own[i, j, k] > 0.0:
                total += z[i, j, k] * residual[i, j, k]
        return total

    @ti.kernel
    def turn(share: float):
        for i, j, k in own:
            if own[i, j, k] > 0.0:
                search[i, j, k] = z[i, j, k] + share * search[i, j, k]

    @ti.kernel
    def multiply() -> float:
        total = 0.0
        for i, j, k in own:
            if own[i, j, k] > 0.0:
                product[i, j, k] = own[i, j, k] * search[i, j, k] - around(search, i, j, k)
                total += product[i, j, k] * search[i, j, k]
        return total

    @ti.kernel
    def advance(by: float) -> float:
        total = 0.0
        for i, j, k in own:
            if own[i, j, k] > 0.0:
                found[i, j, k] += by * search[i, j, k]
                left = residual[i, j, k] - by * product[i, j, k]
                residual[i, j, k], right[i, j, k] = left, left
                total += left * left
        return total

    @ti.kernel
    def finish():
        for i, j, k in own:
            z[i, j, k] = found[i, j, k]

    kernels = begin, along, turn, multiply, advance, finish
    return dict(zip(_VECTORS, kernels, strict=True))


def _gradients(ti: Any, levels: list[dict[str, Any]], tolerance: float) -> Callable[[], float]:
    """Conjugate gradients with one cycle before them."""
    cycles = [_cycle(ti, levels, level) for level in range(len(levels))]
    vectors = _vectors(ti, levels[0])

    def solve() -> float:
        size, before = vectors["begin"](), 0.0
        left = size
        for _ in range(MOST):
            if left <= tolerance**2 * size:
                break
            for down, _up in cycles:
                down()
            for _down, up in reversed(cycles[:-1]):
                up()
            now = vectors["along"]()
            vectors["turn"](now / before if before else 0.0)
            before = now
            left = vectors["advance"](now / vectors["multiply"]())
        vectors["finish"]()
        return float(np.sqrt(left / size))

    return solve


def _cycle(ti: Any, levels: list[dict[str, Any]], level: int) -> tuple[Callable[[], None], Callable[[], None]]:
    """What a cycle does on one level on its way down and up."""
    here = levels[level]
    own, right, u, around = here["own"], here["r"], here["u"], _around(ti, here)

    @ti.kernel
    def clear():
        for i, j, k in own:
            u[i, j, k] = 0.0

    @ti.kernel
    def smooth(colour: int):
        for i, j, k in own:
            if (i + j + k) % 2 == colour and own[i, j, k] > 0.0:
                u[i, j, k] = (right[i, j, k] + around(u, i, j, k)) / own[i, j, k]

    if level == len(levels) - 1:

        def bottom() -> None:
            clear()
            for colour in (*((0, 1) * (BOTTOM // 2)), *((1, 0) * (BOTTOM // 2))):
                smooth(colour)

        return bottom, bottom
    below = levels[level + 1]
    coarse_own, coarse_right, coarse_u = below["own"], below["r"], below["u"]

    @ti.kernel
    def collect():
        for i, j, k in coarse_own:
            coarse_right[i, j, k] = 0.0
        for i, j, k in own:
            if own[i, j, k] > 0.0:
                total = right[i, j, k] - own[i, j, k] * u[i, j, k] + around(u, i, j, k)
                coarse_right[(i + 1) // 2, (j + 1) // 2, (k + 1) // 2] += total

    @ti.kernel
    def correct():
        for i, j, k in own:
            if own[i, j, k] > 0.0:
                u[i, j, k] += coarse_u[(i + 1) // 2, (j + 1) // 2, (k + 1) // 2]

    def down() -> None:
        clear()
        for colour in (0, 1, 0, 1):
            smooth(colour)
        collect()

    def up() -> None:
        correct()
        for colour in (1, 0, 1, 0):
            smooth(colour)

    return down, up
