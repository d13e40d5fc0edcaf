"""Views that look through cameras, and the areas of their pictures: what of the feature sees the scene."""
