#!/bin/sh
# sluice record and sluice run of programs: what is executed, kept, shown and refused.
set -u
. "$(dirname "$0")/common.inc"

needs_clang

# Adds 1 to COUNT numbers; says so on both streams; leaves a line in the file "log" each time it runs.
cat >"$work/add.cu" <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "one.h"
__global__ void add_one(int *data, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		data[i] += ONE;
}
int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000, status = argc > 2 ? atoi(argv[2]) : 0;
	int *device, *host = (int *)calloc(count, sizeof(int));
	FILE *log = fopen("log", "a");
	fputs("ran\n", log);
	fclose(log);
	if (FILE *input = fopen("input", "r")) {
		if (fscanf(input, "%d", &host[0]) != 1)
			return 9;
		fclose(input);
	}
	if (argc > 3 && !strcmp(argv[3], "idle"))
		return status;
	cudaMalloc(&device, count * sizeof(int));
	cudaMemcpy(device, host, count * sizeof(int), cudaMemcpyHostToDevice);
	add_one<<<(count + 127) / 128, 128>>>(device, count);
	cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost);
	printf("first %d last %d\n", host[0], host[count - 1]);
	fprintf(stderr, "to stderr\n");
	if (argc > 3 && !strcmp(argv[3], "abort"))
		abort();
	return status;
}
END
echo '#define ONE 1' >"$work/one.h"

cat >"$work/clock.cu" <<'END'
#include <cstdio>
__global__ void nothing(void) {}
int main(void)
{
	float ms = -1;
	cudaEvent_t a, b;
	FILE *log = fopen("log", "a");
	fputs("ran\n", log);
	fclose(log);
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	cudaEventRecord(a);
	nothing<<<4, 64>>>();
	cudaEventRecord(b);
	cudaEventSynchronize(b);
	cudaEventElapsedTime(&ms, a, b);
	printf("took %.6f ms\n", ms);
	return 0;
}
END
cat >"$work/managed.cu" <<'END'
#include <cstdio>
#include <cstdlib>
__managed__ int counter[256];
__global__ void child(int *p) { p[threadIdx.x] += counter[threadIdx.x]; }
__global__ void parent(int *p)
{
	counter[threadIdx.x]++;
	if (threadIdx.x == 0)
		child<<<1, 64>>>(p);
}
int main(int argc, char **argv)
{
	int *host = (int *)calloc(64, sizeof(int)), *device;
	cudaHostRegister(host, 64 * sizeof(int), cudaHostRegisterMapped);
	cudaHostGetDevicePointer((void **)&device, host, 0);
	counter[5] = 40;
	parent<<<1, 256>>>(device);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	printf("%d %d\n", host[5], host[6]);
	return 0;
}
END
cd "$work" || exit 2

times_run() {
	[ -e log ] && grep -c ran log || echo 0
}
runs_are() {
	[ "$(times_run)" = "$1" ] && return 0
	echo "the program ran $(times_run) times, expected $1"
	return 1
}

# says WORDS FILE: a line of the file holds the words.
says() {
	grep -q -e "$1" "$2" && return 0
	echo "no '$1' in $2:"
	cat "$2"
	return 1
}

compiles() {
	"$sluice" cc -O2 add.cu -o add && "$sluice" cc -O2 clock.cu -o clock && "$sluice" cc -O2 managed.cu -o managed
}
claim "programs compile" compiles

# ---- recording ---------------------------------------------------------------------------------------------

records() {
	exits 0 "$sluice" record ./add 500 -o add.sluice || return 1
	[ "$(cat out)" = "first 1 last 1" ] && says 'to stderr' err && says '1 launches' err || return 1
	"$sluice" trace info add.sluice >info && grep -q add_one info && runs_are 1
}
claim "record runs the program, passes on what it prints, and writes its trace" records

records_once() {
	exits 0 "$sluice" record ./add 500 -o again.sluice && cmp add.sluice again.sluice &&
		[ "$(cat out)" = "first 1 last 1" ] && says 'recorded before' err && runs_are 1
}
claim "the same program with the same words is not run twice" records_once

again_runs() {
	exits 0 "$sluice" record --again ./add 500 -o again.sluice && cmp add.sluice again.sluice && runs_are 2
}
claim "--again runs it, and its trace is the same" again_runs

other_words() {
	exits 0 "$sluice" record ./add 600 -o other.sluice && runs_are 3 && ! cmp -s add.sluice other.sluice
}
claim "other words are another recording" other_words

