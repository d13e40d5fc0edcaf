"""Sequences drawn off the screen, and where they are dropped: the modules of the feature that see the scene."""
