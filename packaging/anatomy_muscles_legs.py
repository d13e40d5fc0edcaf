"""Muscles of legs and feet: 96 and 12.

39 of each leg, and 19 cylinders that they go round, are those of the model Rajagopal2016 (opensim-models, MIT), in
its axes (x forward, y up, z to the right), millimetres, rounded to 0.1; lengths of fibres and tendons, too: paths and
bones are as long here as there. Forces are 35/60 of the table's, below the knee half: with its own, knee and ankle
would be half as strong again, or more, as what people push with (estimated). `anatomy_reach.py` has fibres and tendons
longer where joints stretch them too far. The four heads run along the back of the kneecap, which is thicker than the
model's, where they do not run through it: their arms about the knee are 3 to 9 mm smaller than there up to 60 degrees
and 1 to 8 mm larger from 90 on. `knee_back` and `knee_front` lie on our condyles, the latter before the kneecap alone,
whose points never come into it; the upper part of the largest gluteus goes round the cylinder of the middle one. Points
that would lie more than 3 mm in our bones are on their surfaces. Four muscles are those of gait2392 (opensim-models, CC
BY 3.0; their points on the pelvis are moved to our hip and 0.93 times as far to the side). The others are authored from
landmarks, and their areas are estimated.
"""

from __future__ import annotations

import math

from anatomy_limbs import MIDFOOT
from anatomy_lines import Line, Region, Spot, Wrap, from_table, mark, place

