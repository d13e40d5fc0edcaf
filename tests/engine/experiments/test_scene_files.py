"""Scene files for renderers: their structure, and that points stand where the picture has them."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest

from engine.document import Actor, Box, Document
from engine.document.props import prop
from engine.evaluate.evaluator import Evaluator
from engine.experiments.povray import povray_file, povray_settings
from engine.experiments.rib import rib_file
from engine.experiments.scene_parts import PlacedParts, SceneLook, scenery_of
from engine.maths.arrays import Array
from engine.model.snapshot import Arrows, LineSet, Points, Snapshot
from engine.runtime.errors import InvalidArguments

LOOK = SceneLook(eye=(3.0, 1.0, 2.0), target=(0.0, 0.5, 0.0))
RIB_STATEMENTS = {
    "version", "ObjectBegin", "ObjectEnd", "FrameBegin", "FrameEnd", "Display", "Format", "Projection", "Transform",
    "WorldBegin", "WorldEnd", "LightSource", "AttributeBegin", "AttributeEnd", "Color", "Surface", "Patch", "Translate",
    "ConcatTransform", "ObjectInstance", "PointsPolygons", "Sphere", "Cylinder", "##RenderMan",
}  # fmt: skip
POV_WORDS = {
    "version", "global_settings", "assumed_gamma", "background", "color", "rgb", "camera", "location", "up", "right",
    "angle", "look_at", "light_source", "plane", "pigment", "finish", "ambient", "diffuse", "specular", "declare",
    "mesh2", "vertex_vectors", "normal_vectors", "face_indices", "switch", "frame_number", "case", "break", "else",
    "end", "object", "matrix", "sphere", "cylinder", "Part1", "Part2",
}  # fmt: skip
NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]\d+)?(?![\w.])")


@pytest.fixture(scope="module")
def scenery() -> PlacedParts:
    """Two boxes, one of them turned, at two times; with a spot, a line and an arrow."""
    box = prop("Box", (Box(half=(0.1, 0.2, 0.3)),))
    document = Document(actors=(Actor(id="one", name="One", figure=box), Actor(id="two", name="Two", figure=box)))
    evaluator = Evaluator()
    plain = evaluator.snapshot(document)
    line = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.7]], dtype=np.float32)
    up, ends = np.array([[0.0, 0.5, 0.0]], dtype=np.float32), np.array([[0, 1]], dtype=np.int32)
    more = (
        Points(owner="one", role="result", positions=np.array([[0.3, 0.4, 0.5]], dtype=np.float32)),
        LineSet(owner="one", role="result", ends=ends, positions=line, topology=""),
        Arrows(owner="one", role="force", starts=line[1:], vectors=up),
    )  # fmt: skip
    return scenery_of([plain, Snapshot(document=document, time=0, items=(*plain.items, *more))])


def statements(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if not line.strip().startswith('"P"')]


def listed(text: str) -> Array:
    return np.array([float(each) for each in NUMBER.findall(text)])


def test_rib_has_blocks_that_end_and_statements_that_are_known(scenery: PlacedParts) -> None:
    text = rib_file(scenery, LOOK, "boxes")
    words = Counter(line[0] for line in statements(text))
    assert set(words) <= RIB_STATEMENTS
    for block in ("Object", "Frame", "World", "Attribute"):
        assert words[f"{block}Begin"] == words[f"{block}End"] > 0
    assert (words["FrameBegin"], words["ObjectBegin"], words["ObjectInstance"]) == (2, 2, 4)
    assert (words["Sphere"], words["Cylinder"], words["PointsPolygons"]) == (1, 2, 2)
    open_blocks = list[str]()
    for line in statements(text):
        if line[0].endswith("Begin"):
            open_blocks.append(line[0][:-5])
        elif line[0].endswith("End"):
            assert open_blocks.pop() == line[0][:-3]
    assert not re.search(r"nan|inf", text)
    for mesh in re.finditer(r'PointsPolygons \[([\d ]+)\] \[([\d ]+)\]\n\s+"P" \[([^]]*)\]', text):
        sizes, corners, positions = (listed(each) for each in mesh.groups())
        assert set(sizes.tolist()) == {3.0}
        assert len(corners) == sizes.sum()
        assert corners.max() == len(positions) / 3 - 1


def test_rib_sees_what_the_view_is_aimed_at_in_the_middle_and_the_world_not_mirrored(scenery: PlacedParts) -> None:
    found = re.search(r"^Transform \[(.*)\]", rib_file(scenery, LOOK, "boxes"), re.MULTILINE)
    assert found is not None
    view = listed(found.group(1)).reshape(4, 4)
    assert (*LOOK.target, 1.0) @ view == pytest.approx((0.0, 0.0, math.dist(LOOK.eye, LOOK.target), 1.0), abs=1e-5)
    ahead = np.subtract(LOOK.target, LOOK.eye)
    right = np.cross(ahead, (0.0, 1.0, 0.0))
    x, y, _, _ = (*(LOOK.target + 0.1 * right), 1.0) @ view
    assert (x > 0.1, abs(y) < 1e-5) == (True, True)


def test_a_rod_of_rib_reaches_from_end_to_end(scenery: PlacedParts) -> None:
    text = rib_file(scenery, LOOK, "boxes")
    ends = []
    for place, sizes in re.findall(r"ConcatTransform \[(.*)\]\n\s*Cylinder (.*)", text):
        matrix, (_, low, high, _) = listed(place).reshape(4, 4), listed(sizes)
        ends.append([((0.0, 0.0, each, 1.0) @ matrix)[:3].tolist() for each in (low, high)])
    assert ends[0] == [pytest.approx([0.0, 0.0, 0.0]), pytest.approx([0.0, 0.0, 0.7])]
    assert ends[1] == [pytest.approx([0.0, 0.0, 0.7]), pytest.approx([0.0, 0.5, 0.7])]


def test_pov_ray_has_braces_that_close_and_words_that_are_known(scenery: PlacedParts) -> None:
    text = povray_file(scenery, LOOK)
    for one, other in ("{}", "()"):
        assert text.count(one) == text.count(other) > 0
    assert text.count("<") == text.count(">")
    assert set(re.findall(r"[A-Za-z_]\w*", re.sub(NUMBER, "", text))) <= POV_WORDS
    assert text.count("#case") == text.count("#break") == len(scenery.frames)
    for count, rows in re.findall(r"(?:vertex_vectors|normal_vectors|face_indices) \{ (\d+), (.*) \}", text):
        assert rows.count("<") == int(count)
    assert np.isfinite(listed(text)).all()
    assert "Final_Frame=2" in povray_settings(scenery, LOOK, "boxes")


def test_pov_ray_places_a_part_where_the_picture_has_it(scenery: PlacedParts) -> None:
    number, place = scenery.frames[0].placed[1]
    found = re.search(rf"object {{ Part{number + 1} matrix <(.*)> }}", povray_file(scenery, LOOK))
    assert found is not None
    matrix, corner = listed(found.group(1)).reshape(4, 3), scenery.parts[number].positions[0]
    assert (*corner, 1.0) @ matrix == pytest.approx(place[:, :3] @ corner + place[:, 3], abs=1e-5)


def test_a_view_straight_down_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="straight down"):
        SceneLook(eye=(0.0, 2.0, 0.0), target=(0.0, 0.0, 0.0))
