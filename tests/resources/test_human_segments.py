"""Masses of a human's segments by de Leva's tables."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from engine.document import Figure, Joint
from engine.document.values import IDENTITY
from engine.formats.figure_toml import load_figure
from engine.model.inertia import total_mass
from engine.runtime.errors import InvalidArguments
from resources.figures.human_segments import LIMBS, MASS_SHARES, Sex, de_leva, segments_of
from tests.engine.shared_data import shared

PAIRED = ("upper arm", "forearm", "hand", "thigh", "shank", "foot")


def bare_human() -> Figure:
    human = load_figure("human")
    return replace(human, joints=tuple(replace(joint, body=None) for joint in human.joints))


@pytest.mark.parametrize("sex", ["male", "female"])
def test_the_shares_make_a_whole(sex: Sex) -> None:
    total = sum(share * (2.0 if name in PAIRED else 1.0) for name, share in MASS_SHARES[sex].items())
    assert total == pytest.approx(1.0, abs=2e-4)
    assert total_mass(de_leva(bare_human(), 61.5, sex)) == pytest.approx(61.5)


def test_the_mens_table_is_the_published_one() -> None:
    path = shared("reference", "body", "segment_inertia_deleva_male.csv")
    rows = csv.DictReader(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    keys = ("Mass", "CM Long", "Rg Sag", "Rg Trans", "Rg Long")
    assert_published("male", {row["Segment"].lower(): tuple(float(row[key]) for key in keys) for row in rows})


WOMEN = """
Head         0.0668 0.5894 0.330 0.359 0.318
Upper trunk  0.1545 0.2077 0.746 0.502 0.718
Middle trunk 0.1465 0.4512 0.433 0.354 0.415
Lower trunk  0.1247 0.4920 0.433 0.402 0.444
Upper arm    0.0255 0.5754 0.278 0.260 0.148
Forearm      0.0138 0.4559 0.261 0.257 0.094
Hand         0.0056 0.7474 0.531 0.454 0.335
Thigh        0.1478 0.3612 0.369 0.364 0.162
Shank        0.0481 0.4352 0.267 0.263 0.092
Foot         0.0129 0.4014 0.299 0.279 0.139
"""
"""De Leva 1996, table 4, females, between joint centres, by way of BMClab/BMC (CC BY 4.0)."""


def test_the_womens_table_is_the_published_one() -> None:
    rows = (line.rsplit(maxsplit=5) for line in WOMEN.strip().splitlines())
    assert_published("female", {name.strip().lower(): tuple(map(float, numbers)) for name, *numbers in rows})


def assert_published(sex: Sex, published: dict[str, tuple[float, ...]]) -> None:
    assert {name: row[0] for name, row in published.items() if name in MASS_SHARES[sex]} == MASS_SHARES[sex]
    for name, limb in LIMBS[sex].items():
        assert published[name][1:] == (limb.centre, limb.sagittal, limb.transverse, limb.long), name


@pytest.mark.parametrize("sex", ["male", "female"])
def test_radii_of_gyration_are_those_of_some_body(sex: Sex) -> None:
    for name, limb in LIMBS[sex].items():
        moments = sorted((limb.sagittal**2, limb.transverse**2, limb.long**2))
        assert moments[2] < moments[0] + moments[1], name
        # A limb is longer than wide, and a uniform rod would have 1 / sqrt(12) = 0.289.
        assert limb.long < 0.6 * limb.transverse <= 0.6 * limb.sagittal, name
        assert 0.2 < limb.transverse < 0.4, name


def test_each_segment_of_the_human_has_its_share() -> None:
    figure = de_leva(bare_human(), 100.0)
    for (name, side), joints in segments_of(figure).items():
        mass = sum(joint.body.mass for joint in joints if joint.body is not None)
        assert mass == pytest.approx(100.0 * MASS_SHARES["male"][name]), (name, side)


def test_centres_of_limbs_lie_where_the_table_says() -> None:
    figure = de_leva(bare_human(), 70.0)
    thigh, knee = figure.joint("hip_left"), figure.joint("knee_left")
    assert thigh.body is not None
    assert thigh.body.centre == pytest.approx(0.4095 * np.array(knee.offset))
    elbow, forearm, wrist = (figure.joint(id) for id in ("elbow_left", "forearm_left", "wrist_left"))
    assert elbow.body is not None
    assert forearm.body is not None
    assert forearm.rest == IDENTITY
    centres = np.array([elbow.body.centre, np.array(forearm.offset) + forearm.body.centre])
    common = np.average(centres, axis=0, weights=[elbow.body.mass, forearm.body.mass])
    assert common[1] == pytest.approx(0.4574 * (forearm.offset[1] + wrist.offset[1]))


def test_a_limb_of_one_body_has_the_tables_radii_of_gyration() -> None:
    figure = de_leva(bare_human(), 70.0)
    body, length = figure.joint("shoulder_left").body, 0.283
    assert body is not None
    xx, yy, zz = np.sqrt(np.array(body.inertia[:3]) / body.mass) / length
    assert (xx, yy, zz) == pytest.approx((0.269, 0.158, 0.285))


def test_the_file_of_the_human_holds_these_masses() -> None:
    wanted = de_leva(bare_human(), 70.0)
    for joint, other in zip(load_figure("human").joints, wanted.joints, strict=True):
        assert joint.body is not None
        assert other.body is not None
        assert joint.body.mass == pytest.approx(other.body.mass, abs=6e-5), joint.id
        assert joint.body.centre == pytest.approx(other.body.centre, abs=6e-5), joint.id
        assert joint.body.inertia == pytest.approx(other.body.inertia, rel=0.01, abs=0.002 * max(other.body.inertia))


def chain(*names: str) -> tuple[Joint, ...]:
    first = Joint(id=names[0], name=names[0], parent="Hips", offset=(0.0, 0.1, 0.0))
    return (first, *(Joint(id=b, name=b, parent=a, offset=(0.0, -0.3, 0.0)) for a, b in pairwise(names)))


def test_names_of_captures_are_known_and_bodies_without_shapes_get_masses() -> None:
    joints = [Joint(id="Hips", name="Hips")]
    for side in ("Left", "Right"):
        joints += chain(f"{side}UpLeg", f"{side}Leg", f"{side}Foot", f"{side}ToeBase")
        joints += chain(f"{side}Shoulder", f"{side}Arm", f"{side}ForeArm", f"{side}Hand")
    figure = de_leva(Figure(name="Capture", joints=tuple(joints)), 50.0)
    groups = segments_of(figure)
    assert [joint.id for joint in groups["foot", "left"]] == ["LeftFoot", "LeftToeBase"]
    assert [joint.id for joint in groups["upper trunk", ""]] == ["LeftShoulder", "RightShoulder"]
    assert total_mass(figure) == pytest.approx(50.0)


def test_bodies_that_are_given_stay() -> None:
    human = load_figure("human")
    assert de_leva(human, 90.0) == human


def test_what_is_no_human_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="joints named for a human's forearm, shank"):
        de_leva(Figure(name="Arm", joints=(Joint(id="base", name="Base"),)), 70.0)
    with pytest.raises(InvalidArguments, match="kilograms"):
        de_leva(bare_human(), -1.0)
