"""Lanes: numbers of parts over time, one above the other, such as how much muscles are activated."""
