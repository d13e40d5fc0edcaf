"""Muscles of neck, jaw and hyoid: 112 and 24, authored from landmarks.

Which strands there are, and from where to where each goes, is what textbooks of anatomy say; places are those of our
bones, areas and shares of fibres estimated. Processes of cervical vertebrae and the first rib are meant where a muscle
begins on several at once: one line for each or for some of them.
"""

from __future__ import annotations

from anatomy_lines import Line, Region, Spot, blade, body, mark, place, rib, spine, transverse

NECK, JAW = "Neck", "Jaw and hyoid"


def neck() -> Region:
    """Neck, jaw and hyoid of the left."""
    return Region((*_suboccipital(), *_front(), *_side(), *_splenii(), *_semispinales(), *_columns(), *_jaw()))


def _line(id: str, area: float, *points: Spot, share: float = 0.65) -> Line:
    return Line(id, NECK, points, "landmarks", area=area, share=share)


def _skull(x: float, y: float, z: float) -> Spot:
    return place("skull", x, y, z)


def _suboccipital() -> list[Line]:
    return [
        _line("rectus_capitis_posterior_major", 1.3, spine("C2", up=0.004), _skull(0.026, 0.681, -0.108)),
        _line("rectus_capitis_posterior_minor", 0.6, spine("C1", 0.004), _skull(0.010, 0.680, -0.107)),
        _line("obliquus_capitis_superior", 1.0, transverse("C1"), _skull(0.038, 0.688, -0.100)),
        _line("obliquus_capitis_inferior", 1.6, spine("C2", 0.004, 0.003), transverse("C1", 1.0, 0.004)),
        _line("rectus_capitis_anterior", 0.5, place("cervical1", 0.017, 0.659, -0.043), _skull(0.008, 0.677, -0.040)),
        _line("rectus_capitis_lateralis", 0.6, transverse("C1", 0.95), _skull(0.033, 0.681, -0.058)),
    ]


def _front() -> list[Line]:
    base = [_skull(0.006 + 0.001 * each, 0.676, -0.036 + 0.002 * each) for each in range(4)]
    found = [
        _line(f"longus_capitis_c{level}", 0.5, transverse(f"C{level}", 0.75), base[level - 3], share=0.55)
        for level in (3, 4, 5, 6)
    ]
    for low, area in (("C3", 0.3), ("C5", 0.3)):
        found.append(
            _line(
                f"longus_colli_upper_{low.lower()}",
                area,
                transverse(low, 0.7),
                place("cervical1", 0.002, 0.661, -0.037),
            )
        )
    for low, high in (("T1", "C2"), ("T3", "C4")):
        found.append(_line(f"longus_colli_straight_{low.lower()}", 0.4, body(low, 0.007), body(high, 0.005)))
    found.append(_line("longus_colli_lower", 0.4, body("T2", 0.008), transverse("C6", 0.7)))
    return found


def _side() -> list[Line]:
    first = rib(1, 0.62, 0.004)
    found = [
        _line(f"scalenus_anterior_c{level}", 0.6, transverse(f"C{level}", 0.9, -0.004), rib(1, 0.76, 0.003), share=0.6)
        for level in (4, 5, 6)
    ]
    found += [
        _line(f"scalenus_medius_c{level}", 0.55, transverse(f"C{level}", 1.0, 0.002), first, share=0.6)
        for level in (3, 4, 5, 6)
    ]
    found += [
        _line(f"scalenus_posterior_c{level}", 0.6, transverse(f"C{level}", 1.0, 0.004), rib(2, 0.48, 0.004), share=0.6)
        for level in (5, 6)
    ]
    mastoid = mark("mastoid process")
    return [
        *found,
        _line("sternocleidomastoid_sternal", 2.9, place("sternum", 0.014, 0.531, -0.014), mastoid, share=0.65),
        _line(
            "sternocleidomastoid_clavicular",
            2.1,
            ("clavicle", (0.034, 0.009, -0.002)),
            mark("mastoid process", 0.0, 0.008, -0.008),
            share=0.65,
        ),
    ]


def _splenii() -> list[Line]:
    found = []
    for number, (level, at) in enumerate(
        (("C7", (0.050, 0.672, -0.066)), ("T1", (0.046, 0.690, -0.082)), ("T3", (0.036, 0.700, -0.103)))
    ):
        found.append(_line(f"splenius_capitis_{level.lower()}", 1.1 - 0.1 * number, spine(level), _skull(*at)))
    for level, high in (("T3", "C1"), ("T4", "C2"), ("T5", "C3")):
        found.append(_line(f"splenius_cervicis_{level.lower()}", 0.5, spine(level), transverse(high, 1.0, 0.006)))
    return found


