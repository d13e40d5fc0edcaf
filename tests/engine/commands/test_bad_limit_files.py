"""Files that hold no sound limit are refused by name, with what is wrong, and the figure keeps its former limit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.commands.make_limit import ImportLimit, MakeLimit
from engine.document import Blob
from engine.document.limit import MeshRange
from engine.evaluate.evaluator import Evaluator
from engine.formats import limit_mesh
from engine.limits.wrapping import icosphere
from engine.runtime.errors import EngineError
from tests.engine.queries.limit_figures import moving

Make = Callable[[Path], None]


def open_mesh(path: Path) -> None:
    """A triangle is missing."""
    points, faces = icosphere(1)
    limit_mesh.write(path, MeshRange(positions=Blob(points), faces=Blob(faces[1:])), ("z", "x", "y"))


def crossing_mesh(path: Path) -> None:
    """A corner is pulled through the other side."""
    points, faces = icosphere(1)
    through = points * np.where(np.arange(len(points)) == 5, -2.0, 1.0)[:, None]
    limit_mesh.write(path, MeshRange(positions=Blob(through), faces=Blob(faces)), ("z", "x", "y"))


def far_mesh(path: Path) -> None:
    """Angles beyond two turns."""
    points, faces = icosphere(1)
    limit_mesh.write(path, MeshRange(positions=Blob(7.0 * points), faces=Blob(faces)), ("z", "x", "y"))


def field(**changed: object) -> Make:
    """A field of three angles, sound but for what is changed."""
    arrays: dict[str, object] = {
        "distances": np.linspace(-1.0, 1.0, 64).reshape(4, 4, 4),
        "lower": np.full(3, -1.5),
        "spacing": np.full(3, 1.0),
        "periodic": np.zeros(3, dtype=np.bool_),
        "hinges": np.array(["z", "x", "y"]),
    }
    return lambda path: np.savez(path, **{**arrays, **changed})  # type: ignore[arg-type]


BAD: list[tuple[str, Make, str]] = [
    (".obj", open_mesh, "is open at 3 edges"),
    (".obj", crossing_mesh, "crosses itself"),
    (".obj", far_mesh, "an angle of"),
    (".npz", field(distances=np.full((4, 4, 4), np.nan)), "64 of 64 distances that are not finite"),
    (".npz", field(distances=np.zeros((4, 4))), "arrays that do not fit"),
    (".npz", field(distances=np.zeros((4, 4, 4), dtype=np.int64)), "int64"),
]


@pytest.mark.parametrize(("ending", "write", "said"), BAD)
def test_a_file_that_holds_no_sound_limit_is_refused_by_name(
    tmp_path: Path, ending: str, write: Make, said: str
) -> None:
    wish = MakeLimit(actor="arm", joint="shoulder", kind="box", id="limit", nodes=8)
    document = wish.work_out(Evaluator(), moving()).apply(moving())
    former = document.actor("arm").figure.limits
    path = tmp_path / f"shoulder{ending}"
    write(path)
    with pytest.raises(EngineError, match=said) as refused:
        ImportLimit(actor="arm", joint="shoulder", path=path, id="new").work_out(Evaluator(), document)
    assert path.name in str(refused.value)
    assert document.actor("arm").figure.limits is former


def test_a_sound_field_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "shoulder.npz"
    field()(path)
    made = ImportLimit(actor="arm", joint="shoulder", path=path, id="new").work_out(Evaluator(), moving())
    assert len(made.apply(moving()).actor("arm").figure.limits) == 1
