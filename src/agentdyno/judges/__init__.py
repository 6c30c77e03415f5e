"""Judges: LLMs that read a trajectory and record a verdict, once.

    quoting     foreign text for a prompt, so that it is data and cannot end or forge its place
    parsing     a judge's reply -> a checked object; one repair, then nothing
    cache       verdicts on disk by content: rubric, trace and model
    calling     asks a judge, repairs once, records a verdict; Inspect only when a model is opened
    ensemble    several verdicts and a rule -> one label
    failures/   the rubric for failure modes, in two framings

A new kind of judge gives a `Question` for each thing to judge and reads the label; the rest is
shared.
"""
