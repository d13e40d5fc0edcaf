"""suggest_soft_window: how long the window of a soft body must be, from its modes and from how it is driven.

The accelerations are those that the held points have within a second of a time, gravity among them; what is left at the
end of the window of what went before is then below what can be seen (`engine.soft.modes`).

Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation
    from engine.soft.compile import SoftScene
    from engine.soft.driving import DrivenFrames
    from engine.soft.holding import Holds

    Array = NDArray[np.float64]

AROUND = TICKS_PER_SECOND  # on each side of the time
LEAST = 0.002  # [m] that can just be seen
MODES = 24


@dataclass(frozen=True, eq=False)
class SoftWindowFound:
    """A window, and what it was worked out from."""

    actor: str
    window: float  # [s]; inf: something never comes to rest
    acceleration: float  # [m/s2] that drives the body at most, gravity among it
    frequencies: Array  # [Hz] of the slowest modes, as they are stepped
    decays: Array  # [1/s] of these
    share: float  # of the mass that moves in them


def find_soft_window(
    evaluator: Evaluation, document: Document, actor: str, *, time: int = 0, least: float = LEAST
) -> Generator[SoftWindowFound | None, None, None]:
    """Work it out; None between slices."""
    import numpy as np

    from engine.document.drafts import without_drafts
    from engine.soft.compile import compile_scene
    from engine.soft.driving import DrivenFrames
    from engine.soft.holding import Holds, hold
    from engine.soft.modes import find_modes, history_window
    from engine.soft.stage import NAME
    from engine.soft.uses import alone, soft_body

    owner, undrafted = document.actor(actor), without_drafts(document)
    body = soft_body(owner)
    if body is None or not body.attachments:
        allowed = "a soft body with one attachment or more"
        raise InvalidArguments(what="the actor whose window is suggested", value=owner.name, allowed=allowed)
    scene = compile_scene(alone(document, actor))
    followed = DrivenFrames(
        scene.surroundings.actors,
        lambda times: evaluator.rows_at(undrafted, times, below=NAME),
        evaluator.model,
    )
    (member,) = scene.members
    now, lead = followed.at(time), Holds(member, -math.inf, time)
    held = hold((lead,), now, now, time, scene.dt)
    fixed = held.hard.copy()
    yield None
    modes = find_modes(scene.terms.model_for(held), fixed, count=MODES).stepped(scene.dt)
    yield None
    acceleration = yield from _driven(scene, followed, lead, time)
    window = history_window(modes, acceleration, least)
    share = float(min(modes.shares.sum(), 1.0))
    swings = np.sqrt(np.maximum(modes.squares, 0.0)) / (2.0 * math.pi)
    yield SoftWindowFound(actor, window, acceleration, swings, modes.decays, share)


def _driven(scene: SoftScene, followed: DrivenFrames, lead: Holds, time: int) -> Generator[None, None, float]:
    """Find the largest acceleration of the held points, with that of gravity, over steps around a time."""
    import numpy as np

    length = scene.dt * TICKS_PER_SECOND
    count = max(1, round(AROUND / length))
    ticks = [time + round(each * length) for each in range(-count, count + 1)]
    points = lead.member.body.attachments[0].points.array
    places, steps = [], followed.read(ticks)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            places = [lead.standing(frames, tick)[points] for frames, tick in zip(stop.value, ticks, strict=True)]
            break
        yield None
    rows = np.array(places)
    found = (rows[2:] - 2.0 * rows[1:-1] + rows[:-2]) / scene.dt**2 - np.array(scene.terms.model.options.gravity)
    return float(np.linalg.norm(found, axis=2).max())
