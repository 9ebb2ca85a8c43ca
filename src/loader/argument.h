/*
 * Arguments of a kernel, as words: TYPE:VALUE, int:VALUE and float:VALUE (as wide as the parameter), null, buffer:TYPE[COUNT][=INIT], and
 * tensor:TYPE[ROWSxCOLUMNS]/BOX_ROWSxBOX_COLUMNS[/SWIZZLE][=INIT] for a tensor map (up to five dimensions, the innermost
 * last; a swizzle of none, 32, 64 or 128 bytes, by default that of the box's rows).
 */
#ifndef SLUICE_LOADER_ARGUMENT_H
#define SLUICE_LOADER_ARGUMENT_H

#include <cuda.h>

#include "loader/values.h"

enum { DIMENSIONS_MAX = 5 };

struct argument {
	const struct value_type *type; /* NULL: null */
	uint64_t count;                /* of a buffer; 0: a value */
	uint64_t bytes;
	bool is_open;        /* a number that takes the width of its parameter */
	double number;       /* of an open float */
	uint8_t *host;       /* of a buffer */
	CUdeviceptr address; /* of a buffer */
	uint32_t rank;       /* of a tensor; 0: none */
	uint64_t size[DIMENSIONS_MAX];
	uint32_t box[DIMENSIONS_MAX];
	const char *swizzle;
	/* What the kernel gets: a value, an address, a tensor map; zeros behind it. */
	_Alignas(64) uint8_t block[128];
};

/* Read one word, which is changed, and fill the host's side of a buffer. False: problem says why. */
bool argument_read(struct argument *a, char *word, char problem[PROBLEM_SIZE]);
/* Give a number without a width that of its parameter; return how many bytes of a parameter the argument takes. */
uint64_t argument_fit(struct argument *a, uint64_t parameter_bytes);
/* Make the device's side and the block. */
CUresult argument_place(struct argument *a);

#endif
