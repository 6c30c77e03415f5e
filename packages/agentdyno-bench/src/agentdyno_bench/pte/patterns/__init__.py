"""The four habits of the PTE paper as it defines them; only `paper pte` looks for them."""
