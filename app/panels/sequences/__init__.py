"""The Sequences panel: motions as flipbooks, put on figures by a double click or by dragging them there."""

from app.panels.sequences.panel import SequencesPanel

__all__ = ["SequencesPanel"]
