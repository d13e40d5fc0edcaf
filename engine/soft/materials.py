"""Materials of soft bodies: the law of the stress, moduli, density, damping and friction, checked.

    corotational   mu |F - R|^2 + lambda / 2 (tr S - 3)^2                                  (Chao et al. 2010)
    neo-hookean    m / 2 (I - 3) - m / 2 log(I + 1) + l / 2 (J - a)^2                      (Smith et al. 2018, 14)
    mooney-rivlin  m1 / 2 (I - 3) + m2 / 2 (II - 3) - (m1 + 2 m2) (J - 1) + l / 2 (J - 1)^2
    springs        E A / (2 l0) (l - l0)^2 along each edge, A its share of the volume over l0

with I = |F|^2, II = |cof F|^2, J = det F. All are defined for inverted cells as well, and agree with linear elasticity
of Young's modulus E and Poisson's ratio at small strains:

    mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu) (1 - 2 nu))
    neo-hookean    m = 4 mu / 3,  l = lambda + 5 mu / 6,  a = 1 + 3 m / (4 l)
    mooney-rivlin  m2 = share mu,  m1 = mu - m2,  l = lambda + m1

Flat bodies have the strains of a plane (none across it) and so much thickness. Rayleigh damping: forces -(mass damping)
M v - (stiffness damping) K v, the second as a viscous stress of the strain rate in the material's own frame, which a
rigid motion does not feel.
"""

from __future__ import annotations

import math
from typing import Literal

from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

Law = Literal["corotational", "neo-hookean", "mooney-rivlin", "springs"]
LAWS: tuple[Law, ...] = ("corotational", "neo-hookean", "mooney-rivlin", "springs")

Triple = tuple[float, float, float]

_LIMITS: dict[str, tuple[float, float, str]] = {
    "young": (1e-3, 1e13, "a number from 0.001 to 1e13 Pa"),
    "poisson": (-0.95, 0.495, "a number from -0.95 to 0.495"),
    "density": (1e-3, 1e6, "a number from 0.001 to 1e6 kg/m3"),
    "mass_damping": (0.0, 1e4, "a number from 0 to 10,000 /s"),
    "stiffness_damping": (0.0, 1e2, "a number from 0 to 100 s"),
    "share": (0.0, 1.0, "a number from 0 to 1"),
    "thickness": (1e-6, 1e6, "a number from 1e-6 to 1e6 m"),
    "friction": (0.0, 1e3, "a number from 0 to 1,000"),
    "friction_backward": (0.0, 1e3, "a number from 0 to 1,000"),
    "friction_sideways": (0.0, 1e3, "a number from 0 to 1,000"),
}


@dataclass(frozen=True, kw_only=True)
class SoftMaterial:
    """One material; checked when it is made."""

    law: Law = "corotational"
    young: float = 1e5  # [Pa]
    poisson: float = 0.3
    density: float = 1000.0  # [kg/m3]
    mass_damping: float = 0.0  # [1/s]
    stiffness_damping: float = 0.0  # [s]
    share: float = 0.5  # of the shear modulus that the second term of Mooney-Rivlin has
    thickness: float = 1.0  # [m] of flat bodies; [m2] of the section, where cells are edges
    friction: float = 0.5  # forward, and in all directions where the two others are None
    friction_backward: float | None = None
    friction_sideways: float | None = None
    forward: Triple | None = None  # direction in the body at rest, where friction is different along it

    def __post_init__(self) -> None:
        if self.law not in LAWS:
            raise InvalidArguments(what="the law of a soft material", value=self.law, allowed=", ".join(LAWS))
        for name, (least, most, allowed) in _LIMITS.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                what = f"the {name.replace('_', ' ')} of a soft material"
                raise InvalidArguments(what=what, value=value, allowed=allowed)
        if self.forward is not None and not 1e-9 < math.hypot(*self.forward) < math.inf:
            what = "the forward direction of friction"
            raise InvalidArguments(what=what, value=self.forward, allowed="a direction that is not zero")
        if self.forward is None and (self.friction_backward is not None or self.friction_sideways is not None):
            what = "the forward direction of friction"
            raise InvalidArguments(what=what, value=None, allowed="a direction, where friction depends on it")

    @property
    def lame(self) -> tuple[float, float]:
        """Give mu and lambda of small strains [Pa]."""
        nu = self.poisson
        return self.young / (2.0 * (1.0 + nu)), self.young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))

    @property
    def moduli(self) -> Triple:
        """Give the moduli as the law has them: m or m1, l, m2 [Pa]."""
        mu, lam = self.lame
        if self.law == "neo-hookean":
            return 4.0 / 3.0 * mu, lam + 5.0 / 6.0 * mu, 0.0
        if self.law == "mooney-rivlin":
            return (1.0 - self.share) * mu, lam + (1.0 - self.share) * mu, self.share * mu
        return mu, lam, 0.0

    @property
    def frictions(self) -> Triple:
        """Give the coefficients forward, backward and sideways."""
        back, side = self.friction_backward, self.friction_sideways
        return self.friction, self.friction if back is None else back, self.friction if side is None else side
