#!/bin/sh
# What comes from outside does not reach further than it should: pipes in place of files, texts in a database, questions that
# write, limits of the shell, a policy that crashes, a cache under an open umask, far-away code in a trace.
set -eu
. "$(dirname "$0")/common.inc"
cd "$work"
make_trace t
"$sluice" trace import t -o t.sluice >made.log
make_study
make_set t
mkdir -p index papers
mkfifo pipe pipe.yaml pipe.so pipe.sluice index/index.yaml papers/paper.yaml

# ---- named pipes -------------------------------------------------------------------------------------------

# at_once STATUS COMMAND...: ends with it, and does not wait for a writer.
at_once() {
	want=$1
	shift
	got=0
	timeout 20 "$@" >out 2>err </dev/null || got=$?
	[ "$got" = "$want" ] || { echo "status $got" && cat err && return 1; }
}
while read -r line; do
	# shellcheck disable=SC2086
	claim "a named pipe ends sluice $line at once" at_once 2 "$sluice" $line
done <<'END'
run t.sluice --policy ./pipe.so
run t.sluice --machine ./pipe.yaml
run pipe.sluice
run pipe
compare t.sluice --policy gto --policy ./pipe.so
policy show ./pipe.so
machine show ./pipe.yaml
trace info pipe
chart pipe
sweep pipe.yaml
cc -optf pipe a.cu
results list --db pipe
END
pipe_of_set() {
	mkdir -p piped && cp -R set/traces piped/ && mkfifo piped/counters.tsv && at_once 2 "$sluice" validate piped
}
claim "a named pipe ends sluice validate at once" pipe_of_set
claim "a named pipe as index of workloads is refused at once" at_once 2 env SLUICE_WORKLOADS="$work/index" "$sluice" workload list

# ---- the database ------------------------------------------------------------------------------------------

"$sluice" sweep own.yaml --db own.db --jobs 1 >made.log 2>&1
questions_only() {
	cp own.db before.db
	for sql in "vacuum into 'copy.db'" 'vacuum'; do
		exits 2 "$sluice" results query --db own.db "$sql" || return 1
	done
	for sql in 'pragma journal_mode = delete' 'delete from run' 'drop view runs' \
		"attach 'other.db' as x" 'pragma wal_checkpoint(truncate)' 'pragma user_version = 7' 'create table a(b)'; do
		refuses 'only questions are answered' "$sluice" results query --db own.db "$sql" || { echo "$sql" && return 1; }
	done
	refuses 'one statement at a time' "$sluice" results query --db own.db 'select 1; select 2' || return 1
	exits 2 "$sluice" results list --db own.db --where "1; vacuum" || return 1
	[ ! -e copy.db ] && [ ! -e other.db ] || return 1
	for sql in 'select 1;' 'select count(*) from runs -- all' 'pragma table_info(run)' 'pragma journal_mode' \
		'with recursive n(i) as (select 1 union select i + 1 from n where i < 3) select max(i) from n'; do
		exits 0 "$sluice" results query --db own.db "$sql" || return 1
	done
}
claim "results query answers one question and changes nothing" questions_only

# A database from elsewhere, whose texts are orders to terminals and spreadsheets.
texts_stay_texts() {
	python3 - own.db foreign.db <<'END' || return 1
import shutil, sqlite3, sys
shutil.copy(sys.argv[1], sys.argv[2])
db = sqlite3.connect(sys.argv[2])
db.execute("update run set workload = '=HYPERLINK(1)', machine = char(27) || ']0;owned' || char(7), arguments = '-1', policy = '@x'")
db.commit()
END
	exits 0 "$sluice" results list --db foreign.db && ! tr -d '\n -~' <out | grep -q . || { cat -v out && return 1; }
	exits 0 "$sluice" results show --db foreign.db "$("$sluice" results query --db own.db 'select key from run limit 1' | tail -1 | tr -d ' ')" &&
		! tr -d '\n\t -~' <out | grep -q . || return 1
	exits 0 "$sluice" results export --db foreign.db --csv foreign.csv || return 1
	holds foreign.csv "\"'=HYPERLINK(1)\"" "\"'@x\"" ',-1,' && ! grep -q "$(printf '\033')" foreign.csv
}
! command -v python3 >/dev/null || claim "fields of a database are no orders to terminals or spreadsheets" texts_stay_texts

first_use() {
	for round in 1 2 3 4 5 6; do
		rm -f new.db*
		pids=
		for i in 1 2 3 4; do
			"$sluice" sweep own.yaml --db new.db --jobs 1 >"first.$i" 2>&1 &
			pids="$pids $!"
		done
		for pid in $pids; do
			wait "$pid" || { cat first.* && return 1; }
		done
	done
}
claim "several sweeps begin with the same new database" first_use

# ---- memory ------------------------------------------------------------------------------------------------

