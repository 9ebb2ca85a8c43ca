/*
 * Random C functions for comparing what we execute with what the host computes.
 *
 *   gen SEED FIRST COUNT [STATEMENTS]   writes functions FIRST ... FIRST+COUNT-1 to standard output
 *
 * A function depends on the seed and its number alone. STATEMENTS keeps only
 * that many of its top-level statements, which is how a mismatch is narrowed
 * down. Every function is defined C: signed arithmetic is done unsigned, shift
 * amounts are masked, divisors guarded, conversions kept in range (runtime.h
 * has these), loops bounded. NaNs have one bit pattern wherever bits are seen.
 * Left out: pointers to locals other than one array, floating-point exceptions.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum type { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, TYPE_COUNT };
enum { VARIABLES = 2, LOOP_DEPTH = 2, BLOCK_DEPTH = 3 };

static const struct {
	const char *name, *tag; /* C type; suffix of the helpers in runtime.h */
	const char *wide;       /* unsigned type that arithmetic is done in */
	unsigned bits;
} types[TYPE_COUNT] = {
    [I8] = {"int8_t", "i8", "uint32_t", 8},     [U8] = {"uint8_t", "u8", "uint32_t", 8},
    [I16] = {"int16_t", "i16", "uint32_t", 16}, [U16] = {"uint16_t", "u16", "uint32_t", 16},
    [I32] = {"int32_t", "i32", "uint32_t", 32}, [U32] = {"uint32_t", "u32", "uint32_t", 32},
    [I64] = {"int64_t", "i64", "uint64_t", 64}, [U64] = {"uint64_t", "u64", "uint64_t", 64},
    [F32] = {"float", "f32", NULL, 32},         [F64] = {"double", "f64", NULL, 64},
};

struct gen {
	uint64_t state;
	unsigned loops;    /* that enclose this statement */
	unsigned counters; /* loop counters named so far */
	bool has_helper, has_array;
	bool used[TYPE_COUNT]; /* types that this function has variables of; I32 and U32 always */
};

