"""What can be said of one trajectory by what a benchmark or a judge knows."""
