/* bench/python: many tiny runs from C; loop.py does the same from Python. */
#include <inttypes.h>
#include <sluice/sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct sluice_error error;
	if (argc != 3)
		return 2;
	int count = atoi(argv[2]);
	struct sluice_trace *trace = sluice_trace_open(argv[1], NULL, 0, NULL, &error);
	struct sluice_machine *machine = trace ? sluice_machine_open("gtx480-ciao", NULL, 0, &error) : NULL;
	if (!machine) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	const struct sluice_run_options options = {.size = sizeof options, .policy = "gto"};
	struct timespec start, end;
	uint64_t cycles = 0;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; i < count; i++) {
		struct sluice_result *result = sluice_run(trace, machine, &options, &error);
		cycles += sluice_result_counter(result, SLUICE_TOTAL, "cycles");
		sluice_result_free(result);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.6f %" PRIu64 "\n",
	       (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), cycles);
	sluice_machine_close(machine);
	sluice_trace_close(trace);
	return 0;
}
