#!/bin/sh
# sluice cc: device code accesses memory as nvcc's does: structures field by field, aligned groups at once.
set -u
. "$(dirname "$0")/common.inc"

cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
opaque=
for version in 19 18 17 16 15; do
	command -v clang++-$version >/dev/null && opaque="$opaque clang++-$version"
done
if [ -z "$opaque" ]; then
	echo "skipped: needs clang 15 to 19"
	exit 0
fi

# kernel BODY...: PTX of a kernel with this body, in k.ptx, its loads and stores without registers in k.mem.
kernel() {
	cat >k.cu <<-EOF
		struct plain { float a, b, c, d; };
		struct param { const float *a; int n; float4 v; };
		__device__ float element(param p, int i) { return p.a[i] * p.n + p.v.y; }
		__global__ void k($1) { int i = threadIdx.x; $2 }
	EOF
	"$sluice" cc -ptx k.cu || return 1
	sed -n '/^\.visible \.entry/,$p' k.ptx | grep -oE '(ld|st)(\.(global|shared|local|nc|v[24]))*\.[usfb][0-9]+' >k.mem || :
	grep -q '\.local' k.ptx && echo local >>k.mem
	return 0
}

# accesses WANT ARGUMENTS BODY: the kernel has these loads and stores, in this order; with every clang that is installed.
accesses() {
	for clang in $opaque; do
		SLUICE_CLANG=$clang kernel "$2" "$3" || return 1
		got=$(tr '\n' ' ' <k.mem)
		[ "$got" = "$1 " ] || { echo "$clang: $got, expected $1" && return 1; }
	done
}

claim "a float4 of which a field changes is one load and one store" accesses 'ld.global.v4.f32 st.global.v4.f32' \
	'const float4 *a, float4 *o' 'float4 v = a[i]; v.x += 1; o[i] = v;'
claim "so is one that is copied" accesses 'ld.global.v4.f32 st.global.v4.f32' 'const float4 *a, float4 *o' 'o[i] = a[i];'
claim "a structure of floats goes field by field, not through local memory" accesses \
	'ld.global.f32 ld.global.f32 ld.global.f32 ld.global.f32 st.global.f32 st.global.f32 st.global.f32 st.global.f32' \
	'const plain *a, plain *o' 'plain v = a[i]; v.a += 1; o[i] = v;'
claim "of a copy of which one field is used, that is loaded" accesses 'ld.global.f32 st.global.f32' \
	'const float4 *a, float *o' 'float4 v = a[i]; o[i] = v.z;'
claim "of one of which half is used, that" accesses 'ld.global.v2.f32 st.global.f32' \
	'const float4 *a, float *o' 'float4 v = a[i]; o[i] = v.z + v.w;'
claim "of one of which three are used, all" accesses 'ld.global.v4.f32 st.global.f32' \
	'const float4 *a, float *o' 'float4 v = a[i]; o[i] = v.y + v.z * v.w;'
claim "a word of each half is loaded by itself" accesses 'ld.global.f32 ld.global.f32 st.global.f32' \
	'const float4 *a, float *o' 'float4 v = a[i]; o[i] = v.y + v.z;'

# Older ones write addresses in another form, which is left as it is.
if command -v clang++-19 >/dev/null; then
	opaque='clang++-19'
	claim "three fields with a gap between them are one load" accesses 'ld.global.v4.f32 st.global.f32' \
		'const float4 *a, float *o' 'o[i] = a[i].x + a[i].y + a[i].w;'
	claim "two words of both halves are two" accesses 'ld.global.f32 ld.global.f32 st.global.f32' \
		'const float4 *a, float *o' 'o[i] = a[i].x + a[i].w;'
	claim "the first two are half of it" accesses 'ld.global.v2.f32 st.global.f32' \
		'const float4 *a, float *o' 'o[i] = a[i].x + a[i].y;'
	claim "without the first there is no group" accesses 'ld.global.f32 ld.global.f32 st.global.f32' \
		'const float4 *a, float *o' 'o[i] = a[i].y + a[i].w;'
	claim "a store between two loads keeps them apart" accesses 'ld.global.f32 st.global.f32 ld.global.f32 st.global.f32' \
		'const float4 *a, float *o' 'o[i] = a[i].x; o[i + 32] = a[i].w;'
fi

in_each_round() {
	kernel "$1" '_Pragma("unroll 1")
	for (int j = 0; j < n; j++) o[j] = a[i];' && sed -n '/Loop Header/,/bra/p' k.ptx | grep -q 'ld\.global'
}
claim "a float is loaded again after an integer was stored" in_each_round 'const float *a, int *o, int n'
not_if_restricted() {
	! in_each_round 'const float *__restrict__ a, int *__restrict__ o, int n'
}
claim "unless pointers are said to differ" not_if_restricted

