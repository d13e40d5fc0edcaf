"""C3D files that are written: markers and plates come back, and a reader of the guide's words finds them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Figure, Handle, Joint
from engine.document.capture import MarkerGaps
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats import c3d, c3d_plates
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.measured_forces.commands.take import TakeForces, holds_forces
from engine.measured_forces.uses import forces_of
from engine.runtime.errors import UnreadableFile, UnwritableFile
from engine.runtime.progress import finish
from tests.engine.formats.c3d_files import c3d_bytes, number, with_parameters, word
from tests.engine.formats.test_markers import some_points
from tests.engine.formats.worlds import values
from tests.engine.measured_forces.walk import post, steady

LABELS = ["LASI", "RASI", "SACR"]


def capture(folder: Path, **options: object) -> Contents:
    path = folder / "given.c3d"
    path.write_bytes(c3d_bytes(LABELS, some_points(), **options))  # type: ignore[arg-type]
    return c3d.read(path, Options())


def again(folder: Path, contents: Contents, options: Options | None = None) -> Contents:
    path = folder / "again.c3d"
    c3d.write(path, contents, options or Options())
    return c3d.read(path, Options())


def layer_start(contents: Contents) -> int:
    samples = contents.layers[0].samples
    assert samples is not None
    return samples.start


@pytest.mark.parametrize("options", [Options(), Options(unit=1.0, up="y"), Options(unit=0.01, up="x")])
def test_markers_and_gaps_come_back_as_they_were(tmp_path: Path, options: Options) -> None:
    given = capture(tmp_path, first=11)
    back = again(tmp_path, given, options)
    assert back.figure is not None
    assert [each.name for each in back.figure.joints] == LABELS
    assert (back.rate, layer_start(back)) == ((100, 1), round(0.1 * SECOND))
    np.testing.assert_allclose(values(back), values(given), rtol=0, atol=1e-7)
    gaps = [part for part in back.parts if isinstance(part, MarkerGaps)]
    assert gaps == [part for part in given.parts if isinstance(part, MarkerGaps)]
    twice = again(tmp_path, back, options)
    assert values(twice).tobytes() == values(again(tmp_path, twice, options)).tobytes()


def test_frames_beyond_a_word_and_their_number_are_kept(tmp_path: Path) -> None:
    given = capture(tmp_path)
    (layer,) = given.layers
    samples = layer.samples
    assert samples is not None
    late = replace(samples, start=700 * SECOND)
    many = replace(samples, values=Blob(np.tile(samples.values.array, (14_000, 1))))
    for each in (late, many):
        back = again(tmp_path, Contents(figure=given.figure, layers=(replace(layer, samples=each),)))
        assert layer_start(back) == each.start
        assert len(values(back)) == len(each.values.array)


def test_more_labels_than_255_are_written(tmp_path: Path) -> None:
    joints = tuple(Joint(id=f"m{place}", name=f"M {place}", offset=(0.01 * place, 1.0, 0.0)) for place in range(300))
    handles = tuple(Handle(id=f"{each.id}.h", name=each.name, joint=each.id, point=(0.0, 0.0, 0.0)) for each in joints)
    back = again(tmp_path, Contents(figure=Figure(name="many", joints=joints, handles=handles)))
    assert back.figure is not None
    assert [each.name for each in back.figure.joints] == [each.name for each in joints]
    named = tuple(Handle(id=each.id, name=f"{each.name} {'x' * 120}", joint=each.joint) for each in handles)
    long = Contents(figure=Figure(name="long", joints=joints * 1, handles=named * 1))
    assert again(tmp_path, long).figure is not None


def test_names_that_leave_no_room_and_units_that_c3d_lacks_are_refused(tmp_path: Path) -> None:
    joints = tuple(Joint(id=f"m{place}", name="m") for place in range(1200))
    handles = tuple(Handle(id=f"{each.id}.h", name=f"{each.id} {'x' * 120}", joint=each.id) for each in joints)
    with pytest.raises(UnwritableFile, match="more than C3D has room for"):
        c3d.write(tmp_path / "no.c3d", Contents(figure=Figure(name="n", joints=joints, handles=handles)), Options())
    with pytest.raises(UnwritableFile, match=r"a unit of 0.3 m"):
        c3d.write(tmp_path / "no.c3d", capture(tmp_path), Options(unit=0.3))
    assert not (tmp_path / "no.c3d").exists()


def wrench(row: Array, about: Array) -> Array:
    """Force, and moment about a point, of a row of force, point and torque."""
    return np.concatenate([row[:3], row[6:] + np.cross(row[3:6] - about, row[:3])])


@pytest.mark.parametrize("options", [Options(), Options(unit=1.0, up="y")])
def test_what_plates_do_comes_back(tmp_path: Path, options: Options) -> None:
    random = np.random.default_rng(9)
    rows = np.concatenate(
        (
            random.normal(size=(21, 3)) * 80.0 + (0.0, 600.0, 0.0),
            random.uniform(-0.3, 0.3, (21, 3)),
            random.normal(size=(21, 3)),
        ),
        axis=1,
    )
    rows[:, 4] *= 0.01
    rows[7:9, :3] = 0.0
    right = MeasuredForce(id="right", name="Right plate", joint="ball", values=Blob(rows), rate=(100, 1))
    left = steady((3.0, 500.0, -20.0), (0.2, 0.0, 0.4), (0.0, 2.0, 0.0), seconds=0.2)
    quiet = MeasuredForce(id="quiet", name="Quiet", joint="ball", values=Blob(rows), rate=(100, 1), mute=True)
    turned = MeasuredForce(id="turned", name="Turned", joint="ball", values=Blob(rows), rate=(100, 1), frame="ball")
    given = capture(tmp_path)
    part = MeasuredForces(forces=(right, left, quiet, turned))
    contents = Contents(
        figure=given.figure, layers=given.layers, parts=(*given.parts, part), span=(0, round(0.2 * SECOND))
    )
    lost = " ".join(c3d.omits(contents))
    assert "Quiet" in lost
    assert "Turned" in lost
    path = tmp_path / "plates.c3d"
    c3d.write(path, contents, options)
    assert holds_forces(path)
    found = c3d_plates.read_plates(path)
    assert [each.name for each in found.plates] == ["Right plate", "Plate"]
    assert (found.rate, found.start) == ((100, 1), 0)
    centre = np.array([0.05, 0.02, -0.1])
    for row, back in zip(rows, found.plates[0].values, strict=False):
        np.testing.assert_allclose(wrench(back, centre), wrench(row, centre), rtol=0, atol=2e-4)
    np.testing.assert_allclose(found.plates[1].values[:20], np.tile(left.values.array[0], (20, 1)), rtol=0, atol=1e-4)
    assert any("forces of plates" in note for note in c3d.read(path, Options()).notes)


def test_forces_of_a_c3d_are_put_on_a_figure(tmp_path: Path) -> None:
    force = steady((0.0, 30.0, 0.0), (0.0, 0.3, 0.0), joint="ball")
    path, loaded = tmp_path / "stood.c3d", post(force)
    owner = loaded.actors[0]
    c3d.write(path, Contents(figure=owner.figure, layers=owner.layers, parts=owner.parts, span=(0, SECOND)), Options())
    taken = finish(TakeForces(actor="me", path=path).work_through(Evaluator(), post()))
    (found,) = (forces_of(taken.edit.apply(post()).actors[0]) or MeasuredForces()).forces
    assert found.joint == "ball"
    np.testing.assert_allclose(found.values.array[:, :6], np.tile([0.0, 30.0, 0.0, 0.0, 0.3, 0.0], (31, 1)), atol=1e-5)


def test_a_file_without_plates_is_refused_and_holds_none(tmp_path: Path) -> None:
    path = tmp_path / "bare.c3d"
    path.write_bytes(c3d_bytes(LABELS, some_points(), analog=4))
    assert not holds_forces(path)
    with pytest.raises(UnreadableFile, match="no force plates"):
        c3d_plates.read_plates(path)
    assert not holds_forces(tmp_path / "none.c3d")


def stood(path: Path, *more: tuple[int, str, int, tuple[int, ...], bytes]) -> Array:
    """What is read of a plate on which a ball rests, with more parameters."""
    owner = post(steady((0.0, 30.0, 0.0), (0.0, 0.3, 0.0), joint="ball", seconds=0.1)).actors[0]
    c3d.write(path, Contents(figure=owner.figure, parts=owner.parts), Options())
    if more:
        path.write_bytes(with_parameters(path.read_bytes(), more))
    (plate,) = c3d_plates.read_plates(path).plates
    return plate.values


def words(*given: int) -> bytes:
    return b"".join(word(each, "intel") for each in given)


def floats(*given: float) -> bytes:
    return b"".join(number(each, "intel") for each in given)


def test_offsets_have_a_sign_unless_samples_have_none(tmp_path: Path) -> None:
    path, offset = tmp_path / "stood.c3d", (3, "OFFSET", 2, (6,), words(0, 0, 40_000, 0, 0, 0))
    assert stood(path)[0, 1] == pytest.approx(30.0)
    assert stood(path, offset)[0, 1] == pytest.approx(30.0 + 40_000 - 65_536)
    assert stood(path, offset, (3, "FORMAT", -1, (8, 1), b"UNSIGNED"))[0, 1] == pytest.approx(30.0 + 40_000)


def test_a_sensor_that_is_told_above_its_plate_is_below_it(tmp_path: Path) -> None:
    path = tmp_path / "stood.c3d"
    channels = (4, "CHANNEL", 2, (8, 1), words(3, 3, 3, 3, 1, 3, 3, 2))
    kinds = (words(3), channels, (120.0, 200.0)), (words(2), (4, "CHANNEL", 2, (6, 1), words(*range(1, 7))), (0.0, 0.0))
    for kind, channel, way in kinds:
        below, above = (
            stood(path, (4, "TYPE", 2, (1,), kind), channel, (4, "ORIGIN", 4, (3, 1), floats(*way, height)))
            for height in (-40.0, 40.0)
        )
        assert np.array_equal(below, above)


def test_plates_alone_are_read_and_counts_below_0_refused(tmp_path: Path) -> None:
    path = tmp_path / "stood.c3d"
    wanted, content = stood(path), bytearray(path.read_bytes())
    markers, channels = content[2], content[4]
    content[2], content[4] = 0, channels + 4 * markers
    numbers = words(*range(4 * markers + 1, 4 * markers + 7))
    bare = with_parameters(bytes(content), [(1, "USED", 2, (), words(0)), (4, "CHANNEL", 2, (6, 1), numbers)])
    path.write_bytes(bare)
    np.testing.assert_array_equal(c3d_plates.read_plates(path).plates[0].values, wanted)
    with pytest.raises(UnreadableFile, match="no markers"):
        c3d.read(path, Options())
    for group, what in ((1, "-1 points"), (4, "no force plates")):
        path.write_bytes(with_parameters(bytes(content), [(group, "USED", 4, (), number(-1.0, "intel"))]))
        with pytest.raises(UnreadableFile, match=what):
            c3d_plates.read_plates(path)


def test_more_samples_in_a_frame_than_a_word_counts_are_refused(tmp_path: Path) -> None:
    rows = [[0.0, 30.0, 0.0] + [0.0] * 6] * 2
    forces = tuple(
        MeasuredForce(id=name, name=name, joint="ball", values=Blob(rows), rate=(10_000, 1)) for name in ("a", "b")
    )
    owner = post(*forces).actors[0]
    with pytest.raises(UnwritableFile, match="10,000 samples of each of 2 plates"):
        c3d.write(tmp_path / "no.c3d", Contents(figure=owner.figure, parts=owner.parts), Options(rate=(1, 1)))


def test_damaged_plates_are_read_or_refused(tmp_path: Path) -> None:
    path, random = tmp_path / "stood.c3d", np.random.default_rng(4)
    owner = post(steady((0.0, 30.0, 0.0), (0.0, 0.3, 0.0), joint="ball", seconds=0.1)).actors[0]
    c3d.write(path, Contents(figure=owner.figure, parts=owner.parts), Options())
    content = path.read_bytes()
    refused = 0
    for attempt in range(150):
        damaged = bytearray(content)
        for place in random.integers(0, len(content), 3).tolist():
            damaged[place] = int(random.integers(0, 256))
        whole = len(content) if attempt % 2 else int(random.integers(600, len(content) + 1))
        path.write_bytes(bytes(damaged[:whole]))
        try:
            assert all(np.isfinite(each.values).all() for each in c3d_plates.read_plates(path).plates)
        except UnreadableFile:
            refused += 1
    assert 0 < refused < 150


def test_ezc3d_reads_the_same(tmp_path: Path) -> None:
    """A reader of others, where somebody has installed it."""
    ezc3d = pytest.importorskip("ezc3d")
    given = capture(tmp_path)
    force = steady((3.0, 500.0, -20.0), (0.2, 0.0, 0.4), (0.0, 2.0, 0.0), seconds=0.1)
    path = tmp_path / "theirs.c3d"
    c3d.write(
        path,
        Contents(figure=given.figure, layers=given.layers, parts=(*given.parts, MeasuredForces(forces=(force,)))),
        Options(),
    )
    found = ezc3d.c3d(str(path), extract_forceplat_data=True)
    assert found["parameters"]["POINT"]["LABELS"]["value"] == LABELS
    x, y, z = found["data"]["points"][:3] * 0.001
    ours = values(given).reshape(5, 3, 3)
    seen = ~np.isnan(x.T)
    np.testing.assert_allclose(np.stack([y.T, z.T, x.T], axis=2)[seen], ours[seen], rtol=0, atol=1e-6)
    (plate,) = found["data"]["platform"]
    np.testing.assert_allclose(plate["force"][:, 0], (-20.0, 3.0, 500.0), rtol=0, atol=1e-3)
    np.testing.assert_allclose(plate["center_of_pressure"][:, 0], (400.0, 200.0, 0.0), rtol=0, atol=0.1)
    np.testing.assert_allclose(plate["Tz"][:, 0], (0.0, 0.0, 2000.0), rtol=0, atol=1.0)
