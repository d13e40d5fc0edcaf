"""Contact within a window: the ground and the figure's own bodies, against closed forms; alone as in sequence."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest

from engine.document import Body, Capsule, Dof, Figure, Joint
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.contact_points import measure_gap
from engine.dynamics.mechanics import GRAVITY, Mechanics, compile_mechanics, placed
from engine.dynamics.momenta import LINEAR, MOMENTA, compute_momenta
from engine.dynamics.motions import compute_frames
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import EXACT, JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import ROW, compile_model
from engine.runtime.errors import Diverged
from tests.engine.kinodynamics.moving import still, ticks, waves

FRAME = TICKS_PER_SECOND // 30
LIMP = JointGains(relaxation=1.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
G, MU, RADIUS = -GRAVITY[1], 0.8, 0.05


@pytest.fixture(scope="module")
def human() -> Mechanics:
    return compile_mechanics(compile_model(load_figure("human")), massless=True)


def touching(mechanics: Mechanics, *, window: float = 0.5, contact: bool = True, **own: JointGains) -> KinoModel:
    gains = compile_gains(mechanics, JointGains(tension=3.0), own)
    return compile_kinodynamics(mechanics, gains, window=window, contact=contact)


def slide(name: str, axis: tuple[float, float, float]) -> Dof:
    return Dof(id=name, name=name, kind="slide", axis=axis)


def ball(radius: float = RADIUS) -> Mechanics:
    """A ball that may slide along x and y and roll about z; its middle is at the origin at rest."""
    shapes = (Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.0, 0.0), radius=radius),)
    inertia = 0.4 * 2.0 * radius**2
    body = Body(mass=2.0, inertia=(inertia, inertia, inertia, 0.0, 0.0, 0.0))
    dofs = (slide("x", (1.0, 0.0, 0.0)), slide("y", (0.0, 1.0, 0.0)), Dof(id="roll", name="Roll", axis=(0.0, 0.0, 1.0)))
    return compile_mechanics(
        compile_model(Figure(name="Ball", joints=(Joint(id="ball", name="Ball", dofs=dofs, body=body, shapes=shapes),)))
    )


def led(q: tuple[float, ...], qd: tuple[float, ...]) -> Keyed:
    """Uniform motion through a pose at the time 0."""

    def keyed(times: Array) -> Array:
        seconds = np.asarray(times, dtype=np.float64)[:, None] / TICKS_PER_SECOND
        return np.stack((np.array(q) + seconds * np.array(qd), np.tile(np.array(qd), (len(seconds), 1))), axis=1)

    return keyed


def lowest(kino: KinoModel, q: Array) -> float:
    """How far the lowest point of a pose is above the ground [m]."""
    assert kino.touches
    work = kino.mechanics.new_work()
    compute_frames(kino.mechanics.ints, kino.mechanics.floats, np.ascontiguousarray(q), work)
    return float(measure_gap(kino.contact.shapes.ints, kino.contact.shapes.floats, work))


def test_what_falls_lies_on_the_floor_and_does_not_sink() -> None:
    kino, height = touching(ball(), ball=LIMP), 0.2
    times, q = kino.path(0.0, 60, led((0.0, RADIUS + height, 0.0), (0.0, 0.0, 0.0)))
    seconds, above = times / TICKS_PER_SECOND, q[:, 1] - RADIUS
    lands = math.sqrt(2.0 * height / G)
    falling = seconds < lands - 0.01
    assert above[falling] == pytest.approx(height - 0.5 * G * seconds[falling] ** 2, abs=1e-9)
    assert above.min() > -2e-4
    assert np.abs(above[seconds > lands + 0.02]).max() < 2e-4
    free = touching(ball(), contact=False, ball=LIMP).path(0.0, 60, led((0.0, RADIUS + height, 0.0), (0.0, 0.0, 0.0)))
    assert free[1][-1, 1] < -1.0


def test_what_slides_is_slowed_by_friction_until_it_rolls() -> None:
    """A ball that slides at v without turning rolls at 5 v / 7, after v^2 12 / (49 mu g) of way. One so large that it
    rolls by less than 0.1 rad a step, where the drag of fast rates begins."""
    radius, v = 0.15, 1.4
    kino = touching(ball(radius), ball=LIMP)
    times, q = kino.path(0.0, 50, led((0.0, radius, 0.0), (v, 0.0, 0.0)))
    seconds = times / TICKS_PER_SECOND
    rolls = 2.0 * v / (7.0 * MU * G)
    sliding = seconds < rolls - 0.01
    assert sliding.sum() > 4
    wanted = v * seconds - 0.5 * MU * G * seconds**2
    assert q[sliding, 0] == pytest.approx(wanted[sliding], abs=1.5 * MU * G * 0.01**2 * 3.0)
    late = seconds > rolls + 0.03
    pace = np.diff(q[late, 0]) / 0.01
    assert pace == pytest.approx(5.0 * v / 7.0, rel=0.02)
    turning = np.diff(q[late, 2]) / 0.01
    assert turning * radius == pytest.approx(-pace, rel=1e-3)


def test_what_is_keyed_into_the_ground_is_led_out_and_not_thrown_up() -> None:
    kino = touching(ball(), window=1.0, ball=JointGains(tension=1e-3))
    _, q = kino.path(0.0, 100, led((0.0, RADIUS - 0.05, 0.0), (0.0, 0.0, 0.0)))
    above = q[:, 1] - RADIUS
    assert np.abs(above[50:]).max() < 3e-4
    assert above.max() < 1e-6


def test_a_limp_hand_over_the_ground_does_not_pass_it(human: Mechanics) -> None:
    """The figure stands in a pit, on legs that go where they are keyed; its raised arms fall to the rim."""
    figure, pose, low = human.model.figure, human.model.rest.copy(), placed(human, (0.0, -0.85, 0.0), UPRIGHT)
    for side in ("left", "right"):
        pose[figure.coordinate_index[f"shoulder_{side}.flexion"]] = 1.2
    parts = [f"{part}_{side}" for side in ("left", "right") for part in ("shoulder", "elbow", "hip", "knee")]
    own = {id: EXACT if id.startswith(("hip", "knee")) else LIMP for id in parts}
    stiff = dict.fromkeys(("ankle_left", "toes_left", "ankle_right", "toes_right"), EXACT)
    heights = {}
    for contact in (False, True):
        kino = touching(low, window=0.8, contact=contact, **own, **stiff)
        work, least = kino.mechanics.new_work(), math.inf
        for q in kino.path(0.0, 80, still(human, pose))[1]:
            compute_frames(kino.mechanics.ints, kino.mechanics.floats, q, work)
            hands = [figure.joint_index[f"{part}_left"] for part in ("wrist", "middle", "index_tip")]
            least = min(least, *(float(work[(joint + 1) * ROW + 10]) for joint in hands))
        heights[contact] = least
    assert heights[False] < -0.05
    assert heights[True] > 0.0


def test_nothing_near_or_no_contact_gives_the_same_bytes(human: Mechanics) -> None:
    high = placed(human, (0.0, 5.0, 0.0), UPRIGHT)
    keyed, times = waves(human, 4, size=0.01), FRAME * np.arange(12.0)
    gains = compile_gains(high, JointGains(tension=20.0))
    one, two = (compile_kinodynamics(high, gains, contact=contact).simulate(times, keyed) for contact in (False, True))
    assert one[0].tobytes() == two[0].tobytes()
    assert one[1].tobytes() == two[1].tobytes()
    down = compile_kinodynamics(human, gains, contact=True).simulate(times, keyed)
    assert down[0].tobytes() != one[0].tobytes()


def test_a_frame_alone_has_the_bytes_of_the_same_frame_in_a_sequence(human: Mechanics) -> None:
    kino, keyed = touching(human, window=0.2), waves(human, 2, size=0.05)
    times = FRAME * np.arange(24.0)
    q, qd = kino.simulate(times, keyed)
    for place in (0, 7, 23):
        alone = kino.simulate(times[place], keyed)
        assert alone[0].tobytes() == q[place].tobytes()
        assert alone[1].tobytes() == qd[place].tobytes()
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        single = kino.simulate(times, keyed)
    finally:
        numba.set_num_threads(before)
    assert single[0].tobytes() == q.tobytes()
    assert single[1].tobytes() == qd.tobytes()


def test_touches_push_no_joint_through_its_limits(human: Mechanics) -> None:
    low = placed(human, (0.0, -0.25, 0.0), UPRIGHT)
    kino = touching(low, window=0.3)
    q, _ = kino.simulate(FRAME * np.arange(8.0), waves(human, 1, size=0.3))
    assert (q >= human.model.lower).all()
    assert (q <= human.model.upper).all()
    apart = touching(low, window=0.3, contact=False).simulate(FRAME * np.arange(8.0), waves(human, 1, size=0.3))[0]
    assert np.abs(q - apart).max() > 0.1


def test_a_human_whose_keys_press_its_feet_into_the_ground_stays_on_it(human: Mechanics) -> None:
    """By 8 mm, standing still and moving: straight legs, whose feet are pushed along as they are pushed out."""
    low = placed(human, (0.0, -0.008, 0.0), UPRIGHT)
    for keyed in (still(human), waves(human, 4, size=0.05)):
        kino, times = touching(low, window=0.3), FRAME * np.arange(30.0, 38.0)
        assert min(lowest(kino, q) for q in kino.simulate(times, keyed)[0]) > -5e-4
        free = touching(low, window=0.3, contact=False).simulate(times, keyed)[0]
        assert min(lowest(kino, q) for q in free) < -5e-3


def test_a_human_keyed_deep_into_the_ground_is_led_out_though_its_legs_jam(human: Mechanics) -> None:
    """At first no impulses hold of straight legs that an exact root presses into the ground."""
    low = placed(human, (0.0, -0.25, 0.0), UPRIGHT)
    kino, keyed, times = touching(low, window=0.3), waves(human, 1, size=0.1), FRAME * np.arange(30.0, 38.0)
    assert min(lowest(kino, q) for q in keyed(times)[:, 0]) < -0.3
    assert min(lowest(kino, q) for q in kino.simulate(times, keyed)[0]) > -0.05


@pytest.mark.parametrize("deep", [0.85, 0.9, 0.92, 0.95])
@pytest.mark.parametrize("raised", [0.2, 0.45])
def test_a_nearly_straight_arm_that_pushes_into_the_floor_stays_on_it(
    human: Mechanics, deep: float, raised: float
) -> None:
    figure, pose, low = human.model.figure, human.model.rest.copy(), placed(human, (0.0, -deep, 0.0), UPRIGHT)
    pose[figure.coordinate_index["shoulder_left.flexion"]] = raised
    pose[figure.coordinate_index["elbow_left.flexion"]] += 0.05
    stiff = [f"{part}_{side}" for side in ("left", "right") for part in ("hip", "knee", "ankle", "toes")]
    gains = compile_gains(low, JointGains(tension=3.0), dict.fromkeys(stiff, EXACT))
    kino = compile_kinodynamics(low, gains, window=0.5, contact=True)
    hands, work = [figure.joint_index[f"{part}_left"] for part in ("wrist", "middle", "index_tip")], low.new_work()
    q = kino.simulate(ticks(1.0), still(human, pose))[0][0]
    compute_frames(kino.mechanics.ints, kino.mechanics.floats, q, work)
    assert min(float(work[(joint + 1) * ROW + 10]) for joint in hands) > 0.0
    compute_frames(kino.mechanics.ints, kino.mechanics.floats, pose, work)
    assert min(float(work[(joint + 1) * ROW + 10]) for joint in hands) < 0.02


def pair() -> Mechanics:
    """Two balls on rods that turn about the same upright axis, 0.4 m from it, on a carriage that slides."""
    hinges = []
    for id, x in (("one", 0.4), ("two", -0.4)):
        shape = Capsule(start=(x, 0.0, 0.0), end=(x, 0.0, 0.0), radius=RADIUS)
        body = Body(mass=1.0, centre=(x, 0.0, 0.0), inertia=(1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0))
        turn = Dof(id=f"{id}.turn", name=id, axis=(0.0, 1.0, 0.0))
        hinges.append(Joint(id=id, name=id, parent="root", dofs=(turn,), body=body, shapes=(shape,)))
    ways = (slide("x", (1.0, 0.0, 0.0)), slide("z", (0.0, 0.0, 1.0)))
    root = Joint(id="root", name="Root", dofs=ways, body=Body(mass=1.0))
    mechanics = compile_mechanics(compile_model(Figure(name="Pair", joints=(root, *hinges))))
    return placed(mechanics, (0.0, 2.0, 0.0), UPRIGHT)


def test_bodies_of_a_figure_meet_and_keep_their_momentum() -> None:
    mechanics, gone, momenta = pair(), {}, {}
    for contact in (False, True):
        kino = touching(mechanics, window=0.6, contact=contact, root=LIMP, one=LIMP, two=LIMP)
        _, path = kino.path(0.0, 60, led((0.0, 0.0, 1.0, -1.0 - math.pi), (0.0, 0.0, -3.0, 3.0)))
        q, before = path[-1], path[-2]
        qd = (q - before) / 0.01
        found = np.empty(MOMENTA)
        compute_momenta(mechanics.ints, mechanics.floats, q, qd, mechanics.new_work(), found)
        gone[contact], momenta[contact] = q, found[LINEAR : LINEAR + 3]
    turned = gone[True][2] - (gone[True][3] + math.pi)
    assert 2.0 * 0.4 * math.sin(0.5 * turned) == pytest.approx(2.0 * RADIUS, abs=1e-3)
    assert gone[False][2] < gone[False][3] + math.pi
    wanted = 2.0 * 1.0 * 0.4 * 3.0 * math.sin(1.0)
    assert momenta[True][0] == pytest.approx(wanted, rel=0.02)
    assert abs(momenta[True][2]) < 0.02 * wanted
    assert momenta[False][0] == pytest.approx(wanted, rel=0.02)


def test_it_is_told_what_touches_as_the_window_begins(human: Mechanics) -> None:
    kino, keyed = touching(human), still(human)
    held = kino.held(ticks(1.0), keyed)[0]
    assert {"ankle_left", "ankle_right"} <= set(held)
    high = placed(human, (0.0, 5.0, 0.0), UPRIGHT)
    assert not [id for id in touching(high).held(ticks(1.0), keyed)[0] if id.startswith(("ankle", "toes"))]
    exact = compile_kinodynamics(human, compile_gains(human, EXACT), contact=True)
    assert exact.held(ticks(1.0), keyed) == [()]
    assert touching(human, contact=False).held(ticks(1.0), keyed) == [()]


def test_what_follows_exactly_goes_through_the_ground_as_it_is_keyed(human: Mechanics) -> None:
    low = placed(human, (0.0, -0.3, 0.0), UPRIGHT)
    exact = compile_kinodynamics(low, compile_gains(low, EXACT), contact=True)
    q = exact.simulate(ticks(1.0), still(human))[0][0]
    assert (q == human.model.rest).all()


def test_a_simulation_that_breaks_is_told() -> None:
    kino = touching(ball(), ball=LIMP)
    with pytest.raises(Diverged, match="Ball"):
        kino.simulate(ticks(0.5), led((0.0, 1.0, 0.0), (0.0, 0.0, 1e200)))
