"""The source's problems, against closed forms, its figures, and what the found torques do when they are played back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.optimise.rank import find_dependent
from engine.spacetime.examples import (
    HEEL,
    LAMP,
    TOE,
    controlled_pendulum,
    double_pendulum,
    falling_ball,
    kneel,
    lamp_leap,
    link_chain,
    standing_leap,
)
from engine.spacetime.figures import Limb, LimbPoint, PlanarFigure
from engine.spacetime.implicit import computed_torques
from engine.spacetime.motions import place_points
from engine.spacetime.playback import Played, play_back
from engine.spacetime.problem import (
    BoundForm,
    CalmPoint,
    Demand,
    FrictionCone,
    JointMuscle,
    MotionProblem,
    MotionStage,
    PointForce,
    Representation,
    demand_rate,
    demand_value,
)
from engine.spacetime.recursion import find_state
from engine.spacetime.search import FROM_EARLIER, FoundMotion, MotionSearch, find_best, find_motion, iterate_best


@pytest.fixture(scope="module")
def leap() -> FoundMotion:
    return find_motion(lamp_leap())


def pendulum_error(pieces: int, played: Played) -> float:
    found = find_motion(double_pendulum(pieces=pieces))
    assert found.report.solved
    return max(
        float(np.abs(found.motion.coordinates(time) - q).max()) for time, q in zip(played.times, played.q, strict=True)
    )


def played_error(found: FoundMotion, stage: int) -> float:
    """How far a stage's motion is from what its torques do, beside how far it goes."""
    played = play_back(found.motion, stage, 80)
    planned = np.array([found.motion.stage_functions(stage, share) for share in np.linspace(0.0, 1.0, len(played.q))])
    apart = np.abs(planned[:, : played.q.shape[1]] - played.q).max()
    return float(apart / np.ptp(played.q, axis=0).max())


def test_the_ball_falls_as_it_should() -> None:
    found = find_motion(falling_ball())
    assert found.report.solved
    for time in np.linspace(0.0, 1.0, 11):
        assert found.motion.function("y", time) == pytest.approx(10.0 - 9.81 * time**2 / 2.0, abs=1e-12)
        assert found.motion.function("y", time, order=1) == pytest.approx(-9.81 * time, abs=1e-11)


def test_the_pendulum_swings_as_forward_dynamics_have_it() -> None:
    pieces = np.array([6, 12, 24, 48, 192])
    played = play_back(find_motion(double_pendulum()).motion, 0, 240)  # without torques, whatever the pieces
    errors = np.array([pendulum_error(int(count), played) for count in pieces])
    assert errors[0] == pytest.approx(0.053, abs=0.002)
    assert errors[-1] < 1e-6
    orders = np.log(errors[:-1] / errors[1:]) / np.log(pieces[1:] / pieces[:-1])
    assert (orders >= 2.8).all()


def test_its_muscle_aligns_the_rods_in_the_end() -> None:
    found = find_motion(controlled_pendulum(pieces=12))
    assert found.report.solved
    assert found.motion.function("rod 2", 1.0) == pytest.approx(0.0, abs=1e-8)
    assert found.motion.function("rod 2", 1.0, order=1) == pytest.approx(0.0, abs=1e-8)
    assert found.report.last.objective < 2.5
    assert played_error(found, 0) < 0.01


def test_a_muscle_keeps_within_its_strength() -> None:
    problem = controlled_pendulum(pieces=8)
    strong = find_motion(problem)
    most = 0.8 * max(abs(strong.motion.function("torque of rod 2", time)) for time in np.linspace(0.0, 1.0, 101))
    weak = Representation(least=-most, most=most)
    found = find_motion(replace(problem, stages=(replace(problem.stages[0], muscles={"rod 2": weak}),)))
    assert found.report.solved
    torques = [found.motion.function("torque of rod 2", time) for time in np.linspace(0.0, 1.0, 301)]
    assert max(map(abs, torques)) <= most + 1e-6
    assert found.report.last.objective > strong.report.last.objective


def test_bounds_by_samples_hold_there_and_may_be_left_between() -> None:
    chain = link_chain(pieces=4)
    reached = find_motion(chain).motion
    least = 0.7 * min(reached.function("rod 2", time) for time in np.linspace(0.0, 0.5, 101))

    def bounded(form: BoundForm) -> Array:
        given = {**chain.stages[0].coordinates, "rod 2": Representation(least=least, form=form)}
        found = find_motion(replace(chain, stages=(replace(chain.stages[0], coordinates=given),)))
        assert found.report.solved
        return np.array([found.motion.function("rod 2", time) for time in np.linspace(0.0, 0.5, 121)])

    sampled, hull = bounded("samples"), bounded("hull")
    assert sampled[::10].min() >= least - 1e-6
    assert sampled.min() > least - 0.1
    assert hull.min() >= least - 1e-6


