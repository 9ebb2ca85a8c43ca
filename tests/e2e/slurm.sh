#!/bin/sh
# sluice sweep --slurm against a real controller with two nodes on loopback: a sweep, one node killed in the middle, and
# results equal to local ones. Skipped where Slurm is missing or this user may not run it.
set -eu
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/sweep.inc"

for tool in slurmctld slurmd munged sbatch squeue scontrol sinfo sqlite3; do
	command -v $tool >/dev/null || {
		echo "skipped - Slurm: there is no $tool (Debian: slurm-wlm, munge, sqlite3)"
		exit 0
	}
done
[ "$(id -u)" = 0 ] || {
	echo "skipped - Slurm: a cluster of our own needs root"
	exit 0
}

# ---- the cluster -------------------------------------------------------------------------------------------

cluster=$work/cluster
mkdir -p "$cluster/m" "$cluster/run" "$cluster/state" "$cluster/spooln0" "$cluster/spooln1"
chmod 755 "$work" "$cluster" "$cluster/m"
host=$(hostname -s)
base=$((20000 + $$ % 20000))
dd if=/dev/urandom of="$cluster/munge.key" bs=1 count=1024 2>/dev/null
chmod 400 "$cluster/munge.key"
cat >"$cluster/slurm.conf" <<END
ClusterName=sluicetest
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/munge
AuthInfo=socket=$cluster/m/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool%n
SlurmctldPidFile=$cluster/run/ctld.pid
SlurmdPidFile=$cluster/run/d%n.pid
SlurmctldLogFile=$cluster/ctld.log
SlurmdLogFile=$cluster/d%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=5
ReturnToService=2
JobRequeue=0
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MaxArraySize=10001
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=n[0-1] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + 2))] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
SLURM_CONF=$cluster/slurm.conf
export SLURM_CONF

# Ends the process of a pid file, if it runs.
end_by_file() {
	[ -s "$1" ] || return 0
	kill "$(cat "$1")" 2>/dev/null || :
}

stop_cluster() {
	scontrol shutdown >/dev/null 2>&1 || :
	for node in n0 n1; do
		end_by_file "$cluster/run/d$node.pid"
	done
	end_by_file "$cluster/run/ctld.pid"
	end_by_file "$cluster/m/pid"
	sleep 1
	rm -rf "$work"
}
trap stop_cluster EXIT

start_cluster() {
	munged --force --key-file="$cluster/munge.key" --socket="$cluster/m/munge.sock" --pid-file="$cluster/m/pid" \
		--log-file="$cluster/munged.log" --seed-file="$cluster/m/seed" || return 1
	slurmctld >"$cluster/ctld.out" 2>&1 || return 1
	slurmd -N n0 && slurmd -N n1 || return 1
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		[ "$(sinfo --noheader --Node --states=idle 2>/dev/null | wc -l)" = 2 ] && return 0
		sleep 0.5
	done
	return 1
}
start_cluster >"$work/start.log" 2>&1 || {
	echo "skipped - Slurm: no cluster could be started here:"
	sed 's/^/# /' "$work/start.log" "$cluster"/*.log 2>/dev/null | tail -20
	exit 0
}

# ---- sweeps ------------------------------------------------------------------------------------------------

cd "$work"
make_traces
# Long enough that a node dies while its tasks are at work.
mkdir heavy.d
walk 1 300 >heavy.d/kernel-1.traceg
echo kernel-1.traceg >heavy.d/kernelslist.g
"$sluice" trace import heavy.d -o heavy.sluice >/dev/null
cat >forty.yaml <<'END'
machine: gtx480-ciao
workloads: [{trace: short.sluice}, {trace: heavy.sluice}]
sweep: {n: 1..5, ways: [2, 3, 4, 8]}
set: {l1d.ways: '{ways}'}
series: [{label: SWL, policy: 'swl:n={n}'}]
END

same_as_here() {
	values "$1" >there.values && cmp there.values here.values
}

sweep_here() {
	exits 0 "$sluice" sweep forty.yaml --db here.db && grep -q '40 runs: 0 found, 40 simulated' out &&
		values here.db >here.values
}
claim "a sweep of 40 runs, here" sweep_here

# The processes of tasks at work on a node of this cluster.
tasks_on() {
	for task in $(pgrep -f 'slurm-task /' || :); do
		tr '\0' '\n' <"/proc/$task/environ" 2>/dev/null >environ || continue
		grep -qx "SLURM_CONF=$SLURM_CONF" environ && grep -qx "SLURMD_NODENAME=$1" environ && echo "$task"
	done
}

# Stops a task of the node where it is, so that it cannot end before the node does, however fast the machine is.
hold_a_task_on() {
	for _ in $(seq 400); do
		for task in $(tasks_on "$1"); do
			kill -STOP "$task" 2>/dev/null && return 0
		done
		sleep 0.05
	done
	echo "no task was seen on $1"
	return 1
}

# The node with its tasks: its daemon, and of every task that runs on it the process and its shepherd (its parent).
kill_node() {
	kill -9 "$(cat "$cluster/run/dn1.pid")"
	for task in $(tasks_on n1); do
		shepherd=$(awk '/^PPid:/ { print $2 }' "/proc/$task/status" 2>/dev/null || :)
		grep -q '^slurmstepd' "/proc/${shepherd:-0}/comm" 2>/dev/null && kill -9 "$shepherd"
		kill -9 "$task" 2>/dev/null || :
	done
}

one_node_dies() {
	"$sluice" sweep forty.yaml --db there.db --slurm >out 2>err &
	coordinator=$!
	hold_a_task_on n1 || { kill "$coordinator" && return 1; }
	for _ in $(seq 20); do
		[ "$(find "$work/slurm" -name 'result-*' 2>/dev/null | wc -l)" -ge 2 ] && break
		sleep 0.5
	done
	kill_node
	wait "$coordinator" || { cat err && return 1; }
	cat out err
	[ "$(grep -c 'submitted .* tasks' err)" -ge 2 ] || { echo "nothing was submitted again" && return 1; }
	grep -q '40 runs: 0 found, 40 simulated, 0 failed' out && same_as_here there.db
}
claim "with one of two nodes killed in the middle all 40 results come, equal to the local ones" one_node_dies

slurmd -N n1 >/dev/null 2>&1 || :

detaches() {
	exits 0 "$sluice" sweep forty.yaml --db later.db --slurm --shared "$work/later" --detach && grep -q 'under way' out || return 1
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		[ -z "$(squeue --noheader)" ] && break
		sleep 0.5
	done
	exits 0 "$sluice" sweep forty.yaml --db later.db --slurm --shared "$work/later" && cat out err
	! grep -q submitted err && grep -q '40 simulated, 0 failed' out && same_as_here later.db
}
claim "a coordinator that detaches is taken up by the next call, which submits nothing anew" detaches

claim "what sbatch refuses is said" refuses "sbatch: " "$sluice" sweep forty.yaml --db two.db --slurm --sbatch '--partition=none' --shared "$work/two"
claim "--detach without --slurm is refused" refuses "--detach is for --slurm" "$sluice" sweep forty.yaml --db two.db --detach

finish
