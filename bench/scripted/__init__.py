"""Agents whose figures are known before they run, for tests and for timing: ways of working on the
planning tasks, and behaviours in the failure benchmark."""
