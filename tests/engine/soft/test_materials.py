"""Stress and stiffness of materials: derivatives of their energy, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from engine.runtime.errors import InvalidArguments
from engine.soft.assembly import ELASTIC, GRADIENT, POSITIVE
from engine.soft.materials import LAWS, SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import box, cube_grid, square_grid
from tests.engine.soft.scenes import Sums

MESHES = {
    "tetrahedra": box((0.3, 0.3, 0.3), (2, 2, 2)),
    "hexahedra": cube_grid((2, 2, 2), 0.15).mesh,
    "squares": square_grid((3, 2), 0.1),
}
EACH = [(shape, law) for shape in MESHES for law in LAWS]


def bent(mesh: VolumeMesh, *, inverted: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Give places of a mesh that is bent at random, and a direction."""
    rng = np.random.default_rng(4)
    x, along = mesh.points + 0.006 * rng.standard_normal(mesh.points.shape), rng.standard_normal(mesh.points.shape)
    if mesh.planar:
        x[:, 2] = along[:, 2] = 0.0
    if inverted:
        x[:, 0] *= -0.7
    return x.ravel(), along.ravel()


@pytest.mark.parametrize(("shape", "law"), EACH)
@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_gradient_is_the_derivative_of_the_energy(shape: str, law: str, damping: float) -> None:
    sums = Sums(MESHES[shape], SoftMaterial(law=law, stiffness_damping=damping, mass_damping=0.5))  # type: ignore[arg-type]
    x, along = bent(MESHES[shape])
    found = sums.at(x, GRADIENT)[1] @ along
    h = 1e-7
    wanted = (sums.at(x + h * along, GRADIENT)[0] - sums.at(x - h * along, GRADIENT)[0]) / (2.0 * h)
    assert found == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(("shape", "law"), EACH)
@pytest.mark.parametrize("inverted", [False, True])
def test_matrix_is_the_derivative_of_the_gradient(shape: str, law: str, inverted: bool) -> None:
    sums = Sums(MESHES[shape], SoftMaterial(law=law))  # type: ignore[arg-type]
    x, along = bent(MESHES[shape], inverted=inverted)
    found = sums.matrix(x) @ along
    h = 1e-8 if law == "corotational" and inverted else 1e-7
    wanted = (sums.at(x + h * along, GRADIENT)[1] - sums.at(x - h * along, GRADIENT)[1]) / (2.0 * h)
    assert np.abs(found - wanted).max() <= 2e-5 * np.abs(wanted).max()


@pytest.mark.parametrize(("shape", "law"), EACH)
@pytest.mark.parametrize("inverted", [False, True])
def test_positive_matrix_is_positive_definite(shape: str, law: str, inverted: bool) -> None:
    sums = Sums(MESHES[shape], SoftMaterial(law=law, stiffness_damping=0.01))  # type: ignore[arg-type]
    x, _ = bent(MESHES[shape], inverted=inverted)
    assert np.linalg.eigvalsh(sums.matrix(x, POSITIVE))[0] > 0.0


@pytest.mark.parametrize("law", LAWS[:3])
def test_positive_matrix_is_the_exact_one_where_that_is_positive(law: str) -> None:
    sums = Sums(MESHES["tetrahedra"], SoftMaterial(law=law))  # type: ignore[arg-type]
    x = 1.1 * MESHES["tetrahedra"].points.ravel()
    exact, positive = sums.matrix(x), sums.matrix(x, POSITIVE)
    assert np.abs(exact - positive).max() <= 1e-9 * np.abs(exact).max()


def closed_form(material: SoftMaterial, s: np.ndarray) -> float:
    """Give the energy per volume at principal stretches."""
    (m, k, n), (mu, lam) = material.moduli, material.lame
    first, jacobian = float(s @ s), float(np.prod(s))
    second = float((s[0] * s[1]) ** 2 + (s[1] * s[2]) ** 2 + (s[2] * s[0]) ** 2)
    if material.law == "corotational":
        return float(mu * ((s - 1.0) @ (s - 1.0)) + 0.5 * lam * (s.sum() - 3.0) ** 2)
    if material.law == "neo-hookean":
        a = 1.0 + 0.75 * m / k
        rest = -0.5 * m * np.log(4.0) + 0.5 * k * (1.0 - a) ** 2
        return float(0.5 * m * (first - 3.0 - np.log(first + 1.0)) + 0.5 * k * (jacobian - a) ** 2 - rest)
    return 0.5 * m * (first - 3) + 0.5 * n * (second - 3) - (m + 2 * n) * (jacobian - 1) + 0.5 * k * (jacobian - 1) ** 2


@pytest.mark.parametrize("law", LAWS[:3])
@pytest.mark.parametrize("shape", ["tetrahedra", "hexahedra"])
@pytest.mark.parametrize("stretch", [(1.4, 0.8, 1.1), (0.6, 0.9, 1.5), (1.2, 0.9, -0.5)])
def test_a_stretched_cube_has_the_closed_form(law: str, shape: str, stretch: tuple[float, float, float]) -> None:
    material = SoftMaterial(law=law, young=2e5, poisson=0.35)  # type: ignore[arg-type]
    mesh = MESHES[shape]
    sums = Sums(mesh, material)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
    turn *= np.linalg.det(turn)
    sums.at(((mesh.points * np.array(stretch)) @ turn.T).ravel(), GRADIENT)
    found = sums.work.stepping.energies[ELASTIC] / mesh.volumes.sum()
    assert found == pytest.approx(closed_form(material, np.array(stretch)), rel=1e-9)


@pytest.mark.parametrize("law", LAWS[:3])
def test_small_strains_agree_with_linear_elasticity(law: str) -> None:
    material = SoftMaterial(law=law, young=2e5, poisson=0.35)  # type: ignore[arg-type]
    mesh, rng = MESHES["tetrahedra"], np.random.default_rng(2)
    strain = 1e-5 * rng.standard_normal((3, 3))
    strain = 0.5 * (strain + strain.T)
    sums = Sums(mesh, material)
    sums.at((mesh.points @ (np.eye(3) + strain)).ravel(), GRADIENT)
    mu, lam = material.lame
    wanted = mu * (strain * strain).sum() + 0.5 * lam * np.trace(strain) ** 2
    assert sums.work.stepping.energies[ELASTIC] / mesh.volumes.sum() == pytest.approx(wanted, rel=2e-4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("young", 0.0),
        ("young", float("nan")),
        ("poisson", 0.5),
        ("density", -1.0),
        ("density", 0.0),
        ("mass_damping", -1.0),
        ("stiffness_damping", float("inf")),
        ("share", 2.0),
        ("thickness", 0.0),
        ("friction", -0.1),
        ("law", "jelly"),
        ("forward", (0.0, 0.0, 0.0)),
        ("friction_sideways", 0.3),
    ],
)
def test_bad_numbers_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(InvalidArguments) as caught:
        SoftMaterial(**{name: value})  # type: ignore[arg-type]
    assert "soft material" in str(caught.value) or "friction" in str(caught.value)
