"""Commands of locks: edits that are worked out from poses."""
