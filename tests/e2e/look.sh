#!/bin/sh
# sluice run --look: what the observers saw is in the JSON, with definitions; energy is there without asking.
set -u
. "$(dirname "$0")/common.inc"

trace=$work/program
make_trace "$trace"

# shellcheck disable=SC2120 # called through exits and others
look() {
	"$sluice" run "$trace" --machine gtx480-ciao "$@"
}

# cycle_ends FILE: the first two entries of the first series.
cycle_ends() {
	sed -n '/"cycle": \[/,/\]/{s/[^0-9]//g;/./p}' "$1" | head -2 | tr '\n' ' '
}

# unlooked FILE: the document without its looks, and without the commas that come and go with them.
unlooked() {
	sed '/^   "look": {/,/^   }/d; /^  "look": {/,/^  }/d; s/,$//' "$1"
}

everything_is_there() {
	exits 0 look --look all --json "$work/all.json" || return 1
	for name in series matrix locality failures reuse shared bypass; do
		grep -q "^    \"$name\": {" "$work/all.json" || { echo "no $name" && return 1; }
	done
}
claim "--look all puts every look into the launches" everything_is_there

nothing_else_changes() {
	exits 0 look --json "$work/none.json" || return 1
	grep -q '"look"' "$work/none.json" && return 1
	unlooked "$work/all.json" >"$work/a" && unlooked "$work/none.json" >"$work/b" && cmp "$work/a" "$work/b"
}
claim "without the looks, the document is that of a run that did not look" nothing_else_changes

period_is_the_users() {
	exits 0 look --look series:period=200 --json "$work/series.json" || return 1
	[ "$(cycle_ends "$work/series.json")" = "200 400 " ]
}
claim "series:period=200 has a value every 200 cycles" period_is_the_users

needs_json() {
	exits 2 look --look all && grep -q -- '--json' "$work/err"
}
claim "--look without --json is refused: there would be nowhere to look" needs_json

unknown_looks_are_refused() {
	exits 2 look --look matrx --json "$work/x.json" && grep -q "did you mean 'matrix'" "$work/err" &&
		exits 2 look --look series:period=1 --json "$work/x.json" && grep -q 'from 100' "$work/err"
}
claim "an unknown look and a period out of range are refused by name" unknown_looks_are_refused

energy_is_told() {
	grep -q '^   "energy": {' "$work/none.json" && grep -q '^  "energy": {' "$work/none.json" &&
		grep -q '"source": "Tian et al. 2015' "$work/none.json" && look 2>/dev/null | grep -q '^energy .* mJ: '
}
claim "energy is in the JSON for launches and total, with sources, and in the summary" energy_is_told

finish
