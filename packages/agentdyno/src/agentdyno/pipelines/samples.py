"""The sample traces that come with the package, so that every verb can be tried at once."""

from pathlib import Path


def sample_traces() -> Path:
    """The folder of sample traces."""
    return Path(__file__).parents[1] / "samples"
