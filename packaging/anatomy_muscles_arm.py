"""Muscles of elbow, wrist, fingers and thumb, and of the hand itself: 72 and 36, authored from landmarks.

Places are in the frames of the bones, as the arm hangs with its palm forward: x to the outside, y up, z to the palm.
Tendons of the fingers run at the distances from the joints that our bones and a sheath leave; the hand's bones are one,
so that a muscle between two metacarpals moves their fingers alone. Lengths of fibres of biceps, triceps and brachialis
have the shares of fibre and tendon of the shared table `arm26`; areas, and all other shares, are estimated.
"""

from __future__ import annotations

from anatomy_limbs import RAYS
from anatomy_lines import Line, PassedWrap, Region, Spot, Wrap, blade, mark
from anatomy_solids import Point

ELBOW, HAND = "Elbow, wrist and fingers", "Hand"
FINGERS = ("index", "middle", "ring", "little")
INNER: Point = (-0.031, -0.272, 0.006)  # epicondyles
OUTER: Point = (0.023, -0.272, 0.007)
TUNNEL: Point = (0.001, -0.020, 0.0125)  # under the band of the wrist


def arm() -> Region:
    """Forearm and hand of the left."""
    turn = (("y", 90.0),)
    wraps = (
        Wrap("elbow_front", "humerus", "cylinder", (0.0150,), (-0.004, -0.284, 0.0090), turn, 0.08, (-1.0, 0.0, 0.0)),
        Wrap("biceps_front", "humerus", "cylinder", (0.0270,), (-0.004, -0.284, 0.0090), turn, 0.08, (-1.0, 0.0, 0.0)),
        Wrap("elbow_back", "humerus", "cylinder", (0.0150,), (-0.004, -0.284, 0.0060), turn, 0.08, (1.0, 0.0, 0.0)),
    )
    return Region(
        (*_bending(), *_stretching(), *_turning(), *_wrist(), *_fingers(), *_thumb(), *_between_bones(), *_balls()),
        wraps,
    )


def _line(
    id: str,
    area: float,
    *points: Spot,
    share: float = 0.4,
    wraps: tuple[PassedWrap, ...] = (),
    region: str = ELBOW,
    source: str = "landmarks",
    eased: bool = True,
    at: float = 1.0,
    added: bool = True,
) -> Line:
    added = added and eased
    return Line(id, region, points, source, area=area, share=share, wraps=wraps, eased=eased, added=added, at=at)


def _humerus(x: float, y: float, z: float) -> Spot:
    return "humerus", (x, y, z)


def _ulna(x: float, y: float, z: float) -> Spot:
    return "ulna", (x, y, z)


def _radius(x: float, y: float, z: float) -> Spot:
    return "radius", (x, y, z)


def _palm(x: float, y: float, z: float) -> Spot:
    return "hand", (x, y, z)


def _bending() -> list[Line]:
    front = "elbow_front"
    return [
        *_biceps(),
        _line(
            "brachialis_outer",
            6.5,
            _humerus(0.004, -0.150, 0.012),
            mark("coronoid process of the ulna"),
            share=0.62,
            at=1.25,
            wraps=(front,),
            source="arm26",
        ),
        _line(
            "brachialis_inner",
            6.5,
            _humerus(-0.003, -0.180, 0.012),
            mark("coronoid process of the ulna"),
            share=0.62,
            at=1.25,
            wraps=(front,),
            source="arm26",
        ),
        _line(
            "brachioradialis",
            3.2,
            _humerus(0.010, -0.215, 0.010),
            _humerus(0.019, -0.265, 0.022),
            _ulna(0.022, -0.060, 0.012),
            _radius(0.031, -0.226, -0.001),
            share=0.55,
            at=1.2,
        ),
    ]


