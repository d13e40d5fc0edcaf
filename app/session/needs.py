"""needs: which purposes of kernels the working out of a wish uses, beside those of the document that it is made of."""

from __future__ import annotations

from app.session.gesture import Wish
from engine.ik.methods import Method
from engine.jobs.bake_layers import BakeLayers, MakeKeys
from engine.jobs.bake_swing import BakeSwing
from engine.jobs.bend_trail import BendTrail
from engine.jobs.breakdown import Breakdown
from engine.jobs.build_limits import BuildLimits
from engine.jobs.clean_up import CleanUp
from engine.jobs.hold import Hold
from engine.jobs.keep_change import KeepChange
from engine.jobs.lock_here import BakeLocks, LockHere
from engine.jobs.make_limit import ImportLimit, MakeLimit
from engine.jobs.meet_targets import MeetTargets
from engine.jobs.move_lock import KeyLock, MoveLock, TieLock
from engine.jobs.plant_contacts import PlantContacts
from engine.jobs.poses import PutPose
from engine.jobs.satisfy import Satisfy
from engine.jobs.sequences import PutSequence
from engine.jobs.shape_limit import ShapeLimit
from engine.jobs.take_target import TakeTarget
from engine.locks.request import Request

_LOCKS = LockHere | BakeLocks | MoveLock | KeyLock | TieLock | Hold | Satisfy | PlantContacts
_MOTION = BakeLayers | MakeKeys | CleanUp | PutSequence | PlantContacts | BendTrail | Breakdown
_LIMITS = BuildLimits | MakeLimit | ImportLimit | ShapeLimit
_SECONDARY = MeetTargets | KeepChange | BakeSwing | TakeTarget


def needs_of_wish(wish: Wish) -> frozenset[str]:
    """Names of the purposes, as `engine.jobs.warm_up` has them."""
    if isinstance(wish, Request):
        usual = wish.method.solver == Method().solver and wish.compared is None
        return frozenset(() if usual else ("methods",)) | frozenset(("locks",) if wish.held else ())
    if isinstance(wish, PutPose):
        return frozenset(("playing",) if wish.key else ())  # it may be the first key
    kinds = {"locks": _LOCKS, "motion": _MOTION, "limits": _LIMITS, "secondary": _SECONDARY}
    return frozenset(name for name, kind in kinds.items() if isinstance(wish, kind))
