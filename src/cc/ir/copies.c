/*
 * Copies are made field by field, four or two neighbors at once where their alignment allows it, as nvcc does. The fields
 * are those of !tbaa.struct: triples of offset, size and tag; the bytes between them are padding and are not copied.
 * Pointers stay pointers, since the address space of their target is inferred from their origin.
 */
#include "cc/ir/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cc/ir/text.h"

/* FIELD_BYTES: an array or union, of which clang says no more than its size. */
enum field_kind { FIELD_INT, FIELD_FLOAT, FIELD_POINTER, FIELD_BYTES };

/* A field, or several of one type that are loaded at once (`lanes`). */
struct field {
	unsigned offset, size; /* size of one lane */
	unsigned lanes;
	enum field_kind kind;
};

struct fields {
	struct field field[IR_COPY_MAX_BYTES];
	unsigned count;
};

/* What is copied. */
struct extent {
	unsigned size, align;
	int fields;           /* the node of !tbaa.struct, or IR_NONE */
	bool has_wide_arrays; /* of 8-byte elements; else those of arrays are taken for words */
	/* Arrays or unions may hold pointers, which must not be copied as numbers: their address space would be lost. */
	bool hides_pointers;
};

/* Return the alignment at `offset` from an address that is aligned to `align`. */
static unsigned align_at(unsigned align, unsigned offset)
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

static enum field_kind kind_of(const char *type, unsigned size)
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
static bool read_fields(struct fields *fields, const struct ir_metadata *metadata, int node, unsigned size)
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
		    (struct field){offset, bytes, 1, kind_of(find_type_name(metadata, (int)tag), bytes)};
	} while (ir_take(&at, ", "));
	return *at == '}';
}

/* ---- pieces ------------------------------------------------------------------------------------------------- */

/* Arrays and unions become words, or what their alignment and size allow. */
static bool divide_bytes(struct fields *to, struct field from, unsigned widest, unsigned align)
{
	for (unsigned done = 0; done < from.size;) {
		unsigned piece = align_at(align, from.offset + done);
		piece = piece < widest ? piece : widest;
		while (piece > from.size - done)
			piece /= 2;
		if (to->count == IR_COPY_MAX_BYTES)
			return false;
		to->field[to->count++] = (struct field){from.offset + done, piece, 1, FIELD_INT};
		done += piece;
	}
	return true;
}