LEGS, FEET = "Legs", "Feet"
THIGH, SHANK = 35.0 / 60.0, 0.5  # of the table's forces: of muscles that end above the ankle, and below it
# Force [N], fibres, tendon [mm], pennation [degrees] | points | wraps, with the first and last point between.
RAJAGOPAL = """
adductor_brevis | 626 103.1 35.5 6.6 | hip_bone -19.1 -94 15.4; femur -2 -118 24.9 | adductor_brevis_shaft
adductor_longus | 917 108.2 131.8 7.9 | hip_bone -7.6 -88.9 18.9; femur 11.3 -239.4 15.8 | adductor_longus_shaft
adductor_magnus_distal | 597 177.2 87.4 11.2 | hip_bone -74 -127.7 39.8;
    femur 11.2 -262.5 19.3 | adductor_magnus_distal_shaft
adductor_magnus_ischial | 597 156.2 216.3 9.6 | hip_bone -89.6 -129.8 41.7;
    femur 4.8 -388 -32.7 | adductor_magnus_condyle
adductor_magnus_middle | 597 137.7 46.6 11.9 | hip_bone -52.7 -120.8 28.5;
    femur 2.4 -162.4 29.2 | adductor_magnus_middle_shaft
adductor_magnus_proximal | 597 105.6 40.3 17.8 | hip_bone -31 -107.6 13.7;
    femur -15.3 -78.9 32 | adductor_magnus_proximal_shaft
biceps_femoris_long | 1313 97.6 325.2 10.1 | hip_bone -104 -119.1 58.6; tibia -33.7 -35 25.3;
    tibia -28.7 -45.5 30.3 |
biceps_femoris_short | 557 110.3 105.8 15.1 | femur 5 -211.1 23.4; tibia -30.1 -41.9 31.8 | biceps_calf
extensor_digitorum_longus | 603 69.3 368.9 12.5 | tibia -16 -115.7 20.5; tibia 16.4 -376 11.2;
    calcaneus 91.9 36 0.8; calcaneus 161.6 5.5 13; toes 0.3 4.7 15.3; toes 44.3 -0.4 25 |
extensor_hallucis_longus | 286 74.8 326.8 11.3 | tibia -14 -155 18.9; tibia 7.1 -290.9 16.4;
    tibia 20 -369.3 -2.8; calcaneus 97 38.9 -21.1; calcaneus 129.3 30.9 -25.7; calcaneus 173.4 13.9 -28;
    toes 29.8 4.1 -24.5; toes 56.3 3.4 -18.6 |
flexor_digitorum_longus | 423 44.6 378.8 12.9 | tibia -2.3 -183.2 -1.8; tibia -17.6 -364.5 -12.4;
    calcaneus 43.6 31.5 -28; calcaneus 70.8 17.6 -26.3; calcaneus 165.8 -8.1 11.6; toes -1.9 -7.8 14.7;
    toes 28.5 -7.1 21.5; toes 44.1 -6 24.2 |
flexor_hallucis_longus | 908 52.7 354.3 14.8 | tibia -31 -216.3 20; tibia -24.2 -367.1 -7.6;
    calcaneus 37.4 27.6 -24.1; calcaneus 103.8 6.8 -25.6; calcaneus 172.6 -5.3 -26.9; toes 15.5 -6.4 -26.5;
    toes 56.2 -10.2 -18.1 |
gastrocnemius_lateral | 1575 58.8 376.1 12 | femur -3 -381.4 27.7;
    calcaneus 4.4 31 -5.3 | knee_back gastrocnemius_lateral_shank
gastrocnemius_medial | 3116 51 398.7 9.5 | femur 8 -378.8 -20.8;
    calcaneus 4.4 31 -5.3 | knee_back gastrocnemius_medial_shank
gluteus_maximus_upper | 984 147 48.8 20.3 | hip_bone -123.1 34.5 56.3; hip_bone -125.7 -24.2 77.9;
    femur -44.4 -32.6 30.2; femur -27.7 -56.6 47 | gluteus_middle_ischium
gluteus_maximus_middle | 1406 157 67.9 21 | hip_bone -131.7 8.7 46.2; hip_bone -134.4 -60.9 81.3;
    femur -45 -58.4 25.2; femur -15.6 -101.6 41.9 | gluteus_middle_ischium
gluteus_maximus_lower | 948 167 69.7 21.9 | hip_bone -130 -52.5 9; hip_bone -127.3 -126.3 43.5;
    femur -28.1 -112.5 9.4; femur -6 -141.9 41.1 | gluteus_lower_ischium
gluteus_medius_front | 1093 73 55.8 18.1 | hip_bone -44.5 24.5 117.2; femur -21.8 -11.7 55.5 |
gluteus_medius_middle | 765 73 65.2 18.1 | hip_bone -85 31.6 67.5; femur -25.8 -5.8 52.7 |
gluteus_medius_back | 871 73 45.2 18.1 | hip_bone -115.2 -7.3 52.6; femur -30.9 -4.7 51.8 |
gluteus_minimus_front | 374 68 16.1 10 | hip_bone -46.4 -14.9 104.2; femur -7.2 -10.4 56 |
gluteus_minimus_middle | 395 56 26.1 0 | hip_bone -61.6 -14.2 97.1; femur -9.6 -10.4 56 |
gluteus_minimus_back | 447 38 50.9 1 | hip_bone -78.9 -15.5 79.8; femur -13.5 -8.3 55 |
gracilis | 281 227.8 172 9.9 | hip_bone -47.4 -129.3 24.6; tibia -18.4 -47.6 -29.6;
    tibia 1.8 -69.6 -15.7 | gracilis_condyle
iliacus | 1021 106.6 96.1 16 | hip_bone -60.5 30.9 84.3; hip_bone -13.5 -55.7 75.6; femur -2.3 -56.5 13.9;
    femur -12.2 -63.7 19.6 | iliacus_brim:1:2
peroneus_brevis | 521 45.4 147.5 11.8 | tibia -24.3 -253.2 25.1; tibia -33.9 -389.3 24.9;
    tibia -28.5 -400.4 25.5; calcaneus 47.1 27 23.3; calcaneus 67.7 21.9 34.3 |
peroneus_longus | 1115 50.8 332.2 14.2 | tibia -20 -137.3 28.2; tibia -31.7 -390 23.7; tibia -27.2 -401.4 24;
    calcaneus 43.8 23 22.1; calcaneus 68.1 10.6 28.4; calcaneus 85.2 6.9 11.8; calcaneus 120.3 8.5 -18.4 |
piriformis | 1030 26 114.9 10 | hip_bone -101.8 -6.5 13.5; hip_bone -102 -30.7 60.9; femur -14.8 -3.6 43.7 |
rectus_femoris | 2192 75.9 448.5 12.4 | hip_bone -24 -38.8 93.3; patella -4 51 0.7; patella -9 30 0;
    patella -5 2.5 0; tibia 32.6 -63.1 -0.5 | knee_front:0:1
sartorius | 249 403 124 1.5 | hip_bone -19.5 -15.6 105.6; femur -3 -356.8 -42.1; tibia -25.1 -40.1 -36.5;
    tibia -15.9 -59.9 -26.4; tibia 13.6 -81 -2.6 |
semimembranosus | 2201 69 347.6 14.6 | hip_bone -98.7 -114 61.4; tibia -29 -41.7 -19.6 | semimembranosus_condyle
semitendinosus | 591 193 247.2 13.8 | hip_bone -103.8 -125.3 51.5; tibia -31.2 -50.8 -22.9;
    tibia 1.9 -77.3 -11.7 | semitendinosus_condyle
soleus | 6195 44 276.8 21.9 | tibia -7.6 -91.6 9.8; calcaneus 4.4 31 -5.3 |
tensor_fasciae_latae | 411 95 449.5 3 | hip_bone -31.1 21.4 124.1; femur 29.4 -99.5 59.7; femur 10.7 -405 32.4;
    tibia 10.8 -41 34.6 |
tibialis_anterior | 1227 68.3 240.5 11.2 | tibia 15.4 -131.2 16.2; tibia 25.1 -190.6 12.8;
    tibia 23.3 -365.9 -13.2; calcaneus 116.6 17.8 -30.5 |
tibialis_posterior | 1730 37.8 280.8 13 | tibia -4.1 -130.4 10.3; tibia -16.4 -365.5 -17.5;
    calcaneus 41.7 33.4 -28.6; calcaneus 77.2 15.9 -28.1 |
vastus_intermedius | 1697 99.3 202.2 3.6 | femur 29 -192.4 31; femur 33.5 -208.4 28.5; patella -4 49 -0.6;
    patella -9 30 0; patella -5 2.5 -0.4; tibia 32.6 -63.2 0.4 | knee_front:1:2
vastus_lateralis | 5149 99.4 220.6 14.5 | femur 4.8 -185.4 34.9; femur 26.9 -259.1 40.9; patella -4 46 14.1;
    patella -9 30 7; patella -5 2.5 5; tibia 32.5 -63.4 5.1 | knee_front:1:2
vastus_medialis | 2748 96.8 199.9 24.2 | femur 14 -209.9 18.8; femur 35.6 -276.9 0.9; patella -4 46 -17;
    patella -9 30 -8; patella -5 2.5 -5; tibia 31.9 -63.6 -6.8 | knee_front:1:2
"""
# Radius, length | centre | angles about x, y, z of the body [rad] | side.
WRAPS = """
gluteus_middle_ischium | hip_bone 40 100 | -80 -83 68 | -0.75 0.39 0
gluteus_lower_ischium | hip_bone 40 100 | -83 -88 68 | -0.1 0 0
psoas_brim | hip_bone 50 100 | -74 -60 65.6 | -0.25 -0.27 0.1 | -y
iliacus_brim | hip_bone 54.9 100 | -71 -65 75.6 | -0.32 -0.24 0.9 | -y
knee_back | femur 28.5 100 | -2 -411 0 | 0 0 0
knee_front | femur 30.7 100 | 3.59 -402.73 2.09 | -0.06234 0.05076 0
adductor_brevis_shaft | femur 16.5 70 | 14.64 -112.59 23.37 | 1.662 0.1866 0
adductor_longus_shaft | femur 20.1 100 | 30.73 -231.91 15.11 | 1.777 0.1365 0
adductor_magnus_proximal_shaft | femur 21.1 70 | 5.18 -72.89 25.4 | 1.611 0.1866 0
adductor_magnus_middle_shaft | femur 21.4 120 | 23.01 -160.71 20.58 | 1.611 0.1366 0
adductor_magnus_distal_shaft | femur 21.8 200 | 31.61 -260.74 9.36 | 1.712 0.1866 0
adductor_magnus_condyle | femur 40 240 | -22.65 -376.83 -3.15 | 1.711 -0.4634 0
pectineus_shaft | femur 15 50 | 6.09 -84.5 30.44 | 1.813 0.2763 0
gastrocnemius_lateral_shank | tibia 55 100 | -7.4 -74 -3.3 | 2.967 -0.2797 -1.478 | -y
gastrocnemius_medial_shank | tibia 55 100 | -7.4 -74 -3.3 | 2.967 0.02797 -1.478 | -y
gracilis_condyle | tibia 36 100 | -3 -20 0 | 0 -0.4 0
semimembranosus_condyle | tibia 35.2 100 | -1 -20 0 | 0 -0.1 0
semitendinosus_condyle | tibia 42.5 100 | -2 -20.5 0 | 0 -0.2 0
biceps_calf | tibia 30 150 | -58 -60 0 | 0 0 0 | y
"""
GAIT2392 = """
pectineus | 266 100 33 0 | hip_bone -28.7 -89.2 41.7; femur -12.2 -82.2 25.3 | pectineus_shaft
quadratus_femoris | 381 54 24 0 | hip_bone -99.9 -127.5 48; femur -38.1 -35.9 36.6 |
gemellus_superior | 82 24 39 0 | hip_bone -98.9 -86 66; femur -14.2 -3.3 44.3 |
peroneus_tertius | 180 79 100 13 | tibia 1 -280.4 23.1; tibia 22.9 -396 15.9; calcaneus 85.7 22.8 29.9 |
"""


