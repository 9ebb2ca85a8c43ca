#!/bin/sh
# Libraries of the field with `sluice cc`: Thrust, CUB and libcu++ as Debian packages them, and the small mathematical
# ones of sluice. Each program checks its own results; it is run plainly, then recorded and timed by `sluice run`.
#
#   tests/cuda/libraries.sh SLUICE [NAME...]
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift
here=$root/tests/cuda
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
export here sluice work
# shellcheck disable=SC2046 # names, one word each
[ $# -gt 0 ] || set -- $(cd "$here/libraries" && ls *.cu | sed 's/\.cu$//')

# A program says in a line "needs: /path/of/header" what it cannot do without, in "options: -lcublas" how it is built, and in
# "timed: 1-4,6-9" which launches are timed, if not all; all are recorded.
# -O0 is for the host's part; device code is optimised in any case.
cat >"$work/one" <<'END'
name=$1
cd "$work" || exit 1
source=$here/libraries/$name.cu
verdict() {
	echo "$1 - $name $2" >>"$name.result"
}
needs=$(sed -n 's/.*needs: \([^ ]*\).*/\1/p' "$source")
if [ -n "$needs" ] && [ ! -e "$needs" ]; then
	verdict ok "# skipped: there is no $needs"
	exit 0
fi
options=$(sed -n 's/.*options: \(.*\)\./\1/p' "$source")
if ! "$sluice" cc -O0 -std=c++14 "$source" -o "$name" $options >"$name.log" 2>&1; then
	verdict "not ok" "is compiled without options"
	exit 0
fi
timeout 60 "./$name" >"$name.log" 2>&1
status=$?
if [ $status -ne 0 ] || ! grep -qx "$name PASS" "$name.log"; then
	verdict "not ok" "computes the right results (exit status $status)"
	exit 0
fi
verdict ok "computes the right results"
timed=$(sed -n 's/.*timed: \(.*\)\./\1/p' "$source")
timeout 120 "$sluice" run ${timed:+--kernel "$timed"} "./$name" >"$name.log" 2>"$name.err"
status=$?
launches=$(grep -cE '^ *[0-9]+  .*[0-9]  +done  +[0-9,]+ ' "$name.log")
if [ $status -ne 0 ] || [ "$launches" -eq 0 ] || ! grep -qx "$name PASS" "$name.log"; then
	cat "$name.err" >>"$name.log"
	verdict "not ok" "is recorded and timed (exit status $status, $launches launches)"
else
	verdict ok "is recorded and timed ($launches launches)"
fi
END
printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 sh "$work/one"

failures=0
for name in "$@"; do
	cat "$work/$name.result"
	grep -q '^not ok' "$work/$name.result" || continue
	failures=$((failures + 1))
	{ grep -A 3 -m 3 'error' "$work/$name.log" || tail -8 "$work/$name.log"; } | head -"${LINES_SHOWN:-12}" | sed 's/^/# /'
done
echo "# $# programs, $failures failed"
[ $failures -eq 0 ]
