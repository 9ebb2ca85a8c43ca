#!/bin/sh
# sluice validate of a folder with workloads.tsv: programs are workloads (workloads/vectoradd/vectoradd.cu here), recorded
# first; only launches with a row are simulated.
set -u
. "$(dirname "$0")/common.inc"

dir=$work/hardware
mkdir "$dir"
header_line='program	launch	kernel	grid	block	sm__cycles_elapsed.max	smsp__inst_executed.sum'

validate() {
	"$sluice" validate "$dir" "$@"
}

table() {
	printf '%s\n' "$header_line" "$@" >"$dir/workloads.tsv"
}

launch_is_compared() {
	"$sluice" run vectoradd --size small --max-insns 1 --json "$work/run.json" >/dev/null 2>&1
	grid=$(tr -d ' \n' <"$work/run.json" | sed -n 's/.*"grid":\[\([0-9]*\),\([0-9]*\),\([0-9]*\)\].*/(\1, \2, \3)/p')
	block=$(tr -d ' \n' <"$work/run.json" | sed -n 's/.*"block":\[\([0-9]*\),\([0-9]*\),\([0-9]*\)\].*/(\1, \2, \3)/p')
	table "vectoradd	0	add	$grid	$block	10000	1000000"
	exits 0 validate --json "$work/validate.json" || return 1
	grep -q '1 launches of 1 programs, 1 compared; 0 rows' "$work/out" && grep -q '"percent"' "$work/validate.json"
}
claim "a workload is recorded, and its launch compared" launch_is_compared

table "vectoradd	0	add	(1, 1, 1)	(1, 1, 1)	10000	1000000"
claim "a launch of another shape" refuses 'another grid or block' validate
table "vectoradd	7	add	(1, 1, 1)	(1, 1, 1)	10000	1000000"
claim "a launch that the program does not make" refuses 'launch' validate
table "vectorad	0	add	(1, 1, 1)	(1, 1, 1)	10000	1000000"
claim "a name of no workload" refuses "did you mean 'vectoradd'" validate
table "vectoradd	0	add	(1, 1, 1)	(1, 1, 1)	10000	1000000"
claim "a program that is not asked for" refuses "holds no program 'atax'" validate --programs atax
table "vectoradd	first	add	(1, 1, 1)	(1, 1, 1)	10000	1000000"
claim "a damaged table" refuses 'a launch number' validate
finish
