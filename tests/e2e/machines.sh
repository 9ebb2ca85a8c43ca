#!/bin/sh
# Machines made of public tables: their latencies (validation/machines/probe.cu) add up to what the sources print; sluice
# machine diff.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2

latencies_are_the_published_ones() {
	SLUICE=$sluice "$root/validation/machines/probe" --check --quick v100 a100 h100 rtx3070 rtx4090 h200 >out ||
		{ cat out && return 1; }
	for machine in v100 a100 h100 rtx3070 rtx4090 h200; do
		for probe in shared l1 l2 dram; do
			grep -q "^$machine *${probe}_latency " out || { echo "no $probe of $machine" && cat out && return 1; }
		done
	done
}
claim "pointer chases take as long as the sources say, in every level of every machine" latencies_are_the_published_ones

a_wrong_latency_fails() {
	mkdir -p shelf && cp "$root"/machines/*.yaml shelf && sed 's,^  latency_cycles: 40 ,  latency_cycles: 80 ,' \
		"$root/machines/v100.yaml" >shelf/v100.yaml
	! cmp -s shelf/v100.yaml "$root/machines/v100.yaml" || { echo "nothing was changed" && return 1; }
	! SLUICE_MACHINES=$work/shelf SLUICE=$sluice "$root/validation/machines/probe" --check --quick v100 >out || return 1
	grep -q 'l2_latency .*!' out && grep -q 'beyond their limits' out
}
claim "an L2 that is 40 cycles slower does not pass" a_wrong_latency_fails

diff_shows_what_differs() {
	exits 0 "$sluice" machine diff gtx480-ciao gtx480-ciao-xor || return 1
	grep -q '^l1d.index *fermi *xor ' out && grep -q '^l2.index ' out && ! grep -q '^sm.count' out &&
		grep -q 'gtx480-ciao-xor.yaml:' out
}
claim "machine diff shows the keys that differ, with where they come from" diff_shows_what_differs

diff_takes_files_and_changes() {
	cp "$root/machines/h200.yaml" own.yaml
	exits 0 "$sluice" machine diff h200 ./own.yaml && grep -qx 'no key differs' out || return 1
	exits 0 "$sluice" machine diff h200 --set l1d.hit_cycles=40 && grep -q '^l1d.hit_cycles *31 *40 *cycles *h200.yaml:.*--set' out &&
		grep -q '^1 of [0-9]* keys differ' out
}
claim "it takes files, and a machine changed by --set" diff_takes_files_and_changes

diff_writes_json() {
	exits 0 "$sluice" machine diff h200 ./own.yaml --set l2.replacement=plru --set clock.l2_mhz=1000.5 --json - || return 1
	tr -d ' \n' <out >one
	grep -qF '{"key":"clock.l2_mhz","unit":"MHz","values":[1710.0,1000.5],"origins":["h200.yaml:9","--set"]}' one &&
		grep -qF '"values":["lru","plru"]' one && grep -qF '"changes":["l2.replacement=plru","clock.l2_mhz=1000.5"]' one
}
claim "its JSON has numbers, units and origins" diff_writes_json

claim "an unknown key, with a suggestion" refuses "did you mean 'l1d.ways'" "$sluice" machine diff h200 --set l1d.wasy=3
claim "a value that other keys forbid" refuses 'unified_bytes' "$sluice" machine diff h200 --set l1d.ways=8

finish
