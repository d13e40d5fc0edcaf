"""Captured markers: a figure fitted to them frame by frame, and scaled to them. Importing this loads no kernel."""
