#!/bin/sh
# What executes is declared: a file that is data runs no code, unless the command line allows it. A word that looks like one
# of our options does not get lost in the words of a program.
set -eu
. "$(dirname "$0")/common.inc"
cd "$work"
make_trace t
"$sluice" trace import t -o t.sluice >made.log

# ---- experiments -------------------------------------------------------------------------------------------

compiler=$(command -v cc || command -v gcc || command -v clang) || compiler=
# An object that leaves a file behind when it is loaded.
make_object() {
	printf '#include <stdio.h>\n__attribute__((constructor)) static void leave(void)\n{\n\tFILE *file = fopen("%s/loaded", "w");\n\tif (file)\n\t\tfclose(file);\n}\n' "$work" |
		"$compiler" -shared -fPIC -x c - -o evil.so
}
make_yaml() {
	cat >"$1" <<END
title: not only data
machine: gtx480-ciao
workloads: [{$2}]
series: [{label: A, policy: $3}]
charts: [{kind: bars, y: ipc}]
END
}

loads_nothing() {
	make_object && make_yaml object.yaml "trace: t.sluice" ./evil.so
	exits 0 "$sluice" sweep object.yaml --dry-run && holds out '1 simulations of 1 programs' && [ ! -e loaded ] || return 1
	exits 0 "$sluice" sweep object.yaml --dry-run --allow-programs && [ ! -e loaded ] || return 1
	refuses './evil.so is code that the experiment' "$sluice" sweep object.yaml && [ ! -e loaded ] || return 1
	refuses 'add --allow-programs' "$sluice" sweep object.yaml --jobs 1 --json - && [ ! -e loaded ] || return 1
	# The same in front of another policy, and with parameters.
	make_yaml chain.yaml "trace: t.sluice" "'gto,./evil.so:a=1'"
	refuses 'add --allow-programs' "$sluice" sweep chain.yaml && [ ! -e loaded ] || return 1
	exits 2 "$sluice" sweep object.yaml --allow-programs
	holds err 'has no symbol sluice_policy' && [ -e loaded ] && rm loaded
}
[ -z "$compiler" ] || claim "a policy's shared object that an experiment names is loaded only if that is allowed" loads_nothing

papers_load_nothing() {
	mkdir -p papers/own && make_yaml papers/own/1.yaml "trace: $work/t.sluice" "$work/evil.so"
	printf 'title: a paper\nmachine: gtx480-ciao\nbaseline: %s\n' "$work/evil.so" >papers/own/paper.yaml
	exits 0 "$sluice" reproduce --list --papers papers || exits 2 "$sluice" reproduce --list --papers papers || return 1
	[ ! -e loaded ] || return 1
	exits 2 "$sluice" reproduce own/1 --papers papers --db new.db && [ ! -e loaded ] || return 1
	got=0
	SLUICE_PAPERS=$work/papers "$sluice" compare --paper own t.sluice --policy gto >out 2>err || got=$?
	[ "$got" = 2 ] && [ ! -e loaded ]
}
[ -z "$compiler" ] || claim "nor does a paper's file load one" papers_load_nothing

runs_nothing() {
	printf '#!/bin/sh\ntouch "%s/ran"\n' "$work" >script && chmod +x script
	echo 'int main() { return 0; }' >program.cu
	for program in program.cu ./script; do
		make_yaml program.yaml "program: $program" gto
		exits 0 "$sluice" sweep program.yaml --dry-run && [ ! -e ran ] || return 1
		refuses "is code that the experiment's file names" "$sluice" sweep program.yaml && [ ! -e ran ] || return 1
	done
	[ -z "$(find cache -name '*program*' 2>/dev/null)" ]
}
claim "a program that an experiment names is compiled and run only if that is allowed" runs_nothing

# ---- misspelt options --------------------------------------------------------------------------------------

# Ends without a run, and says both ways out.
turned_down() {
	words=$1
	shift
	refuses "$words" "$sluice" "$@" && holds err 'put -- in front' && [ ! -s out ]
}
echo 'int main() { return 0; }' >p.cu
while IFS='|' read -r words line; do
	# shellcheck disable=SC2086
	claim "sluice $line is refused" turned_down "$words" $line
done <<'END'
write --machine|run p.cu --machin gtx480-ciao --policy lrr
write --policy|run p.cu --machine gtx480-ciao --polcy lrr
write --json|run p.cu 5 --jsno=x.json
write --threads|run p.cu --thread 2
write --policy|compare p.cu --policy lrr --polici gto
write --json|advise p.cu --jsom x
write --param|tune p.cu --params swl.n=1..2
write --machine|record p.cu -o x.sluice --machine-x h200
write --size|run atax --siz tiny
write --size|compare atax --policy gto --sizes=tiny
END
claim "the name of a workload is corrected" refuses "did you mean 'atax'" "$sluice" run ataxx --size tiny
claim "words after -- are the program's" sh -c "
	'$sluice' run p.cu -- --machin x 2>err; ! grep -q 'put --' err; '$sluice' run -- p.cu --machin x 2>err; ! grep -q 'put --' err"
claim "words that are like no option are the program's" sh -c "'$sluice' run p.cu --iterations 5 -n 3 --k 2>err; ! grep -q 'put --' err"

names_all() {
	exits 0 "$sluice" run t.sluice --machine gtx480-ciao --policy lrr --kernel 1,3 --threads 2 || return 1
	[ "$(head -1 err)" = "sluice run: t.sluice on gtx480-ciao under lrr, 2 launches, 2 threads" ] || { cat err && return 1; }
	exits 0 "$sluice" run t.sluice --json - || return 1
	[ "$(head -1 err)" = "sluice run: t.sluice on h200 under gto, 3 launches, 1 thread" ] || { cat err && return 1; }
	exits 0 "$sluice" compare t.sluice --policy gto --machine gtx480-ciao --jobs 2 || return 1
	[ "$(head -1 err)" = "sluice compare: t.sluice on gtx480-ciao, 3 launches in the trace, at most 2 processes of 1 thread" ]
}
claim "a run begins with its machine, policy, launches and threads" names_all

finish
