"""The anatomy figure: 103 bones that count, weigh, turn and measure as they should."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from anatomy_landmarks import from_opensim, landmarks
from anatomy_masses import MASS
from scipy.spatial import cKDTree

from engine.commands.reach import PullHandle, Reach
from engine.document import Actor, Document, Joint, Layer, TriangleMesh
from engine.document.mirrored import mirrored_joint
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.goals import PositionGoal, Spot
from engine.ik.joint_map import guess_map
from engine.ik.methods import Method
from engine.ik.retarget import Retargeting
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.inertia import total_mass
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks
from engine.queries.examples import example
from resources.figures.human_segments import LIMBS, MASS_SHARES
from tests.engine.shared_data import shared

ANATOMY = load_figure("anatomy")
MODEL = compile_model(ANATOMY)
DEGREE = np.pi / 180.0


def worlds(**turned: float) -> dict[str, Array]:
    """World transforms of the bones, shape [3, 4], with some coordinates [degrees] as `bone__hinge`."""
    q, state = MODEL.rest.copy(), MODEL.new_state()
    for name, degrees in turned.items():
        q[ANATOMY.coordinate_index[name.replace("__", ".")]] = degrees * DEGREE
    compute_forward_kinematics(MODEL.ints, MODEL.floats, q, state)
    rows = MODEL.transforms(state)
    return {
        joint.id: np.hstack((row[:9].reshape(3, 3), row[9:, None]))
        for joint, row in zip(ANATOMY.joints, rows, strict=True)
    }


def place(found: dict[str, Array], bone: str, *point: float) -> Array:
    return np.asarray(found[bone][:, :3] @ np.array(point) + found[bone][:, 3])


def test_it_has_103_bones_and_163_degrees_of_freedom_besides_the_roots_six() -> None:
    groups: Counter[str] = Counter()
    for joint in ANATOMY.joints[1:]:
        groups[joint.group.removeprefix("Left ").removeprefix("Right ").lower()] += sum(
            not dof.driven for dof in joint.dofs
        )
    assert len(ANATOMY.joints) == 103
    assert len(ANATOMY.dofs) - len(ANATOMY.driven) == 169
    assert len(ANATOMY.driven) == 6
    assert len(ANATOMY.joints[0].dofs) == 6
    spine = sum(groups[each] for each in ("lumbar spine", "thoracic spine", "neck"))
    assert (spine, groups["head"], groups["ribs"], groups["chest"]) == (72, 4, 24, 1)
    hands = sum(len(joint.dofs) for joint in ANATOMY.joints if joint.group.endswith("hand") and "hand" not in joint.id)
    arms = groups["shoulder"] + groups["arm"] + groups["hand"] - hands
    assert (arms, hands, groups["leg"] + groups["foot"]) == (26, 22, 14)


# Of Rajagopal2016's patellofemoral joint: the knee's flexion, and where the kneecap then is before and above the middle
# of the knee [m], and how far it has turned, all less those of a straight knee.
KNEECAP = ((30.0, 0.0371 - 0.0524, -0.0322 + 0.0108, 14.6), (90.0, -0.0088 - 0.0524, -0.0349 + 0.0108, 72.47))


@pytest.mark.parametrize(("flexion", "forward", "up", "turn"), KNEECAP)
def test_the_kneecap_glides_around_the_femur_as_its_knee_bends(
    flexion: float, forward: float, up: float, turn: float
) -> None:
    tracks = tuple((f"tibia_{side}.flexion", flexion * DEGREE) for side in ("left", "right"))
    actor = Actor(id="a", name="A", figure=ANATOMY, layers=(Layer(id="pose", values=tracks),))
    q = Evaluator().coordinates(Document(actors=(actor,)), "a", [0.0])[0]
    for side in ("left", "right"):
        found = [q[ANATOMY.coordinate_index[f"patella_{side}.{name}"]] for name in ("forward", "up", "turn")]
        assert found == pytest.approx([forward, up, turn * DEGREE], abs=1e-6)


def test_each_side_is_the_mirror_image_of_the_other() -> None:
    for joint in ANATOMY.joints:
        if joint.side != "left":
            continue
        other = ANATOMY.joint(joint.mirror or "")
        image = mirrored_joint(joint)
        assert (image.offset, image.rest, image.body) == (other.offset, other.rest, other.body)
        assert [(a.axis, a.lower, a.upper) for a in image.dofs] == [(b.axis, b.lower, b.upper) for b in other.dofs]
        for one, two in zip(joint.dofs, other.dofs, strict=True):
            assert [(by.at, by.values) for by in one.driven] == [(by.at, by.values) for by in two.driven]
        assert [shape.digest for shape in meshes(image)] == [shape.digest for shape in meshes(other)]


def meshes(joint: Joint) -> list[TriangleMesh]:
    return [shape for shape in joint.shapes if isinstance(shape, TriangleMesh)]


@pytest.mark.parametrize("bone", ["skull", "jaw", "sternum", "sacrum", "lumbar3", "thoracic6", "cervical1"])
def test_a_bone_of_the_middle_is_its_own_mirror_image(bone: str) -> None:
    points = meshes(ANATOMY.joint(bone))[0].positions.array.astype(float)
    assert cKDTree(points).query(points * (-1.0, 1.0, 1.0))[0].max() < 3e-3
    assert abs(points[:, 0].min() + points[:, 0].max()) < 2e-4
    body = ANATOMY.joint(bone).body
    assert body is not None
    assert abs(body.centre[0]) < 5e-4


SEGMENTS = {
    "upper arm": ("humerus",),
    "forearm": ("ulna", "radius"),
    "hand": ("hand", "thumb", "thumb_tip", *(f + t for f in ("index", "middle", "ring", "little") for t in ("",
        "_tip"))),
    "thigh": ("femur",),
    "shank": ("tibia", "fibula", "patella"),
    "foot": ("talus", "calcaneus", "midfoot", "toes"),
}  # fmt: skip


def test_its_bones_weigh_what_de_levas_segments_weigh() -> None:
    shares = MASS_SHARES["male"]
    whole = sum(share * (2 if name in SEGMENTS else 1) for name, share in shares.items())
    assert total_mass(ANATOMY) == pytest.approx(MASS, rel=1e-4)
    for name, bones in SEGMENTS.items():
        found = sum(weight(f"{bone}_left") for bone in bones)
        assert found == pytest.approx(MASS * shares[name] / whole, rel=2e-4)
    limbs = 2.0 * sum(shares[name] for name in SEGMENTS)
    trunk = sum(weight(joint.id) for joint in ANATOMY.joints) - MASS * limbs / whole
    assert trunk == pytest.approx(MASS * (shares["head"] + trunk_share(shares)) / whole, rel=1e-4)


def trunk_share(shares: object) -> float:
    assert isinstance(shares, dict)
    return float(sum(shares[f"{name} trunk"] for name in ("upper", "middle", "lower")))


def weight(id: str) -> float:
    body = ANATOMY.joint(id).body
    assert body is not None
    return body.mass


def gathered(ids: list[str]) -> tuple[float, Array, Array]:
    """Mass, centre and inertia about it of some bones at rest, in the world's axes."""
    at, total, first, second = worlds(), 0.0, np.zeros(3), np.zeros((3, 3))
    for id in ids:
        body = ANATOMY.joint(id).body
        assert body is not None
        xx, yy, zz, xy, xz, yz = body.inertia
        turn, centre = at[id][:, :3], place(at, id, *body.centre)
        own = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
        total, first = total + body.mass, first + body.mass * centre
        second += own + body.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    middle = first / total
    return total, middle, second - total * (middle @ middle * np.eye(3) - np.outer(middle, middle))


