/*
 * How nvcc takes a structure apart: field by field, four or two neighbours at
 * once where their alignment allows it. The fields are those of !tbaa.struct:
 * triples of offset, size and tag; the bytes between them are padding, which
 * need not be copied. Pointers stay pointers, since the address space of what
 * they point to is inferred from where they come from.
 */
#include "cc/ir/fields.h"

#include <string.h>

unsigned ir_align_at(unsigned align, unsigned offset)
{
	while (offset % align)
		align /= 2;
	return align;
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

/* tag = "!{" "!" TYPE "," ...; TYPE = "!{!" '"' NAME '"' ... */
static const char *find_type_name(const struct ir_metadata *metadata, int tag)
{
	const char *at = ir_metadata_find(metadata, tag);
	unsigned type;
	if (!at || !ir_take(&at, "!{!") || !ir_take_number(&at, &type))
		return "";
	at = ir_metadata_find(metadata, (int)type);
	return at && ir_take(&at, "!{!\"") ? at : "";
}

static enum ir_field_kind kind_of(const char *type, unsigned size)
{
	bool is_scalar = size == 1 || size == 2 || size == 4 || size == 8;
	if (!is_scalar || (size > 1 && (!*type || ir_begins(type, "omnipotent char\""))))
		return FIELD_BYTES;
	if (size == 8 && (ir_begins(type, "any pointer\"") || ir_begins(type, "vtable pointer\"")))
		return FIELD_POINTER;
	if ((size == 4 && ir_begins(type, "float\"")) || (size == 8 && ir_begins(type, "double\"")))
		return FIELD_FLOAT;
	return FIELD_INT;
}

/* node = "!{" field {"," field} "}"; field = "i64" OFFSET "," "i64" SIZE "," "!" TAG; in order, without overlap. */
static bool read_fields(struct ir_fields *fields, const struct ir_metadata *metadata, int node, unsigned size)
{
	const char *at = ir_metadata_find(metadata, node);
	unsigned behind = 0;
	if (!at || !ir_take(&at, "!{"))
		return false;
	do {
		unsigned offset, bytes, tag;
		if (fields->count == IR_COPY_MAX_BYTES || !ir_take(&at, "i64 ") ||
		    !ir_take_number(&at, &offset) || !ir_take(&at, ", i64 ") ||
		    !ir_take_number(&at, &bytes) || !ir_take(&at, ", !") || !ir_take_number(&at, &tag))
			return false;
		if (offset < behind || !bytes || offset + bytes > size)
			return false;
		behind = offset + bytes;
		fields->field[fields->count++] =
		    (struct ir_field){offset, bytes, 1, kind_of(find_type_name(metadata, (int)tag), bytes)};
	} while (ir_take(&at, ", "));
	return *at == '}';
}

/* ---- pieces ------------------------------------------------------------------------------------------------- */

/* Arrays and unions become words, or what their alignment and size allow. */
static bool divide_bytes(struct ir_fields *to, struct ir_field from, unsigned widest, unsigned align)
{
	for (unsigned done = 0; done < from.size;) {
		unsigned piece = ir_align_at(align, from.offset + done);
		piece = piece < widest ? piece : widest;
		while (piece > from.size - done)
			piece /= 2;
		if (to->count == IR_COPY_MAX_BYTES)
			return false;
		to->field[to->count++] = (struct ir_field){from.offset + done, piece, 1, FIELD_INT};
		done += piece;
	}
	return true;
}

static bool divide_fields(struct ir_fields *to, const struct ir_fields *from, const struct ir_extent *extent)
{
	for (unsigned i = 0; i < from->count; i++) {
		struct ir_field field = from->field[i];
		unsigned align = ir_align_at(extent->align, field.offset);
		if (field.kind != FIELD_BYTES) {
			if (align < field.size || to->count == IR_COPY_MAX_BYTES)
				return false; /* packed */
			to->field[to->count++] = field;
			continue;
		}
		bool may_hide = extent->hides_pointers && field.size >= 8 && align >= 8;
		unsigned widest = field.size == 8 || extent->has_wide_arrays ? 8 : 4;
		if (may_hide || !divide_bytes(to, field, widest, extent->align))
			return false;
	}
	return true;
}

/* How many bytes and halves from `first` on fill a word; 0: they do not, or are alike, which makes a vector. */
static unsigned fill_word(const struct ir_fields *fields, unsigned first)
{
	unsigned offset = fields->field[first].offset, filled = 0, i = first;
	bool are_alike = true;
	while (i < fields->count && filled < 4 && fields->field[i].size < 4 &&
	       fields->field[i].offset == offset + filled) {
		are_alike &= fields->field[i].size == fields->field[first].size;
		filled += fields->field[i++].size;
	}
	return filled == 4 && !are_alike ? i - first : 0;
}

/* Bytes and halves that fill an aligned word together become that word. */
static void join_words(struct ir_fields *fields, unsigned align)
{
	unsigned count = 0;
	for (unsigned i = 0; i < fields->count;) {
		struct ir_field field = fields->field[i];
		unsigned parts = ir_align_at(align, field.offset) >= 4 ? fill_word(fields, i) : 0;
		if (parts)
			field.size = 4;
		fields->field[count++] = field;
		i += parts ? parts : 1;
	}
	fields->count = count;
}

/* Whether `lanes` fields from `first` on can be one vector: neighbours of one size, no pointers. */
static bool make_vector(const struct ir_fields *fields, unsigned first, unsigned lanes, unsigned align)
{
	const struct ir_field *field = &fields->field[first];
	unsigned size = field->size;
	if (first + lanes > fields->count || ir_align_at(align, field->offset) < size * lanes)
		return false;
	for (unsigned k = 0; k < lanes; k++)
		if (field[k].size != size || field[k].offset != field->offset + k * size ||
		    field[k].kind == FIELD_POINTER)
			return false;
	return true;
}

static unsigned count_lanes(const struct ir_fields *fields, unsigned first, unsigned align)
{
	unsigned size = fields->field[first].size;
	if (size <= 4 && make_vector(fields, first, 4, align))
		return 4;
	return make_vector(fields, first, 2, align) ? 2 : 1;
}

static void join_vectors(struct ir_fields *fields, unsigned align)
{
	unsigned count = 0;
	for (unsigned i = 0; i < fields->count;) {
		struct ir_field field = fields->field[i];
		field.lanes = count_lanes(fields, i, align);
		for (unsigned k = 1; k < field.lanes; k++)
			if (fields->field[i + k].kind != field.kind)
				field.kind = FIELD_INT;
		i += field.lanes;
		fields->field[count++] = field;
	}
	fields->count = count;
}

bool ir_fields_choose(struct ir_fields *pieces, const struct ir_metadata *metadata,
                      const struct ir_extent *extent)
{
	struct ir_fields fields = {.count = 0};
	if (!read_fields(&fields, metadata, extent->fields, extent->size)) {
		if (extent->align < 4)
			return false; /* nothing is known about it */
		fields.field[0] = (struct ir_field){0, extent->size, 1, FIELD_BYTES};
		fields.count = 1;
	}
	pieces->count = 0;
	if (!divide_fields(pieces, &fields, extent))
		return false;
	join_words(pieces, extent->align);
	join_vectors(pieces, extent->align);
	return true;
}
