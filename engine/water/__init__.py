"""Water in a tank: a staggered grid, a free surface, bodies that push and float (Si 2013, 3.3 and 3.4)."""
