"""A machine's measured times as a hardware profile."""
