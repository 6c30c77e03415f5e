#!/bin/sh
# Runs one shape of the serving study on a GPU machine without network, with vLLM from parts.
#   sh bench/serving/run.sh PARTS OUT PLAN SHAPE [further arguments of serve.py]
# PARTS holds vllm.txz.00, .01, … (`tar` and `xz` of a folder with vLLM and what it imports; torch,
# triton and transformers are the machine's own). OUT gets the rows and power.csv, the card's
# watts twice a second. PLAN is a file of this folder, SHAPE one of its shapes.
set -e
parts=$1 out=$2 plan=$3 shape=$4
shift 4
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
if [ ! -d "$parts/unpacked" ]; then
  mkdir "$parts/unpacked"
  cat "$parts"/vllm.txz.* | xz -dc -T8 | tar xf - -C "$parts/unpacked"
fi
PYTHONPATH="$(cd "$parts/unpacked" && pwd):$here/packages/agentdyno/src:$here/packages/agentdyno-depth/src"
export PYTHONPATH PYTHONUNBUFFERED=1
nvidia-smi --query-gpu=timestamp,power.draw,utilization.gpu --format=csv,noheader,nounits -lms 500 \
  >"$out/power_$shape.csv" &
watching=$!
trap 'kill $watching' EXIT
python3 "$here/bench/serving/serve.py" --shape "$shape" --shapes "$here/bench/serving/shapes" \
  --plan "$here/bench/serving/$plan" --out "$out" --limit 330 "$@"
