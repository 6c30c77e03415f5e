"""Agreement between raters and McNemar's test: numbers in, an estimate out."""
