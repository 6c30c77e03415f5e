"""Attempts at our own tasks of planning and scheduling, from their logs to comparisons.

marks      what a log says about each sample
measures   schedule and selection of each sample, as rows of the ledger
attempts   those rows beside what each attempt cost
settings   one row for each model, level, selection and scheduling; judge against program
ablations  selections against each other, one call a turn against several
judging    judges, asked in the run or later, against the program
shown      all of it as tables and charts; told: in words

Reads logs and ledgers only: nothing here needs the benchmark itself.
"""
