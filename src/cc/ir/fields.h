/* The pieces in which a copy of a structure is made: cc/ir/copies.c writes them, cc/ir/fields.c chooses them. */
#ifndef SLUICE_CC_IR_FIELDS_H
#define SLUICE_CC_IR_FIELDS_H

#include "cc/ir/copies.h"
#include "cc/ir/text.h"

/* FIELD_BYTES: an array or union, of which clang says no more than its size. */
enum ir_field_kind { FIELD_INT, FIELD_FLOAT, FIELD_POINTER, FIELD_BYTES };

/* A field, or several of one type that are loaded at once (`lanes`). */
struct ir_field {
	unsigned offset, size; /* size of one lane */
	unsigned lanes;
	enum ir_field_kind kind;
};

struct ir_fields {
	struct ir_field field[IR_COPY_MAX_BYTES];
	unsigned count;
};

/* What is copied. */
struct ir_extent {
	unsigned size, align;
	int fields;           /* the node of !tbaa.struct, or IR_NONE */
	bool has_wide_arrays; /* of 8-byte elements; else those of arrays are taken for words */
	/* Arrays or unions may hold pointers, which must not be copied as numbers: their address space would be lost. */
	bool hides_pointers;
};

/* The pieces in which it is copied. False: better left alone. */
bool ir_fields_choose(struct ir_fields *pieces, const struct ir_metadata *metadata,
                      const struct ir_extent *extent);
/* How an address at `offset` is aligned if the first one is to `align`. */
unsigned ir_align_at(unsigned align, unsigned offset);

#endif
