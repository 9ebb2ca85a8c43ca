#!/bin/sh
# The examples: small, reproducible, and good for every machine.
set -u
. "$(dirname "$0")/common.inc"

examples=$root/examples
vectoradd_is_reproducible() {
	"$examples/vectoradd" "$work/vectoradd" && diff -r "$examples/traces/vectoradd" "$work/vectoradd"
}
claim "examples/traces/vectoradd is what examples/vectoradd writes" vectoradd_is_reproducible

vectoradd_runs_everywhere() {
	for file in "$root"/machines/*.yaml; do
		exits 0 "$sluice" run "$examples/traces/vectoradd" --machine "$file" || return 1
		grep -q ' done ' "$work/out" || { cat "$work/out" && return 1; }
	done
}
claim "it runs to its end on every machine" vectoradd_runs_everywhere

rowwalk_prefers_gto() {
	"$examples/rowwalk" "$work/rowwalk" || return 1
	for policy in lrr gto; do
		"$sluice" run "$work/rowwalk" --machine gtx480-ciao --policy $policy 2>/dev/null |
			awk '/ done / { gsub(",", ""); print $6 }' >"$work/$policy"
	done
	echo "cycles: lrr $(cat "$work/lrr"), gto $(cat "$work/gto")"
	[ "$(cat "$work/gto")" -lt "$(cat "$work/lrr")" ]
}
claim "greedy warps keep the row walk's lines longer than a round robin does" rowwalk_prefers_gto

finish
