"""Compound tasks: their values, how they are made, screened, proved and checked.

values      a task with its subtasks, its graph and its checks
references  arguments that come from earlier results
draft       a task under construction, executed in a world as it grows
scenes      what people ask for, each a small graph of subtasks
pipeline    tools -> subtasks -> compounds -> screening
checking    completion by program: evidence, answer, state
validation  proof that a task can be solved, in this process or over live servers
"""
