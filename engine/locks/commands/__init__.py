"""Commands of pins: edits that are worked out from poses."""
