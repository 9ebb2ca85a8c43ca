#!/bin/sh
# sluice cc: compiles, links and refuses as nvcc would, and its headers agree with the runtime.
set -u
. "$(dirname "$0")/common.inc"

headers=$root/include/cuda
cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
library=$(dirname "$sluice")/libsluicert.so
clangs=
for version in 19 18 17 16 15 14; do
	command -v clang++-$version >/dev/null && clangs="$clangs clang++-$version"
done
if [ -z "$clangs" ] || [ ! -e "$library" ]; then
	echo "skipped: needs clang 14 to 19 and $library"
	exit 0
fi

cc() {
	"$sluice" cc "$@"
}

# runs WORDS PROGRAM...: it ends well and says so; a library that is sanitized wants its own runtime first.
runs() {
	words=$1
	shift
	preload=
	nm -D "$library" | grep -q __asan_init && preload=$(gcc -print-file-name=libasan.so)
	LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 exits 0 "$@" || return 1
	grep -qF -e "$words" "$work/out" && return 0
	echo "no '$words' in:" && cat "$work/out"
	return 1
}

# ---- programs ------------------------------------------------------------------------------------------------

cat >add.cu <<'END'
#include <stdio.h>
#include "part.h"
__global__ void add(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] += STEP * i;
}
int main()
{
	int *d, h[64] = {0};
	cudaMalloc(&d, sizeof h);
	cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
	add<<<2, 32>>>(d, 64);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 64; i++)
		if (h[i] != STEP * i)
			return 1;
	printf("sum %d\n", part_in_c(1) + part_in_cxx(10) + part_in_cuda(100));
	return 0;
}
END
cat >part.h <<'END'
#ifdef __cplusplus
extern "C"
#endif
int part_in_c(int x);
int part_in_cxx(int x);
int part_in_cuda(int x);
END
cat >part.c <<'END'
#include <cuda_runtime_api.h>
int part_in_c(x) int x; { struct cudaDeviceProp p; return cudaGetDeviceProperties(&p, 0) == cudaSuccess ? x : 0; }
END
cat >more.cpp <<'END'
#include <cuda_runtime.h>
#include "part.h"
int part_in_cxx(int x) { float *p; return cudaMalloc(&p, 4) == cudaSuccess ? x : 0; }
END
cat >kernel.cu <<'END'
#include "part.h"
__constant__ int factor[1];
template <class T> __global__ void scale(T *p) { *p *= factor[0]; }
int part_in_cuda(int x)
{
	int *d, two = 2;
	cudaMalloc((void **)&d, 4);
	cudaMemcpyToSymbol("factor", &two, 4);
	cudaMemcpy(d, &x, 4, cudaMemcpyHostToDevice);
	scale<int><<<1, 1>>>(d);
	cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);
	return x / 2;
}
END

one_command_builds() {
	for clang in $clangs; do
		SLUICE_CLANG=$clang cc -O3 -DSTEP=3 -I. -arch=sm_35 -lineinfo -Xcompiler -Wall,-O1 --use_fast_math \
			add.cu kernel.cu part.c more.cpp -o app -lcudart -lm || return 1
		runs 'sum 111' ./app || return 1
	done
}
claim "one command builds .cu, .c and .cpp files into a program that runs, with every installed clang" one_command_builds

objects_link() {
	cc -c -DSTEP=1 add.cu && cc -c kernel.cu -o k.o && cc -dc -rdc=true part.c && cc -c more.cpp -std=c++14 &&
		cc -lib part.o more.o -o libparts.a && cc add.o k.o -L. -lparts -o app && runs 'sum 111' ./app
}
claim "objects, static libraries and their order on the command line work as with nvcc" objects_link

make_works() {
	mkdir -p made && cp add.cu kernel.cu part.c more.cpp part.h made/ || return 1
	cat >made/Makefile <<'END'
NVCC = nvcc
CUDA = /usr/local/cuda
VERSION := $(shell $(NVCC) --version | grep release | sed 's/.*release //' | sed 's/,.*//')
NVCCFLAGS = -O2 -m64 -gencode arch=compute_60,code=sm_60 -gencode arch=compute_70,code=\"sm_70,compute_70\" \
	--ptxas-options=-v -Xptxas -dlcm=ca --compiler-options -fno-strict-aliasing -DSTEP=2 -ccbin g++
INCLUDES = -I$(CUDA)/include
app: add.o kernel.o part.o more.o
	$(NVCC) $(NVCCFLAGS) -o $@ $+ -L$(CUDA)/lib64 -lcudart -lcuda
	test "$(VERSION)" = 12.0
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) $(INCLUDES) -MD -o $@ -c $<
%.o: %.cpp
	$(NVCC) $(NVCCFLAGS) $(INCLUDES) --compile -o $@ $<
