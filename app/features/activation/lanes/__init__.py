"""The lanes of the dock: the activations of splines over time, painted as a whole."""
