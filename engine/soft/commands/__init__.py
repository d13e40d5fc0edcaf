"""Commands of soft bodies."""
