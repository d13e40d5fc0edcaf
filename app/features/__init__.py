"""Features: what the window shows of one subject each, gathered as `FEATURE` in a folder and listed in `table`."""
