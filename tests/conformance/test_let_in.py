"""Files that were let in and could not be saved or drawn, and files that raised what nobody names."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import bring_in
from engine.document import Actor, Blob, Document, Layer
from engine.document.limit import Grid, Limit, SampledRange
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.rest import rest_snapshot
from engine.formats.figure_toml import load_figure
from engine.project.save import open_project, save_project
from engine.queries.limit_table import limit_rows
from tests.conformance.bad_files import TEXTS, gltf_with, put, refusal
from tests.engine.formats.test_reader_fuzz import WHOLE_CURVES


def kept(path: Path, folder: Path) -> Document:
    """The document of a file, saved and opened again."""
    found = bring_in(path)
    assert found.actor is not None
    document = edit("add_actor", actor=found.actor).apply(Document())
    save_project(folder / "kept.sinew", document)
    assert open_project(folder / "kept.sinew").document == document
    assert rest_snapshot(document).items
    return document


def archive(**changed: object) -> bytes:
    output = io.BytesIO()
    np.savez(output, **{**WHOLE_CURVES, **changed})  # type: ignore[arg-type]
    return output.getvalue()


def test_half_characters_in_a_gltf_are_replaced(tmp_path: Path) -> None:
    def name_it(plain: dict[str, object]) -> None:
        plain["nodes"][0]["name"] = "bone\ud800\0"  # type: ignore[index]

    document = kept(put(tmp_path, ".gltf", gltf_with(name_it)), tmp_path)
    assert document.actors[0].figure.joints[0].name == "bone??"


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
@pytest.mark.parametrize("suffix", [".bvh", ".asf", ".npz", ".scr", ".figure.toml"])
def test_names_of_files_that_are_no_text_are_names_of_actors(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"walk\xff" + suffix.encode())
    path.write_bytes(archive() if suffix == ".npz" else TEXTS[suffix].encode())
    assert kept(path, tmp_path).actors[0].name == "walk?"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"values": np.full((3, 2), 3e306)}, "far too large"),
        ({"coordinates": np.array(["a.rx", "bone\ud800"])}, "half|halves"),
        ({"joints": np.array(["a", "a" * 5000])}, "very long"),
        ({"rate": np.array((2**53, 1))}, "rate"),
    ],
)
def test_curves_that_could_not_be_kept_are_refused(changed: dict[str, object], said: str, tmp_path: Path) -> None:
    error = refusal(put(tmp_path, ".npz", archive(**changed)))
    assert error is not None
    assert "content that is not sound" not in error.found
    assert any(each in error.found for each in said.split("|"))


def with_head(old: bytes, new: bytes) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive())) as whole, zipfile.ZipFile(output, "w") as made:
        for name in whole.namelist():
            made.writestr(name, whole.read(name).replace(old, new, 1) if name == "values.npy" else whole.read(name))
    return output.getvalue()


def gltf_naming(uri: str) -> bytes:
    return gltf_with(lambda plain: plain.update(buffers=[{"byteLength": 76, "uri": uri}]))


RAW: dict[str, Callable[[], bytes]] = {
    "integer.figure.toml": lambda: f"x = {'9' * 5000}".encode(),
    "hexadecimal.figure.toml": lambda: f"name = 0x{'f' * 5000}".encode(),
    "hexadecimal.motion.toml": lambda: f"rate = 0x{'f' * 5000}".encode(),
    "uri.gltf": lambda: gltf_naming("a" * 5000),
    "null.gltf": lambda: gltf_naming("a%00b"),
    "whole.gltf": lambda: gltf_with(lambda plain: plain["nodes"][1].update(translation=[10**400, 0, 0])),  # type: ignore[index]
    "head.npz": lambda: with_head(b"'shape'", b"# shape"),
    "open.npz": lambda: with_head(b")", b"("),
    "solid.stl": lambda: TEXTS[".stl"].replace("vertex 1", "solid b\nvertex 1").encode(),
    "nested.stl": lambda: TEXTS[".stl"].replace("endfacet", "endfacet\nsolid b").encode(),
    "digits.sinewlog": lambda: b'{"sinewlog": 1}\n{"step": "undo", "count": ' + b"9" * 5000 + b"}",
    "half.sinewlog": lambda: b'{"sinewlog": 1}\n{"start": {"type": "Document", "lock_solver": "\\ud800"}}',
}


@pytest.mark.parametrize("name", RAW)
def test_what_readers_did_not_foresee_is_refused_by_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(RAW[name]())
    error = refusal(path)
    assert error is not None
    assert "content that is not sound" not in error.found, "a reader names it itself"


@pytest.mark.skipif(os.name != "posix", reason="links there need rights")
def test_a_gltf_beside_a_ring_of_links_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.bin").symlink_to(tmp_path / "b.bin")
    (tmp_path / "b.bin").symlink_to(tmp_path / "a.bin")
    error = refusal(put(tmp_path, ".gltf", gltf_naming("a.bin")))
    assert error is not None
    assert "no file" in error.found


def test_a_limit_whose_field_cannot_be_worked_out_is_drawn_without_and_told_in_the_table() -> None:
    """It was let in, and no picture of the figure could be made any more."""
    figure = load_figure("human")
    knee = next(joint for joint in figure.joints if joint.id == "knee_left").dofs[0].id
    grid = Grid(counts=(8,), lower=(-0.5,), spacing=(0.1,), periodic=(False,))
    samples = SampledRange(angles=Blob(np.array([[-3.0], [0.1]])), clips=(2,))
    limit = Limit(id="off", name="Off its grid", dofs=(knee,), range=samples, grid=grid)
    document = Document(actors=(Actor(id="me", name="Me", figure=figure, layers=(Layer(id="pose"),)),))
    document = edit("set_secondary", actor="me", on=True).apply(document)
    document = edit("set_limit", actor="me", limit=limit).apply(document)
    evaluator = Evaluator()
    assert evaluator.snapshot(document, 0).items
    *_, rows = limit_rows(evaluator, document, "me")
    assert rows is not None
    assert "within its grid" in rows[0].problem