def legs() -> Region:
    """All of the left leg and foot."""
    lines = (*_read(RAJAGOPAL, "Rajagopal2016"), *_read(GAIT2392, "gait2392"), *_landmarked(), *_feet())
    return Region(lines, tuple(map(_wrap, WRAPS.strip().splitlines())))


def _read(table: str, source: str) -> list[Line]:
    found = []
    for row in table.strip().replace(";\n", ";").splitlines():
        id, numbers, points, wraps = (each.strip() for each in row.split("|"))
        force, fibre, tendon, pennation = map(float, numbers.split())
        spots = []
        for point in points.split(";"):
            bone, x, y, z = point.split()
            if id.startswith("peroneus") and bone == "tibia":
                bone = "fibula"
            spots.append(from_table(bone, 1e-3 * float(x), 1e-3 * float(y), 1e-3 * float(z)))
        ends = [each.split(":") for each in wraps.split()]
        if source == "Rajagopal2016":
            force *= SHANK if spots[-1][0] in ("calcaneus", "toes") else THIGH
        found.append(
            Line(
                id,
                LEGS,
                tuple(spots),
                source,
                force=force,
                fibre=1e-3 * fibre,
                tendon=1e-3 * tendon,
                pennation=pennation,
                wraps=tuple(each[0] if len(each) == 1 else (each[0], int(each[1]), int(each[2])) for each in ends),
                eased=False,
            )
        )
    return found


