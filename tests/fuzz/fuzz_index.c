/* Any bytes as an index of workloads: an error with its place, or workloads that can be found. */
#include <stdlib.h>
#include <string.h>

#include "workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct workloads workloads;
	struct error err = {""};
	if (!workloads_parse(&workloads, "fuzz.yaml", (const char *)data, size, &err)) {
		if (!err.text[0] || strpbrk(err.text, "\r\x1b"))
			abort();
		return 0;
	}
	for (size_t i = 0; i < workloads.count; i++)
		if (workloads_find(&workloads, workloads.list[i].name) != &workloads.list[i])
			abort();
	workloads_free(&workloads);
	return 0;
}