def _biceps() -> list[Line]:
    biceps = mark("tuberosity of the radius", -0.001, 0.0, 0.002)
    before = "biceps_front"  # over the brachialis
    return [
        _line(
            "biceps_long",
            6.0,
            blade(0.142, 0.010, -0.042),
            _humerus(0.006, 0.016, 0.018),
            _humerus(0.0090, -0.010, 0.0285),
            _humerus(0.004, -0.070, 0.020),
            _humerus(0.000, -0.160, 0.031),
            biceps,
            share=0.30,
            at=1.25,
            wraps=((before, 4, 5),),
            added=False,
            source="arm26",
        ),
        _line(
            "biceps_short",
            5.0,
            mark("coracoid process"),
            _humerus(-0.004, -0.080, 0.020),
            _humerus(0.001, -0.160, 0.031),
            biceps,
            share=0.41,
            at=1.25,
            wraps=("tubercles", (before, 2, 3)),
            added=False,
            source="arm26",
        ),
    ]


def _stretching() -> list[Line]:
    olecranon, low, back = _ulna(-0.002, 0.0125, -0.028), _humerus(0.002, -0.250, -0.0075), "elbow_back"
    return [
        _line(
            "triceps_long",
            9.5,
            mark("below the socket", 0.0, -0.002, 0.0),
            _humerus(-0.002, -0.120, -0.010),
            low,
            olecranon,
            share=0.48,
            at=0.8,
            wraps=(("humeral_head", 0, 1), (back, 2, 3)),
            source="arm26",
        ),
        _line(
            "triceps_outer",
            10.0,
            _humerus(0.006, -0.085, -0.002),
            low,
            olecranon,
            share=0.54,
            at=0.75,
            wraps=((back, 1, 2),),
            source="arm26",
        ),
        _line(
            "triceps_inner",
            8.0,
            _humerus(-0.003, -0.140, -0.006),
            low,
            olecranon,
            share=0.56,
            at=0.75,
            wraps=((back, 1, 2),),
            source="arm26",
        ),
        _line("anconeus", 2.5, _humerus(0.023, -0.274, -0.001), _ulna(0.012, -0.040, -0.030), share=0.7, at=0.8),
    ]


def _turning() -> list[Line]:
    return [
        _line(
            "supinator",
            3.4,
            _ulna(0.009, -0.022, -0.022),
            _radius(0.001, -0.030, -0.009),
            _radius(0.010, -0.040, -0.003),
            _radius(0.011, -0.055, 0.003),
            share=0.7,
        ),
        _line(
            "pronator_teres",
            4.5,
            _humerus(-0.028, -0.266, 0.011),
            _ulna(-0.008, -0.040, 0.002),
            _radius(0.021, -0.100, 0.004),
            _radius(0.028, -0.118, -0.002),
            share=0.45,
        ),
        _line(
            "pronator_quadratus",
            2.5,
            _ulna(0.013, -0.205, -0.020),
            _radius(0.020, -0.205, 0.004),
            _radius(0.030, -0.205, -0.002),
            share=0.6,
        ),
    ]


def _wrist() -> list[Line]:
    return [
        _line(
            "flexor_carpi_radialis",
            2.4,
            _humerus(*INNER),
            _radius(0.018, -0.215, 0.006),
            _palm(0.013, -0.012, 0.014),
            _palm(0.0125, -0.032, 0.008),
            share=0.24,
        ),
        _line(
            "palmaris_longus",
            0.9,
            _humerus(*INNER),
            _radius(0.012, -0.222, 0.008),
            _palm(0.003, -0.008, 0.017),
            _palm(0.002, -0.045, 0.011),
            share=0.24,
        ),
        _line(
            "flexor_carpi_ulnaris",
            3.4,
            _humerus(-0.029, -0.276, 0.002),
            _ulna(0.006, -0.205, -0.012),
            mark("pisiform"),
            share=0.17,
        ),
        _line(
            "extensor_carpi_radialis_longus",
            2.4,
            _humerus(0.017, -0.250, 0.009),
            _radius(0.032, -0.205, -0.012),
            _palm(0.0165, -0.006, -0.010),
            _palm(0.015, -0.030, -0.007),
            share=0.28,
        ),
        _line(
            "extensor_carpi_radialis_brevis",
            3.2,
            _humerus(*OUTER),
            _radius(0.030, -0.208, -0.018),
            _palm(0.009, -0.006, -0.013),
            _palm(0.006, -0.032, -0.009),
            share=0.21,
        ),
        _line(
            "extensor_carpi_ulnaris",
            3.0,
            _humerus(0.022, -0.276, 0.003),
            _ulna(0.021, -0.228, -0.033),
            _palm(-0.016, -0.010, -0.008),
            _palm(-0.018, -0.030, -0.001),
            share=0.22,
        ),
    ]


