"""Answers of judges for every form: a good one, another that differs, and fourteen bad ones."""

from agentdyno.records.verdicts import SCORES
from agentdyno_bench.shared.judges.forms import MARKS, Form
from agentdyno_bench.shared.verdicts.answer_kind import FORM as ANSWER
from agentdyno_bench.toolfail.judge.blind import FORM as BLIND
from agentdyno_bench.toolfail.records import CONTROL_LABELS, REQUIRED_LABELS
from agentdyno_bench.utility.judge.utility_prompt import FORM as UTILITY

FORMS = {
    "utility": UTILITY,
    "failure": BLIND,
    "failure, required": Form(REQUIRED_LABELS, scores=tuple(SCORES)),
    "failure, control": Form(CONTROL_LABELS, scores=("answer_correctness",)),
    "answer": ANSWER,
    "completion": Form(MARKS, 0),
    "completion, three parts": Form(MARKS, 3),
}

REASON = "It named the error."


def good(form: Form, mark: int = 0) -> str:
    """An answer as asked for, with the label or mark of that number."""
    scores = "".join(f'"{name}": {score}, ' for score, name in enumerate(form.scores, 1))
    rest = f'{scores}"confidence": 0.8, "rationale": "{REASON}"'
    word = form.labels[mark]
    if form.parts is None:
        return f'{{"label": "{word}", {rest}}}'
    parts = ", ".join(
        f'{{"part": {number}, "mark": "{word}", "evidence": "seen"}}'
        for number in range(1, (form.parts or 2) + 1)
    )
    return f'{{"parts": [{parts}], {rest}}}'


def bad(form: Form) -> dict[str, tuple[str | None, str]]:
    """Answers that cannot be read, with the reason that is recorded."""
    plain, word, key = good(form), form.labels[0], form.key
    first = '"part": 1, "mark": '
    neutral = "the label is 'neutral'" if key == "label" else "the mark of part 1 cannot be read"
    number = "the label is 1" if key == "label" else "the mark of part 1 cannot be read"
    empty = "the label is None" if key == "label" else "the mark of part 1 cannot be read"
    place = '"label": ' if key == "label" else first
    return {
        "empty": ("", "the answer is empty"),
        "blank": ("  \n ", "the answer is empty"),
        "nothing": (None, "the answer is empty"),
        "prose": (f"I would clearly say {word} for this task.", "prose without an object"),
        "refusal": ("I'm sorry, but I cannot assist with that.", "the judge refused"),
        "unknown word": (plain.replace(f'{place}"{word}"', f'{place}"neutral"'), neutral),
        "a number": (plain.replace(f'{place}"{word}"', f"{place}1"), number),
        "null": (plain.replace(f'{place}"{word}"', f"{place}null"), empty),
        "two that differ": (f"{plain} {good(form, 1)}", "2 answers that differ"),
        "twice": (
            f'{{"{key}": "{word}", "{key}": "{form.labels[1]}"}}',
            f"the object names its {key} twice",
        ),
        "cut off": (plain[:12], "the object is cut off or malformed"),
        "other keys": (
            '{"useful": true}',
            f"an object without {'a label' if key == 'label' else 'parts'}",
        ),
        "braces": ("{" * 5000, "the object is cut off or malformed"),
        "a list": (
            f'{{"{key}": ["{word}"]}}' if key == "label" else '{"parts": []}',
            f"the label is ['{word}']" if key == "label" else "0 parts are marked",
        ),
    }
