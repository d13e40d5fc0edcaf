"""Muscles of the shoulder blade, and of upper arm and chest: 62 and 52, authored from landmarks.

Broad muscles have a line for each part that textbooks of anatomy name, or for each rib or vertebra that they come from.
Places are those of our bones, areas and shares of fibres estimated. Deltoid and cuff go round spheres about the head of
the humerus.
"""

from __future__ import annotations

import math

from anatomy_lines import Line, Move, PassedWrap, Region, Spot, Wrap, blade, mark, place, rib, spine, transverse
from anatomy_solids import Point

SHOULDER: Point = (0.009, -0.034, -0.0096)  # the joint, in the frame of the blade
BLADE, ARM = "Shoulder blade", "Upper arm and chest"


def shoulder() -> Region:
    """Shoulder and chest of the left."""
    head = ((-0.0085, -0.0035, 0.0050), (0.003, -0.008, 0.008))
    wraps = (
        Wrap("humeral_head", "humerus", "sphere", (0.0225,), head[0]),
        Wrap("tubercles", "humerus", "sphere", (0.0240,), head[1]),
        Wrap("deltoid_front", "scapula", "sphere", (0.0360,), (-0.004, -0.042, -0.014)),
        Wrap("deltoid_middle", "scapula", "sphere", (0.0380,), (-0.004, -0.042, -0.008)),
    )
    wraps += (Wrap("humeral_shaft", "humerus", "cylinder", (0.0088,), (0.0, -0.062, 0.0075), (("x", 90.0),), 0.16),)
    return Region(
        (*_trapezius(), *_levators(), *_serratus(), *_front(), *_deltoid(), *_chest(), *_back(), *_cuff()), wraps
    )


def _line(
    id: str, region: str, area: float, *points: Spot, share: float = 0.65, wraps: tuple[str, ...] = (), at: float = 1.0
) -> Line:
    return Line(id, region, points, "landmarks", area=area, share=share, wraps=wraps, at=at)


def _trapezius() -> list[Line]:
    outer = ("clavicle", (0.112, 0.027, -0.034))
    rows: tuple[tuple[str, float, Spot, Spot], ...] = (
        ("occiput", 0.8, place("skull", 0.010, 0.714, -0.122), ("clavicle", (0.098, 0.024, -0.036))),
        ("c3", 0.8, spine("C3"), outer),
        ("c6", 1.2, spine("C6"), mark("acromion", -0.004, 0.003, 0.006)),
        ("c7", 2.4, spine("C7"), mark("acromion", -0.006, 0.003, -0.016)),
        ("t1", 2.4, spine("T1"), blade(0.150, 0.034, -0.066)),
        ("t3", 1.8, spine("T3"), blade(0.118, 0.030, -0.086)),
        ("t5", 1.5, spine("T5"), blade(0.096, 0.023, -0.092)),
        ("t8", 1.5, spine("T8"), blade(0.076, 0.012, -0.096)),
        ("t11", 1.5, spine("T11"), blade(0.070, 0.009, -0.097)),
    )
    nape = place("cervical4", 0.026, 0.628, -0.098)
    return [
        _line(f"trapezius_{id}", BLADE, area, start, *((nape,) if id == "occiput" else ()), end, share=0.7)
        for id, area, start, end in rows
    ]


def _levators() -> list[Line]:
    found = [
        _line(
            f"levator_scapulae_c{level}",
            BLADE,
            0.7,
            transverse(f"C{level}", 1.0, 0.004),
            blade(0.076 - 0.001 * level, 0.040 - 0.004 * level, -0.068 - 0.003 * level),
            share=0.75,
        )
        for level in (1, 2, 3, 4)
    ]
    found.append(
        _line(
            "rhomboid_minor",
            BLADE,
            1.5,
            spine("C7"),
            mark("root of the spine of the blade", -0.001, 0.002),
            share=0.95,
            at=0.8,
        )
    )
    for number, level in enumerate(("T2", "T3", "T4", "T5")):
        found.append(
            _line(
                f"rhomboid_major_{level.lower()}",
                BLADE,
                1.3,
                spine(level),
                blade(0.060 + 0.004 * number, -0.012 - 0.022 * number, -0.100 - 0.0035 * number),
                share=0.95,
                at=0.8,
            )
        )
    return found