def _between(a: Point, b: Point, share: float) -> Point:
    x, y, z = (p + share * (q - p) for p, q in zip(a, b, strict=True))
    return x, y, z


def _of(bone: str, at: Point, origin: Point, x: float, z: float) -> Spot:
    """A place of the hand on one of its bones, so far to the outside and to the palm."""
    return bone, (at[0] - origin[0] + x, at[1] - origin[1], at[2] - origin[2] + z)


def _sheath(name: str, deep: bool) -> list[Spot]:
    """Where a flexor's tendon runs along a finger."""
    root, knuckle, middle, third, tip = RAYS[name]
    found = [
        _of("hand", _between(root, knuckle, 0.55), (0.0, 0.0, 0.0), 0.0, 0.0115),
        _of("hand", _between(root, knuckle, 0.93), (0.0, 0.0, 0.0), 0.0, 0.0115),
        _of(name, _between(knuckle, middle, 0.30), knuckle, 0.0, 0.0095),
        _of(name, _between(knuckle, middle, 0.85), knuckle, 0.0, 0.0080),
    ]
    if not deep:
        return [*found, _of(f"{name}_tip", _between(middle, third, 0.35), middle, 0.0, 0.0060)]
    return [
        *found,
        _of(f"{name}_tip", _between(middle, third, 0.35), middle, 0.0, 0.0072),
        _of(f"{name}_tip", _between(third, tip, 0.30), middle, 0.0, 0.0050),
    ]


def _hood(name: str, side: float = 0.0) -> list[Spot]:
    """Where an extensor's tendon runs along a finger."""
    root, knuckle, middle, third, _ = RAYS[name]
    return [
        _of("hand", _between(root, knuckle, 0.60), (0.0, 0.0, 0.0), side, -0.0080),
        _of("hand", _between(root, knuckle, 0.98), (0.0, 0.0, 0.0), side, -0.0095),
        _of(name, _between(knuckle, middle, 0.28), knuckle, side, -0.0075),
        _of(name, _between(knuckle, middle, 0.92), knuckle, side, -0.0075),
        _of(f"{name}_tip", _between(middle, third, 0.35), middle, 0.0, -0.0060),
    ]


def _fingers() -> list[Line]:
    found = []
    shallow, deep, stretch = (1.9, 2.4, 1.7, 0.9), (2.3, 2.6, 2.2, 2.0), (0.8, 1.3, 1.1, 0.6)
    for number, name in enumerate(FINGERS):
        x = 0.006 - 0.004 * number
        start = _humerus(*INNER) if number in (0, 1, 3) else _radius(0.012, -0.075, 0.006)
        found.append(
            _line(
                f"flexor_digitorum_superficialis_{name}",
                shallow[number],
                start,
                _radius(0.012 + 0.5 * x, -0.215, 0.008),
                _palm(TUNNEL[0] + x, TUNNEL[1] + 0.006, TUNNEL[2] + 0.002),
                *_sheath(name, False),
                share=0.20,
                eased=False,
            )
        )
        found.append(
            _line(
                f"flexor_digitorum_profundus_{name}",
                deep[number],
                _ulna(0.006, -0.080 - 0.012 * number, -0.018),
                _radius(0.010 + 0.5 * x, -0.215, 0.004),
                _palm(TUNNEL[0] + x, TUNNEL[1], TUNNEL[2] - 0.002),
                *_sheath(name, True),
                share=0.24,
                eased=False,
            )
        )
        found.append(
            _line(
                f"extensor_digitorum_{name}",
                stretch[number],
                _humerus(*OUTER),
                _radius(0.020 + 0.4 * x, -0.215, -0.021),
                _palm(0.002 + x, -0.006, -0.013),
                *_hood(name),
                share=0.20,
                eased=False,
            )
        )
    return [*found, *_own_extensors()]


