#!/bin/sh
# sluice toolkit: what build systems look for in a CUDA toolkit is there, and another toolkit is not mixed in.
set -u
. "$(dirname "$0")/common.inc"

sluice=$(realpath "$sluice")
library=$(dirname "$sluice")/libsluicert.so
clang=
for version in 19 18 17 16 15 14; do
	command -v clang++-$version >/dev/null && clang=yes
done
cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
if [ -z "$clang" ] || [ ! -e "$library" ] || nm -D "$library" | grep -q __asan_init; then
	echo "skipped: needs clang 14 to 19, and $library without sanitizers"
	exit 0
fi
kit=$work/kit

cat >add.cu <<'END'
#include <cstdio>
__global__ void add(int *p) { *p += 5; }
__attribute__((noinline)) bool grows(int x) { return x + 1 > x; }
int main(int argc, char **)
{
	int *d, h = 1;
	cudaMalloc(&d, 4);
	cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
	add<<<1, 1>>>(d);
	cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
	printf("sum %d wraps %d\n", h, !grows(2147483646 + argc));
}
END

prints() {
	words=$1
	shift
	exits 0 "$@" && grep -qF -e "$words" "$work/out" && return 0
	echo "no '$words' in:" && cat "$work/out" "$work/err"
	return 1
}

folder_is_made() {
	prints 'CUDA 12.0' "$sluice" toolkit "$kit" && prints 'CUDA 12.0' "$sluice" toolkit "$kit" || return 1
	mkdir other && touch other/file && refuses 'did not make it' "$sluice" toolkit other || return 1
	refuses 'expected one folder' "$sluice" toolkit && refuses 'No such file' "$sluice" toolkit no/such/place || return 1
	[ "$("$kit/bin/__nvcc_device_query")" = 90 ] || return 1
	for file in bin/nvcc bin/cuobjdump include/cuda_runtime.h include/cublas_v2.h lib64/libcudart.so lib64/libcudart_static.a \
		lib64/libcuda.so lib64/stubs/libcuda.so lib/libcudart.so targets/x86_64-linux/include/cuda.h version.json; do
		test -e "$kit/$file" || { echo "no $file" && return 1; }
	done
}
claim "a folder is made, made again, and made of nothing that others own" folder_is_made

plain_gcc_links() {
	"$kit/bin/nvcc" -O2 -c add.cu -o add.o || return 1
	for libraries in -lcudart '-lcudadevrt -lcudart_static -lrt -lpthread -ldl' '-lcuda -lcudart -lnvToolsExt'; do
		# shellcheck disable=SC2086 # options, one word each
		g++ add.o -L"$kit/lib64" $libraries -o add && prints 'sum 6 wraps 1' ./add || return 1
	done
	printf '#include <dlfcn.h>\nint main(void) { return !dlopen("libcudart.so.12", RTLD_NOW) || !dlopen("libcuda.so.1", RTLD_NOW); }\n' >load.c
	gcc load.c -o load -ldl && LD_LIBRARY_PATH=$kit/lib64 exits 0 ./load
}
claim "what plain gcc links finds the runtime without a run path, and signed arithmetic wraps" plain_gcc_links

nvcc_answers() {
	ln -s "$kit/bin/nvcc" linked && prints 'release 12.0, V12.0.' ./linked --version || return 1
	prints 'nvcc: NVIDIA (R) Cuda compiler driver' "$kit/bin/nvcc" -V || return 1
	exits 2 "$kit/bin/nvcc" -v __cmake_determine_cuda || return 1
	grep -qx "#\$ TOP=$kit" "$work/err" || { cat "$work/err" && return 1; }
	exits 0 ./linked -v add.cu -o add || return 1
	libraries=$(sed -n 's/^#\$ LIBRARIES=//p' "$work/err")
	grep -qF -e "$libraries -lcudadevrt -lcudart_static" "$work/err" && grep -q -- '-arch compute_70' "$work/err"
}
claim "nvcc says its release, its folders and its commands as CMake reads them, through a link, too" nvcc_answers

