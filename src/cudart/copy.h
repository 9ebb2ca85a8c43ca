/* Copies: one checked rectangle of rows and slices for all of cudaMemcpy*, cudaMemset*. */
#ifndef SLUICE_CUDART_COPY_H
#define SLUICE_CUDART_COPY_H

#include "cudart/state.h"

/* One side of a copy: rows of bytes, `pitch` apart, in slices `slice` apart. */
struct copy_side {
	uint64_t address;
	size_t pitch, slice;
	bool is_device;           /* must lie within one device allocation */
	enum cudaMemcpyKind kind; /* of where a copy goes: as the caller gave it */
};

struct copy_box {
	size_t width, height, depth; /* bytes, rows, slices */
};

/* The same for plain memory. */
struct copy_side copy_linear(const void *pointer, bool is_device);
/* Which sides of a copy of this kind are on the device. False: no such kind. */
bool copy_kind(const struct runtime *rt, enum cudaMemcpyKind kind, const void *to, const void *from,
               bool *to_device, bool *from_device);
/* Copies, or adds a node if the call's stream is being captured. So does copy_fill(). */
cudaError_t copy_box(struct runtime *rt, struct copy_side to, struct copy_side from, struct copy_box box);
/* What memory is filled with: elements of 1, 2 or 4 bytes. */
struct copy_value {
	uint32_t value, bytes;
};
cudaError_t copy_fill(struct runtime *rt, struct copy_side to, struct copy_value value, struct copy_box box);
/* What both check first: 0 if the side lies where it must. */
cudaError_t copy_check(const struct runtime *rt, struct copy_side side, struct copy_box box);

#endif
