#!/bin/sh
# sluice cc without a compiler: what becomes of its options, of what clang answers, and of the PTX that it writes.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
[ -e "$(dirname "$sluice")/libsluicert.so" ] || { echo "skipped: needs libsluicert.so" && exit 0; }
cc=${CC:-cc}

# ---- a clang that compiles nothing -----------------------------------------------------------------------------

# It says that its headers are in $RESOURCES, copies $PTX to where device code goes, at each step of it, prints what it gets to see in
# place of files, and ends as $CLANG_STATUS and $CLANG_SAYS tell it to.
mkdir -p tmp clang/19/include clang/14/include clang/12 clang/none clang/20
: >clang/19/include/__clang_cuda_device_functions.h
: >clang/14/include/__clang_cuda_device_functions.h
: >clang/14/include/omp.h
cat >fake-clang <<'END'
#!/bin/sh
[ "$1" = -print-resource-dir ] && { [ -z "$RESOURCES" ] || echo "$RESOURCES"; } && exit "${ANSWER_STATUS:-0}"
device=
out=
while [ $# -gt 0 ]; do
	case $1 in
	--cuda-device-only | -cc1) device=yes ;;
	-o) out=$2 ;;
	-ivfsoverlay)
		cp "$2" "$OVERLAY"
		[ -z "$device" ] || sed -n "s/.*external-contents: '\(.*\)'/\1/p" "$2" | xargs cat
		;;
	esac
	shift
done
[ -z "${CLANG_SAYS:-}" ] || echo "$CLANG_SAYS" >&2
[ "${CLANG_STATUS:-0}" = killed ] && kill -9 $$
[ -n "$device" ] && [ -n "$PTX" ] && cat "$PTX" >"$out"
[ -z "$device" ] && [ -n "$out" ] && cp "$OBJECT" "$out"
exit "${CLANG_STATUS:-0}"
END
chmod +x fake-clang
: | $cc -x c -c - -o empty.o || exit 2
RESOURCES=$work/clang/19
PTX=$work/good.ptx
OBJECT=$work/empty.o
OVERLAY=$work/overlay.yaml
SLUICE_CLANG=$work/fake-clang
TMPDIR=$work/tmp
export RESOURCES PTX OBJECT OVERLAY SLUICE_CLANG TMPDIR
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n' >good.ptx
echo '__global__ void k() {}' >k.cu
echo 'int c;' >c.c
echo 'int x;' >x.cpp
cp k.cu plain

# answers STATUS WORDS WORD...: cc ends so and its messages, or the commands that it shows, hold the words, or with a ! do not.
answers() {
	status=$1
	words=$2
	shift 2
	exits "$status" "$sluice" cc "$@" || return 1
	case $words in
	'!'*) ! grep -qF -e "${words#!}" "$work/err" && return 0 ;;
	*) [ -z "$words" ] || grep -qF -e "$words" "$work/err" && return 0 ;;
	esac
	echo "'$words' and:"
	cat "$work/err"
	return 1
}

# ---- options ------------------------------------------------------------------------------------------------------

