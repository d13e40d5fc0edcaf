"""Secondary motion over the views, and its tool: the modules of the feature that see the scene."""
