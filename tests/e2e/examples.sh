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

# shown FIRST FILE: the block of README.md that begins with this line is in the file; "…" ends a line that goes on, and
# alone stands for several.
shown() {
	sed -n "/^    $1/,/^[^ ]/p" "$root/README.md" | sed '/^[^ ]/d; s/^    //; s/ *…$//; /^$/d' >"$work/shown"
	[ -s "$work/shown" ] || { echo "there is no such block" && return 1; }
	while IFS= read -r line; do
		grep -qF -e "$line" "$2" || { echo "shown: $line" && cat "$2" && return 1; }
	done <"$work/shown"
}
run_is_current() {
	exits 0 "$sluice" run "$work/rowwalk" --machine gtx480-ciao --policy gto && shown 'rowwalk on gtx480-ciao under gto' "$work/out" || return 1
	exits 0 "$sluice" run "$work/rowwalk" --machine gtx480-ciao --policy swl:n=1 || return 1
	cycles=$(awk '/ done / { print $6 }' "$work/out")
	grep -q "^$cycles cycles\| $cycles cycles" "$root/README.md" || { echo "swl:n=1: $cycles cycles" && return 1; }
}
claim "the run that README.md shows is what is printed" run_is_current
machines_are_current() {
	exits 0 "$sluice" machine list && shown 'a100 ' "$work/out" && [ "$(wc -l <"$work/shown")" = "$(wc -l <"$work/out")" ]
}
claim "and so are the machines" machines_are_current

finish
