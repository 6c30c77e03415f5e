"""What judges said of calls and trajectories."""
