"""The table of features, in the order in which their docks stand side by side."""

from app.features import (
    activation,
    bushings,
    cameras,
    figure,
    films,
    history,
    inspector,
    keys,
    layers,
    light,
    limits,
    locks,
    log,
    measured_forces,
    method,
    muscles,
    outliner,
    physics,
    plot,
    poses,
    references,
    secondary,
    sequences,
    shapes,
    soft,
    spacetime,
    splines,
    study,
    timeline,
    water,
)
from app.features.feature import Feature, Features
from app.session import Session

FEATURES: tuple[Feature, ...] = (
    outliner.FEATURE,
    poses.FEATURE,
    sequences.FEATURE,
    inspector.FEATURE,
    figure.FEATURE,
    keys.FEATURE,
    limits.FEATURE,
    method.FEATURE,
    locks.FEATURE,
    secondary.FEATURE,
    physics.FEATURE,
    soft.FEATURE,
    spacetime.FEATURE,
    water.FEATURE,
    shapes.FEATURE,
    light.FEATURE,
    references.FEATURE,
    log.FEATURE,
    timeline.FEATURE,
    plot.FEATURE,
    study.FEATURE,
    activation.FEATURE,
    splines.FEATURE,
    measured_forces.FEATURE,
    bushings.FEATURE,
    muscles.FEATURE,
    layers.FEATURE,
    history.FEATURE,
    films.FEATURE,
    cameras.FEATURE,
)


def make_states(session: Session) -> None:
    """Let every feature keep what it does of a session from now on."""
    session.of(Features).all = FEATURES
    for feature in FEATURES:
        for state in feature.states:
            session.of(state)
