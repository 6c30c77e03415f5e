"""What a provider's cache lost, and what another way to keep it would have cost."""
