/*
 * bench-functional FILE.ptx [TRACE]: how fast kernels run functionally, and,
 * with a TRACE to write, how fast they are recorded and how big that gets.
 * Prints one line per kernel: name, warp instructions, million per second,
 * and with a trace bytes per warp instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cuda/exec.h"

enum { N = 1 << 18, MATRIX = 256 };

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

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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
	if (!ptx || !ptx_analyze(ptx, &err) || !(b->module = exec_load(b->exec, ptx, &err)))
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
};

static const struct kernel kernels[] = {
    {"saxpy", {64, 1, 1}, {256, 1, 1}, N, 40},
    {"gemm", {MATRIX / 32, MATRIX / 8, 1}, {32, 8, 1}, MATRIX, 2},
    {"gemm_tiled", {MATRIX / 16, MATRIX / 16, 1}, {16, 16, 1}, MATRIX, 2},
    {"walk", {N / 256, 1, 1}, {256, 1, 1}, N, 1},
    {"gather", {N / 256, 1, 1}, {256, 1, 1}, N, 2},
    {"histogram", {64, 1, 1}, {256, 1, 1}, N, 10},
};

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

static void measure(struct bench *b, const struct kernel *k)
{
	struct error err;
	struct stat st;
	struct recorder *recorder = NULL;
	if (b->trace && !(recorder = recorder_new(b->trace, &err)))
		die(b->trace, &err);
	uint64_t before = exec_totals(b->exec).warp_insns;
	double start = now();
	for (unsigned i = 0; i < k->repeat; i++)
		if (launch(b, k, recorder, &err) != EXEC_DONE)
			die(k->name, &err);
	double seconds = now() - start;
	double insns = (double)(exec_totals(b->exec).warp_insns - before);
	printf("%-12s %10.0f warp instructions %8.2f million/s", k->name, insns, insns / seconds / 1e6);
	if (recorder && !recorder_finish(recorder, &err))
		die(b->trace, &err);
	if (recorder && !stat(b->trace, &st))
		printf(" %8.3f bytes each", (double)st.st_size / insns);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct bench b = {.trace = argc > 2 ? argv[2] : NULL};
	if (argc < 2) {
		fprintf(stderr, "usage: bench-functional FILE.ptx [TRACE [KERNEL]]\n");
		return 2;
	}
	open_bench(&b, argv[1]);
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		if (argc > 3 && strcmp(argv[3], kernels[i].name))
			continue;
		fill(&b);
		measure(&b, &kernels[i]);
	}
	exec_unload(b.exec, b.module);
	exec_free(b.exec);
	device_memory_free_all(b.memory);
	return 0;
}
