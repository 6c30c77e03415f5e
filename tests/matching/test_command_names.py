"""Commands by what people would call them, as they stood in real sessions."""

import pytest

from agentdyno.matching.subjects import name_command


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("cd api && GOFLAGS=-v go test ./...", "go test"),
        ("# look first\ngit status", "git status"),
        ("for f in *.py; do wc -l $f; done", "wc"),
        ("git -C /Users/ada/shop status", "git status"),
        ("git --no-pager diff", "git diff"),
        ("git /Users/ada/shop", "git"),
        ("mise run lint", "mise run lint"),
        ("mise run test", "mise run test"),
        ("npm run build -- --watch", "npm run build"),
        ("uv run pytest -q", "uv run pytest"),
        ("docker run -it ubuntu", "docker run"),
        ("kubectl -n prod get pods", "kubectl get"),
        ("if [ -f a ]; then cat a; fi", "cat"),
        ("[ -f a ] && pytest", "pytest"),
        ("(cd x && make lint)", "make lint"),
        ("while true; do gh pr checks; done", "gh pr"),
        ("curl -s \\\n  https://example.org", "curl"),
        ("\\\nls", "ls"),
        ("python -m pytest tests", "python -m pytest"),
        ("true", "true"),
        ("", ""),
    ],
)
def test_a_command_has_the_name_that_people_give_it(line: str, name: str) -> None:
    assert name_command(line) == name
