"""What is compiled ahead for meshes and splines is what the application then calls: nothing more is compiled."""

import numpy as np

from engine.soft.embedding import embed, surface_facets
from engine.soft.lattice import fill_surface, stiffened
from engine.soft.meshing import cylinder, split_cubes
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.springs import spring_body
from engine.soft.warm_splines import warm
from tests.engine.kernels import kernels_of


def compiled() -> dict[str, int]:
    """Types of arguments that each kernel of the room has been compiled for."""
    return {each.py_func.__qualname__: len(each.signatures) for each in kernels_of("soft")}


def test_nothing_is_compiled_after_warming() -> None:
    ready = list(warm())
    assert len(ready) == len(set(ready)) == 5
    before = compiled()
    assert before or not kernels_of("soft")
    rod = cylinder(0.1, 1.0, rings=1, layers=4)
    facets, _ = surface_facets(rod)
    flesh = split_cubes(fill_surface(rod.points, facets, along=8))
    flesh, _ = stiffened(flesh, 0.4 * rod.points, facets)
    embed(flesh, rod.points)
    masses = flesh.masses(1000.0)
    spline = DrawnSpline(controls=np.array([(0.0, 0.0, -0.4), (0.0, 0.0, 0.4)]), region="radius", radius=0.2)
    bound = bind_splines(flesh, masses, [spline], young=1e5)
    body = spring_body(flesh, masses, stiffness=100.0, virtual=bound.springs)
    body.advance(flesh.points.copy(), np.zeros_like(flesh.points), np.ones(7), 1e-3)
    assert compiled() == before
