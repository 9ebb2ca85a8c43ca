#!/bin/sh
# sluice tune: searches, ties, the cache, and what is refused.
set -u
. "$(dirname "$0")/common.inc"

cd "$work" || exit 2
"$root/examples/rowwalk" rowwalk 30 8 || exit 2

tune() {
	"$sluice" tune rowwalk --machine gtx480-ciao "$@"
}

# best_is CHAIN
best_is() {
	grep -qx "best: $1" out && return 0
	echo "expected '$1':" && cat out
	return 1
}

few_warps_are_best() {
	exits 0 tune --param swl.n=1..9 --json all.json || return 1
	grep -q 'IPC for swl.n = 1..9' out && grep -q '^  n=1 .*#' out && [ "$(grep -c '^  n=' out)" = 9 ] &&
		grep -q 'simulated 9 of 9' err && best_is swl:n=1 && grep -q '"swl.n": 1' all.json
}
claim "a row walk on gtx480-ciao runs best with one warp per scheduler" few_warps_are_best

second_run_simulates_nothing() {
	exits 0 tune --param swl.n=1..9 --json again.json && grep -q 'simulated 0 of 9' err && cmp all.json again.json
}
claim "a second search simulates nothing and gives the same bytes" second_run_simulates_nothing

compare_finds_them() {
	exits 0 "$sluice" compare rowwalk --machine gtx480-ciao --policy swl:n=1 --policy swl:n=9 && grep -q 'simulated 0 of 2' err
}
claim "sluice compare finds what tune simulated" compare_finds_them

golden_measures_few() {
	exits 0 tune --param swl.n=1..40 --search golden && best_is swl:n=1 && [ "$(grep -c '^  n=' out)" -le 12 ]
}
claim "a golden-section search finds it with few runs" golden_measures_few

ties_go_to_the_larger() {
	# 16 warps per SM, 8 per scheduler: beyond that n changes nothing.
	exits 0 tune --param swl.n=8..12 && best_is swl:n=12 && exits 0 tune --param swl.n=8..40 --search golden &&
		best_is swl:n=40
}
claim "among equals the larger value is the best" ties_go_to_the_larger

goals_agree() {
	exits 0 tune --param swl.n=1..4 --goal cycles && best_is swl:n=1 && grep -q 'cycles for swl.n' out
}
claim "the fewest cycles are the most instructions per cycle" goals_agree

chain_is_kept() {
	exits 0 tune --param swl.n=1..2 --policy swl,lrr && best_is swl:n=1,lrr &&
		exits 0 tune --param swl.n=1..2 --param ccws.k=8..9 --jobs 1 && grep -q 'swl.n = 1..2, ccws.k = 8..9' out &&
		[ "$(grep -c '^  n=' out)" = 4 ] && grep -q '^best: swl:n=[12],ccws:k=[89]$' out
}
claim "--policy gives the rest of the chain; several parameters try every combination" chain_is_kept

json_to_stdout() {
	exits 0 tune --param swl.n=1..9 --json - && cmp out all.json
}
claim "--json - writes the same to standard output" json_to_stdout

# ---- refusals ----------------------------------------------------------------------------------------------

claim "no trace" refuses 'no program or trace given' "$sluice" tune --param swl.n=1..2
claim "a parameter without its policy" refuses 'policy.parameter=FROM..TO' tune --param n=1..2
claim "a parameter without a range" refuses 'policy.parameter=FROM..TO' tune --param swl.n=3
claim "a range that runs backwards" refuses 'backwards' tune --param swl.n=3..1
claim "a range that is none" refuses 'not a whole number' tune --param swl.n=1..x
claim "a range beyond the parameter's" refuses 'n must be' tune --param swl.n=0..3
claim "too many combinations" refuses 'combinations' tune --param ccws.k=1..1000 --param ccws.base=1..1000
claim "an unknown policy" refuses 'unknown policy' tune --param swll.n=1..2
claim "an unknown parameter" refuses "no parameter 'm'" tune --param swl.m=1..2
claim "a policy that the chain lacks" refuses 'not in the chain' tune --param swl.n=1..2 --policy gto
claim "a parameter that the chain sets" refuses 'sets n itself' tune --param swl.n=1..2 --policy swl:n=4
claim "a parameter that is given twice" refuses 'given twice' tune --param swl.n=1..2 --param swl.n=3..4

refusal_comes_before_work() {
	rm -rf "$SLUICE_CACHE_DIR"
	exits 2 tune --param swl.n=60..65 && [ ! -s out ] && [ ! -e "$SLUICE_CACHE_DIR" ]
}
claim "a value out of range at the end is refused before the trace is imported" refusal_comes_before_work

claim "a CSV over the trace that it is about is refused" refuses rowwalk "$sluice" tune rowwalk --param swl.n=1..2 --csv rowwalk

csv_has_every_value() {
	exits 0 tune --param swl.n=1..9 --csv - && head -1 out | grep -q '^swl.n,chain,score,cycles,' && [ "$(wc -l <out)" = 10 ] &&
		grep -q '^9,swl:n=9,0' out
}
claim "CSV has a row per value and nothing else" csv_has_every_value

finish
