/*
 * bench-functional FILE.ptx TRACE [KERNEL]: how fast kernels run functionally,
 * how fast when they are recorded into TRACE, and how big that gets. With "-"
 * as TRACE, every kernel is launched once, for tools that count host
 * instructions; the lines are its name and its warp instructions alone.
 *
 * Prints one line per kernel: name, warp instructions, million per second
 * plain and recorded (the trace finished, best of TRIES turns), their ratio,
 * bytes per warp instruction and, where matrices are multiplied, million
 * mma.sync per second, the loop around them included.
 *
 * Recording has a second thread, which compresses. Seconds are processor time
 * of the busier of the two: what they take on a host with two idle cores, and
 * the same on a busy one, where the wall clock would count who else runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cuda/executor/exec.h"

enum { N = 1 << 18, MATRIX = 256, TRIES = 7 };

struct bench {
	struct device_memory *memory;
	struct exec *exec;
	struct loaded_module *module;
	uint64_t x, y, z; /* buffers of N elements */
	const char *trace;
};

static void die(const char *what, const struct error *err)
{
	fprintf(stderr, "bench-functional: %s: %s\n", what, err->text);
	exit(1);
}

static double seconds_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *read_text(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	if (!f || fstat(fileno(f), &st)) {
		perror(path);
		exit(1);
	}
	char *text = calloc(1, (size_t)st.st_size + 1);
	*bytes = fread(text, 1, (size_t)st.st_size, f);
	fclose(f);
	return text;
}

static void open_bench(struct bench *b, const char *path)
{
	struct error err;
	struct exec_options o = {.warp_size = 32,
	                         .sm_count = 132,
	                         .ctas_per_sm = 16,
	                         .spin_budget = 100000000,
	                         .stack_bytes = 65536,
	                         .heap_bytes = 1 << 20};
	size_t bytes;
	char *text = read_text(path, &bytes);
	b->memory = device_memory_new(UINT64_C(1) << 30, &err);
	if (!b->memory || !(b->exec = exec_new(b->memory, &o, &err)))
		die("executor", &err);
	struct ptx_module *ptx = ptx_parse(path, text, bytes, &err);
	if (!ptx || !ptx_analyze(ptx, true, &err) || !(b->module = exec_load(b->exec, ptx, &err)))
		die(path, &err);
	free(text);
}

static void fill(struct bench *b)
{
	uint64_t *const buffer[3] = {&b->x, &b->y, &b->z};
	uint64_t state = 1;
	for (unsigned k = 0; k < 3; k++) {
		int *at = device_host(*buffer[k] = device_memory_allocate(b->memory, N * sizeof *at));
		for (unsigned i = 0; i < N; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			at[i] = (int)(state >> 33) & (k ? 63 : N - 1);
		}
	}
}

struct kernel {
	const char *name;
	struct trace_dim grid, block;
	int n;
	unsigned repeat;
	bool has_products; /* every warp multiplies matrices n times */
};

static const struct kernel kernels[] = {
    {"saxpy", {64, 1, 1}, {256, 1, 1}, N, 40, false},
    {"gemm", {MATRIX / 32, MATRIX / 8, 1}, {32, 8, 1}, MATRIX, 2, false},
    {"gemm_tiled", {MATRIX / 16, MATRIX / 16, 1}, {16, 16, 1}, MATRIX, 2, false},
    {"walk", {N / 256, 1, 1}, {256, 1, 1}, N, 1, false},
    {"gather", {N / 256, 1, 1}, {256, 1, 1}, N, 2, false},
    {"histogram", {64, 1, 1}, {256, 1, 1}, N, 60, false},
    {"tensor", {16, 1, 1}, {128, 1, 1}, 2000, 1, true},
};

/* mma.sync of all launches. */
static double products(const struct kernel *k)
{
	return (double)k->repeat * k->n * k->grid.x * k->block.x / 32;
}

static enum exec_status launch(struct bench *b, const struct kernel *k, struct recorder *recorder,
                               struct error *err)
{
	int n = k->n;
	float a = 0.5f;
	void *args[4] = {&n, &b->x, &b->y, &b->z};
	if (!strcmp(k->name, "saxpy"))
		memcpy(args, (void *[]){&n, &a, &b->y, &b->z}, sizeof args);
	struct exec_launch l = {.module = b->module,
	                        .entry = ptx_find_function(b->module->ptx, k->name),
	                        .grid = k->grid,
	                        .block = k->block,
	                        .args = args,
	                        .recorder = recorder};
	return exec_run(b->exec, &l, err);
}

/* Seconds of the kernel's launches, recorded if there is a path. */
static double time_launches(struct bench *b, const struct kernel *k, const char *trace)
{
	struct error err;
	struct recorder *recorder = NULL;
	double start = seconds_of(CLOCK_THREAD_CPUTIME_ID), all = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	if (trace && !(recorder = recorder_new(trace, &err)))
		die(trace, &err);
	for (unsigned i = 0; i < k->repeat; i++)
		if (launch(b, k, recorder, &err) != EXEC_DONE)
			die(k->name, &err);
	if (recorder && !recorder_finish(recorder, &err))
		die(trace, &err);
	start = seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
	all = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all;
	return start > all - start ? start : all - start;
}

/* Plain and recorded take turns, so that a busy host disturbs both alike. */
static void measure(struct bench *b, const struct kernel *k)
{
	struct stat st;
	double plain = 1e9, recorded = 1e9;
	uint64_t before = exec_totals(b->exec).warp_insns;
	for (int i = 0; i < TRIES; i++) {
		double seconds = time_launches(b, k, NULL);
		plain = seconds < plain ? seconds : plain;
		seconds = time_launches(b, k, b->trace);
		recorded = seconds < recorded ? seconds : recorded;
	}
	double insns = (double)(exec_totals(b->exec).warp_insns - before) / (2 * TRIES);
	double bytes = stat(b->trace, &st) ? 0 : (double)st.st_size;
	printf("%-12s %10.0f %10.2f %10.2f %8.2f %8.3f", k->name, insns, insns / plain / 1e6,
	       insns / recorded / 1e6, recorded / plain, bytes / insns);
	if (k->has_products)
		printf(" %8.2f", products(k) / plain / 1e6);
	putchar('\n');
}

static void launch_once(struct bench *b, const struct kernel *k)
{
	struct error err;
	uint64_t before = exec_totals(b->exec).warp_insns;
	if (launch(b, k, NULL, &err) != EXEC_DONE)
		die(k->name, &err);
	printf("%-12s %10llu\n", k->name, (unsigned long long)(exec_totals(b->exec).warp_insns - before));
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: bench-functional FILE.ptx TRACE [KERNEL]\n");
		return 2;
	}
	struct bench b = {.trace = argv[2]};
	bool is_counted = !strcmp(b.trace, "-");
	open_bench(&b, argv[1]);
	if (!is_counted)
		printf("%-12s %10s %10s %10s %8s %8s %8s\n", "kernel", "warp insns", "plain M/s",
		       "record M/s", "ratio", "bytes", "mma M/s");
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		if (argc > 3 && strcmp(argv[3], kernels[i].name))
			continue;
		fill(&b);
		if (is_counted)
			launch_once(&b, &kernels[i]);
		else
			measure(&b, &kernels[i]);
	}
	exec_unload(b.exec, b.module);
	exec_free(b.exec);
	device_memory_free_all(b.memory);
	return 0;
}
