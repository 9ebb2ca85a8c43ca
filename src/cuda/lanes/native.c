/* Finding native functions by name. They are in native_*.c, by kind. */
#include <string.h>

#include "cuda/lanes/native.h"

const struct native_function *native_find(const char *name)
{
	static const struct native_table *const tables[] = {&native_floats, &native_doubles, &native_integers,
	                                                    &native_conversions, &native_rounded};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (size_t i = 0; i < tables[t]->count; i++)
			if (!strcmp(tables[t]->functions[i].name, name))
				return &tables[t]->functions[i];
	return NULL;
}