def test_the_centre_of_mass_and_momenta_go_where_they_are_asked_to() -> None:
    leap = lamp_leap(pieces=8)
    high = Demand(stage="flight", quantity="centre", direction=(0.0, 1.0), at=0.5, least=0.36)
    still = Demand(stage="flight", quantity="momentum", of="base", at=0.5, least=0.0, most=0.0)
    found = find_motion(replace(leap, demands=(*leap.demands, high, still)))
    assert found.report.solved
    q, v = (found.motion.stage_functions(1, 0.5, order=order)[:6] for order in (0, 1))
    state = find_state(LAMP, q, v)
    assert state.centre[1] >= 0.36 - 1e-8
    assert state.p[2] == pytest.approx(0.0, abs=1e-8)


def test_the_chain_has_several_minima_of_which_the_best_is_found() -> None:
    search = MotionSearch(link_chain())
    straight = search.find()
    found = find_best(search, seeds=range(3))
    assert straight.report.solved
    assert straight.report.last.objective / 2.0 == pytest.approx(28.57, abs=0.01)
    assert found[0].report.solved
    assert found[0].report.last.objective / 2.0 < 22.54
    angles = [found[0].motion.coordinates(time)[2:] for time in np.linspace(0.0, 0.5, 301)]
    assert np.abs(angles).max() <= np.pi + 1e-6


def test_a_search_for_the_best_shows_motions_all_along_and_ranks_minima() -> None:
    search = MotionSearch(link_chain(pieces=8))
    steps, shown = iterate_best(search, seeds=range(2), keep=3), []
    while True:
        try:
            on, iterate = next(steps)
        except StopIteration as end:
            found = end.value
            break
        shown.append(on.motion(iterate.x).coordinates(0.25))
    assert np.isfinite(shown).all()
    costs = [each.report.last.objective for each in found]
    assert len(costs) > 1
    assert costs == sorted(costs)
    once, again = (find_best(search, seeds=range(2), keep=3)[0].motion.x.tobytes() for _ in range(2))
    assert once == again == found[0].motion.x.tobytes()


def test_the_lamp_leaps_and_lands(leap: FoundMotion) -> None:
    motion = leap.motion
    assert leap.report.solved
    assert leap.report.last.violation < 1e-8
    assert motion.coordinates(motion.duration)[:3] == pytest.approx([0.4, 0.0, 0.0], abs=1e-9)
    edges = np.array([LAMP.arms(point) for point in (HEEL, TOE)])
    heights = np.array(
        [place_points(LAMP, edges, motion.coordinates(time))[:, 1] for time in np.linspace(0.0, 1.15, 47)]
    )
    assert heights.min() > -2e-3
    assert heights.max() > 0.05
    blows = motion.stage_functions(1, 1.0)[-3:-1]
    assert (blows >= 0.0).all()


def test_the_lamp_keeps_within_its_joints_between_samples_too(leap: FoundMotion) -> None:
    for stage in leap.motion.problem.stages:
        number = leap.motion.problem.stage(stage.name)
        path = np.array([leap.motion.stage_functions(number, share) for share in np.linspace(0.0, 1.0, 401)])
        for name, bounds in stage.coordinates.items():
            angle = path[:, leap.motion.problem.function(name)]
            assert bounds.kind == "constant" or angle.min() >= bounds.least - 1e-6
            assert bounds.kind == "constant" or angle.max() <= bounds.most + 1e-6


def test_its_torques_do_what_was_planned(leap: FoundMotion) -> None:
    assert all(played_error(leap, stage) < 0.01 for stage in range(3))


def test_momentum_in_flight_changes_by_gravity_alone(leap: FoundMotion) -> None:
    middle = LAMP.centre()[None]
    times = np.linspace(0.4, 0.75, 9)
    places = np.array([place_points(LAMP, middle, leap.motion.coordinates(time))[0] for time in times])
    parabola = np.polyfit(times, places[:, 1], 2)
    assert parabola[0] == pytest.approx(-9.81 / 2.0, abs=0.05)
    assert np.abs(np.polyval(np.polyfit(times, places[:, 0], 1), times) - places[:, 0]).max() < 2e-3


