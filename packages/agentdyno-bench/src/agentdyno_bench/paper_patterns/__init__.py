"""The four habits of the PTE paper as it defines them; only `agentdyno paper pte` looks for them."""
