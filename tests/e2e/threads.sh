#!/bin/sh
# Threads: whatever is simulated, and however it is asked for, nothing that is written depends on their number. A launch is
# shared among them if it has enough warps; in other tests none has.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2

make_gather gather
run() {
	"$sluice" run gather "$@"
}

is_shared() {
	many=$(sed -n 's/.*MANY_WARPS = \([0-9]*\).*/\1/p' "$root/src/gpu/thread_tuner.c")
	warps=$(grep -c '^warp = ' gather/kernel-1.traceg)
	echo "$warps warps, shared from $many on"
	[ "$warps" -ge "$many" ]
}
claim "the launch has enough warps to be shared" is_shared

# same THREADS STATUS COMMAND...: with --threads 1 and each of THREADS it ends alike, and its JSON is the same.
same() {
	counts=$1 status=$2
	shift 2
	exits "$status" "$@" --threads 1 --json 1.json || return 1
	sed '/ in [0-9.]* s: /d' out >1.out
	for threads in $counts; do
		exits "$status" "$@" --threads "$threads" --json "$threads.json" || return 1
		cmp 1.json "$threads.json" || return 1
		sed '/ in [0-9.]* s: /d' out | cmp - 1.out || return 1
	done
}
claim "JSON and tables are byte-identical for 1, 2, 3 and 8 threads" same '2 3 8' 0 run
claim "so they are with another machine and policy" same 2 0 run --machine v100-osm --policy lrr
claim "and with every look" same 2 0 run --look all

claim "and where nothing goes on" same 2 3 run --set sim.watchdog_cycles=1000 --set icnt.request_cycles=10000

own_policy() {
	cp "$root/examples/policy/few_loads.c" . && ln -sf "$(dirname "$sluice")/include" . &&
		SLUICE=$sluice make -s -f "$root/examples/policy/Makefile" few_loads.so && same 3 0 run --policy ./few_loads.so
}
if command -v make >/dev/null && command -v cc >/dev/null; then
	claim "and with a policy of one's own" own_policy
fi

validated() {
	mkdir -p set/traces && cp -R gather set/traces/gather || return 1
	printf 'program\tlaunch\tkernel\tsm__cycles_elapsed.max\ngather\t0\tgather\t4000\n' >set/counters.tsv
	same 2 0 "$sluice" validate set && grep -q '1 compared' out
}
claim "and when it is validated" validated

finish
