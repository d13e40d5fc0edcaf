"""Bushings: torques that are the slope of their energy, a weight that rests where they hold it, what a motion takes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.bushings.forces import BushingForces
from engine.bushings.measures import measurable, measure
from engine.bushings.parts import Bushing, Bushings
from engine.bushings.uses import bushings_of
from engine.document import Document, Figure, Layer
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.dynamics.batch import invert_states
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.mechanics import compile_mechanics
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure, load_parts, read_whole, write
from engine.model.compile import compile_model
from engine.muscles.required import RequiredDynamics
from engine.runtime.errors import InvalidDocument, UnknownPart, UnreadableFile
from tests.engine.bushings.figures import MASS, G, branches, cartilage, coupled, falling, hanging

STIFF = 500.0  # [N/m]


def posed(forces: BushingForces, seed: int) -> np.ndarray:
    """A pose that is drawn, with bushings turned by up to a radian or two."""
    chance, model = np.random.default_rng(seed), forces.model
    q = np.array(model.rest, dtype=np.float64)
    integrate_coordinates(model.ints, q, chance.uniform(-1.0, 1.0, model.rate_count), 1.0, q)
    return q


GROUNDED = (cartilage(first=None), cartilage(id="other", first="right", second=None))


@pytest.mark.parametrize(
    ("seed", "figure", "bushings"),
    [
        *((seed, branches(), (cartilage(), cartilage(id="other", first="base", second="right"))) for seed in range(3)),
        (3, branches(), GROUNDED),
        (4, coupled(), (cartilage(),)),
    ],
)
def test_torques_are_the_slope_of_the_energy(seed: int, figure: Figure, bushings: tuple[Bushing, ...]) -> None:
    forces = BushingForces(compile_model(figure), bushings)
    q, step, still = posed(forces, seed), 1e-6, np.zeros(forces.model.rate_count)
    found, slopes = forces.torques(q, still), forces.measured(q)[1]
    for rate in range(len(still)):
        ends = []
        for side in (-step, step):
            near, speed = np.empty_like(q), np.zeros_like(still)
            speed[rate] = side
            integrate_coordinates(forces.model.ints, q, speed, 1.0, near)
            ends.append((float(forces.energies(near).sum()), forces.strains(near)))
        assert found[rate] == pytest.approx(-(ends[1][0] - ends[0][0]) / (2.0 * step), abs=1e-5)
        assert slopes[:, :, rate] == pytest.approx((ends[1][1] - ends[0][1]) / (2.0 * step), abs=1e-5)


def test_damping_takes_power_and_what_falls_bounds_the_matrix() -> None:
    forces = BushingForces(compile_model(branches()), (cartilage(turning=(0.0,) * 3, sliding=(0.0,) * 3),))
    q, qd = posed(forces, 1), np.random.default_rng(2).normal(size=forces.model.rate_count)
    assert float(forces.torques(q, qd) @ qd) < -0.1
    torques, falls = forces.ahead(q, qd, 0.01)
    rows = forces.measured(q)[1][0]
    damped = np.array((0.1, 0.2, 0.3, 1.0, 2.0, 3.0))
    exact = 0.01 * rows.T @ (damped[:, None] * rows)
    assert np.linalg.eigvalsh(np.diag(BushingForces.ahead(forces, q, 0.0 * qd, 0.01)[1]) - exact).min() > -1e-9
    assert torques.shape == falls.shape == qd.shape


def upright(stiffness: float, damping: float = 20.0) -> Bushing:
    return Bushing(
        id="spring", name="Spring", first="base", second="weight", first_position=(0.0, 1.0, 0.0),
        sliding=(0.0, stiffness, 0.0), sliding_damping=(0.0, damping, 0.0),
    )  # fmt: skip


def let_go(document: Document, seconds: float) -> float:
    """How far the weight is below where it was, after a time."""
    simulated = edit("set_physics", actor="me", role="simulated", follow=0.0).apply(document)
    q = Evaluator().coordinates(simulated, "me", [round(seconds * SECOND)])[0]
    return float(-q.sum())


@pytest.mark.parametrize("stiffness", [STIFF, 1e6])
def test_a_weight_rests_where_its_bushing_holds_it(stiffness: float) -> None:
    """The link of no stiffness of its own weighs 0.1 kg and is held by a bushing as well."""
    link = replace(upright(stiffness), id="link", second="link")
    document = edit("put_bushings", actor="me", bushings=(link,)).apply(hanging(upright(stiffness)))
    assert let_go(document, 4.0) == pytest.approx(MASS * G / stiffness, rel=0.02, abs=1e-6)
    assert let_go(edit("set_bushing", actor="me", bushing="spring", mute=True).apply(document), 0.4) > 0.3


def test_what_a_pose_takes_is_less_what_its_bushings_give() -> None:
    bare, taken = (
        RequiredDynamics(Evaluator(), lowered(document), "me").at([0]).torques[0]
        for document in (hanging(), hanging(upright(STIFF)))
    )
    assert bare - taken == pytest.approx([0.01 * STIFF, 0.01 * STIFF])


def lowered(document: Document) -> Document:
    """The weight 1 cm down."""
    pose = Layer(id="pose", values=(("weight_down", -0.01),))
    return edit("add_layer", actor="me", layer=pose).apply(document)


def test_one_to_the_ground_holds_what_moves_freely() -> None:
    """A body in the air whose root slides up and down; the ground is where its actor is placed."""
    held = Bushing(
        id="spring",
        name="Spring",
        first=None,
        second="body",
        sliding=(0.0, STIFF, 0.0),
        sliding_damping=(0.0, 20.0, 0.0),
    )
    document = falling()
    assert let_go(document, 0.4) == pytest.approx(0.5 * G * 0.4**2, rel=0.02)
    rests = let_go(edit("put_bushings", actor="me", bushings=(held,)).apply(document), 4.0)
    assert rests == pytest.approx(MASS * G / STIFF, rel=0.02)


def test_a_figure_file_gives_back_the_same_bushings(tmp_path: Path) -> None:
    ends = {"first": "link", "second": "weight"}
    cord = cartilage(id="cord", name="To the ground", first=None, second="weight", mute=True)
    given = Bushings(bushings=(cartilage(**ends), cord))
    write(tmp_path / "hanging.figure.toml", hanging().actors[0].figure, (given,))
    figure, (found,) = read_whole(tmp_path / "hanging.figure.toml")
    assert figure.digest == hanging().actors[0].figure.digest
    assert found == given


SIDED = """name = "Chest"
angles = "degrees"
[[joint]]
id = "sternum"
[[joint]]
id = "rib"
parent = "sternum"
sides = "both"
offset = [0.1, 0, 0]
[[bushing]]
id = "cartilage"
sides = "both"
first = { joint = "rib", at = [0.01, 0.02, 0.03], rest = [["y", 90]] }
second = { joint = "sternum", at = [0.11, 0.02, 0.03], rest = [["y", 90]] }
sliding = [1, 2, 3]
"""


def test_a_figure_file_writes_bushings_of_both_sides_once(tmp_path: Path) -> None:
    path = tmp_path / "chest.figure.toml"
    path.write_text(SIDED, encoding="utf-8")
    figure, (part,) = read_whole(path)
    assert isinstance(part, Bushings)
    left, right = part.bushings
    assert (left.id, left.name, left.first, left.second) == (
        "cartilage_left", "Left cartilage", "rib_left", "sternum",
    )  # fmt: skip
    assert (right.first, right.first_position) == ("rib_right", (-0.01, 0.02, 0.03))
    forces = BushingForces(compile_model(figure), part.bushings)
    assert np.abs(forces.strains(forces.model.rest)).max() < 1e-12


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('joint = "rib"', 'joint = "hip"', "unknown joint 'hip'"),
        ("sliding = [1, 2, 3]", "sliding = [1, 2]", "sliding of bushing 'cartilage'"),
        ("sliding = [1, 2, 3]", "sliding = [1, 2, -3]", "three numbers from 0"),
        ("sliding = [1, 2, 3]", "mute = 1", "mute of bushing 'cartilage'"),
        ("sliding = [1, 2, 3]", "length = 1", "length"),
    ],
)
def test_a_wrong_bushing_of_a_figure_file_is_said_with_its_line(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    path = tmp_path / "chest.figure.toml"
    path.write_text(SIDED.replace(right, wrong), encoding="utf-8")
    with pytest.raises(UnreadableFile, match=re.escape(said)) as caught:
        read_whole(path)
    assert caught.value.line is not None


def test_the_skeletons_cartilages_are_beams_that_rest_as_it_stands() -> None:
    """Of each the length follows from what it resists by, then its radius and its stiffness: those that are stated."""
    (part,) = (each for each in load_parts("anatomy") if isinstance(each, Bushings))
    forces = BushingForces(compile_model(load_figure("anatomy")), part.bushings)
    assert len(part.bushings) == 20
    assert np.abs(forces.strains(forces.model.rest)).max() < 1e-9
    for each in part.bushings:
        length = (12.0 * each.turning[0] / each.sliding[0]) ** 0.5
        radius = 2.0 * (each.turning[0] / each.sliding[2]) ** 0.5
        assert radius == pytest.approx(0.0051, rel=2e-3)
        assert each.sliding[2] * length / (np.pi * radius**2) == pytest.approx(11.1e6, rel=5e-3)
        assert each.turning[2] == pytest.approx(2.0 / 3.0 * each.turning[0], rel=1e-3)
        assert 0.01 < length < 0.12


def test_the_skeletons_chest_bears_shoulders_and_arms_by_its_cartilages() -> None:
    """Where the weight of what hangs on it lets ribs and breastbone down to, to first order; by the springs of their
    joints alone the breastbone goes down by half a radian."""
    figure = load_figure("anatomy")
    (part,) = (each for each in load_parts("anatomy") if isinstance(each, Bushings))
    forces = BushingForces(compile_model(figure), part.bushings)
    chest = [dof for dof in figure.dofs if dof.id.endswith("raising")]
    rates = [figure.rate_index[dof.id] for dof in chest]
    mechanics = compile_mechanics(forces.model, gravity=(0.0, -G, 0.0), massless=True)
    still, outside = np.zeros((1, forces.model.rate_count)), np.zeros((1, len(figure.joints), 6))
    weight = invert_states(mechanics, forces.model.rest[None], still, still, outside)[0][rates]
    rows = forces.measured(forces.model.rest)[1][:, :, rates].reshape(-1, len(rates))
    stiff = np.array([(*each.turning, *each.sliding) for each in part.bushings]).ravel()
    springs = np.diag([dof.spring for dof in chest])
    alone, held = (np.linalg.solve(springs + more, -weight) for more in (0.0, rows.T @ (stiff[:, None] * rows)))
    place = [dof.id for dof in chest].index("sternum.raising")
    assert alone[place] < -0.4
    assert -0.03 < held[place] < 0.0
    assert np.abs(held).max() < 0.03


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(InvalidDocument, match="two joints"):
        cartilage(second="left_end")
    with pytest.raises(InvalidDocument, match="three numbers from 0"):
        cartilage(turning=(-1.0, 0.0, 0.0))
    with pytest.raises(UnknownPart):
        edit("put_bushings", actor="me", bushings=(cartilage(),)).apply(hanging())
    with pytest.raises(UnknownPart, match="bushing"):
        edit("set_bushing", actor="me", bushing="none", mute=True).apply(hanging())


def test_a_joint_that_goes_takes_its_bushings_along() -> None:
    document = hanging(upright(STIFF))
    after = edit("remove_joint", actor="me", joint="weight").apply(document)
    assert bushings_of(document.actors[0])
    assert bushings_of(after.actors[0]) == ()


def test_plots_measure_force_and_energy_of_a_bushing() -> None:
    document = lowered(hanging(upright(STIFF)))
    evaluator = Evaluator()
    force, energy = (
        measure(evaluator, document, "me", kind, "spring", [0])[0] for kind in ("bushing_force", "bushing_energy")
    )
    assert force == pytest.approx(0.01 * STIFF)
    assert energy == pytest.approx(0.5 * STIFF * 0.01**2)
    assert measurable(document.actors[0], "bushing_force") == {"spring": "Spring"}
