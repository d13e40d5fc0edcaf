"""Arrays in a document, and those that are read when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.document import Blob, Skin, TriangleMesh
from engine.document.blobs import LazyBlob, ShippedBlob, length_of
from engine.runtime.errors import InvalidDocument

CORNERS = np.zeros((3, 3), "<f4")
UP = np.array([[0.0, 1.0, 0.0]] * 3, "<f4")


def lazy(array: Any, kind: type[LazyBlob] = LazyBlob, asked: list[str] | None = None) -> LazyBlob:
    """An array that tells when it was read."""
    blob = Blob(array)

    def read() -> Blob:
        if asked is not None:
            asked.append(blob.digest)
        return blob

    return kind(blob.digest, blob.type, blob.shape, read)


def mesh(make: Callable[..., Blob], places: Any = ((0, 1, 2),), normals: Any = UP) -> TriangleMesh:
    triangles = np.array(places, "<i4")
    return TriangleMesh(positions=Blob(CORNERS), normals=make(normals), triangles=make(triangles))


def skin(make: Callable[..., Blob], **changed: Any) -> Skin:
    arrays = {
        "positions": CORNERS,
        "triangles": np.array([[0, 1, 2]], "<i4"),
        "bind": np.eye(4)[None, :3],
        "influences": np.zeros((3, 2), "<i4"),
        "weights": np.array([[0.75, 0.25]] * 3, "<f4"),
    }
    blobs = {name: make(array) for name, array in (arrays | changed).items()}
    return Skin(id="s", name="S", joints=("j",), **blobs)  # type: ignore[arg-type]


def test_an_array_is_read_once_and_when_it_is_asked_for() -> None:
    asked: list[str] = []
    blob = lazy(np.arange(3.0), asked=asked)
    assert (blob.type, blob.shape, blob.is_here, asked) == ("<f8", (3,), False, [])
    assert blob == Blob(np.arange(3.0))
    assert blob.array.tolist() == blob.array.tolist() == [0.0, 1.0, 2.0]
    assert asked == [blob.digest]


def test_an_array_that_is_another_is_refused() -> None:
    blob = LazyBlob("ab" * 32, "<f8", (3,), lambda: Blob(np.arange(3.0)))
    with pytest.raises(InvalidDocument, match="its own digest"):
        _ = blob.array
    assert not blob.is_here


@pytest.mark.parametrize(("type", "shape"), [("|O", (3,)), ("<f8", (-1,)), ("", ())])
def test_a_type_or_shape_that_no_array_has_is_refused(type: str, shape: tuple[int, ...]) -> None:
    assert length_of(type, shape) is None
    with pytest.raises(InvalidDocument):
        LazyBlob("ab" * 32, type, shape, lambda: Blob(np.arange(3.0)))
    with pytest.raises(InvalidDocument):
        Blob.from_data(bytes(24), type, shape)


@pytest.mark.parametrize("kind", [LazyBlob, ShippedBlob])
@pytest.mark.parametrize(
    ("make", "field", "words"),
    [
        (lambda make: mesh(make, places=((0, 1, 3),)), "triangles", "a corner of a mesh's triangles"),
        (lambda make: mesh(make, places=((0, 1, -1),)), "triangles", "a corner of a mesh's triangles"),
        (lambda make: mesh(make, normals=UP * 2.0), "normals", "the normals of a mesh"),
        (lambda make: skin(make, triangles=np.array([[0, 1, 3]], "<i4")), "triangles", "the triangles of a skin"),
        (lambda make: skin(make, influences=np.ones((3, 2), "<i4")), "influences", "the influences of a skin"),
        (lambda make: skin(make, weights=np.ones((3, 2), "<f4")), "weights", "the weights of a skin"),
        (lambda make: skin(make, bind=2.0 * np.eye(4)[None, :3]), "bind", "the bind of a dual quaternion skin"),
    ],
)
def test_content_is_tested_before_anybody_sees_it(
    make: Callable[..., Any], field: str, words: str, kind: type[LazyBlob]
) -> None:
    """At once where it is here, else as soon as it is read: kernels follow these numbers without asking."""
    with pytest.raises(InvalidDocument, match=words):
        make(Blob)
    part = make(lambda array: lazy(array, kind))
    for _ in range(2):
        with pytest.raises(InvalidDocument, match=words):
            _ = getattr(part, field).array


def test_an_array_that_is_here_is_tested_by_every_part_that_it_stands_in() -> None:
    triangles = lazy(np.array([[0, 1, 2]], "<i4"))
    assert triangles.array.size
    few = Blob(CORNERS[:2])
    with pytest.raises(InvalidDocument, match="a corner"):
        TriangleMesh(positions=few, normals=Blob(UP[:2]), triangles=triangles)
    with pytest.raises(InvalidDocument, match="one or more"):
        mesh(Blob, places=np.zeros((0, 3)))


def test_nobody_can_change_an_array() -> None:
    source = np.arange(3.0)
    blob = Blob(source)
    source[0] = 9.0
    assert blob.array[0] == 0.0
    for each in (blob, Blob.from_data(blob.data, "<f8", (3,)), lazy(source)):
        with pytest.raises(ValueError, match="read-only"):
            each.array[0] = 1.0
    assert bytes(blob.raw) == blob.data
