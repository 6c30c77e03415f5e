"""Judges: LLMs that read a trajectory and record a verdict, once.

    evidence    a trajectory -> its task and the events in it      whole: a trajectory's whole
    budget      evidence -> what a judge can still read of it
    quoting     foreign text for a prompt, so that it is data and cannot end or forge its place
    forms       what an answer has to look like: one label, or a mark for every part
    prompt      rubric, evidence and form: one question
    asking      a question -> an answer; Inspect only when a model is opened
    parsing     an answer -> a label, or the reason why there is none
    utility/    did a call help            failures/   how were tools used
    answers     is the end right           completion  which parts are done
    ensemble    several verdicts and a rule -> one label

A new kind of judge gives a `Prompt` for each thing to judge; the rest is shared.
"""
