#!/bin/sh
# test.sh SLUICE POLICY.so TRACE: what has to hold for few-loads, whatever it decides. Add what you claim of it.
set -eu
sluice=$1 policy=$2 trace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME CHAIN: simulates under the chain; the JSON is $work/NAME.json.
run() {
	"$sluice" run "$trace" --machine gtx480-ciao --policy "$2" --json "$work/$1.json" >"$work/$1.txt" 2>"$work/$1.err" || {
		cat "$work/$1.err"
		echo "not ok - a run under $2"
		exit 1
	}
}

# value NAME COUNTER: the first value of a counter in that JSON.
value() {
	sed -n "s/^ *\"$2\": \([0-9]*\).*/\1/p" "$work/$1.json" | head -n 1
}

"$sluice" policy show "$policy" | grep -q '^few-loads: '
echo "ok - it loads, and sluice shows what it is"

run gto gto
run own "$policy"
[ -n "$(value own warp_insns)" ] && [ "$(value own warp_insns)" = "$(value gto warp_insns)" ]
echo "ok - the program executes as many instructions as without it"

run again "$policy"
cmp "$work/own.txt" "$work/again.txt"
echo "ok - a second run says the same"

[ "$(value own acted)" -gt 0 ]
echo "ok - it was asked"

if "$sluice" run "$trace" --policy "$policy:n=0" >"$work/bad.txt" 2>&1; then
	echo "not ok - n=0 is out of range"
	exit 1
fi
echo "ok - a value out of range is refused"
