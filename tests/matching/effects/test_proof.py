"""A proof that a call only reads: shell lines and SQL of what never writes, and nothing else."""

from typing import Any

import pytest

from agentdyno.matching.effects import proves_reading

READING = """ls -la
cat a.txt | head -5
rg foo src
git log --oneline -5
sed -n '1,20p' f
find . -name '*.py' -type f
cd a && ls
ls missing 2>/dev/null
ls 2>&1
sort a | wc -l
[ -f x ] && cat x
kubectl get pods -n prod
diff a b"""

NOT_PROVEN = r"""ls > x
ls; rm x
ls | tee x
sort -o x a
sort -ro x a
sort --outp=x a
find . -delete
find . -exec rm {} +
find . $ARGS
rg --pre ./run x
fd -x rm
sed -i s/a/b/ f
sed -n '1w x' f
sed -n 1,5p -i f
awk 'BEGIN{system("rm x")}'
ls | xargs rm
X=1 ls
GIT_PAGER=./run git log
git -c core.pager=./run log
git log --output=x
git diff --out x
git branch x
git reflog expire --all
trap 'rm x' EXIT
ls $(rm x)
ls `rm x`
cat <(rm x)
f() { rm x; }; f
for i in 1 2; do cat $i; done
curl https://shop.example/redeem
date -s tomorrow
hostname other
dmesg -C
uniq a b
sudo ls
bash -c 'ls'
eval ls
python x.py
$CMD
\rm x
/bin/rm x
./ls
command rm x
source x
export A=1
alias ls=rm
pip config set a b
npm audit fix
gcloud compute instances delete list
echo ls | sh
history -c"""


@pytest.mark.parametrize("line", READING.splitlines())
def test_lines_of_programs_that_only_read_are_proven(line: str) -> None:
    assert proves_reading("Bash", {"command": line, "description": "look", "timeout": 5})


@pytest.mark.parametrize("line", [*NOT_PROVEN.splitlines(), "", "#", "ls &&\nrm x", "(" * 500])
def test_a_line_with_anything_else_is_not(line: str) -> None:
    assert not proves_reading("bash", {"command": line})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("thermostat", {"command": "ls"}),
        ("send_command", {"command": "ls"}),
        ("run", {"command": "ls"}),
        ("bash", {"command": "ls", "script": "rm x"}),
        ("bash", {"command": "ls", "on_exit": "rm x"}),
        ("bash", {"command": ["rm", "x"]}),
        ("bash", "ls"),
        ("bash", None),
        ("", {"command": "ls"}),
        ("delete_matching", {"query": "SELECT a FROM t"}),
        ("query_and_email", {"sql": "SELECT a FROM t"}),
        ("query_db", {"sql": "SELECT a FROM t", "export_to": "x.csv"}),
        ("query_db", {"sql": "SELECT a FROM t", "query": "DELETE FROM t"}),
        ("query_db", {"sql": "SELECT nextval('s')"}),
        ("query_db", {"sql": "SELECT tidy_up()"}),
        ("get_order", {"id": 1}),
        ("http_get", {"method": "GET", "url": "https://x.example/redeem"}),
    ],
)
def test_other_tools_and_other_arguments_prove_nothing(tool: str, arguments: Any) -> None:
    assert not proves_reading(tool, arguments)


@pytest.mark.parametrize("tool", ["run_sql", "mcp__db__query", "sql_db_query", "readQuery"])
def test_queries_of_a_tool_for_sql_are_proven(tool: str) -> None:
    assert proves_reading(tool, {"query": "SELECT a, count(*) FROM t GROUP BY a", "limit": 5})
