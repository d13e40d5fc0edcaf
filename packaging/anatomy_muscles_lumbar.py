"""Muscles of the lumbar back and the abdomen: 210, the shared table `torso_and_legs` (after Bruno 2015, MIT).

Points are the table's, rounded to millimetres, as (left, up, forward): those of lumbar vertebrae from the joint below
each, all else in the frame of the middle between the hips. There the chest is one body: here each end is on the rib
or the vertebra that it names or lies nearest to, and points between on the thoracic vertebra of their height. What
hangs on its abdomen, a body that half follows the lumbar spine, hangs on the third lumbar vertebra. The strands of
the psoas, which end at the brim of the pelvis there, go on to the femur over the brim as the psoas of Rajagopal2016
does; that one muscle is left out. The rectus ends at the pubic tubercle, since its point lies inside our pelvis.
Forces are 1.5 times the table's: with its own, a back would lift 150 N m (estimated). Its lengths of fibres and
tendons are not: half of the tendons have a length below nothing, and some fibres are longer than any path. Shares of
fibres are estimated. Points on the iliac crest are put on ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from anatomy_lines import Line, Region, Spot, from_table, mark, place, places
from anatomy_trunk import CREST, RIBS, VERTEBRAE

LUMBAR = "Lumbar back and abdomen"
# Force [N] | points [mm]; S: pelvis, T: chest, A: abdomen, B: the brim, P: the pubic tubercle.
TABLE = """
Ps_L1_VB 102.7 | L1 20 23 -10; B
Ps_L1_TP 32.6 | L1 23 15 -23; B
Ps_L1_L2_IVD 59.59 | L1 21 4 -1; B
Ps_L2_TP 110.1 | L2 22 15 -22; B
Ps_L2_L3_IVD 62.4 | L2 21 3 2; B
Ps_L3_TP 51.95 | L3 28 21 -25; B
Ps_L3_L4_IVD 19.67 | L3 21 6 1; B
Ps_L4_TP 89.29 | L4 26 25 -16; B
Ps_L4_L5_IVD 41.98 | L4 21 4 5; B
Ps_L5_TP 94.26 | L5 25 29 -6; B
Ps_L5_VB 101.7 | L5 19 12 10; B
rect_abd 296.8 | P; T 40 386 44
IL_L1 65.73 | S 38 138 -103; L1 29 16 -30
IL_L2 90.22 | S 43 156 -95; L2 29 12 -30
IL_L3 86.47 | S 48 167 -81; L3 31 20 -29
IL_L4 88.34 | S 44 164 -76; L4 31 26 -22
IL_R5 11.09 | S 39 142 -100; L2 42 2 -50; T 43 365 -127; T 43 392 -129; T 44 421 -130; T 45 450 -131;
    T 45 471 -129; T 46 490 -124
IL_R6 14.93 | S 43 158 -89; L2 44 2 -49; T 46 363 -128; T 46 395 -131; T 47 425 -132; T 48 453 -129; T 49 466 -124
IL_R7 18.94 | S 46 166 -78; L2 47 2 -49; T 49 364 -128; T 49 393 -131; T 50 424 -132; T 51 447 -127
IL_R8 16.63 | S 50 170 -81; L2 50 3 -48; T 51 360 -127; T 51 393 -129; T 52 418 -127
IL_R9 24.06 | S 51 172 -77; L2 52 3 -48; T 54 364 -127; T 54 384 -125
IL_R10 47.88 | S 53 175 -74; L2 55 3 -48; T 56 353 -123
IL_R11 58.44 | S 55 177 -71; L2 58 3 -48; T 60 326 -110
IL_R12 69.8 | S 58 180 -69; T 59 296 -86
LTpT_T1 9.482 | L1 3 -11 -46; T 26 589 -100
LTpT_T2 25.5 | L2 4 -14 -45; T 27 570 -104
LTpT_T3 26.24 | L3 4 -3 -46; L1 5 -14 -37; T 26 549 -113
LTpT_T4 10.4 | L4 3 7 -46; L1 6 -14 -37; T 26 527 -121
LTpT_T5 10.11 | L4 0 4 -47; L2 6 4 -44; T 28 504 -124
LTpT_T6 15.29 | L5 0 16 -36; L2 9 4 -44; T 15 376 -123; T 28 479 -131
LTpT_T7 18.34 | S 0 139 -75; L2 11 4 -44; T 20 376 -124; T 26 453 -130
LTpT_T8 29.22 | S 0 129 -87; L4 6 18 -47; L3 8 14 -47; L2 11 3 -45; T 26 426 -128
LTpT_T9 35.78 | S 0 105 -110; L4 7 18 -47; L3 10 14 -46; L2 12 3 -45; T 26 408 -125
LTpT_T10 41.99 | S 11 103 -108; L4 13 18 -47; L3 14 14 -46; L2 15 3 -44; T 18 379 -118
LTpT_T11 40.93 | S 24 109 -101; L4 22 17 -47; L3 21 13 -50; L2 20 3 -46; T 18 351 -109
LTpT_T12 34.08 | S 28 127 -88; L4 25 17 -47; L3 24 14 -49; L2 23 4 -46; T 18 321 -100
LTpT_R4 10.94 | L4 3 7 -46; L2 11 5 -46; T 26 375 -125; T 29 401 -125; T 31 427 -126; T 34 454 -125; T 38 520 -123
LTpT_R5 11.12 | L4 0 4 -47; L2 14 5 -47; T 30 374 -128; T 32 399 -127; T 35 427 -128; T 37 453 -125; T 39 494 -123
LTpT_R6 17.45 | L5 0 16 -36; L3 11 15 -47; L2 14 4 -44; T 31 372 -128; T 35 399 -128; T 37 426 -129;
    T 40 453 -125; T 40 473 -121
