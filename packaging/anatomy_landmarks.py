"""Places on the bones of the anatomy figure by name: where muscles and ligaments begin and end.

Each is a bone and a point in its frame [m], on the left where a bone has two sides; the right is its mirror image. They
are places of our own shapes, given by where these have the feature that the name says; a test sees that each lies on
its bone. Spines and fronts of vertebrae, and angles and ends of ribs, follow from the tables of `anatomy_trunk.py`.
Points of the model Rajagopal2016 are brought here by `from_opensim`.
"""

from __future__ import annotations

from anatomy_joints import FROM_OPENSIM, SACROILIAC, rest_places
from anatomy_limbs import AC, FIBULA, KNEE, METATARSALS, MIDFOOT, RAYS
from anatomy_solids import Point
from anatomy_trunk import RIBS, VERTEBRAE

Landmarks = dict[str, tuple[str, Point]]

# In the frame of the middle between the hips, on the left.
_TRUNK: dict[str, tuple[str, Point]] = {
    "anterior superior iliac spine": ("hip_bone", (0.116, 0.079, 0.056)),
    "anterior inferior iliac spine": ("hip_bone", (0.096, 0.036, 0.044)),
    "posterior superior iliac spine": ("hip_bone", (0.050, 0.100, -0.086)),
    "top of the iliac crest": ("hip_bone", (0.107, 0.170, -0.022)),
    "middle of the iliac blade": ("hip_bone", (0.092, 0.100, -0.012)),
    "pubic tubercle": ("hip_bone", (0.016, 0.009, 0.046)),
    "pubic symphysis": ("hip_bone", (0.001, -0.010, 0.044)),
    "ischial tuberosity": ("hip_bone", (0.058, -0.041, -0.036)),
    "ischial spine": ("hip_bone", (0.061, -0.002, -0.055)),
    "front of the sacrum": ("sacrum", (0.012, 0.100, -0.070)),
    "crest of the sacrum": ("sacrum", (0.0, 0.115, -0.095)),
    "tip of the tail bone": ("sacrum", (0.0, 0.037, -0.106)),
    "mastoid process": ("skull", (0.053, 0.659, -0.054)),
    "outer occipital protuberance": ("skull", (0.0, 0.715, -0.124)),
    "upper nuchal line": ("skull", (0.035, 0.712, -0.117)),
    "base of the skull before the atlas": ("skull", (0.006, 0.674, -0.048)),
    "temporal fossa": ("skull", (0.058, 0.728, -0.004)),
    "zygomatic arch": ("skull", (0.067, 0.695, -0.014)),
    "styloid process": ("skull", (0.050, 0.672, -0.040)),
    "chin": ("jaw", (0.0, 0.622, 0.038)),
    "inside of the chin": ("jaw", (0.004, 0.630, 0.021)),
    "angle of the jaw": ("jaw", (0.047, 0.645, -0.028)),
    "coronoid process of the jaw": ("jaw", (0.0475, 0.692, -0.006)),
    "head of the jaw": ("jaw", (0.050, 0.702, -0.032)),
    "body of the hyoid": ("hyoid", (0.0, 0.612, -0.006)),
    "greater horn of the hyoid": ("hyoid", (0.019, 0.622, -0.039)),
    "notch of the breastbone": ("sternum", (0.0, 0.533, -0.019)),
    "angle of the breastbone": ("sternum", (0.0, 0.494, 0.002)),
    "tip of the breastbone": ("sternum", (0.0, 0.332, 0.049)),
}
# In the frame in which the shoulder blade was measured.
_BLADE: dict[str, Point] = {
    "acromion": (0.167, 0.029, -0.032),
    "coracoid process": (0.135, -0.009, 0.001),
    "upper angle of the blade": (0.077, 0.042, -0.066),
    "lower angle of the blade": (0.084, -0.098, -0.113),
    "root of the spine of the blade": (0.062, 0.007, -0.097),
    "middle of the spine of the blade": (0.105, 0.022, -0.090),
    "inner edge of the blade": (0.059, -0.030, -0.106),
    "outer edge of the blade": (0.112, -0.056, -0.083),
    "above the socket": (0.139, 0.009, -0.044),
    "below the socket": (0.138, -0.026, -0.046),
}
_LIMBS: Landmarks = {
    "inner end of the collar bone": ("clavicle", (0.010, 0.012, 0.002)),
    "middle of the collar bone": ("clavicle", (0.060, 0.011, -0.012)),
    "outer end of the collar bone": ("clavicle", (0.119, 0.027, -0.030)),
    "greater tubercle": ("humerus", (0.023, -0.004, 0.012)),
    "lesser tubercle": ("humerus", (0.002, -0.010, 0.0295)),
    "deltoid tuberosity": ("humerus", (0.011, -0.118, 0.007)),
    "inner epicondyle of the humerus": ("humerus", (-0.032, -0.272, 0.003)),
    "outer epicondyle of the humerus": ("humerus", (0.024, -0.272, 0.005)),
    "front of the humerus": ("humerus", (0.000, -0.200, 0.012)),
    "olecranon": ("ulna", (-0.002, 0.010, -0.029)),
    "coronoid process of the ulna": ("ulna", (-0.002, -0.023, -0.003)),
    "styloid process of the ulna": ("ulna", (0.020, -0.244, -0.028)),
    "tuberosity of the radius": ("radius", (-0.007, -0.033, -0.003)),
    "styloid process of the radius": ("radius", (0.033, -0.238, -0.005)),
    "middle of the radius, outside": ("radius", (0.026, -0.125, -0.003)),
    "pisiform": ("hand", (-0.014, -0.015, 0.016)),
    "hook of the hamate": ("hand", (-0.009, -0.022, 0.010)),
    "trapezium": ("hand", (0.018, -0.021, 0.015)),
    "greater trochanter": ("femur", (0.061, -0.022, -0.013)),
    "lesser trochanter": ("femur", (0.018, -0.063, -0.029)),
    "inner epicondyle of the femur": ("femur", (-0.042, -0.402, 0.000)),
    "outer epicondyle of the femur": ("femur", (0.039, -0.402, 0.000)),
    "linea aspera": ("femur", (0.030, -0.190, -0.001)),
    "base of the kneecap": ("patella", (0.001, 0.052, 0.003)),
    "tip of the kneecap": ("patella", (0.001, 0.000, 0.000)),
    "outer ankle": ("fibula", (0.0305 + KNEE[0] - FIBULA[0] + 0.0098, -0.404 + KNEE[1] - FIBULA[1],
        -0.0058 + KNEE[2] - FIBULA[2])),
    "head of the fibula": ("fibula", (0.0022, 0.014, -0.006)),
    "tuberosity of the tibia": ("tibia", (0.0050, -0.070, 0.033)),
    "inner ankle": ("tibia", (-0.025, -0.384, 0.009)),
    "outer plateau of the tibia": ("tibia", (0.039, -0.034, 0.004)),
    "inner plateau of the tibia": ("tibia", (-0.029, -0.034, 0.004)),
    "soleal line of the tibia": ("tibia", (0.006, -0.106, 0.003)),
    "heel": ("calcaneus", (-0.008, 0.008, -0.010)),
    "sole of the heel": ("calcaneus", (-0.008, -0.008, 0.004)),
    "sustentaculum": ("calcaneus", (-0.027, 0.029, 0.042)),
    "ball of the big toe": ("toes", (-0.029, -0.007, 0.016)),
    "tip of the big toe": ("toes", (-0.012, -0.003, 0.077)),
    "tip of the third toe": ("toes", (0.026, -0.003, 0.050)),
}  # fmt: skip


