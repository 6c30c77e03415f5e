"""One command of a shell line: its words in, the program it really runs and what that does out.

Looks through wrappers (sudo, env, timeout, xargs, uv run, docker exec …), modules (python -m) and
commands within commands (find -exec), then asks the rules: a program, its subcommand, its flags.
What the rules do not know runs, so it may write.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from agentdyno.matching.effects.effect import ANYTHING, Action, Effect, together
from agentdyno.matching.effects.rules import Rules
from agentdyno.matching.effects.sql import effect_of_sql, looks_like_sql

Word = str | None
"""None where only a running shell would know."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_VERSIONED = re.compile(r"(python|pip|node|ruby|perl|gcc|g\+\+|clang|php|java|lua|pypy)[\d.]+\Z")
_PYTHON = frozenset(["python", "python3", "python2", "py", "pypy"])
_CLUSTERED = frozenset(["curl", "sed", "sort", "yq", "gofmt", "tree", "unzip", "tar", "git clean"])
"""Programs whose one-letter flags may stand together."""
_QUIET = frozenset(
    """cd echo printf export set unset true false : test [ [[ local declare readonly exit return
    break continue let shift pushd popd alias shopt trap read source . umask command
    builtin""".split()
)
"""Parts of the shell that are no programs anybody would name."""
_PATTERN_FIRST = frozenset("grep egrep fgrep rg ag ack sed awk jq yq zgrep ast-grep sg".split())
_NO_PATHS = frozenset(
    """echo printf date pwd whoami id uname hostname true false which type seq sleep export set cd
    nproc uptime printenv env expr test [ [[ clear exit return ps pgrep top free""".split()
)
_FILTERS = frozenset(
    """head tail wc sort uniq cut tr cat less more jq awk sed grep egrep fgrep column fold nl rev
    tac xxd od base64 paste fmt comm tee""".split()
)
"""Programs that read what is piped into them when no file is named."""
_DESTINATION_LAST = frozenset("cp ln install rsync scp".split())
_AWK_OUTPUT = re.compile(r"""print[^;}]{0,200}>\s*["'$\w]|system\s*\(|\|\s*["']""")
_SED_OUTPUT = re.compile(r"(?:\A|[;}/\d]\s*)w\s+\S|s(.).{0,80}\1.{0,80}\1\w*w\s")
_ABOUT_ITSELF = "it only tells about itself"
_TASK = re.compile(r"[^a-z]+")
_METHOD = re.compile(r"-X(\w+)\Z|--request=(\w+)\Z")


class ProgramEffect(Struct, frozen=True):
    effect: Effect
    inner: str | None = None
    """A shell line that it hands on, to be parsed in its turn."""


def effect_of_program(
    words: Sequence[Word], rules: Rules, script: str | None = None
) -> ProgramEffect:
    """The effect of one command; `script` is what it is fed as a heredoc."""
    bare, dynamic = _unwrap(list(words), rules)
    if not bare or bare[0] is None:
        why = "the program is not known before the line runs"
        return ProgramEffect(Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), why))
    name = _base(bare[0], rules)
    arguments = bare[1:]
    if name in _PYTHON and (module := _module(arguments)) is not None:
        return effect_of_program([module[0].replace("_", "-"), *module[1]], rules, script)
    if name in ("ssh", "eval") and (line := _find_handed_on(name, arguments)) is not None:
        return ProgramEffect(Effect("reads", "parsed", (name,) if name == "ssh" else ()), line)
    if name == "find":
        return ProgramEffect(_find(arguments, rules))
    return ProgramEffect(_find_known(name, arguments, rules, script, dynamic))


def _unwrap(words: list[Word], rules: Rules) -> tuple[list[Word], bool]:
    """The command behind its wrappers, and whether its last words come from elsewhere (xargs)."""
    dynamic = False
    for _ in range(8):
        while words and words[0] is not None and _ASSIGNMENT.match(words[0]):
            words = words[1:]
        if not words or words[0] is None:
            return words, dynamic
        wrapper, length = _wrapper(words, rules)
        if wrapper is None:
            return words, dynamic
        if wrapper == "command" and words[1:2] in (["-v"], ["-V"]):
            return ["which", *words[2:]], dynamic
        behind = _behind(words[length:], wrapper, rules)
        if not behind:
            return words, dynamic
        dynamic = dynamic or wrapper == "xargs"
        words = behind
    return words, dynamic


