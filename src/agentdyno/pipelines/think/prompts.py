"""How a problem is put to a model.

Enters a problem, leaves the text of a user's turn, or the token ids of the whole prompt by the
model's own chat template. A model without one gets the plain text.
"""

from typing import Any

from agentdyno.records.thinking import Problem

MATHS = (
    "Solve the problem below. Work in short steps and write every calculation out. "
    "When you are done, put the result alone into a box: \\boxed{{result}}\n\n{question}"
)
CHOICE = (
    "Here is a question with several choices; exactly one of them is right. Weigh the choices "
    "one after another. Your last line must hold nothing but the letter of your choice in a box, "
    "such as \\boxed{{B}}. Commit to the likeliest choice if you are not sure.\n\n"
    "{question}\n\n{choices}"
)


def prompt_text(problem: Problem) -> str:
    """What the user says."""
    if problem.kind == "choice":
        return CHOICE.format(question=problem.question, choices=_lettered(problem.choices))
    return MATHS.format(question=problem.question)


def rendered(tokenizer: Any, problem: Problem) -> str:
    """The whole prompt as text, ready to be continued."""
    text = prompt_text(problem)
    if not getattr(tokenizer, "chat_template", None):
        return f"{text}\n\n"
    turns = [{"role": "user", "content": text}]
    made: str = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    return made


def prompt_ids(tokenizer: Any, problem: Problem) -> tuple[int, ...]:
    """The same as token ids; a template writes its own special tokens."""
    templated = bool(getattr(tokenizer, "chat_template", None))
    text = rendered(tokenizer, problem)
    return tuple(tokenizer(text, add_special_tokens=not templated)["input_ids"])


def _lettered(choices: tuple[str, ...]) -> str:
    return "\n".join(f"{chr(65 + place)}. {choice}" for place, choice in enumerate(choices))
