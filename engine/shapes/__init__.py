"""Blend shapes: surfaces moved by weighted shapes, their secondary motion without history, and targets that it meets."""
