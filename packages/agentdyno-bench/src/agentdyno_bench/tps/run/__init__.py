"""The Inspect task over the world: selection of tools, scheduling, turns, marking.

task       the task itself, by level, selection and scheduling
selection  self, none or rule
solving    turn after turn until an answer or the limit
offering   the pool's tools as Inspect tools
marking    completion by program, and by judge where there is one
judging    the judge's two questions and how its answers are read
scripted   agents of known ways as a model
"""
