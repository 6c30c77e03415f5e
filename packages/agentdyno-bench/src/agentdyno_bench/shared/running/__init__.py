"""Running Inspect tasks: in one process or several, resumed after any kind of end."""
