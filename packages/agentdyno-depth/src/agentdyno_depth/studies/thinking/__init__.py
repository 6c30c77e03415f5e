"""Ways of choosing among samples, over one pool: accuracy and cost."""
