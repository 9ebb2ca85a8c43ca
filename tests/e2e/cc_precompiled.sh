#!/bin/sh
# sluice cc --precompile: sources are read faster, and nothing else changes; what was prepared counts only while every
# file it was made of is as it was, and where none of them is hidden by another.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 1
library=$(dirname "$sluice")/libsluicert.so
if ! command -v clang++-19 >/dev/null || [ ! -e "$library" ]; then
	echo "skipped: needs clang 19 and $library"
	exit 0
fi

# An installation of its own, whose headers can be changed.
mkdir -p own/bin own/lib/sluice own/share/sluice/include
cp "$sluice" own/bin/sluice
cp -R "$root/include/cuda" own/share/sluice/include/cuda
ln -s "$library" own/lib/sluice/libsluicert.so
sluice=$work/own/bin/sluice
prepared=$work/own/share/sluice/precompiled
cat >k.cu <<'END'
#include <cuda_runtime.h>
#ifndef MADE
#define MADE 1
#endif
template <typename T> __device__ T twice(T x) { return x + x; }
static __device__ int counter;
__global__ void k(float4 *p, const int *q)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].x = sqrtf(fabsf(p[i].y)) + twice(__ldg(q + i)) + MADE;
	atomicAdd(&counter, __popc(__ballot_sync(~0u, i & 1)));
}
int main()
{
	k<<<1, 32>>>(NULL, NULL);
	return 0;
}
END

# reads HOW OPTION...: of the commands for device and host code so many (HOW) take what was prepared.
reads() {
	times=$1
	shift
	exits 0 "$sluice" cc --dryrun "$@" -c k.cu -o k.o || return 1
	found=$(grep -c -e '-include-pch' err)
	[ "$found" = "$times" ] || { echo "$found commands read a precompiled header, not $times" && cat err && return 1; }
}
# same OPTION...: with and without it (CPATH is a folder that might hide headers), to the byte.
# shellcheck disable=SC2120 # options come through claim
same() {
	reads 2 "$@" && exits 0 "$sluice" cc -keep "$@" -c k.cu -o k.o && mv k.ptx with.ptx && mv k.o with.o || return 1
	CPATH=$work/none reads 0 "$@" && CPATH=$work/none exits 0 "$sluice" cc -keep "$@" -c k.cu -o k.o &&
		cmp k.ptx with.ptx && cmp k.o with.o
}

claim "nothing is prepared without being asked for" reads 0
prepares() {
	exits 0 "$sluice" cc --precompile && [ "$(find "$prepared" -name '*.pch' | wc -l)" = 2 ] &&
		! find "$prepared" -name 'tmp-*' | grep .
}
claim "--precompile prepares headers for device and host code" prepares
claim "what is compiled with them is the same" same
is_kept() {
	before=$(ls -l --time-style=full-iso "$prepared") && prepares && [ "$(ls -l --time-style=full-iso "$prepared")" = "$before" ]
}
claim "what counts is not made again" is_kept
claim "device code has a level of its own: host code is optimised or not" reads 1 -O3
claim "another language is another header" reads 0 -std=c++14
claim "a macro may change a header" reads 0 -DMADE=2
: >k.h
claim "a file included first may change it" reads 0 -include k.h
mkdir folder
claim "folders that hide none of its files do not matter" same -Ifolder
cp "$root/include/cuda/vector_types.h" folder/
claim "a folder that hides one of its files does" reads 0 -Ifolder
cp "$root/include/cuda/cuda_runtime.h" .
claim "and so does the current folder" reads 0
rm cuda_runtime.h
# files RULE: those it names, by any path, in any order.
files() {
	tr -s ' \\\n' '\n' <"$1" | grep -v ':$' | xargs realpath | sort -u
}
same_rule() {
	reads 2 -MD -MF k.d && exits 0 "$sluice" cc -MD -MF with.d -c k.cu -o k.o && files with.d >with || return 1
	CPATH=$work/none exits 0 "$sluice" cc -MD -MF without.d -c k.cu -o k.o && files without.d >without && cmp with without &&
		grep -q 'vector_types\.h' with
}
claim "rules for make name the same files" same_rule
claim "but for those without system headers" reads 0 -MMD

# The header changes: what is compiled then has the change.
echo '#define MADE 7' >>own/share/sluice/include/cuda/cuda_runtime.h
changed() {
	cp with.ptx old.ptx
	reads 0 && prepares && same && ! cmp -s old.ptx with.ptx
}
claim "a header that has changed is read again, and prepared again" changed

claim "--precompile takes no file" refuses "takes options and no files" "$sluice" cc --precompile k.cu
claim "nor options that it cannot know" refuses "--precompile takes options that begin with" "$sluice" cc --precompile -include k.h
finish