LTpT_R7 20.19 | S 0 139 -75; L4 8 19 -47; L3 13 14 -46; L2 17 4 -44; T 35 371 -128; T 40 397 -129; T 42 426 -130;
    T 43 449 -127
LTpT_R8 32.51 | S 0 129 -87; L4 11 18 -47; L3 16 14 -46; L2 21 4 -44; T 41 371 -129; T 44 396 -129; T 46 420 -127
LTpT_R9 36.76 | S 0 105 -110; L4 15 18 -47; L3 20 13 -46; L2 24 4 -44; T 43 369 -129; T 47 390 -128
LTpT_R10 41.16 | S 11 103 -108; L4 19 17 -47; L3 23 13 -46; L2 27 4 -44; T 47 363 -127
LTpT_R11 40.14 | S 24 109 -101; L4 29 18 -46; L3 33 14 -46; L2 36 4 -44; T 46 337 -113
LTpT_R12 35.66 | S 28 127 -88; L4 34 18 -47; L3 36 14 -46; L2 39 4 -44; T 47 311 -93
LTpL_L5 56.86 | S 35 152 -85; L5 22 27 -10
LTpL_L4 51.32 | S 37 145 -94; L4 22 23 -20
LTpL_L3 45.45 | S 40 145 -102; L3 20 20 -29
LTpL_L2 42.47 | S 42 140 -103; L2 20 13 -29
LTpL_L1 36.48 | S 43 138 -106; L1 22 15 -29
QL_post_I.1-L3 18.77 | S 52 174 -65; L3 30 20 -29
QL_post_I.2-L4 24.68 | S 59 184 -55; L4 30 26 -22
QL_post_I.2-L3 9.602 | S 59 184 -55; L3 30 20 -29
QL_post_I.2-L2 17.6 | S 59 184 -55; L2 30 12 -31
QL_post_I.3-L1 13.06 | L1 29 15 -33; S 69 190 -48
QL_post_I.3-L2 13.36 | L2 30 12 -31; S 69 190 -48
QL_post_I.3-L3 23.47 | L3 30 20 -29; S 69 190 -48
QL_mid_L3-12.3 6.132 | T 52 302 -90; L3 30 22 -29
QL_mid_L3-12.2 6.85 | T 43 309 -90; L3 30 22 -29
QL_mid_L3-12.1 11.67 | T 31 318 -89; L3 30 22 -29
QL_mid_L2-12.1 9.829 | T 31 318 -89; L2 26 17 -29
QL_mid_L4-12.3 5.615 | T 52 302 -90; L4 28 31 -21
QL_ant_I.2-T12 7.275 | S 59 184 -55; T 17 320 -62
QL_ant_I.3-T12 13.52 | S 69 190 -48; T 17 320 -62
QL_ant_I.2-12.1 4.791 | S 59 184 -55; T 37 314 -88
QL_ant_I.3-12.1 9.082 | S 69 190 -48; T 37 314 -88
QL_ant_I.3-12.2 6 | S 69 190 -48; T 46 308 -88
QL_ant_I.3-12.3 6.972 | S 69 190 -48; T 55 301 -86
MF_m1s 19.22 | L4 17 32 -31; L1 3 -13 -34
MF_m1t.1 20.58 | L5 18 37 -19; L1 3 -16 -41
MF_m1t.2 17.3 | S 19 162 -65; L1 3 -16 -41
MF_m1t.3 29.2 | S 38 154 -88; L1 3 -16 -41
MF_m2s 18.87 | L5 16 38 -19; L2 4 -12 -36
MF_m2t.1 18.44 | S 20 164 -64; L2 4 -18 -40
MF_m2t.2 48.13 | S 37 149 -91; L2 4 -18 -40
MF_m2t.3 47.99 | S 35 135 -93; L2 2 -19 -39
MF_m3s 26.59 | S 17 162 -65; L3 3 -6 -37
MF_m3t.1 26.11 | S 17 93 -108; L3 2 -10 -43
MF_m3t.2 25.25 | S 22 111 -98; L3 3 -10 -43
MF_m3t.3 25.38 | S 22 111 -98; L3 3 -10 -43
MF_m4s 25.21 | S 16 133 -87; L4 2 -0 -35
MF_m4t.1 23.3 | S 15 120 -96; L4 3 0 -42
MF_m4t.2 23.49 | S 15 99 -106; L4 3 0 -43
MF_m4t.3 24.09 | S 13 86 -115; L4 3 0 -44
MF_m5s 11.18 | S 10 145 -74; L5 4 15 -30
MF_m5t.1 11.53 | S 10 84 -118; L5 3 17 -36
MF_m5t.2 10.93 | S 12 104 -107; L5 3 16 -35
MF_m5t.3 12.58 | S 12 121 -96; L5 2 15 -33
MF_m1.laminar 9.15 | L3 17 25 -39; L1 6 -6 -34
MF_m2.laminar 10.71 | L4 17 34 -31; L2 7 -6 -33
MF_m3.laminar 11.18 | L5 16 37 -19; L3 6 1 -36
MF_m4.laminar 7.95 | S 19 156 -69; L4 7 6 -32
MF_m5.laminar 18 | S 12 139 -78; L5 6 17 -26
EO1 54.7 | A 31 283 63; T 96 368 40
EO2 183.1 | T 105 335 43; A 36 254 64
EO3 123.6 | T 108 303 38; A 42 234 63
EO4 125.4 | T 104 281 27; A 40 215 63
EO5 209.6 | T 118 298 -31; S 114 187 -3
EO6 133.7 | T 105 282 -50; S 104 190 -14
IO1 88.78 | A 45 180 59; S 122 128 31
IO2 111.1 | A 51 209 57; S 127 153 22
IO3 114.4 | A 42 250 60; S 122 174 12
IO4 190.4 | T 114 300 29; S 110 186 -1
IO5 122.4 | T 111 285 -10; S 91 193 -29
IO6 94.46 | T 100 274 -42; S 70 188 -53
"""
NAMES = (
    (r"Ps_L(.)_VB", r"psoas_l\1_body", 0.5),
    (r"Ps_L(.)_TP", r"psoas_l\1_transverse", 0.5),
    (r"Ps_L(.)_L(.)_IVD", r"psoas_l\1_l\2_disc", 0.5),
    (r"rect_abd", r"rectus_abdominis", 0.8),
    (r"IL_L(.)", r"iliocostalis_lumborum_l\1", 0.6),
    (r"IL_R(.+)", r"iliocostalis_lumborum_rib\1", 0.45),
    (r"LTpT_T(.+)", r"longissimus_thoracis_t\1", 0.35),
    (r"LTpT_R(.+)", r"longissimus_thoracis_rib\1", 0.35),
    (r"LTpL_L(.)", r"longissimus_lumborum_l\1", 0.6),
    (r"QL_post_I.(.)-L(.)", r"quadratus_lumborum_back_\1_l\2", 0.7),
    (r"QL_mid_L(.)-12.(.)", r"quadratus_lumborum_middle_l\1_\2", 0.7),
    (r"QL_ant_I.(.)-T12", r"quadratus_lumborum_front_\1_t12", 0.7),
    (r"QL_ant_I.(.)-12.(.)", r"quadratus_lumborum_front_\1_rib12_\2", 0.7),
    (r"MF_m(.)s", r"multifidus_l\1_spine", 0.65),
    (r"MF_m(.)t.(.)", r"multifidus_l\1_\2", 0.65),
    (r"MF_m(.).laminar", r"multifidus_l\1_laminar", 0.65),
    (r"EO(.)", r"external_oblique_\1", 0.6),
    (r"IO(.)", r"internal_oblique_\1", 0.6),
)
TALL = {"1": 0.0288, "2": 0.0288, "3": 0.0351, "4": 0.0332, "5": 0.0321}  # [m] from joint to joint in the table


def lumbar() -> Region:
    """Lumbar back and abdomen of the left."""
    return Region(tuple(map(_line, TABLE.strip().replace(";\n", ";").splitlines())))


def _line(row: str) -> Line:
    head, points = row.split("|")
    name, force = head.split()
    pattern, id, share = next(each for each in NAMES if re.fullmatch(each[0], name))
    spots: list[Spot] = []
    found = [each.split() for each in points.split(";")]
    for number, (kind, *at) in enumerate(found):
        spots += _spots(name, kind, [1e-3 * float(each) for each in at], number in (0, len(found) - 1))
    return Line(
        re.sub(pattern, id, name),
        LUMBAR,
        tuple(spots),
        "Bruno",
        force=1.5 * float(force),
        share=share,
        wraps=(("psoas_brim", 1, 2),) if name[:3] == "Ps_" else (),
    )


def _spots(name: str, kind: str, at: list[float], end: bool) -> list[Spot]:
    if kind == "P":
        return [mark("pubic tubercle")]
    if kind == "B":
        hip, *rest = ((-20.5, -65.4, 65.6), (-13.2, -46.7, 4.6), (-23.5, -52.4, 8.8))
        return [_table("hip_bone", hip), *(_table("femur", each) for each in rest)]
    x, y, z = at
    if kind[0] == "L":
        bone = f"lumbar{kind[1]}"
        low = places()[bone]
        number = [each.id for each in VERTEBRAE].index(bone)
        tall = (VERTEBRAE[number + 1].joint[0] - low[1]) / TALL[kind[1]]
        return [(bone, (x, y * tall, z))]
    if kind == "A":
        return [place("lumbar3", x, y, z)]
    if kind == "S":
        return [place("hip_bone", *_on_crest((x, y, z))) if x > 0.034 else place("sacrum", x, y, z)]
    return [_of_chest(name, x, y, z) if end else place(_at_height(y), x, y, z)]


def _of_chest(name: str, x: float, y: float, z: float) -> Spot:
    """An end on the chest."""
    named = re.fullmatch(r".*_([TR])(\d+)", name)
    if named:
        number = int(named[2])
        if named[1] == "T":
            bone = f"thoracic{number}"
            each = next(each for each in VERTEBRAE if each.id == bone)
            return place(bone, each.half - 0.004, 0.5 * (each.y[0] + each.y[1]) + 0.004, each.z[1] - 0.047)
        corner = RIBS[number - 1][2 if name.startswith("IL") else 1]
        return place(f"rib{number}", *corner)
    if name.startswith("QL"):
        return place("thoracic12" if name.endswith("T12") else "rib12", x, y, z)
    rib = min(range(7, 13), key=lambda n: min(_apart(each, (x, y, z)) for each in RIBS[n - 1]))
    nearest = min(RIBS[rib - 1], key=lambda each: _apart(each, (x, y, z)))
    return place(f"rib{rib}", *nearest)


def _on_crest(at: tuple[float, float, float]) -> tuple[float, float, float]:
    """The nearest point of our iliac crest, 30 mm from the table's at most."""
    steps = ((a, b, share / 8) for a, b in pairwise(CREST) for share in range(9))
    found = [tuple(p + share * (q - p) for p, q in zip(a, b, strict=True)) for a, b, share in steps]
    x, y, z = min(found, key=lambda each: _apart(each, at))
    return x, y, z


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True))


def _at_height(y: float) -> str:
    """The thoracic vertebra at a height."""
    below = [each.id for each in VERTEBRAE if each.id.startswith("thoracic") and each.joint[0] < y]
    return below[-1] if below else "thoracic12"


def _table(bone: str, at: tuple[float, float, float]) -> Spot:
    return from_table(bone, *(1e-3 * each for each in at))
