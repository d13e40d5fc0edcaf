"""Questions about soft bodies and their splines, for views."""
