/* Types of numbers, as the command line names them, and how buffers are filled. */
#ifndef SLUICE_LOADER_VALUES_H
#define SLUICE_LOADER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_SIGNED, VALUE_UNSIGNED, VALUE_FLOAT };

struct value_type {
	const char *name;
	uint8_t kind; /* enum value_kind */
	uint8_t bytes;
	uint8_t exponent_bits, fraction_bits; /* of a float */
	uint8_t map_type;                     /* CUtensorMapDataType */
};

/* NULL: there is no such type. */
const struct value_type *value_type_find(const char *name, size_t length);
/* Write a number as a value of the type: rounded to nearest, too large ones infinite, integers cut off. */
void value_write(const struct value_type *type, double number, void *to);
/* Read the text of a number; false: it is none, or does not fit. */
bool value_read(const struct value_type *type, const char *text, void *to);
/* Print a value so that it can be read again. */
void value_print(const struct value_type *type, const void *from);

/*
 * Fill with `count` values: "zero", "ramp" (0, 1, 2 ...), "random", "random:SEED", "random:SEED:SCALE", "list:A:B:..." (zeros
 * behind the last), or "@FILE", whose bytes are taken as they are. Random floats are multiples of 1/128 in -1 to 1, times the scale, integers have eight
 * bits; they depend on the seed and the place alone. False: `problem` says why.
 */
enum { PROBLEM_SIZE = 400 };
bool values_fill(const struct value_type *type, uint64_t count, const char *init, void *to,
                 char problem[PROBLEM_SIZE]);

#endif
