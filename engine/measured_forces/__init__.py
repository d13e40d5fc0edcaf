"""Measured forces on figures: read, edited, drawn and measured against time."""
