"""Actors of a document become files of any format, whole or not at all."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import read_contents
from engine.document import Actor, Attachment, Document, Draft, Key, Layer, Placement, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.format import Format, Options
from engine.formats.table import by_suffix, readers, writers
from engine.long.export import export, left_out
from engine.queries.examples import example
from engine.runtime.errors import UnwritableFile
from engine.runtime.progress import Cancelled, listening
from tests.conformance.test_formats import biped, walking
from tests.engine.formats.worlds import poses, transforms

TURN = (math.cos(0.4), 0.0, math.sin(0.4), 0.0)


def walker(id: str = "one", name: str = "One", *, x: float = 0.0) -> Actor:
    figure = biped()
    placement = Placement(position=(x, 0.2, -0.3), rotation=TURN)
    return Actor(id=id, name=name, figure=figure, placement=placement, layers=(walking(figure),))


TWO = Document(actors=(walker(), walker("two", "The other/one", x=1.5)))
KEPT = tuple(each for each in writers() if each.kind in ("motion",) and each in readers())


@pytest.mark.parametrize("format", writers(), ids=lambda format: format.name)
def test_every_writable_format_takes_an_actor(format: Format, tmp_path: Path) -> None:
    if format.suffixes[0] in (".obj", ".objseq"):
        pytest.skip("the figure of this test has no shapes")
    actor = replace(walker(), placement=Placement())
    if format.suffixes[0] == ".motion.toml":
        track = Track(coordinate="trunk.rz", keys=(Key(0, 0.0), Key(SECOND, 0.5)))
        actor = replace(actor, layers=(Layer(id="keys", tracks=(track,)),))
    document = Document(actors=(actor,))
    assert all(left_out(format, document, ["one"]))
    paths = export(tmp_path / f"a{format.suffixes[0]}", document, ["one"], Options())
    assert tmp_path / f"a{format.suffixes[0]}" in paths
    assert sorted(paths) == sorted(tmp_path.iterdir())


@pytest.mark.parametrize("format", KEPT, ids=lambda format: format.name)
def test_every_joint_stands_where_it_was_seen(format: Format, tmp_path: Path) -> None:
    if format.suffixes[0] == ".motion.toml":
        pytest.skip("a motion without its figure has no place")
    path = tmp_path / f"a{format.suffixes[0]}"
    export(path, TWO, ["two"], Options())
    back = read_contents(path)
    assert back.figure is not None
    seen = Evaluator().joint_transforms(TWO, "two", 0)[:, :, 3]
    found = transforms(back.figure, poses(back)[0])[:, :, 3]
    nearest = np.linalg.norm(seen[:, None] - found[None], axis=2).min(axis=1)
    assert nearest.max() < 1e-5


def test_several_actors_are_several_files(tmp_path: Path) -> None:
    paths = export(tmp_path / "scene.bvh", TWO, ["one", "two"], Options())
    assert [path.name for path in paths] == ["scene-One.bvh", "scene-The_other_one.bvh"]


def test_a_document_of_chosen_actors_holds_no_others(tmp_path: Path) -> None:
    export(tmp_path / "a.sinew", TWO, ["two"], Options())
    assert [actor.id for actor in sinew.read(tmp_path / "a.sinew").actors] == ["two"]


def test_keys_are_written_at_the_rate_of_the_document(tmp_path: Path) -> None:
    track = Track(coordinate="trunk.rz", keys=(Key(0, 0.0), Key(SECOND, 0.5)))
    actor = replace(walker(), layers=(Layer(id="keys", tracks=(track,)),))
    export(tmp_path / "a.bvh", Document(actors=(actor,), rate=(50, 1)), ["one"], Options())
    assert read_contents(tmp_path / "a.bvh").rate == (50, 1)


@pytest.mark.parametrize("format", writers(), ids=lambda format: format.name)
def test_every_format_says_what_no_longer_hangs_on_what(format: Format) -> None:
    one, two = TWO.actors
    joint = one.figure.joints[0].id
    held = replace(two, attachments=(Attachment(id="hold", joint=joint, target="one", target_joint=joint),))
    document = Document(actors=(one, held))
    alone, both = left_out(format, document, ["two"]), left_out(format, document, ["one", "two"])
    assert [line for line in alone if "hangs" in line and "The other/one" in line]
    assert bool([line for line in both if "hangs" in line]) == (format.kind != "document")


@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_a_cancelled_export_leaves_what_stood_there(share: float, tmp_path: Path) -> None:
    def cancel(now: float) -> None:
        if now >= share:
            raise Cancelled(what="the test")

    (tmp_path / "a.amc").write_text("before")
    with listening(cancel), pytest.raises(Cancelled):
        export(tmp_path / "a.amc", TWO, ["one", "two"], Options())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.amc", "before")]


def test_only_the_file_that_was_named_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.amc").write_text("old motion")
    (tmp_path / "a.asf").write_text("another skeleton")
    with pytest.raises(UnwritableFile, match=r"a\.asf would be overwritten") as caught:
        export(tmp_path / "a.amc", TWO, ["one"], Options())
    assert caught.value.path == tmp_path / "a.amc"
    assert (tmp_path / "a.amc").read_text() == "old motion"
    (tmp_path / "a.asf").unlink()
    export(tmp_path / "a.amc", TWO, ["one"], Options())
    assert (tmp_path / "a.amc").read_text().startswith(":SAMPLES")
    export(tmp_path / "a.amc", TWO, ["one"], Options())


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("no/such/a.bvh", "no such folder"),
        ("a.xyz", "no format that Sinew writes ends in '.xyz'"),
        ("a.stl", "no format"),
    ],
)
def test_what_cannot_be_written_is_one_error_with_a_remedy(name: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match=found) as caught:
        export(tmp_path / name, TWO, ["one"], Options())
    assert caught.value.path == tmp_path / name
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_writer_that_refuses_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile) as caught:
        export(tmp_path / "a.obj", Document(actors=(walker(),)), ["one"], Options())
    assert caught.value.path == tmp_path / "a.obj"
    assert list(tmp_path.iterdir()) == []


def test_drafts_are_left_out_of_motions_and_said_so(tmp_path: Path) -> None:
    actor = walker()
    coordinate = actor.figure.coordinates[0]
    draft = Draft(time=0, values=((coordinate, 0.7),))
    drafted = replace(actor, layers=(replace(actor.layers[0], drafts=(draft,)),))
    written = []
    for name, owner in (("keys", actor), ("draft", drafted)):
        document = Document(actors=(owner,))
        format = next(each for each in writers() if ".bvh" in each.suffixes)
        (path,) = export(tmp_path / f"{name}.bvh", document, ["one"], Options())
        written.append(path.read_bytes())
        assert any("working poses" in lost for lost in left_out(format, document, ["one"])) == (name == "draft")
    assert written[0] == written[1]


def test_what_is_exported_is_what_is_played_cycles_and_all(tmp_path: Path) -> None:
    walk = example("walk").build()
    names = {".bvh": 121, ".amc": 121, ".csv": 121, ".npz": 121, ".glb": 121}
    for suffix, count in names.items():
        export(tmp_path / f"a{suffix}", walk, [walk.actors[0].id], Options())
        (samples,) = (each.samples for each in read_contents(tmp_path / f"a{suffix}").layers if each.samples)
        assert (suffix, samples.frame_count) == (suffix, count)
    bvh = by_suffix(Path("a.bvh"))
    assert bvh is not None
    lasting = replace(walk, play=None, scene_range=Span(start=SECOND, end=2 * SECOND))
    export(tmp_path / "b.bvh", lasting, [walk.actors[0].id], Options())
    whole, part = (read_contents(tmp_path / name).layers[0].samples for name in ("a.bvh", "b.bvh"))
    assert whole is not None
    assert part is not None
    assert part.values.array.tolist() == whole.values.array[30:61].tolist()
    export(tmp_path / "c.bvh", walk, [walk.actors[0].id], Options(start=SECOND, end=2 * SECOND))
    assert (tmp_path / "c.bvh").read_bytes() == (tmp_path / "b.bvh").read_bytes()
    silent = replace(walk, play=None)
    export(tmp_path / "d.bvh", silent, [walk.actors[0].id], Options())
    (as_before,) = (each.samples for each in read_contents(tmp_path / "d.bvh").layers if each.samples)
    assert as_before.frame_count == 33, "where a document says nothing it is its motion"
    assert "what moves before and after the range that is written" in left_out(bvh, lasting, [walk.actors[0].id])
    assert "what moves before and after the range that is written" not in left_out(bvh, walk, [walk.actors[0].id])
