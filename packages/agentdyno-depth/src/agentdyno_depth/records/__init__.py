"""The values of depth and of samples."""
