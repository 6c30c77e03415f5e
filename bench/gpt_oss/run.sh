#!/bin/bash
# Starts one engine for each name side by side, then measures them one after the other.
#   bash bench/gpt_oss/run.sh UNPACKED OUT NAME …
# UNPACKED is a folder with vLLM and what it imports; torch, triton and transformers are the
# machine's own. OUT gets steps_NAME.jsonl, log_NAME.txt and power.csv. An engine that is not
# ready after 240 seconds, or not done after 140, is left out.
unpacked=$(cd "$1" && pwd) out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
mkdir -p "$out" "$work/plugin/gpt_oss_plugin-1.0.dist-info"
cp "$here/plugin.py" "$work/plugin/"
printf 'Metadata-Version: 2.1\nName: gpt-oss-plugin\nVersion: 1.0\n' >"$work/plugin/gpt_oss_plugin-1.0.dist-info/METADATA"
printf '[vllm.general_plugins]\ngpt_oss = plugin:register\n' >"$work/plugin/gpt_oss_plugin-1.0.dist-info/entry_points.txt"
export PYTHONPATH="$work/plugin:$unpacked" PYTHONUNBUFFERED=1
nvidia-smi --query-gpu=timestamp,power.draw,clocks.sm --format=csv,noheader,nounits -lms 500 >"$out/power.csv" &
watching=$!
stop() { kill "$watching"; for file in "$work"/*.pid; do kill -9 -- "-$(cat "$file")"; done; } 2>/dev/null
trap stop EXIT
trap 'exit 1' TERM INT
for name in "$@"; do
  VLLM_CACHE_ROOT=$work/$name/vllm TRITON_CACHE_DIR=$work/$name/triton TORCHINDUCTOR_CACHE_DIR=$work/$name/inductor \
    setsid python3 "$here/measure.py" --name "$name" --out "$out" --turns "$work" >"$out/log_$name.txt" 2>&1 &
  echo $! >"$work/$name.pid"
done
alive() { kill -0 "$(cat "$work/$1.pid")" 2>/dev/null; }
begun=$SECONDS
for name in "$@"; do
  while alive "$name" && [ ! -e "$work/$name.ready" ] && [ $((SECONDS - begun)) -lt 240 ]; do sleep 0.5; done
  [ -e "$work/$name.ready" ] && echo "$name ready after $((SECONDS - begun)) s" || { echo "$name did not start"; kill -9 -- "-$(cat "$work/$name.pid")"; }
done
for name in "$@"; do
  [ -e "$work/$name.ready" ] || continue
  touch "$work/$name.go"
  since=$SECONDS
  while alive "$name" && [ $((SECONDS - since)) -lt 140 ]; do sleep 0.2; done
  kill -9 -- "-$(cat "$work/$name.pid")" 2>/dev/null
  echo "$name measured in $((SECONDS - since)) s"
  tail -n 3 "$out/log_$name.txt"
done
for name in "$@"; do
  grep -hE "MoE backend|attention backend|FlashAttention|cudagraph|Error" "$out/log_$name.txt" | cut -c1-200 | sort -u | head -8
done