static uint64_t gen_random(struct gen *g)
{
	g->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = g->state;
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static unsigned gen_pick(struct gen *g, unsigned count)
{
	return (unsigned)(gen_random(g) % count);
}

static bool is_float(enum type t)
{
	return t >= F32;
}

static enum type gen_any_type(struct gen *g)
{
	/* 32-bit types, int above all, are what programs are made of. */
	static const uint8_t often[] = {I32, I32, I32, U32, U32, F32, F32, F64, I64, U64, I16, U16, I8, U8};
	return (enum type)often[gen_pick(g, sizeof often)];
}

/* One that the function has variables of. */
static enum type gen_type(struct gen *g)
{
	enum type t;
	do
		t = gen_any_type(g);
	while (!g->used[t]);
	return t;
}

static enum type float_of(enum type t)
{
	return types[t].bits == 32 ? F32 : F64;
}

static enum type gen_integer_type(struct gen *g)
{
	enum type t;
	do
		t = gen_type(g);
	while (is_float(t));
	return t;
}

static void gen_expression(struct gen *g, enum type t, unsigned depth);

/* ---- leaves -------------------------------------------------------------------------------------------- */

static void gen_constant(struct gen *g, enum type t)
{
	static const char *const floats[] = {"0.0",  "1.0",  "-1.0",  "0.5",        "3.25",
	                                     "-0.1", "1e-3", "100.0", "16777216.0", "1e30"};
	static const int64_t corners[] = {0,   1,   -1,   2,   3,    7,     10,    31,        32,
	                                  100, 127, -128, 255, 1000, 32767, 65535, 0x7fffffff};
	if (is_float(t)) {
		printf("(%s)%s", types[t].name, floats[gen_pick(g, sizeof floats / sizeof *floats)]);
		return;
	}
	int64_t value = corners[gen_pick(g, sizeof corners / sizeof *corners)];
	if (gen_pick(g, 4) == 0)
		value = (int64_t)(gen_random(g) >> gen_pick(g, 63));
	printf("(%s)INT64_C(%lld)", types[t].name, (long long)value);
}

static void gen_variable(struct gen *g, enum type t)
{
	if (t == I32 && g->has_array && gen_pick(g, 6) == 0) {
		printf("array[");
		gen_variable(g, U32);
		printf(" & 7]");
		return;
	}
	printf("%s_%u", types[t].tag, gen_pick(g, VARIABLES));
}

static void gen_leaf(struct gen *g, enum type t)
{
	if (gen_pick(g, 4) == 0)
		gen_constant(g, t);
	else
		gen_variable(g, t);
}

/* ---- expressions --------------------------------------------------------------------------------------- */

/* name_tag(a, b, ...) with arguments of the types given. */
static void gen_call(struct gen *g, const char *name, enum type t, const enum type *arg, unsigned count,
                     unsigned depth)
{
	printf("%s_%s(", name, types[t].tag);
	for (unsigned i = 0; i < count; i++) {
		printf(i ? ", " : "");
		gen_expression(g, arg[i], depth);
	}
	printf(")");
}

static void gen_compare(struct gen *g, unsigned depth)
{
	static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
	enum type t = gen_type(g);
	printf("(");
	gen_expression(g, t, depth);
	printf(" %s ", compares[gen_pick(g, 6)]);
	gen_expression(g, t, depth);
	printf(")");
}

static void gen_condition(struct gen *g, unsigned depth)
{
	unsigned kind = depth ? gen_pick(g, 6) : 0;
	if (kind > 1) {
		gen_compare(g, depth - 1);
	} else if (kind == 1) {
		printf("(");
		gen_condition(g, depth - 1);
		printf(gen_pick(g, 2) ? " && " : " || ");
		gen_condition(g, depth - 1);
		printf(")");
	} else {
		printf("((");
		gen_variable(g, gen_integer_type(g));
		printf(" & %u) != 0)", 1u << gen_pick(g, 7));
	}
}

static void gen_select(struct gen *g, enum type t, unsigned depth)
{
	printf("(");
	gen_condition(g, depth);
	printf(" ? ");
	gen_expression(g, t, depth);
	printf(" : ");
	gen_expression(g, t, depth);
	printf(")");
}

/* From another type, through a helper that keeps conversions of floats in range. */
static void gen_conversion(struct gen *g, enum type t, unsigned depth)
{
	enum type from = gen_type(g);
	if (is_float(from) && !is_float(t)) {
		printf("%s_to_%s(", types[from].tag, types[t].tag);
		gen_expression(g, from, depth);
		printf(")");
		return;
	}
	printf("((%s)", types[t].name);
	gen_expression(g, from, depth);
	printf(")");
}

static void gen_arithmetic(struct gen *g, enum type t, unsigned depth)
{
	static const char *const operators[] = {"+", "-", "*", "&", "|", "^"};
	printf("((%s)((%s)", types[t].name, types[t].wide);
	gen_expression(g, t, depth);
	printf(" %s (%s)", operators[gen_pick(g, 6)], types[t].wide);
	gen_expression(g, t, depth);
	printf("))");
}

static void gen_shift(struct gen *g, enum type t, unsigned depth)
{
	bool left = gen_pick(g, 2);
	printf("((%s)(", types[t].name);
	if (left)
		printf("(%s)", types[t].wide);
	gen_expression(g, t, depth);
	printf(left ? " << (" : " >> (");
	gen_expression(g, U32, depth);
	printf(" & %u)))", types[t].bits - 1);
}

static void gen_integer(struct gen *g, enum type t, unsigned depth)
{
	static const char *const one[] = {"popcount", "leading", "reverse"}, *const two[] = {
	                                                                         "divide", "modulo", "least",
	                                                                         "rotate", "high"};
	const enum type same[3] = {t, t, t};
	switch (gen_pick(g, 12)) {
	case 0:
		gen_shift(g, t, depth);
		break;
	case 1:
		gen_select(g, t, depth);
		break;
	case 2:
	case 3:
		gen_conversion(g, t, depth);
		break;
	case 4:
		printf("((%s)(%s", types[t].name, gen_pick(g, 2) ? "~" : "0u - ");
		printf("(%s)", types[t].wide);
		gen_expression(g, t, depth);
		printf("))");
		break;
	case 5:
		gen_call(g, two[gen_pick(g, 5)], t, same, 2, depth);
		break;
	case 6:
		gen_call(g, one[gen_pick(g, 3)], t, same, 1, depth);
		break;
	case 7:
		printf("((%s)", types[t].name);
		gen_condition(g, depth);
		printf(")");
		break;
	default:
		gen_arithmetic(g, t, depth);
	}
}

static void gen_floating(struct gen *g, enum type t, unsigned depth)
{
	static const char *const operators[] = {"+", "-", "*", "/"}, *const one[] = {"magnitude", "root",
	                                                                             "down",      "up",
	                                                                             "chop",      "negate"},
	                         *const two[] = {"smaller", "larger", "signed_like"};
	const enum type same[3] = {t, t, t};
	switch (gen_pick(g, 10)) {
	case 0:
		gen_select(g, t, depth);
		break;
	case 1:
		gen_conversion(g, t, depth);
		break;
	case 2:
		gen_call(g, one[gen_pick(g, 6)], t, same, 1, depth);
		break;
	case 3:
		gen_call(g, "fused", t, same, 3, depth);
		break;
	case 4:
		gen_call(g, two[gen_pick(g, 3)], t, same, 2, depth);
		break;
	default:
		printf("(");
		gen_expression(g, t, depth);
		printf(" %s ", operators[gen_pick(g, 4)]);
		gen_expression(g, t, depth);
		printf(")");
	}
}

static void gen_expression(struct gen *g, enum type t, unsigned depth)
{
	if (depth == 0 || gen_pick(g, 5) == 0)
		gen_leaf(g, t);
	else if (g->has_helper && t == I32 && gen_pick(g, 6) == 0)
		gen_call(g, "helper", t, (const enum type[]){I32, F32, U64}, 3, 0);
	else if (!is_float(t) && types[t].bits >= 32 && g->used[float_of(t)] && gen_pick(g, 12) == 0)
		gen_call(g, "bits", t, (const enum type[]){float_of(t)}, 1, depth - 1);
	else if (is_float(t))
		gen_floating(g, t, depth - 1);
	else
		gen_integer(g, t, depth - 1);
}

/* ---- statements ---------------------------------------------------------------------------------------- */

static void gen_indent(unsigned level)
{
	for (unsigned i = 0; i <= level; i++)
		printf("\t");
}

static void gen_statement(struct gen *g, unsigned level);

static void gen_block(struct gen *g, unsigned level)
{
	unsigned count = 1 + gen_pick(g, 2);
	for (unsigned i = 0; i < count; i++)
		gen_statement(g, level);
}

static void gen_assignment(struct gen *g, unsigned level)
{
	enum type t = gen_type(g);
	gen_indent(level);
	gen_variable(g, t);
	printf(" = ");
	gen_expression(g, t, 1 + gen_pick(g, 2));
	printf(";\n");
}

static void gen_if(struct gen *g, unsigned level)
{
	gen_indent(level);
	printf("if ");
	gen_condition(g, 2);
	printf(" {\n");
	gen_block(g, level + 1);
	if (gen_pick(g, 2)) {
		gen_indent(level);
		printf("} else {\n");
		gen_block(g, level + 1);
	}
	gen_indent(level);
	printf("}\n");
}

static void gen_loop(struct gen *g, unsigned level)
{
	unsigned counter = g->counters++;
	gen_indent(level);
	printf("for (uint32_t n%u = 0; n%u < (", counter, counter);
	gen_variable(g, U32);
	printf(" & 7); n%u++) {\n", counter);
	g->loops++;
	gen_block(g, level + 1);
	if (gen_pick(g, 2)) {
		gen_indent(level + 1);
		printf("if ");
		gen_condition(g, 1);
		printf("\n");
		gen_indent(level + 2);
		printf(gen_pick(g, 2) ? "break;\n" : "continue;\n");
		gen_statement(g, level + 1);
	}
	gen_indent(level + 1);
	printf("i32_0 = (int32_t)((uint32_t)i32_0 + n%u);\n", counter);
	g->loops--;
	gen_indent(level);
	printf("}\n");
}

static void gen_switch(struct gen *g, unsigned level)
{
	unsigned cases = 2 + gen_pick(g, 3);
	gen_indent(level);
	printf("switch (");
	gen_variable(g, U32);
	printf(" %% %u) {\n", cases + 1);
	for (unsigned i = 0; i < cases; i++) {
		gen_indent(level);
		printf("case %u:\n", i);
		gen_assignment(g, level + 1);
		if (gen_pick(g, 5) == 0)
			continue;
		gen_indent(level + 1);
		printf("break;\n");
	}
	gen_indent(level);
	printf("default:\n");
	gen_assignment(g, level + 1);
	gen_indent(level);
	printf("}\n");
}

static void gen_statement(struct gen *g, unsigned level)
{
	unsigned kind = gen_pick(g, 10);
	if (level >= BLOCK_DEPTH || kind < 6)
		gen_assignment(g, level);
	else if (kind < 8)
		gen_if(g, level);
	else if (kind == 8 && g->loops < LOOP_DEPTH)
		gen_loop(g, level);
	else
		gen_switch(g, level);
}

/* ---- functions ----------------------------------------------------------------------------------------- */

static void gen_declarations(const struct gen *g)
{
	for (enum type t = I8; t < TYPE_COUNT; t = (enum type)(t + 1))
		for (unsigned v = 0; g->used[t] && v < VARIABLES; v++)
			printf("\t%s %s_%u = in->%s[%u];\n", types[t].name, types[t].tag, v, types[t].tag, v);
	if (g->has_array)
		printf("\tint32_t array[8] = {1, 2, 3, i32_0, i32_1, 6, 7, i32_0};\n");
}

static void gen_result(const struct gen *g)
{
	printf("\tuint64_t h = 0;\n");
	for (enum type t = I8; t < TYPE_COUNT; t = (enum type)(t + 1))
		for (unsigned v = 0; g->used[t] && v < VARIABLES; v++)
			printf("\th = mix(h, seen_%s(%s_%u));\n", types[t].tag, types[t].tag, v);
	if (g->has_array)
		printf("\tfor (int k = 0; k < 8; k++)\n\t\th = mix(h, (uint32_t)array[k]);\n");
	printf("\treturn h;\n}\n\n");
}

static void gen_function(uint64_t seed, unsigned number, unsigned statements)
{
	struct gen g = {.state = seed * UINT64_C(1000003) + number, .used = {[I32] = true, [U32] = true}};
	unsigned count = 2 + gen_pick(&g, 4);
	g.has_helper = gen_pick(&g, 6) == 0;
	g.has_array = gen_pick(&g, 4) == 0;
	for (unsigned i = 0; i < 3; i++)
		g.used[gen_any_type(&g)] = true;
	if (g.has_helper)
		g.used[F32] = g.used[U64] = true;
	printf("FUNCTION uint64_t body_%u(const struct input *in)\n{\n", number);
	gen_declarations(&g);
	for (unsigned i = 0; i < count && i < statements; i++)
		gen_statement(&g, 0);
	gen_result(&g);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: gen SEED FIRST COUNT [STATEMENTS]\n");
		return 2;
	}
	uint64_t seed = strtoull(argv[1], NULL, 10);
	unsigned first = (unsigned)strtoul(argv[2], NULL, 10), count = (unsigned)strtoul(argv[3], NULL, 10);
	unsigned statements = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : UINT32_MAX;
	printf("#ifndef LIST_ONLY\n");
	for (unsigned i = first; i < first + count; i++)
		gen_function(seed, i, statements);
	printf("#endif\n#define BODIES(X)");
	for (unsigned i = first; i < first + count; i++)
		printf(" X(%u)", i);
	printf("\n");
	return 0;
}
