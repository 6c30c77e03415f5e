"""Where the tokens of a session come from, and what each origin cost."""
