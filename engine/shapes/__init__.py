"""Blend shapes: weighted shapes of surfaces, their secondary motion without history, targets that it meets."""
