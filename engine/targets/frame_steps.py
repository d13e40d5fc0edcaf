"""Steps and window of a simulation whose targets are poses at every frame.

Such poses can be met one after the other where the windows of neighbouring frames agree on what came before, and that
asks for two things that a simulation set up for anything else lacks. (1) Steps are counted back from the end of each
window, so they must divide a frame, or two neighbours take different steps through the same keys; what that makes of a
pose can only be put right within its last frame, and corrections double every three frames (at 4 Hz, damping 0.5, with
3.3 steps a frame). (2) A window begins on the corrected keys, off by all of the correction, so it must forget that: of
a correction of 1 rad 0.3 s leave 0.02 rad at 4 Hz and damping 0.5, and a foot that is off by so little throws its toes
about; each window then hands on more than it was given. What is left decays as exp(-z w t), with w = 2 pi f of a joint
and z its damping (of an over-damped one z - sqrt(z^2 - 1) in the place of z).

The step becomes the longest that divides a frame, to a tick, and is no longer than the one that is set; the window the
whole number of frames after which a two-thousandth is left, and no shorter than it is set.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from engine.document import Figure, Gains, Secondary
from engine.document.motion import TICKS_PER_SECOND
from engine.targets.easing import CLOSE

_LEFT = 5e-4  # of what a window begins with
_TICKS = 1e-6  # of a step, that is no more than what times are rounded by
_LONGEST = 3 * TICKS_PER_SECOND // 2  # [ticks] of a window that is worth its time


def fit_steps(secondary: Secondary, figure: Figure, poses: Sequence[int]) -> Secondary | None:
    """Give secondary motion a step and a window with which poses at those times [ticks] may be met one after the
    other; None where it has them, where no two are neighbouring frames, or where none would do."""
    times = sorted(set(poses))
    gaps = Counter(gap for gap in (later - time for time, later in pairwise(times)) if gap <= CLOSE)
    decay = min((_decay(secondary.gains_of(joint)) for joint in figure.joints), default=math.inf)
    if not gaps or decay <= 0.0:
        return None
    gap = max(gaps, key=lambda each: (gaps[each], each))
    step = -(-gap // math.ceil(gap / secondary.step - _TICKS))
    needed = -math.log(_LEFT) / decay * TICKS_PER_SECOND
    if needed > _LONGEST:
        return None
    frames = max(round(needed / gap), math.ceil(secondary.window / gap - _TICKS))
    found = replace(secondary, step=step, window=frames * gap)
    return None if (found.step, found.window) == (secondary.step, secondary.window) else found


def _decay(gains: Gains) -> float:
    """Find how fast a joint comes to rest [1/s]; infinite where it follows exactly."""
    if gains.exact:
        return math.inf
    w, z = math.tau * gains.tension * math.sqrt(1.0 - gains.relaxation), gains.damping
    return w * (z if z <= 1.0 else z - math.sqrt(z * z - 1.0))
