"""Commands: edits that are worked out of a document and of what is seen. Importing these modules loads no kernel."""
