"""What sequences draw off the screen, and where they are dropped: what of the feature sees the scene."""
