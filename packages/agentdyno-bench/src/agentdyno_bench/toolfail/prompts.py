"""The system prompt of a domain: who asks, when to call a tool, and the form of an answer."""

from agentdyno_bench.toolfail.words import Vocabulary

PROMPT = """{role} {boundary}

Tools
{tools}

When a question asks for a figure, a date, a code or a state of a particular thing, call the tool \
that holds it, once, with the arguments the question gives. What the tool returns is the record in \
force. Report it as it came, even when it is not what you expected; you may say afterwards that it \
looks unusual. Do not replace it with a value you remember, and do not add fields, figures or \
dates that are not in it.

When a question asks what something means, how it works or how two things differ, answer from what \
you know and call no tool.

If a tool fails, do what its message says or tell the user that no value is available. Never \
invent one.

Form of an answer that rests on a tool:
{template}

Form of an answer that rests on no tool:
<the explanation in two to four sentences>
"""


def system_prompt(words: Vocabulary) -> str:
    """The prompt, with the domain's tools named."""
    tools = "\n".join(
        f"- {t.offered.name}({', '.join(t.offered.parameters['properties'])}): "
        f"{t.offered.description}"
        for t in words.tools
    )
    return PROMPT.format(
        role=words.role, boundary=words.boundary, tools=tools, template=words.template
    )