# Managed variables and registered memory lie where the loader and malloc put them, which is elsewhere each time.
host_memory_is_placed() {
	exits 0 "$sluice" record ./managed -o managed1.sluice && [ "$(cat out)" = "41 1" ] && says '2 launches' err &&
		exits 0 "$sluice" record --again ./managed -o managed2.sluice && cmp managed1.sluice managed2.sluice
}
claim "where the host puts its memory does not show in a trace; a kernel's launch is a launch" host_memory_is_placed

# ---- running -----------------------------------------------------------------------------------------------

run_is_complete() {
	exits 0 "$sluice" run ./add 500 --json first.json || return 1
	[ "$(head -n 1 out)" = "first 1 last 1" ] && sed -n 2p out >line && says '---- sluice' line &&
		says 'add on h200 under gto' out && says 'to stderr' err && runs_are 3
}
claim "run shows what the program printed, then the summary" run_is_complete

run_is_repeated() {
	exits 0 "$sluice" run ./add 500 --json second.json && cmp first.json second.json && cp out first.out &&
		exits 0 "$sluice" run ./add 500 && cmp out first.out && runs_are 3
}
claim "a second run executes nothing and gives the same JSON and output, byte for byte" run_is_repeated

options_stand_anywhere() {
	exits 0 "$sluice" run --policy lrr ./add --machine h200 500 --json - || return 1
	cp out mixed.json
	exits 0 "$sluice" run --policy lrr --machine h200 --json - -- ./add 500 && cmp out mixed.json &&
		says '"policy": "lrr"' out && says 'first 1 last 1' err
}
claim "our options stand before or behind the program; -- ends them" options_stand_anywhere

words_after_dashes() {
	exits 0 "$sluice" run ./add 500 -- 0 --threads && says 'first 1' out
}
claim "words behind -- are the program's even if they look like ours" words_after_dashes

machines_differ() {
	before=$(times_run)
	exits 0 "$sluice" run ./add 500 --machine gtx480-ciao && runs_are $((before + 1))
}
claim "another machine is another recording: a program may ask for its properties" machines_differ

input_changes() {
	echo 41 >input
	exits 0 "$sluice" run ./add 700 && says 'first 42' out || return 1
	before=$(times_run)
	exits 0 "$sluice" run ./add 700 && says 'first 42' out && runs_are "$before" || return 1
	echo 10 >input
	exits 0 "$sluice" run ./add 700 && says 'first 11' out && runs_are $((before + 1))
	rc=$?
	rm -f input
	return $rc
}
claim "a changed input file is noticed" input_changes

# Answers with what it is asked to look at.
cat >asks.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
__global__ void nothing(void) {}
int main(int argc, char **argv)
{
	const char *what = argv[1], *answer = "";
	char line[100] = "";
	struct stat st;
	FILE *log = fopen("log", "a");
	fputs("ran\n", log);
	fclose(log);
	if (!strcmp(what, "variable"))
		answer = getenv("WHAT") ? getenv("WHAT") : "unset";
	else if (!strcmp(what, "absent"))
		answer = fopen("maybe", "r") ? "there" : "not there";
	else if (!strcmp(what, "access"))
		answer = access("maybe", R_OK) ? "not there" : "there";
	else if (!strcmp(what, "stat"))
		sprintf(line, "%d bytes", stat("maybe", &st) ? -1 : (int)st.st_size);
	else if (!strcmp(what, "folder")) {
		int count = 0;
		DIR *dir = opendir("folder");
		while (readdir(dir))
			count++;
		sprintf(line, "%d entries", count - 2);
	} else if (!strcmp(what, "popen")) {
		FILE *pipe = popen("cat maybe 2>/dev/null || echo none", "r");
		if (fgets(line, sizeof line, pipe))
			line[strcspn(line, "\n")] = 0;
		pclose(pipe);
	}
	printf("answer: %s%s\n", answer, line);
	nothing<<<1, 32>>>();
	return 0;
}
END
# answers WORDS WHAT RUNS: what it says, and how often it ran for that.
answers() {
	before=$(times_run)
	exits 0 "$sluice" record ./asks "$2" -o asks.sluice && says "^answer: $1$" out && runs_are $((before + $3))
}
variables() {
	"$sluice" cc -O1 asks.cu -o asks || return 1
	unset WHAT
	answers unset variable 1 && answers unset variable 0 || return 1
	WHAT=2 && export WHAT && answers 2 variable 1 && answers 2 variable 0 || return 1
	WHAT=5 && answers 5 variable 1 && answers 5 variable 0
}
claim "a variable that the program reads is part of the recording" variables
files_that_come() {
	rm -f maybe && answers 'not there' absent 1 && answers 'not there' absent 0 && answers 'not there' access 1 &&
		answers '-1 bytes' stat 1 && answers none popen 1 && answers none popen 1 || return 1
	echo new >maybe && answers there absent 1 && answers there access 1 && answers '4 bytes' stat 1 &&
		answers '4 bytes' stat 0 && answers new popen 1 || return 1
	echo longer >maybe && answers '7 bytes' stat 1 && answers longer popen 1
}
claim "so is a file that it looks for, and what a shell command says is asked anew" files_that_come
folders() {
	mkdir -p folder && answers '0 entries' folder 1 && answers '0 entries' folder 0 && : >folder/x &&
		answers '1 entries' folder 1 && answers '1 entries' folder 0
}
claim "so is what a folder holds" folders

