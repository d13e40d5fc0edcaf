"""Lengths, moment arms and forces of 823 muscles at 163 degrees of freedom, against MuJoCo's tendons."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import median
from time import process_time

import numpy as np

from engine.document import Figure
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.activations import share_torques, shared_torques
from engine.muscles.compile import MusclePaths, compile_paths
from engine.muscles.elastic import write_forces
from engine.muscles.hill import (
    DE_GROOTE,
    DE_GROOTE_ELASTIC,
    FORCES,
    LINEAR,
    STRENGTH,
    THELEN,
    THELEN_ELASTIC,
)
from engine.muscles.parts import WRAP_SHAPES, Muscle, Muscles, MuscleWrap, PathPoint, PathWrap, WrapShape
from engine.muscles.paths import measure_paths
from tests.benchmarks.harness import Row, interleave
from tests.benchmarks.peers import mujoco_tendons
from tests.engine.dynamics.examples import tree163

NAME = "muscles"
COUNT = 823
FRAMES = 60


def muscles_of(figure: Figure, shape: WrapShape | None = None) -> Muscles:
    """As many muscles as the figure of Si 2013 has, of 4.4 points on average, over one to three joints; each tenth
    bends around a wrap."""
    random = np.random.default_rng(823)
    joints = [joint for joint in figure.joints if joint.parent is not None]
    radii = {"sphere": (0.02,), "cylinder": (0.02,), "ellipsoid": (0.02, 0.03, 0.025), "torus": (0.05, 0.02)}
    made, wraps = [], []
    for number in range(COUNT):
        chain = list(figure.above(joints[int(random.integers(len(joints)))].id))[: int(random.integers(2, 5))]
        places = np.sort(random.integers(0, len(chain), int(random.choice((3, 4, 5, 6), p=(0.2, 0.4, 0.2, 0.2)))))
        places[0], places[-1] = 0, len(chain) - 1
        points = [PathPoint(joint=chain[place], point=tuple(random.normal(size=3) * 0.04)) for place in places]
        used: tuple[PathWrap, ...] = ()
        if shape is not None and number % 10 == 0:
            first = np.array(points[0].point)
            points[1] = PathPoint(joint=chain[0], point=tuple(-first + random.normal(size=3) * 0.01))
            wrap = MuscleWrap(id=f"wrap {number}", name="Wrap", joint=chain[0], shape=shape, radii=radii[shape])
            wraps.append(wrap)
            used = (PathWrap(wrap=wrap.id, first=0, last=1),)
        id = f"muscle {number}"
        made.append(Muscle(id=id, name=id, points=tuple(points), wraps=used, force=500.0, fibre=0.08, tendon=0.1))
    return Muscles(muscles=tuple(made), wraps=tuple(wraps))


class Paths:
    """Lengths and gradient in one pose."""

    def __init__(self, figure: Figure, muscles: Muscles, q: np.ndarray) -> None:
        model = compile_model(figure)
        self.paths: MusclePaths = compile_paths(model, muscles)
        self._state, self._work, self._q = model.new_state(), self.paths.new_work(), q
        compute_forward_kinematics(model.ints, model.floats, q, self._state)
        self.lengths, self.gradient = np.zeros(self.paths.count), np.zeros(self.paths.entry_count)

    def __call__(self) -> None:
        paths = self.paths
        measure_paths(paths.ints, paths.floats, self._state, self._q, self._work, self.lengths, self.gradient)


def measure() -> Iterator[Row]:
    """The rows."""
    import mujoco

    figure = tree163()
    q = np.random.default_rng(3).uniform(-0.4, 0.4, len(figure.dofs))
    plain = Paths(figure, muscles_of(figure), q)
    calls: dict[str, Paths] = {"": plain}
    for shape in WRAP_SHAPES:
        calls[shape] = Paths(figure, muscles_of(figure, shape), q)
    peers = {}
    as_theirs: tuple[WrapShape | None, ...] = (None, "sphere", "cylinder")
    for among in as_theirs:
        peer = mujoco_tendons(figure, muscles_of(figure, among))
        data = mujoco.MjData(peer)
        data.qpos[:] = q
        mujoco.mj_kinematics(peer, data)
        mujoco.mj_comPos(peer, data)
        peers[f"mujoco {among or ''}"] = partial(mujoco.mj_tendon, peer, data)
    times = {name: min(each) * 1e6 for name, each in interleave({**calls, **peers}, rounds=40, repeats=5).items()}
    what = f"lengths and moment arms of {COUNT} muscles, {len(figure.dofs)} degrees of freedom"
    for name in calls:
        theirs = times.get(f"mujoco {name}")
        yield Row(
            what=what + (f", a tenth around a {name}" if name else ""),
            measured=times[name],
            unit="us",
            asked="200, aim 60" if not name else "",
            peer="" if theirs is None else "mujoco",
            peer_measured=theirs,
            allowed=None if theirs is None else 0.25,
        )
    yield from forces(plain)
    yield from activations(plain)


def forces(paths: Paths) -> Iterator[Row]:
    """Forces with their derivatives."""
    strength = np.tile(np.array([500.0, 0.08, 0.1, 0.2, 10.0]), COUNT)
    assert strength.size == STRENGTH * COUNT
    random, out = np.random.default_rng(0), np.zeros(FORCES * COUNT)
    lengths, rates, activations = (
        0.1 + random.uniform(0.06, 0.1, COUNT),
        random.normal(size=COUNT),
        random.random(COUNT),
    )
    models = {
        "linear": LINEAR,
        "Thelen 2003": THELEN,
        "De Groote 2016": DE_GROOTE,
        "Thelen 2003, elastic": THELEN_ELASTIC,
        "De Groote 2016, elastic": DE_GROOTE_ELASTIC,
    }
    times = interleave(
        {
            name: partial(write_forces, model, strength, lengths, rates, activations, out)
            for name, model in models.items()
        },
        rounds=40,
        repeats=5,
    )
    for name, each in times.items():
        yield Row(what=f"forces of {COUNT} muscles and their derivatives, {name}", measured=min(each) * 1e6, unit="us")


def activations(paths: Paths) -> Iterator[Row]:
    """Static optimisation of frames, each begun from the one before, torques that the muscles can just give, and
    scipy's answer to the last."""
    from scipy.optimize import nnls

    shared = shared_torques(paths.paths)
    random, full = np.random.default_rng(1), -500.0 * paths.gradient
    order = np.argsort(shared.places)[-shared.count :]
    wanted = 0.3 * paths.paths.dense(full, shared.places.size)[:, order].T @ random.random(COUNT) ** 3
    reserves, bounds, work = np.full(shared.count, 1.0), np.tile([0.0, 1.0], COUNT), shared.new_work()
    swing, phase = random.normal(size=full.size), random.uniform(0.0, 6.0, shared.count)
    for name, power in (("squares", 2), ("cubes", 3)):
        answer = np.zeros(shared.count), np.zeros(COUNT), np.zeros(shared.count)
        taken, steps, torques, asked = [], [], full, wanted
        for frame in range(FRAMES):
            torques = full * (1.0 + 0.02 * np.sin(0.05 * frame + swing))
            asked = wanted * (1.0 + 0.4 * np.sin(0.08 * frame + phase))
            began = process_time()
            steps.append(share_torques(power, shared.ints, torques, asked, reserves, bounds, work, answer))
            taken.append(process_time() - began)
        note = f"{median(steps):g} Newton steps"
        if power == 2:
            rows = np.vstack([np.eye(COUNT), paths.paths.dense(torques, shared.places.size)[:, order].T])
            peer, _ = nnls(rows, np.concatenate([np.zeros(COUNT), asked]), maxiter=10 * COUNT)
            note += f", off scipy's by {np.abs(peer - answer[1]).max():.0e}"
        what = f"activations of {COUNT} muscles for {shared.count} torques, {name}, a frame after another"
        yield Row(what=what, measured=median(taken[1:]) * 1e3, unit="ms", asked="2, aim 0.5", note=note)
