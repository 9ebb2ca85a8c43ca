#!/bin/sh
# sluice sweep and sluice results: a user's own experiment, what is refused, and that no death of a process loses a run.
set -eu
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/sweep.inc"
cd "$work"
make_traces

cat >own.yaml <<'END'
title: policies and sizes of L1
machine: gtx480-ciao
workloads: [{trace: short.sluice}, {trace: long.sluice, as: LONG}]
sweep: {ways: [2, 4, 8]}
set: {l1d.ways: '{ways}'}
series:
  - {label: GTO, policy: gto}
  - {label: LRR, policy: lrr}
  - {label: CCWS, policy: ccws}
  - {label: SWL, policy: 'swl:n={n}', search: {n: [1, 2, 4, 8]}}
  - {label: again, policy: 'swl:n={n}', found: {n: SWL}}
  - {label: CIAO, policy: ciao-c}
  - {label: XOR, policy: xor}
  - {label: MRPB, policy: mrpb}
metrics: {per_insn: 'l1_accesses / warp_insns'}
derived: {speedup: 'ipc / ipc["GTO"]'}
charts:
  - {kind: lines, y: speedup, x: ways, mean: geomean}
  - {kind: table, x: ways, y: [{label: IPC, y: ipc}, {label: best n, y: found.n}]}
claims:
  larger: {type: order, formula: 'geomean(ipc["GTO", ways=8]) >= geomean(ipc["GTO", ways=2])'}
  same: {type: gain, formula: 'geomean(ipc["again", ways=4] / ipc["SWL", ways=4])', value: 1.00}
END

# ---- the way it should go ----------------------------------------------------------------------------------

sweeps() {
	exits 0 "$sluice" sweep own.yaml --json one.json --csv one.csv --markdown one.md --html one.html --svg drawn && cat out err
	grep -q '60 runs: 0 found, 60 simulated, 0 failed' out || return 1
	grep -q '^larger  *met' out && grep -q '^same  *met  *1.00 *+0.0%' out || return 1
	grep -q '"format": "sluice reproduction"' one.json && head -1 one.csv | grep -q '^paper,figure,chart' &&
		grep -qE '^\| larger \| [a-z]+ \| met \|' one.md && grep -q '"drawing":' one.html && grep -q '"command":"sluice sweep .*own.yaml"' one.html && [ "$(find drawn -name '*.svg' | wc -l)" -ge 1 ] || return 1
	head -1 one.md | grep -q '^# policies and sizes of L1 ' && grep -q '^,own,0,found.n,SWL,LONG ways=2,' one.csv &&
		[ "$(grep -c '^,own,0,found.n,' one.csv)" = 6 ]
}
claim "a sweep simulates every combination once, reports, and judges claims" sweeps

