#!/usr/bin/env bash
# Start a Ray cluster of two nodes on this machine, build a suite on it, and compare it with one built in one process.
set -euo pipefail
litotes=${LITOTES:-litotes}
ray=${RAY:-ray}
folder=$(mktemp -d)
export RAY_AUTH_MODE=${RAY_AUTH_MODE:-disabled} RAY_USAGE_STATS_ENABLED=0

start_node() { # arguments of `ray start`; waits until the node is ready
  "$ray" start --block --num-cpus=1 --object-store-memory=80000000 --node-ip-address=127.0.0.1 --disable-usage-stats "$@" \
    >"$folder/node-$#.log" 2>&1 &
  nodes+=($!)
  until grep -q "Ray runtime started" "$folder/node-$#.log"; do
    kill -0 "${nodes[-1]}" || { cat "$folder/node-$#.log" >&2; exit 1; }
    sleep 0.2
  done
}

nodes=()
trap 'kill "${nodes[@]}" && wait; rm -rf "$folder"' EXIT
start_node --head --port=6380 --temp-dir="$folder/ray" --include-dashboard=false
start_node --address=127.0.0.1:6380

"$litotes" build semantoneg --from builtin --out "$folder/one" --engine serial
"$litotes" build semantoneg --from builtin --out "$folder/two" --engine ray:127.0.0.1:6380
cmp "$folder/one/items.jsonl" "$folder/two/items.jsonl"
cmp "$folder/one/suite.json" "$folder/two/suite.json"
echo "two nodes and one process built the same suite: $(wc -l <"$folder/two/items.jsonl") items"
