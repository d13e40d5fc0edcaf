"""A mesh becomes a skin, or is refused by name."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from engine.document import Actor, Document, Figure, Layer
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.rest import bodies_of
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array, IntArray
from engine.model.binding import bind_mesh, check_closed
from engine.runtime.errors import UnsoundMesh
from tests.engine.model.test_skin_weights import tube


def arm(**values: float) -> Document:
    """The chain of three links, posed."""
    layer = Layer(id="pose", values=tuple((name.replace("__", "."), value) for name, value in values.items()))
    return Document(actors=(Actor(id="arm", name="Arm", figure=load_figure("chain3"), layers=(layer,)),))


def around(document: Document) -> tuple[Array, IntArray, Array]:
    """A tube about the bones of the chain as it stands, and where its joints are."""
    worlds = Evaluator().joint_transforms(document, "arm")
    figure = document.actors[0].figure
    skeleton = bodies_of(figure)[1]
    tails = np.einsum("bij,bj->bi", worlds[skeleton.end][:, :, :3], skeleton.point) + worlds[skeleton.end][:, :, 3]
    start, end = worlds[0, :, 3], tails[np.argmax(np.linalg.norm(tails - worlds[0, :, 3], axis=1))]
    along = (end - start) / np.linalg.norm(end - start)
    side = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    points, triangles = tube(rings=41, length=1.1 * float(np.linalg.norm(end - start)), radius=0.03)
    frame = np.stack((along, side, np.cross(along, side)))
    return points @ frame + start - 0.05 * np.linalg.norm(end - start) * along, triangles, worlds


def bound(figure: Figure, points: Array, triangles: IntArray, worlds: Array) -> object:
    return bind_mesh(figure, worlds, bodies_of(figure)[1], points, triangles, id="s", name="tube")


def test_a_bound_mesh_stands_where_it_stood_and_faces_outwards() -> None:
    document = arm()
    points, triangles, worlds = around(document)
    figure = document.actors[0].figure
    skin = bind_mesh(figure, worlds, bodies_of(figure)[1], points, triangles[:, ::-1], id="s", name="tube")
    from engine.edits.skins import add_skin

    dressed = add_skin(document, actor="arm", skin=skin)
    (surface,) = Evaluator().snapshot(dressed).skins
    assert np.abs(surface.positions - points).max() < 1e-5
    a, b, c = (points[surface.triangles[:, each]] for each in range(3))
    assert np.einsum("fa,fa->", a, np.cross(b, c)) > 0.0
    hinge = next(dof.id for dof in figure.joints[-1].dofs)
    turned = add_skin(arm(**{hinge.replace(".", "__"): math.pi / 4}), actor="arm", skin=skin)
    (moved,) = Evaluator().snapshot(turned).skins
    assert np.abs(moved.positions - points).max() > 0.02, "the far end follows its joint"


def test_a_mesh_in_centimetres_is_brought_to_the_figures_size() -> None:
    document = arm()
    points, triangles, worlds = around(document)
    figure = document.actors[0].figure
    skin = bind_mesh(figure, worlds, bodies_of(figure)[1], 100.0 * points, triangles, id="s", name="tube")
    assert np.abs(skin.positions.array - points).max() < 1e-5


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (lambda p, t: (p, t[:0]), "no triangles"),
        (lambda p, t: (p, t[3:]), "open: "),
        (lambda p, t: (p, np.concatenate((t, t[:1]))), "more than two triangles"),
        (lambda p, t: (0.0 * p, t), "no area"),
    ],
)
def test_open_branching_and_empty_meshes_are_refused_by_name(
    spoil: Callable[[Array, IntArray], tuple[Array, IntArray]], found: str
) -> None:
    with pytest.raises(UnsoundMesh, match=found) as caught:
        check_closed("tube", *spoil(*tube(rings=9)))
    assert caught.value.remedy in str(caught.value)


def test_a_mesh_far_from_the_figure_is_refused() -> None:
    document = arm()
    points, triangles, worlds = around(document)
    with pytest.raises(UnsoundMesh, match="of the bones lie within"):
        bound(document.actors[0].figure, points + 2.0, triangles, worlds)