other_toolkits_stay_out() {
	mkdir -p nv/include/crt nv/lib64 && echo '#error "NVIDIA header"' >nv/include/cuda_runtime.h &&
		touch nv/include/crt/sm_70_rt.h && gcc -shared -x c /dev/null -o nv/lib64/libcudart.so || return 1
	exits 0 "$kit/bin/nvcc" -Inv/include -isystem nv/include -Lnv/lib64 -I"$kit/include" add.cu -o add -lcudart || return 1
	grep -q -- '-Inv/include is left out' "$work/err" && grep -q -- '-Lnv/lib64 is left out' "$work/err" || return 1
	! readelf -d add | grep -q 'nv/lib64' && prints 'sum 6' ./add
}
claim "headers and libraries of another toolkit are left out, and that is said" other_toolkits_stay_out

missing_headers_are_named() {
	echo '#include <cusolverDn.h>' >missing.cu
	exits 1 "$kit/bin/nvcc" -c missing.cu && grep -q 'cusolverDn.h is not supported: cuSOLVER' "$work/err" || return 1
	echo '#include <thrust/no_such.h>' >missing.cu
	exits 1 "$kit/bin/nvcc" -c missing.cu && grep -q 'apt install libthrust-dev' "$work/err" || return 1
	echo '#include <cuda_fp4.h>' >missing.cu
	exits 1 "$kit/bin/nvcc" -c missing.cu && grep -q 'cuda_fp4.h is not supported: .*fp4' "$work/err" || return 1
	exits 1 "$kit/bin/nvcc" add.cu -lcusolver -o none && grep -q -- '-lcusolver is not supported: cuSOLVER' "$work/err" || return 1
	echo '#include <cusolverDn.h>' >missing.cpp
	exits 1 "$kit/bin/nvcc" -c missing.cpp && grep -q 'cusolverDn.h is not supported' "$work/err"
}
claim "a missing header or library is named with its package, or as not supported" missing_headers_are_named

math_does_not_keep_loops_from_being_unrolled() {
	cat >unroll.cu <<-'END'
		__global__ void most(float *p, int n)
		{
			float m = 0;
		#pragma unroll 4
			for (int i = 0; i < n; i++)
				m = fmaxf(m, exp2f(p[i]));
			p[0] = m;
		}
	END
	"$kit/bin/nvcc" -ptx unroll.cu -o unroll.ptx || return 1
	[ "$(grep -c 'max.f32' unroll.ptx)" -ge 5 ] && [ "$(grep -c 'ex2.approx.f32' unroll.ptx)" -ge 5 ]
}
claim "loops with math functions of one instruction are unrolled" math_does_not_keep_loops_from_being_unrolled

options_files_are_read() {
	printf '%s\n' '-DX="a b" -D'"'Y=c'" '-O2' >inner.txt && echo '--options-file inner.txt add.cu' >outer.txt || return 1
	exits 0 "$kit/bin/nvcc" --dryrun -optf outer.txt && grep -q "'-DX=a b'" "$work/err" && grep -q -- '-DY=c' "$work/err" || return 1
	echo '-optf loop.txt' >loop.txt && refuses 'without end' "$kit/bin/nvcc" -optf loop.txt || return 1
	refuses 'none.txt' "$kit/bin/nvcc" -optf none.txt
}
claim "options come from files, in quotes and inside one another" options_files_are_read

device_outputs() {
	exits 0 "$kit/bin/nvcc" -dlink add.o -o dlink.o && g++ add.o dlink.o -L"$kit/lib64" -lcudart -o add && prints 'sum 6' ./add || return 1
	exits 0 "$kit/bin/nvcc" -cubin add.cu && grep -q '\.entry _Z3addPi' add.cubin || return 1
	for file in add add.o add.cubin; do
		prints '.entry _Z3addPi' "$kit/bin/cuobjdump" -ptx $file || return 1
	done
	refuses 'no machine code' "$kit/bin/cuobjdump" -sass add && refuses 'holds no PTX' "$kit/bin/cuobjdump" -ptx load || return 1
	head -c 3000 add.o >cut.o && refuses 'holds no PTX' "$kit/bin/cuobjdump" cut.o
}
claim "-dlink, -cubin and cuobjdump give PTX, or say why not" device_outputs

cat >unknown.cu <<'END'
__global__ void good(int *p) { *p = 7; }
__global__ void bad(int *p)
{
	asm volatile("frobnicate.b32 %0, 5;" : "=r"(*p));
}
END
unsupported_is_a_warning() {
	exits 0 "$kit/bin/nvcc" -c unknown.cu && grep -q "unknown.cu:4: warning: .*frobnicate" "$work/err"
}
claim "an instruction that is not supported is a warning at its line when the program is compiled" unsupported_is_a_warning

finish
