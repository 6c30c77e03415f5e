"""What several readers of sessions share."""
