"""Models for Inspect: the embedded one, a scripted one, and any other with its defaults undone."""
