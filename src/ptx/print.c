/* An instruction as text, for reports. Modifiers without effect were not kept and are not printed. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx/forms.h"
#include "ptx/fragment.h"
#include "ptx/ptx.h"

struct text {
	char *at;
	size_t room;
};

static void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(t->at, t->room, fmt, ap);
	va_end(ap);
	size_t used = n < 0 ? 0 : (size_t)n < t->room ? (size_t)n : t->room - 1;
	t->at += used;
	t->room -= used;
}

/* ---- operands -------------------------------------------------------------------------------------------- */

struct printed {
	struct text *t;
	const struct ptx_module *m;
	const struct ptx_function *f;
};

static const char *register_name(const struct printed *p, uint32_t index)
{
	return p->f && index < p->f->register_count ? p->f->registers[index].name : "?";
}

static void put_offset(struct text *t, int64_t value)
{
	if (value)
		put(t, "%+lld", (long long)value);
}

static void put_address(const struct printed *p, const struct ptx_operand *o)
{
	if (o->base == PTX_BASE_ABSOLUTE) {
		put(p->t, "[%lld]", (long long)o->value);
		return;
	}
	put(p->t, "[%s",
	    o->base == PTX_BASE_REG ? register_name(p, o->index) : p->m->variables[o->index].name);
	put_offset(p->t, o->value);
	put(p->t, "]");
}

static void put_operand(const struct printed *p, const struct ptx_operand *o)
{
	struct text *t = p->t;
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_SINK:
		put(t, "_");
		break;
	case PTX_REG:
		put(t, "%s%s", o->negated ? "!" : "", register_name(p, o->index));
		break;
	case PTX_IMM:
		put(t, o->value >= 0 && o->value < 10000 ? "%lld" : "0x%llx", (long long)o->value);
		break;
	case PTX_SREG:
		put(t, "%s", ptx_sreg_name(o->index));
		break;
	case PTX_ADDRESS:
		put_address(p, o);
		break;
	case PTX_SYMBOL:
		put(t, "%s", p->m->variables[o->index].name);
		put_offset(t, o->value);
		break;
	case PTX_FUNCTION:
		put(t, "%s", p->m->functions[o->index].name);
		break;
	case PTX_LABEL:
		put(t, "line %u", p->m->insns[o->index].line);
		break;
	case PTX_TABLE:
		put(t, "table %u", o->index);
		break;
	case PTX_PROTOTYPE:
		put(t, "prototype %u", o->index);
		break;
	}
}

static void put_operands(const struct printed *p, const struct ptx_operand *o, uint32_t count,
                         const char *between)
{
	for (uint32_t i = 0; i < count; i++) {
		put(p->t, "%s", i ? between : "");
		put_operand(p, &o[i]);
	}
}

/* ---- vectors and calls ----------------------------------------------------------------------------------- */

static void put_call(const struct printed *p, const struct ptx_insn *i)
{
	const struct ptx_operand *source = ptx_sources(p->m, i);
	uint32_t arguments = i->source_count - 1u;
	bool indirect = arguments && source[arguments].kind == PTX_PROTOTYPE;
	if (i->result_count) {
		put(p->t, "(");
		put_operands(p, ptx_results(p->m, i), i->result_count, ", ");
		put(p->t, "), ");
	}
	put_operand(p, source);
	if (arguments - indirect) {
		put(p->t, ", (");
		put_operands(p, source + 1, arguments - indirect, ", ");
		put(p->t, ")");
	}
	if (indirect) {
		put(p->t, ", ");
		put_operand(p, &source[arguments]);
	}
}

/* The operands of a form, letter by letter: braces where a letter means several operands. */
static void put_list(const struct printed *p, const struct ptx_operand *o, uint32_t count, bool braces)
{
	put(p->t, braces && count > 1 ? "{" : "");
	put_operands(p, o, count, ", ");
	put(p->t, braces && count > 1 ? "}" : "");
}

static bool is_texture(const struct ptx_insn *i)
{
	return i->op == PTX_tex || i->op == PTX_tld4 || i->op == PTX_suld || i->op == PTX_sust ||
	       i->op == PTX_txq;
}