def _own_extensors() -> list[Line]:
    found = []
    found.append(
        _line(
            "extensor_indicis",
            0.6,
            _ulna(0.014, -0.165, -0.031),
            _radius(0.018, -0.218, -0.021),
            _palm(0.004, -0.006, -0.013),
            *_hood("index", -0.002),
            share=0.25,
            eased=False,
        )
    )
    found.append(
        _line(
            "extensor_digiti_minimi",
            0.7,
            _humerus(*OUTER),
            _radius(0.012, -0.220, -0.021),
            _palm(-0.010, -0.006, -0.011),
            *_hood("little", -0.002),
            share=0.22,
            eased=False,
        )
    )
    return found


FIRST, SECOND, THIRD, LAST = RAYS["thumb"]
BENDS: Point = (-0.0083, -0.0018, 0.0028)  # across the thumb, to where it bends [m], 9 mm


def _thumb_spot(bone: str, at: Point, share: float, out: float = 0.0) -> Spot:
    """A place beside a bone of the thumb, so much of 9 mm to where it bends; so far to the palm."""
    origin = {"hand": (0.0, 0.0, 0.0), "thumb": FIRST, "thumb_tip": SECOND}[bone]
    x, y, z = (p - o + share * d for p, o, d in zip(at, origin, BENDS, strict=True))
    return bone, (x, y, z + out)


def _thumb() -> list[Line]:
    return [
        _line(
            "flexor_pollicis_longus",
            2.1,
            _radius(0.018, -0.110, 0.005),
            _radius(0.020, -0.215, 0.006),
            _palm(0.012, -0.016, 0.018),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.75), 1.2),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.5), 1.0),
            _thumb_spot("thumb_tip", _between(THIRD, LAST, 0.3), 0.7),
            share=0.26,
            eased=False,
        ),
        _line(
            "extensor_pollicis_longus",
            1.0,
            _ulna(0.014, -0.120, -0.032),
            _radius(0.024, -0.218, -0.021),
            _palm(0.019, -0.012, -0.010),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.85), -1.1),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.5), -0.9),
            _thumb_spot("thumb_tip", _between(THIRD, LAST, 0.3), -0.6),
            share=0.26,
            eased=False,
        ),
        _line(
            "extensor_pollicis_brevis",
            0.5,
            _radius(0.023, -0.150, -0.011),
            _radius(0.034, -0.222, -0.008),
            _palm(0.026, -0.012, 0.000),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.80), -1.1),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.25), -0.9),
            share=0.3,
            eased=False,
        ),
        _line(
            "abductor_pollicis_longus",
            1.9,
            _radius(0.018, -0.120, -0.009),
            _radius(0.036, -0.222, -0.002),
            _palm(0.028, -0.012, 0.010),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.15), -0.5, 0.008),
            share=0.35,
            eased=False,
        ),
    ]


def _beside(name: str, side: float) -> list[Spot]:
    """Where a muscle between metacarpals passes a knuckle to reach the extensor's hood."""
    _, knuckle, middle, third, _ = RAYS[name]
    root = RAYS[name][0]
    return [
        _of("hand", _between(root, knuckle, 0.92), (0.0, 0.0, 0.0), 0.0075 * side, 0.0050),
        _of(name, _between(knuckle, middle, 0.30), knuckle, 0.0060 * side, 0.0020),
        _of(name, _between(knuckle, middle, 0.85), knuckle, 0.0040 * side, -0.0055),
        _of(f"{name}_tip", _between(middle, third, 0.30), middle, 0.0, -0.0060),
    ]


