#!/bin/sh
# Sessions of Slurm where things are odd, with an sbatch of our own that runs the tasks at once: relative files, warnings,
# tasks that are preempted, folders that are read-only. e2e.slurm has the real controller.
set -eu
. "$(dirname "$0")/common.inc"
cd "$work"
make_trace t
"$sluice" trace import t -o t.sluice >made.log
mkdir bin elsewhere
printf 'name: mine\ntitle: one more\nextends: gtx480-ciao\n' >mine.yaml
cat >own.yaml <<'END'
title: relative files
machine: ./mine.yaml
workloads: [{trace: t.sluice}]
series: [{label: GTO, policy: gto}, {label: LRR, policy: lrr}]
charts: [{kind: bars, y: ipc}]
END
cat >bin/sbatch <<'END'
#!/bin/sh
# Runs the tasks in another folder, one after the other, and prints the number of the job as a site's wrapper might.
for word in "$@"; do
	case $word in
	--array=*) tasks=${word#--array=} ;;
	--chdir=*) folder=${word#--chdir=} ;;
	*/task.sh) script=$word ;;
	esac
done
[ ! -e "$FAKE/refuses" ] || { echo "sbatch: error: no such partition" >&2; exit 1; }
echo "sbatch: warning: your account is old" >&2
[ ! -e "$FAKE/wraps" ] || echo "Welcome to the cluster"
number=$(($(cat "$FAKE/number" 2>/dev/null || echo 76) + 1))
echo "$number" >"$FAKE/number"
echo "$number;cluster"
[ -e "$FAKE/preempts" ] && [ "$number" -lt 82 ] && exit 0
cd "$FAKE/elsewhere"
for task in $(echo "$tasks" | tr , ' '); do
	SLURM_ARRAY_TASK_ID=$task SLURM_JOB_ID=$number sh "$script" >>"$folder/log-$task.txt" 2>&1
done
END
printf '#!/bin/sh\nexit 0\n' >bin/squeue
chmod +x bin/sbatch bin/squeue
FAKE=$work
PATH=$work/bin:$PATH
export FAKE PATH

relative_files() {
	exits 0 "$sluice" sweep own.yaml --db one.db --slurm --shared shared || return 1
	holds err 'submitted 2 tasks as job 77' 'sbatch says: sbatch: warning: your account is old' &&
		holds out '2 runs: 0 found, 2 simulated, 0 failed' || { cat out && return 1; }
	exits 0 "$sluice" sweep own.yaml --db two.db --jobs 1 --csv local.csv && exits 0 "$sluice" sweep own.yaml --db one.db --csv far.csv &&
		cmp local.csv far.csv
}
claim "tasks find the files that the experiment names relative to where it was started; warnings are passed on" relative_files

compiler=$(command -v cc || command -v gcc || command -v clang) || compiler=
relative_objects() {
	printf '#include "policy/policy.h"\nextern const struct policy sluice_policy;\nconst struct policy sluice_policy = {.abi = POLICY_ABI, .name = "mine"};\n' |
		"$compiler" -shared -fPIC -I"$root/src" -x c - -o mine.so
	sed 's/policy: lrr/policy: .\/mine.so/' own.yaml >object.yaml
	refuses 'add --allow-programs' "$sluice" sweep object.yaml --db three.db --slurm --shared shared || return 1
	exits 0 "$sluice" sweep object.yaml --allow-programs --db three.db --slurm --shared shared && holds out '2 simulated, 0 failed'
}
[ -z "$compiler" ] || claim "so do policies in shared objects" relative_objects

wrapped() {
	touch wraps && exits 0 "$sluice" sweep own.yaml --db four.db --slurm --shared other && holds err 'as job' && holds out '2 simulated, 0 failed' && rm wraps
}
claim "a wrapper's words around the number of the job do no harm" wrapped

refused() {
	touch refuses && refuses 'sbatch: error: no such partition' "$sluice" sweep own.yaml --db five.db --slurm --shared third && rm refuses
}
claim "what sbatch refuses is said" refused

read_only() {
	mkdir closed && : >file
	refuses 'file' "$sluice" sweep own.yaml --db six.db --slurm --shared file/x || return 1
	[ "$(id -u)" != 0 ] || return 0
	chmod 500 closed && refuses 'closed' "$sluice" sweep own.yaml --db six.db --slurm --shared closed
}
claim "a folder that cannot be written to is refused, and nothing is submitted" read_only

finish