damaged_entry() {
	before=$(times_run)
	for entry in "$SLUICE_CACHE_DIR"/programs/add-*/trace.sluice; do
		echo damaged >"$entry"
	done
	exits 0 "$sluice" run ./add 500 --json damaged.json && cmp damaged.json first.json && runs_are $((before + 1))
}
claim "a damaged entry of the cache is made again" damaged_entry

source_is_compiled() {
	exits 0 "$sluice" run add.cu 300 || return 1
	says 'first 1' out && says 'add.cu on h200' out || return 1
	before=$(times_run)
	exits 0 "$sluice" run add.cu 300 && runs_are "$before" || return 1
	echo '#define ONE 5' >one.h
	exits 0 "$sluice" run add.cu 300 && says 'first 5' out && runs_are $((before + 1))
	rc=$?
	echo '#define ONE 1' >one.h
	return $rc
}
claim "a .cu file is compiled first, and again when a header of it changes" source_is_compiled

# ---- times -------------------------------------------------------------------------------------------------

times_are_simulated() {
	rm -f log
	exits 0 "$sluice" run ./clock || return 1
	grep -Eq '^took 0\.00[0-9]*[1-9][0-9]* ms$' out || { cat out && return 1; }
	cp out clock.out
	before=$(times_run)
	exits 0 "$sluice" run ./clock && cmp out clock.out && runs_are "$before" || return 1
	exits 0 "$sluice" run ./clock --set clock.core_mhz=100 && ! cmp -s out clock.out
}
claim "events show simulated time; the second run executes nothing" times_are_simulated

times_are_not_simulated() {
	exits 0 "$sluice" record ./clock -o clock.sluice && says '^took' out || return 1
	exits 0 "$sluice" run ./clock --max-insns 1 && says '^took' out || return 1
	exits 0 "$sluice" compare ./clock --policy gto && says 'reads kernel times' err || return 1
	exits 0 "$sluice" tune ./clock --param swl.n=1..2 && says 'reads kernel times' err
}
claim "a trace, a run that is cut short and several runs show what the program printed, or say that they cannot" times_are_not_simulated
claim "a trace that cannot be written" refuses 'cannot write /dev/full' "$sluice" record ./clock -o /dev/full

# ---- programs that fail ------------------------------------------------------------------------------------

failure_is_passed_on() {
	exits 4 "$sluice" run ./add 500 7 --json fails.json || return 1
	says 'ended with status 7' out && says '"exit_status": 7' fails.json && grep -q add_one out &&
		exits 4 "$sluice" run ./add 500 7 && exits 4 "$sluice" record ./add 500 7 -o x.sluice && [ -s x.sluice ]
}
claim "a program that fails is simulated all the same; exit status 4" failure_is_passed_on

signal_is_reported() {
	refuses 'signal 6' "$sluice" run ./add 500 0 abort && says 'to stderr' err
}
claim "a program that is killed is reported, with what it printed" signal_is_reported

cat >plain.c <<'END'
#include <stdio.h>
int main(void) { puts("plain"); return 0; }
END
cc -o plain plain.c
claim "a program that launches nothing" refuses 'no kernel was launched' "$sluice" run ./add 500 0 idle
claim "a program of another compiler" refuses "was it compiled with 'sluice cc'?" "$sluice" run ./plain
claim "a program of another compiler, named as a program" refuses 'was not recorded' "$sluice" run --program ./plain
claim "a folder" refuses 'not a program' "$sluice" record . -o x.sluice
claim "an output in a folder that is not there" refuses 'cannot write' "$sluice" record ./add 500 -o nowhere/x.sluice
claim "an unknown option before the program" refuses "did you mean '--machine'" "$sluice" record --mashine h200 ./add -o x
claim "an unknown machine" refuses 'h300' "$sluice" run ./add --machine h300
not_executable() {
	cp add add.copy && chmod -x add.copy && refuses 'not executable' "$sluice" run ./add.copy
}
claim "a program that may not be executed" not_executable
source_error() {
	echo 'int main(' >broken.cu && refuses 'does not compile' "$sluice" run broken.cu
}
claim "a .cu file that does not compile" source_error

claim "no temporary file stays in the cache" nothing_is_left

finish
