"""Muscles of figures: their paths over bones, their forces."""
