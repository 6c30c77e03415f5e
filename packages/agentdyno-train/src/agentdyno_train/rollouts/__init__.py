"""Rollouts without Inspect, many at once: what a GPU does for a dyno sheet.

    episodes        a benchmark's task as a chat that a model answers turn by turn
    scheduling      which episodes a sheet needs of each agent, and how each begins
    batch_decoder   many episodes at once on one torch model; `model_pool` opens the models
    journal         what is stored of them, as JSON lines
    depths          how deep the model thought in each turn
    stages          greedy attempts, samples, continuations from every call, timed attempts
    complete_parts  which parts of a folder of rollouts are complete, and how to add the rest

Importing this package imports no Inspect, no polars and no scipy.
"""
