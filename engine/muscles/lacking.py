"""Says in sentences what muscles lack for a motion: which joint, how much, when; and what is left at the root."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND
from engine.muscles.static import Lack, MuscleShares, rate_names

LITTLE = 0.05  # [N m] or [N] that nobody misses
MOST = 8  # that are listed


def lacking_words(shares: MuscleShares, most: int = MOST) -> Iterator[str]:
    """Say what muscles lack, the largest first, then the root's residual."""
    missed = [each for each in shares.lacks() if each.most > LITTLE]
    moved, bare = [each for each in missed if each.moved], [each for each in missed if not each.moved]
    if not missed:
        yield "Muscles give all that the motion takes"
    yield from (f"{each.name}: muscles lack {_amount(each)}" for each in moved[:most])
    if len(moved) > most:
        yield f"And {len(moved) - most} more, of {_force(moved[most])} at most"
    if bare:
        names = ", ".join(each.name for each in bare[:most])
        rest = f" and {len(bare) - most} more" if len(bare) > most else ""
        yield f"No muscle moves {names}{rest}: up to {_force(bare[0])} are needed there"
    if shares.motored is not None:
        names, others = rate_names(shares.figure), set(shares.moved.tolist()) - set(shares.held.tolist())
        still = [names[rate][0] for rate in shares.motored.tolist() if rate in others]
        yield f"Motors hold what the motion keeps still: {', '.join(still) or 'nothing that muscles move'}"
    if shares.off is not None:
        yield from _followed(shares)
    for turns in (False, True):
        root = [each for each in shares.lacks(root=True) if each.turns is turns and each.most > LITTLE]
        if root:
            yield f"Nobody gives {_amount(root[0])} at the root ({root[0].name}){_of_ground(shares, root[0])}"
    if shares.unsolved:
        yield f"{shares.unsolved} frames were not solved to the end: take their activations with care"


def _followed(shares: MuscleShares) -> Iterator[str]:
    """Say how well muscles follow the motion."""
    assert shares.off is not None, "a motion that is followed"
    names, off = rate_names(shares.figure), shares.off
    rms = np.sqrt((off**2).mean(axis=0))
    for turns in (True, False):
        rates = [rate for rate in range(len(names)) if names[rate][1] is turns and rate not in shares.held.tolist()]
        if rates and float(rms[rates].max()) > 0.0:
            worst = max(rates, key=lambda rate: rms[rate])
            at = int(np.abs(off[:, worst]).argmax())
            most, mean = abs(float(off[at, worst])), float(rms[worst])
            said = (f"{math.degrees(each):.2g}°" if turns else f"{1000.0 * each:.2g} mm" for each in (mean, most))
            yield "{}: follows within {} RMS, {} at most at {:.2f} s".format(
                names[worst][0], *said, shares.times[at] / TICKS_PER_SECOND
            )


def _of_ground(shares: MuscleShares, lack: Lack) -> str:
    """Set a force beside the ground's greatest."""
    most = float(np.linalg.norm(shares.ground, axis=1).max(initial=0.0))
    return "" if lack.turns or most == 0.0 else f", {100.0 * lack.most / most:.2g} % of the ground's greatest force"


def _amount(lack: Lack) -> str:
    share = f" of {_force(lack, lack.required)}" if lack.required > lack.most else ""
    return f"{_force(lack)}{share} at {lack.time / TICKS_PER_SECOND:.2f} s"


def _force(lack: Lack, number: float | None = None) -> str:
    return f"{lack.most if number is None else number:.3g} {'N m' if lack.turns else 'N'}"
