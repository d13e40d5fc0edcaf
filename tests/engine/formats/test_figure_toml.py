"""Figures as text: the human that comes with the application, mirroring, and refusals that name the line."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Actor, Document, Dof, Ellipsoid, Figure, Joint, Loft
from engine.document.mirrored import mirrored_joint
from engine.document.validation import validate_figure
from engine.evaluate import rest_snapshot
from engine.formats.figure_toml import load_figure, read
from engine.formats.figure_toml_dofs import ORDERS
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import UnknownPart, UnreadableFile

MIRROR = np.diag([-1.0, 1.0, 1.0])

LAMP = """\
# a desk lamp
name = "Lamp"
angles = "degrees"

[[joint]]
id = "base"
shapes = [{ kind = "box", half = [0.1, 0.01, 0.1], rounding = 0.005 }]

[[joint]]
id = "arm"
parent = "base"
offset = [0, 0.02, 0]
rest = [["z", 90]]
dofs = [
  { name = "Swing up", axis = "-x", limits = [-60, 90], stiffness = 2, damping = 0.1, spring = 12.5, neutral = 30 },
  { name = "Reach", id = "slide", kind = "slide", axis = [0, 2, 0], limits = [0, 0.1] },
]
shapes = [
  { kind = "loft", columns = "along width depth front", sections = [[0, 0.01, 0.01, 0], [0.3, 0.02, 0.01, 0.005]] },
  { kind = "capsule", start = [0.05, 0, 0], end = [0.05, 0.3, 0], radius = 0.01, sides = "both", tone = 0.5 },
]

[[joint]]
id = "clip"
parent = "arm"
sides = "both"
offset = [0.02, 0.3, 0]
dofs = [{ name = "Open", axis = "z" }]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "test.figure.toml"
    path.write_text(text, encoding="utf-8")
    return path


def joint_frames(figure: Figure, q: dict[str, float]) -> dict[str, tuple[Array, Array]]:
    """World rotation and position of each joint, by the definition in `engine.document.figure`."""
    frames: dict[str, tuple[Array, Array]] = {}
    for joint in figure.joints:
        rotation, position = (np.eye(3), np.zeros(3)) if joint.parent is None else frames[joint.parent]
        position = position + rotation @ np.array(joint.offset)
        rotation = rotation @ rotation_matrix(joint.rest)
        for dof in joint.dofs:
            value = q.get(dof.id, 0.0)
            if dof.kind == "slide":
                position = position + value * rotation @ np.array(dof.axis)
            else:
                x, y, z = (math.sin(0.5 * value) * each for each in dof.axis)
                rotation = rotation @ rotation_matrix((math.cos(0.5 * value), x, y, z))
        frames[joint.id] = (rotation, position)
    return frames


def rest_vertices(figure: Figure) -> tuple[Array, list[str]]:
    """World positions of the mesh at rest, and the joint of each vertex."""
    snapshot = rest_snapshot(Document(actors=(Actor(id="a", name="A", figure=figure),)))
    item = snapshot.bodies[0]
    transforms = item.transforms.astype(float)[item.mesh.body]
    world = np.einsum("nij,nj->ni", transforms[:, :, :3], item.mesh.positions) + transforms[:, :, 3]
    return np.asarray(world), [item.parts[body] for body in item.mesh.body]


def other_side(id: str) -> str:
    return id.replace("_left", "_?").replace("_right", "_left").replace("_?", "_right")


@pytest.fixture(name="human")
def _human() -> Figure:
    return load_figure("human")


def test_human_has_71_degrees_of_freedom_and_142_limits(human: Figure) -> None:
    validate_figure(human)
    assert len(human.coordinates) == len(human.dofs) == 71
    assert sum((dof.lower is not None) + (dof.upper is not None) for dof in human.dofs) == 142
    assert [dof.kind for dof in human.joints[0].dofs] == ["slide"] * 3 + ["hinge"] * 3


def test_human_has_25_degrees_of_freedom_on_each_side(human: Figure) -> None:
    for side in ("left", "right"):
        assert sum(f"_{side}." in dof.id for dof in human.dofs) == 25
    assert "elbow_left.flexion" in human.coordinate_index


def test_human_allows_its_rest_pose_and_every_range_is_wide_enough_to_see(human: Figure) -> None:
    for dof in human.dofs:
        assert dof.lower is not None
        assert dof.upper is not None
        assert dof.lower <= 0.0 <= dof.upper, dof.id
        assert dof.upper - dof.lower > math.radians(10.0), dof.id