@pytest.mark.parametrize("segment", ["upper arm", "forearm", "thigh", "shank"])
def test_limbs_have_de_levas_centre_and_radii_of_gyration(segment: str) -> None:
    starts = {"upper arm": "humerus", "forearm": "ulna", "thigh": "femur", "shank": "tibia"}
    ends = {"upper arm": "ulna", "forearm": "hand", "thigh": "tibia", "shank": "talus"}
    at, limb = worlds(radius_left__pronation=-80.0), LIMBS["male"][segment]
    start, end = (place(at, f"{each[segment]}_left", 0.0, 0.0, 0.0) for each in (starts, ends))
    length = float(np.linalg.norm(end - start))
    mass, centre, inertia = gathered([f"{bone}_left" for bone in SEGMENTS[segment]])
    tolerance = {"forearm": 0.03, "shank": 0.03}.get(segment, 1e-3)
    assert (centre - start) @ (end - start) / length**2 == pytest.approx(limb.centre, abs=tolerance)
    radii = np.sqrt(np.sort(np.linalg.eigvalsh(inertia)) / mass) / length
    assert radii[1:] == pytest.approx(sorted((limb.transverse, limb.sagittal)), rel=0.06)


def test_the_whole_body_weighs_and_resists_turning_as_de_levas_segments_together_do() -> None:
    # Segments of de Leva's table put between our joints: centres along them, radii of gyration of their lengths.
    at = worlds()
    _, middle, inertia = gathered([joint.id for joint in ANATOMY.joints])
    top, hips = 1.668, 0.8575
    assert 0.54 < middle[1] / top < 0.58
    assert abs(middle[0]) < 1e-6
    rows = [
        ("head", 0.0694, place(at, "skull", 0.0, 0.143, 0.0), place(at, "cervical7", 0.0, 0.0, 0.0), 0.5002, (0.303,
            0.315, 0.261)),
        ("trunk", 0.4346, place(at, "cervical7", 0.0, 0.0, 0.0), np.array((0.0, hips, 0.0)), 0.5138, (0.328, 0.306,
            0.169)),
    ]  # fmt: skip
    for side in ("left", "right"):
        for name, first, last in (
            ("upper arm", "humerus", "ulna"),
            ("forearm", "ulna", "hand"),
            ("thigh", "femur", "tibia"),
            ("shank", "tibia", "talus"),
        ):
            limb = LIMBS["male"][name]
            rows.append((name, MASS_SHARES["male"][name], place(at, f"{first}_{side}", 0, 0, 0), place(at,
                f"{last}_{side}", 0, 0, 0),
                         limb.centre, (limb.sagittal, limb.transverse, limb.long)))  # fmt: skip
        rows.append(
            (
                "hand",
                0.0061,
                place(at, f"hand_{side}", 0, 0, 0),
                place(at, f"middle_tip_{side}", 0.007, -0.044, 0.004),
                0.3624,
                (0.288, 0.235, 0.184),
            )
        )
        rows.append(("foot", 0.0137, place(at, f"calcaneus_{side}", 0, 0, 0), place(at, f"toes_{side}", -0.012, 0,
            0.077), 0.4415, (0.257, 0.245, 0.124)))  # fmt: skip
    total = sum(row[1] for row in rows)
    whole, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for _, share, start, end, along, (sagittal, transverse, long) in rows:
        each, way = MASS * share / total, end - start
        length = float(np.linalg.norm(way))
        axis, centre = way / length, start + along * way
        across = 0.5 * (sagittal**2 + transverse**2)
        own = each * length**2 * (across * (np.eye(3) - np.outer(axis, axis)) + long**2 * np.outer(axis, axis))
        whole, first = whole + each, first + each * centre
        second += own + each * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    centre = first / whole
    second -= whole * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    assert middle[1] == pytest.approx(centre[1], abs=0.015)
    assert np.diag(inertia)[[0, 2]] == pytest.approx(np.diag(second)[[0, 2]], rel=0.06)
    assert inertia[1, 1] == pytest.approx(second[1, 1], rel=0.20)


