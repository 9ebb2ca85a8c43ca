#!/bin/sh
# Experiments over programs, not only traces: what is recorded, what fails and how that reads, what is recorded again; and
# a check of a user's workload against published values.
set -eu
. "$(dirname "$0")/common.inc"

needs_clang
cd "$work"
mkdir -p mine/own
# Every thread walks over lines of its own, again and again: more than L1 holds.
cat >mine/own/own.cu <<'EOF'
#include <cstring>

__global__ void walk(float *data, int lines, int times)
{
	__shared__ float sum[64];
	float own = 0;
	for (int t = 0; t < times; t++)
		for (int i = 0; i < lines; i++)
			own += data[((blockIdx.x * lines + i) * 64 + threadIdx.x) * 32];
	sum[threadIdx.x] = own;
	__syncthreads();
	data[threadIdx.x] = sum[63 - threadIdx.x];
}

int main(int argc, char **argv)
{
	bool fails = false, faults = false;
	for (int i = 1; i < argc; i++) {
		fails |= !strcmp(argv[i], "--fail");
		faults |= !strcmp(argv[i], "--fault");
	}
	float *data;
	cudaMalloc(&data, 8 * 8 * 64 * 128);
	walk<<<faults ? 4000 : 8, 64>>>(data, 8, 3);
	return cudaDeviceSynchronize() != cudaSuccess ? 1 : fails ? 3 : 0;
}
EOF
cat >mine/index.yaml <<'EOF'
workloads:
  own:
    group: mine
    about: "walks over lines"
    suite: none
    published:
      - {paper: ciao, as: OWN, class: LWS, apki: 5, n_warp: 4}
      - {paper: khairy, as: own, class: thrashing+conflict}
      - {paper: osm, as: own, class: 2, l1_gain_percent: 10}
EOF
cp mine/own/own.cu own.cu
echo 'no program' >broken.cu
echo 'no trace' >bad.sluice
cat >own.yaml <<'EOF'
machine: gtx480-ciao
size: tiny
workloads:
  - {program: own.cu, as: good}
  - {program: own.cu, as: fails, args: --fail}
  - {program: own.cu, as: faults, args: --fault}
  - {program: broken.cu, as: broken}
  - {trace: bad.sluice, as: damaged}
  - {name: own, as: named}
series: [{label: GTO, policy: gto}]
charts: [{kind: table, y: [{label: launches, y: trace.launches}, {label: ipc, y: ipc}]}]
EOF
SLUICE_WORKLOADS=$work/mine
export SLUICE_WORKLOADS

# holds TEXT: standard output has it.
holds() {
	grep -qF -e "$1" "$work/out" || { echo "the output lacks $1" && cat "$work/out" "$work/err" && return 1; }
}
records() {
	exits 0 "$sluice" sweep own.yaml --allow-programs || return 1
	grep -qE '^    good  *1.000  *0\.[0-9]+$' out && grep -qE '^    named  *1.000  *0\.[0-9]+$' out && grep -qE '^    fails  *-  *-$' out || {
		cat out && return 1
	}
	holds 'missing: GTO on fails: ./own.cu: the program failed with status 3' &&
		holds 'missing: GTO on faults: ./own.cu: a launch ended early: illegal address' &&
		holds 'missing: GTO on broken: ./broken.cu: does not compile' &&
		holds 'missing: GTO on damaged: ./bad.sluice: not a sluice trace' &&
		holds '6 runs: 0 found, 2 simulated, 4 failed'
}
claim "programs are recorded and simulated, and those that fail say why" records

found_again() {
	find cache -name trace.sluice -exec sh -c ': >"$1"' - {} \; && exits 0 "$sluice" sweep own.yaml --allow-programs && holds '6 runs: 2 found, 0 simulated, 4 failed'
}
claim "a recording that is damaged is made again, and its runs are found" found_again

checks() {
	exits 1 "$sluice" workload check own --size tiny --json check.json && cat out
	grep -qE '^own  *ciao  *n_warp  *4 ' out && grep -qE '^own  *khairy  *class  *thrashing' out && grep -q '"swl_ipc": {' check.json &&
		grep -qE 'own, ciao: [0-9]+ runs, [1-9]' err
}
claim "a check simulates what the classes of each paper need" checks

fails_in_check() {
	sed -i 's/return cudaDeviceSynchronize.*/return 5;/' mine/own/own.cu && exits 1 "$sluice" workload check own --size tiny --paper osm &&
		holds "own.cu: the program failed with status 5"
}
claim "a program that fails fails its check" fails_in_check

finish