def _serratus() -> list[Line]:
    """From the front of the blade's inner edge round the chest to the first nine ribs."""
    found = []
    edges = {
        1: (0.076, 0.036, -0.072),
        2: (0.070, 0.020, -0.084),
        3: (0.061, -0.004, -0.095),
        4: (0.060, -0.030, -0.104),
    }
    for number in range(1, 10):
        start = edges.get(number) or (0.072 + 0.003 * (number - 5), -0.078 - 0.0045 * (number - 5), -0.1115)
        points = [blade(start[0] + 0.003, start[1], start[2] + 0.004)]
        end = 0.50 if number == 1 else 0.52 if number == 2 else 0.62
        if number > 1:
            upper = 2 if number == 2 else number - 1
            bone, (x, y, z) = rib(upper, 0.36)
            points.append((bone, (x + 0.006, y - 0.004, z - 0.006)))
        found.append(
            _line(
                f"serratus_anterior_{number}", BLADE, 1.6 if number > 4 else 1.2, *points, rib(number, end), share=0.85
            )
        )
    return found


def _front() -> list[Line]:
    tip = mark("coracoid process")
    found = [_line(f"pectoralis_minor_{number}", BLADE, 1.2, rib(number, 0.90), tip) for number in (3, 4, 5)]
    return [*found, _line("subclavius", BLADE, 0.9, rib(1, 0.96, 0.004), ("clavicle", (0.072, 0.004, -0.024)))]


# Where the front of the deltoid passes before the head, so far from its middle [m]: higher the more the arm is raised
# [degrees of flexion, degrees above level].
PASSING, FAR = ((-60.0, 25.0), (0.0, 40.0), (60.0, 60.0), (120.0, 80.0), (180.0, 97.0)), 0.040


def _deltoid() -> list[Line]:
    """Over spheres about the shoulder's centre that the blade carries, the shorter way: with the side of a sphere that
    turns with the arm they leapt by up to 15 cm. The front passes points before the head."""
    end = ("humerus", (0.0125, -0.118, 0.010))

    def line(id: str, area: float, shift: Point, wrap: PassedWrap, *points: Spot) -> Line:
        a, b, c = shift
        at = (end[0], (end[1][0] + a, end[1][1] + b, end[1][2] + c))
        lines = (*points, at)
        moves = tuple((1, each) for each in _raised()) if len(lines) == 3 else ()
        return Line(
            f"deltoid_{id}", ARM, lines, "landmarks", area=area, share=0.75, wraps=(wrap,), at=1.25, added=False,
            moves=moves,
        )  # fmt: skip

    front, middle = ("deltoid_front", 1, 2), "deltoid_middle"
    inner, outer = ("scapula", (-0.025, -0.008, 0.021)), ("scapula", (-0.010, -0.008, 0.021))
    return [
        line("clavicular_inner", 4.6, (0.0, 0.004, 0.0), front, ("clavicle", (0.096, 0.021, -0.028)), inner),
        line("clavicular_outer", 4.6, (0.0, 0.008, 0.0), front, ("clavicle", (0.120, 0.026, -0.024)), outer),
        line("acromial_front", 7.2, (0.0, -0.004, 0.0), middle, mark("acromion", 0.000, 0.000, 0.012)),
        line("acromial_back", 7.2, (0.0, -0.008, 0.0), middle, mark("acromion", 0.000, 0.000, -0.016)),
        line("spinal_outer", 5.8, (0.002, -0.002, -0.004), middle, blade(0.146, 0.029, -0.066)),
        line("spinal_inner", 5.2, (0.002, 0.004, -0.004), middle, blade(0.112, 0.025, -0.086)),
    ]


def _raised() -> tuple[Move, Move]:
    """How the point before the head goes up and back with the arm's flexion."""
    _, y, z = SHOULDER
    up = tuple((degrees, y + FAR * math.sin(math.radians(angle))) for degrees, angle in PASSING)
    ahead = tuple((degrees, z + FAR * math.cos(math.radians(angle))) for degrees, angle in PASSING)
    return ("y", "humerus.flexion", up), ("z", "humerus.flexion", ahead)


