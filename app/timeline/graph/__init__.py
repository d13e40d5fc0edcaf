"""The graph editor: curves of the selection, their keys and tangents, and how values look on the screen."""
