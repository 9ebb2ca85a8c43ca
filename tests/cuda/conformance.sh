#!/bin/sh
# The conformance programs, compiled by `sluice cc` and run: each must pass, and compute what a GPU computed
# (vectors.tsv, made by on-gpu) where that is known.
#
#   tests/cuda/conformance.sh SLUICE [NAME...]
#
# With a SLUICE that was built with ASan, the runtime library is checked by it, too; what the programs themselves do not
# free is their own affair.
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift
here=$root/tests/cuda
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
link='' preload=''
case $(nm -D "$(dirname "$sluice")/libsluicert.so" 2>/dev/null) in
*__asan_init*)
	link='-Xlinker --unresolved-symbols=ignore-in-shared-libs' # the sanitizer's, which come with the program's start
	preload=$(clang -print-file-name=libclang_rt.asan-x86_64.so)
	[ -e "$preload" ] || { echo "not ok - there is no shared library of clang's ASan" && exit 1; }
	ASAN_OPTIONS=detect_leaks=0
	export ASAN_OPTIONS
	;;
esac
export here sluice work link preload

# shellcheck disable=SC2046 # names, one word each
[ $# -gt 0 ] || set -- $(cd "$here/conformance" && ls *.cu | sed 's/\.cu$//' | grep -v '\.part$')

# Each program in its own process: compile (a program is NAME.cu and its NAME.part*.cu), run, compare the digest.
# -O0 is for the host's part, which is compiled sooner then; device code is optimised in any case. C++14 spares the
# special functions of C++17's <cmath>, a third of what clang reads; other tests have the default.
cat >"$work/one" <<'END'
name=$1
cd "$work" || exit 1
"$sluice" cc -O0 -std=c++14 -o "$name" "$here/conformance/$name.cu" $(ls "$here/conformance/$name".part*.cu 2>/dev/null) \
	$link >"$name.log" 2>&1 || { echo "not ok - $name compiles" >"$name.result" && exit 0; }
LD_PRELOAD=$preload timeout 60 "./$name" >"$name.log" 2>&1
status=$?
digest=$(sed -n "s/^digest $name //p" "$name.log")
expected=$(awk -v name="$name" '$1 == name { print $2 }' "$here/vectors.tsv" 2>/dev/null)
if [ $status -ne 0 ] || [ -z "$digest" ]; then
	echo "not ok - $name (exit status $status)"
elif [ -n "$expected" ] && [ "$digest" != "$expected" ]; then
	echo "not ok - $name computes what a GPU does (digest $digest, GPU $expected)"
else
	echo "ok - $name${expected:+, as on a GPU}"
fi >"$name.result"
END
printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 sh "$work/one"

failures=0
for name in "$@"; do
	cat "$work/$name.result"
	grep -q '^ok' "$work/$name.result" && continue
	failures=$((failures + 1))
	{ grep -B 4 '^FAIL' "$work/$name.log" || grep -A 3 -m 3 'error' "$work/$name.log" || tail -5 "$work/$name.log"; } |
		head -"${LINES_SHOWN:-12}" | sed 's/^/# /'
done
echo "# $# programs, $failures failed"
[ $failures -eq 0 ]
