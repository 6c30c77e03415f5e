"""Agents trained in our own world: environment, rewards, conversations, recipes over TRL.

environment   reset, step, score over the planning world, for any policy; never raises
attempts      what a policy did with one task, as a value
misses        why each wish was not granted
plans         a reference plan as a conversation, ending in learnable lines (answers)
drills        conversations about every tool: exercises in people's words (natural, from asks and
              slots) and in those of descriptions (mechanical)
rewards       plain functions of an attempt, bounded, weighed by one small file
lessons       tasks of the training scenes with their tools (offering); curriculum draws them
rollouts      attempts of a torch model, decoded together (decoding), as a trainer needs them
sft, grpo     warm-up and reinforcement; settings are their recipes
"""
