"""A filter: the pairs of violation and barrier objective that a line search will not come back to.

Wächter and Biegler 2006, On the implementation of an interior-point filter line-search algorithm for large-scale
nonlinear programming, Mathematical Programming 106, 25-57, section 2.3: a step is accepted if it makes either the
violation theta or the barrier objective phi enough smaller, and is not worse in both than a pair of the filter; where
the violation is small already, phi has to fall as its slope says (Armijo's condition).
"""

from __future__ import annotations

from dataclasses import dataclass, field

_MARGIN = 1e-5  # gamma, of both
_ARMIJO = 1e-4
_POWER_OF_SLOPE, _POWER_OF_VIOLATION = 2.3, 1.1
_ROUNDING = 1e-13


@dataclass
class Filter:
    """The pairs, and the bounds of violation of this search."""

    small: float  # violation below which phi has to fall
    most: float  # violation that is never accepted
    pairs: list[tuple[float, float]] = field(default_factory=list)

    def allows(self, theta: float, phi: float) -> bool:
        """Tell whether a pair is not worse in both than one of the filter."""
        return theta <= self.most and all(theta < worst or phi < highest for worst, highest in self.pairs)

    def accepts(self, theta: float, phi: float, before: tuple[float, float], slope: float, step: float) -> bool:
        """Tell whether a step may be taken; the filter remembers where it came from unless phi has fallen by it."""
        if not self.allows(theta, phi):
            return False
        old_theta, old_phi = before
        slack = _ROUNDING * abs(old_phi)
        falls = slope < 0.0 and step * (-slope) ** _POWER_OF_SLOPE > old_theta**_POWER_OF_VIOLATION
        if old_theta <= self.small and falls:
            return phi <= old_phi + _ARMIJO * step * slope + slack
        if theta <= (1.0 - _MARGIN) * old_theta or phi <= old_phi - _MARGIN * old_theta + slack:
            self.remember(old_theta, old_phi)
            return True
        return False

    def remember(self, theta: float, phi: float) -> None:
        """Close the corner of pairs that are worse than this one in both."""
        corner = ((1.0 - _MARGIN) * theta, phi - _MARGIN * theta)
        self.pairs = [each for each in self.pairs if each[0] < corner[0] or each[1] < corner[1]]
        self.pairs.append(corner)
