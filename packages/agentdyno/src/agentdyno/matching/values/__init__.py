"""Dates, units and fields as texts and JSON write them: what a value is, and its words."""
