"""Water: a tank that bodies push, float in and splash."""