def test_human_stands_on_the_floor_at_its_height(human: Figure) -> None:
    world, _ = rest_vertices(human)
    assert abs(world[:, 1].min()) < 0.002
    assert world[:, 1].max() == pytest.approx(1.75, abs=0.005)
    feet = world[world[:, 1] < 0.01]
    assert feet[:, 2].min() < -0.04
    assert feet[:, 2].max() > 0.15


def test_human_mesh_is_its_own_mirror_image(human: Figure) -> None:
    world, parts = rest_vertices(human)
    mirrored = {(part, *np.round(place, 4)) for part, place in zip(map(other_side, parts), world @ MIRROR, strict=True)}
    for part in human.joint_index:
        here = np.array([place for each, place in zip(parts, world, strict=True) if each == part])
        there = np.array([key[1:] for key in mirrored if key[0] == part], dtype=float)
        distances = np.linalg.norm(here[:, None] - there[None], axis=2)
        assert distances.min(axis=1).max() < 2e-4, part


def test_same_numbers_on_both_sides_are_mirrored_poses(human: Figure) -> None:
    random = np.random.default_rng(7)
    q: dict[str, float] = {}
    for dof in human.dofs:
        if "_left." in dof.id:
            assert dof.lower is not None
            assert dof.upper is not None
            q[dof.id] = q[other_side(dof.id)] = random.uniform(dof.lower, dof.upper)
    frames = joint_frames(human, q)
    for id, (rotation, position) in frames.items():
        wanted_rotation, wanted_position = frames[other_side(id)]
        assert np.allclose(MIRROR @ rotation @ MIRROR, wanted_rotation, atol=1e-12), id
        assert np.allclose(MIRROR @ position, wanted_position, atol=1e-12), id


@pytest.mark.parametrize(
    ("coordinate", "moved", "direction"),
    [
        ("elbow.flexion", "wrist", (0, 0, 1)),
        ("shoulder.flexion", "elbow", (0, 0, 1)),
        ("shoulder.abduction", "elbow", (1, 0, 0)),
        ("collar.elevation", "shoulder", (0, 1, 0)),
        ("collar.protraction", "shoulder", (0, 0, 1)),
        ("wrist.flexion", "middle", (-1, 0, 0)),
        ("wrist.deviation", "middle", (0, 0, 1)),
        ("forearm.pronation", "thumb", (-1, 0, 0)),
        ("hip.flexion", "knee", (0, 0, 1)),
        ("hip.abduction", "knee", (1, 0, 0)),
        ("hip.rotation", "toes", (-1, 0, 0)),
        ("knee.flexion", "ankle", (0, 0, -1)),
        ("ankle.dorsiflexion", "toes", (0, 1, 0)),
        ("index.flexion", "index_tip", (-1, 0, 0)),
    ],
)
@pytest.mark.parametrize("side", ["left", "right"])
def test_positive_numbers_move_the_way_their_names_say(
    human: Figure, coordinate: str, moved: str, direction: tuple[int, int, int], side: str
) -> None:
    part, name = coordinate.split(".")
    rest = joint_frames(human, {})[f"{moved}_{side}"][1]
    after = joint_frames(human, {f"{part}_{side}.{name}": 0.3})[f"{moved}_{side}"][1]
    outwards = np.array(direction) * (1.0 if side == "left" else -1.0, 1.0, 1.0)
    assert float((after - rest) @ outwards) > 0.003


def test_the_human_is_read_once_and_unknown_figures_are_named(human: Figure) -> None:
    assert load_figure("human") is human
    with pytest.raises(UnknownPart, match=r"no figure 'humam'.*'human'"):
        load_figure("humam")


def test_lamp_is_read(tmp_path: Path) -> None:
    figure = read(written(tmp_path, LAMP))
    assert figure.name == "Lamp"
    assert tuple(figure.joint_index) == ("base", "arm", "clip_left", "clip_right")
    assert [joint.name for joint in figure.joints] == ["Base", "Arm", "Left clip", "Right clip"]
    arm = figure.joint("arm")
    assert arm.rest == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))
    swing, slide = arm.dofs
    assert swing == Dof(
        id="arm.swing_up",
        name="Swing up",
        axis=(-1.0, 0.0, 0.0),
        lower=math.radians(-60.0),
        upper=math.radians(90.0),
        stiffness=2.0,
        damping=0.1,
        spring=12.5,
        neutral=math.radians(30.0),
    )
    assert (slide.id, slide.kind, slide.axis, slide.lower, slide.upper) == ("arm.slide", "slide", (0, 1, 0), 0.0, 0.1)
    loft, left, right = arm.shapes
    assert isinstance(loft, Loft)
    assert loft.sections[1].shift_front == 0.005
    assert left.tone == right.tone == 0.5
    assert left != right
    assert figure.joint("clip_left").dofs[0].lower is None


