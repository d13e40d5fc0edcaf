"""Secondary motion without history: every frame simulated over a short window from the keyed motion."""
