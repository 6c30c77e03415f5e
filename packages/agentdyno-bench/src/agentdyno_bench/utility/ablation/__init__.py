"""What a benchmark lost under smaller tool suites."""
