"""OpenSim's own models: where bodies, markers and paths are, against an evaluation straight from the XML."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from engine.document import Figure
from engine.formats import figure_toml, osim
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.muscles.parts import Muscles
from tests.engine.formats.osim_peer import Coordinates, OsimPeer, at, numbers, text
from tests.engine.formats.worlds import figure_in, transforms
from tests.engine.muscles.muscled import Measured
from tests.engine.shared_data import shared

AHEAD = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])  # from OpenSim's axes, x ahead, to ours, z ahead
POSES = 8


class Counts(NamedTuple):
    """What a model holds."""

    bodies: int
    coordinates: int
    driven: int
    muscles: int
    wraps: int
    markers: int
    sets: int


MODELS = {
    "osim/arm26.osim": Counts(3, 2, 0, 6, 4, 3, 0),
    "osim/double_pendulum.osim": Counts(2, 2, 0, 0, 0, 0, 0),
    "osim/gait10dof18musc.osim": Counts(12, 10, 4, 18, 0, 0, 0),
    "osim/gait2392_millard2012muscle.osim": Counts(12, 23, 4, 92, 0, 0, 30),
    "osim/Rajagopal2016.osim": Counts(22, 37, 14, 80, 40, 66, 26),
    "osim/Tug_of_War.osim": Counts(1, 1, 0, 2, 0, 0, 0),
    "mocap/opensim_gait2354_walk/subject01_scaled.osim": Counts(12, 23, 4, 54, 0, 39, 28),
}


def where(name: str) -> Path:
    return shared(name) if name.startswith("mocap") else shared("musculoskeletal", name)


@cache
def contents(path: Path) -> Contents:
    return osim.read(path, Options())


@cache
def peer(path: Path) -> OsimPeer:
    return OsimPeer(path)


def muscles_in(found: Contents) -> Muscles:
    return next((each for each in found.parts if isinstance(each, Muscles)), Muscles())


def drawn(figure: Figure, random: np.random.Generator) -> Coordinates:
    """Free coordinates anywhere in their ranges, and a little beyond."""
    found = {}
    for dof in figure.dofs:
        if not dof.driven:
            lower, upper = dof.lower if dof.lower is not None else -1.0, dof.upper if dof.upper is not None else 1.0
            found[dof.id] = random.uniform(lower - 0.1, upper + 0.1)
    return found


def placed(figure: Figure, coordinates: Coordinates) -> Array:
    """All coordinates, those that are driven among them."""
    values = dict(coordinates)
    for dof in figure.driven:
        values[dof.id] = sum(each.value(values[each.dof]) for each in dof.driven)
    return np.array([values[name] for name in figure.coordinates])


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_all_that_its_file_lists(name: str) -> None:
    path = where(name)
    found, theirs = contents(path), peer(path)
    figure, muscles = figure_in(found), muscles_in(found)
    free = [dof.id for dof in figure.dofs if not dof.driven]
    assert (
        Counts(
            bodies=len(figure.joints),
            coordinates=len(free),
            driven=len(figure.driven),
            muscles=len(muscles.muscles),
            wraps=len(muscles.wraps),
            markers=len(figure.handles),
            sets=len(muscles.sets),
        )
        == MODELS[name]
    )
    assert sorted(joint.id for joint in figure.joints) == sorted(theirs.bodies)
    assert sorted(free) == sorted(theirs.free)
    for joint in figure.joints:
        mass = next(each for each in theirs.root.iter("Body") if each.get("name") == joint.id)
        assert joint.body is not None
        assert joint.body.mass == numbers(mass, "mass")[0]


@pytest.mark.parametrize("name", MODELS)
def test_bodies_and_markers_are_where_the_model_puts_them(name: str) -> None:
    path, random = where(name), np.random.default_rng(5)
    figure, theirs = figure_in(contents(path)), peer(path)
    for _ in range(POSES):
        coordinates = drawn(figure, random)
        worlds, ours = theirs.worlds(coordinates), transforms(figure, placed(figure, coordinates))
        markers = theirs.markers(worlds)
        for joint, world in zip(figure.joints, ours, strict=True):
            element = next(each for each in theirs.root.iter("Body") if each.get("name") == joint.id)
            assert joint.body is not None
            centre = AHEAD @ at(worlds[joint.id], numbers(element, "mass_center"))
            np.testing.assert_allclose(world[:, :3] @ joint.body.centre + world[:, 3], centre, rtol=0, atol=1e-10)
            xx, yy, zz, xy, xz, yz = numbers(element, "inertia")
            turn = AHEAD @ worlds[joint.id][:3, :3]
            inertia = turn @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ turn.T
            xx, yy, zz, xy, xz, yz = joint.body.inertia
            own = world[:, :3] @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ world[:, :3].T
            np.testing.assert_allclose(own, inertia, rtol=0, atol=1e-10)
        for handle in figure.handles:
            world = ours[figure.joint_index[handle.joint]]
            place = world[:, :3] @ np.array(handle.point) + world[:, 3]
            np.testing.assert_allclose(place, AHEAD @ markers[handle.id], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", [each for each, counts in MODELS.items() if counts.muscles])
def test_paths_are_as_long_as_the_model_says(name: str) -> None:
    """Those without wraps; also where points move, or are there within a range alone."""
    path, random = where(name), np.random.default_rng(6)
    found, theirs = contents(path), peer(path)
    figure, muscles = figure_in(found), muscles_in(found)
    straight = tuple(each for each in muscles.muscles if not each.wraps)
    elements = {str(each.get("name")): each for each in theirs.muscles}
    measured = Measured(figure, straight) if straight else None
    for _ in range(POSES):
        coordinates = drawn(figure, random)
        worlds = theirs.worlds(coordinates)
        wanted = [theirs.straight_length(elements[each.id], worlds, coordinates) for each in straight]
        if measured is not None:
            np.testing.assert_allclose(measured(placed(figure, coordinates))[0], wanted, rtol=0, atol=1e-10)
    for each in muscles.muscles:
        element = elements[each.id]
        assert each.force == numbers(element, "max_isometric_force")[0]
        assert each.fibre == numbers(element, "optimal_fiber_length")[0]
        assert each.tendon == numbers(element, "tendon_slack_length")[0]
        assert each.pennation == numbers(element, "pennation_angle_at_optimal")[0]
        assert len(each.points) == len(element.findall("GeometryPath/PathPointSet/objects/*"))
        wanted_wraps = {text(row, "wrap_object") for row in element.findall("GeometryPath/PathWrapSet/objects/*")}
        assert {row.wrap for row in each.wraps} == wanted_wraps


@pytest.mark.parametrize("name", ["osim/Rajagopal2016.osim", "osim/gait2392_millard2012muscle.osim"])
def test_a_figure_file_of_a_model_reads_back_the_same(name: str, tmp_path: Path) -> None:
    found = contents(where(name))
    path = tmp_path / "model.figure.toml"
    figure_toml.write(path, figure_in(found), found.parts)
    figure, parts = figure_toml.read_whole(path)
    for ours, theirs in zip(figure.joints, figure_in(found).joints, strict=True):
        assert ours.dofs == theirs.dofs
        assert (ours.offset, ours.rest, ours.body) == (theirs.offset, theirs.rest, theirs.body)
    assert parts == found.parts
    assert figure.handles == figure_in(found).handles


def test_a_walk_meets_the_markers_as_opensim_reports() -> None:
    """OpenSim's own coordinates, in degrees, put onto the figure by their names."""
    folder = shared("mocap", "opensim_gait2354_walk")
    figure = figure_in(contents(folder / "subject01_scaled.osim"))
    rows = [line.split() for line in (folder / "reference_ik.mot").read_text().splitlines()]
    head = next(place for place, row in enumerate(rows) if row[:1] == ["time"])
    columns, motion = rows[head], np.array(rows[head + 1 :], dtype=np.float64)
    assert {dof.id for dof in figure.dofs if not dof.driven} == set(columns[1:])
    markers, times, places = _markers(folder / "subject01_walk1.trc")
    errors: dict[str, list[float]] = {}
    for row in motion[::6]:
        turned = {
            name: number if figure.coordinate_dof[name].kind == "slide" else math.radians(number)
            for name, number in zip(columns[1:], row[1:], strict=True)
        }
        worlds = transforms(figure, placed(figure, turned))
        frame = int(np.argmin(np.abs(times - row[0])))
        for handle in figure.handles:
            if handle.id in markers:
                world = worlds[figure.joint_index[handle.joint]]
                place = world[:, :3] @ np.array(handle.point) + world[:, 3]
                away = float(np.linalg.norm(place - AHEAD @ places[frame, markers.index(handle.id)]))
                errors.setdefault(handle.id, []).append(away)
    assert len(errors) == 31
    assert np.sqrt(np.mean(np.square(list(errors.values())))) < 0.0225
    assert max(max(found) for name, found in errors.items() if "Acromium" not in name) < 0.05


def _markers(path: Path) -> tuple[list[str], Array, Array]:
    """The names of a TRC file's markers, its times [s], and places [m], shape [frames, markers, 3]."""
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    names = [name for name in lines[3][2:] if name]
    rows = np.array([line[: 2 + 3 * len(names)] for line in lines[5:] if len(line) > 10], dtype=np.float64)
    return names, rows[:, 1], rows[:, 2:].reshape(len(rows), -1, 3) / 1000.0
