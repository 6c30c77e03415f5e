"""The failure benchmark from end to end: run, label, judge, compare, report."""
