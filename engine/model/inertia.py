"""Mass, centre and inertia of bodies: as a joint gives them, else from its shapes and its density.

A shape is summed up by its volume V, its first moment and its second moment S = integral of x x^T dV [m5], which add
over shapes; the inertia about a point is tr(S) 1 - S, moved to the centre by S - V c c^T. Capsules, ellipsoids and
boxes have closed forms; lofts and rounded boxes are summed over the tetrahedra (0, a, b, c) of their meshes
(divergence theorem; Tonon 2004, J. Math. Stat. 1:8, eq. 3): V = a . (b x c) / 6, first moment V s / 4 and second
moment V (a a^T + b b^T + c c^T + s s^T) / 20 with s = a + b + c.

A mesh from a file counts in the same way if it is closed; one that has holes, or that turns parts of itself inside
out, as its convex hull. Shapes of one body that overlap count twice where they do.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.document import Body, Box, Capsule, Ellipsoid, Figure, Joint, Shape, TriangleMesh
from engine.maths.arrays import Array
from engine.model.solids import Surface, surface_of
from engine.runtime.quick_dataclass import dataclass

IntArray = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class SolidMoments:
    """Volume and moments of a solid about the origin of its body's frame."""

    volume: float  # [m3]
    first: Array  # [m4], shape [3]
    second: Array  # [m5], shape [3, 3]

    def __add__(self, other: SolidMoments) -> SolidMoments:
        return SolidMoments(self.volume + other.volume, self.first + other.first, self.second + other.second)

    def body(self, density: float) -> Body:
        """The mass properties at a density [kg/m3]."""
        if self.volume <= 0.0:
            return Body(mass=0.0)
        centre = self.first / self.volume
        about = density * (self.second - self.volume * np.outer(centre, centre))
        inertia = np.trace(about) * np.eye(3) - about
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
        x, y, z = centre.tolist()
        return Body(mass=density * self.volume, centre=(x, y, z), inertia=(xx, yy, zz, xy, xz, yz))


def moments_of(shape: Shape) -> SolidMoments:
    """Volume and moments of one shape."""
    if isinstance(shape, Capsule):
        return _capsule(shape)
    if isinstance(shape, Ellipsoid):
        a, b, c = shape.radii
        return _about(4.0 / 3.0 * math.pi * a * b * c, shape.centre, np.diag([a * a, b * b, c * c]) / 5.0)
    if isinstance(shape, Box) and shape.rounding == 0.0:
        a, b, c = shape.half
        return _about(8.0 * a * b * c, shape.centre, np.diag([a * a, b * b, c * c]) / 3.0)
    surface = surface_of(shape)
    return mesh_moments(surface) if isinstance(shape, TriangleMesh) else surface_moments(surface)


def mesh_moments(surface: Surface) -> SolidMoments:
    """Volume and moments of a mesh that may be anything: of its convex hull where it holds no sound volume."""
    points, place = np.unique(surface.positions, axis=0, return_inverse=True)
    triangles = place.ravel()[surface.triangles].astype(np.uint32)
    if is_closed(triangles):
        found = surface_moments(Surface(points, points, triangles))
        found = found if found.volume > 0.0 else SolidMoments(-found.volume, -found.first, -found.second)
        if found.volume > 0.0:
            centre = found.first / found.volume
            spread = np.linalg.eigvalsh(found.second - found.volume * np.outer(centre, centre))
            inside = ((points.min(axis=0) <= centre) & (centre <= points.max(axis=0))).all()
            if spread[0] > 0.0 and inside:
                return found
    return _hull(points)


def is_closed(triangles: IntArray) -> bool:
    """Tell whether every edge of welded triangles is passed once in each direction."""
    edges = np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, [2, 0]])).astype(np.int64)
    count = int(edges.max()) + 1
    ahead, back = edges[:, 0] * count + edges[:, 1], edges[:, 1] * count + edges[:, 0]
    return bool(np.array_equal(np.sort(ahead), np.sort(back)))


def _hull(points: Array) -> SolidMoments:
    from scipy.spatial import ConvexHull, QhullError  # needed for few meshes, and 0.2 s to load

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):  # flat, or fewer than four points
        return SolidMoments(0.0, np.zeros(3), np.zeros((3, 3)))
    triangles = hull.simplices.copy()
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    inward = np.einsum("ni,ni->n", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    triangles[inward] = triangles[inward][:, [0, 2, 1]]
    return surface_moments(Surface(points, points, triangles))


def surface_moments(surface: Surface) -> SolidMoments:
    """Volume and moments of what a closed surface holds."""
    a, b, c = (surface.positions[surface.triangles[:, corner]] for corner in range(3))
    volume = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6.0
    total = a + b + c
    second = sum(np.einsum("n,ni,nj->ij", volume, each, each) for each in (a, b, c, total))
    return SolidMoments(float(volume.sum()), 0.25 * volume @ total, np.asarray(second) / 20.0)


def body_of(joint: Joint) -> Body:
    """The mass properties of a joint's body: its own, else those of its shapes; nothing without either."""
    if joint.body is not None:
        return joint.body
    return volume_of(joint).body(joint.density)


def volume_of(joint: Joint) -> SolidMoments:
    """Volume and moments of all shapes of a joint."""
    total = SolidMoments(0.0, np.zeros(3), np.zeros((3, 3)))
    for shape in joint.shapes:
        total = total + moments_of(shape)
    return total


def total_mass(figure: Figure) -> float:
    """Mass of all bodies [kg]."""
    return math.fsum(body_of(joint).mass for joint in figure.joints)


def masses_of(figure: Figure) -> Array:
    """Mass [kg] and centre [m] of each body, shape [joint_count, 4]."""
    bodies = [body_of(joint) for joint in figure.joints]
    return np.array([(body.mass, *body.centre) for body in bodies])


def _about(volume: float, centre: tuple[float, float, float], spread: Array) -> SolidMoments:
    """Moments of a solid from its centre and its second moment about it, per volume."""
    return SolidMoments(volume, volume * np.array(centre), volume * (spread + np.outer(centre, centre)))


def _capsule(shape: Capsule) -> SolidMoments:
    start, end, radius = np.array(shape.start), np.array(shape.end), shape.radius
    span = end - start
    length = float(np.sqrt(span @ span))
    axis = span / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
    tube, ball = math.pi * radius**2 * length, 4.0 / 3.0 * math.pi * radius**3
    across = tube * radius**2 / 4.0 + ball * radius**2 / 5.0
    # A half ball's centre lies 3/8 of its radius beyond the end of the tube.
    along = tube * length**2 / 12.0 + ball * (length**2 / 4.0 + 3.0 / 8.0 * length * radius + radius**2 / 5.0)
    turned = np.outer(axis, axis)
    spread = (across * (np.eye(3) - turned) + along * turned) / (tube + ball)
    x, y, z = (0.5 * (start + end)).tolist()
    return _about(tube + ball, (x, y, z), spread)