%.o: %.c
	$(NVCC) $(NVCCFLAGS) $(INCLUDES) -c $< -o $@
-include $(wildcard *.d)
END
	make -s -j4 -C made NVCC="$sluice cc" && runs 'sum 111' made/app && grep -q 'kernel.cu.*' made/kernel.d &&
		touch made/part.h && make -n -C made NVCC="$sluice cc" | grep -q kernel.cu
}
claim "an ordinary makefile works with NVCC=\"sluice cc\", in parallel, with dependencies" make_works

cat >spaced.cuh <<'END'
__global__ void two(int *p) { *p += 2; }
inline void launch_two(int *p) { two < < < 1, 1 > > > (p); }
END
cat >spaced.cu <<'END'
#include <stdio.h>
#include <vector>
#include "spaced.cuh"
static std::vector<std::vector<std::vector<int> > > empty() { return std::vector<std::vector<std::vector<int> > > (3); }
__global__ void one(int *p) { *p += 1; }
int main() {
	int *d, h; /* << < >> > ( */
	cudaMalloc(&d, 4); cudaMemset(d, 0, 4);
	one << < dim3(1),
		1 >> > (d); one<<<1, 1>> >(d); launch_two(d);
	cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
	printf("value %d %s %zu\n", h, "<< < x >> > (", empty().size());
	BROKEN
}
END
spaced_launches_work() {
	cc -DBROKEN= spaced.cu -o spaced && runs 'value 4 << < x >> > ( 3' ./spaced || return 1
	exits 1 cc -DBROKEN=oops spaced.cu || return 1
	grep -q '^spaced.cu:13:2: error' "$work/err" || { cat "$work/err" && return 1; }
}
claim "k << < g, b >> > () is a launch, in included files, too, and messages keep file, line and column" spaced_launches_work

cat >register.cu <<'END'
#include <stdio.h>
#define LANE "%laneid"
__global__ void k(unsigned *p, float x) {
	unsigned lane, clock;
	asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
	asm("mov.u32 %0, %%clock;" : "=r"(clock));
	p[threadIdx.x] = lane + (unsigned)(fmin(x, 2.0f) + round(x) + fma(x, x, x) + hypot(x, x)) * 0 + (clock == 0) * 0;
}
int main() {
	unsigned *d, h[32], sum = 0;
	cudaMalloc(&d, sizeof h);
	k<<<1, 32>>>(d, 3.0f);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 32; i++)
		sum += h[i];
	printf("sum %u %s\n", sum, LANE);
	return 0;
}
END
registers_are_read() {
	cc register.cu -o register && runs 'sum 496 %laneid' ./register
}
claim "a special register may have one percent sign in inline assembly, and float overloads are all there" registers_are_read

# ---- outputs and options ---------------------------------------------------------------------------------------

ptx_is_written() {
	cc -ptx -maxrregcount=40 -arch sm_61 kernel.cu && grep -q '^\.target sm_70' kernel.ptx &&
		grep -q '^\.maxnreg 40' kernel.ptx && grep -q '\.loc' kernel.ptx || return 1
	cc -ptx -arch=sm_80 kernel.cu -o other.ptx && grep -q '^\.target sm_80' other.ptx || return 1
	cc -ptx -arch=sm_200 kernel.cu -o other.ptx && grep -q '^\.target sm_[89]' other.ptx || return 1
	cc -ptx -gencode arch=compute_80,code=sm_80 -gencode arch=compute_75,code=sm_75 kernel.cu -o other.ptx &&
		grep -q '^\.target sm_80' other.ptx || return 1
	cc -ptx -gencode arch=compute_75,code=sm_75 -gencode arch=compute_120,code=sm_120 kernel.cu -o other.ptx &&
		grep -q '^\.target sm_75' other.ptx
}
claim "-ptx writes PTX with register limit and lines, for the newest architecture asked for up to sm_90" ptx_is_written

cat >math.cu <<'END'
__global__ void k(float *f) { f[0] = f[1] / f[2]; f[3] = f[4] * f[5] + f[6]; f[7] = sinf(f[8]); }
END
ptx_of() {
	cc -ptx "$@" math.cu -o math.ptx
}
math_options_reach_device_code() {
	ptx_of && grep -q 'div.rn.f32' math.ptx && grep -q 'fma.rn.f32' math.ptx && grep -q __nv_sinf math.ptx || return 1
	ptx_of -ftz=true && grep -q 'fma.rn.ftz.f32' math.ptx && grep -q 'div.rn.ftz' math.ptx || return 1
	ptx_of -prec-div=false && grep -q 'div.full.f32' math.ptx || return 1
	ptx_of -fmad=false && ! grep -q 'fma.rn' math.ptx || return 1
	ptx_of --use_fast_math && grep -q 'div.approx.ftz.f32' math.ptx && grep -q __nv_fast_sinf math.ptx || return 1
	ptx_of -G && grep -q '%SP' math.ptx
}
claim "-ftz, -prec-div, -fmad, --use_fast_math and -G change device code" math_options_reach_device_code

