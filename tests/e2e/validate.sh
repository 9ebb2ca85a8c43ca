#!/bin/sh
# sluice validate: comparison with a table made from the simulator's own results, and what it refuses.
set -u
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/page.inc"

dir=$work/hardware
make_trace "$dir/traces/tiny"
make_trace "$dir/traces/probe.tiny"

header_line='program	launch	kernel	grid	block	sm__cycles_elapsed.max	smsp__inst_executed.sum	unknown__counter'
# table CYCLES: both programs, instruction counts as traced, and one row without a trace.
table() {
	echo "$header_line"
	for program in tiny probe.tiny; do
		echo "$program	0	vector_add	(4, 1, 1)	(64, 1, 1)	$1	48	x"
		echo "$program	1	loop(int*)	(2, 1, 1)	(64, 1, 1)	$1	648	x"
	done
	echo "other	0	vector_add	(4, 1, 1)	(64, 1, 1)	$1	48	x"
}
table 4000 >"$dir/counters.tsv"

validate() {
	"$sluice" validate "$dir" "$@"
}

tables_are_complete() {
	exits 0 validate || return 1
	holds "$work/out" '4 launches of 2 programs, 4 compared; 1 rows' 'cycles by program' 'over 2 programs: mean' 'applications: 2 launches' \
		'probe: 2 launches' 'absolute error in percent' "equal to the hardware's" || return 1
	grep -q 'warp_insns  *2  *2  *0' "$work/out"
}
claim "launches that have a row are simulated and compared, no others, and groups are summed up apart" tables_are_complete

programs_are_chosen() {
	exits 0 validate --programs tiny || return 1
	grep -q '2 launches of 1 programs, 2 compared; 3 rows' "$work/out" && ! grep -q 'probe' "$work/out"
}
claim "--programs runs only those named" programs_are_chosen

programs_come_first() {
	exits 0 validate || return 1
	[ "$(sed -n 3p "$work/out")" = "cycles by program" ] && grep -q '^  program  *launches  mean |error| %  *P90 %  *worst %' "$work/out" &&
		grep -q '^  tiny  *2  *163\.[0-9]*  *284\.[0-9]*  *+315\.' "$work/out"
}
claim "the first table has the mean, P90 and worst error of each program" programs_come_first

side_by_side() {
	exits 0 validate --json "$work/one.json" && cp "$work/out" "$work/one.txt" || return 1
	for jobs in 2 5; do
		exits 0 validate --jobs $jobs --json "$work/several.json" && cmp "$work/one.json" "$work/several.json" && cmp "$work/one.txt" "$work/out" || return 1
	done
	exits 2 validate --jobs 0
}
claim "programs side by side give the same bytes" side_by_side

mismatches_are_left_out() {
	cp "$dir/counters.tsv" "$work/kept.tsv"
	sed 's/^tiny\t1\tloop(int\*)/tiny\t1\tgemm_of_a_library(int*)/' "$work/kept.tsv" >"$dir/counters.tsv"
	refuses "launch 1 of tiny is 'gemm_of_a_library(int*)' here and 'loop' in the trace" validate || return 1
	exits 0 validate --skip-mismatch --json "$work/left.json" || return 1
	holds "$work/out" '3 launches of 2 programs, 3 compared' 'left out: 1 rows' "launch 1 of tiny is 'gemm_of_a_library" || return 1
	grep -q '"left_out": \[' "$work/left.json" && exits 0 validate --skip-mismatch --jobs 2 || return 1
	holds "$work/out" '3 launches of 2 programs, 3 compared' 'left out: 1 rows'
	cp "$work/kept.tsv" "$dir/counters.tsv"
}
claim "--skip-mismatch lists and leaves out rows of other kernels" mismatches_are_left_out

page_is_self_contained() {
	exits 0 validate --html "$work/page.html" || return 1
	grep -q '"format": "sluice validate"' "$work/page.html" || return 1
	! grep -qE '^[[:space:]]*<(script|link|img)[^>]* (src|href)=' "$work/page.html"
}
claim "the page holds its data and loads nothing" page_is_self_contained

looks_wrong() {
	sed 's/"m dim"/"m"/; s/class: "band"/class: "gone"/' "$work/page.html" >"$work/broken.html"
	looks_right "$work/broken.html" >"$work/log" && return 1
	cat "$work/log"
	grep -q 'dims no mark' "$work/log"
}
in_chromium "in Chromium: no error, marks in every chart, a program can be singled out, dark and light, phone" looks_right "$work/page.html"
in_chromium "what checks the page notices a program that is not singled out" looks_wrong

