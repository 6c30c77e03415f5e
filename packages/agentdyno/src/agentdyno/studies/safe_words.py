"""Words that say nothing about whoever ran an agent: names that everybody in the field knows.

Takes a word and what it is used for, returns whether it may stand in a report for anybody. A
model's name is taken apart: `gpt-4.1-mini-2025-04-14` is safe because each of its pieces is, and a
fine-tune's own name is not.
"""

import re

WORDS: dict[str, frozenset[str]] = {
    stem: frozenset(words.split())
    for stem, words in {
        "tool": """
            Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS
            MultiEdit NotebookEdit NotebookRead Read Skill Task TodoRead TodoWrite ToolSearch
            WebFetch WebSearch Write apply_patch bash browser browser_click browser_navigate
            calculator click code_execution code_interpreter computer create_file curl delete_file
            edit edit_file execute execute_command exec_command fetch file_search find finish glob
            grep get_weather http_request image_generation insert list_dir list_directory
            list_files ls memory mkdir move_file navigate open open_url patch ping plan powershell
            python query read read_file read_many_files replace replace_in_file retrieve run
            run_command run_python run_shell_command run_terminal_cmd screenshot scroll search
            search_files search_replace shell sql str_replace str_replace_based_edit_tool
            str_replace_editor str_replace_editor submit terminal text_editor think tree type
            update_plan view view_image visit wait weather web_fetch web_search wikipedia write
            write_file write_stdin write_to_file prompt earlier decoded
            """,
        "benchmark": """
            aime aime24 aime25 agentbench appworld browsecomp gaia gpqa gsm8k hotpotqa humaneval
            livecodebench math math500 mbpp mmlu osworld swe-bench swe-bench_verified tau-bench
            tau2-bench tau_bench tau2_bench terminal-bench tir toolfail tps tps-bench webarena
            airline retail telecom
            """,
        "level": "easy medium hard low high very_hard trivial 0 1 2 3 4 5 6 7 8 9 10",
        "domain": "airline retail telecom medicine law finance cybersecurity general",
        "judge": """
            paper submitted ensemble phantom_call unused_call rollout heuristic
            """,
        "label": """
            positive non_positive useful useless harmful helpful neutral correct incorrect
            doubtful clear solved unsolved partial complete incomplete success failure none
            required control tool_skip result_ignore unnecessary_tool_use error_recovery refused
            yes no unknown
            """,
        "reason": """
            stop end_turn tool_use tool_calls function_call length max_tokens content_filter
            stop_sequence error refusal pause_turn unknown timeout cancelled max_turns completed
            incomplete model_length limit user
            """,
        "tier": "standard default priority flex batch auto scale on_demand",
        "option": """
            usd gpu_seconds pte paper width observed evicted reported kept auto exact fast estimate
            counted estimated count all none local ray h100-pcie h100-sxm h100 h200 a100 a100-40gb
            a100-80gb a100-sxm l4 l40s b200 b100
            mi300x t4 v100 rtx4090 rtx-4090 a10 a10g cpu custom
            """,
    }.items()
}
"""By what the words are used for."""
_PIECES = frozenset(
    """
    openai anthropic google meta metallama qwen alibaba mistral mistralai deepseek deepseekai ai
    xai cohere microsoft nvidia amazon bedrock azure vertex together fireworks groq openrouter
    huggingface hf models us eu apac latest preview beta exp experimental gpt chatgpt o1 o3 o4 oss
    claude opus sonnet haiku instant fable gemini gemma palm llama codellama mixtral ministral
    magistral codestral devstral pixtral qwq qvq coder grok command r plus phi kimi k2 moonshot
    moonshotai glm zhipu yi nova lite micro premier nemotron smollm smollm2 smollm3 olmo falcon
    dbrx jamba granite starcoder minimax hunyuan ernie step seed doubao mini nano small medium
    large xlarge max ultra pro flash turbo base chat instruct it thinking reasoning reasoner high
    low minimal fast vision vl audio omni code codex search distill moe dense scripted frontier
    open fp8 fp16 bf16 int4 int8 awq gptq gguf v non think
    """.split()
)
_NUMBER = re.compile(
    r"[vkorV]?\d{1,4}(?:\.\d{1,2})?[bBmMkKo]?|a\d{1,3}b|A\d{1,3}B|20\d{6}|\d{1,2}x\d{1,3}[bB]"
)
_BETWEEN = re.compile(r"[-_/:@ ]|\.(?=[a-z])")
_MIXED = re.compile(r"[A-Za-z]+|[\d.]+[A-Za-z]?")


def is_safe_word(stem: str, text: str) -> bool:
    """Whether everybody knows the word."""
    return text in WORDS.get(stem, ())


def is_safe_model(name: str) -> bool:
    """Whether every piece of a model's name is one that vendors use."""
    return len(name) <= 80 and all(map(_is_safe_piece, _BETWEEN.split(name.strip())))


def _is_safe_piece(piece: str) -> bool:
    low = piece.lower()
    if low in _PIECES or _NUMBER.fullmatch(piece):
        return True
    inner = _MIXED.findall(low)
    is_complete = "".join(inner) == low and bool(inner)
    return is_complete and all(part in _PIECES or _NUMBER.fullmatch(part) for part in inner)