printf -- '-DFIRST "-DTWO WORDS" -DTHREE=\\"x\\" -D'"'"'FOUR\\'"'"' k.cu\n  --dryrun' >options
printf -- '--dryrun c.c -DLAST\\' >last
printf -- '-optf again --dryrun k.cu' >again
mkdir -p own nvidia/lib nvidia/include own/lib odd
: >nvidia/include/cuda_runtime.h
: >nvidia/lib/libcudart.so
echo 'INPUT ( of sluice )' >own/lib/libcudart.so
echo 'of another toolkit' >odd/libcudart_static.a
long=$(head -c 6000 /dev/zero | tr '\0' x)
rows cc <<END
0||-V
0||-h
0||--help=words
2|no input files|--dryrun
2|standard input cannot be compiled|-
2|unknown option '-zzz'|-zzz k.cu
2|see 'sluice cc --help'|--no-such-thing-at-all=1 k.cu
2|did you mean '-arch'|-arhc=sm_70 k.cu
0|-zzz|-forward-unknown-opts -zzz --dryrun x.cpp
2|needs a value|k.cu -o
0|-o "k.cubin"|-cubin --dryrun k.cu
0|-o "k.fatbin"|--fatbin --dryrun k.cu
0|!#$|-ptx --dryrun x.cpp
2|only PTX is generated|-optix-ir k.cu
0|-o "plain.o"|-x cu -c --dryrun plain
0|-x c++|-x c++ -c --dryrun plain
0|-o "k.o"|-x none -c --dryrun k.cu
2|expected cu, c or c++|-x fortran plain
2|expected a file that ends in|plain
2|nowhere.cu: cannot be read|nowhere.cu
0| -O1 |-O --dryrun -c c.c
0| -O2 |--optimize=2 --dryrun -c c.c
0| -Ofast |-Ofast --dryrun -c c.c
2|expected -O0 to -O3|-O9 c.c
2|expected -O0 to -O3|-Offaster c.c
2|expected 0 to 255|-maxrregcount=256 k.cu
2|expected 0 to 255|-maxrregcount=x k.cu
2|expected 0 to 255|-maxrregcount= k.cu
2|expected 0 to 255|-maxrregcount=1x k.cu
0|-isystem own|-isystem own --dryrun -c c.c
0|-Iown|--include-path=own --dryrun -c c.c
0|-I=own|-I=own --dryrun -c c.c
0|is left out: it belongs to another CUDA toolkit|-Invidia/include --dryrun -c c.c
0|!-I$root/include/cuda|-I$root/include/cuda --dryrun -c c.c
0|is left out: it belongs to another CUDA toolkit|-Lnvidia/lib --dryrun c.c
0|is left out: it belongs to another CUDA toolkit|-L odd --dryrun c.c
0|-Lown/lib|-Lown/lib --dryrun c.c
0|!-lcutil|-lcutil64 --dryrun c.c
0|!-lshrutil|-lshrutil -lcudart --dryrun c.c
0|-lm2|-lm2 --dryrun c.c
0|-std=c99|-Xcompiler -std=c99 --dryrun -c c.c
0|!-std=c99|-Xcompiler -std=c99 --dryrun -c k.cu
0|-Wall -Dname -Ihere|-Xcompiler '"-Wall",-Dname -Ihere,-MP' --dryrun c.c
0|-Xlinker -z -Xlinker now|-Xlinker -z,now --dryrun c.c
0|OpenMP in .cu files is not compiled: apt install libomp-19-dev|-Xcompiler -fopenmp --dryrun k.cu
0|sm_70|-arch=native --dryrun -ptx k.cu
0|sm_70|-arch all-major --dryrun -ptx k.cu
0|sm_75|-gencode arch=compute_x,code=sm_75 --dryrun -ptx k.cu
0|sm_90|-arch=sm_90 --dryrun -ptx k.cu
0|sm_90|-gencode arch=compute_90,code=sm_90 -gencode arch=compute_86,code=sm_86 --dryrun -ptx k.cu
2|expected sm_70 or the like|-arch=volta k.cu
2|expected sm_70 or the like|-arch=sm_1000 k.cu
0||-m 64 --dryrun k.cu
2|only 64-bit code|-m 32 k.cu
2|only 64-bit code|--machine=32 k.cu
0|-m32|-m32 --dryrun -c c.c
0||-prec-sqrt=1 -prec-sqrt 0 -prec-sqrt=true --dryrun k.cu
2|-prec-sqrt=2: expected true or false|-prec-sqrt=2 k.cu
2|expected true or false|-rdc=maybe k.cu
0|!-fcuda-flush-denormals-to-zero|-ftz=false --dryrun -c k.cu
2|-ftz=x: expected|-ftz=x k.cu
0|!-ffp-contract=off|-fmad=true --dryrun -c k.cu
0|-nvptx-prec-divf32=1|-prec-div=0 --dryrun -c k.cu
0|CUDA_API_PER_THREAD_DEFAULT_STREAM|-default-stream=per-thread --dryrun -c k.cu
0|!CUDA_API_PER_THREAD_DEFAULT_STREAM|-default-stream legacy -default-stream=null --dryrun -c k.cu
2|expected legacy or per-thread|-default-stream=mine k.cu
0|-Werror|-Werror all-warnings --dryrun -c c.c
0|-Werror|-Werror --dryrun -c c.c
0|-Werror|--dryrun -c c.c -Werror
0|-fPIC|-fPIC -g3 --dryrun -c c.c
0|-DTWO WORDS|-optf options
0|'-DLAST\\'|-optf last
2|unknown option '-f'|-f c.c
2|unknown option '-W'|-W c.c
0|-c c.c|-c --dryrun c.c -lm x.o
0|-O2|-x cu --dryrun k.cu k.o
0|-DTHREE="x"|--options-file=options
0|-DFOUR|--options-file options
2|needs a value|-optf
2|none: cannot be read: No such file or directory|-optf none
2|options files that read one another without end|-optf again
0|kept/k.ptx|-keep-dir kept --dryrun k.cu
0|./k.ptx|-keep --dryrun k.cu
0|-M |-M --dryrun c.c
0|-MM |-MM --dryrun k.cu
0|-E |-E -o e.i --dryrun x.cpp
0|-MF k.d|-MD --dryrun k.cu -o app
0|!-MF k.d|-MD --dryrun -c k.cu
0|-MF own.d|-MMD -MF own.d -MT target -MP --dryrun k.cu
0|ar rcs a.a|-lib --dryrun c.c
0|ar rcs b.a|-lib --dryrun c.c -o b.a
0|-o "a_dlink.o"|-dlink --dryrun c.c
0|-o "a.out"|--dryrun c.c
0|-shared|-shared --dryrun c.c -o lib.so
0|!-std=c99|-std=c99 --dryrun -c x.cpp
0|-std=c99|-std=c99 --dryrun -c c.c
0|-std=c++14|-std=c++14 --dryrun -c x.cpp
0|!-std=c++14|-std=c++14 --dryrun -c c.c
0|-O3|-O3 --use_fast_math --dryrun -c k.cu
0|-O0|-G --dryrun -c k.cu
0|-s |-rdynamic -s -static -pg -w --dryrun c.c
0|libx.so.1|--dryrun c.c libx.so.1 y.lo
2|cannot become one|-ptx k.cu k.cu -o k.ptx
0|$long|-DX=$long --dryrun -c c.c
0|'-DX=a b'|'-DX=a b' --dryrun -c c.c
0|''|-DX -include '' --dryrun -c c.c
END