def _wrapper(words: list[Word], rules: Rules) -> tuple[str | None, int]:
    name = _plain_base(words[0] or "")
    for length in (3, 2, 1):
        parts = [name, *(w for w in words[1:length])]
        if len(parts) < length or any(p is None for p in parts):
            continue
        key = " ".join(p or "" for p in parts)
        if key in rules.wrappers or key in rules.named:
            return key, length
    return None, 0


def _behind(words: list[Word], wrapper: str, rules: Rules) -> list[Word]:
    """The words behind a wrapper's own flags."""
    valued = rules.wrappers.get(wrapper, frozenset())
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        if word is None or not word.startswith("-") or word == "-":
            break
        at += 2 if word in valued and "=" not in word else 1
    if wrapper in rules.counted:
        at += 1
    if wrapper in rules.named:
        at += 1
        if words[at : at + 1] == ["--"]:
            at += 1
    return words[at:]


def _plain_base(word: str) -> str:
    return word.rstrip("/").rpartition("/")[2] or word


def _base(word: str, rules: Rules) -> str:
    """The program's name: without its folder and version, where the rules know it so."""
    base = _plain_base(word)
    if versioned := _VERSIONED.match(base):
        base = versioned[1]
    return base.removesuffix(".exe")


def _module(words: list[Word]) -> tuple[str, list[Word]] | None:
    """The module that `python -m` runs, with its words."""
    for at, word in enumerate(words):
        if word == "-m" and words[at + 1 : at + 2] and words[at + 1] is not None:
            module = words[at + 1] or ""
            return ("jq" if module == "json.tool" else module), words[at + 2 :]
        if word is None or not word.startswith("-") or word in ("-c", "-"):
            return None
    return None


def _find_handed_on(name: str, words: list[Word]) -> str | None:
    inner = words
    if name == "ssh":
        places = [n for n, w in enumerate(words) if w is not None and not w.startswith("-")]
        inner = words[places[0] + 1 :] if places else []
    if not inner or any(word is None for word in inner):
        return None
    return " ".join(word or "" for word in inner)


def _find(words: list[Word], rules: Rules) -> Effect:
    """`find` itself looks; what it is told to do with what it finds is another command."""
    places = [n for n, w in enumerate(words) if w in ("-exec", "-execdir", "-ok", "-okdir")]
    inner = []
    for at in places:
        ends = [n for n in range(at, len(words)) if words[n] in (";", "+", "\\;")]
        stop = ends[0] if ends else len(words)
        inner.append(effect_of_program(words[at + 1 : stop], rules).effect)
    stop = next((n for n, w in enumerate(words) if w and w.startswith(("-", "(", "!"))), len(words))
    paths = tuple(w for w in words[:stop] if w) or (ANYTHING,)
    if any(w in ("-delete", "-fprint", "-fls", "-fprintf") for w in words):
        return Effect("writes", "parsed", ("find",), paths, paths, "find -delete")
    return together([Effect("reads", "parsed", ("find",), paths, why="find"), *inner])


def _find_known(
    name: str, words: list[Word], rules: Rules, script: str | None, dynamic: bool
) -> Effect:
    texts = [word if word is not None else "\x00" for word in words]
    key, arguments, action = _action(name, texts, rules)
    why = key
    certain = action is not None
    if flagged := _by_flags(key, name, texts, rules, action):
        action, why = flagged
        certain = True
    if action is None:
        action, why = "runs", f"{name} is in no rule"
    if sql := _sql(name, texts, script):
        return Effect(sql.action, sql.certainty, (name,), sql.reads, sql.writes, sql.why)
    programs = () if name in _QUIET else (rules.rename.get(key, rules.rename.get(name, key)),)
    reads, writes = _resources(name, action, arguments, dynamic)
    if why == _ABOUT_ITSELF:
        reads = ()
    elif (touched := _find_touched(key, action, arguments, rules)) is not None:
        reads, writes = touched
    elif action == "reads" and key != name:
        reads = (ANYTHING,)
    elif action == "reads" and script is not None and not arguments:
        reads = ()
    checks = action == "runs" and _is_check(key, arguments, rules)
    return Effect(action, "parsed" if certain else "unknown", programs, reads, writes, why, checks)