draws_for_a_column() {
	exits 0 "$sluice" sweep own.yaml --svg column --svg-width 84 && grep -q 'width="84mm"' column/*.svg
}
claim "drawings are as wide as asked for" draws_for_a_column

finds_again() {
	exits 0 "$sluice" sweep own.yaml && grep -q '60 runs: 60 found, 0 simulated' out
}
claim "what was simulated is found again" finds_again

asks_the_database() {
	[ "$("$sluice" results query "SELECT count(*) FROM runs WHERE status = 'done'" | tail -1)" = 60 ] || return 1
	"$sluice" results list --where "workload = 'LONG'" --limit 5 >listed && [ "$(wc -l <listed)" = 6 ] || return 1
	key=$(awk 'NR == 2 { print $1 }' listed)
	"$sluice" results show "$key" | grep -q '^l1_accesses ' || return 1
	"$sluice" results export --csv all.csv && [ "$(wc -l <all.csv)" = 61 ] &&
		[ "$("$sluice" results query "SELECT count(DISTINCT value) FROM machine_value WHERE key = 'l1d.ways'" | tail -1)" = 3 ]
}
claim "the database answers list, show, query and export" asks_the_database

# ---- bad input ---------------------------------------------------------------------------------------------

# bad WORDS PROGRAM: own.yaml as the sed program leaves it is refused with the words, and nothing is recorded.
bad() {
	sed "$2" own.yaml >bad.yaml
	rm -f nothing.db
	refuses "$1" "$sluice" sweep bad.yaml --db nothing.db && [ ! -e nothing.db ]
}
claim "an unknown key is refused with file, line, column and a suggestion" bad "bad.yaml:4:1: unknown key 'swep'; did you mean 'sweep'?" 's/^sweep/swep/'
claim "an unknown policy is refused" bad "series CCWS: unknown policy" 's/policy: ccws/policy: cccws/'
claim "an unknown parameter is refused" bad "series SWL:" 's/swl:n=/swl:m=/'
claim "an unknown machine key is refused" bad "l1d.wayz" 's/l1d.ways/l1d.wayz/'
claim "an unknown metric is refused at its place" bad "bad.yaml:16:21: unknown metric 'ipd'" "s/speedup: 'ipc/speedup: 'ipd/"
claim "an unknown series in a formula is refused" bad "no series, workload or set 'GTOO' here; did you mean 'GTO'?" "s/\"GTO\", ways=8/\"GTOO\", ways=8/"
claim "a value that a variable never has is refused" bad "ways is never 7" 's/ways=8)/ways=7)/; s/ways=8\]/ways=7]/'
claim "an unknown variable is refused" bad "{wayz} is no variable" "s/'{ways}'/'{wayz}'/"
claim "a trace that is not there is refused" bad "cannot be read" 's/trace: short/trace: shorter/'
claim "a formula that is cut off is refused" bad "expected ',' or ')' after an argument of geomean" "s/ways=2\])/ways=2]/"
claim "a file that is not there is refused" refuses "none.yaml" "$sluice" sweep none.yaml
claim "an order has no value" bad "an order has no value" "s/larger: {type: order,/larger: {type: order, value: 3,/"

read_only_database() {
	[ "$(id -u)" != 0 ] || { rm -rf locked && mkdir locked && refuses "results database" "$sluice" sweep own.yaml --db /proc/results.db && return 0; }
	rm -rf locked && mkdir locked && chmod 555 locked && refuses "may this user write there" "$sluice" sweep own.yaml --db locked/results.db
}
claim "a database that cannot be written is refused before anything runs" read_only_database

not_a_database() {
	yes text | head -1000 >text.db
	cp text.db before.db
	refuses "text.db" "$sluice" sweep own.yaml --db text.db && cmp text.db before.db
}
claim "a file that is no database is refused and left alone" not_a_database

# ---- what breaks -------------------------------------------------------------------------------------------

command -v sqlite3 >/dev/null || { echo "skipped - the rest: there is no sqlite3" && finish; }

failures_are_recorded() {
	sed 's/{trace: short.sluice}/{trace: short.sluice, kernels: 1}, {trace: short.sluice, as: NONE, kernels: 5}/' own.yaml >half.yaml
	exits 0 "$sluice" sweep half.yaml --db half.db --json half.json && cat out err
	grep -q '90 runs: 0 found, 60 simulated, 30 failed' out && grep -q '"verdict": "open"' half.json &&
		[ "$("$sluice" results query --db half.db "SELECT count(*) FROM failures" | tail -1)" -ge 1 ]
}
claim "runs that fail are recorded with their message, the others go on, and claims that need them are open" failures_are_recorded

interrupted() {
	rm -f int.db*
	"$sluice" sweep own.yaml --db int.db >out 2>err &
	pid=$!
	sleep 0.5
	kill -"$1" "$pid" 2>/dev/null
	got=0
	wait "$pid" || got=$?
	[ "$got" = "$2" ] || [ "$got" = 0 ] || { echo "exit status $got" && cat err && return 1; }
	exits 0 "$sluice" sweep own.yaml --db int.db && values int.db >int.values && cmp int.values undisturbed.values
}
values "$SLUICE_RESULTS" >undisturbed.values
claim "Ctrl-C loses no finished run" interrupted INT 130
claim "SIGTERM loses no finished run" interrupted TERM 143

# Twenty times a process of a sweep of 60 runs is killed with kill -9 at a random moment: a child, the coordinator, or
# both. Where it was done before that, the next one starts with nothing, so that there is always something to lose.
# Sanitizers, which take several times as long, get eight times: two of each way to kill.
moments=20
[ -z "${SLUICE_TEST_SHARE:-}" ] || moments=8
killed_at_any_moment() {
	rm -f kill.db*
	seed=$$ hits=0 i=0
	while [ $i -lt $moments ]; do
		i=$((i + 1))
		"$sluice" sweep own.yaml --db kill.db --jobs 2 >out 2>err &
		pid=$! got=0 victim=
		seed=$(((seed * 1103 + 12345) % 65536))
		sleep "0.$((seed % 4))$((seed / 7 % 10))"
		[ $((i % 2)) = 0 ] || victim=$(awk '{ print $1 }' "/proc/$pid/task/$pid/children" 2>/dev/null) || :
		[ -z "$victim" ] || ! kill -9 "$victim" 2>/dev/null || hits=$((hits + 1))
		[ $((i % 4)) = 1 ] || kill -9 "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || got=$?
		[ "$got" != 137 ] || hits=$((hits + 1))
		sqlite3 kill.db 'PRAGMA integrity_check' 2>/dev/null | grep -qx ok || [ ! -s kill.db ] || { echo "damaged" && return 1; }
		[ "$got" != 0 ] || [ $i = $moments ] || [ $((i % 4)) = 1 ] || rm -f kill.db*
	done
	exits 0 "$sluice" sweep own.yaml --db kill.db && grep -q ', 0 failed' out || return 1
	echo "$hits processes were killed"
	[ "$hits" -ge $((moments / 2)) ] && values kill.db >kill.values && cmp kill.values undisturbed.values
}
claim "kill -9 of coordinator or child at $moments moments: the database equals an undisturbed one" killed_at_any_moment

locked_database() {
	rm -f lock.db*
	"$sluice" sweep own.yaml --db lock.db >/dev/null 2>&1
	sqlite3 lock.db "DELETE FROM run WHERE workload = 'short'"
	"$sluice" sweep own.yaml --db lock.db >out 2>err &
	pid=$!
	sleep 0.3
	(echo 'BEGIN IMMEDIATE;'; sleep 8; echo 'COMMIT;') | sqlite3 lock.db 2>/dev/null || :
	wait "$pid" || { cat err && return 1; }
	values lock.db >lock.values && cmp lock.values undisturbed.values
}
claim "a database that another process locks for a while loses nothing" locked_database

full_disk() {
	rm -rf full && mkdir full
	mount -t tmpfs -o size=16m none full 2>/dev/null || { echo "no mount" && return 3; }
	head -c 15900k /dev/zero >full/ballast
	"$sluice" sweep own.yaml --db full/results.db >out 2>err &
	pid=$!
	sleep 3
	rm -f full/ballast
	got=0
	wait "$pid" || got=$?
	values full/results.db >full.values || :
	umount full
	[ "$got" = 0 ] || { cat err && return 1; }
	cmp full.values undisturbed.values
}
if [ "$(id -u)" = 0 ] && mkdir -p probe && mount -t tmpfs none probe 2>/dev/null; then
	umount probe
	claim "a disk that is full for a while loses nothing: runs wait in memory" full_disk
else
	echo "skipped - a full disk: this user may not mount one"
fi

finish
