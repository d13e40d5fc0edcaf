"""Joint limits: the projection of a pose onto the poses that a figure allows."""