def _chest() -> list[Line]:
    def crest(y: float) -> Spot:
        return "humerus", (0.0080, y, 0.0180)

    rows: tuple[tuple[str, float, Spot, float], ...] = (
        ("clavicular", 4.2, ("clavicle", (0.045, 0.006, 0.002)), -0.078),
        ("manubrium", 3.8, place("sternum", 0.014, 0.512, -0.004), -0.068),
        ("rib3", 3.4, place("sternum", 0.012, 0.462, 0.022), -0.060),
        ("rib4", 3.2, place("sternum", 0.012, 0.428, 0.036), -0.054),
        ("rib5", 3.0, place("sternum", 0.012, 0.396, 0.046), -0.050),
        ("rib6", 2.4, rib(6, 0.98), -0.046),
    )
    return [
        _line(f"pectoralis_major_{id}", ARM, area, start, crest(y), share=0.8, wraps=("tubercles", "humeral_shaft"))
        for id, area, start, y in rows
    ]


def _back() -> list[Line]:
    def groove(y: float) -> Spot:
        return "humerus", (-0.0050, y, 0.0180)

    def behind(number: int, along: float, far: float = 0.010) -> Spot:
        bone, (x, y, z) = rib(number, along)
        return bone, (x + 0.008, y, z - far)

    rows: tuple[tuple[str, float, tuple[Spot, ...], float], ...] = (
        ("t7", 2.0, (spine("T7"), mark("lower angle of the blade", 0.006, -0.006, -0.010)), -0.050),
        ("t10", 2.2, (spine("T10"), behind(7, 0.34)), -0.055),
        ("t12", 2.2, (spine("T12"), behind(8, 0.40)), -0.060),
        ("l3", 2.2, (spine("L3"), behind(9, 0.38), behind(7, 0.46)), -0.064),
        ("crest", 2.0, (place("hip_bone", 0.100, 0.160, -0.052), behind(10, 0.50), behind(7, 0.50, 0.002)), -0.068),
    )
    found = [
        _line(
            f"latissimus_dorsi_{id}", ARM, area, *points, groove(y), share=0.8, wraps=("humeral_head", "humeral_shaft")
        )
        for id, area, points, y in rows
    ]
    return [
        *found,
        _line(
            "teres_major",
            ARM,
            6.0,
            blade(0.096, -0.078, -0.106),
            ("humerus", (-0.0085, -0.060, 0.014)),
            share=0.8,
            wraps=("humeral_head", "humeral_shaft"),
        ),
    ]


def _cuff() -> list[Line]:
    def line(
        id: str, area: float, start: Spot, neck: tuple[float, float, float], end: tuple[float, float, float]
    ) -> Line:
        points = (start, blade(*neck), ("humerus", end))
        return _line(id, ARM, area, *points, share=0.6, wraps=("humeral_head",))

    front, back = (0.127, -0.012, -0.034), (0.131, -0.012, -0.066)
    return [
        line("supraspinatus", 7.0, blade(0.086, 0.024, -0.074), (0.128, 0.024, -0.054), (0.0160, 0.0110, 0.0090)),
        line(
            "infraspinatus_upper", 6.5, blade(0.084, -0.010, -0.098), (0.131, 0.002, -0.066), (0.0215, 0.0060, 0.0060)
        ),
        line("infraspinatus_lower", 6.0, blade(0.080, -0.050, -0.112), back, (0.0225, 0.0010, 0.0020)),
        line("teres_minor", 4.0, blade(0.108, -0.058, -0.090), (0.130, -0.028, -0.064), (0.0190, -0.0140, 0.0010)),
        line(
            "subscapularis_upper", 6.0, blade(0.080, 0.010, -0.080), (0.128, 0.004, -0.034), (0.0030, -0.0040, 0.0295)
        ),
        line("subscapularis_middle", 6.0, blade(0.070, -0.030, -0.098), front, (0.0030, -0.0090, 0.0295)),
        line(
            "subscapularis_lower", 6.0, blade(0.082, -0.066, -0.104), (0.124, -0.028, -0.042), (0.0010, -0.0160, 0.0270)
        ),
        _line(
            "coracobrachialis",
            ARM,
            3.0,
            mark("coracoid process"),
            ("humerus", (-0.0075, -0.130, 0.0120)),
            share=0.6,
            wraps=("tubercles",),
        ),
    ]
