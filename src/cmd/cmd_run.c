#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>

#include "gpu/gpu.h"
#include "trace/cache.h"

int cmd_run(int argc, char **argv)
{
	struct error err = {{0}};
	const char *mname = "h200", *pname = "gto", *path = NULL;
	unsigned threads = 1, q = 0;
	int kernel = -1, cold = 0;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--machine")) mname = argv[++i];
		else if (!strcmp(argv[i], "--policy")) pname = argv[++i];
		else if (!strcmp(argv[i], "--threads")) threads = (unsigned)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--quantum")) q = (unsigned)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--kernel")) kernel = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--cold")) cold = 1;
		else path = argv[i];
	}
	struct machine *m = machine_load(mname, &err);
	if (!m) { fprintf(stderr, "%s\n", err.text); return 2; }
	struct chain *chain = chain_new(pname, m, &err);
	if (!chain) { fprintf(stderr, "%s\n", err.text); return 2; }
	struct trace *t = trace_open_any(path, NULL, NULL, &err);
	if (!t) { fprintf(stderr, "%s\n", err.text); return 2; }
	struct gpu *g = gpu_new(m, chain, threads, q, &err);
	if (!g) { fprintf(stderr, "%s\n", err.text); return 2; }
	for (unsigned k = 0; k < trace_kernel_count(t); k++) {
		if (kernel >= 0 && k != (unsigned)kernel) continue;
		struct launch_options o = {.flush_l2 = cold};
		struct launch_result r;
		struct timespec a, b;
		clock_gettime(CLOCK_MONOTONIC, &a);
		if (!gpu_run(g, t, k, &o, &r, &err)) { fprintf(stderr, "%s\n", err.text); return 2; }
		clock_gettime(CLOCK_MONOTONIC, &b);
		double s = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
		printf("kernel %u %s status %d %.3fs %.2f M/s\n", k, trace_kernel_at(t, k)->name, r.status, s, (double)r.counters.value[COUNT_warp_insns] / s * 1e-6);
		for (int c = 0; c < COUNTER_COUNT; c++) if (r.counters.value[c]) printf("  %s %llu\n", counter_infos[c].name, (unsigned long long)r.counters.value[c]);
		if (r.report) puts(r.report);
	}
	return 0;
}
