"""Think@n: many samples of each problem, the promising ones finished, their answers voted on.

    problems     the questions: written here and seeded, or from a file      think.problems
    prompts      how they are put to a model                                  think.prompts
    drawing      whole samples of some problems, from a model or a server     think.drawing
    generating   a pool of them, gone on with when it was interrupted         think.generating
    pool         the pool as a file                                           think.pool
    answers      what a response answers, and whether that is right           think.answers
    comparing    the methods' accuracy and cost over a pool, by trials        think.comparing
    answering    Think@n for real: the rejected samples are stopped           think.answering
    verb         which of these an option asks for                            think.verb

Nothing is imported here, so that a pool can be drawn where only torch and transformers are.
"""
