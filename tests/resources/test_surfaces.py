"""Smooth unions and surface nets against spheres."""

from __future__ import annotations

import numpy as np

from engine.document import Ellipsoid
from engine.maths.arrays import Array
from engine.model.skins import vertex_normals
from engine.model.solids import surface_of
from resources.skins.surfaces import Solid, project, relax, smooth_minimum, surface_net, union_field

FACETS = 0.0022  # [m] the middle of a face of the solid's own mesh lies this far inside the ball


def ball(x: float, radius: float = 0.05) -> Solid:
    return Solid(surface_of(Ellipsoid(centre=(x, 0.0, 0.0), radii=(radius, radius, radius))), 0.02)


def axes() -> tuple[Array, Array, Array]:
    return (np.arange(-0.12, 0.121, 0.008), np.arange(-0.08, 0.081, 0.008), np.arange(-0.08, 0.081, 0.008))


def values(field: object) -> Array:
    assert callable(field)
    nodes = np.stack(np.meshgrid(*axes(), indexing="ij"), axis=-1)
    return np.asarray(field(nodes.reshape(-1, 3))).reshape(nodes.shape[:3])


def test_the_net_of_a_ball_is_a_closed_ball_facing_outwards() -> None:
    field = union_field([ball(0.0)])
    points, triangles = surface_net(values(field), axes())
    for _ in range(3):
        points = relax(points, triangles, 0.5)
        points = project(points, vertex_normals(points, triangles), field)
    assert np.abs(np.linalg.norm(points, axis=1) - 0.05).max() < FACETS
    assert np.einsum("va,va->v", vertex_normals(points, triangles), points).min() > 0.04
    edges = np.sort(np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2])), axis=1)
    found, times = np.unique(edges, axis=0, return_counts=True)
    assert (times == 2).all()
    assert len(points) - len(found) + len(triangles) == 2


def test_the_distance_is_right_near_a_ball() -> None:
    rng = np.random.default_rng(1)
    ways = rng.normal(size=(200, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    reach = rng.uniform(0.035, 0.065, 200)
    field = union_field([ball(0.0)])
    assert np.abs(field(ways * reach[:, None]) - (reach - 0.05)).max() < FACETS


def test_two_balls_become_one_piece_and_change_only_where_they_meet() -> None:
    both = union_field([ball(-0.045), ball(0.045)])
    apart = np.minimum(values(union_field([ball(-0.045)])), values(union_field([ball(0.045)])))
    joined = values(both)
    assert (joined <= apart).all()
    assert np.abs((joined - apart)[np.abs(axes()[0]) > 0.07]).max() == 0.0
    assert (joined < apart - 0.001).any()


def test_the_smooth_minimum_is_the_minimum_away_from_equality() -> None:
    a, b = np.array([0.0, 0.0, 1.0]), np.array([0.5, 0.0, 0.0])
    assert np.allclose(smooth_minimum(a, b, 0.2), [0.0, -0.05, 0.0])
