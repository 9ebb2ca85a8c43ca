#!/bin/sh
# Programs whose CTAs wait for each other: validation/probes/waiting.cu is recorded, and what a CTA executes does not depend
# on how long it waited.
#
#   tests/cuda/waiting.sh SLUICE
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift

claim "the probes of waits are compiled" \
	sh -c '"$1" cc -arch=sm_90 "$2/validation/probes/waiting.cu" -o "$3/waiting"' - "$sluice" "$root" "$work"

# launches SET: CTAs and warp instructions of each launch of its recording.
launches() {
	"$sluice" record "$work/waiting" "$1" -o "$work/$1.sluice" >"$work/$1.out" 2>&1 || return 1
	"$sluice" trace info "$work/$1.sluice" >"$work/$1.info" || return 1
	awk '$2 ~ /^\([0-9]+,1,1\)$/ { sub(/\(/, "", $2); print $2 + 0, $6 }' "$work/$1.info"
}

# The same for every CTA, but for the first and the last: they wait less, or not at all.
in_proportion() {
	launches "$1" | awk '
		NR > 1 && !per_cta { per_cta = ($2 - insns) / ($1 - ctas) }
		NR > 1 && $2 - insns != per_cta * ($1 - ctas) { bad = 1 }
		{ ctas = $1; insns = $2 }
		END { exit bad || NR != 10 || per_cta <= 0 }'
}

for set in barrier chain lock ticket pair; do
	claim "$set: each CTA executes the same, however long it waits" in_proportion "$set"
done

waits_once() {
	grep -q "kernel 10 waits $2 times for writes of $3 words" "$work/$1.info"
}
claim "barrier: each of 1,056 CTAs waits once in each of 8 rounds, for one word" waits_once barrier 8448 1
claim "chain: each CTA but the first waits for the word of the one before it" waits_once chain 1055 1055
claim "lock: each CTA but the first waits for the lock" waits_once lock 1055 1
claim "ticket: each CTA but the first waits for its turn" waits_once ticket 1055 1

# With look-back, a CTA sees what those before it have published by then; on an H200 1.01 million instructions.
looks_back() {
	launches lookback | awk '$1 == 1056 { exit !($2 > 600000 && $2 < 1500000) }'
}
claim "lookback: CTAs look as far back as on a GPU" looks_back
same_again() {
	cp "$work/lookback.sluice" "$work/first.sluice"
	"$sluice" record --again "$work/waiting" lookback -o "$work/second.sluice" >"$work/out" 2>&1 &&
		cmp "$work/first.sluice" "$work/second.sluice"
}
claim "lookback: a second recording is the same" same_again
finish
