"""Bushings over the views: the modules of the feature that see the scene."""
