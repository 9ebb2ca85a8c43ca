/* Any text as a chain of policies, without shared objects: an error, or a chain whose own text gives it again. */
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "policy/chain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct machine *machine;
	struct error err = {""};
	if (!machine)
		machine = machine_load("gtx480-ciao", &err);
	/* A file that is a shared object would be loaded, which is trusted and not fuzzed. */
	if (!machine || memchr(data, '/', size) || memchr(data, 0, size) || memmem(data, size, ".so", 3))
		return machine ? 0 : (abort(), 0);
	char *text = strndup((const char *)data, size);
	struct chain *chain = chain_new(text, machine, &err);
	free(text);
	if (!chain) {
		if (!err.text[0] || strpbrk(err.text, "\r\x1b"))
			abort();
		return 0;
	}
	/* What came of the text, read again, is the same chain. */
	struct chain *again = chain_new(chain->text, machine, &err);
	if (!again || again->count != chain->count || strcmp(again->text, chain->text) != 0)
		abort();
	chain_free(again);
	chain_free(chain);
	return 0;
}
