#!/bin/sh
# Runs the cells of one memory on a GPU machine without network, with vLLM from parts.
#   sh bench/eviction/run.sh UNPACKED OUT MEMORY [HOST_GIB [further arguments of serve.py]]
# UNPACKED is a folder with vLLM and what it imports; torch, triton and transformers are the
# machine's own. OUT gets the rows of every cell and the card's watts, twice a second.
set -e
unpacked=$1 out=$2 memory=$3 host=${4:-0}
shift 3
[ $# -gt 0 ] && shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
PYTHONPATH=$(cd "$unpacked" && pwd)
export PYTHONPATH PYTHONUNBUFFERED=1
nvidia-smi --query-gpu=timestamp,power.draw,utilization.gpu --format=csv,noheader,nounits -lms 500 \
  >"$out/power_${memory}_$host.csv" &
watching=$!
trap 'kill $watching' EXIT
python3 "$here/serve.py" --plan "$here/predictions.json" \
  --shape "$here/../serving/shapes/qwen3-8b" --memory "$memory" --host "$host" --out "$out" "$@"
