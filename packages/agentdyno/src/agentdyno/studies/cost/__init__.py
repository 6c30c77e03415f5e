"""What it cost, where it went, and what goes with it. One file per question."""
