"""The table of features, in the order in which their docks stand side by side."""

from app.features import (
    figure,
    history,
    inspector,
    keys,
    layers,
    limits,
    log,
    method,
    outliner,
    plot,
    poses,
    secondary,
    sequences,
    timeline,
)
from app.features.feature import Feature

FEATURES: tuple[Feature, ...] = (
    outliner.FEATURE,
    poses.FEATURE,
    sequences.FEATURE,
    inspector.FEATURE,
    figure.FEATURE,
    keys.FEATURE,
    limits.FEATURE,
    method.FEATURE,
    secondary.FEATURE,
    log.FEATURE,
    timeline.FEATURE,
    plot.FEATURE,
    layers.FEATURE,
    history.FEATURE,
)