# A positive number, and which way a point of the left or the middle goes then.
SENSES = [
    ("lumbar3__flexion", "skull", (0, 0, 0), 2, 1),
    ("thoracic6__side_bend", "skull", (0, 0, 0), 0, 1),
    ("cervical1__rotation", "skull", (0, 0, 0.08), 0, 1),
    ("jaw__opening", "jaw", (0, -0.08, 0.06), 1, -1),
    ("sternum__raising", "sternum", (0, -0.05, 0.13), 1, 1),
    ("rib2_left__raising", "rib2_left", (0.023, -0.058, 0.080), 1, 1),
    ("rib8_left__raising", "rib8_left", (0.087, -0.096, 0.153), 1, 1),
    ("clavicle_left__elevation", "scapula_left", (0, 0, 0), 1, 1),
    ("clavicle_left__protraction", "scapula_left", (0, 0, 0), 2, 1),
    ("scapula_left__upward_rotation", "scapula_left", (-0.077, -0.125, -0.107), 0, 1),
    ("humerus_left__flexion", "ulna_left", (0, 0, 0), 2, 1),
    ("humerus_left__abduction", "ulna_left", (0, 0, 0), 0, 1),
    ("ulna_left__flexion", "hand_left", (0, 0, 0), 2, 1),
    ("radius_left__pronation", "thumb_left", (0, 0, 0), 0, -1),
    ("hand_left__flexion", "middle_left", (0, 0, 0), 0, -1),
    ("index_left__flexion", "index_tip_left", (0, 0, 0), 0, -1),
    ("little_tip_left__flexion", "little_tip_left", (0, -0.03, 0), 0, -1),
    ("thumb_left__abduction", "thumb_tip_left", (0, 0, 0), 0, -1),
    ("hand_left__deviation", "middle_left", (0, 0, 0), 2, 1),
    ("femur_left__flexion", "tibia_left", (0, 0, 0), 2, 1),
    ("femur_left__abduction", "tibia_left", (0, 0, 0), 0, 1),
    ("tibia_left__flexion", "talus_left", (0, 0, 0), 2, -1),
    ("talus_left__dorsiflexion", "toes_left", (0, 0, 0), 1, 1),
    ("calcaneus_left__inversion", "calcaneus_left", (-0.02, 0.02, 0.02), 1, 1),
    ("toes_left__flexion", "toes_left", (0, 0, 0.05), 1, -1),
]  # fmt: skip


