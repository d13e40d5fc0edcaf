"""Splines and painted regions in the views: what of the feature sees the scene."""
