"""What secondary motion draws over the views, and its tool: what of the feature sees the scene."""
