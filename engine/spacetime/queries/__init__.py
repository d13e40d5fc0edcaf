"""Queries: what the window shows of a search for a motion."""
