"""What studies found, as topics that every form of a report can show."""