def _is_check(key: str, words: list[str], rules: Rules) -> bool:
    """True for a test, a linter or a build, by its name or by the task that it runs."""
    if key in rules.checks or key.partition(" ")[0] in rules.checks:
        return True
    if key not in rules.runners:
        return False
    task = next((w for w in words if not w.startswith("-") and "=" not in w), "")
    return bool(task) and not rules.checking.isdisjoint(_TASK.split(task.lower()))


def _find_touched(
    key: str, action: Action, words: list[str], rules: Rules
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Resources of a subcommand, by the rules."""
    touches = rules.touches.get(key) or rules.touches.get(" ".join(key.split()[:2]))
    if touches is None or (action == "writes" and not touches.writes):
        return None
    paths = _paths(words)
    spelled = {"PATHS": paths, "FILES": [w for w in words if _is_file(w)]}
    reads = [p for word in touches.reads.split() for p in spelled.get(word, [word])]
    if key == "git commit" and any(_takes_all(word) for word in words):
        reads.append(ANYTHING)
    return tuple(reads), tuple(touches.writes.split()) if action == "writes" else ()


def _paths(words: list[str]) -> list[str]:
    """The paths among the words of a git command; revisions are none."""
    behind = words[words.index("--") + 1 :] if "--" in words else words
    named = [w for w in behind if w and not w.startswith(("-", ":")) and "\x00" not in w]
    if "--" not in words:
        if any(".." in w and "/" not in w.replace("../", "") for w in named):
            return [".git"]
        named = [w for w in named if "/" in w or "." in w]
    elif any(".." in w for w in words[: words.index("--")]):
        return [".git"]
    return named or [ANYTHING]


def _is_file(word: str) -> bool:
    """True for what an installer reads off the disk: `.`, `./pkg`, `requirements.txt`; not
    `numpy==1.2`.
    """
    if word.startswith(("-", "http", "git+")) or "\x00" in word:
        return False
    bare = word.partition("[")[0]
    return bare.startswith((".", "/", "~")) or bare.endswith((".txt", ".toml", ".whl", ".gz"))


def _takes_all(flag: str) -> bool:
    """`git commit -a`: what is changed in the files goes in, staged or not."""
    return flag == "--all" or (flag[:1] == "-" and flag[1:2] != "-" and "a" in flag[1:])


def _action(name: str, words: list[str], rules: Rules) -> tuple[str, list[str], Action | None]:
    """Program with subcommand, the words behind it, and its action by the rules."""
    key, arguments = name, words
    if name not in rules.subcommands:
        return key, arguments, rules.programs.get(name)
    while True:
        table = rules.subcommands[key]
        sub, behind = _subcommand(arguments, rules.valued.get(key, frozenset()))
        if sub is None:
            flags = [table.listed[w] for w in arguments if w in table.listed]
            fallback = table.bare or (rules.programs.get(name) if key == name else None)
            return key, arguments, flags[0] if flags else fallback or table.default
        longer = f"{key} {sub}"
        if longer in rules.subcommands:
            key, arguments = longer, behind
            continue
        if table.single and len([w for w in arguments if not w.startswith("-")]) == 1:
            return key, arguments, table.single
        displayed = longer if key == name or table.listed else key
        return displayed, behind, table.listed.get(sub, table.default)


def _subcommand(words: list[str], valued: frozenset[str]) -> tuple[str | None, list[str]]:
    at = 0
    while at < len(words):
        word = words[at]
        if not word.startswith("-"):
            return word, words[at + 1 :]
        at += 2 if word in valued else 1
    return None, []


def _by_flags(
    key: str, name: str, words: list[str], rules: Rules, action: Action | None
) -> tuple[Action, str] | None:
    """The action that flags make of it."""
    if any(word in rules.harmless for word in words):
        return "reads", _ABOUT_ITSELF
    for which in dict.fromkeys((key, " ".join(key.split()[:2]), name)):
        if flag := _has_flag(which, words, rules.writing_flags.get(which, frozenset())):
            if which == "curl" and _is_read_by_curl(words, flag):
                continue
            return "writes", f"{which} {flag}"
        if action != "reads" and (
            flag := _has_flag(which, words, rules.reading_flags.get(which, frozenset()))
        ):
            return "reads", f"{which} {flag}"
    method = _method(name, words)
    if method is not None:
        return ("reads" if method in ("GET", "HEAD", "OPTIONS") else "writes"), f"method {method}"
    text = " ".join(words)
    if name in ("awk", "gawk", "mawk") and _AWK_OUTPUT.search(text):
        return "writes", "awk prints to a file or runs a command"
    if name == "sed" and any(_SED_OUTPUT.search(word) for word in words[:4]):
        return "writes", "sed writes a file"
    if name == "aws" and len(words) > 1 and words[1].startswith(("describe-", "list-", "get-")):
        return "reads", f"aws {words[1]}"
    if name in ("gcloud", "az", "linear") and {"list", "describe", "show"} & set(words):
        return "reads", f"{name} list or describe"
    if name in ("source", "."):
        return "runs", "a script is sourced"
    return None


def _has_flag(name: str, words: list[str], flags: frozenset[str]) -> str | None:
    letters = {flag[1] for flag in flags if len(flag) == 2 and flag[0] == "-"}
    for word in words:
        if word in flags or word.partition("=")[0] in flags:
            return word
        if word[:1] == "-" and word[1:2] != "-" and name in _CLUSTERED:
            cluster = word[1:] if name != "sed" else word[1:3]
            if letters & set(cluster) and (name != "curl" or cluster.isalpha()):
                return word
    return None


def _is_read_by_curl(words: list[str], flag: str) -> bool:
    """Output that is thrown away or shown, or data sent as the query of a GET."""
    if "-G" in words or "--get" in words:
        return True
    at = words.index(flag)
    target = words[at + 1] if at + 1 < len(words) else ""
    output = flag.partition("=")[0] in ("--output", "-o") or (
        flag[:1] == "-" and flag[1:2] != "-" and flag.endswith("o")
    )
    return (
        output
        and target in ("/dev/null", "-")
        and not _has_flag(
            "curl",
            [w for w in words if w != flag],
            frozenset(["-d", "--data", "-F", "-T", "--json"]),
        )
    )


def _method(name: str, words: list[str]) -> str | None:
    if name not in ("curl", "gh", "http", "wget"):
        return None
    for at, word in enumerate(words):
        if word in ("-X", "--request", "--method") and at + 1 < len(words):
            return words[at + 1].upper()
        if match := _METHOD.match(word):
            return (match[1] or match[2]).upper()
    return None


def _sql(name: str, words: list[str], script: str | None) -> Effect | None:
    if name not in ("sqlite3", "psql", "mysql", "duckdb", "bq"):
        return None
    texts = [w for w in words if looks_like_sql(w)] or ([script] if script else [])
    if texts:
        return together(effect_of_sql(text) for text in texts)
    if any(w in ("-l", "--list") or w.startswith((".sch", ".tab", "\\d")) for w in words):
        return Effect("reads", "parsed", why="lists what there is")
    return Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), "no statement is shown")


def _resources(
    name: str, action: Action, words: list[str], dynamic: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The resources that it reads and those that it changes."""
    if name in _NO_PATHS or action == "waits":
        return (), ()
    named = [w for w in words if w and not w.startswith("-") and "\x00" not in w]
    unknown = dynamic or any("\x00" in w or w == "{}" for w in words)
    if action == "runs":
        return (ANYTHING,), (ANYTHING,)
    if action == "reads":
        paths = named[1:] if name in _PATTERN_FIRST and "-f" not in words else named
        if not paths and not unknown and name in _FILTERS and not _is_recursive(words):
            return (), ()  # It reads what is piped into it.
        return (tuple(paths) if paths and not unknown else (ANYTHING,)), ()
    if name in _DESTINATION_LAST and len(named) > 1 and not unknown:
        return tuple(named[:-1]), (named[-1],)
    if name in ("rm", "mv", "mkdir", "touch", "chmod", "rmdir", "tee", "sed", "truncate", "unlink"):
        changed = named[1:] if name in ("sed", "chmod") else named
        if changed and not unknown:
            return (tuple(changed) if name in ("mv", "sed") else ()), tuple(changed)
    return (ANYTHING,), (ANYTHING,)


def _is_recursive(words: list[str]) -> bool:
    """`grep -rn`: without a path it goes through the folder."""
    flags = [w for w in words if w[:1] == "-" and w[1:2] != "-"]
    return any("r" in w.lower() for w in flags) or "--recursive" in words
