"""A random example of each edit of joint limits, and limits of every range to try them with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Dof, Figure
from engine.document.limit import (
    BoxRange,
    ConeRange,
    Grid,
    GridRange,
    Limit,
    MeshRange,
    PolygonRange,
    Range,
    SampledRange,
    Stroke,
)
from engine.edits import Edit, edit
from engine.motion.mirror_map import compile_mirror
from tests.engine.edits.examples import example

LIMIT_EDITS = (
    "set_limit",
    "put_limits",
    "remove_limit",
    "rename_limit",
    "set_limit_on",
    "set_limit_margin",
    "set_limit_resistance",
    "set_limit_grid",
    "add_stroke",
    "remove_strokes",
    "mirror_limit",
)


def limit_edit(random: Random, name: str, actor: Actor) -> Edit:
    """An edit of that name, or one that adds what it needs."""
    figure = actor.figure
    if name == "mirror_limit":
        return _mirroring(random, actor)
    if name == "set_limit" or not figure.limits:
        limit = random_limit(random, figure)
        return edit("set_limit", actor=actor.id, limit=limit) if limit else _nothing(random, actor)
    if name == "put_limits":
        return _putting(random, actor)
    chosen = random.choice(figure.limits)
    if name == "set_limit_on" and not _is_free(figure, chosen.dofs):
        return edit(name, actor=actor.id, limit=chosen.id, on=chosen.on)
    return edit(name, actor=actor.id, limit=chosen.id, **_arguments(random, name, chosen))


def _may_be_limited(dof: Dof) -> bool:
    return dof.kind == "hinge" and not dof.driven


def random_limit(random: Random, figure: Figure) -> Limit | None:
    """Over the hinges of one joint or of two; off where they have a limit already."""
    hinged = [joint for joint in figure.joints if any(map(_may_be_limited, joint.dofs))]
    if not hinged:
        return None
    joints = random.sample(hinged, k=min(len(hinged), random.choice((1, 1, 1, 2))))
    dofs = tuple(dof.id for joint in joints for dof in joint.dofs if _may_be_limited(dof))[:5]
    on, kind = len(joints) > 1 or _is_free(figure, dofs), random.choice(("sampled", "box", "grid"))
    return limit_over(random, dofs, on=on, kind=kind if len(joints) > 1 else "")


def limit_over(random: Random, dofs: tuple[str, ...], *, on: bool = True, kind: str = "") -> Limit:
    """A limit over these hinges, of a random kind where none is told."""
    size = len(dofs)
    kinds = ["sampled", "box", "grid", *(["mesh"] if size in (2, 3) else []), *(["cone", "polygon"] * (size == 3))]
    counts = tuple(random.randint(3, 5) for _ in dofs)
    periodic = tuple(random.random() < 0.3 for _ in dofs)
    spacing = tuple(
        math.tau / count if around else 4.0 / (count - 1) for count, around in zip(counts, periodic, strict=True)
    )
    grid = Grid(counts=counts, lower=(-2.0,) * size, spacing=spacing, periodic=periodic)
    name = f"{random.getrandbits(64):x}"
    content = _range(random, kind or random.choice(kinds), grid)
    strokes = tuple(_stroke(random, size) for _ in range(random.randint(0, 2)))
    return Limit(id=name, name=f"Limit {name[:3]}", dofs=dofs, range=content, grid=grid, strokes=strokes, on=on)


def _range(random: Random, kind: str, grid: Grid) -> Range:
    size, chance = len(grid.counts), np.random.default_rng(random.getrandbits(32))
    if kind == "sampled":
        angles = chance.uniform(-1.0, 1.0, (5, size))
        angles[2] = 0.0
        return SampledRange(angles=Blob(angles), clips=(2, 3))
    if kind == "box":
        return BoxRange(lower=(-1.2,) * size, upper=(random.uniform(0.1, 1.4),) * size)
    if kind == "grid":
        return GridRange(distances=Blob(chance.uniform(-1.0, 1.0, grid.counts)))
    if kind == "mesh":
        faces = [[0, 1], [1, 2], [2, 0]] if size == 2 else [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        corners = np.vstack((np.zeros(size), np.eye(size)))
        return MeshRange(positions=Blob(corners), faces=Blob(np.array(faces, dtype="<i4")))
    if kind == "cone":
        return ConeRange(swing=(random.uniform(0.2, 1.5), 0.7), twist=(-0.3, random.random()))
    directions = ((0.3, -1.0, 0.0), (0.0, -1.0, 0.4), (-0.3, -1.0, -0.2))
    return PolygonRange(axis=(0.0, -1.0, 0.0), corners=directions)


def _stroke(random: Random, size: int) -> Stroke:
    points = tuple(tuple(random.uniform(-1.0, 1.0) for _ in range(size)) for _ in range(2))
    return Stroke(kind=random.choice(("pull", "push", "smooth")), points=points, radius=random.uniform(0.1, 0.5))


def _arguments(random: Random, name: str, limit: Limit) -> dict[str, Any]:
    counts = None if isinstance(limit.range, GridRange) else tuple(random.randint(3, 6) for _ in limit.dofs)
    image = _stroke(random, len(limit.dofs))
    made: dict[str, dict[str, Any]] = {
        "remove_limit": {},
        "rename_limit": {"name": random.choice("ABC")},
        "set_limit_on": {"on": random.random() < 0.7},
        "set_limit_margin": {"margin": random.random()},
        "set_limit_resistance": {"resistance": 10.0 * random.random(), "onset": random.choice((None, 0.3))},
        "set_limit_grid": {"counts": counts or limit.grid.counts},
        "add_stroke": {"stroke": _stroke(random, len(limit.dofs)), "image": random.choice((None, image))},
        "remove_strokes": {"strokes": (0,) if limit.strokes and random.random() < 0.5 else None},
    }
    return made[name]


def _putting(random: Random, actor: Actor) -> Edit:
    """One limit anew, and one more that is off."""
    old = random.choice(actor.figure.limits)
    kind = "box" if actor.figure.depends(old) else ""
    more = limit_over(random, old.dofs, on=False, kind=kind)
    return edit("put_limits", actor=actor.id, limits=(replace(old, margin=random.random()), more))


def limit_owner(random: Random, name: str, actors: Sequence[Actor]) -> Actor:
    """An actor for such an edit; one with two sides for a mirror image, of which there are few."""
    two_sided = [
        each for each in actors if name == "mirror_limit" and any(joint.mirror for joint in each.figure.joints)
    ]
    return random.choice(two_sided or actors)


def _mirroring(random: Random, actor: Actor) -> Edit:
    """The mirror image of a limit that has one, else such a limit, else the other side of a branch to be limited."""
    figure, mirror = actor.figure, compile_mirror(actor.figure)

    def sided(dofs: Sequence[str]) -> bool:
        targets = {mirror.target_of.get(dof) for dof in dofs}
        return bool(dofs) and None not in targets and targets != set(dofs)

    for limit in figure.limits:
        targets = tuple(mirror.target_of.get(dof, "") for dof in limit.dofs)
        if sided(limit.dofs) and (not limit.on or _is_free(figure, targets)):
            name = f"{random.getrandbits(64):x}"
            return edit("mirror_limit", actor=actor.id, limit=limit.id, id=name, name="Mirror image")
    for joint in figure.joints:
        dofs = tuple(dof.id for dof in joint.dofs if _may_be_limited(dof))
        if sided(dofs):
            return edit("set_limit", actor=actor.id, limit=limit_over(random, dofs, on=_is_free(figure, dofs)))
    return example(random, "mirror_branch", actor) or _nothing(random, actor)


def _is_free(figure: Figure, dofs: tuple[str, ...]) -> bool:
    return not any(set(dofs) & set(limit.dofs) for limit in figure.limits_on if not figure.depends(limit))


def _nothing(random: Random, actor: Actor) -> Edit:
    return edit("rename_actor", actor=actor.id, name=f"Actor {random.randint(1, 9)}")
