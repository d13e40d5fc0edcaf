"""Tools of soft bodies that take the pointer over the views, and what they draw there."""
