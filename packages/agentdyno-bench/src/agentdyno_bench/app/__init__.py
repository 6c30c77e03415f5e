"""The verbs, and what puts the papers together: the only room that knows all of them."""