def landmarks() -> Landmarks:
    """Every landmark by name."""
    places, found = rest_places(), dict(_LIMBS)
    for name, (bone, at) in _TRUNK.items():
        found[name] = (bone, _less(at, places[bone]))
    for name, at in _BLADE.items():
        found[name] = ("scapula", _less(at, AC))
    for each in VERTEBRAE:
        if each.id != "cervical1":
            low, back = each.y[0] + 0.004, each.z[0] + 0.001
            found[f"spine of {each.id}"] = (each.id, _less((0.0, low, back), places[each.id]))
        found[f"body of {each.id}"] = (each.id, _less((0.0, each.joint[0] + 0.006, each.z[1] - 0.001), places[each.id]))
    for number, points in enumerate(RIBS, 1):
        found[f"angle of rib {number}"] = (f"rib{number}", _less(points[2], points[0]))
        found[f"end of rib {number}"] = (f"rib{number}", _less(points[-1], points[0]))
    for name, points in RAYS.items():
        if name != "thumb":
            found[f"base of the {name} metacarpal"] = ("hand", points[0])
            found[f"tip of the {name} finger"] = (f"{name}_tip", _less(points[-1], points[2]))
        else:
            found["tip of the thumb"] = ("thumb_tip", _less(points[-1], points[1]))
    for number, (start, _, _) in enumerate(METATARSALS, 1):
        found[f"base of metatarsal {number}"] = ("midfoot", _less(start, MIDFOOT))
    return found


def from_opensim(bone: str, point: Point) -> Point:
    """A point of a right-sided body of Rajagopal2016, in metres and its axes, in the frame of the left bone here.

    The pelvis' points on its hip bone: `bone` is "hip_bone"."""
    x, y, z = point
    if bone == "hip_bone":
        return _less(_less((z, y, x), FROM_OPENSIM["sacrum"]), SACROILIAC)
    return _less((z, y, x), FROM_OPENSIM[bone])


def _less(a: Point, b: Point) -> Point:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])
