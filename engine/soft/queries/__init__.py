"""Queries: answers for views of soft bodies."""