def _wrap(row: str) -> Wrap:
    """A cylinder of a right-sided body in the left bone's frame: seen in a mirror, and x and z change places."""
    id, size, centre, angles, *side = (each.strip() for each in row.split("|"))
    bone, radius, length = size.split()
    x, y, z = (1e-3 * float(each) for each in centre.split())
    axes = _turned(*map(float, angles.split()))
    # Its own z is mirrored, too, so that the axes remain right-handed.
    rows = [[axes[2 - i][j] * (-1.0 if j == 2 else 1.0) for j in range(3)] for i in range(3)]
    sides = {"x": (1.0, 0.0, 0.0), "-x": (-1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "-y": (0.0, -1.0, 0.0)}
    middle = from_table(bone, x, y, z)[1]
    return Wrap(
        id,
        bone,
        "cylinder",
        (1e-3 * float(radius),),
        middle,
        length=1e-3 * float(length),
        side=sides[side[0]] if side else None,
        rotation=_quaternion(rows),
        source="Rajagopal2016",
    )


def _turned(a: float, b: float, c: float) -> list[list[float]]:
    """The axes of a frame that is turned about its own x, then y, then z."""
    (ca, sa), (cb, sb), (cc, sc) = ((math.cos(each), math.sin(each)) for each in (a, b, c))
    return [
        [cb * cc, -cb * sc, sb],
        [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
        [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ]


def _quaternion(m: list[list[float]]) -> tuple[float, ...]:
    trace = m[0][0] + m[1][1] + m[2][2]
    if trace > 0.0:
        w = 0.5 * math.sqrt(1.0 + trace)
        return (w, (m[2][1] - m[1][2]) / (4 * w), (m[0][2] - m[2][0]) / (4 * w), (m[1][0] - m[0][1]) / (4 * w))
    i = max(range(3), key=lambda k: m[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    x = 0.5 * math.sqrt(1.0 + m[i][i] - m[j][j] - m[k][k])
    found = [(m[k][j] - m[j][k]) / (4 * x), 0.0, 0.0, 0.0]
    found[1 + i], found[1 + j], found[1 + k] = x, (m[j][i] + m[i][j]) / (4 * x), (m[k][i] + m[i][k]) / (4 * x)
    return tuple(found)


def _landmarked() -> list[Line]:
    trochanter = ("femur", (0.044, -0.006, -0.012))

    def line(id: str, area: float, share: float, *points: Spot, wraps: tuple[str, ...] = ()) -> Line:
        return Line(id, LEGS, points, "landmarks", area=area, share=share, wraps=wraps)

    return [
        line("gemellus_inferior", 1.4, 0.4, place("hip_bone", 0.060, -0.016, -0.052), trochanter),
        line(
            "obturator_internus",
            6.0,
            0.35,
            place("hip_bone", 0.038, -0.008, 0.010),
            place("hip_bone", 0.059, -0.013, -0.056),
            trochanter,
        ),
        line(
            "obturator_externus",
            4.0,
            0.4,
            place("hip_bone", 0.038, -0.022, 0.020),
            ("femur", (0.010, -0.036, -0.018)),
            ("femur", (0.041, -0.016, -0.024)),
        ),
        line(
            "popliteus",
            3.5,
            0.45,
            ("femur", (0.0375, -0.408, -0.012)),
            ("tibia", (0.022, -0.036, -0.026)),
            ("tibia", (-0.004, -0.092, 0.000)),
        ),
        line(
            "plantaris",
            1.2,
            0.15,
            ("femur", (0.024, -0.374, -0.006)),
            ("calcaneus", (-0.014, 0.028, 0.004)),
            wraps=("knee_back", "gastrocnemius_lateral_shank"),
        ),
    ]


def _foot(x: float, y: float, z: float) -> Spot:
    """A point in the frame of the heel, on the midfoot."""
    return "midfoot", (x - MIDFOOT[0], y - MIDFOOT[1], z - MIDFOOT[2])


def _feet() -> list[Line]:
    def line(id: str, area: float, *points: Spot) -> Line:
        return Line(id, FEET, points, "landmarks", area=area, share=0.45)

    heel = ("calcaneus", (-0.012, -0.006, 0.010))
    return [
        line(
            "extensor_digitorum_brevis",
            2.0,
            ("calcaneus", (0.016, 0.030, 0.052)),
            _foot(0.012, 0.020, 0.150),
            ("toes", (0.020, 0.006, 0.000)),
            ("toes", (0.022, 0.003, 0.024)),
        ),
        line(
            "extensor_hallucis_brevis",
            1.2,
            ("calcaneus", (0.014, 0.031, 0.050)),
            _foot(-0.026, 0.018, 0.176),
            ("toes", (-0.027, 0.012, 0.024)),
            ("toes", (-0.023, 0.009, 0.038)),
        ),
        line(
            "flexor_digitorum_brevis",
            3.5,
            ("calcaneus", (-0.008, -0.008, 0.012)),
            _foot(0.004, -0.007, 0.150),
            ("toes", (0.012, -0.010, 0.010)),
            ("toes", (0.016, -0.008, 0.034)),
        ),
        line(
            "flexor_hallucis_brevis",
            2.6,
            _foot(0.004, 0.012, 0.090),
            _foot(-0.026, -0.007, 0.168),
            ("toes", (-0.030, -0.009, 0.012)),
        ),
        line("abductor_hallucis", 3.9, heel, _foot(-0.038, 0.006, 0.120), ("toes", (-0.038, -0.005, 0.014))),
        line(
            "abductor_digiti_minimi_of_foot",
            2.8,
            mark("sole of the heel"),
            _foot(0.038, 0.004, 0.090),
            ("toes", (0.050, -0.005, -0.026)),
        ),
    ]
