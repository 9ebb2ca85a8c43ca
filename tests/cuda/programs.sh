#!/bin/sh
# Programs in the idioms of benchmark suites, unchanged: built by their own makefiles with NVCC="sluice cc", run
# plainly, then recorded and timed by `sluice run`.
#
#   tests/cuda/programs.sh SLUICE [NAME...]
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift
here=$root/tests/cuda
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
cp -R "$here/programs/." "$work"
export sluice work
# shellcheck disable=SC2046 # names, one word each
[ $# -gt 0 ] || set -- $(cd "$here/programs" && ls -d */Makefile | sed 's|/Makefile||')

cat >"$work/one" <<'END'
name=$1
cd "$work/$name" || exit 1
verdict() {
	echo "$1 - $name $2" >>../$name.result
}
if ! make NVCC="$sluice cc" >../$name.log 2>&1; then
	verdict "not ok" "is built by its makefile"
	exit 0
fi
if timeout 60 "./$name" >../$name.log 2>&1 && grep -qx "$name PASS" ../$name.log; then
	verdict ok "computes the right result"
else
	verdict "not ok" "computes the right result (exit status $?)"
	exit 0
fi
timeout 120 "$sluice" run "./$name" >../$name.log 2>../$name.err
status=$?
# launches of the table: number, kernel, grid, block, status, cycles
launches=$(grep -cE '^ *[0-9]+  .*[0-9]  +done  +[0-9,]+ ' ../$name.log)
if [ $status -ne 0 ] || ! grep -qx "$name PASS" ../$name.log; then
	cat ../$name.err >>../$name.log
	verdict "not ok" "is recorded and timed (exit status $status)"
elif [ "$launches" -eq 0 ]; then
	verdict "not ok" "is timed: no launch in the table"
else
	verdict ok "is recorded and timed ($launches launches)"
fi
if ! "$sluice" trace check "$SLUICE_CACHE_DIR"/programs/$name-*/trace.sluice >../$name.log 2>&1; then
	verdict "not ok" "has every lane end once"
fi
END
printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 sh "$work/one"

failures=0
for name in "$@"; do
	cat "$work/$name.result"
	grep -q '^not ok' "$work/$name.result" || continue
	failures=$((failures + 1))
	tail -"${LINES_SHOWN:-8}" "$work/$name.log" | sed 's/^/# /'
done
echo "# $# programs, $failures failed"
[ $failures -eq 0 ]
