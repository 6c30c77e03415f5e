"""What was used, before anything is read: a quick look at the files."""
