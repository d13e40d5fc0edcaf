"""What works out edits of figures from captured markers. Importing these modules loads no kernel."""
