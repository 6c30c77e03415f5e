"""How a problem is put to a model.

Takes a problem, returns the turns of a chat, or the whole prompt as text or token ids by the
model's own chat template. A model without one gets the turns as plain text. Small models need to
see how it is done: worked examples go before the problem as turns of their own.
"""

from typing import Any

from agentdyno_depth.engines.chat import ChatMessage, chat_ids, chat_text, has_template, text_ids
from agentdyno_depth.records.thinking import Problem

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
EXAMPLES = (
    (
        "Nina has 6 pencils and buys 5 more. How many pencils does Nina have now?",
        "The problem gives two numbers. Nina has 6 pencils at first, and then she buys 5 more "
        "pencils. I want to know how many she has now, so I add the two numbers. 6 + 5 = 11. "
        "So Nina has 11 pencils now. The answer is \\boxed{11}.",
    ),
    (
        "There are 3 plates with 4 plums on each plate. How many plums are there in total?",
        "The problem gives two numbers. There are 3 plates, and on each plate there are 4 plums. "
        "I want to know how many plums there are in total, so I multiply the two numbers. "
        "3 * 4 = 12. So there are 12 plums in total. The answer is \\boxed{12}.",
    ),
    (
        "A farmer has 9 hens and sells 2 of them. How many hens are left?",
        "The problem gives two numbers. The farmer has 9 hens at first, and then he sells 2 hens. "
        "I want to know how many hens are left, so I take the second number from the first. "
        "9 - 2 = 7. So there are 7 hens left. The answer is \\boxed{7}.",
    ),
)
"""Maths problems with solutions that a model may imitate."""

Turns = list[dict[str, str]]


def prompt_turns(problem: Problem, examples: int = 0) -> Turns:
    """The conversation before the response; examples are for maths alone.

    With examples, the instructions stand before the first question and not before each.
    """
    examples_used = EXAMPLES[:examples] if problem.kind == "maths" else ()
    if not examples_used:
        return [_message("user", prompt_text(problem))]
    turns = [
        turn
        for question, solution in examples_used
        for turn in (_message("user", question), _message("assistant", solution))
    ]
    turns[0] = _message("user", MATHS.format(question=examples_used[0][0]))
    return [*turns, _message("user", problem.question)]


def prompt_text(problem: Problem) -> str:
    """The user's text of the problem itself."""
    if problem.kind == "choice":
        return CHOICE.format(question=problem.question, choices=_letter_choices(problem.choices))
    return MATHS.format(question=problem.question)


def chat_of(problem: Problem, examples: int = 0) -> list[ChatMessage]:
    """The same conversation as chat messages."""
    return [ChatMessage(turn["role"], turn["content"]) for turn in prompt_turns(problem, examples)]


def render_prompt(tokenizer: Any, problem: Problem, examples: int = 0) -> str:
    """The whole prompt as text, ready to be continued."""
    chat = chat_of(problem, examples)
    return chat_text(tokenizer, chat) if has_template(tokenizer) else _plain(chat)


def prompt_ids(tokenizer: Any, problem: Problem, examples: int = 0) -> tuple[int, ...]:
    """The same as token ids; a template writes its own special tokens."""
    chat = chat_of(problem, examples)
    if has_template(tokenizer):
        return chat_ids(tokenizer, chat)
    return text_ids(tokenizer, _plain(chat), start=True)


def _plain(chat: list[ChatMessage]) -> str:
    return "".join(f"{message.text}\n\n" for message in chat)


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _letter_choices(choices: tuple[str, ...]) -> str:
    return "\n".join(f"{chr(65 + index)}. {choice}" for index, choice in enumerate(choices))
