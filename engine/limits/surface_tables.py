"""The tables of marching cubes and marching squares, worked out of one rule.

A corner's number has bit a set where it lies farther along axis a; a case has bit c set where corner c is inside. Edge
4 a + m runs along axis a; m counts the corners that such edges start at. On each face of the cube every run of inside
corners is cut off by one line, so that two cubes always agree on the face between them, also where inside corners stand
crosswise: they stay apart. The lines close to loops; a loop is cut into triangles without a diagonal that lies in a
face, where the neighbour might have one, too. So each edge of the surface has exactly two triangles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

EDGE_STARTS = tuple(
    tuple(corner for corner in range(8) if not corner >> axis & 1) for axis in range(3)
)  # by axis: the corners that an edge along it starts at

_Loop = tuple[int, ...]


@cache
def cube_table() -> NDArray[np.int8]:
    """Edges of the triangles of each case, counter-clockwise from outside, ended by -1, shape [256, 3 * most + 1]."""
    cases = [[edge for loop in _loops(case) for triangle in _cut(loop) for edge in triangle] for case in range(256)]
    table = np.full((256, max(map(len, cases)) + 1), -1, dtype=np.int8)
    for case, edges in enumerate(cases):
        table[case, : len(edges)] = edges
    return table


@cache
def square_table() -> NDArray[np.int8]:
    """Edges that the lines of each case lead from and to, the inside on their left, -1 for none, shape [16, 2, 2]."""
    table = np.full((16, 2, 2), -1, dtype=np.int8)
    for case in range(16):
        for line, (start, end) in enumerate(_lines((0, 1, 3, 2), case, _square_edge)):
            table[case, line] = end, start
    return table


def _loops(case: int) -> list[_Loop]:
    following: dict[int, int] = {}
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in range(2):
            base, first, second = side << axis, 1 << u, 1 << v
            ring = (base, base + first, base + first + second, base + second)
            following |= dict(_lines(ring if side else ring[::-1], case, _cube_edge))
    loops = []
    while following:
        edge, loop = min(following), list[int]()
        while edge in following:
            loop.append(edge)
            edge = following.pop(edge)
        loops.append(tuple(loop))
    return loops


def _lines(ring: tuple[int, ...], case: int, edge_of: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """List the lines from the edge where each run of inside corners begins to the one where it ends, along the ring."""
    inside = [bool(case >> corner & 1) for corner in ring]
    lines = []
    for at in range(4):
        if inside[at] and not inside[at - 1]:
            end = at
            while inside[(end + 1) % 4]:
                end += 1
            lines.append((edge_of(ring[at - 1], ring[at]), edge_of(ring[end % 4], ring[(end + 1) % 4])))
    return lines


def _cube_edge(a: int, b: int) -> int:
    axis = (a ^ b).bit_length() - 1
    return 4 * axis + EDGE_STARTS[axis].index(min(a, b))


def _square_edge(a: int, b: int) -> int:
    """Edge 2 a + m of a square."""
    axis = (a ^ b).bit_length() - 1
    return 2 * axis + (min(a, b) >> (1 - axis) & 1)


def _cut(loop: _Loop) -> list[_Loop]:
    found = _cut_between(loop)
    if found is None:
        raise ValueError(f"no sound triangles for the loop {loop}")
    return found


def _cut_between(loop: _Loop) -> list[_Loop] | None:
    """Triangles of a loop, none of whose diagonals lies in a face; None where there are no such triangles."""
    if len(loop) < 3:
        return []
    for apex in sorted(range(1, len(loop) - 1), key=lambda at: abs(2 * at - len(loop) + 1)):
        sides = ((0, apex), (apex, len(loop) - 1))
        if any(end - start > 1 and _faces(loop[start]) & _faces(loop[end]) for start, end in sides):
            continue
        left, right = _cut_between(loop[: apex + 1]), _cut_between(loop[apex:])
        if left is not None and right is not None:
            return [*left, (loop[0], loop[apex], loop[-1]), *right]
    return None


def _faces(edge: int) -> set[tuple[int, int]]:
    """The two faces that an edge lies in: axis and side."""
    axis, start = edge // 4, EDGE_STARTS[edge // 4][edge % 4]
    return {(other, start >> other & 1) for other in range(3) if other != axis}
