#!/bin/sh
# Launch windows: which launches of a program are recorded and simulated, how the program ends, and what is refused.
set -u
. "$(dirname "$0")/common.inc"

needs_clang

# ITERATIONS times step(), and scale() after every fifth: launch 6 is the first scale(). It prints through std::cout with a
# buffer of its own, and leaves a line in "log" when it has ended by itself.
cat >"$work/many.cu" <<'END'
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
__global__ void step(float *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
template <typename T> __global__ void scale(T *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
int main(int argc, char **argv)
{
	std::ios::sync_with_stdio(false);
	int iterations = argc > 1 ? atoi(argv[1]) : 20;
	float *x, host[512];
	cudaMalloc(&x, sizeof host);
	cudaMemset(x, 0, sizeof host);
	nvtxRangeId_t whole = nvtxRangeStartA("whole");
	for (int i = 0; i < iterations; i++) {
		std::cout << "iteration " << i << "\n";
		if (i == 4)
			nvtxRangePushA("hot");
		nvtxRangePushA("inner");
		nvtxRangePop();
		if (i == 6)
			nvtxRangePop();
		if (i == 7)
			cudaProfilerStart();
		if (i == 8)
			cudaProfilerStop();
		step<<<4, 128>>>(x);
		if (i % 5 == 4)
			scale<<<4, 128>>>(x);
		if (i == 1)
			nvtxRangeEnd(whole);
	}
	cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
	printf("x is %g\n", host[0]);
	FILE *log = fopen("log", "a");
	fputs("ended\n", log);
	fclose(log);
	return argc > 2 ? atoi(argv[2]) : 0;
}
END
cd "$work" || exit 1
"$sluice" cc many.cu -o many || exit 1

# numbers: of the launches in out.json, on one line.
numbers() {
	python3 -c 'import json; print(*[one["launch"] for one in json.load(open("out.json"))["launches"]])'
}

# window NUMBERS OPTION...: these launches are simulated, from a recording of their own.
window() {
	want=$1
	shift
	rm -rf "$SLUICE_CACHE_DIR"
	"$sluice" run ./many "$@" --json out.json >out 2>err || { cat out err; return 1; }
	got=$(numbers)
	[ "$got" = "$want" ] && return 0
	echo "launches '$got', expected '$want'"
	return 1
}

# ended AFTER: the program was ended after that launch, and a line says so; with nothing: it ended by itself.
ended() {
	if [ "${1:-}" ]; then
		holds out "the program was ended after launch $1" && [ ! -e log ]
	else
		[ -e log ] && ! grep -q "was ended" out
	fi
}

both() {
	rm -f log
	window "$1" $3 && ended $2
}

claim "launches are chosen by number, and the program ends behind them" both "5 6 7" 7 "--launches 5-7"
claim "what the program printed until then is there" \
	[ "$(grep -c iteration out)" = 6 ]
claim "gaps in the list are executed, not recorded" both "2 9 10" 10 "--launches 2,9-10"
claim "an open list runs to the end" both "23 24" "" "--launches 23-"
claim "--launch-skip and --launch-count count launches" both "4 5" 5 "--launch-skip 3 --launch-count 2"
claim "a name matches demangled" both "6 12" 12 "--kernel-name ^void.scale<float> --launch-count 2"
claim "a name matches mangled" both "12 18" 18 "--kernel-name ^_Z5scale --launch-skip 1 --launch-count 2"
claim "skip and count are of those that match, in a list" both "18" 18 \
	"--launches 7-20 --kernel-name scale --launch-skip 1 --launch-count 1"
claim "a range of NVTX is recorded, whatever ranges are inside" both "5 6 7" "" "--nvtx hot"
claim "a process range of NVTX is recorded" both "1 2" "" "--nvtx whole"
claim "the profiler's calls choose" both "9" "" "--profile-from-start off"
claim "on is what it is without the option" both "1 2 3" 3 "--profile-from-start on --launches 1-3"
claim "--then-run lets the program go on" both "2 3" "" "--launches 2-3 --then-run"
claim "its output is whole then" holds out "x is"

whole_numbers() {
	"$sluice" run ./many --json out.json >out 2>err && [ "$(numbers)" = "$(seq -s ' ' 24)" ]
}
claim "without a window all launches are recorded" whole_numbers

# The counters of launches 5 to 7 are the same from the whole recording, from a window, and from a trace.
counters() {
	python3 -c 'import json; print([one["counters"] for one in json.load(open("out.json"))["launches"]])'
}
same_counters() {
	window "5 6 7" --launches 5-7 && counters >from-window
	rm -rf "$SLUICE_CACHE_DIR"
	"$sluice" run ./many >out 2>err
	"$sluice" run ./many --launches 5-7 --json out.json >out 2>err && counters >from-whole
	! grep -q "was ended" out || return 1
	[ "$(numbers)" = "5 6 7" ] || return 1
	"$sluice" record ./many -o all.sluice >out 2>err
	"$sluice" run all.sluice --launches 5-7 --json out.json >out 2>err && counters >from-trace
	[ "$(numbers)" = "5 6 7" ] || return 1
	cmp from-window from-whole && cmp from-window from-trace
}
claim "a window, a whole recording and a trace give the same counters" same_counters
claim "a trace's kernels are chosen by name" says 0 "2 launches" "$sluice" run all.sluice --kernel-name scale --launch-count 2
claim "a trace does not know the program's ranges" refuses "a trace does not say" "$sluice" run all.sluice --nvtx hot

twice() {
	rm -rf "$SLUICE_CACHE_DIR" log
	"$sluice" record ./many -o a.sluice --launches 2-3 --then-run >out 2>err || return 1
	"$sluice" record ./many -o b.sluice --launches 2-3 --then-run >out 2>err || return 1
	holds err "recorded before" || return 1
	"$sluice" record ./many -o b.sluice --launches 3-4 --then-run >out 2>err || return 1
	[ "$(wc -l <log)" = 2 ]
}
claim "another window is another recording, the same one is found again" twice
claim "a recorded window keeps the program's numbers as names" says 0 " 3 " "$sluice" trace info b.sluice

bounded() {
	rm -rf "$SLUICE_CACHE_DIR"
	"$sluice" run ./many --max-insns 300 --json out.json >out 2>err || return 1
	holds out "(--max-insns)" "truncated" || return 1
	cp out.json bounded.json
	rm -rf "$SLUICE_CACHE_DIR"
	"$sluice" record ./many -o all.sluice >out 2>err || return 1
	"$sluice" run ./many --max-insns 300 --json out.json >out 2>err || return 1
	cmp out.json bounded.json
}
claim "--max-insns bounds the recording, with the result of the whole one" bounded
bounded_record() {
	"$sluice" record ./many -o part.sluice --max-insns 300 --again >out 2>err && holds err "was ended after launch"
}
claim "record takes --max-insns" bounded_record

claim "a launch that the program does not make is refused" refuses "no launch 90; the program has 24" \
	"$sluice" run ./many --launches 90 --again
claim "a window without launches is refused" refuses "none of its 24 launches matches --kernel-name nothing" \
	"$sluice" run ./many --kernel-name nothing --again
claim "a trace without wanted launches is refused" refuses "none of the 24 launches" \
	"$sluice" run all.sluice --kernel-name nothing
claim "a bad expression is refused" refuses "is no regular expression" "$sluice" run ./many --kernel-name '('
claim "a backward range is refused" refuses "runs backwards" "$sluice" run ./many --launches 3-2
claim "neither on nor off is refused" refuses "neither on nor off" "$sluice" run ./many --profile-from-start maybe
claim "--kernel does not go with a window" refuses "--kernel chooses among" "$sluice" run ./many --kernel 1 --launches 2
claim "a recording has a limit, and its message says what to do" refuses "--record-limit" \
	"$sluice" run ./many --record-limit 1K --again
claim "nothing is left of a recording that was too large" [ -z "$(find "$SLUICE_CACHE_DIR" -name 'tmp-*')" ]

compared() {
	rm -rf "$SLUICE_CACHE_DIR"
	"$sluice" compare ./many --launches 5-6 --policy gto --policy lrr --json out.json >out 2>err || { cat err; return 1; }
	holds out "ended after launch 6"
}
claim "compare takes a window" compared
tuned() {
	"$sluice" tune ./many --launch-count 1 --param swl.n=1..2 --policy gto,swl >out 2>err || { cat err; return 1; }
}
claim "tune takes a window" tuned
claim "advise takes a window" says 0 "" "$sluice" advise ./many --kernel-name scale --launch-count 1

cat >sweep.yaml <<'END'
title: windows
machine: h200
workloads:
  - program: ./many
    window: {launches: 5-6}
  - {trace: ./all.sluice, window: {kernel_name: scale, count: 1}}
series:
  - {label: gto, policy: gto}
charts:
  - {kind: bars, y: warp_insns}
END
swept() {
	"$sluice" sweep sweep.yaml --allow-programs --json sweep.json >out 2>err || { cat out err; return 1; }
}
claim "sweep takes a window" swept
sed 's/launches: 5-6/launches: 5-6, colour: red/' sweep.yaml >wrong.yaml
claim "sweep refuses an unknown key of a window" refuses "colour" "$sluice" sweep wrong.yaml

cat >fault.cu <<'END'
#include <cstdio>
__global__ void bad(int *p)
{
	p[1 << 28] = 1;
}
int main()
{
	int *p;
	cudaMalloc(&p, 4);
	bad<<<1, 1>>>(p);
	printf("all is well\n");
	return 0;
}
END
"$sluice" cc fault.cu -o fault
alone() {
	./fault >out 2>err
	[ $? = 0 ] || return 1
	[ "$(tail -n 1 err | grep -c '1 of the launches of this program failed, first launch 1, of _Z3badPi')" = 1 ]
}
claim "a program whose kernel failed says so at its end" alone
claim "SLUICE_FAULT_STATUS makes it fail" exits 7 env SLUICE_FAULT_STATUS=7 ./fault
claim "sluice fails with 4" exits 4 "$sluice" run ./fault
claim "--fault-status chooses another status" exits 9 "$sluice" run ./fault --fault-status 9
claim "--fault-status does nothing to a program without faults" exits 0 "$sluice" run ./many --fault-status 9

finish
