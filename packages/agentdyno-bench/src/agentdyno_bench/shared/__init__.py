"""Used by every paper's experiment: models, runs on Inspect, judges, verdicts, values."""
