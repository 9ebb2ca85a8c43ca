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
nothing_is_left() {
	find "$SLUICE_CACHE_DIR" "$TMPDIR" -name 'tmp-*' -o -name '*.tmp' -o -name 'sluice-*' | grep . && return 1
	return 0
}
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

# ends_cleanly SIGNAL STATUS WHAT: sluice and the program are gone, as is what they had begun.
ends_cleanly() {
	rm -f guest.pid grandchild.pid
	"$sluice" run ./guest "$3" --spin-budget 1000G >out 2>err &
	pid=$!
	within 20 test -s guest.pid && { [ "$3" != children ] || within 20 test -s grandchild.pid; } || return 1
	guest=$(cat guest.pid)
	kill "-$1" $pid
	status=0
	wait $pid || status=$?
	[ $status = "$2" ] || { echo "status $status, expected $2" && return 1; }
	within 5 is_gone "$guest" || return 1
	[ "$3" != children ] || within 5 is_gone "$(cat grandchild.pid)" || return 1
	[ "$1" = KILL ] || nothing_is_left
}
claim "SIGTERM ends sluice and the program, and takes the temporary files away" ends_cleanly TERM 143 spin
claim "SIGHUP does" ends_cleanly HUP 129 spin
claim "the program's own children end with it" ends_cleanly TERM 143 children
claim "SIGKILL of sluice ends the program" ends_cleanly KILL 137 spin

rm -rf "$SLUICE_CACHE_DIR"/programs/tmp-*

# A shell starts background jobs with SIGINT ignored, which we respect.
interrupt() {
	rm -f guest.pid
	env --default-signal=INT "$sluice" run ./guest spin --spin-budget 1000G >out 2>err &
	pid=$!
	within 20 test -s guest.pid || return 1
	guest=$(cat guest.pid)
	kill -INT $pid
	status=0
	wait $pid || status=$?
	[ $status = 130 ] || { echo "status $status" && return 1; }
	within 5 is_gone "$guest" && nothing_is_left
}
claim "SIGINT does, too" interrupt

timeout_leaves_nothing() {
	rm -f guest.pid
	exits 124 timeout 2 "$sluice" run ./guest spin --spin-budget 1000G || return 1
	within 5 is_gone "$(cat guest.pid)" && nothing_is_left
}
claim "timeout leaves nothing" timeout_leaves_nothing

# A compiler that never ends.
cat >clang <<'END_OF_SCRIPT'
#!/bin/sh
echo $$ >compiler.pid
exec sleep 100
END_OF_SCRIPT
chmod +x clang

compiler_ends() {
	rm -f compiler.pid
	SLUICE_CLANG=$work/clang "$sluice" cc guest.cu -o other >out 2>err &
	pid=$!
	within 20 test -s compiler.pid || return 1
	kill "-$1" $pid
	wait $pid
	within 5 is_gone "$(cat compiler.pid)" && { [ "$1" = KILL ] || nothing_is_left; }
}
claim "the compiler ends with sluice cc" compiler_ends TERM
claim "even if that is killed" compiler_ends KILL

run_compiles() {
	rm -f compiler.pid
	SLUICE_CLANG=$work/clang "$sluice" run guest.cu spin >out 2>err &
	pid=$!
	within 20 test -s compiler.pid || return 1
	kill -TERM $pid
	wait $pid
	within 5 is_gone "$(cat compiler.pid)" && nothing_is_left
}
claim "and with sluice run of a source" run_compiles

finish
