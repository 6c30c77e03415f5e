"""The colours of the charts: one name each, one value for light and one for dark pages.

Cool colours are what the model was given, warm ones what it wrote, berry what tools returned, grey
what no trace shows. Values are unique, so that a rendered chart can be given names again.
"""

LIGHT: dict[str, str] = {
    "ink": "#1d1c1a",
    "soft": "#68655e",
    "line": "#e4e0d6",
    "paper": "#fffefb",
    "onfill": "#fffffe",
    "system": "#2b5c8a",
    "schema": "#4a90c2",
    "user": "#93c0dc",
    "reasoning": "#d6862a",
    "text": "#eeb65f",
    "request": "#b4611c",
    "result": "#a83a57",
    "unseen": "#a8a59c",
    "client": "#3d4f5c",
    "server": "#6b5a8e",
    "file": "#23806d",
    "setup": "#7a4f9b",
    "before": "#5d6b2e",
    "put-back": "#c98a1c",
    "frames": "#c9c2ad",
    "solved": "#23806e",
    "unsolved": "#a83b58",
    "accent": "#b4431f",
    "muted": "#8d8a82",
    "series1": "#b4441f",
    "series2": "#2b5d8b",
    "series3": "#23816f",
    "series4": "#c98a1b",
    "series5": "#7a4f9a",
    "series6": "#5d6b2f",
    "read": "#4a91c3",
    "write": "#2b5c8b",
    "lost": "#c8452c",
    "output": "#d6872b",
    "fresh": "#93c0dd",
    "other": "#a8a59d",
}
"""Name -> colour on a light page."""

DARK: dict[str, str] = {
    "ink": "#ece8df",
    "soft": "#a5a197",
    "line": "#35332f",
    "paper": "#1b1a18",
    "onfill": "#141311",
    "system": "#6a9fd4",
    "schema": "#8cc0e6",
    "user": "#bcdcf0",
    "reasoning": "#e2a04b",
    "text": "#f4cf92",
    "request": "#d08a4b",
    "result": "#dd7c95",
    "unseen": "#86837b",
    "client": "#7d93a3",
    "server": "#a594c9",
    "file": "#5cc0aa",
    "setup": "#b893d7",
    "before": "#a9bb6b",
    "put-back": "#e4b559",
    "frames": "#5b574c",
    "solved": "#5cc0ab",
    "unsolved": "#dd7d96",
    "accent": "#ee8157",
    "muted": "#8f8b82",
    "series1": "#ee8158",
    "series2": "#7aabdd",
    "series3": "#5cc1ac",
    "series4": "#e4b55a",
    "series5": "#b893d6",
    "series6": "#a9bb6c",
    "read": "#8cc0e7",
    "write": "#5f96cc",
    "lost": "#f0714f",
    "output": "#e2a04c",
    "fresh": "#bcdcf1",
    "other": "#86837c",
}
"""Name -> colour on a dark page."""

KINDS = ("system", "schema", "user", "reasoning", "text", "request", "result", "unseen")
"""Kinds of part in the order in which they are stacked: given, written, returned, unseen."""

BILL = ("read", "write", "lost", "output", "fresh", "other")
"""What money is charged for, as it is stacked."""

SERIES = ("series1", "series2", "series3", "series4", "series5", "series6")
"""For lines that have no meaning of their own."""
