"""Shapes of the bones of head, spine, chest and pelvis: hand-made, by measures of the shared generic surfaces.

All numbers are metres in the frame of the skeleton at rest: the middle between the hip joints, x to the left, y up, z
forward. What was measured on the surfaces that opensim-models gives away (CC BY 3.0; hat_spine, hat_ribs, hat_skull,
hat_jaw, hat_ribs_scap, r_pelvis, sacrum, placed as the model Rajagopal2016 places them) are extents and a few
points of each bone, rounded to millimetres; how a bone runs between them is our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from anatomy_solids import Piece, Point, blob, both, cut, plate, tube


@dataclass(frozen=True)
class Vertebra:
    """The joint below a vertebra, and its extents."""

    id: str
    joint: tuple[float, float]  # y, z of the middle of the disc below
    y: tuple[float, float]
    z: tuple[float, float]
    half: float  # half width over the transverse processes


VERTEBRAE = (
    Vertebra("lumbar5", (0.1535, -0.0365), (0.150, 0.189), (-0.079, -0.014), 0.032),
    Vertebra("lumbar4", (0.1820, -0.0290), (0.176, 0.216), (-0.080, -0.013), 0.032),
    Vertebra("lumbar3", (0.2125, -0.0305), (0.197, 0.244), (-0.081, -0.016), 0.032),
    Vertebra("lumbar2", (0.2425, -0.0350), (0.219, 0.273), (-0.082, -0.023), 0.031),
    Vertebra("lumbar1", (0.2680, -0.0450), (0.247, 0.299), (-0.093, -0.032), 0.031),
    Vertebra("thoracic12", (0.2960, -0.0550), (0.269, 0.325), (-0.103, -0.043), 0.023),
    Vertebra("thoracic11", (0.3210, -0.0655), (0.297, 0.351), (-0.114, -0.053), 0.023),
    Vertebra("thoracic10", (0.3475, -0.0745), (0.323, 0.376), (-0.120, -0.061), 0.023),
    Vertebra("thoracic9", (0.3745, -0.0815), (0.359, 0.398), (-0.129, -0.068), 0.028),
    Vertebra("thoracic8", (0.3975, -0.0855), (0.379, 0.419), (-0.132, -0.073), 0.033),
    Vertebra("thoracic7", (0.4200, -0.0880), (0.400, 0.442), (-0.139, -0.075), 0.032),
    Vertebra("thoracic6", (0.4430, -0.0905), (0.427, 0.467), (-0.142, -0.076), 0.032),
    Vertebra("thoracic5", (0.4650, -0.0895), (0.453, 0.492), (-0.138, -0.074), 0.032),
    Vertebra("thoracic4", (0.4865, -0.0860), (0.475, 0.515), (-0.135, -0.070), 0.032),
    Vertebra("thoracic3", (0.5080, -0.0820), (0.499, 0.536), (-0.127, -0.065), 0.0325),
    Vertebra("thoracic2", (0.5275, -0.0755), (0.522, 0.557), (-0.119, -0.061), 0.0305),
    Vertebra("thoracic1", (0.5465, -0.0705), (0.541, 0.578), (-0.112, -0.055), 0.0395),
    Vertebra("cervical7", (0.5645, -0.0670), (0.562, 0.596), (-0.109, -0.049), 0.031),
    Vertebra("cervical6", (0.5815, -0.0565), (0.580, 0.606), (-0.104, -0.045), 0.0295),
    Vertebra("cervical5", (0.5970, -0.0520), (0.596, 0.618), (-0.101, -0.042), 0.026),
    Vertebra("cervical4", (0.6130, -0.0490), (0.613, 0.634), (-0.092, -0.039), 0.024),
    Vertebra("cervical3", (0.6295, -0.0455), (0.623, 0.648), (-0.089, -0.038), 0.0235),
    Vertebra("cervical2", (0.6440, -0.0460), (0.634, 0.669), (-0.089, -0.038), 0.024),
    Vertebra("cervical1", (0.6560, -0.0470), (0.654, 0.669), (-0.088, -0.038), 0.035),
)
SKULL_JOINT: Point = (0.0, 0.668, -0.052)
JAW_JOINT: Point = (0.0, 0.698, -0.030)
HYOID_JOINT: Point = (0.0, 0.612, -0.010)
STERNUM_JOINT: Point = (0.0, 0.4975, -0.084)  # where the ribs of the fourth thoracic vertebra turn

# Each rib: its head, then points along it to where its cartilage begins; and half its height.
RIBS: tuple[tuple[Point, ...], ...] = (
    ((0.022, 0.572, -0.082), (0.038, 0.573, -0.094), (0.053, 0.567, -0.087), (0.060, 0.558, -0.070),
     (0.0585, 0.548, -0.050), (0.052, 0.537, -0.036), (0.041, 0.529, -0.028)),
    ((0.025, 0.555, -0.084), (0.052, 0.557, -0.095), (0.078, 0.549, -0.087), (0.096, 0.533, -0.066),
     (0.092, 0.517, -0.040), (0.075, 0.506, -0.018), (0.048, 0.497, -0.004)),
    ((0.022, 0.534, -0.092), (0.054, 0.538, -0.111), (0.090, 0.524, -0.102), (0.110, 0.508, -0.073),
     (0.111, 0.495, -0.040), (0.095, 0.485, -0.011), (0.058, 0.473, 0.012)),
    ((0.022, 0.511, -0.098), (0.056, 0.513, -0.121), (0.093, 0.501, -0.114), (0.117, 0.486, -0.085),
     (0.124, 0.473, -0.048), (0.115, 0.461, -0.010), (0.075, 0.446, 0.021)),
    ((0.022, 0.489, -0.101), (0.060, 0.485, -0.122), (0.094, 0.475, -0.116), (0.118, 0.465, -0.089),
     (0.130, 0.453, -0.052), (0.124, 0.440, -0.010), (0.083, 0.422, 0.027)),
    ((0.022, 0.468, -0.104), (0.060, 0.461, -0.124), (0.098, 0.450, -0.118), (0.123, 0.438, -0.089),
     (0.135, 0.424, -0.050), (0.131, 0.408, -0.008), (0.093, 0.391, 0.035)),
    ((0.020, 0.450, -0.104), (0.058, 0.444, -0.126), (0.095, 0.430, -0.121), (0.124, 0.417, -0.092),
     (0.135, 0.400, -0.051), (0.133, 0.381, -0.005), (0.099, 0.358, 0.042)),
    ((0.022, 0.424, -0.110), (0.062, 0.413, -0.129), (0.099, 0.401, -0.121), (0.125, 0.391, -0.091),
     (0.135, 0.373, -0.046), (0.133, 0.354, -0.002), (0.109, 0.328, 0.043)),
    ((0.018, 0.400, -0.110), (0.052, 0.385, -0.128), (0.087, 0.367, -0.121), (0.111, 0.357, -0.094),
     (0.127, 0.340, -0.056), (0.132, 0.322, -0.013), (0.120, 0.296, 0.034)),
    ((0.019, 0.376, -0.110), (0.052, 0.359, -0.128), (0.084, 0.341, -0.120), (0.108, 0.325, -0.091),
     (0.119, 0.308, -0.054), (0.121, 0.291, -0.022), (0.115, 0.273, 0.023)),
    ((0.016, 0.350, -0.098), (0.040, 0.343, -0.114), (0.066, 0.328, -0.117), (0.091, 0.311, -0.102),
     (0.104, 0.292, -0.074), (0.106, 0.276, -0.043)),
    ((0.020, 0.327, -0.084), (0.033, 0.320, -0.095), (0.050, 0.308, -0.0955), (0.064, 0.297, -0.089),
     (0.0715, 0.2875, -0.084)),
)  # fmt: skip
RIB_HEIGHTS = (0.0045, 0.0050, 0.0055, 0.0060, 0.0060, 0.0065, 0.0065, 0.0065, 0.0065, 0.0060, 0.0055, 0.0052)
# From the end of a rib to the breastbone, or to the cartilage above.
CARTILAGES: tuple[tuple[Point, ...], ...] = (
    ((0.030, 0.525, -0.021),),
    ((0.028, 0.496, 0.001),),
    ((0.040, 0.466, 0.016), (0.027, 0.465, 0.012)),
    ((0.050, 0.438, 0.027), (0.027, 0.438, 0.023)),
    ((0.060, 0.411, 0.037), (0.040, 0.411, 0.037), (0.026, 0.414, 0.031)),
    ((0.070, 0.382, 0.046), (0.045, 0.384, 0.048), (0.024, 0.392, 0.039)),
    ((0.080, 0.346, 0.052), (0.052, 0.354, 0.057), (0.019, 0.372, 0.045)),
    ((0.095, 0.321, 0.052), (0.080, 0.331, 0.056), (0.064, 0.346, 0.057)),
    ((0.113, 0.292, 0.046), (0.102, 0.300, 0.051), (0.090, 0.320, 0.054)),
    ((0.113, 0.271, 0.036), (0.108, 0.280, 0.044), (0.106, 0.292, 0.049)),
    (),
    (),
)
# The edge of the left hip bone from its upper spine in front to the one behind.
CREST: tuple[Point, ...] = (
    (0.116, 0.079, 0.050), (0.1245, 0.112, 0.040), (0.127, 0.140, 0.020), (0.1185, 0.159, -0.006),
    (0.098, 0.165, -0.032), (0.075, 0.150, -0.057), (0.056, 0.124, -0.076), (0.050, 0.100, -0.080),
)  # fmt: skip


def vertebra(bone: Vertebra, above: tuple[float, float]) -> list[Piece]:
    """Body, arch and processes of a vertebra whose upper disc is there."""
    (y0, z0), (y1, z1) = bone.joint, above
    neck, loins = bone.id.startswith("cervical"), bone.id.startswith("lumbar")
    (low, high), (back, front) = bone.y, bone.z
    middle, tall = 0.5 * (y0 + y1), y1 - y0
    depth = 0.0155 if neck else 0.028 if loins else 0.0255
    wide = 0.0135 if neck else 0.0195 if loins else 0.0155
    thick = 0.0030 if neck else 0.0042 if loins else 0.0037
    lean = float(np.arctan2(z1 - z0, y1 - y0))
    centre = front - 0.5 * depth
    pieces = _body(middle, centre, 0.44 * tall, wide, 0.5 * depth, lean)
    arch, tip = centre - 0.5 * depth - (0.013 if neck else 0.016), back + (0.85 if loins else 1.5) * thick
    top = middle + 0.2 * tall
    spine_low = low + (1.0 if loins else 1.6) * thick
    pieces += both(
        tube([(0.7 * wide, top, centre - 0.4 * depth), (0.6 * wide, top, arch + 0.004), (0.0, top - 0.003,
            arch - 0.004)],
             thick, steps=2),
        # Articular processes: up and down from the arch.
        tube([(0.75 * wide, high - 0.9 * thick, arch + 0.007), (0.7 * wide, middle - 0.5 * tall, arch + 0.003)],
            0.85 * thick),
    )  # fmt: skip
    if loins:
        pieces.append(plate([(0.0, top, arch - 0.003), (0.0, middle + 0.003, tip), (0.0, spine_low, tip),
                             (0.0, spine_low + 0.002, arch - 0.006)], 1.5 * thick))  # fmt: skip
        pieces += both(tube([(0.6 * wide, top, arch + 0.010), (bone.half - 0.6 * thick, top + 0.002, arch + 0.004)],
                            [thick, 0.95 * thick], flat=(0, 0, 1), squash=0.75))  # fmt: skip
    else:
        pieces.append(tube([(0.0, top - 0.002, arch - 0.002), (0.0, spine_low, tip)], [1.25 * thick, 1.35 * thick],
                           flat=(1, 0, 0), squash=0.75))  # fmt: skip
        start = centre - 0.2 * depth if neck else arch + 0.006
        end = start - 0.003 if neck else arch - 0.006
        pieces += both(
            tube([(0.7 * wide, top, start), (bone.half - 1.1 * thick, top + 0.001, end)], [thick, 1.1 * thick])
        )
    return pieces


def _body(y: float, z: float, half: float, wide: float, deep: float, lean: float) -> list[Piece]:
    """A drum with a waist: two rims and what is between them."""
    pieces = []
    for place, share in ((-0.86, 1.0), (-0.3, 0.9), (0.3, 0.9), (0.86, 1.0)):
        pieces.append(blob((0.0, y + place * half * 0.75, z + place * half * 0.75 * np.tan(lean)),
                           (wide * share, 0.45 * half, deep * share), turn=[("x", np.degrees(lean))]))  # fmt: skip
    return pieces


def atlas() -> list[Piece]:
    """The first vertebra, a ring."""
    ring = [
        (0.0, 0.661, -0.041),
        (0.012, 0.661, -0.045),
        (0.019, 0.661, -0.058),
        (0.015, 0.661, -0.074),
        (0.0, 0.661, -0.083),
    ]
    return both(
        tube(ring, [0.0035, 0.0035, 0.0045, 0.0035, 0.0045]),
        blob((0.018, 0.661, -0.055), (0.0065, 0.0075, 0.010)),
        tube([(0.020, 0.661, -0.056), (0.0305, 0.661, -0.058)], [0.004, 0.0043]),
    )


def axis(above: tuple[float, float]) -> list[Piece]:
    """The second vertebra, with its tooth."""
    bone = next(each for each in VERTEBRAE if each.id == "cervical2")
    body = Vertebra(bone.id, bone.joint, (bone.y[0], 0.656), bone.z, bone.half)
    return [*vertebra(body, above), tube([(0.0, 0.648, -0.047), (0.0, 0.6645, -0.047)], [0.006, 0.0045])]


def rib(number: int) -> list[Piece]:
    """A flat bar along a rib, with its head; the first lies flat, the others stand on their edge."""
    points, tall = RIBS[number - 1], RIB_HEIGHTS[number - 1]
    count = len(points)
    sizes = np.array([0.75, 0.95] + [1.0] * (count - 3) + [0.6 if number == 12 else 0.95])
    thick, squash = (0.0062, 0.5) if number == 1 else (0.0034, tall / 0.0034)
    return [blob(points[0], 0.005), tube(points, (thick * sizes).tolist(), flat=(0, 1, 0), squash=squash, steps=6)]


def cartilage(number: int) -> list[Piece]:
    """What joins a rib to the breastbone or to the cartilage above; nothing for the last two."""
    points = CARTILAGES[number - 1]
    if not points:
        return []
    end = RIBS[number - 1][-1]
    sizes = np.linspace(0.0056, 0.0046, len(points) + 1).tolist()
    return [tube([end, *points], sizes)]


def sternum() -> list[Piece]:
    """Handle, body and xiphoid process."""
    rows = [(0.533, 0.019, -0.0235), (0.522, 0.026, -0.0185), (0.507, 0.019, -0.0105), (0.494, 0.015, -0.0030), (0.470,
        0.014, 0.0075),
            (0.440, 0.017, 0.0205), (0.410, 0.018, 0.0315), (0.388, 0.016, 0.0385), (0.365, 0.010, 0.0435),
            (0.350, 0.004, 0.0475), (0.336, 0.003, 0.0490)]  # fmt: skip
    pieces = []
    for (y0, w0, z0), (y1, w1, z1) in pairwise(rows):
        pieces.append(plate([(-w0, y0, z0), (w0, y0, z0), (w1, y1, z1), (-w1, y1, z1)], 0.0095, blend=0.0))
    return [*pieces, cut(blob((0.0, 0.545, -0.028), (0.013, 0.010, 0.014)))]


def sacrum() -> list[Piece]:
    """Five grown-together vertebrae, wings, and the tail bone."""
    rows = [(0.149, 0.036, -0.040), (0.130, 0.038, -0.052), (0.110, 0.028, -0.069), (0.090, 0.021, -0.088), (0.072,
        0.014, -0.100),
            (0.060, 0.008, -0.106), (0.046, 0.003, -0.108), (0.042, 0.002, -0.106)]  # fmt: skip
    pieces = [blob((0.0, 0.146, -0.035), (0.026, 0.009, 0.017), turn=[("x", 25)])]
    for (y0, w0, z0), (y1, w1, z1) in pairwise(rows):
        pieces.append(plate([(-w0, y0, z0), (w0, y0, z0), (w1, y1, z1), (-w1, y1, z1)], 0.016))
    pieces += both(blob((0.031, 0.141, -0.050), (0.0155, 0.0165, 0.022), turn=[("x", 25)]))
    pieces.append(tube([(0.0, 0.147, -0.068), (0.0, 0.115, -0.088), (0.0, 0.080, -0.106)], [0.006, 0.0075, 0.005]))
    for y, x, z in ((0.126, 0.019, -0.050), (0.106, 0.016, -0.068), (0.087, 0.0125, -0.087)):
        pieces += both(cut(blob((x, y, z), (0.0038, 0.0038, 0.016), turn=[("x", 35)]), 0.002))
    return pieces


def hip_bone() -> list[Piece]:
    """Ilium, ischium and pubis about the socket of the left hip."""
    rim: list[Point] = [(0.100, 0.052, 0.043), *CREST, (0.056, 0.070, -0.070), (0.066, 0.045, -0.046)]
    return [
        plate([(0.080, 0.052, -0.008), *rim], 0.0092, blend=0.006),
        tube(CREST, [0.0065, 0.0065, 0.0065, 0.0065, 0.0065, 0.0065, 0.0065, 0.0065]),
        tube([(0.073, 0.012, -0.006), (0.077, 0.070, -0.014)], [0.020, 0.011], blend=0.016),
        tube(
            [(0.080, 0.014, 0.016), (0.094, 0.034, 0.035), (0.104, 0.056, 0.045)], [0.014, 0.0095, 0.0065], blend=0.012
        ),
        tube([(0.064, 0.040, -0.040), (0.058, 0.080, -0.064)], [0.011, 0.011], blend=0.012),
        blob((0.069, 0.000, -0.002), (0.027, 0.034, 0.033)),
        tube([(0.062, 0.006, 0.022), (0.038, 0.007, 0.036), (0.014, 0.001, 0.045)], [0.0105, 0.0080, 0.0080]),
        blob((0.0075, -0.010, 0.044), (0.0075, 0.018, 0.0105)),
        tube(
            [(0.010, -0.020, 0.041), (0.028, -0.034, 0.022), (0.050, -0.0345, -0.010), (0.058, -0.030, -0.026)],
            [0.0068, 0.0058, 0.0070, 0.0085],
        ),
        tube([(0.070, -0.010, -0.026), (0.066, -0.022, -0.038), (0.058, -0.028, -0.034)], [0.016, 0.0145, 0.0135]),
        tube([(0.068, 0.002, -0.034), (0.061, -0.002, -0.050)], [0.011, 0.0055], blend=0.006),
        cut(blob((0.0850, -0.001, 0.003), 0.0255), 0.006),
    ]


def skull() -> list[Piece]:
    """Braincase and face."""
    return [
        blob((0.0, 0.740, -0.046), (0.0685, 0.0695, 0.077), blend=0.02),
        blob((0.0, 0.722, -0.078), (0.063, 0.050, 0.048), blend=0.03),
        blob((0.0, 0.752, 0.000), (0.054, 0.040, 0.040), blend=0.02),
        blob((0.0, 0.697, -0.030), (0.044, 0.022, 0.055), blend=0.02),
        # Brow, cheek bones and their arches.
        *both(
            tube([(0.006, 0.728, 0.037), (0.026, 0.733, 0.037), (0.047, 0.724, 0.022)], [0.007, 0.006, 0.006]),
            tube([(0.047, 0.726, 0.020), (0.050, 0.708, 0.018), (0.047, 0.694, 0.022)], [0.006, 0.0055, 0.0085]),
            tube([(0.047, 0.694, 0.022), (0.031, 0.694, 0.031), (0.022, 0.690, 0.032)], [0.0085, 0.007, 0.007]),
            tube(
                [(0.050, 0.693, 0.018), (0.062, 0.694, -0.002), (0.0650, 0.697, -0.024), (0.062, 0.701, -0.042)],
                [0.0055, 0.0042, 0.0042, 0.006],
            ),
            # Frontal processes beside the nose; the upper jaw.
            tube([(0.009, 0.722, 0.036), (0.014, 0.700, 0.036), (0.015, 0.680, 0.035)], [0.0055, 0.0045, 0.0065]),
            tube(
                [(0.000, 0.670, 0.037), (0.015, 0.670, 0.032), (0.0235, 0.671, 0.016), (0.026, 0.672, -0.004)],
                [0.0075, 0.0085, 0.0085, 0.0075],
            ),
            tube([(0.024, 0.682, 0.022), (0.024, 0.688, 0.004)], [0.010, 0.012]),
            tube([(0.055, 0.685, -0.056), (0.053, 0.664, -0.053)], [0.012, 0.0065]),
            tube([(0.016, 0.676, -0.005), (0.019, 0.690, -0.018)], [0.006, 0.009]),
            blob((0.014, 0.671, -0.056), (0.007, 0.006, 0.011)),
        ),
        tube([(0.0, 0.724, 0.037), (0.0, 0.706, 0.0405)], [0.006, 0.0045]),
        # Sockets of the eyes, the opening of the nose, hollows behind the cheek bones.
        *both(
            cut(blob((0.0295, 0.712, 0.034), (0.0175, 0.0150, 0.030), turn=[("y", 12)]), 0.005),
            cut(blob((0.0065, 0.690, 0.046), (0.0078, 0.0135, 0.022)), 0.004),
            cut(blob((0.066, 0.722, -0.002), (0.0135, 0.020, 0.020)), 0.008),
        ),
        cut(blob((0.0, 0.700, 0.046), (0.0055, 0.0075, 0.018)), 0.004),
        cut(blob((0.0, 0.665, -0.074), (0.014, 0.016, 0.015)), 0.004),
        *_teeth(0.6575, 1.0, 0.0078),
    ]


def _teeth(y: float, size: float, tall: float) -> list[Piece]:
    """A row of teeth along the arch of a jaw."""
    arch = [
        (0.0038, 0.0405),
        (0.0110, 0.0380),
        (0.0168, 0.0330),
        (0.0205, 0.0265),
        (0.0230, 0.0195),
        (0.0250, 0.0120),
        (0.0262, 0.0035),
    ]
    places = [(size * x, y, z - (1.0 - size) * 0.06) for x, z in arch]
    row = tube([(0.0, y, places[0][2]), *places], 0.0026, flat=(0, 1, 0), squash=0.88 * tall / 0.0026, blend=0.001)
    return both(row, *(blob(place, (0.0033, tall, 0.0034), blend=0.001) for place in places))


def jaw() -> list[Piece]:
    """Body, branches, and the two heads of the lower jaw."""
    return [
        *both(
            tube([(0.000, 0.633, 0.030), (0.014, 0.633, 0.026), (0.030, 0.635, 0.008), (0.042, 0.640, -0.016), (0.0455,
                0.650, -0.025)],
                 [0.0115, 0.0105, 0.0090, 0.0080, 0.0075], flat=(0.6, 0, 0.8), squash=0.72),
            plate([(0.0450, 0.650, -0.029), (0.0450, 0.650, -0.008), (0.0475, 0.690, -0.006), (0.0480, 0.682, -0.018),
                (0.0490, 0.690, -0.031)], 0.0062),
            tube([(0.0490, 0.686, -0.030), (0.0500, 0.6990, -0.0315)], [0.0038, 0.0042]),
            blob((0.0478, 0.6985, -0.0320), (0.0062, 0.0042, 0.0045)),
            blob((0.009, 0.6235, 0.031), (0.010, 0.0065, 0.007)),
        ),
        *_teeth(0.6455, 0.95, 0.0070),
    ]  # fmt: skip


def hyoid() -> list[Piece]:
    """The small bow above the larynx; no surface of it was shared: estimated."""
    return both(tube([(0.000, 0.612, -0.010), (0.010, 0.612, -0.012), (0.017, 0.616, -0.026), (0.019, 0.621, -0.038)],
                     [0.0045, 0.0040, 0.0026, 0.0022]),
                tube([(0.010, 0.613, -0.013), (0.012, 0.620, -0.016)], [0.0024, 0.0016]))  # fmt: skip
