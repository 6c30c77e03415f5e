"""What the four habits of the PTE paper cost, by setting (Table 7)."""