arguments_are_global() {
	kernel 'param p, float *o' 'param q = p; q.n++; o[i] = element(q, i) + q.v.x;' &&
		grep -q 'ld\.global' k.mem && ! grep -qE '^ld\.f32|local' k.mem && grep -q 'ld\.param.*k5paramPf_param_0' k.ptx
}
claim "pointers in a kernel's argument are known to point to global memory" arguments_are_global

# One command that goes from the source to PTX, made of the first of three.
one_command() {
	"$sluice" cc -dryrun -ptx "$@" 2>&1 >/dev/null | sed -n '1{s/^#\$ //;s/-emit-llvm -Xclang -disable-llvm-passes /-fno-strict-aliasing /;s/ -o .*/ -o one.ptx/;p;}'
}
without_comments() {
	sed 's,//.*,,;s/[[:space:]]*$//;/^$/d' "$1"
}
steps_add_nothing() {
	for options in '' '-fmad=false -O3' '--use_fast_math -arch=sm_80'; do
		# shellcheck disable=SC2086 # several words
		for source in syrk rowsum share; do
			source=$root/examples/kernels/$source.cu
			eval "$(one_command $options "$source")" && "$sluice" cc -ptx $options "$source" -o steps.ptx || return 1
			without_comments one.ptx >one.txt
			without_comments steps.ptx >steps.txt
			diff one.txt steps.txt || return 1
		done
	done
}
claim "where there is nothing to rewrite, PTX is what one command makes" steps_add_nothing

commands_are_shown() {
	echo '__global__ void k() {}' >empty.cu
	[ "$("$sluice" cc -dryrun -ptx empty.cu 2>&1 | grep -c '^#\$')" = 3 ] &&
		[ "$("$sluice" cc -dryrun -ptx -G empty.cu 2>&1 | grep -c '^#\$')" = 1 ] || return 1
	! command -v clang++-14 >/dev/null ||
		[ "$(SLUICE_CLANG=clang++-14 "$sluice" cc -dryrun -ptx empty.cu 2>&1 | grep -c '^#\$')" = 1 ]
}
claim "a dry run shows three commands; -G, and clang before 15, take one" commands_are_shown

nothing_is_left() {
	echo '__global__ void k() { oops }' >bad.cu
	exits 1 "$sluice" cc -ptx bad.cu && grep -q '^bad.cu:1:23: error' "$work/err" && [ -z "$(ls tmp)" ]
}
claim "errors name the source, and no file stays behind" nothing_is_left

# ---- kernels that launch, allocate and copy ---------------------------------------------------------------------------

# The tail launch is the first that is asked for and the last that runs.
cat >"$work/inside.cu" <<'END'
#include <cstdio>
__global__ void note(int *log, int who)
{
	log[1 + atomicAdd(log, 1)] = who;
}
__global__ void parent(int *log, const int *from, int *to)
{
	int *own;
	note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 3);
	note<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 1);
	note<<<1, 1>>>(log, 2);
	if (cudaMalloc(&own, 4 * sizeof(int)) != cudaSuccess)
		return;
	cudaMemsetAsync(own, 0, 4 * sizeof(int), 0);
	cudaMemcpyAsync(own, from, 3 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
	cudaMemcpyAsync(to, own, 4 * sizeof(int), cudaMemcpyDeviceToDevice);
	cudaFree(own);
}
int main()
{
	int *m;
	cudaMallocManaged(&m, 64 * sizeof(int));
	for (int i = 0; i < 64; i++)
		m[i] = i;
	m[0] = 0;
	parent<<<1, 1>>>(m, m + 20, m + 40);
	cudaDeviceSynchronize();
	printf("%d: %d %d %d, %d %d %d %d\n", m[0], m[1], m[2], m[3], m[40], m[41], m[42], m[43]);
}
END
inside() {
	"$sluice" cc -rdc=true "$work/inside.cu" -o "$work/inside" && [ "$("$work/inside")" = "3: 1 2 3, 20 21 22 0" ]
}
claim "tail launches run last; kernels allocate, fill and copy" inside

# As when a makefile links with gcc and the folder of another toolkit, whose runtime does not know of sluice.
elsewhere() {
	cd "$work" || return 1
	"$sluice" cc -c inside.cu -rdc=true -o inside.o || return 1
	nm -u inside.o | sed -n 's/^ *U \(_*cuda.*\)/void \1(void) {}/p' >other.c
	gcc -shared -fPIC other.c -o libother.so && gcc inside.o -L. -lother -lstdc++ -Wl,-rpath,. -o elsewhere || return 1
	exits 127 ./elsewhere && grep -q "links another CUDA runtime than sluice's" "$work/err"
}
claim "a program that links another CUDA runtime is told so when it starts" elsewhere

finish
