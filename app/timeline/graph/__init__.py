"""The graph editor: curves of what is selected, their keys and tangents, and how values look on the screen."""
