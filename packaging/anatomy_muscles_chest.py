"""Muscles of ribs, thoracic back and breath: 84, 44 and 19, authored from landmarks.

The diaphragm's central tendon and the white line of the abdomen are no bones: what ends there is placed in the frame of
the vertebra at its height, the tendon in that of the ninth thoracic. The front strand of the diaphragm is the one of
the middle. Areas and shares of fibres are estimated.
"""

from __future__ import annotations

from anatomy_lines import Line, Region, Spot, body, mark, place, rib, spine, transverse

RIBS, BACK, BREATH = "Ribs", "Thoracic back", "Transversus and diaphragm"


def chest() -> Region:
    """Ribs, thoracic back, diaphragm and transversus of the left."""
    return Region((*_back(), *_ribs(), *_breath()))


def _line(id: str, region: str, area: float, *points: Spot, share: float = 0.65) -> Line:
    return Line(id, region, points, "landmarks", area=area, share=share)


def _above(number: int) -> str:
    """The vertebra above that of a rib."""
    return "C7" if number == 1 else f"T{number - 1}"


def _ribs() -> list[Line]:
    found = []
    for number in range(1, 12):
        last = number == 11
        outer = (0.45, 0.80) if last else (0.38, 0.54) if number == 10 else (0.34, 0.48)
        inner = (0.62, 0.95) if last else (0.80, 0.76) if number == 10 else (0.82, 0.68)
        for kind, (high, low), area in (("external", outer, 2.2), ("internal", inner, 1.8)):
            found.append(
                _line(
                    f"{kind}_intercostal_{number}",
                    RIBS,
                    area,
                    rib(number, high, -0.004),
                    rib(number + 1, low, 0.004),
                    share=0.8,
                )
            )
    for number in range(1, 13):
        found.append(
            _line(
                f"levator_costae_{number}",
                RIBS,
                0.5,
                transverse(_above(number), 0.95),
                rib(number, 0.22 if number < 12 else 0.45, 0.003),
                share=0.7,
            )
        )
    for number in range(2, 6):
        level = ("C7", "T1", "T2", "T3")[number - 2]
        found.append(_line(f"serratus_posterior_superior_{number}", RIBS, 0.6, spine(level), rib(number, 0.34, 0.003)))
    for number in range(9, 13):
        level = ("T11", "T12", "L1", "L2")[number - 9]
        found.append(
            _line(
                f"serratus_posterior_inferior_{number}",
                RIBS,
                0.8,
                spine(level),
                mark(f"angle of rib {number}", 0.004, -0.003, 0.004),
            )
        )
    return found


def _back() -> list[Line]:
    found = []
    for number in range(1, 7):
        found.append(
            _line(
                f"iliocostalis_thoracis_rib{number}",
                BACK,
                0.8,
                mark(f"angle of rib {number + 6}", -0.006),
                mark(f"angle of rib {number}"),
                share=0.8,
            )
        )
    for low, high in (("L2", "T3"), ("L1", "T4"), ("T12", "T5"), ("T11", "T6")):
        found.append(_line(f"spinalis_thoracis_{high.lower()}", BACK, 0.6, spine(low, 0.005), spine(high, 0.005)))
    for low, high in (("T7", "T1"), ("T8", "T2"), ("T9", "T3"), ("T10", "T4")):
        found.append(
            _line(f"semispinalis_thoracis_{high.lower()}", BACK, 0.6, transverse(low, 0.8, 0.003), spine(high, 0.004))
        )
    for number in range(1, 9):
        found.append(
            _line(
                f"multifidus_thoracis_t{number}",
                BACK,
                0.7,
                transverse(f"T{number + 3}", 0.7, 0.003),
                spine(f"T{number}", 0.004),
            )
        )
    return found


def _breath() -> list[Line]:
    def placed(id: str, area: float, *points: Spot, both: bool = True, share: float = 0.7) -> Line:
        return Line(id, BREATH, points, "placed", area=area, share=share, both=both)

    def dome(x: float, y: float, z: float) -> Spot:
        return place("thoracic9", x, y, z)

    flank = 0.118
    return [
        placed("diaphragm_front", 1.0, place("sternum", 0.0, 0.340, 0.044), dome(0.0, 0.396, 0.026), both=False),
        placed("diaphragm_crus", 2.0, body("L2", 0.010), dome(0.012, 0.400, -0.024)),
        placed("diaphragm_rib7", 2.0, rib(7, 0.97), dome(0.048, 0.402, 0.014)),
        placed("diaphragm_rib9", 2.0, rib(9, 0.80), dome(0.060, 0.402, -0.016)),
        placed("diaphragm_rib11", 2.0, rib(11, 0.72), dome(0.054, 0.398, -0.044)),
        placed("transversus_rib8", 1.5, rib(8, 0.98), place("lumbar1", 0.006, 0.318, 0.060)),
        placed(
            "transversus_l1",
            1.8,
            transverse("L1"),
            place("rib11", 0.103, 0.272, -0.034),
            place("rib10", 0.108, 0.268, 0.020),
            place("lumbar1", 0.006, 0.285, 0.066),
        ),
        placed(
            "transversus_l2",
            2.0,
            transverse("L2"),
            place("lumbar3", flank, 0.245, -0.030),
            place("lumbar3", 0.092, 0.240, 0.046),
            place("lumbar3", 0.006, 0.245, 0.070),
        ),
        placed(
            "transversus_l3",
            2.0,
            transverse("L3"),
            place("lumbar4", flank, 0.210, -0.020),
            place("lumbar4", 0.094, 0.200, 0.048),
            place("lumbar4", 0.006, 0.205, 0.070),
        ),
        placed(
            "transversus_crest",
            1.8,
            place("hip_bone", 0.126, 0.140, 0.020),
            place("hip_bone", 0.085, 0.135, 0.058),
            place("lumbar4", 0.006, 0.150, 0.066),
        ),
    ]
