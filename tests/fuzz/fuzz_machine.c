/* Any bytes as a machine file: an error or a machine that is right in every respect, never a crash. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/catalog.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {""};
	struct machine *m = machine_load_text("fuzz.yaml", (const char *)data, size, &err);
	if (!m) {
		/* Each refusal says why, in one line. */
		if (!err.text[0] || strpbrk(err.text, "\n\r\x1b"))
			abort();
		return 0;
	}
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	for (size_t i = 0; i < count; i++) {
		char text[64];
		machine_format_value(m, &keys[i], text, sizeof text);
		if (!machine_origin(m, keys[i].section, keys[i].key) || !text[0])
			abort();
	}
	machine_warn(m, &err, 1);
	machine_free(m);
	return 0;
}
