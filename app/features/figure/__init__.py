"""The figure editor: what a joint is made of."""

from app.features.feature import Dock, Feature
from app.features.figure.panel import FigurePanel

FEATURE = Feature(
    name="figure",
    docks=(Dock("figure", FigurePanel.title, "right", FigurePanel),),
)