# ---- finding clang ------------------------------------------------------------------------------------------------

# with ASSIGNMENTS STATUS WORDS WORD...: the same in another environment.
with() {
	assignments=$1
	shift
	(
		# shellcheck disable=SC2086,SC2163 # assignments, none with a space
		export $assignments
		answers "$@"
	)
}
claim "a clang that says nothing is none" with RESOURCES= 2 'does not work as a clang' k.cu
claim "nor one whose folder is no version" with RESOURCES="$work/clang/none" 2 'does not work as a clang' k.cu
claim "nor one that fails" with ANSWER_STATUS=1 2 'does not work as a clang' k.cu
claim "nor one that answers without a folder" with RESOURCES=nothing 2 'does not work as a clang' k.cu
claim "one that is too old" with RESOURCES="$work/clang/12" 2 'is version 12; clang 14 or newer is required' k.cu
claim "one without its headers" with RESOURCES="$work/clang/20" 2 'apt install libclang-common-20-dev' k.cu
claim "SLUICE_CLANG that is no program" with SLUICE_CLANG=./nowhere 2 "names './nowhere'" k.cu
claim "an older clang gets an architecture that it knows" with RESOURCES="$work/clang/14" 0 'sm_86' -arch=sm_90 --dryrun -c k.cu
claim "a clang with OpenMP compiles and links it" with RESOURCES="$work/clang/14" 0 'fake-clang -o "a.out"' -Xcompiler -fopenmp --dryrun k.cu
claim "a PATH with empty parts" with PATH="::/nonexistent:$PATH" 0 lsluicert --dryrun c.c
mkdir bin
for tool in sh grep cat env; do
	ln -s "$(command -v $tool)" bin/
done
claim "without gcc, clang takes its place" with PATH="$work/bin" 0 'fake-clang -x c ' --dryrun -c c.c
ln -s ../fake-clang bin/clang++
claim "a clang++ without a version is found" with "PATH=$work/bin SLUICE_CLANG=" 0 'bin/clang++ -x c ' --dryrun -c c.c
ln -s "$(command -v env)" bin/g++
claim "with half of it as well" with PATH="$work/bin" 0 'fake-clang -x c ' --dryrun -c c.c
no_path() {
	(
		SLUICE_TOOLKIT=/kit
		export SLUICE_TOOLKIT
		unset PATH
		"$sluice" cc --dryrun -c c.c 2>&1
	) >no-path.log
	grep -q 'fake-clang -x c' no-path.log && grep -q '^#\$ PATH=/kit/bin:$' no-path.log
}
claim "no PATH at all" no_path
claim "as the nvcc of a toolkit it links its libraries" with SLUICE_TOOLKIT=/kit 0 '-L/kit/lib64 -lcudadevrt -lcudart_static' --dryrun c.c
claim "or the shared ones" with SLUICE_TOOLKIT=/kit 0 '-lcudart ' -cudart shared -arch=sm_80 --dryrun c.c
claim "TMPDIR that is no folder" with TMPDIR="$work/nowhere" 2 'No such file or directory' -c k.cu
claim "TMPDIR that is empty" with TMPDIR= 0 /tmp/sluice-cc- --dryrun k.cu