def _semispinales() -> list[Line]:
    found = []
    for number, level in enumerate(("C5", "C7", "T1", "T3", "T5")):
        found.append(
            _line(
                f"semispinalis_capitis_{level.lower()}",
                1.1,
                transverse(level, 0.8, 0.007),
                _skull(0.008 + 0.003 * number, 0.700, -0.117),
                share=0.75,
            )
        )
    for low, high in (("T1", "C2"), ("T2", "C3"), ("T3", "C4"), ("T4", "C5"), ("T5", "C6")):
        found.append(
            _line(
                f"semispinalis_cervicis_{low.lower()}", 0.6, transverse(low, 0.8, 0.004), spine(high, 0.004), share=0.6
            )
        )
    return found


def _columns() -> list[Line]:
    """Longissimus, iliocostalis and multifidus."""
    tip = _skull(0.051, 0.668, -0.066)
    found = [
        _line(f"longissimus_capitis_{level.lower()}", 0.4, transverse(level, 0.95, 0.006), tip, share=0.6)
        for level in ("C5", "T1", "T3")
    ]
    for low, high in (("T1", "C2"), ("T3", "C4"), ("T5", "C6")):
        found.append(
            _line(
                f"longissimus_cervicis_{low.lower()}",
                0.5,
                transverse(low, 0.95, 0.005),
                transverse(high, 0.95, 0.006),
                share=0.6,
            )
        )
    for low, high in ((3, "C4"), (5, "C6")):
        found.append(
            _line(
                f"iliocostalis_cervicis_rib{low}",
                0.4,
                mark(f"angle of rib {low}"),
                transverse(high, 1.0, 0.004),
                share=0.6,
            )
        )
    for low, high in (("C5", "C2"), ("C6", "C3"), ("C7", "C4"), ("T1", "C5"), ("T2", "C6"), ("T3", "C7")):
        found.append(_line(f"multifidus_cervicis_{high.lower()}", 0.5, transverse(low, 0.6, 0.006), spine(high, 0.004)))
    return found


def _jaw() -> list[Line]:
    def line(id: str, area: float, *points: Spot, share: float = 0.7, source: str = "landmarks") -> Line:
        return Line(id, JAW, points, source, area=area, share=share)

    def jaw(x: float, y: float, z: float) -> Spot:
        return place("jaw", x, y, z)

    def hyoid(x: float, y: float, z: float) -> Spot:
        return place("hyoid", x, y, z)

    crown = jaw(0.0475, 0.690, -0.007)
    return [
        line("temporalis_front", 4.6, _skull(0.052, 0.748, 0.004), crown, share=0.5),
        line("temporalis_back", 4.0, _skull(0.066, 0.742, -0.050), _skull(0.064, 0.712, -0.022), crown, share=0.5),
        line("masseter_superficial", 4.2, _skull(0.060, 0.691, 0.004), jaw(0.048, 0.647, -0.024), share=0.55),
        line("masseter_deep", 2.2, _skull(0.064, 0.694, -0.020), jaw(0.050, 0.668, -0.020), share=0.6),
        line("medial_pterygoid", 3.8, _skull(0.018, 0.676, -0.004), jaw(0.043, 0.649, -0.024), share=0.5),
        line("lateral_pterygoid", 3.0, _skull(0.030, 0.690, -0.010), jaw(0.049, 0.7025, -0.031), share=0.7),
        line(
            "digastric",
            1.0,
            _skull(0.047, 0.664, -0.054),
            hyoid(0.012, 0.616, -0.014),
            jaw(0.006, 0.623, 0.022),
            share=0.55,
        ),
        line("mylohyoid", 1.4, jaw(0.024, 0.633, 0.006), hyoid(0.006, 0.615, -0.009)),
        line("geniohyoid", 1.0, jaw(0.003, 0.628, 0.020), hyoid(0.003, 0.614, -0.006)),
        line("stylohyoid", 0.5, mark("styloid process"), hyoid(0.012, 0.619, -0.018)),
        line("sternohyoid", 0.9, place("sternum", 0.010, 0.528, -0.026), hyoid(0.006, 0.608, -0.010)),
        line(
            "omohyoid",
            0.6,
            blade(0.112, 0.016, -0.052),
            ("clavicle", (0.028, 0.018, -0.012)),
            hyoid(0.010, 0.608, -0.013),
            share=0.5,
        ),
    ]
