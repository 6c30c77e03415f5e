"""What it cost, told: one module for sections that belong together."""