def _between_bones() -> list[Line]:
    def line(id: str, area: float, *points: Spot, share: float = 0.45) -> Line:
        return _line(id, area, *points, share=share, region=HAND, eased=False)

    found = []
    zero: Point = (0.0, 0.0, 0.0)
    for name in FINGERS:
        root, knuckle, *_ = RAYS[name]
        found.append(
            line(
                f"lumbrical_{name}",
                0.25,
                _of("hand", _between(root, knuckle, 0.35), zero, 0.003, 0.0115),
                *_beside(name, 1.0),
                share=0.55,
            )
        )
        # The middle finger has one on each side; those of index and ring lie on the sides away from it.
    for name, side, area in (
        ("index", 1.0, 1.5),
        ("middle", 1.0, 1.0),
        ("middle_inner", -1.0, 1.0),
        ("ring", -1.0, 1.0),
    ):
        finger = name.split("_")[0]
        root, knuckle, *_ = RAYS[finger]
        found.append(
            line(
                f"dorsal_interosseus_{name}",
                area,
                _of("hand", _between(root, knuckle, 0.30), zero, 0.0065 * side, -0.002),
                *_beside(finger, side),
                share=0.35,
            )
        )
    for name, side in (("index", -1.0), ("ring", 1.0), ("little", 1.0)):
        root, knuckle, *_ = RAYS[name]
        found.append(
            line(
                f"palmar_interosseus_{name}",
                0.7,
                _of("hand", _between(root, knuckle, 0.35), zero, 0.0045 * side, 0.0060),
                *_beside(name, side),
                share=0.35,
            )
        )
    return found


def _balls() -> list[Line]:
    """Muscles of the balls of thumb and little finger."""

    def line(id: str, area: float, *points: Spot, share: float = 0.45) -> Line:
        return _line(id, area, *points, share=share, region=HAND, eased=False)

    zero: Point = (0.0, 0.0, 0.0)
    little = RAYS["little"]
    base = _of("little", _between(little[1], little[2], 0.25), little[1], -0.0055, 0.0045)
    return [
        line(
            "abductor_digiti_minimi_of_hand",
            0.9,
            mark("pisiform", 0.0, -0.004, 0.003),
            _of("hand", _between(little[0], little[1], 0.9), zero, -0.0085, 0.0065),
            base,
        ),
        line(
            "flexor_digiti_minimi_of_hand",
            0.5,
            mark("hook of the hamate"),
            _of("hand", _between(little[0], little[1], 0.9), zero, -0.0050, 0.0095),
            base,
        ),
        line(
            "abductor_pollicis_brevis",
            0.7,
            _palm(0.013, -0.014, 0.017),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.85), 0.5, 0.0085),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.2), 0.3, 0.0065),
        ),
        line(
            "flexor_pollicis_brevis",
            0.7,
            _palm(0.009, -0.020, 0.016),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.85), 1.2, 0.004),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.2), 0.95),
        ),
        line(
            "opponens_pollicis",
            1.0,
            _palm(0.012, -0.017, 0.016),
            _thumb_spot("thumb", _between(FIRST, SECOND, 0.65), 0.8, 0.004),
            share=0.6,
        ),
        line(
            "adductor_pollicis_oblique",
            1.5,
            _of("hand", _between(RAYS["middle"][0], RAYS["middle"][1], 0.15), zero, 0.004, 0.0085),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.2), 1.1, -0.003),
            share=0.7,
        ),
        line(
            "adductor_pollicis_transverse",
            1.0,
            _of("hand", _between(RAYS["middle"][0], RAYS["middle"][1], 0.65), zero, 0.004, 0.0075),
            _thumb_spot("thumb_tip", _between(SECOND, THIRD, 0.2), 1.1, -0.004),
            share=0.7,
        ),
    ]
