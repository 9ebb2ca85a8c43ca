#!/bin/sh
# Programs that wait, fail, fork, never end or are ended: what is recorded, which status tells it, what stays behind.
set -u
. "$(dirname "$0")/common.inc"

needs_clang
cd "$work" || exit 2

cat >guest.cu <<'END_OF_PROGRAM'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
__global__ void compute(int *out, int a, int n)
{
	int x = 1;
	for (int i = 0; i < n; i++)
		x = x * a + 1;
	out[threadIdx.x] = x;
}
__global__ void wait_for_ever(volatile int *flag)
{
	while (!*flag)
		;
}
__global__ void take_heap(int *out)
{
	out[threadIdx.x] = (int)(size_t)malloc(16);
}
static void leave(int) { exit(7); }
static void write_pid(const char *name)
{
	FILE *file = fopen(name, "w");
	fprintf(file, "%d\n", getpid());
	fclose(file);
}
int main(int argc, char **argv)
{
	const char *what = argv[1];
	int *out, host[32] = {0};
	if (!strcmp(what, "heap"))
		cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1ull << 42);
	cudaMalloc(&out, 4096);
	cudaMemset(out, 0, 4096);
	if (!strcmp(what, "compute"))
		compute<<<1, 32>>>(out, 5, 1000000);
	else if (!strcmp(what, "heap"))
		take_heap<<<1, 32>>>(out);
	else if (!strcmp(what, "fork")) {
		compute<<<8, 32>>>(out, 5, 1000);
		fflush(stdout);
		if (!fork())
			exit(0);
		wait(NULL);
		compute<<<8, 32>>>(out, 3, 1000);
	} else {
		write_pid("guest.pid");
		if (!strcmp(what, "children") && !fork()) {
			write_pid("grandchild.pid");
			sleep(100);
			_exit(0);
		}
		if (!strcmp(what, "handler")) {
			struct itimerval soon = {{0, 0}, {0, 200000}};
			signal(SIGALRM, leave);
			setitimer(ITIMER_REAL, &soon, NULL);
		}
		wait_for_ever<<<1, 32>>>(out);
	}
	cudaError_t result = cudaDeviceSynchronize();
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	printf("%s %d\n", cudaGetErrorName(result), host[0]);
	return 0;
}
END_OF_PROGRAM
claim "the program compiles" "$sluice" cc -O1 guest.cu -o guest

# ---- waiting and computing ------------------------------------------------------------------------------------

long_computation() {
	exits 0 "$sluice" record ./guest compute -o long.sluice --spin-budget 100000 && grep -q '^cudaSuccess' out
}
claim "a computation of twenty spin budgets is no spin" long_computation

fault_is_told() {
	for command in 'run' 'record -o spin.sluice' 'compare --policy gto --policy lrr'; do
		# shellcheck disable=SC2086 # a command and its words
		exits 4 "$sluice" $command ./guest spin --spin-budget 100000 || return 1
		grep -qh 'cudaErrorLaunchTimeout' out || return 1
	done
	grep -qh 'a launch ended early' out err
}
claim "a launch that ended early gives status 4, though the program returns 0" fault_is_told

no_room() {
	exits 0 timeout 60 "$sluice" record ./guest heap -o heap.sluice && grep -q '^cudaSuccess 0' out
}
claim "a device heap beyond the device's memory gives NULL, and no deadlock" no_room

exit_inside() {
	exits 2 timeout 60 "$sluice" record ./guest handler -o inside.sluice --spin-budget 10G &&
		grep -q 'was not recorded' err && grep -q 'status 7' err
}
claim "exit() in a signal handler inside of a launch ends the program" exit_inside

forked() {
	exits 0 "$sluice" record ./guest fork -o fork.sluice || return 1
	exits 0 "$sluice" trace info fork.sluice && grep -c compute out | grep -qx 2
}
claim "a child that forks off and exits leaves the recording whole" forked

# ---- being ended ----------------------------------------------------------------------------------------------

# within SECONDS COMMAND...: it comes true.
within() {
	tries=$(($1 * 20))
	shift
	while [ $tries -gt 0 ]; do
		"$@" && return 0
		sleep 0.05
		tries=$((tries - 1))
	done
	echo "not within time: $*"
	return 1
}
is_gone() {
	! kill -0 "$1" 2>/dev/null
}
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

# stopped SIGNAL PIDFILE COMMAND...: runs it until the process of PIDFILE is there, sends the signal, and waits until both are
# gone; $status is how the command ended.
stopped() {
	signal=$1 file=$2
	shift 2
	rm -f ./*.pid
	"$@" >out 2>err &
	pid=$!
	within 20 test -s "$file" || return 1
	kill "-$signal" $pid
	status=0
	wait $pid || status=$?
	within 5 is_gone "$(cat "$file")" && { [ "$signal" = KILL ] || nothing_is_left; }
}
# ends_cleanly SIGNAL STATUS PIDFILE WHAT: sluice and the program are gone, as is what they had begun.
ends_cleanly() {
	# A shell starts background jobs with SIGINT ignored, which we respect.
	stopped "$1" "$3" env --default-signal=INT "$sluice" run ./guest "$4" --spin-budget 1000G || return 1
	[ $status = "$2" ] || { echo "status $status, expected $2" && return 1; }
	within 5 is_gone "$(cat guest.pid)"
}
claim "SIGTERM ends sluice and the program, and takes the temporary files away" ends_cleanly TERM 143 guest.pid spin
claim "SIGHUP does" ends_cleanly HUP 129 guest.pid spin
claim "SIGINT does, too" ends_cleanly INT 130 guest.pid spin
claim "the program's own children end with it" ends_cleanly TERM 143 grandchild.pid children
claim "SIGKILL of sluice ends the program" ends_cleanly KILL 137 guest.pid spin

rm -rf "$SLUICE_CACHE_DIR"/programs/tmp-*
timeout_leaves_nothing() {
	rm -f guest.pid
	exits 124 timeout 2 "$sluice" run ./guest spin --spin-budget 1000G || return 1
	within 5 is_gone "$(cat guest.pid)" && nothing_is_left
}
claim "timeout leaves nothing" timeout_leaves_nothing

# A compiler that never ends.
printf '#!/bin/sh\necho $$ >compiler.pid\nexec sleep 100\n' >clang
chmod +x clang

SLUICE_CLANG=$work/clang
export SLUICE_CLANG
claim "the compiler ends with sluice cc" stopped TERM compiler.pid "$sluice" cc guest.cu -o other
claim "even if that is killed" stopped KILL compiler.pid "$sluice" cc guest.cu -o other
claim "and with sluice run of a source" stopped TERM compiler.pid "$sluice" run guest.cu spin

finish
