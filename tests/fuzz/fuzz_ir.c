/* Any bytes as a module of LLVM's intermediate code: rewritten or not, it ends, and lines that stay are all there. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/ir/copies.h"
#include "cc/ir/loads.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count(const char *text, const char *word)
{
	size_t found = 0;
	for (; (text = strstr(text, word)); text++)
		found++;
	return found;
}

/* Lines that begin as loads of ours do. */
static size_t count_loads(const char *text)
{
	static const char name[] = "\n  %sluice.";
	size_t found = 0;
	while ((text = strstr(text, name))) {
		text += sizeof name - 1;
		text += strspn(text, "0123456789");
		found += !strncmp(text, " = load ", 8);
	}
	return found;
}

/* A copy becomes as many stores as loads. The first line of a text, which no newline precedes, is not counted. */
static void check_copies(const char *module, const char *rewritten)
{
	static const char store[] = "\n  store ";
	size_t loads = count_loads(rewritten) - count_loads(module);
	size_t stores = count(rewritten, store) - count(module, store);
	if (stores != loads && stores != loads + 1)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *module = memory_zeroed(size + 1, 1);
	memcpy(module, data, size);
	char *copies = ir_rewrite_copies(module), *loads = ir_rewrite_loads(module);
	if (copies)
		check_copies(module, copies);
	if (loads && count(loads, "}") < count(module, "\n}"))
		abort();
	free(copies);
	free(loads);
	free(module);
	return 0;
}
