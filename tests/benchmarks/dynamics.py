"""Forward and inverse dynamics and the mass matrix from Python, against Pinocchio on the same one-degree joints.

Of 71 freedoms (the human) and of 163 (a tree of 103 bodies, as many as the figure of Si 2013 has).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numba
import numpy as np

from engine.document import Figure
from engine.dynamics.batch import compute_many_forward, compute_many_inverse, new_batch_workspace
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.mass import compute_mass_matrix
from engine.maths.arrays import Array
from tests.benchmarks.harness import Row, interleave
from tests.benchmarks.peers import pinocchio_dynamics, weighed
from tests.benchmarks.scenes import human
from tests.engine.dynamics.examples import mechanics_of, random_state, tree163

NAME = "dynamics"
_STATES = 16


def measure() -> Iterator[Row]:
    """The rows."""
    for figure in (weighed(human()), tree163()):
        calls = candidates(figure)
        times = interleave(calls, rounds=80, repeats=2)
        least = {name: min(each) / _STATES * 1e6 for name, each in times.items()}
        count = len(figure.coordinates)
        for what, peer, asked, allowed in (
            ("forward dynamics", "aba", "aim 0.5x", 1.0),
            ("inverse dynamics", "rnea", "aim 0.5x", 1.0),
            ("mass matrix", "crba", "", 1.0),
        ):
            yield Row(
                what=f"{what}, {count} degrees of freedom",
                measured=least[what],
                unit="us",
                asked=asked,
                peer=f"pinocchio {peer}",
                peer_measured=least[peer],
                allowed=allowed,
            )
        yield from batches(figure)


def batch_calls(figure: Figure, count: int) -> dict[str, Callable[[], object]]:
    """Many states, in one call and one after the other, by us and by Pinocchio."""
    import pinocchio

    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    data, states = peer.createData(), [random_state(figure, mechanics, seed) for seed in range(count)]
    q, qd, tau = (np.array([getattr(state, name) for state in states]) for name in ("q", "qd", "tau"))
    outside, zeros = np.zeros((count, mechanics.joint_count, 6)), np.zeros_like(qd)
    nothing = outside[:0]
    ints, floats, work, out = mechanics.ints, mechanics.floats, mechanics.new_work(), np.empty_like(qd)

    def forward(blocks: int, acting: Array = nothing) -> Callable[[], object]:
        room = new_batch_workspace(mechanics, blocks)
        return lambda: compute_many_forward(ints, floats, q, qd, tau, zeros, acting, room, out)

    def inverse(blocks: int) -> Callable[[], object]:
        room = new_batch_workspace(mechanics, blocks)
        return lambda: compute_many_inverse(ints, floats, q, qd, tau, nothing, room, out)

    each = [(q[at], qd[at], tau[at], outside[at], out[at]) for at in range(count)]
    return {
        "forward": forward(numba.get_num_threads()),
        "aba": lambda: [pinocchio.aba(peer, data, state.q, state.qd, state.tau) for state in states],
        "inverse": inverse(numba.get_num_threads()),
        "rnea": lambda: [pinocchio.rnea(peer, data, state.q, state.qd, state.tau) for state in states],
        "apart": on_one_thread(inverse(1)),  # lets the second thread go, which takes as long as 30 states
        "forward, one thread": on_one_thread(forward(1)),
        "forward, acted on": on_one_thread(forward(1, outside)),
        "forward, one by one": lambda: [
            compute_forward_dynamics(ints, floats, a, b, c, zeros[0], d, work, e) for a, b, c, d, e in each
        ],
        "inverse, one thread": on_one_thread(inverse(1)),
        "inverse, one by one": lambda: [
            compute_inverse_dynamics(ints, floats, a, b, c, d, work, e) for a, b, c, d, e in each
        ],
    }


def batches(figure: Figure) -> Iterator[Row]:
    """Many states in one call, on one thread against Pinocchio and one after the other; what the cores gain."""
    count, rates = 128, sum(3 if dof.kind == "ball" else 1 for dof in figure.dofs)
    times = {
        name: min(each) / count * 1e6
        for name, each in interleave(batch_calls(figure, count), rounds=100, repeats=1).items()
    }
    for name, other in (("forward", "aba"), ("inverse", "rnea")):
        yield Row(
            what=f"{name} dynamics, {rates}, each of {count} states, one thread",
            measured=times[f"{name}, one thread"],
            unit="us",
            asked="about 4 us",
            peer=f"pinocchio {other}",
            peer_measured=times[other],
            allowed=1.0,
        )
        yield Row(
            what=f"{name} dynamics, {rates}, the same",
            measured=times[f"{name}, one thread"],
            unit="us",
            peer="one by one",
            peer_measured=times[f"{name}, one by one"],
            allowed=1.0 / 1.4,
        )
        yield Row(
            what=f"{name} dynamics, {rates}, each of {count}, over the cores",
            measured=times[name],
            unit="us",
            peer="one thread",
            peer_measured=times[f"{name}, one thread"],
            note="a core that others use gains nothing",
        )
    yield Row(
        what=f"forward dynamics, {rates}, each of {count}, forces from outside, one thread",
        measured=times["forward, acted on"],
        unit="us",
        asked="about 4 us",
    )


def on_one_thread(call: Callable[[], object]) -> Callable[[], object]:
    """The call without the threads that would otherwise wait beside it."""

    def run() -> None:
        before = numba.get_num_threads()
        numba.set_num_threads(1)
        try:
            call()
        finally:
            numba.set_num_threads(before)

    return run


def candidates(figure: Figure) -> dict[str, Callable[[], object]]:
    """One call for each of some states, ours and Pinocchio's; what they find is compared first."""
    import pinocchio

    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    data, count = peer.createData(), mechanics.rate_count
    states = [random_state(figure, mechanics, seed) for seed in range(_STATES)]
    ints, floats, work, out = mechanics.ints, mechanics.floats, mechanics.new_work(), np.empty(count)
    none, zeros, mass = np.zeros((mechanics.joint_count, 6)), np.zeros(count), np.empty((count, count))
    each = [(state.q, state.qd, state.tau) for state in states]

    def over(call: Callable[[Array, Array, Array], object]) -> Callable[[], object]:
        def run() -> None:
            for q, qd, tau in each:
                call(q, qd, tau)

        return run

    for q, qd, tau in each:
        compute_inverse_dynamics(ints, floats, q, qd, tau, none, work, out)
        wanted = pinocchio.rnea(peer, data, q, qd, tau)
        assert np.abs(out - wanted).max() <= 1e-10 * np.abs(wanted).max()
    return {
        "forward dynamics": over(
            lambda q, qd, tau: compute_forward_dynamics(ints, floats, q, qd, tau, zeros, none, work, out)
        ),
        "aba": over(lambda q, qd, tau: pinocchio.aba(peer, data, q, qd, tau)),
        "inverse dynamics": over(
            lambda q, qd, tau: compute_inverse_dynamics(ints, floats, q, qd, tau, none, work, out)
        ),
        "rnea": over(lambda q, qd, tau: pinocchio.rnea(peer, data, q, qd, tau)),
        "mass matrix": over(lambda q, qd, tau: compute_mass_matrix(ints, floats, q, work, mass)),
        "crba": over(lambda q, qd, tau: pinocchio.crba(peer, data, q)),
    }