def test_radians_are_taken_as_they_are(tmp_path: Path) -> None:
    figure = read(written(tmp_path, LAMP.replace("degrees", "radians").replace("[-60, 90]", "[-1, 1.5]")))
    assert figure.coordinate_dof["arm.swing_up"].upper == 1.5


def test_reading_twice_gives_one_digest(tmp_path: Path, human: Figure) -> None:
    path = written(tmp_path, LAMP)
    assert read(path).digest == read(path).digest != human.digest


def test_mirroring_twice_gives_the_joint_back(human: Figure) -> None:
    for joint in human.joints:
        if joint.id.endswith("_left"):
            assert mirrored_joint(mirrored_joint(joint)) == joint


def test_mirror_images_hold_no_negative_zero(human: Figure) -> None:
    for joint in human.joints:
        numbers = [*joint.offset, *joint.rest, *(each for dof in joint.dofs for each in dof.axis)]
        assert not [each for each in numbers if each == 0.0 and math.copysign(1.0, each) < 0.0], joint.id


def test_left_chain_stands_whole_before_the_right(human: Figure) -> None:
    ids = list(human.joint_index)
    assert ids.index("little_tip_left") < ids.index("collar_right") < ids.index("hip_left") < ids.index("hip_right")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('id = "arm"', 'id = "arm', 10, "not valid TOML"),
        ("stiffness = 2", "stifness = 2", 15, r"unknown key 'stifness'.*Did you mean 'stiffness'.*Allowed: .*limits"),
        ('parent = "base"', 'parent = "bse"', 11, r"unknown parent 'bse'.*base"),
        ("offset = [0, 0.02, 0]", "offset = [0, 0.02]", 12, r"offset of joint 'arm'.*3 numbers"),
        ("offset = [0, 0.02, 0]", 'offset = [0, "a", 0]', 12, "3 numbers"),
        ("offset = [0, 0.02, 0]", "offset = [0, nan, 0]", 9, "finite"),
        ('rest = [["z", 90]]', 'rest = [["w", 90]]', 13, "list of turns"),
        ("limits = [-60, 90]", "limits = [90, -60]", 9, "lower at most upper"),
        ("limits = [-60, 90]", "limits = 90", 15, "2 numbers"),
        ('axis = "-x"', 'axis = "down"', 15, "three numbers, or one of"),
        ("stiffness = 2", "stiffness = true", 15, "a number"),
        ("stiffness = 2", "stiffness = -2", 9, "0 and above"),
        ('name = "Swing up", ', "", 9, "has no 'name'"),
        ('kind = "slide"', 'kind = "slider"', 16, "one of 'hinge', 'slide', 'ball'"),
        ('kind = "box"', 'kind = "cube"', 7, "one of 'loft', 'capsule', 'ellipsoid', 'box'"),
        ('kind = "box"', 'kind = "capsule"', 7, r"capsule of joint 'base'.*unknown key 'half'.*Allowed: .*radius"),
        ("half = [0.1, 0.01, 0.1]", "half = [0.1, -0.01, 0.1]", 5, "a length above 0"),
        ("rounding = 0.005", "rounding = 0.5", 5, "least half extent"),
        (
            "[0.3, 0.02, 0.01, 0.005]",
            "[0.3, 0.02, 0.01]",
            19,
            "4 numbers in square brackets: along, width, depth, front",
        ),
        ('"along width depth front"', '"along width height"', 19, "any of back, side, front, square"),
        ('id = "clip"', 'id = "arm"', 24, "a second joint 'arm'"),
        ('id = "clip"\n', "", 23, "has no 'id'"),
        ('sides = "both"\noffset', 'sides = "left"\noffset', 26, "one of 'one', 'both'"),
        ('id = "base"\n', 'id = "base"\nsides = "both"\n', 12, r"its parent both.*Add sides"),
        ('angles = "degrees"\n', "", 1, "has no 'angles'"),
        ('angles = "degrees"', 'angles = "turns"', 3, "one of 'degrees', 'radians'"),
        ('name = "Lamp"', 'name = ""', 2, "some text"),
        ("shapes = [{ kind", "shapes = [5, { kind", 5, "a shape of joint 'base' is 5"),
    ],
)
def test_refusals_name_the_line_and_the_remedy(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert LAMP.count(old) >= 1
    path = written(tmp_path, LAMP.replace(old, new, 1))
    with pytest.raises(UnreadableFile, match=message) as caught:
        read(path)
    assert caught.value.line == line
    assert caught.value.path == path
    assert caught.value.remedy
    assert f"{path}, line {line}" in str(caught.value)


def test_a_file_without_joints_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="has no 'joint'"):
        read(written(tmp_path, 'name = "A"\nangles = "degrees"\n'))
    with pytest.raises(UnreadableFile, match="joints of A"):
        read(written(tmp_path, 'name = "A"\nangles = "degrees"\njoint = []\n'))


