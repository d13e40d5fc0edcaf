"""Formats: one module for each file format."""
