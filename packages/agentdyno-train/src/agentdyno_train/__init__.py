"""Agents trained in our own world: environment, rewards, conversations, recipes over TRL.

environment          reset, step, score over the planning world, for any policy; never raises
attempts             what a policy did with one task, and why it missed goals
plans                a reference plan as a conversation, ending with `submit` (choices: weighing)
synthetic_dialogues  conversations about every tool: exercises in people's words (natural, from
                     prompt_templates and slots) and in those of descriptions (mechanical)
rewards              plain functions of an attempt, bounded, weighted by one small file
training_tasks       tasks of the training scenes with their tools; curriculum draws them
sampled_attempts     attempts of a torch model, decoded together (generation), for a trainer
sft, grpo            warm-up and reinforcement; options are their recipes
"""
