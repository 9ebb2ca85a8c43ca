/*
 * Notes every function that a program enters: compiled with -finstrument-functions, it writes "OFFSET COUNT" for each into
 * the file that ENTERED names, where OFFSET counts from the beginning of the executable. For scripts/check-walk.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define UNSEEN __attribute__((no_instrument_function))

enum { SLOTS = 1 << 15 };

static struct {
	uintptr_t function;
	uint64_t count;
} table[SLOTS];

extern const char __executable_start;

void __cyg_profile_func_enter(void *function, void *caller) UNSEEN;
void __cyg_profile_func_exit(void *function, void *caller) UNSEEN;

void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	uintptr_t address = (uintptr_t)function;
	uint64_t slot = address * UINT64_C(0x9e3779b97f4a7c15) % SLOTS;
	while (table[slot].function && table[slot].function != address)
		slot = (slot + 1) % SLOTS;
	table[slot].function = address;
	table[slot].count++;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function, (void)caller;
}

static void UNSEEN __attribute__((destructor)) write_table(void)
{
	const char *path = getenv("ENTERED");
	FILE *out = path ? fopen(path, "w") : NULL;
	if (!out)
		return;
	for (int i = 0; i < SLOTS; i++)
		if (table[i].function)
			fprintf(out, "%jx %ju\n",
			        (uintmax_t)(table[i].function - (uintptr_t)&__executable_start),
			        (uintmax_t)table[i].count);
	fclose(out);
}