def test_a_missing_folder_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="No such file"):
        read(tmp_path / "none.figure.toml")
    with pytest.raises(UnreadableFile, match="directory"):
        read(tmp_path)
    (tmp_path / "binary.figure.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(UnreadableFile, match="byte 8 is not UTF-8"):
        read(tmp_path / "binary.figure.toml")


def test_a_shape_on_both_sides_is_mirrored(tmp_path: Path) -> None:
    text = LAMP.replace(
        '{ kind = "box"', '{ kind = "ellipsoid", radius = 0.1, centre = [0.2, 0, 0], sides = "both" }, { kind = "box"'
    )
    left, right, _ = read(written(tmp_path, text)).joint("base").shapes
    assert left == Ellipsoid(radii=(0.1, 0.1, 0.1), centre=(0.2, 0.0, 0.0))
    assert right == replace(left, centre=(-0.2, 0.0, 0.0))


def test_a_mirrored_joint_keeps_its_slides_mirrored() -> None:
    joint = Joint(id="a", name="A", dofs=(Dof(id="a.x", name="X", kind="slide", axis=(1.0, 0.0, 0.0)),))
    assert mirrored_joint(joint).dofs[0].axis == (-1.0, 0.0, 0.0)


def test_long_and_short_forms_of_a_root(tmp_path: Path) -> None:
    def root(line: str) -> list[tuple[str, str]]:
        text = f'name = "R"\nangles = "degrees"\n[[joint]]\nid = "r"\n{line}\n'
        return [(dof.id, dof.kind) for dof in read(written(tmp_path, text)).dofs]

    slides = [("r.move_x", "slide"), ("r.move_y", "slide"), ("r.move_z", "slide")]
    assert root('root = "fixed"') == []
    assert root('root = "planar"') == [*slides[:2], ("r.z", "hinge")]
    assert root('root = "slides+ball"') == [*slides, ("r.turn", "ball")]
    assert root('root = "slides+hinges"') == [*slides, ("r.y", "hinge"), ("r.x", "hinge"), ("r.z", "hinge")]
    assert root('root = "slides+hinges"\norder = "ZYZ"')[3:] == [("r.z", "hinge"), ("r.y", "hinge"), ("r.z2", "hinge")]


@pytest.mark.parametrize("order", ORDERS)
def test_all_twelve_orders_have_a_short_form(tmp_path: Path, order: str) -> None:
    last = order[-1].lower() + ("2" if order[0] == order[-1] else "")
    text = (
        f'name = "R"\nangles = "degrees"\n[[joint]]\nid = "r"\norder = "{order}"\nlimits = {{ {last} = [-inf, 90] }}\n'
    )
    dofs = read(written(tmp_path, text)).dofs
    assert [dof.axis.index(1.0) for dof in dofs] == ["XYZ".index(letter) for letter in order]
    assert [(dof.lower, dof.upper) for dof in dofs] == [(None, None)] * 2 + [(None, math.pi / 2.0)]
    assert len(ORDERS) == 12


FULL = """\
name = "Full"
angles = "degrees"

[[joint]]
id = "chest"
order = "Y"
limits = { y = [-10, 10] }
[[joint]]
id = "arm"
parent = "chest"
sides = "both"
offset = [0.2, 0, 0]
rest = [0.8, 0.6, 0, 0]
group = "Arm"
body = { mass = 2, centre = [0.1, -0.2, 0], inertia = [0.1, 0.1, 0.1, 0.01, 0.02, 0.03] }
density = 900
[[handle]]
id = "hand"
joint = "arm"
sides = "both"
point = [0.1, 0, 0]
[[handle]]
id = "heart"
joint = "chest"
[[handle]]
id = "pocket"
joint = "chest"
sides = "both"
point = [0.1, 0, 0]
"""


def test_masses_groups_and_handles_are_mirrored(tmp_path: Path) -> None:
    figure = read(written(tmp_path, FULL))
    left, right = figure.joint("arm_left"), figure.joint("arm_right")
    assert (left.side, left.mirror, left.group, left.density) == ("left", "arm_right", "Left arm", 900.0)
    assert (right.side, right.mirror, right.group, right.rest) == ("right", "arm_left", "Right arm", (0.8, 0.6, 0, 0))
    assert left.body is not None
    assert right.body is not None
    assert right.body.centre == (-0.1, -0.2, 0.0)
    assert right.body.inertia == (0.1, 0.1, 0.1, -0.01, -0.02, 0.03)
    assert [(each.id, each.name, each.joint, each.point[0]) for each in figure.handles] == [
        ("hand_left", "Left hand", "arm_left", 0.1),
        ("hand_right", "Right hand", "arm_right", -0.1),
        ("heart", "Heart", "chest", 0.0),
        ("pocket_left", "Left pocket", "chest", 0.1),
        ("pocket_right", "Right pocket", "chest", -0.1),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('order = "Y"', 'order = "YY"', 6, "one to three of the letters"),
        ('order = "Y"', 'order = "Y"\ndofs = []', 6, "both 'order' and 'dofs'"),
        ('order = "Y"', 'root = "planar"\norder = "Y"', 7, "an order and the root 'planar'"),
        ('order = "Y"', 'root = "free"', 6, "one of 'fixed', 'planar'"),
        ("{ y = ", "{ x = ", 7, "limits of joint 'chest' has an unknown key 'x'.*Allowed: y"),
        ('order = "Y"\n', "", 6, "limits of its own"),
        ('group = "Arm"', 'root = "planar"', 14, "a parent and a root"),
        ('group = "Arm"', 'mirror = "chest"', 14, "'mirror' and both sides"),
        ("rest = [0.8, 0.6, 0, 0]", "rest = [0.8, 0.6, 0]", 13, "4 numbers"),
        ("rest = [0.8, 0.6, 0, 0]", "rest = [0.8, 0.7, 0, 0]", 8, "norm 1"),
        ("mass = 2, ", "", 15, "body of joint 'arm' has no 'mass'"),
        ("mass = 2", "mass = -2", 8, "0 and above"),
        ("inertia = [0.1, 0.1, 0.1", "inertia = [0.1, 0.1, 0.9", 8, "principal moments"),
        ("density = 900", "density = -1", 8, "0 and above"),
        ("density = 900", "density = " + "9" * 400, 16, "a number"),
        ('joint = "arm"\nsides = "both"', 'joint = "arm"', 19, "one side, its joint both"),
        ('joint = "chest"', 'joint = "chst"', 24, "unknown joint 'chst'.*chest, arm_left"),
        ('id = "heart"\n', "", 22, "handle 2 has no 'id'"),
    ],
)
def test_refusals_of_what_is_rarer_name_the_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert FULL.count(old) >= 1
    with pytest.raises(UnreadableFile, match=message) as caught:
        read(written(tmp_path, FULL.replace(old, new, 1)))
    assert caught.value.line == line


def test_a_joint_on_one_side_may_hang_on_a_mirrored_one_by_its_full_id(tmp_path: Path) -> None:
    text = FULL + '[[joint]]\nid = "watch"\nparent = "arm_left"\nside = "left"\n'
    assert read(written(tmp_path, text)).joint("watch").parent == "arm_left"


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_of_other_systems_are_read(tmp_path: Path, ending: str) -> None:
    (tmp_path / "a.figure.toml").write_bytes(b"\xef\xbb\xbf" + FULL.replace("\n", ending).encode())
    assert read(tmp_path / "a.figure.toml") == read(written(tmp_path, FULL))


def test_brackets_without_end_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="brackets"):
        read(written(tmp_path, "a = " + "[" * 100_000))


def test_the_lamp_of_the_page_that_teaches_the_format_is_sound(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "figure-format.md").read_text(encoding="utf-8")
    figure = read(written(tmp_path, page.split("```toml\n")[1].split("```")[0]))
    assert [dof.id for dof in figure.dofs] == ["lower_arm.turn", "lower_arm.lean", "upper_arm.bend", "head.x", "head.y"]
    assert figure.handles[0].joint == "head"
