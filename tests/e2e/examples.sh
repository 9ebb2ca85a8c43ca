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

# ---- what --help shows -----------------------------------------------------------------------------------------

# In the sources, as printed; what is written to /tmp goes to the folder of this test.
help_works() {
	for command in cc run record compare tune advise explain reproduce 'workload check'; do
		# shellcheck disable=SC2086 # "workload check" is two words
		"$sluice" $command --help | sed -n "s,/tmp/,$work/,; s/^    sluice //p" >"$work/lines"
		[ -s "$work/lines" ] || { echo "$command has no example" && return 1; }
		while read -r line; do
			# shellcheck disable=SC2086 # a command and its words
			(cd "$root" && exits 0 "$sluice" $line </dev/null) || return 1
		done <"$work/lines"
	done
}
if "$sluice" cc --version >/dev/null 2>&1; then
	claim "the examples of --help work from the root of the sources" help_works
fi

# ---- what README.md shows --------------------------------------------------------------------------------------

# The block of README.md that shows what `sluice advise` says begins with this line.
advice_is_current() {
	sed -n '/^Bound by/,/^```/{/^```/!p;}' "$root/README.md" >"$work/shown"
	[ -s "$work/shown" ] || { echo "there is no such block" && return 1; }
	exits 0 "$sluice" advise "$root/examples/kernels/rowwalk.cu" --machine gtx480-ciao || return 1
	while IFS= read -r line; do
		grep -qF -e "$line" "$work/out" || { echo "shown: $line" && cat "$work/out" && return 1; }
	done <"$work/shown"
}
if "$sluice" cc --version >/dev/null 2>&1; then
	claim "the advice that README.md shows is what is printed" advice_is_current
fi

finish
