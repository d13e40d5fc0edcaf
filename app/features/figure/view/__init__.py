"""The tool of a figure that is edited, and what of it is dragged: what of the feature sees the scene."""