@pytest.mark.parametrize(("hinge", "bone", "point", "axis", "sign"), SENSES, ids=[each[0] for each in SENSES])
def test_a_positive_number_is_the_movement_that_its_name_says(
    hinge: str, bone: str, point: tuple[float, float, float], axis: int, sign: int
) -> None:
    assert place(worlds(**{hinge: 3.0}), bone, *point)[axis] * sign > place(worlds(), bone, *point)[axis] * sign + 1e-4
    other = hinge.replace("_left", "_right")
    if other != hinge:
        mirrored = (-point[0], *point[1:])
        moved = place(worlds(**{other: 3.0}), bone.replace("_left", "_right"), *mirrored) * (-1.0, 1.0, 1.0)
        assert moved == pytest.approx(place(worlds(**{hinge: 3.0}), bone, *point), abs=1e-9)


def test_palms_forward_the_frames_of_arm_and_hand_are_those_of_the_shared_model() -> None:
    at = worlds(radius_left__pronation=-80.0, humerus_left__abduction=-8.0)
    for bone in ("humerus_left", "ulna_left", "radius_left", "hand_left"):
        assert at[bone][:, :3] == pytest.approx(np.eye(3), abs=1e-8)
    # Rajagopal2016 has its left shoulder at (0.1700, 0.5316, -0.0412) from the middle of the hips.
    shoulder = place(at, "humerus_left", 0.0, 0.0, 0.0) - (0.0, 0.8575, 0.0)
    assert shoulder == pytest.approx((0.1700, 0.5316, -0.0412), abs=5e-4)
    hip = place(at, "hip_bone_left", *from_opensim("hip_bone", (-0.056276, -0.07849, 0.07726)))
    assert hip == pytest.approx(place(at, "femur_left", 0.0, 0.0, 0.0), abs=1e-5)


def test_every_landmark_lies_on_its_bone() -> None:
    found = landmarks()
    assert len(found) > 150
    for name, (bone, point) in found.items():
        joint = ANATOMY.joint(bone if bone in ANATOMY.joint_index else f"{bone}_left")
        points = np.concatenate([mesh.positions.array for mesh in meshes(joint)])
        assert np.linalg.norm(points - np.array(point), axis=1).min() < 0.010, name