other_stages_work() {
	exits 0 cc -E -DSTEP=7 add.cu && grep -q 'a\[i\] += 7 \* i' "$work/out" || return 1
	exits 0 cc -M -DSTEP=7 add.cu && grep -q 'part\.h' "$work/out" || return 1
	cc -shared -Xcompiler -fPIC kernel.cu -o libkernel.so && nm -D libkernel.so | grep -q part_in_cuda || return 1
	cp more.cpp odd.xyz && cc -x c++ -c odd.xyz -o odd.o && test -s odd.o
}
claim "-E, -M, -shared and -x do what they do in nvcc" other_stages_work

dryrun_runs_nothing() {
	rm -f app && exits 0 cc --dryrun -DSTEP=1 add.cu kernel.cu -o app && [ ! -e app ] &&
		[ "$(grep -c '^#\$ .*cuda-device-only' "$work/err")" = 2 ] && grep -q lsluicert "$work/err"
}
claim "--dryrun shows the commands and runs none" dryrun_runs_nothing

help_is_complete() {
	exits 0 cc --help || return 1
	for option in -o -c -E -I -D -U -L -l -std -O -g -G -lineinfo -arch -gencode -code -m64 -use_fast_math -ftz -prec-div \
		-prec-sqrt -fmad -Xcompiler -Xlinker -maxrregcount -rdc -shared -x -w -MD -MF -v -dryrun --version -keep -ptx; do
		grep -q -e "^  *.*$option\b" "$work/out" || { echo "no $option" && return 1; }
	done
}
claim "--help lists the options" help_is_complete

# ---- refusals -------------------------------------------------------------------------------------------------

errors_are_clangs() {
	echo '__global__ void k() { undeclared(); }' >bad.cu
	exits 1 cc -c bad.cu && grep -q "^bad.cu:1:23: error:.*undeclared" "$work/err"
}
claim "an error in a program ends with 1 and clang's message" errors_are_clangs

bad_orders_are_refused() {
	refuses "did you mean '-arch'" cc -arhc=sm_70 add.cu && refuses 'no input files' cc -O3 &&
		refuses 'standard input' cc - && refuses 'missing.cu: cannot be read' cc missing.cu &&
		refuses 'cannot become one' cc -c add.cu kernel.cu -o x.o && refuses "needs a value" cc add.cu -o &&
		refuses 'only PTX is generated' cc -optix-ir add.cu && refuses 'expected true or false' cc -ftz=maybe add.cu &&
		refuses 'expected a file that ends in' cc notes.txt && refuses '64-bit' cc -m 32 add.cu
}
claim "a wrong command line ends with 2 and says what was expected" bad_orders_are_refused

clang_is_named() {
	refuses 'apt install clang-19' env PATH=/nonexistent "$sluice" cc add.cu &&
		refuses 'no-such-clang' env SLUICE_CLANG=no-such-clang "$sluice" cc add.cu
}
claim "a missing clang is reported with the package to install" clang_is_named

unsupported_features_are_named() {
	echo '__global__ void k() { cudaDeviceSynchronize(); }' >a.cu
	echo '__global__ void k(cudaTextureObject_t t, float *p) { *p = tex2Dgather<float>(t, 0, 0); }' >b.cu
	echo '__device__ int elsewhere(int); __global__ void k(int *p) { *p = elsewhere(*p); }' >c.cu
	exits 1 cc -c a.cu && grep -q 'call to __host__ function from __global__ function' "$work/err" &&
		exits 1 cc -c b.cu && grep -q 'texture gathers are not supported' "$work/err" && exits 1 cc -c c.cu &&
		grep -q "c.cu: device function '_Z9elsewherei' is defined in another file" "$work/err"
}
claim "what device code cannot have is an error that names it" unsupported_features_are_named