/* Of wgmma: A may be four registers. */
static void put_product_sources(const struct printed *p, const struct ptx_insn *i,
                                const struct ptx_operand *s, uint32_t n)
{
	uint32_t registers = ptx_warpgroup_factor_registers(i);
	put_list(p, s, registers, true);
	put(p->t, registers ? ", " : "");
	put_list(p, s + registers, n - registers, false);
}

/* Of cp.async.bulk.tensor: [map, {coordinates}] stands first, or behind the address in shared memory. */
static void put_box_sources(const struct printed *p, const struct ptx_insn *i, const struct ptx_operand *s,
                            uint32_t n)
{
	uint32_t before = i->space == PTX_SPACE_shared, after = n - before - 1u - i->vector;
	put_list(p, s, before, false);
	put(p->t, before ? ", [" : "[");
	put_operand(p, s + before);
	put(p->t, ", {");
	put_operands(p, s + before + 1, i->vector, ", ");
	put(p->t, after ? "}], " : "}]");
	put_list(p, s + n - after, after, false);
}

static void put_sources(const struct printed *p, const struct ptx_insn *i)
{
	const struct ptx_operand *s = ptx_sources(p->m, i);
	uint32_t n = i->source_count, values = i->op == PTX_sust ? i->vector : 0;
	if (is_texture(i)) {
		put(p->t, "[");
		put_operand(p, s);
		put(p->t, n - values > 1 ? ", " : "");
		put_list(p, s + 1, n - values - 1, true);
		put(p->t, values ? "], " : "]");
		put_list(p, s + n - values, values, true);
	} else if (i->op == PTX_mma || (i->op == PTX_wmma && i->mode == PTX_MODE_mma)) {
		for (enum ptx_fragment f = PTX_FRAGMENT_a; f <= PTX_FRAGMENT_c; f++) {
			uint32_t count = ptx_matrix(i, f).registers;
			put(p->t, f == PTX_FRAGMENT_a ? "" : ", ");
			put_list(p, s, count, true);
			s += count;
		}
	} else if (i->op == PTX_wgmma) {
		put_product_sources(p, i, s + i->result_count, n - i->result_count);
	} else if (i->flags & PTX_FLAG_TENSOR) {
		put_box_sources(p, i, s, n);
	} else if (i->op == PTX_st || i->op == PTX_stmatrix) {
		put_operand(p, s);
		put(p->t, ", ");
		put_list(p, s + 1, n - 1, true);
	} else {
		put_list(p, s, n, i->op == PTX_mov);
	}
}

static void put_results(const struct printed *p, const struct ptx_insn *i)
{
	bool vector = (i->vector > 1 && i->op != PTX_cp) || i->op == PTX_mov || i->op == PTX_mma ||
	              i->op == PTX_wmma || i->op == PTX_wgmma;
	if (vector)
		put_list(p, ptx_results(p->m, i), i->result_count, true);
	else
		put_operands(p, ptx_results(p->m, i), i->result_count, "|");
	put(p->t, i->result_count && i->source_count ? ", " : "");
}

/* ---- instructions ---------------------------------------------------------------------------------------- */

static const struct ptx_function *function_of(const struct ptx_module *m, uint32_t insn)
{
	for (uint32_t f = 0; f < m->function_count; f++)
		if (!m->functions[f].is_extern &&
		    insn - m->functions[f].first_insn < m->functions[f].insn_count)
			return &m->functions[f];
	return NULL;
}

void ptx_print(const struct ptx_module *m, uint32_t insn, char *buf, size_t size)
{
	if (!size)
		return;
	const struct ptx_insn *i = &m->insns[insn];
	struct text t = {buf, size};
	struct printed p = {&t, m, function_of(m, insn)};
	char opcode[FORM_TEXT_SIZE];
	*buf = 0;
	if (i->guard != PTX_NONE)
		put(&t, "@%s%s ", i->flags & PTX_FLAG_GUARD_NOT ? "!" : "", register_name(&p, i->guard));
	form_print(i, opcode);
	put(&t, "%s%s", opcode, i->result_count + i->source_count ? " " : "");
	if (i->op == PTX_call) {
		put_call(&p, i);
		return;
	}
	put_results(&p, i);
	put_sources(&p, i);
}
