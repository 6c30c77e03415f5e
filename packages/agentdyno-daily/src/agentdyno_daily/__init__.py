"""What people with coding agents need every day, on top of the dynamometer."""
