"""pull_key: the request by which a point is pulled along at one of its keys, whatever time is shown.

Only what has keys moves: a joint without any would stand otherwise at all times. Of that the limb moves where any of it
has keys, else all above the point. Plain values; loads no kernel, so that the window may ask.
"""

from __future__ import annotations

from engine.commands.reach import PullHandle
from engine.document import Document
from engine.document.chains import chain
from engine.document.values import Vector3, vector3
from engine.edits.poses import pose_layer
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Method, Terms
from engine.runtime.errors import InvalidArguments


def pull_key(
    document: Document, *, drag: str, spot: Spot, time: int, to: Vector3, method: Method, terms: Terms
) -> PullHandle:
    """Request a point to stand elsewhere [m] at the key of a time [ticks]; requests of one `drag` go on from each
    other."""
    figure = document.actor(spot.actor).figure
    above, times = _keyed(document, spot, time)
    if time not in times:
        what = f"the tick of a key that moves {figure.joint(spot.joint).name}"
        known = ", ".join(map(str, sorted(times)))
        raise InvalidArguments(what=what, value=time, allowed=known or "none: set a key first")
    return PullHandle(
        drag=drag,
        actor=spot.actor,
        goals=(PositionGoal(spot=spot, target=vector3("the place of a key", to)),),
        movable=above & chain(figure, spot.joint, "branch") or above,
        method=method,
        terms=terms,
        at=time,
    )


def why_fixed(document: Document, spot: Spot, time: int) -> str:
    """Explain why the key of a trail at a time [ticks] cannot be pulled; empty where it can."""
    actor = document.actor(spot.actor)
    if actor.layers and time in _keyed(document, spot, time)[1]:
        return ""
    name = pose_layer(actor, time).name if actor.layers else "any layer"
    return f"it is no key of {name}, which a drag changes"


def _keyed(document: Document, spot: Spot, time: int) -> tuple[frozenset[str], frozenset[int]]:
    """The degrees of freedom with keys that move a spot, by id, and their ticks; on the layer of poses at a time."""
    actor = document.actor(spot.actor)
    figure, tracks = actor.figure, pose_layer(actor, time).heard
    dofs = [dof for joint in figure.above(spot.joint) for dof in figure.joint(joint).dofs]
    keyed = [dof for dof in dofs if any(name in tracks for name in dof.coordinates)]
    moving = (tracks[name].ticks for dof in keyed for name in dof.coordinates if name in tracks)
    return frozenset(dof.id for dof in keyed), frozenset[int]().union(*moving)
