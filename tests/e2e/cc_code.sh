#!/bin/sh
# Device code is nvcc's on machines whose code is scheduled, and clang's on the others.
set -u
. "$(dirname "$0")/common.inc"

cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
clang=
for version in 19 18 17 16 15 14; do
	command -v clang++-$version >/dev/null && clang=yes
done
if [ -z "$clang" ] || [ ! -e "$(dirname "$sluice")/libsluicert.so" ]; then
	echo "skipped: needs clang 14 to 19 and libsluicert.so"
	exit 0
fi

cat >sum.cu <<'END'
__global__ void sum(const double *x, double *out, int n)
{
	__shared__ double total[32];
	total[threadIdx.x] = 0;
#pragma unroll 1
	for (int i = 0; i < n; i++)
		total[threadIdx.x] += exp(x[i]);
	double whole;
	out[threadIdx.x] = total[threadIdx.x] + modf(x[0], &whole) + whole;
}
int main(void)
{
	double *x, *out, one[64], got[32];
	for (int i = 0; i < 64; i++)
		one[i] = 0;
	cudaMalloc(&x, sizeof one);
	cudaMalloc(&out, sizeof got);
	cudaMemcpy(x, one, sizeof one, cudaMemcpyHostToDevice);
	sum<<<1, 32>>>(x, out, 64);
	cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
	return got[31] != 64;
}
END

# stores OPTION...: how many stores to shared memory the loop of sum() has, those outside of it not counted.
stores() {
	"$sluice" cc -ptx "$@" sum.cu -o sum.ptx || return 1
	sed -n '/Loop Header/,/bra/p' sum.ptx | grep -c 'st\.shared' || :
}
claim "a loop with a function of the math library keeps its sum in a register" [ "$(stores)" = 0 ]
claim "with clang's code it does not" [ "$(stores -clang-code)" = 1 ]

cat >rounds.cu <<'END'
__global__ void rounds(const float *__restrict__ a, float *o, int n)
{
	float sum = 0;
	for (int i = 0; i < n; i++)
		sum = sum * a[i * 32 + threadIdx.x] + 1.5f;
	o[threadIdx.x] = sum;
}
END
loads() {
	"$sluice" cc -ptx "$@" rounds.cu -o rounds.ptx || return 1
	grep -c 'ld\.global' rounds.ptx
}
claim "four rounds are done at once, and those that are left one by one" [ "$(loads -O3)" = 5 ]
claim "clang would do eight" [ "$(loads -O3 -clang-code)" = 9 ]

# counts MACHINE: shared stores of the launch on that machine; the program checks its result.
counts() {
	"$sluice" run sum.cu --machine "$1" --json run.json >run.txt 2>&1 || { cat run.txt && return 1; }
	sed -n 's/.*"insns_shared_store": \([0-9][0-9]*\).*/\1/p' run.json | head -n 1
}
claim "the H200 runs nvcc's code" [ "$(counts h200)" -le 2 ]
claim "the machines of papers run clang's" [ "$(counts gtx480-khairy)" -ge 64 ]
finish
