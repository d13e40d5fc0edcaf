"""The sheet that asks what is to become a video, with a frame as it will be: what of the feature sees the scene."""
