"""Policies whose every figure is known before they run, behind a service of models over HTTP.

server     the service; a model's name is a policy's
toolfail   policies for tasks that show how tool use fails, with their labels
tps        policies for planning tasks, with their figures
play       the product's own commands over all of them: rows of what is stated and what is scored
"""