def test_a_moved_landing_is_found_from_the_earlier_leap(leap: FoundMotion) -> None:
    search = MotionSearch(lamp_leap(0.42))
    again = search.find(search.guess_like(leap.motion), FROM_EARLIER)
    assert again.report.solved
    assert again.motion.function("x", again.motion.duration) == pytest.approx(0.42)


def test_a_gentle_landing_is_one_that_blows_allow(leap: FoundMotion) -> None:
    hard = float(leap.motion.stage_functions(1, 1.0)[-3:-1].max())
    gentle = find_motion(lamp_leap(hardest=0.25 * hard))
    assert gentle.report.solved
    assert gentle.motion.stage_functions(1, 1.0)[-3:-1].max() <= 0.25 * hard + 1e-6
    assert gentle.report.last.objective > leap.report.last.objective


def test_a_price_on_its_acceleration_keeps_the_head_calm(leap: FoundMotion) -> None:
    head = LimbPoint("head", (0.05, 0.0))

    def shaken(found: FoundMotion) -> float:
        """Squared acceleration of the head, by differences of its places."""
        arms, times = LAMP.arms(head)[None], np.linspace(0.0, 1.15, 1151)
        places = np.array([place_points(LAMP, arms, found.motion.coordinates(time))[0] for time in times])
        return float((np.diff(places, 2, axis=0) ** 2).sum() / 0.001**3)

    calm = find_motion(replace(lamp_leap(), calm=(CalmPoint(point=head, weight=1e-2),)))
    assert calm.report.solved
    assert shaken(calm) < 0.9 * shaken(leap)
    assert calm.report.last.objective > leap.report.last.objective


def test_feet_that_are_not_nailed_push_within_friction(leap: FoundMotion) -> None:
    found = find_motion(standing_leap())
    assert found.report.solved
    assert found.report.last.objective == pytest.approx(leap.report.last.objective, rel=0.15)
    motion = found.motion
    for stage in (0, 2):
        for share in np.linspace(0.0, 1.0, 49):
            heel, toe, grip = motion.stage_functions(stage, share)[9:12]
            assert min(heel, toe) > -1e-6
            assert abs(grip) <= 0.6 * (heel + toe) + 1e-6
    weight = LAMP.mass * 9.81
    assert motion.stage_functions(2, 1.0)[9:11].sum() == pytest.approx(weight, rel=0.3)
    assert motion.stage_functions(1, 0.0, order=1)[:3] == pytest.approx([0.0, 0.0, 0.0], abs=1e-7)
    heel, toe, friction = motion.stage_functions(1, 1.0)[12:]
    assert abs(friction) <= 0.6 * (heel + toe) + 1e-6


def test_a_block_slides_as_long_as_friction_lets_it() -> None:
    block = PlanarFigure((Limb(name="block", mass=2.0, centre=(0.0, 0.0), gyration=0.1),))
    force = Representation(kind="hat")
    slide = MotionStage(
        name="slide",
        pieces=4,
        length=0.5,
        coordinates={"y": Representation(kind="held"), "block": Representation(kind="constant")},
        forces={"normal": force, "friction": force},
    )
    problem = MotionProblem(
        figure=block,
        stages=(slide,),
        demands=(demand_value("slide", "x", 0.0, at=0.0), demand_rate("slide", "x", 3.0, at=0.0)),
        forces=(
            PointForce(name="normal", point=LimbPoint("block"), direction=(0.0, 1.0)),
            PointForce(name="friction", point=LimbPoint("block"), direction=(1.0, 0.0)),
        ),
        cones=(FrictionCone(stage="slide", normals=("normal",), tangent="friction", friction=0.4, slides=-1),),
    )
    found = find_motion(problem)
    assert found.report.solved
    for time in (0.2, 0.5):
        assert found.motion.function("x", time) == pytest.approx(3.0 * time - 0.2 * 9.81 * time**2, abs=1e-8)
        assert found.motion.function("normal", time) == pytest.approx(2.0 * 9.81, abs=1e-6)


def test_a_kneel_takes_the_time_that_is_easiest() -> None:
    found = find_motion(kneel())
    assert found.report.solved
    assert found.notes == ()
    length = found.motion.duration
    assert 0.2 < length < 2.9
    stage = kneel().stages[0]
    for other in (0.8 * length, 1.25 * length):
        fixed = replace(stage, length=other, least_length=None, most_length=None)
        slower = find_motion(replace(kneel(), stages=(fixed,)))
        assert slower.report.solved
        assert slower.report.last.objective > found.report.last.objective


