"""Shell lines, parsed and never run: a line in, its commands, programs and effect out.

tree-sitter's Bash grammar reads pipes, lists, loops, substitutions, heredocs and redirections, and
goes on behind what it cannot read; a line with such a place is of unknown effect beside what was
read. `bash -c`, `eval`, `xargs`, `sudo` and their like are looked through.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.matching.effects.effect import ANYTHING, PACKAGES, Effect, together
from agentdyno.matching.effects.programs import Word, effect_of_program
from agentdyno.matching.effects.rules import Rules, default_rules

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 60_000
"""Characters of a line that are parsed; a heredoc of a whole file is within that."""
MOST_COMMANDS = 400
MOST_NESTED = {"|": 800, "=(": 100}
"""Signs that the parser takes quadratic time for; a line with more of them is not parsed."""
DEEPEST = 4
"""How often a command may hold another shell line."""
_SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "fish"])
_ABSOLUTE = ("/", "~", "$", "http", "git:", "github:", PACKAGES)
_NOWHERE = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty", "&1", "&2")


SHELL_KEYS = ("command", "cmd", "keystrokes", "shell_command", "bash_command", "script")
"""Arguments that hold a shell line."""


class Command(Struct, frozen=True):
    """One command of a line: its words, and what its output is sent to."""

    words: tuple[Word, ...]
    """Program and arguments, unquoted; None where only a running shell would know."""
    outputs: tuple[str, ...] = ()
    """Files that it is redirected to."""
    inputs: tuple[str, ...] = ()
    """Files that it is fed from."""
    script: str | None = None
    """The text that it is fed as a heredoc."""


def effect_of_command(line: str, rules: Rules | None = None) -> Effect:
    """The effect of a shell line."""
    active_rules = rules or default_rules()
    return _find_effect(line, active_rules) if len(line) < 4_000 else _effect(line, active_rules, 0)


@lru_cache(maxsize=4096)
def _find_effect(line: str, rules: Rules) -> Effect:
    return _effect(line, rules, 0)


def _effect(line: str, rules: Rules, depth: int) -> Effect:
    commands, broken = parse(line)
    folder = ""
    effects = []
    for command in commands:
        words = command.words
        if words and words[0] == "cd" and len(words) > 1 and words[1]:
            folder = words[1]
        effects += list(_of_command(command, rules, depth, folder))
    if broken or len(line) > LONGEST:
        why = "part of the line cannot be parsed"
        effects.append(Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), why))
    return together(effects)


def _of_command(command: Command, rules: Rules, depth: int, folder: str) -> Iterator[Effect]:
    for target in command.outputs:
        if target not in _NOWHERE and not target.startswith("&"):
            written = _within(folder, target) if target else ANYTHING
            yield Effect(
                "writes", "parsed", writes=(written,), why=f"output to {target or 'a file'}"
            )
    for target in command.inputs:
        yield Effect("reads", "parsed", reads=(_within(folder, target),))
    if not command.words:
        return
    inner = _inner_line(command)
    if inner is not None and depth < DEEPEST:
        yield _effect(inner, rules, depth + 1)
        return
    program = effect_of_program(command.words, rules, command.script)
    if program.inner is not None and depth < DEEPEST:
        yield _effect(program.inner, rules, depth + 1)
    yield Effect(
        program.effect.action,
        program.effect.certainty,
        program.effect.programs,
        tuple(_within(folder, path) for path in program.effect.reads),
        tuple(_within(folder, path) for path in program.effect.writes),
        program.effect.why,
        program.effect.checks,
    )


def _inner_line(command: Command) -> str | None:
    """The line that `bash -c` or a heredoc hands to a shell."""
    name = (command.words[0] or "").rpartition("/")[2]
    if name not in _SHELLS:
        return None
    for at, word in enumerate(command.words[1:], 1):
        if word is None:
            return None
        if word.startswith("-") and "c" in word.lstrip("-") and not word.startswith("--"):
            arguments = command.words[at + 1 :]
            return arguments[0] if arguments else None
        if not word.startswith("-"):
            return None
    return command.script


def _within(folder: str, path: str) -> str:
    """A path as seen from where the line began."""
    if not folder or path == ANYTHING or path.startswith(_ABSOLUTE):
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"


@lru_cache(maxsize=1)
def _parser() -> "Parser":
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(line: str) -> tuple[list[Command], bool]:
    """The commands of a line, and True when some of it could not be read."""
    if any(line.count(sign) > most for sign, most in MOST_NESTED.items()):
        return [], True
    tree = _parser().parse(line[:LONGEST].encode("utf-8", "replace"))
    commands: list[Command] = []
    # Without recursion: a hostile line may be nested deeper than Python's stack.
    stack: list[tuple[Any, tuple[Any, ...]]] = [(tree.root_node, ())]
    while stack and len(commands) < MOST_COMMANDS:
        node, redirects = stack.pop()
        if node.type == "redirected_statement":
            here_redirects = tuple(c for c in node.children if c.type.endswith("redirect"))
            body = [c for c in node.children if not c.type.endswith("redirect")]
            # Of a pipeline or a list, the redirection belongs to the last command.
            stack += [(child, (*here_redirects, *redirects)) for child in body]
            stack += [(redirect, ()) for redirect in here_redirects]
            if not body:
                commands.append(_command(None, here_redirects))
            continue
        if node.type in ("command", "declaration_command", "unset_command", "test_command"):
            commands.append(_command(node, redirects))
            redirects = ()
        elif node.type == "heredoc_redirect" and not redirects:
            pass
        elif redirects and node.type not in ("list", "pipeline", "subshell", "negated_command"):
            commands.append(_command(None, redirects))
            redirects = ()
        children = node.children
        for index, child in enumerate(children):
            last = index == len(children) - 1
            stack.append((child, redirects if last else ()))
    commands.reverse()
    broken = tree.root_node.has_error or bool(stack)
    return commands, broken


@lru_cache(maxsize=1024)
def node_types(line: str) -> frozenset[str]:
    """The kinds of everything in the parse of a line."""
    types: set[str] = set()
    stack = [_parser().parse(line[:LONGEST].encode("utf-8", "replace")).root_node]
    while stack:
        node = stack.pop()
        types.add(node.type)
        stack += node.children
    return frozenset(types)


def _command(node: "Node | None", redirects: tuple["Node", ...]) -> Command:
    words: list[Word] = []
    all_redirects = list(redirects)
    for child in node.children if node is not None else ():
        if child.type == "variable_assignment":
            continue
        if child.type.endswith("redirect"):
            all_redirects.append(child)
        elif child.type == "command_name":
            words.append(_word(child.children[0] if child.children else child))
        elif child.type not in ("comment",):
            words.append(_word(child))
    outputs, inputs, script = [], [], None
    for redirect in all_redirects:
        kind = redirect.type
        if kind == "heredoc_redirect":
            script = _child_text(redirect, "heredoc_body")
            nested = [c for c in redirect.children if c.type == "file_redirect"]
            outputs += [_target(c) for c in nested if _is_output(c)]
        elif kind == "herestring_redirect":
            script = _word(redirect.children[-1]) or ""
        elif _is_output(redirect):
            outputs.append(_target(redirect))
        elif (target := _target(redirect)) and not target.isdigit():
            inputs.append(target)
    return Command(tuple(words), tuple(outputs), tuple(inputs), script)


def _is_output(redirect: "Node") -> bool:
    return any(c.type in (">", ">>", "&>", "&>>", ">|", ">&") for c in redirect.children) and not (
        _target(redirect).isdigit()
    )


def _target(redirect: "Node") -> str:
    return (_word(redirect.children[-1]) or "") if redirect.children else ""


def _child_text(node: "Node", kind: str) -> str:
    return next((_text(c) for c in node.children if c.type == kind), "")


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _word(node: "Node") -> Word:
    """A word without its quotes; None when it holds what only a running shell would know."""
    kind = node.type
    text = _text(node)
    if kind == "raw_string":
        return text[1:-1]
    if kind == "ansi_c_string":
        return text[2:-1]
    if kind in ("string", "concatenation", "command_name"):
        pieces = [_word(c) for c in node.children if c.type not in ('"', "$")]
        if kind == "string" and not node.children[1:-1]:
            return text[1:-1]
        if any(piece is None for piece in pieces):
            return None
        return "".join(piece or "" for piece in pieces)
    if kind in ("simple_expansion", "expansion", "command_substitution", "process_substitution"):
        return None
    if kind == "string_content":
        return text.replace('\\"', '"').replace("\\$", "$").replace("\\`", "`")
    return text.replace("\\", "") if "\\" in text and kind == "word" else text


def shell_line(arguments: Any, keys: Sequence[str] = SHELL_KEYS) -> str | None:
    """The shell line of a call's decoded arguments; None when there is none."""
    if not isinstance(arguments, dict):
        return None
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            return _argv(value)
    return None


def _argv(words: list[str]) -> str:
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and "c" in words[1]:
        return words[2]
    import shlex

    return shlex.join(words)