# One instruction far away from the others, as a function of a library is.
far_code() {
	make_gather far
	sed -i 's/^0200 /10000000 /' far/kernel-1.traceg
	# 100 MB are used, and more reserved; an entry for each line of code between would take gigabytes
	exits 0 "$sluice" run far --memory-limit 1G --max-insns 5K && holds out gather
}
claim "memory grows with the code that a launch has, not with its addresses" far_code
says_limit() {
	got=0
	"$sluice" run t.sluice --memory-limit 1M >out 2>err || got=$?
	[ "$got" = 1 ] && holds err 'out of memory' 'the limit is 1000000 bytes (--memory-limit'
	exits 2 "$sluice" run t.sluice --memory-limit 5
}
claim "--memory-limit ends a run with its reason" says_limit

# ---- limits of the shell -----------------------------------------------------------------------------------

open_umask() {
	(umask 0 && SLUICE_CACHE_DIR=$work/fresh exits 0 "$sluice" run t --machine gtx480-ciao) || return 1
	SLUICE_CACHE_DIR=$work/fresh exits 0 "$sluice" run t --machine gtx480-ciao
}
claim "a cache that is made under umask 000 is not writable by all" open_umask
small_files() {
	mkdir -p small && cd small || return 1
	got=0
	(ulimit -f 8 && SLUICE_CACHE_DIR=$work/small "$sluice" trace import ../t.sluice -o x.sluice) >out 2>err || got=$?
	got=0
	(ulimit -f 8 && "$sluice" run ../t.sluice --json big.json --look all) >out 2>err || got=$?
	cd ..
	[ "$got" = 2 ] && holds small/err 'cannot write big.json: File too large' && [ ! -e small/big.json ] || { cat small/err && return 1; }
	! find small -name '*.tmp' | grep .
}
claim "a limit of file sizes is an error and leaves nothing" small_files
small_stacks() {
	# Who may not raise the limit reads what is wrong.
	# shellcheck disable=SC3045 # dash, bash and busybox have it
	(ulimit -s 64 && { exits 0 "$sluice" run t.sluice --threads 8 || refuses 'the limit of stacks' "$sluice" run t.sluice --threads 8; })
}
claim "threads have stacks of their own size" small_stacks
full_page() {
	refuses 'cannot write /dev/full: No space left on device' "$sluice" run t.sluice --html /dev/full
}
claim "a page for a full device says why it is not written" full_page

# ---- programs that stay ------------------------------------------------------------------------------------

# A script that leaves a process of a session of its own behind.
daemon_ends() {
	printf '#!/bin/sh\nsetsid sh -c "echo \$\$ >%s/pid; exec sleep 300" >daemon.log 2>&1 </dev/null &\nsleep 0.5\n' "$work" >leaves && chmod +x leaves
	got=0
	"$sluice" run --program ./leaves >out 2>err || got=$?
	[ -s pid ] || { cat err && return 1; }
	! kill -0 "$(cat pid)" 2>/dev/null
}
! command -v setsid >/dev/null || claim "a daemon that a program leaves behind ends with sluice" daemon_ends

# ---- policies that are wrong -------------------------------------------------------------------------------

compiler=$(command -v cc || command -v gcc || command -v clang) || compiler=
# object NAME CODE FIELDS: a policy with these fields.
object() {
	printf '#include <stdlib.h>\n#include "policy/policy.h"\n%s\nextern const struct policy sluice_policy;\nconst struct policy sluice_policy = {.abi = POLICY_ABI, %s};\n' "$2" "$3" |
		"$compiler" -shared -fPIC -I"$root/src" -x c - -o "$1.so"
}
wrong_policies() {
	hook='static void h(void *sm, uint32_t w, uint64_t pc, uint32_t l, uint64_t c) { (void)sm, (void)w, (void)pc, (void)l, (void)c;'
	object crash "$hook *(volatile int *)0 = 1; }" '.name = "crash", .on_issue = h'
	object quit "$hook exit(0); }" '.name = "quit", .on_issue = h'
	object init 'static void i(void *sm, const struct policy_env *e) { (void)sm, (void)e; }' '.name = "init", .sm_init = i'
	object odd '' '.name = "odd\033[2J"'
	exits 139 sh -c '"$0" "$@"; exit $?' "$sluice" run t.sluice --policy ./crash.so
	holds err 'sluice run: crashed with the policies of ./crash.so' || return 1
	refuses 'the policies of ./quit.so ended the process before the simulation was over' "$sluice" run t.sluice --policy ./quit.so || return 1
	refuses 'has sm_init, but no sm_bytes' "$sluice" run t.sluice --policy ./init.so || return 1
	refuses 'must be plain text' "$sluice" policy show ./odd.so
}
[ -z "$compiler" ] || claim "a policy that crashes, exits or lacks its block is named" wrong_policies

finish