# ---- what compilers say -------------------------------------------------------------------------------------------

claim "a compiler that is killed fails" with CLANG_STATUS=killed 1 '' -c k.cu
claim "one that cannot be started is named" with CLANG_STATUS=127 1 'fake-clang cannot be started' -c k.cu
claim "the first file that fails is the last" with CLANG_STATUS=1 1 '' -c k.cu c.c
claim "one that fails without a word" with CLANG_STATUS=1 1 '' -c k.cu
claim "PTX that was not written" with PTX= 1 '.ptx: cannot be read: No such file or directory' -G -c k.cu
claim "code on the way to it that was not written" with PTX= 1 '.ll: cannot be read: No such file or directory' -c k.cu
says() {
	CLANG_SAYS=$1
	export CLANG_SAYS
	with CLANG_STATUS=1 1 "$2" -c k.cu
	says_rc=$?
	unset CLANG_SAYS
	return $says_rc
}
claim "omp.h comes with clang's OpenMP" says "k.cu:1:1: fatal error: 'omp.h' file not found" 'apt install libomp-19-dev'
claim "a header of Debian, as gcc says it" says 'k.cu:1:1: fatal error: mpi.h: No such file or directory' 'apt install libopenmpi-dev'
claim "a header that is not supported" says "fatal error: 'cudnn.h' file not found" 'not supported: cuDNN'
claim "an unknown header" says "fatal error: 'mine.h' file not found" 'mine.h'
claim "an error that no header is missing in" says 'fatal error: too many errors emitted' 'too many errors'
claim "a library, as lld says it" says 'error: unable to find library -lcusolver' 'cuSOLVER'

# ---- what becomes of PTX --------------------------------------------------------------------------------------------

# ptx_says TEXT STATUS WORDS WORD...: clang writes this.
ptx_says() {
	printf ".version 7.0\n.target sm_70\n.address_size 64\n$1" >told.ptx
	shift
	with PTX="$work/told.ptx" "$@"
}
bad_insn='\tfrobnicate.u32 %%r1, %%r2;\n'
kernel=".visible .entry k()\n{\n\t.reg .b32 %%r<4>;\n"
claim "an instruction that the runtime does not know, by its line" ptx_says \
	".file 2 \"other.cu\"\n.file 1 \"k.cu\"\n$kernel\t.loc 1 7 3\n$bad_insn\tret;\n}\n" 0 'k.cu:7: warning: ' -c k.cu
claim "without a line, by the file" ptx_says "$kernel$bad_insn\tret;\n}\n" 0 'k.cu: warning: ' -c k.cu
claim "when the file's name is not told" ptx_says "$kernel\t.loc 1 7 3\n$bad_insn\tret;\n}\n" 0 'k.cu: warning: ' -c k.cu
claim "or is not written" ptx_says "$kernel\t.loc 1 7 3\n$bad_insn\tret;\n}\n.file 1\n" 0 'k.cu: warning: ' -c k.cu
many=
for i in 1 2 3 4 5 6 7 8 9 10; do
	many="$many$bad_insn"
done
eight_warnings() {
	ptx_says "$kernel$many\tret;\n}\n" 0 'warning: ' -c k.cu && [ "$(grep -c warning: err)" = 8 ]
}
claim "eight of them are enough" eight_warnings
claim "a statement over lines" ptx_says "$kernel\tfrobnicate.u32\n%%r1,\n%%r2;\n\tret;\n}\n" 0 'warning: ' -c k.cu
claim "text that is no PTX is told, too" ptx_says "$kernel" 0 'warning: ' -c k.cu
claim "a function of another file" ptx_says '.extern .func (.param .b32 f) elsewhere\n(\n);\n' 1 "device function 'elsewhere'" -c k.cu
claim "but not one that the runtime has" ptx_says '.extern .func malloc\n(\n);\n// .extern .func not this\n' 0 '' -c k.cu
claim "a variable of another file" ptx_says '.extern .global .align 4 .u32 v;\n' 1 '-rdc=true' -c k.cu
claim "a constant of another file" ptx_says '.extern .const .align 4 .u32 v;\n' 1 '-rdc=true' -c k.cu
claim "but not shared memory" ptx_says '.extern .shared .align 4 .b8 v[];\n' 0 '' -c k.cu

