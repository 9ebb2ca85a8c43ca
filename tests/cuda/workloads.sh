#!/bin/sh
# Every workload of the index: compiled, run functionally, recorded and timed at --size tiny, and what it refuses. A
# workload without a source fails.
#
#   tests/cuda/workloads.sh SLUICE [NAME...]
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
MACHINE=${MACHINE:-h200}
export MACHINE sluice work
cd "$work" || exit 1

# Lines of the list that name a workload begin with two blanks.
"$sluice" workload list >list || exit 1
names=$(sed -n 's/^  \([^ ]*\) .*/\1/p' list)
missing=$(sed -n 's/^  \([^ ]*\) .*(its source is missing)$/\1/p' list | tr '\n' ' ')
# shellcheck disable=SC2086 # names, one word each
[ $# -gt 0 ] || set -- $names

cat >one <<'END_ONE'
name=$1
verdict() {
	echo "$1 - $name $2" >>$name.result
}
# refuses WHAT COMMAND...: exit status 2 and a message.
refuses() {
	what=$1
	shift
	status=0
	timeout 60 "$@" >$name.log 2>$name.err || status=$?
	if [ $status -eq 2 ] && [ -s $name.err ]; then
		return
	fi
	cat $name.err >>$name.log
	verdict "not ok" "refuses $what (exit status $status)"
	refused=no
}
status=0
timeout 120 "$sluice" run "$name" --size tiny --machine $MACHINE --json $name.json >$name.log 2>$name.err || status=$?
insns=$(sed -n 's/^simulated \([0-9]*\) warp instructions.*/\1/p' $name.err)
if [ $status -ne 0 ] || ! grep -qE "^$(printf %s "$name" | sed 's/+/[+]/g') tiny [0-9.]+ PASS\$" $name.log ||
	! grep -q '"status": "done"' $name.json; then
	cat $name.err >>$name.log
	verdict "not ok" "passes, is recorded and timed (exit status $status)"
	exit 0
fi
if [ "${insns:-0}" -gt 1000000 ]; then
	verdict "not ok" "is tiny: $insns warp instructions, at most 1000000"
else
	verdict ok "passes, is recorded and timed ($insns warp instructions)"
fi

# What it recorded can be read by simulators that keep a mask of live lanes.
recorded=$(ls -d cache/programs/"$(printf %s "$name" | tr + _)".cu-*/trace.sluice)
if "$sluice" trace check $recorded >$name.log 2>&1; then
	verdict ok "has every lane end once"
else
	verdict "not ok" "has every lane end once"
fi

# The program itself, with values that are none: of the seed, and of every parameter that --help lists.
app=$(ls -d cache/programs/build-"$name".cu-*/app)
refused=yes
refuses "an unknown size" "$app" --size huge
refuses "an unknown size, before it is compiled" "$sluice" run "$name" --size huge
refuses "a negative seed" "$sluice" run "$name" --size tiny --seed -1
refuses "an unknown option" "$app" --size tiny --nonesuch 1
"$app" --help | sed -n 's/^--\([^ ]*\) .*, \([-0-9]*\) to \([0-9]*\)$/\1 \2 \3/p' >$name.params
while read -r param least most; do
	for value in -1 $((least - 1)) $((most + 1)) 99999999999999999999 many; do
		refuses "--$param $value" "$app" --size tiny "--$param" "$value" </dev/null
	done
done <$name.params
[ -s $name.params ] || verdict "not ok" "lists its parameters"
[ $refused = no ] || verdict ok "refuses what is no size, no seed, or out of range (of $(($(wc -l <$name.params))))"
END_ONE
printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 sh one


# ---- names in the place of programs, and checking, on one of them ------------------------------------------------

cat >commands <<'END_COMMANDS'
claim() {
	text=$1
	shift
	if "$@" >commands.log 2>&1; then
		echo "ok - $text"
	else
		echo "not ok - $text"
		sed 's/^/# /' commands.log
	fi
}
run_is_run() {
	"$sluice" run vectoradd --size tiny >run.out 2>/dev/null && "$sluice" workload run vectoradd --size tiny >own.out 2>/dev/null &&
		cmp run.out own.out
}
claim "'workload run NAME' is 'run NAME'" run_is_run
size_is_small() {
	"$sluice" run mc-pi --points 5000 --json - 2>/dev/null >out && grep -A1 '"--size"' out | grep -q '"small"' &&
		grep -q '"--points"' out
}
claim "without a size it is small, and other words are the program's" size_is_small
others_take_names() {
	"$sluice" record vectoradd --size tiny -o trace.sluice && "$sluice" run trace.sluice >out && grep -q '^trace.sluice on h200' out &&
		"$sluice" compare vectoradd --size tiny --policy gto --policy lrr >out && grep -q '^lrr ' out &&
		"$sluice" tune vectoradd --size tiny --machine gtx480-ciao --param swl.n=1..2 >out && grep -q '^best: swl:n=' out
}
claim "record, compare and tune take a name, too" others_take_names
check() {
	status=0
	"$sluice" workload check lud --size tiny --json "$1" >out 2>err || status=$?
	[ $status -le 1 ] && grep -q '^lud  *osm  *class  *2  *2  *-  *ok$' out && grep -q ' characteristics at --size tiny: ' out
}
measures() {
	check first.json && grep -q 'lud, ciao: [0-9]* runs, [1-9]' err && check second.json &&
		! grep -q ' runs, [1-9][0-9]* of them simulated' err && cmp first.json second.json
}
claim "a check measures, and finds what was measured before, to the same bytes" measures
END_COMMANDS
sh commands >commands.result

failures=0
for name in "$@"; do
	cat "$name.result"
	grep -q '^not ok' "$name.result" || continue
	failures=$((failures + 1))
	[ ! -f "$name.log" ] || tail -"${LINES_SHOWN:-8}" "$name.log" | sed 's/^/# /'
done
cat commands.result
failures=$((failures + $(grep -c '^not ok' commands.result)))
echo "# $# workloads, $failures failed"
[ -z "$missing" ] || echo "# without a source: $missing"
[ $failures -eq 0 ]
