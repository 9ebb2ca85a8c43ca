#!/bin/sh
# sluice run: what it prints, writes, refuses, and that the result depends on the inputs alone.
set -u
. "$(dirname "$0")/common.inc"

trace=$work/program
make_trace "$trace"

run() {
	"$sluice" run "$trace" "$@"
}

# ---- results -----------------------------------------------------------------------------------------------

summary_is_complete() {
	exits 0 run || return 1
	holds "$work/out" 'program on h200 under gto' vector_add loop total 'SM-cycle breakdown' \
		'instructions with the most L1 misses' 'LDG.E'
}
claim "an Accel-Sim folder runs and its launches, stalls and misses are summed up" summary_is_complete

stdout_is_deterministic() {
	run >"$work/first" 2>"$work/first.err" && run --threads 2 >"$work/second" 2>/dev/null &&
		cmp "$work/first" "$work/second" && grep -q 'million per second' "$work/first.err"
}
claim "standard output is the same twice and on two threads; the speed is on standard error" stdout_is_deterministic

native_file_is_equal() {
	"$sluice" trace import "$trace" -o "$work/program.sluice" >/dev/null &&
		"$sluice" run "$work/program.sluice" 2>/dev/null | tail -n +2 >"$work/native" &&
		run 2>/dev/null | tail -n +2 >"$work/folder" && cmp "$work/native" "$work/folder"
}
claim "the imported file gives what the folder gives" native_file_is_equal

json_is_equal_again() {
	run --json "$work/again.json" >/dev/null 2>&1 && run --json - >"$work/stdout.json" 2>/dev/null &&
		run --json "$work/first.json" >/dev/null 2>&1 && cmp "$work/again.json" "$work/first.json" &&
		cmp "$work/again.json" "$work/stdout.json"
}
claim "JSON is the same on a second run and on standard output" json_is_equal_again

json_replaces_a_file() {
	echo old >"$work/target.json" && ln -s target.json "$work/link.json" &&
		run --json "$work/link.json" >/dev/null 2>&1 && [ -L "$work/link.json" ] &&
		cmp "$work/target.json" "$work/again.json"
}
claim "JSON replaces an old file and keeps a symbolic link to it" json_replaces_a_file

kernel_list_selects() {
	exits 0 run --kernel 1,3 || return 1
	grep -q vector_add "$work/out" && ! grep -q loop "$work/out"
}
claim "--kernel 1,3 leaves out launch 2" kernel_list_selects

max_insns_cuts() {
	exits 0 run --max-insns 100 || return 1
	grep -q truncated "$work/out" && ! grep -q '^ *3 ' "$work/out"
}
claim "--max-insns ends the run in the launch that reaches it" max_insns_cuts

cold_l2_reads_again() {
	run --kernel 1,3 >"$work/warm" 2>/dev/null && run --kernel 1,3 --cold-l2 >"$work/cold" 2>/dev/null &&
		! cmp -s "$work/warm" "$work/cold"
}
claim "--cold-l2 changes what the third launch finds" cold_l2_reads_again

claim "--set changes the machine" exits 0 run --set l1d.ways=2 --set sm.count=16

# ---- a run without progress --------------------------------------------------------------------------------

deadlock="--set sim.watchdog_cycles=1000 --set icnt.request_cycles=10000"
wedged_run_reports() {
	# shellcheck disable=SC2086
	exits 3 run $deadlock --json "$work/deadlock.json" || return 1
	grep -q 'no progress at cycle' "$work/err" && grep -q 'waits for' "$work/err" || { cat "$work/err" && return 1; }
	grep -q '"status": "deadlocked"' "$work/deadlock.json" && grep -q deadlocked "$work/out" && grep -q warp_insns "$work/deadlock.json"
}
claim "a run without progress exits 3, names what warps wait for, and keeps its counters" wedged_run_reports

# ---- refusals ----------------------------------------------------------------------------------------------

claim "two traces" refuses "unexpected argument" run "$trace"
claim "an unknown option, with a suggestion" refuses "did you mean '--machine'" run --mashine h200
claim "an option without its value" refuses 'no N after it' run --threads
claim "an option given twice" refuses 'given twice' run --threads 1 --threads 2
claim "no thread" refuses 'out of range' run --threads 0
claim "a number that is none" refuses 'not a whole number' run --threads two
claim "a number beyond 64 bits" refuses 'not a whole number' run --max-insns 99999999999999999999999
claim "a negative number" refuses 'not a whole number' run --max-insns -5
claim "a quantum out of range" refuses 'out of range' run --quantum 5000
claim "an unknown machine" refuses 'h300' run --machine h300
claim "an unknown policy" refuses 'gtoo' run --policy gtoo
claim "a change of an unknown key" refuses 'l1d.wais' run --set l1d.wais=4
claim "a change out of range" refuses 'l1d.ways' run --set l1d.ways=100000
claim "a change that would come too late" refuses 'machine file' run --set sm.code_scheduled=yes
claim "launch 0" refuses 'out of range' run --kernel 0
claim "a range that runs backwards" refuses 'backwards' run --kernel 3-2
claim "a list with a hole" refuses 'not a whole number' run --kernel 1,,2
claim "a JSON path that is a folder" refuses 'cannot write' run --json "$work"

refusal_comes_before_work() {
	rm -rf "$SLUICE_CACHE_DIR"
	refuses 'cannot write' run --json "$work/nowhere/x.json" || return 1
	refuses 'out of range' run --threads 0 || return 1
	[ ! -e "$SLUICE_CACHE_DIR" ]
}
claim "a bad path or option is refused before the trace is imported" refusal_comes_before_work

writes_nothing() {
	refuses 'the trace has 3' run --kernel 9 --json "$work/none.json" && [ ! -e "$work/none.json" ] && nothing_is_left
}
claim "a refused run writes no JSON, and no temporary file stays" writes_nothing

# ---- forms of other tools --------------------------------------------------------------------------------------

forms_agree() {
	exits 0 run --csv "$work/r.csv" --perfetto "$work/r.perfetto" --stats "$work/r.stats" --json "$work/r.json" || return 1
	cycles=$(awk -F, 'NR == 2 { print $6 }' "$work/r.csv")
	[ "$(wc -l <"$work/r.csv")" = 4 ] && grep -qx "gpu_sim_cycle = $cycles" "$work/r.stats" &&
		grep -q "\"cat\":\"kernel\".*\"cycles\":$cycles}" "$work/r.perfetto" && grep -q "\"cycles\": $cycles" "$work/r.json" || return 1
	exits 0 run --csv - --nsight && head -1 "$work/out" | grep -q '^ID,Kernel Name,Block Size,Grid Size,sm__cycles_elapsed.max,'
}
claim "CSV, trace events, GPGPU-Sim's statistics and JSON have the same cycles" forms_agree
claim "two outputs of one name are refused" refuses '--csv and --stats name the same file' "$sluice" run "$trace" --csv x --stats x
claim "--nsight without CSV is refused" refuses 'add --csv' "$sluice" run "$trace" --nsight

finish