limits_registers() {
	ptx_says ".visible .entry a()\n{\n\tret;\n}\n.visible .entry b()\n.maxntid 32, 1, 1\n{\n\tret;\n}\n.visible .entry c()\n.maxnreg 8\n{\n\tret;\n}\n" \
		0 '' -ptx -maxrregcount=40 k.cu || return 1
	[ "$(grep -c 'maxnreg 40' k.ptx)" = 1 ] && [ "$(grep -c maxnreg k.ptx)" = 2 ]
}
claim "-maxrregcount limits kernels that have no bounds of their own" limits_registers

publishes() {
	ptx_says ".visible .global .align 4 .u32 one[4] = {1};\n.visible .const .align 4 .u32 two ;\n.visible .global .u32 _ZL6hidden;\n.visible .global .u32 _ZN12_GLOBAL__N_15innerE;\n.global .u32 own;\n" \
		0 '--globalize-symbol one --globalize-symbol two' -dc -v k.cu && ! grep -q 'symbol _ZL\|symbol _ZN\|symbol own' err
}
claim "device variables of relocatable code become known to other files" publishes
claim "without any there is nothing to do" answers 0 '!objcopy' -dc -v k.cu
claim "nothing is published in a dry run" answers 0 '!objcopy' -rdc=true -c --dryrun k.cu

# ---- texts that are rewritten ---------------------------------------------------------------------------------------

mkdir -p "it's" inc
cat >"it's/odd.cu" <<'END'
#include "part.h"
#include "none.h"
# include "odd.cu"
#include <stdio.h>
#define unrelated
void launch(int *p) { one << < 1, 1 >> > (p); }
END
cat >inc/part.h <<'END'
__global__ void k() { asm("mov.u32 %0, %laneid; %%clock %" : "=r"(x)); asm volatile("a" "b"); }
END
rewrites_included() {
	exits 0 "$sluice" cc -c -DX -Inowhere -Iinc "it's/odd.cu" -o odd.o && grep -q "it''s/odd.cu'" overlay.yaml &&
		grep -qF '"mov.u32 %0, %%laneid; %%clock %"' out && grep -qF 'one  <<< 1, 1 >>>  (p)' out
}
claim "included files are rewritten, too, and a quote in a name is no harm" rewrites_included

# rewritten TEXT RESULT: what clang gets to see; "" if that is the file itself.
rewritten() {
	printf '%s' "$1" >text.cu
	exits 0 "$sluice" cc -c text.cu -o text.o && [ "$(cat out)" = "$2" ] && return 0
	cat out
	return 1
}
while IFS='@' read -r text result; do
	claim "$text becomes ${result:-itself}" rewritten "$text" "$result"
done <<'END'
void f() { k<<<1, 1>>>(p); }@
void f() { k << < 1, 1 >> > (p); }@void f() { k  <<< 1, 1 >>>  (p); }
a < b; c << d; vector<vector<vector<int> > > x;@
k << < 1, 1 >> > p;@k  <<< 1, 1 >> > p;
__device__ void f() { k<<<1, 1>>>(p); }@__device__ void f() { sluice_launch<decltype(k), &k>(1, 1)(p); }
__device__ void f() { n::k<a<b>> <<<g(1), 1>>>(p); }@__device__ void f() { sluice_launch<decltype(n::k<a<b>> ), &n::k<a<b>> >(g(1), 1)(p); }
__host__ __device__ void f() { k<<<1, 1>>>(p); }@__host__ __device__ void f() { SLUICE_LAUNCH_EITHER((k), (1, 1))(p); }
__device__ int a<<<1; __global__ void f(); my__device__ void g() { k<<<1, 1>>>(p); }@
__device__ void f() { k<<<1)>>>(p); }@
__device__ void f() { k<<<1, 1@
__device__ void f(int a, k<<<@
__device__ void f() { "k<<<1, 1>>>(p)"; } // k<<<1, 1>>>(p)@
__device__ x = k<<<1, 1>>>(p); /* no end@
"no end <<<@
'x\@
asm("%laneid")@asm("%%laneid")
asm volatile ("%0 %[name] %a0 %%tid %tid" "%ntid" :: "x"("%no"))@asm volatile ("%0 %[name] %a0 %%tid %%tid" "%%ntid" :: "x"("%no"))
__asm__ __volatile__ ("%tid"@__asm__ __volatile__ ("%%tid"
asm + "%laneid"; plasm("%laneid");@
END
printf '#include ""\n' >folder.cu
claim "a folder that is included" answers 1 'cannot be read' -c folder.cu
claim "and in other stages" answers 1 'cannot be read' -E folder.cu

nothing_is_left() {
	[ -z "$(ls -A tmp)" ]
}
claim "no temporary files remain" nothing_is_left

finish