# Extents of surfaces of opensim-models [mm]: side to side, height, front to back. Those of vertebrae and ribs are parts
# of one file each, which stand in it from the head down.
EXTENTS = {
    "skull": ("hat_skull", (139.5, 161.5, 169.0)),
    "jaw": ("hat_jaw", (106.9, 86.0, 74.9)),
    "sacrum": ("sacrum", (94.4, 122.3, 106.2)),
    "hip_bone": ("r_pelvis", (133.3, 214.7, 142.8)),
    "clavicle": ("ground_r_clavicle", (124.1, 39.7, 50.3)),
    "scapula": ("ground_r_scapula", (115.8, 140.6, 121.5)),
    "humerus": ("humerus_rv", (57.0, 317.9, 43.1)),
    "ulna": ("ulna_rv", (45.1, 258.6, 33.2)),
    "radius": ("radius_rv", (46.3, 240.8, 29.5)),
    "index": ("arm_r_2proxph", (19.8, 41.1, 10.7)),
    "middle": ("arm_r_3proxph", (16.0, 42.7, 9.9)),
    "ring": ("arm_r_4proxph", (12.0, 37.9, 11.8)),
    "little": ("arm_r_5proxph", (11.1, 34.4, 14.4)),
    "thumb": ("arm_r_1mc", (30.7, 36.3, 29.2)),
    "femur": ("r_femur", (105.3, 452.0, 77.0)),
    "tibia": ("r_tibia", (68.9, 376.0, 57.5)),
    "fibula": ("fibula", (28.9, 375.2, 29.3)),
    "patella": ("r_patella", (51.4, 52.9, 26.1)),
    "talus": ("r_talus", (41.6, 30.1, 46.1)),
    "toes": ("r_bofoot", (91.8, 18.2, 112.9)),
}
VERTEBRAE = {
    "cervical7": (63, 34, 60), "thoracic1": (79, 37, 57), "thoracic2": (61, 35, 58), "thoracic3": (65, 37, 62),
    "thoracic4": (64, 40, 65), "thoracic5": (64, 39, 64), "thoracic6": (64, 40, 66), "thoracic7": (64, 42, 64),
    "thoracic8": (66, 40, 59), "thoracic9": (56, 39, 61), "thoracic10": (46, 53, 59), "thoracic11": (46, 54, 61),
    "thoracic12": (46, 56, 60), "lumbar1": (62, 52, 61), "lumbar2": (62, 54, 59), "lumbar3": (64, 47, 65),
    "lumbar4": (64, 40, 67), "lumbar5": (64, 39, 65),
}  # fmt: skip
RIBS = ((48, 55, 75), (77, 73, 98), (96, 79, 130), (107, 82, 149), (112, 80, 157), (118, 91, 167), (119, 107, 176),
    (116, 109, 179),
        (119, 117, 170), (109, 114, 159), (98, 85, 80), (55, 48, 19))  # fmt: skip


def extent(bone: str) -> Array:
    points = meshes(ANATOMY.joint(bone if bone in ANATOMY.joint_index else f"{bone}_left"))[0].positions.array
    return np.asarray(1000.0 * np.ptp(points, axis=0))


def test_bones_are_as_large_as_shared_surfaces_within_a_tenth() -> None:
    wanted = {bone: size for bone, (_, size) in EXTENTS.items()} | VERTEBRAE
    wanted |= {f"rib{number}": size for number, size in enumerate(RIBS, 1)}
    off = {bone: (extent(bone) / size).round(3).tolist() for bone, size in wanted.items()}
    assert {bone: each for bone, each in off.items() if max(abs(1.0 - share) for share in each) > 0.10} == {}


def test_the_stated_extents_are_those_of_the_shared_surfaces() -> None:
    folder = shared("bones", "opensim_vtp")
    for name, size in EXTENTS.values():
        assert vtk_extent(folder / f"{name}.vtp") == pytest.approx(np.array(size), abs=0.06), name


def vtk_extent(path: Path) -> Array:
    text = ElementTree.parse(path).getroot().findtext(".//Points/DataArray") or ""
    points = np.array(text.split(), dtype=float).reshape(-1, 3)
    return np.asarray(1000.0 * np.ptp(points, axis=0)[::-1])


def test_the_motion_of_the_human_finds_a_vertebra_for_every_bend() -> None:
    human = load_figure("human")
    there, back = guess_map(human, ANATOMY), guess_map(ANATOMY, human)
    shares = {each.joint: (each.lower, each.upper, each.share) for each in there.between}
    assert len(shares) == 25
    assert shares["skull"][1:] == ("head", 1.0)
    assert shares["thoracic1"][1] == "upper_spine"
    assert {b: a for a, b in there.pairs}["calcaneus_left"] == "ankle_left"
    assert {each.joint for each in back.between} == {"lower_spine", "middle_spine", "upper_spine", "neck", "head"}
    assert set(there.unmatched) >= {"jaw", "rib1_left", "thumb_left"}


