#!/bin/sh
# sluice compare: what is simulated, how often, in how many processes, and what is refused.
set -u
. "$(dirname "$0")/common.inc"

trace=$work/tiny
make_trace "$trace"
cd "$work" || exit 2

compare() {
	"$sluice" compare "$trace" --machine gtx480-ciao "$@"
}

# value FILE POLICY NAME: a value of the comparison's JSON.
value() {
	awk -v policy="\"policy\": \"$2\"," -v name="\"$3\":" '
		index($0, policy) { inside = 1 }
		inside && $1 == name { gsub(/[",]/, ""); print $2; exit }' "$1"
}

table_is_complete() {
	exits 0 compare --policy gto --policy lrr --policy oldest || return 1
	holds out 'tiny on gtx480-ciao under 3 policies' 'thread IPC' 'speed-up' 'L1 hit %' 'MPKI' 'active warps' \
		'DRAM MB' 'speed-up over gto' '####' energy || return 1
	grep -q '^gto .* 1\.00 ' out && [ "$(grep -c '^lrr ' out)" = 1 ] && [ "$(grep -c '^oldest ' out)" = 1 ] &&
		grep -q 'simulated 3 of 3 runs' err
}
claim "one table with every policy, speed-ups over the first, and bars" table_is_complete

labels_are_names() {
	exits 0 compare --policy gto --policy 'tight=swl:n=2' --json named.json || return 1
	grep -q '^tight ' out && ! grep -q 'swl:n=2' out && [ -n "$(value named.json tight ipc)" ]
}
claim "a label given to a policy is its name" labels_are_names

results_are_found() {
	exits 0 compare --policy gto --policy lrr --json first.json && grep -q 'simulated 0 of 2 runs' err &&
		exits 0 compare --policy gto --policy lrr --again --json again.json && grep -q 'simulated 2 of 2 runs' err &&
		cmp first.json again.json
}
claim "what was simulated before is found again, and is the same as if it were simulated" results_are_found

key_covers_everything() {
	for other in '--set l1d.ways=2' '--cold-l2' '--kernel 1,3' '--max-insns 100'; do
		# shellcheck disable=SC2086
		exits 0 compare --policy gto $other && grep -q 'simulated 1 of 1' err || { echo "$other" && return 1; }
	done
	exits 0 "$sluice" compare "$trace" --policy gto && grep -q 'simulated 1 of 1' err &&
		exits 0 compare --policy swl:n=3 && grep -q 'simulated 1 of 1' err &&
		exits 0 compare --policy swl:n=3,gto --policy gto && grep -q 'simulated 0 of 2' err
}
claim "another machine, value, launch list or parameter is another result; another spelling is not" key_covers_everything

name_does_not_matter() {
	"$sluice" trace import "$trace" -o one.sluice >/dev/null && cp one.sluice other.sluice &&
		exits 0 "$sluice" compare one.sluice --policy gto --policy lrr --machine h200 &&
		exits 0 "$sluice" compare other.sluice --policy gto --policy lrr --machine h200 &&
		grep -q 'simulated 0 of 2' err && grep -q '^other.sluice on h200' out
}
claim "a trace is known by its content, not by its name" name_does_not_matter

damage_is_noticed() {
	sqlite3 "$SLUICE_RESULTS" "UPDATE detail SET json_zstd = substr(json_zstd, 1, 100)" || return 1
	exits 0 compare --policy gto --policy lrr --json mended.json && grep -q 'simulated 2 of 2' err && cmp mended.json first.json
}
if command -v sqlite3 >/dev/null; then
	claim "a damaged record in the database is made again" damage_is_noticed
else
	echo "skipped - a damaged record in the database is made again: there is no sqlite3"
fi

jobs_do_not_matter() {
	for jobs in 1 2 5; do
		exits 0 compare --policy gto --policy lrr --policy oldest --policy swl --again --jobs $jobs --json jobs-$jobs.json &&
			cmp jobs-1.json jobs-$jobs.json || return 1
	done
}
claim "the number of processes does not change a byte" jobs_do_not_matter

agrees_with_run() {
	"$sluice" run "$trace" --machine gtx480-ciao --policy lrr --json run.json >/dev/null 2>&1 || return 1
	for name in cycles warp_insns l1_misses dram_read_bytes ipc l1_load_hit_rate; do
		want=$(awk -v name="\"$name\":" '/"total"/ { inside = 1 } inside && $1 == name { gsub(/,/, ""); print $2; exit }' run.json)
		got=$(value first.json lrr $name | head -n 1)
		[ -n "$want" ] && [ "$name $want" = "$name $got" ] || { echo "$name: $got, 'sluice run' says $want" && return 1; }
	done
}
claim "numbers are those of 'sluice run'" agrees_with_run

speedup_is_a_ratio() {
	gto=$(value first.json gto ipc) lrr=$(value first.json lrr ipc) speedup=$(value first.json lrr speedup)
	awk -v a="$gto" -v b="$lrr" -v s="$speedup" 'BEGIN { d = b / a - s; exit !(s > 0 && d < 1e-9 && d > -1e-9) }'
}
claim "the speed-up is the ratio of IPCs" speedup_is_a_ratio

json_takes_stdout() {
	exits 0 compare --policy gto --policy lrr --json - && cmp out first.json
}
claim "--json - writes the same to standard output" json_takes_stdout

page_is_self_contained() {
	exits 0 compare --policy gto --policy lrr --html page.html || return 1
	grep -q '"format": "sluice compare"' page.html && grep -q '</html>' page.html && ! grep -q '@REPORT_DATA@' page.html &&
		! grep -qE '<(script|link|img)[^>]* (src|href)=' page.html && ! grep -qE 'https?://' page.html
}
claim "the page holds its data and loads nothing" page_is_self_contained

wedged_run_is_reported() {
	exits 3 compare --policy gto --policy lrr --set sim.watchdog_cycles=1000 --set icnt.request_cycles=10000 || return 1
	grep -q 'gto: .*no progress' err && grep -q 'lrr: .*no progress' err && grep -q '^gto *deadlocked' out
}
claim "runs without progress exit 3, each with its report, and are shown" wedged_run_is_reported

# ---- programs ----------------------------------------------------------------------------------------------

program_is_recorded_once() {
	cat >count.cu <<'END'
#include <cstdio>
__global__ void count(int *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] += i; }
int main(int argc, char **argv)
{
	int *data;
	FILE *log = fopen("log", "a");
	fputs("ran\n", log);
	fclose(log);
	cudaMalloc(&data, 4000);
	cudaMemset(data, 0, 4000);
	count<<<8, 128>>>(data, 1000);
	printf("%d words\n", argc - 1);
	return cudaDeviceSynchronize() != cudaSuccess || argc > 3;
}
END
	exits 0 "$sluice" compare count.cu a --policy gto b --policy lrr || return 1
	[ "$(wc -l <log)" = 1 ] && [ "$(head -n 1 out)" = "2 words" ] && grep -q 'count.cu on h200 under 2 policies' out || return 1
	exits 4 "$sluice" compare count.cu a b c --policy gto && grep -q 'ended with status 1' out
}
if "$sluice" cc --version >/dev/null 2>&1; then
	claim "a program is recorded once, with its own words; if it fails, exit status 4" program_is_recorded_once
fi

# ---- refusals ----------------------------------------------------------------------------------------------

claim "no trace" refuses 'no program or trace given' "$sluice" compare --policy gto
claim "an unknown policy, with a suggestion" refuses "did you mean 'gto'" compare --policy lrr --policy gtoo
claim "an unknown parameter" refuses "no parameter 'm'" compare --policy gto --policy swl:m=2
claim "a parameter out of range" refuses 'n must be' compare --policy gto --policy swl:n=0
claim "two owners" refuses 'both own' compare --policy gto,lrr
claim "no process" refuses 'out of range' compare --policy gto --jobs 0
claim "an unknown machine" refuses 'h300' "$sluice" compare "$trace" --policy gto --machine h300
claim "a change of an unknown key" refuses 'l1d.wais' compare --policy gto --set l1d.wais=4
claim "a trace that is not there" refuses 'nowhere' "$sluice" compare "$work/nowhere" --policy gto

paper_brings_machine_and_baseline() {
	exits 0 "$sluice" compare "$trace" --paper tian &&
		grep -q 'on gcn-tian under 3 policies' out && grep -q '^baseline-tian  *[0-9.]* .* 1\.00 ' out &&
		grep -q '^baseline-tian,tian ' out && grep -q '^baseline-tian,counter-bypass ' out &&
		exits 0 compare --paper lcm --policy lcm+lws && grep -q 'on gtx480-ciao under 2' out &&
		grep -q '^baseline-lcm ' out && grep -q '^lcm+lws ' out
}
claim "--paper takes the paper's machine, its baseline first and under what is compared" paper_brings_machine_and_baseline

refusal_comes_before_work() {
	rm -rf "$SLUICE_CACHE_DIR"
	for policy in gtoo swl:n=0 gto,lrr; do
		exits 2 compare --policy gto --policy $policy && [ ! -s out ] || return 1
	done
	exits 2 compare --policy gto --html "$work/nowhere/x.html" && [ ! -e "$SLUICE_CACHE_DIR" ]
}
claim "a bad policy or path is refused before the trace is imported" refusal_comes_before_work

claim "no temporary file stays" nothing_is_left

finish
