#!/bin/sh
# kill -9 at any moment loses nothing that was complete and leaves nothing that misleads: the next run gives what it would
# have given, and what was left is collected. SLUICE_KILLS: how often each command is killed (50 for a thorough look).
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
kills=${SLUICE_KILLS:-3}
make_trace t
make_set t

# survives NAME WORDS...: killed at moments spread over its length, then run to its end, each time from an empty cache.
survives() {
	name=$1
	shift
	rm -rf cache results.db* right && mkdir right
	began=$(date +%s%N)
	(cd right && "$sluice" "$@" >stdout 2>/dev/null) || { echo "it fails by itself" && return 1; }
	length=$((($(date +%s%N) - began) / 1000000 + 1)) hits=0
	sed -i '/ runs: .* found/d' right/stdout
	rm -rf cache results.db*
	i=0
	while [ $hits -lt "$kills" ] && [ $i -lt $((5 * kills)) ]; do
		rm -rf now && mkdir now
		# Moments go on in one cache, where earlier victims have left things, and sometimes in a fresh one.
		[ $((i % 3)) != 0 ] || rm -rf cache results.db*
		after=$(((i % kills * 2 + 1) * length / (2 * kills) + 1))
		(cd now && timeout -s KILL "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))" "$sluice" "$@" >stdout 2>stderr)
		# A run that has ended before its moment takes less time than the first run did.
		if [ $? = 137 ]; then hits=$((hits + 1)); else length=$after; fi
		database_is_readable || return 1
		rm -rf now && mkdir now
		(cd now && "$sluice" "$@" >stdout 2>stderr) || { cat now/stderr && return 1; }
		sed -i '/ runs: .* found/d' now/stdout # what was complete is found again
		diff -r right/stdout now/stdout || { echo "after $after ms: other output" && return 1; }
		for file in right/*; do
			[ "$file" = right/stdout ] || diff -r "$file" "now/${file#right/}" || return 1
		done
		i=$((i + 1))
	done
	echo "# $name: killed $hits times in $i runs" >>hits
	[ $hits -gt 0 ]
}
# A process died while it wrote: the results can be asked for, or there are none.
database_is_readable() {
	[ ! -e results.db ] || "$sluice" results list >listed 2>&1 || grep -q 'there is none yet' listed || { cat listed && return 1; }
}
claim "run" survives run run ../t --json out.json
claim "trace import" survives import trace import ../t -o out.sluice
claim "compare" survives compare compare ../t --policy gto --policy lrr --jobs 2 --json out.json
claim "validate" survives validate validate ../set --json out.json
"$sluice" trace import t -o t.sluice >/dev/null || exit 2
claim "trace export" survives export trace export ../t.sluice -o out
claim "tune" survives tune tune ../t --policy swl --param swl.n=1..2 --jobs 2 --json out.json
make_study
mkdir -p papers/small && sed '2i where: Figure 1' own.yaml >papers/small/fig1.yaml && cp t.sluice papers/small
printf 'title: small\nmachine: gtx480-ciao\nfigures: [fig1]\n' >papers/small/paper.yaml
claim "sweep" survives sweep sweep ../own.yaml --jobs 2 --csv out.csv
claim "reproduce" survives reproduce reproduce --papers ../papers --jobs 2 --csv out.csv
if "$sluice" cc --version >/dev/null 2>&1; then
	cat >app.cu <<'END_OF_PROGRAM'
#include <cstdio>
__global__ void add(int *data)
{
	for (int i = 0; i < 300; i++)
		data[(blockIdx.x * 32 + threadIdx.x) * 7 % 4096] += i;
}
int main()
{
	int *data;
	cudaMalloc(&data, 4096 * sizeof(int));
	add<<<64, 32>>>(data);
	puts("done");
	return cudaDeviceSynchronize();
}
END_OF_PROGRAM
	"$sluice" cc -O1 app.cu -o app || exit 2
	claim "record" survives record record ../app -o out.sluice
	claim "run of a program" survives program run ../app --json out.json
	claim "run of a source" survives source run ../app.cu --json out.json
fi

collected() {
	find cache \( -name 'tmp-*' -o -name '*.tmp' \) -exec touch -d '2 hours ago' {} + 2>/dev/null
	exits 0 "$sluice" cache gc || return 1
	[ -z "$(find cache \( -name 'tmp-*' -o -name '*.tmp' \))" ]
}
cat hits
claim "what the killed left behind is collected" collected

finish
