"""Bushings: springs along six axes between bodies, put between selected joints, listed, set in the inspector."""

from __future__ import annotations

from app.features.bushings import actions
from app.features.bushings.outlined import OutlinedBushings
from app.features.bushings.page import BushingPage
from app.features.feature import Actions, Feature

FEATURE = Feature(
    name="bushings",
    actions=(Actions(actions.ACTIONS, actions.BushingCommands, 182),),
    outlined=OutlinedBushings(),
    pages=(BushingPage.of,),
)
