"""What the measures say of one agent, and of each other, from its own attempts.

played      the frames that every question reads
depths      how deep the model thinks, by part of a turn, and whether that tells right from wrong
choosing    Think@n over an agent's own samples
worth       what each tool's calls are worth by continuations, and whether a rule agrees
habits      whether wasteful patterns predict failure
seconds     what predicts the seconds of this model on its machine
study       all of them together
"""