# Launches in device code, and what only looks like one; the error is in line 4 of the source.
device_launches_are_rewritten() {
	cat >launch.cu <<'END_CU'
#include <cstdio>
// leaf<<<1, 1>>>(p) in a comment
template <int N> __global__ void leaf(int *p, double d) { p[N] = (int)d; }
namespace ns { __global__ void inner(int *p) { p[3] = MISTAKE; } }
struct S { __device__ void go(int *p) const { ns::inner<<<1, 1>>>(p); } };
__host__ __device__ void both(int *p) { leaf<2><<<1, 1>>>(p, 2.5); }
__global__ void top(int *p)
{
	const char *text = "x<<<y>>>z";
	both(p);
	S().go(p);
	auto f = [=](int v) { leaf<1>
		<<<dim3(1), (v > 2 ? 1 : 1)>>>(p, v << 3 >> 1); };
	f(text[0] == 'x' ? 3 : 0);
}
int main()
{
	int *p;
	cudaMallocManaged(&p, 64);
	both(p);
	top<<<1, 1>>>(p);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%d %d %d %d\n", error, p[1], p[2], p[3]);
}
END_CU
	exits 1 cc launch.cu -o launch && grep -q 'launch.cu:4:.*MISTAKE' "$work/err" &&
		exits 0 cc -DMISTAKE=33 launch.cu -o launch && [ "$(./launch)" = "0 12 2 33" ]
}
claim "launches in device code are rewritten where they are launches" device_launches_are_rewritten

# ---- headers --------------------------------------------------------------------------------------------------

# What takes long here is clang: a sanitized sluice, which does no more than call it, would find nothing.
headers_claim() {
	[ -n "${SLUICE_TEST_SHARE:-}" ] || claim "$@"
}

declared_functions_exist() {
	for header in cuda_runtime_api.h cuda.h; do
		echo "#include <$header>" | gcc -E -I"$headers" -xc - | tr '\n' ' ' | tr ';' '\n' |
			sed -n 's/.*\b\(cu[a-z]*[A-Z][A-Za-z0-9]*\)(.*/\1/p'
	done | sort -u >declared
	nm -D "$library" | sed -n 's/.* T //p' | sort -u >defined
	[ "$(wc -l <declared)" -gt 120 ] && [ -z "$(comm -23 declared defined)" ] || { comm -23 declared defined && return 1; }
}
claim "the runtime has every function that the headers declare" declared_functions_exist

headers_stand_alone() {
	: >all.cu
	for file in "$headers"/*.h "$headers"/c*/*.h; do
		name=${file#"$headers"/}
		printf '#include <%s>\n' "$name" >>all.cu
		[ "$(wc -l <"$file")" -le 6 ] && continue # another name of one that is tried
		printf '#include <%s>\n#include <%s>\n' "$name" "$name" >alone.cu
		cc -ptx alone.cu || { echo "$name" && return 1; }
		case $name in helper_* | cooperative_groups*) continue ;; esac
		cp alone.cu alone.c && gcc -std=gnu89 -Wall -Werror -I"$headers" -c alone.c -o alone.o ||
			{ echo "$name in C" && return 1; }
	done
	for clang in $clangs; do
		SLUICE_CLANG=$clang cc -c all.cu -o all.o || { echo "$clang" && return 1; }
	done
}
headers_claim "every header can be included alone and twice and from C, and all together by every installed clang" headers_stand_alone

standards_work() {
	printf '#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cutil.h>\n' >std.cu
	printf '#include <helper_cuda.h>\n#include <vector>\n#include <algorithm>\n#include <memory>\nint main() { return 0; }\n' >>std.cu
	for standard in c++11 c++14 c++17 c++20; do
		cc -std=$standard -c std.cu -o std.o || return 1
	done
}
headers_claim "the headers compile as C++11 to C++20" standards_work

cat >half.cu <<'END'
#include <cuda_fp16.h>
#include <stdio.h>
int main()
{
	int bad = 0;
	for (unsigned i = 0; i < 65536; i++) {
		unsigned short bits = (unsigned short)i, back;
		_Float16 exact;
		__builtin_memcpy(&exact, &bits, 2);
		float f = __half2float(__ushort_as_half(bits));
		bad += f == f && f != (float)exact;
		for (int step = -1; step <= 1; step++) { /* halfway to the next, and a little off */
			float between = f * (1 + (float)step * 0x1p-20f) + (float)(i & 1) * f * 0x1p-11f;
			exact = (_Float16)between;
			__builtin_memcpy(&back, &exact, 2);
			bad += between == between && back != __half_as_ushort(__float2half(between));
		}
	}
	printf("bad %d\n", bad);
	return 0;
}
END
halves_are_exact() {
	cc -O2 half.cu -o half && runs 'bad 0' ./half
}
claim "conversions of half precision on the host are exact, rounded to nearest even" halves_are_exact

nothing_is_left() {
	ls "$work/tmp" && [ -z "$(ls -A "$work/tmp")" ]
}
claim "no temporary files remain" nothing_is_left

finish
