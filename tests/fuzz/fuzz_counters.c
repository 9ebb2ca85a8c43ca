/* Any bytes as a table of hardware counters: an error with its place, or rows that can be found. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/validate/hardware.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hardware hardware;
	struct error err = {""};
	char *text = memory_grow(NULL, size + 1, 1);
	memcpy(text, data, size);
	if (!hardware_parse(&hardware, "fuzz.tsv", text, size, &err)) {
		if (strncmp(err.text, "fuzz.tsv:", 9) || strpbrk(err.text, "\r\x1b"))
			abort();
		return 0;
	}
	for (size_t i = 0; i < hardware.count; i++)
		if (hardware_find(&hardware, hardware.row[i].program, hardware.row[i].launch) !=
		    &hardware.row[i])
			abort();
	hardware_free(&hardware);
	return 0;
}