wedged_launch_is_reported() {
	exits 3 validate --set sim.watchdog_cycles=1000 --set icnt.request_cycles=10000 || return 1
	grep -q 'no progress' "$work/err" && grep -q deadlocked "$work/out"
}
claim "a launch without progress exits 3, and the others are still reported" wedged_launch_is_reported

# ---- launches by their number ------------------------------------------------------------------------------------

# Kernels 1 and 3 of three: the counters of launch 2 are those of kernel 3.
gaps=$work/gaps
mkdir -p "$gaps/traces/tiny"
vector_add 1 >"$gaps/traces/tiny/kernel-1.traceg"
vector_add 3 >"$gaps/traces/tiny/kernel-3.traceg"
printf 'kernel-1.traceg\nkernel-3.traceg\n' >"$gaps/traces/tiny/kernelslist.g"
{
	echo "$header_line"
	for launch in 0 1 2; do
		echo "tiny	$launch	vector_add	(4, 1, 1)	(64, 1, 1)	$((4000 + launch))	48	x"
	done
} >"$gaps/counters.tsv"

gaps_are_minded() {
	exits 0 "$sluice" validate "$gaps" --json "$work/gaps.json" || return 1
	grep -q '2 launches of 1 programs, 2 compared; 1 rows' "$work/out" || { cat "$work/out" && return 1; }
	grep -q '"hardware": 4002' "$work/gaps.json" && ! grep -q '"hardware": 4001' "$work/gaps.json"
}
claim "a folder with gaps is compared kernel by kernel" gaps_are_minded

by_name() {
	sed -i '/^-kernel id/d' "$gaps/traces/tiny"/*.traceg && gaps_are_minded
}
claim "headers without a number have that of the file's name" by_name

two_answers() {
	vector_add 2 >"$gaps/traces/tiny/kernel-3.traceg" && refuses 'its name says kernel 3' "$sluice" validate "$gaps"
}
claim "a name that contradicts its header" two_answers
twins() {
	vector_add 3 >"$gaps/traces/tiny/kernel-3.traceg" && cp "$gaps/traces/tiny/kernel-3.traceg" "$gaps/traces/tiny/kernel-x.traceg" &&
		echo kernel-x.traceg >>"$gaps/traces/tiny/kernelslist.g" &&
		refuses 'both have number 3' "$sluice" validate "$gaps"
}
claim "a number that is there twice" twins
unnumbered() {
	vector_add 0 >"$gaps/traces/tiny/kernel-x.traceg" && refuses 'has number 0' "$sluice" validate "$gaps"
}
claim "the number 0" unnumbered

# ---- refusals ----------------------------------------------------------------------------------------------

# refuses_table WORDS: $work/table as counters.tsv.
refuses_table() {
	cp "$work/table" "$dir/counters.tsv"
	refuses "$1" validate
	status=$?
	table 4000 >"$dir/counters.tsv"
	return $status
}

claim "a folder without traces" refuses 'cannot read' "$sluice" validate "$work"
claim "a program that is not there, with a suggestion" refuses "did you mean 'tiny'" validate --programs tinny
claim "an unwritable page" exits 2 validate --html "$work/nowhere/x.html"
claim "an unknown option" refuses 'unknown option' validate --thread 1

table 4000 | cut -f 2- >"$work/table"
claim "a table without programs" refuses_table 'counters.tsv:1: missing column '"'program'"
table 4000 | cut -f 1-5 >"$work/table"
claim "a table without cycles" refuses_table "counters.tsv:1: missing column 'sm__cycles_elapsed.max'"
table 4O00 >"$work/table"
claim "a number that is none, by its line and column" refuses_table "counters.tsv:2: column 'sm__cycles_elapsed.max': expected a whole number, found '4O00'"
{ table 4000 && echo 'tiny	2	vector_add'; } >"$work/table"
claim "a ragged row" refuses_table 'counters.tsv:7: fewer than the 8 fields'
{ table 4000 && table 4000 | tail -n 1; } >"$work/table"
claim "a row that is there twice" refuses_table 'is in line 6 already'
table 4000 | sed 's/loop/pool/' >"$work/table"
claim "a row about another kernel" refuses_table "counters.tsv:5: launch 1 of probe.tiny is 'pool(int*)' here"
table 4000 | sed 's/(2, 1, 1)/(3, 1, 1)/' >"$work/table"
claim "a row with another grid" refuses_table 'another grid'
table 4000 | sed 's/tiny/huge/' >"$work/table"
claim "a table about other programs" refuses_table 'no row is about a program'
: >"$work/table"
claim "an empty table" refuses_table 'no rows'

claim "no temporary file stays" nothing_is_left

finish
