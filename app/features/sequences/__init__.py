"""The Sequences panel: motions as flipbooks, put on figures by a double click or by dragging them there."""

from app.features.feature import Dock, Feature
from app.features.sequences.panel import SequencesPanel

FEATURE = Feature(
    name="sequences",
    docks=(Dock("sequences", SequencesPanel.title, "left", SequencesPanel),),
)