static bool divide_fields(struct fields *to, const struct fields *from, const struct extent *extent)
{
	for (unsigned i = 0; i < from->count; i++) {
		struct field field = from->field[i];
		unsigned align = align_at(extent->align, field.offset);
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
static unsigned fill_word(const struct fields *fields, unsigned first)
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
static void join_words(struct fields *fields, unsigned align)
{
	unsigned count = 0;
	for (unsigned i = 0; i < fields->count;) {
		struct field field = fields->field[i];
		unsigned parts = align_at(align, field.offset) >= 4 ? fill_word(fields, i) : 0;
		if (parts)
			field.size = 4;
		fields->field[count++] = field;
		i += parts ? parts : 1;
	}
	fields->count = count;
}

/* Whether `lanes` fields from `first` on can be one vector: neighbours of one size, no pointers. */
static bool make_vector(const struct fields *fields, unsigned first, unsigned lanes, unsigned align)
{
	const struct field *field = &fields->field[first];
	unsigned size = field->size;
	if (first + lanes > fields->count || align_at(align, field->offset) < size * lanes)
		return false;
	for (unsigned k = 0; k < lanes; k++)
		if (field[k].size != size || field[k].offset != field->offset + k * size ||
		    field[k].kind == FIELD_POINTER)
			return false;
	return true;
}

static unsigned count_lanes(const struct fields *fields, unsigned first, unsigned align)
{
	unsigned size = fields->field[first].size;
	if (size <= 4 && make_vector(fields, first, 4, align))
		return 4;
	return make_vector(fields, first, 2, align) ? 2 : 1;
}

static void join_vectors(struct fields *fields, unsigned align)
{
	unsigned count = 0;
	for (unsigned i = 0; i < fields->count;) {
		struct field field = fields->field[i];
		field.lanes = count_lanes(fields, i, align);
		for (unsigned k = 1; k < field.lanes; k++)
			if (fields->field[i + k].kind != field.kind)
				field.kind = FIELD_INT;
		i += field.lanes;
		fields->field[count++] = field;
	}
	fields->count = count;
}

/* Choose the pieces in which it is copied. False: the copy stays. */
static bool choose_pieces(struct fields *pieces, const struct ir_metadata *metadata,
                          const struct extent *extent)
{
	struct fields fields = {.count = 0};
	if (!read_fields(&fields, metadata, extent->fields, extent->size)) {
		if (extent->align < 4)
			return false; /* nothing is known about it */
		fields.field[0] = (struct field){0, extent->size, 1, FIELD_BYTES};
		fields.count = 1;
	}
	pieces->count = 0;
	if (!divide_fields(pieces, &fields, extent))
		return false;
	join_words(pieces, extent->align);
	join_vectors(pieces, extent->align);
	return true;
}

/* One side of a copy: "ptr addrspace(3)", its alignment, "%7". */
struct side {
	struct ir_span type, operand;
	unsigned align;
};

struct copy {
	struct side to, from;
	unsigned size;
	int debug, fields; /* !dbg, !tbaa.struct */
};

struct rewriter {
	struct ir_metadata metadata;
	const char *module;
	bool hides_pointers;     /* arrays or unions of the module hold some */
	struct ir_span function; /* the line that begins it */
	FILE *out;
	unsigned serial; /* of our names */
	bool changed;
};

/* ---- reading a call ----------------------------------------------------------------------------------------- */

/* attribute = "align" N | "nonnull" | "dereferenceable(" N ")" ...; they are about the call, but for the alignment. */
static bool take_attribute(const char **at, unsigned *align)
{
	static const char *const known[] = {"noundef ",   "nonnull ",  "noalias ",
	                                    "nocapture ", "readonly ", "writeonly "};
	static const char *const with_number[] = {"dereferenceable(", "dereferenceable_or_null("};
	unsigned number;
	if (ir_take(at, "align "))
		return ir_take_number(at, align) && ir_take(at, " ");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (ir_take(at, known[i]))
			return true;
	for (size_t i = 0; i < sizeof with_number / sizeof *with_number; i++)
		if (ir_take(at, with_number[i]))
			return ir_take_number(at, &number) && ir_take(at, ") ");
	return false;
}

/* side = "ptr" ["addrspace(" N ")"] {attribute} operand; a typed pointer, "float*", is none. */
static bool take_side(const char **at, struct side *side)
{
	unsigned space;
	side->type = (struct ir_span){*at, 0};
	if (!ir_take(at, "ptr"))
		return false;
	if (ir_take(at, " addrspace(") && (!ir_take_number(at, &space) || !ir_take(at, ")")))
		return false;
	side->type.length = (size_t)(*at - side->type.text);
	if (!ir_take(at, " "))
		return false;
	while (take_attribute(at, &side->align))
		;
	side->operand = ir_take_operand(at);
	const char *operand = side->operand.text;
	return bits_is_power_of_two(side->align) &&
	       (*operand == '%' || *operand == '@' || ir_begins(operand, "getelementptr ") ||
	        ir_begins(operand, "addrspacecast "));
}

/* behind a call: [" #" N] {", !dbg !" N | ", !tbaa.struct !" N} */
static bool take_metadata(const char *at, const char *end, struct copy *copy)
{
	unsigned number;
	copy->debug = copy->fields = IR_NONE;
	if (ir_take(&at, " #") && !ir_take_number(&at, &number))
		return false;
	while (at < end) {
		bool is_debug = ir_take(&at, ", !dbg !");
		if ((!is_debug && !ir_take(&at, ", !tbaa.struct !")) || !ir_take_number(&at, &number))
			return false;
		*(is_debug ? &copy->debug : &copy->fields) = (int)number;
	}
	return at == end;
}

/* "  [tail ]call void @llvm.memcpy.pA.pB.i64(" side ", " side ", i64 SIZE, i1 false)" metadata */
static bool read_copy(struct ir_span line, struct copy *copy)
{
	const char *at = line.text;
	unsigned space;
	*copy = (struct copy){0};
	if (!ir_take(&at, "  "))
		return false;
	ir_take(&at, "tail ");
	if (!ir_take(&at, "call void @llvm.memcpy.p") || !ir_take_number(&at, &space) ||
	    !ir_take(&at, ".p") || !ir_take_number(&at, &space) || !ir_take(&at, ".i64("))
		return false;
	return take_side(&at, &copy->to) && ir_take(&at, ", ") && take_side(&at, &copy->from) &&
	       ir_take(&at, ", i64 ") && ir_take_number(&at, &copy->size) && ir_take(&at, ", i1 false)") &&
	       take_metadata(at, line.text + line.length, copy);
}

/* ---- which copies ------------------------------------------------------------------------------------------- */

/* Is the operand an argument that the function got as a copy of its own? "ptr byval(%struct.P) align 8 %0" */
static bool is_passed_by_value(struct ir_span function, struct ir_span operand)
{
	static const char byval[] = " byval(";
	for (size_t i = 0; i + sizeof byval < function.length; i++) {
		if (memcmp(function.text + i, byval, sizeof byval - 1) != 0)
			continue;
		const char *at = function.text + i;
		struct ir_span rest = ir_take_operand(&at);
		if (rest.length > operand.length && rest.text[rest.length - operand.length - 1] == ' ' &&
		    !memcmp(rest.text + rest.length - operand.length, operand.text, operand.length))
			return true;
	}
	return false;
}

/*
 * clang replaces a variable that is nothing but a copy of a constant, or of a
 * kernel's argument, by that: as long as it is a copy.
 */
static bool is_replaceable(const struct rewriter *rewriter, const struct copy *copy)
{
	struct ir_span from = copy->from.operand;
	if (ir_contains(from, "@__const.") || ir_contains(from, "@constinit"))
		return true;
	return is_passed_by_value(rewriter->function, from);
}

/* ---- types -------------------------------------------------------------------------------------------------- */

static bool is_type(struct ir_span line)
{
	return *line.text == '%' && ir_contains(line, " = type ");
}

static bool hides_pointers(const char *module)
{
	struct ir_span line;
	while (ir_take_line(&module, &line)) {
		bool is_union = ir_begins(line.text, "%union.") || ir_begins(line.text, "%\"union.");
		bool may_hold = ir_contains(line, "ptr") || ir_contains(line, "{ %");
		if (is_type(line) && (ir_contains(line, " x ptr]") || (is_union && may_hold)))
			return true;
	}
	return false;
}

/* The type of a local variable, "%struct.S"; variables come first in a function. */
static struct ir_span find_type(const struct rewriter *rewriter, struct ir_span variable)
{
	const char *at = rewriter->function.text;
	struct ir_span line;
	ir_take_line(&at, &line);
	while (ir_take_line(&at, &line) && ir_contains(line, " = alloca ")) {
		const char *c = line.text;
		ir_take(&c, "  ");
		if (!strncmp(c, variable.text, variable.length) &&
		    ir_begins(c + variable.length, " = alloca ")) {
			c += variable.length + strlen(" = alloca ");
			return ir_take_operand(&c);
		}
	}
	return (struct ir_span){"", 0};
}

static bool has_wide_arrays(const struct rewriter *rewriter, struct ir_span variable)
{
	struct ir_span type = find_type(rewriter, variable), line;
	const char *at = rewriter->module;
	while (type.length && ir_take_line(&at, &line))
		if (is_type(line) && !strncmp(line.text, type.text, type.length) &&
		    line.text[type.length] == ' ')
			return ir_contains(line, " x double]") || ir_contains(line, " x i64]");
	return false;
}

/* ---- writing it --------------------------------------------------------------------------------------------- */

static void print_type(FILE *out, const struct field *piece)
{
	char element[16];
	snprintf(element, sizeof element, "i%u", piece->size * 8);
	const char *type = piece->kind == FIELD_POINTER   ? "ptr"
	                   : piece->kind == FIELD_INT     ? element
	                   : piece->size == sizeof(float) ? "float"
	                                                  : "double";
	if (piece->lanes > 1)
		fprintf(out, "<%u x %s>", piece->lanes, type);
	else
		fputs(type, out);
}

static void print_debug(const struct rewriter *rewriter, const struct copy *copy)
{
	if (copy->debug != IR_NONE)
		fprintf(rewriter->out, ", !dbg !%d", copy->debug);
}

/* Prints what computes the address if that takes an instruction; returns the number of its name, else 0. */
static unsigned print_address(struct rewriter *rewriter, const struct copy *copy, const struct side *side,
                              unsigned offset)
{
	if (!offset)
		return 0;
	fprintf(rewriter->out, "  %%sluice.%u = getelementptr inbounds i8, %.*s %.*s, i64 %u",
	        ++rewriter->serial, IR_SPAN(side->type), IR_SPAN(side->operand), offset);
	print_debug(rewriter, copy);
	fputc('\n', rewriter->out);
	return rewriter->serial;
}

static void print_end(struct rewriter *rewriter, const struct copy *copy, const struct side *side,
                      const struct field *piece, unsigned address)
{
	fprintf(rewriter->out, ", %.*s ", IR_SPAN(side->type));
	if (address)
		fprintf(rewriter->out, "%%sluice.%u", address);
	else
		fprintf(rewriter->out, "%.*s", IR_SPAN(side->operand));
	fprintf(rewriter->out, ", align %u", align_at(side->align, piece->offset));
	print_debug(rewriter, copy);
	fputc('\n', rewriter->out);
}

/* All loads come first: source and destination may be the same. */
static void print_pieces(struct rewriter *rewriter, const struct copy *copy, const struct fields *pieces)
{
	unsigned value[IR_COPY_MAX_BYTES];
	for (unsigned i = 0; i < pieces->count; i++) {
		const struct field *piece = &pieces->field[i];
		unsigned address = print_address(rewriter, copy, &copy->from, piece->offset);
		value[i] = ++rewriter->serial;
		fprintf(rewriter->out, "  %%sluice.%u = load ", value[i]);
		print_type(rewriter->out, piece);
		print_end(rewriter, copy, &copy->from, piece, address);
	}
	for (unsigned i = 0; i < pieces->count; i++) {
		const struct field *piece = &pieces->field[i];
		unsigned address = print_address(rewriter, copy, &copy->to, piece->offset);
		fputs("  store ", rewriter->out);
		print_type(rewriter->out, piece);
		fprintf(rewriter->out, " %%sluice.%u", value[i]);
		print_end(rewriter, copy, &copy->to, piece, address);
	}
}

static bool rewrite_copy(struct rewriter *rewriter, struct ir_span line)
{
	struct copy copy;
	struct fields pieces;
	if (!read_copy(line, &copy) || !copy.size || copy.size > IR_COPY_MAX_BYTES ||
	    is_replaceable(rewriter, &copy))
		return false;
	struct extent extent = {
	    .size = copy.size,
	    .align = copy.to.align < copy.from.align ? copy.to.align : copy.from.align,
	    .fields = copy.fields,
	    .has_wide_arrays =
	        has_wide_arrays(rewriter, copy.to.operand) || has_wide_arrays(rewriter, copy.from.operand),
	    .hides_pointers = rewriter->hides_pointers,
	};
	if (!choose_pieces(&pieces, &rewriter->metadata, &extent))
		return false;
	print_pieces(rewriter, &copy, &pieces);
	return true;
}

/* ---- the other lines ---------------------------------------------------------------------------------------- */

/* To nvcc, values of different types may lie in one place: what a line says to the contrary is left out. */
static void print_line(struct rewriter *rewriter, struct ir_span line)
{
	static const char types[] = ", !tbaa !";
	unsigned number;
	for (const char *at = line.text, *end = at + line.length; at < end;) {
		if (ir_take(&at, types) && ir_take_number(&at, &number))
			rewriter->changed = true;
		else
			fputc(*at++, rewriter->out);
	}
}

char *ir_rewrite_copies(const char *module)
{
	struct rewriter rewriter = {
	    .module = module, .hides_pointers = hides_pointers(module), .function = {"", 0}};
	char *text;
	size_t bytes;
	ir_metadata_read(&rewriter.metadata, module);
	rewriter.out = memory_stream_open(&text, &bytes);
	struct ir_span line;
	for (const char *at = module; ir_take_line(&at, &line);) {
		if (ir_begins(line.text, "define "))
			rewriter.function = line;
		if (rewrite_copy(&rewriter, line))
			rewriter.changed = true;
		else
			print_line(&rewriter, (struct ir_span){line.text, (size_t)(at - line.text)});
	}
	memory_stream_close(rewriter.out);
	ir_metadata_free(&rewriter.metadata);
	if (rewriter.changed)
		return text;
	free(text);
	return NULL;
}
