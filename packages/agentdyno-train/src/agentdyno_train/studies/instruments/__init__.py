"""What the measures say of one agent, and of each other, from its own attempts.

rollout_frames  the frames that every question reads depths          how deep the model thinks, by
part of a turn, and whether that tells right from wrong sample_choices  Think@n over an agent's own
samples worth           what each tool's calls are worth by continuations, and whether a rule agrees
predictors      whether wasteful patterns predict failure, and what predicts seconds study
all of them together
"""
