"""The ledger: Parquet tables under one folder, with a manifest."""
