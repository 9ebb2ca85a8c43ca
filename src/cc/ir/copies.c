#include "cc/ir/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/ir/fields.h"

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

static bool is_power_of_two(unsigned n)
{
	return n && !(n & (n - 1));
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
	return is_power_of_two(side->align) &&
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

static void print_type(FILE *out, const struct ir_field *piece)
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
                      const struct ir_field *piece, unsigned address)
{
	fprintf(rewriter->out, ", %.*s ", IR_SPAN(side->type));
	if (address)
		fprintf(rewriter->out, "%%sluice.%u", address);
	else
		fprintf(rewriter->out, "%.*s", IR_SPAN(side->operand));
	fprintf(rewriter->out, ", align %u", ir_align_at(side->align, piece->offset));
	print_debug(rewriter, copy);
	fputc('\n', rewriter->out);
}

/* All loads come first: source and destination may be the same. */
static void print_pieces(struct rewriter *rewriter, const struct copy *copy, const struct ir_fields *pieces)
{
	unsigned value[IR_COPY_MAX_BYTES];
	for (unsigned i = 0; i < pieces->count; i++) {
		const struct ir_field *piece = &pieces->field[i];
		unsigned address = print_address(rewriter, copy, &copy->from, piece->offset);
		value[i] = ++rewriter->serial;
		fprintf(rewriter->out, "  %%sluice.%u = load ", value[i]);
		print_type(rewriter->out, piece);
		print_end(rewriter, copy, &copy->from, piece, address);
	}
	for (unsigned i = 0; i < pieces->count; i++) {
		const struct ir_field *piece = &pieces->field[i];
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
	struct ir_fields pieces;
	if (!read_copy(line, &copy) || !copy.size || copy.size > IR_COPY_MAX_BYTES ||
	    is_replaceable(rewriter, &copy))
		return false;
	struct ir_extent extent = {
	    .size = copy.size,
	    .align = copy.to.align < copy.from.align ? copy.to.align : copy.from.align,
	    .fields = copy.fields,
	    .has_wide_arrays =
	        has_wide_arrays(rewriter, copy.to.operand) || has_wide_arrays(rewriter, copy.from.operand),
	    .hides_pointers = rewriter->hides_pointers,
	};
	if (!ir_fields_choose(&pieces, &rewriter->metadata, &extent))
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