def test_the_example_stands_with_both_heels_where_they_stand_at_rest() -> None:
    document, at = example("skeleton").build(), worlds()
    found = Evaluator().joint_transforms(document, "skeleton")
    for bone in ("calcaneus_left", "calcaneus_right"):
        assert found[ANATOMY.joint_index[bone]][:, 3] == pytest.approx(at[bone][:, 3], abs=1e-6)
    assert found[ANATOMY.joint_index["hand_right"]][1, 3] > found[ANATOMY.joint_index["humerus_right"]][1, 3] + 0.1


def test_a_motion_of_the_human_goes_to_the_skeleton_and_back() -> None:
    human, second = load_figure("human"), 705_600_000
    layers = load_motion("wave").layers
    there = Retargeting(human, layers, ANATOMY, rate=(10, 1), start=0, end=second)
    back = Retargeting(ANATOMY, (there.layer(id="back"),), human, rate=(10, 1), start=0, end=second)
    trunk = [name for name in human.coordinates if name.split(".")[0].endswith(("spine", "neck", "head"))]
    columns = [human.coordinate_index[name] for name in trunk]
    moving = compile_motion(human, layers).at(frame_ticks((10, 1), 0, second))[:, 0]
    assert np.abs(moving[:, columns]).max() > 2.0 * DEGREE
    assert np.abs(back.values[:, columns] - moving[:, columns]).max() < 1.0 * DEGREE
    assert there.slip()[0] < 1e-3


def test_a_drag_of_a_hand_brings_it_there_within_all_limits() -> None:
    document = Document(actors=(Actor(id="me", name="Me", figure=ANATOMY, layers=(Layer(id="pose"),)),))
    goal = PositionGoal(spot=Spot(actor="me", joint="hand_left", point=(0.0, -0.06, 0.0)), target=(0.35, 1.1, 0.35))
    request = PullHandle(drag="1", actor="me", goals=(goal,), method=Method())
    *_, answer = Reach(Evaluator()).answer(document, 0, request, skins=False)
    assert answer is not None
    after = answer.snapshot.document
    found = Evaluator().joint_transforms(after, "me")[ANATOMY.joint_index["hand_left"]]
    assert found[:, :3] @ (0.0, -0.06, 0.0) + found[:, 3] == pytest.approx((0.35, 1.1, 0.35), abs=2e-3)
    for name, value in after.actors[0].layers[0].values:
        dof = ANATOMY.coordinate_dof[name]
        assert dof.lower is not None
        assert dof.upper is not None
        assert dof.lower - 1e-9 <= value <= dof.upper + 1e-9


def test_a_drag_of_a_kneecap_bends_its_knee_and_takes_it_along() -> None:
    """The foot is held: the knee goes forward and down. Free coordinates alone are set."""
    document = Document(actors=(Actor(id="me", name="Me", figure=ANATOMY, layers=(Layer(id="pose"),)),))
    joint = ANATOMY.joint_index["patella_left"]
    start = Evaluator().joint_transforms(document, "me")[joint][:, 3]
    x, y, z = (start + np.array([0.01, -0.04, 0.14])).tolist()
    goal = PositionGoal(spot=Spot(actor="me", joint="patella_left"), target=(x, y, z))
    foot = Spot(actor="me", joint="calcaneus_left")
    request = PullHandle(drag="1", actor="me", goals=(goal,), held=(foot,), method=Method())
    *_, answer = Reach(Evaluator()).answer(document, 0, request, skins=False)
    assert answer is not None
    after = answer.snapshot.document
    assert Evaluator().joint_transforms(after, "me")[joint][:, 3] == pytest.approx((x, y, z), abs=5e-3)
    moved = {name for name, _ in after.actors[0].layers[0].values}
    assert "tibia_left.flexion" in moved
    assert moved.isdisjoint(dof.id for dof in ANATOMY.driven)
    q = Evaluator().coordinates(after, "me", [0.0])[0]
    assert q[ANATOMY.coordinate_index["patella_left.turn"]] > 5.0 * DEGREE
