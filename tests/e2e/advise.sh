#!/bin/sh
# sluice advise: seven kernels, each bound by one known thing, and what is refused.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
"$sluice" cc -O3 "$root/tests/data/advise.cu" -o kernels || exit 2

advise() {
	"$sluice" advise ./kernels "$@" --quick
}

# verdict NAME: a value of the verdict in out.json, without quotes.
verdict() {
	awk -v name="\"$1\":" '/^ "verdict":/ { inside = 1 } inside && $1 == name { sub(/^[^:]*: /, ""); sub(/,$/, "")
		gsub(/"/, ""); print; exit }' out.json
}

# is NAME VALUE
is() {
	got=$(verdict "$1")
	[ "$got" = "$2" ] && return 0
	echo "$1 is '$got', expected '$2'" && cat out
	return 1
}

# at_least NAME NUMBER
at_least() {
	awk -v got="$(verdict "$1")" -v least="$2" 'BEGIN { exit !(got >= least) }' && return 0
	echo "$1 is $(verdict "$1"), expected at least $2" && cat out
	return 1
}

small_gpu='--machine rtx3070 --set sm.count=8 --set sm.gpcs=1 --set dram.channels=2'

stream_is_bound_by_dram() {
	# shellcheck disable=SC2086
	exits 0 advise stream $small_gpu --json out.json || return 1
	is bound dram-bandwidth && is helps false && at_least speedup_without 2 && grep -q '^Bound by the bandwidth of DRAM' out &&
		grep -q '^None of the mechanisms helps' out && grep -q 'Policies of L1 have nothing to gain' out
}
claim "a stream is bound by DRAM, and nothing helps" stream_is_bound_by_dram

few_mshrs_bind() {
	exits 0 advise stream --machine gtx480-khairy --set l1d.mshr_entries=8 --json out.json && is bound mshrs
}
claim "with 8 MSHRs for 48 warps, by MSHRs" few_mshrs_bind

line=$(awk '/sum \+= a\[.*129/ { print NR }' "$root/tests/data/advise.cu")
row_walk_is_bound_by_capacity() {
	exits 0 advise rows --machine gtx480-khairy --json out.json || return 1
	is bound l1-capacity && is family 'warp throttling' && is policy swl:n=1 && at_least speedup 4 &&
		at_least share_of_possible 0.5 && grep -q "^To blame: line $line of .*rows" out &&
		grep -q "\"source_line\": $line" out.json && grep -q '^What helps: warp throttling, by swl:n=1' out
}
claim "a walk along rows is bound by L1's capacity; Best-SWL helps, and its line is named" row_walk_is_bound_by_capacity

source_is_shown() {
	cp "$root/tests/data/advise.cu" source.cu
	exits 0 "$sluice" advise source.cu rows --machine gtx480-khairy --quick && grep -q "^ *$line .*sum += a\[" out &&
		grep -q 'simulated [0-9]* of' err
}
claim "the text of the line stands next to it where the program is a source file" source_is_shown

strides_are_bound_by_conflicts() {
	exits 0 advise stride --machine gtx480-khairy --json out.json || return 1
	is bound l1-conflict && is family 'set index' && is policy pric && at_least share_of_possible 0.9
}
claim "strides of a power of two are bound by conflicts; a pseudo-random set index helps" strides_are_bound_by_conflicts

arithmetic_is_bound_by_issue() {
	exits 0 advise compute --machine gtx480-khairy --json out.json && is bound issue && is helps false && is policy null
}
claim "arithmetic is bound by issue slots, and nothing helps" arithmetic_is_bound_by_issue

chase_is_bound_by_latency() {
	exits 0 advise chase --machine gtx480-khairy --json out.json && is bound memory-latency && is helps false
}
claim "one warp that chases pointers is bound by latency, and nothing helps" chase_is_bound_by_latency

banks_bind() {
	exits 0 advise banks --machine gtx480-khairy --json out.json && is bound shared-memory-banks && grep -q '"name": "osm"' out.json
}
claim "words of one bank are bound by bank conflicts; what moves shared memory is tried there" banks_bind

barriers_bind() {
	exits 0 advise barrier --machine gtx480-khairy --json out.json && is bound barriers
}
claim "barriers alone are bound by barriers" barriers_bind

small_grid_is_said() {
	exits 0 advise chase --machine gtx480-khairy --set sm.count=60 --json out.json && is bound occupancy && grep -q 'no CTA is resident' out
}
claim "fifteen warps on sixty SMs are too few, which it says" small_grid_is_said

second_run_simulates_nothing() {
	exits 0 advise chase --machine gtx480-khairy --json again.json && grep -q 'simulated 0 of' err &&
		exits 0 advise chase --machine gtx480-khairy --json more.json --again --jobs 1 && ! grep -q 'simulated 0 of' err &&
		cmp again.json more.json
}
claim "a second time nothing is simulated, and the bytes are those of a fresh run in one process" second_run_simulates_nothing

all_runs() {
	exits 0 "$sluice" advise ./kernels chase --machine gtx480-khairy --json out.json || return 1
	for name in gto perfect-l1 unbounded interference-free min mshrs l2-bandwidth dram-bandwidth latency lrr swl ccws statpcal \
		dwt-pric ciao-t ciao-p ciao-c tian lcm lcm+lws pric rrip; do
		grep -qF "\"name\": \"$name\"" out.json || { echo "no $name" && return 1; }
	done
	grep -q 'osm left out: no launch uses shared memory' out && grep -q 'ucm left out: .*arrays of their own' out
}
claim "without --quick all limits and mechanisms run; what is left out is said, with the reason" all_runs

what_ifs_are_kept_as_such() {
	sqlite3 "$SLUICE_RESULTS" .dump | grep -q 'dram.bus_bytes_per_clock='
}
claim "the database says which machine was changed, and how" what_ifs_are_kept_as_such

json_goes_to_stdout() {
	exits 0 advise chase --machine gtx480-khairy --json - && head -1 out | grep -qx '{' && cmp out again.json
}
claim "--json - writes nothing else to standard output" json_goes_to_stdout

. "$(dirname "$0")/page.inc"
has_a_poster() {
	exits 0 advise chase --machine gtx480-khairy --html poster.html && bound=$(grep '^Bound by ' out) || return 1
	grep -qF "\"text\":\"$bound" poster.html && grep -q '"command":"sluice run .*chase.* --machine gtx480-khairy --html page.html"' poster.html
}
claim "--html has the same verdict, and commands to go on with" has_a_poster
in_chromium "the poster in Chromium: no error, nothing loaded, dark, light, phone" looks_right poster.html

trace=$work/tiny
make_trace "$trace"
claim "a poster over its own trace is refused" refuses kernelslist.g "$sluice" advise "$work/tiny/kernelslist.g" --html "$work/tiny/kernelslist.g"
traces_have_no_lines() {
	exits 0 "$sluice" advise "$trace" --machine gtx480-ciao --quick && grep -q '^Bound by ' out && grep -q '^mechanisms' out
}
claim "a trace will do" traces_have_no_lines

claim "no program" refuses 'no program or trace' "$sluice" advise
claim "an unknown option" refuses "did you mean '--quick'" "$sluice" advise --quikc ./kernels chase
claim "an unknown key" refuses "did you mean 'l1d.ways'" advise chase --set l1d.wasy=2

finish
