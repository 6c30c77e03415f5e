"""What kinds of judgement are given besides the ledger: tasks and right answers, from files."""