def test_a_leap_may_choose_how_long_it_flies(leap: FoundMotion) -> None:
    given = lamp_leap()
    flight = replace(given.stages[1], least_length=0.2, most_length=0.6)
    found = find_motion(replace(given, stages=(given.stages[0], flight, given.stages[2])))
    assert found.report.solved
    assert 0.21 < found.motion.lengths[1] < 0.34
    assert found.report.last.objective < leap.report.last.objective
    assert played_error(found, 1) < 0.01


def test_without_weight_slower_is_always_easier() -> None:
    found = find_motion(kneel(gravity=0.0))
    assert found.report.solved
    assert found.notes == ("down is as long as it may be, 3 s",)


@pytest.mark.parametrize(
    "costs", [(1.0, 0.0, 0.0, 0.0), (0.1, 1.0, 0.0, 0.0), (1.0, 0.0, 0.5, 0.0), (1.0, 0.0, 0.0, 0.01)]
)
def test_the_objective_is_the_integral_that_it_is_said_to_be(costs: tuple[float, float, float, float]) -> None:
    torque, power, work, smoothness = costs
    muscle = JointMuscle(limb="rod 2", torque=torque, power=power, work=work, smoothness=smoothness)
    found = find_motion(replace(controlled_pendulum(), muscles=(muscle,)))
    assert found.report.solved
    times = (np.arange(300) + 0.5) / 300.0
    tau, change, rate = (
        np.array([found.motion.function(name, time, order=order) for time in times])
        for name, order in (("torque of rod 2", 0), ("torque of rod 2", 1), ("rod 2", 1))
    )
    cost = torque * tau**2 + power * (tau * rate) ** 2 + work * tau * rate + smoothness * change**2
    assert found.report.last.objective == pytest.approx(cost.mean(), rel=0.02)


def test_torques_that_are_computed_from_the_motion_come_to_nearly_the_same() -> None:
    explicit = find_motion(controlled_pendulum(pieces=12))
    implicit = find_motion(replace(controlled_pendulum(pieces=12), implicit=True))
    assert implicit.report.solved
    assert implicit.report.last.objective == pytest.approx(explicit.report.last.objective, rel=0.02)
    coordinate = implicit.motion.problem.figure.coordinate("rod 2")
    tau = [computed_torques(implicit.motion, time)[coordinate] for time in (np.arange(200) + 0.5) / 200.0]
    assert np.mean(np.square(tau)) == pytest.approx(implicit.report.last.objective, rel=0.02)
    assert abs(computed_torques(implicit.motion, 0.5)[2]) < 1.0


def test_what_cannot_be_reached_is_said_in_words() -> None:
    chain = link_chain(pieces=4)
    tip = LimbPoint("rod 3", (2.0 / 3.0, 0.0))
    far = replace(
        chain, demands=(*chain.demands, Demand(stage="stretch", quantity="point", point=tip, at=0.5, least=3.0))
    )
    report = find_motion(far).report
    assert report.ending == "no way"
    assert report.unmet[0].amount == pytest.approx(1.0, abs=1e-3)
    assert "point of rod 3 at (0.666667, 0) along (1, 0), stretch at 0.25 s: missed by 1" in str(report)


def test_demands_that_contradict_are_named_before(leap: FoundMotion) -> None:
    chain = link_chain(pieces=4)

    def named(problem: MotionProblem) -> list[str]:
        search = MotionSearch(problem)
        return [str(each) for each in find_dependent(search.program, search.straight_line())]

    again = (*chain.demands, chain.demands[0])
    other = (*chain.demands, demand_value("stretch", "rod 1", 0.3, at=1.0))
    nailed = (*chain.demands, demand_value("stretch", "x", 1.0, at=0.5))
    outside = (*chain.demands[1:], demand_value("stretch", "rod 1", -4.0, at=0.0))
    assert named(chain) == []
    assert named(lamp_leap()) == []
    assert named(replace(chain, demands=again)) == [
        "value of rod 1, stretch at 0 s follows from value of rod 1, stretch at 0 s"
    ]
    assert "contradicts (by 0.3) value of rod 1, stretch at 0.5 s" in named(replace(chain, demands=other))[0]
    assert "contradicts (by 1) what does not change" in named(replace(chain, demands=nailed))[0]
    assert "asks for -4, outside its bounds" in named(replace(chain, demands=outside))[0]


def test_without_muscles_there_is_no_leap() -> None:
    leap = lamp_leap(pieces=4)
    limp = replace(leap, muscles=(), stages=tuple(replace(stage, muscles={}) for stage in leap.stages))
    search = MotionSearch(limp)
    assert "finds nothing free" in str(find_dependent(search.program, search.straight_line())[0])
    report = search.find().report
    assert not report.solved
    assert len(report.unmet) == 3
