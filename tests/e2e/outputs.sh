#!/bin/sh
# No output of any command replaces a file that the command reads, under any of its names. The commands and their options
# come from --help=words: an option that takes a file and is not known here fails the test.
set -eu
. "$(dirname "$0")/common.inc"
cd "$work"
few_papers ciao
programs=true
"$sluice" cc --version >/dev/null 2>&1 || programs=false

# ---- what is read ------------------------------------------------------------------------------------------

make_trace t
"$sluice" trace import t -o t.sluice >made.log
make_set t
cp t.sluice set/traces/native.sluice
sed 's/^t\t/native\t/' set/counters.tsv | tail -1 >>set/counters.tsv
mkdir machines
cp "$root"/machines/*.yaml machines/
SLUICE_MACHINES=$work/machines
export SLUICE_MACHINES
cat >machine.yaml <<'END'
name: one-more
title: one more
extends: gtx480-ciao
END
cat >own.yaml <<'END'
title: two policies
machine: ./machine.yaml
workloads: [{trace: t.sluice}, {trace: t, as: folder}]
series: [{label: GTO, policy: gto}, {label: LRR, policy: lrr}]
charts: [{kind: bars, y: ipc, mean: geomean}]
END
"$sluice" sweep own.yaml --jobs 1 >made.log 2>&1 || { cat made.log; exit 1; }
cp results.db other.db
printf '{"kind": "bars"}' >chart.json
if $programs; then
	mkdir headers
	echo 'static const int words = 64;' >headers/words.h
	echo 'some text' >data.txt
	cat >program.cu <<'END'
#include "headers/words.h"
#include <cstdio>
__global__ void fill(int *to) { to[threadIdx.x] = threadIdx.x; }
int main()
{
	int *to;
	FILE *in = fopen("data.txt", "r");
	if (!in || cudaMalloc(&to, words * sizeof *to))
		return 1;
	fclose(in);
	fill<<<1, words>>>(to);
	return cudaDeviceSynchronize();
}
END
	"$sluice" cc program.cu -o program
	"$sluice" run ./program --machine gtx480-ciao >made.log 2>&1
	"$sluice" run program.cu --machine gtx480-ciao >made.log 2>&1
fi
cp -R . "$work.copy"
trap 'rm -rf "$work" "$work.copy"' EXIT

# Nothing that was read has changed.
unharmed() {
	for file in "$@"; do
		# A database grows; it is no text.
		case $file in *.db) [ "$(head -c 15 "$file")" != "SQLite format 3" ] || continue ;; esac
		cmp -s "$file" "$work.copy/$file" && continue
		echo "$file was overwritten"
		rm -rf "$file"
		cp -R "$work.copy/$file" "$file"
		return 1
	done
}

# spares FILE COMMAND...: the command, which would write FILE, is refused.
spares() {
	file=$1
	shift
	got=0
	"$@" >out 2>err </dev/null || got=$?
	unharmed "$file" || return 1
	[ "$got" = 2 ] || [ "$got" = 1 ] || { echo "status $got" && cat err && return 1; }
	grep -q 'would be overwritten' err || { echo "refused for another reason:" && cat err && return 1; }
}

# ---- every output of every command -------------------------------------------------------------------------

# outputs COMMAND...: its options that take a file or folder, those left out that name an input.
outputs() {
	"$sluice" "$@" --help=words 2>/dev/null | awk -F '\t' '
		$1 == "option" && $3 ~ /^(FILE|DIR|OUT\.sluice)$/ && $2 !~ /^--(db|papers|shared)$/ { print $2 }'
}

trace_files="t/kernelslist.g t/kernel-1.traceg"
# reads COMMAND: lines "FILES|COMMAND LINE", what it reads in that case.
reads() {
	case $1 in
	run | compare | tune | advise)
		more=
		[ "$1" != tune ] || more="--param swl.n=1..2"
		[ "$1" != compare ] || more="--policy gto"
		machine="machine.yaml machines/gtx480-ciao.yaml"
		echo "$trace_files $machine results.db|$1 t --machine ./machine.yaml $more"
		echo "$trace_files|$1 t/kernelslist.g --machine gtx480-ciao $more"
		echo "t.sluice $machine results.db|$1 t.sluice --machine ./machine.yaml $more"
		! $programs || echo "program.cu headers/words.h data.txt|$1 program.cu --machine gtx480-ciao $more"
		! $programs || echo "program data.txt|$1 ./program --machine gtx480-ciao $more"
		;;
	record)
		! $programs || echo "program.cu headers/words.h data.txt|record program.cu --machine gtx480-ciao"
		! $programs || echo "program data.txt|record ./program --machine gtx480-ciao"
		;;
	sweep) echo "own.yaml t.sluice $trace_files machine.yaml machines/gtx480-ciao.yaml other.db|sweep own.yaml --db other.db --jobs 1" ;;
	reproduce)
		echo "few-papers/ciao/paper.yaml few-papers/ciao/claims.yaml other.db|reproduce ciao/8a --papers few-papers --db other.db"
		;;
	"results export") echo "other.db|results export --db other.db" ;;
	validate) echo "set/counters.tsv set/traces/t/kernelslist.g set/traces/t/kernel-1.traceg set/traces/native.sluice machine.yaml machines/gtx480-ciao.yaml|validate set --machine ./machine.yaml" ;;
	"trace info") printf '%s\n' "$trace_files|trace info t" "t.sluice|trace info t.sluice" ;;
	"trace import") echo "$trace_files|trace import t --force" ;;
	"trace export") ;; # below: it writes a folder
	"workload check") echo "results.db|workload check atax --size tiny --paper ciao --only apki" ;;
	"workload run") echo "results.db|workload run atax --size tiny" ;;
	doctor) echo "results.db|doctor" ;;
	"machine show") echo "machine.yaml machines/gtx480-ciao.yaml|machine show ./machine.yaml" ;;
	"machine diff") echo "machine.yaml machines/gtx480-ciao.yaml|machine diff ./machine.yaml h200" ;;
	*) return 1 ;;
	esac
}

# every_output COMMAND WORDS: for each output option, each file that is read is named as the output.
every_output() {
	options=$2
	[ -n "$options" ] || return 0
	reads "$1" >cases || { echo "sluice $1 has outputs ($options) that this test does not know" && return 1; }
	while IFS='|' read -r files line; do
		for option in $options; do
			[ "$option" != --svg ] || continue # a folder for files with names of their own
			for file in $files; do
				ln -f "$file" hard && ln -sf "$file" soft
				for name in "$file" "./$file" hard soft; do
					# shellcheck disable=SC2086
					spares "$file" "$sluice" $line "$option" "$name" || { echo "sluice $line $option $name" && return 1; }
					tried=$((tried + 1))
				done
			done
		done
	done <cases
}

commands=$("$sluice" --help | awk '/^  / { print $1 }')
tried=0
for command in $commands; do
	case $command in cc | toolkit) continue ;; esac # below; toolkit writes programs of its own
	claim "sluice $command replaces nothing that it reads" every_output "$command" "$(
		case $command in results | trace | machine | workload | policy | cache) ;; *) outputs "$command" ;; esac
	)"
	for action in $("$sluice" "$command" --help=words 2>/dev/null </dev/null | awk -F '\t' '$1 == "action" { print $2 }'); do
		case "$command $action" in
		results\ export) words=--csv ;;
		machine\ show | machine\ diff) words=--json ;;
		results\ * | machine\ * | policy\ * | cache\ *) words= ;;
		*) words=$(outputs "$command" "$action") ;;
		esac
		claim "sluice $command $action replaces nothing that it reads" every_output "$command $action" "$words"
	done
done
claim "that was tried with outputs under 4 names, $tried times" [ "$tried" -ge 200 ]

exports_elsewhere() {
	spares t/kernel-1.traceg "$sluice" trace export t -o t --force && spares t/kernelslist.g "$sluice" trace export t/kernelslist.g -o ./t --force
}
claim "trace export leaves the folder that it reads alone" exports_elsewhere

draws_elsewhere() {
	mkdir -p drawn && ln -f own.yaml drawn/own.svg
	spares own.yaml "$sluice" sweep own.yaml --jobs 1 --svg drawn
}
claim "--svg DIR does not draw over what is read" draws_elsewhere

two_outputs() {
	rm -f new.json
	exits 0 "$sluice" run t --machine gtx480-ciao --json new.json && exits 0 "$sluice" run t --machine gtx480-ciao --json new.json
}
claim "the output of an earlier run is replaced" two_outputs

# ---- sluice cc ---------------------------------------------------------------------------------------------

$programs || finish
cat >cc.cu <<'END'
#include "headers/words.h"
int main() { return words; }
END
mkdir kept
ln cc.cu kept/cc.ptx
cp cc.cu kept headers/words.h "$work.copy" -R
cp headers/words.h "$work.copy/headers/words.h"

while IFS='|' read -r file words; do
	# shellcheck disable=SC2086
	claim "sluice cc $words is refused" spares "$file" "$sluice" cc $words
done <<'END'
cc.cu|cc.cu -MD -MF cc.cu -c -o x.o
cc.cu|cc.cu -c -o cc.cu
cc.cu|cc.cu -o ./cc.cu
cc.cu|cc.cu -ptx -o cc.cu
cc.cu|-E cc.cu -o cc.cu
cc.cu|-M cc.cu -o cc.cu
cc.cu|cc.cu -c -o x.o -keep -keep-dir kept
headers/words.h|cc.cu -o headers/words.h
headers/words.h|cc.cu -c -o headers/words.h
headers/words.h|cc.cu -c -MMD -MF headers/words.h -o x.o
headers/words.h|cc.cu -MD -MF ./headers/words.h -o x
headers/words.h|-E cc.cu -o headers/words.h
END

builds_again() {
	for i in 1 2; do
		exits 0 "$sluice" cc cc.cu -MD -MF x.d -c -o x.o || return 1
		exits 0 "$sluice" cc x.o -o x || return 1
	done
	exits 0 "$sluice" cc -E cc.cu -o x.ii && exits 0 "$sluice" cc -E cc.cu -o x.ii && grep -q words.h x.d
}
claim "what an earlier compilation made is replaced" builds_again

finish
