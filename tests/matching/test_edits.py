"""What calls write into files, whatever the tool is called."""

import json

import pytest

from agentdyno.matching.edits import find_edits, line_key, new_lines

PATCH = """*** Begin Patch
*** Update File: src/a.py
@@
 def f():
-    return 1
+    return 2
*** Add File: src/b.py
+x = 1
*** End Patch"""
UNIFIED = (
    "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"
)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Edit", {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = 1\ny = 2"},
         [("a.py", ["y = 2"], [])]),
        ("edit", {"filePath": "a.py", "oldString": "x = 1\ny = 2", "newString": "x = 1"},
         [("a.py", [], ["y = 2"])]),
        ("MultiEdit", {"file_path": "a.py", "edits": [
            {"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]},
         [("a.py", ["b"], ["a"]), ("a.py", ["d"], ["c"])]),
        ("Write", {"file_path": "a.py", "content": "x = 1\n"}, [("a.py", ["x = 1"], [])]),
        ("mcp__files__write_file", {"path": "a.py", "content": "x = 1\n"},
         [("a.py", ["x = 1"], [])]),
        ("str_replace_based_edit_tool",
         {"command": "insert", "path": "a.py", "insert_line": 3, "insert_text": "x = 1"},
         [("a.py", ["x = 1"], [])]),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a.py"}, []),
        ("Read", {"file_path": "a.py", "text": "x"}, []),
        ("apply_patch", {"input": PATCH},
         [("src/a.py", ["    return 2"], ["    return 1"]), ("src/b.py", ["x = 1"], [])]),
        ("shell", {"command": ["apply_patch", PATCH]},
         [("src/a.py", ["    return 2"], ["    return 1"]), ("src/b.py", ["x = 1"], [])]),
        ("Bash", {"command": f"git apply <<'EOF'\n{UNIFIED}EOF"},
         [("src/a.py", ["    return 2"], ["    return 1"])]),
        ("Bash", {"command": "cd a && cat > b.py <<'EOF'\nx = 1\nEOF\npytest"},
         [("b.py", ["x = 1"], [])]),
        ("Bash", {"command": "python - <<'EOF'\nprint(1)\nEOF"}, []),
        ("replace_in_file", {"path": "a.py",
         "diff": "------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE"},
         [("a.py", ["x = 2"], ["x = 1"])]),
        ("Bash", {"command": "ls"}, []),
    ],
)  # fmt: skip
def test_edits_are_known_by_the_shape_of_their_arguments(
    tool: str, arguments: dict[str, object], expected: list[tuple[str, list[str], list[str]]]
) -> None:
    found = find_edits(tool, json.dumps(arguments))
    assert [(each.path, each.added, each.removed) for each in found] == expected


def test_text_that_is_no_json_is_a_patch_or_nothing() -> None:
    assert [each.path for each in find_edits("apply_patch", PATCH)] == ["src/a.py", "src/b.py"]
    assert find_edits("Write", "{broken") == []


def test_indents_quotes_and_commas_at_the_end_make_no_other_line() -> None:
    assert line_key("    f('a', 1),") == line_key('f("a",1)')
    assert line_key("    })") == ""
    assert new_lines(["x = 1", "x = 1"], ["  x = 1", "x = 1", "x = 1", "}"]) == ["x = 1"]
