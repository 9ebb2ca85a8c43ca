#include "gpu/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/issue.h"
#include "sm/ready.h"
#include "sm/scheduler.h"
#include "sm/scoreboard.h"
#include "stats/counters.h"

static void add_reg(struct decoded *d, uint32_t reg, uint32_t *highest)
{
	uint32_t count = 0;
	if (reg >= TRACE_REG_NONE)
		return;
	for (; d->reg[count] != REG_END; count++)
		if (d->reg[count] == reg_place(reg))
			return;
	if (count < INSN_REGS)
		d->reg[count] = (uint8_t)reg_place(reg);
	if (reg > *highest)
		*highest = reg;
}

static void set_latency(struct decoded *d, uint32_t cycles)
{
	d->result = (uint32_t)ready_at((uint16_t)cycles, ready_stall(d->result));
}

static enum stall stall_of(const struct trace_insn *insn)
{
	switch (insn->op) {
	case OP_CONST:
	case OP_SREG:
	case OP_UNIFORM:
		return STALL_CONSTANT;
	case OP_SHUFFLE:
		return STALL_SHORT_SCOREBOARD;
	default:
		return STALL_FIXED_LATENCY;
	}
}

/* What the lanes of an instruction do, for the energy model. */
static enum counter work_of(enum op_class op)
{
	switch (op) {
	case OP_IMAD:
		return COUNT_lanes_imad;
	case OP_FP16:
		return COUNT_lanes_fp16;
	case OP_FP32:
		return COUNT_lanes_fp32;
	case OP_FP64:
		return COUNT_lanes_fp64;
	case OP_SFU:
		return COUNT_lanes_sfu;
	case OP_TENSOR:
	case OP_TENSOR64:
		return COUNT_lanes_tensor;
	default:
		return COUNT_lanes_int;
	}
}

/*
 * HGMMA.64x128x16.F32 and its like, as an H200 was measured: alone 76 + n / 2 cycles, 11 less with A in registers, one every
 * max(16 + n / 4, n / 2); all types alike. The class's figures, of m16n8k16, are scaled from 24 and 6.
 */
static void decode_group_product(struct decoded *d, const char *mnemonic)
{
	const char *n_text = strchr(mnemonic, 'x');
	uint32_t n = n_text ? (uint32_t)strtoul(n_text + 1, NULL, 10) : 8;
	uint32_t cycles = 16 + n / 4 > n / 2 ? 16 + n / 4 : n / 2;
	bool has_registers = strstr(mnemonic, ".RA") != NULL;
	uint32_t alone = 76 + n / 2 - (has_registers ? 11 : 0) + (has_registers && n >= 64 ? 4 : 0);
	set_latency(d, alone * insn_latency(d) / 24);
	d->hit_wait = (uint16_t)(cycles * d->interval / 6);
}

/*
 * Products of another depth than the class's figures are for (16 of 16 bits, 4 of double precision in 8
 * rows), as an H200 was measured: half the depth takes 17 of 24 cycles and 4 of 6; double precision in 16
 * rows 18 + 4 per depth, one every 4 per depth.
 */
static void decode_product(struct decoded *d, const char *mnemonic)
{
	static const struct {
		const char *begins;
		bool is_tf32;
	} half_deep[] = {
	    {"HMMA.1688.", false}, {"HMMA.1684.", true}, {"IMMA.16816.", false}, {"BMMA.168128.", false}};
	static const struct {
		const char *name;
		uint16_t depth;
	} doubles[] = {{"DMMA.1684", 4}, {"DMMA.1688", 8}, {"DMMA.16816", 16}};
	bool is_tf32 = strstr(mnemonic, ".TF32") != NULL;
	if (d->flags & INSN_ASYNC_COPY) {
		decode_group_product(d, mnemonic);
		return;
	}
	for (size_t i = 0; i < sizeof half_deep / sizeof *half_deep; i++)
		if (!strncmp(mnemonic, half_deep[i].begins, strlen(half_deep[i].begins)) &&
		    is_tf32 == half_deep[i].is_tf32) {
			set_latency(d, insn_latency(d) * 17 / 24);
			d->interval = (uint16_t)(d->interval * 2 / 3);
		}
	for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
		if (!strcmp(mnemonic, doubles[i].name)) {
			set_latency(d, insn_latency(d) * (18 + 4u * doubles[i].depth) / 26);
			d->interval = (uint16_t)(d->interval * doubles[i].depth / 4);
		}
}

/* Whether others may wait for what it writes. */
static bool writes_global(const struct trace_insn *insn)
{
	return (insn->op == OP_STORE || insn->op == OP_ATOMIC || insn->op == OP_REDUCE) &&
	       (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC);
}

static enum async_role async_role_of(const struct trace_insn *insn, const char *mnemonic, bool watched)
{
	if (!(insn->flags & INSN_MEMORY))
		return ASYNC_NONE;
	if (insn->flags & INSN_PHASE_WAIT && insn->op == OP_ATOMIC && insn->space == SPACE_SHARED)
		return ASYNC_PHASE_WAIT;
	if (insn->flags & INSN_BULK)
		return ASYNC_BULK;
	if (insn->flags & INSN_ASYNC_COPY)
		return ASYNC_COPY;
	if (insn->op == OP_ATOMIC && !strncmp(mnemonic, "SYNCS.", strlen("SYNCS.")))
		return ASYNC_CHANGE;
	if (insn->op == OP_REDUCE && !strncmp(mnemonic, "ARRIVES.", strlen("ARRIVES.")))
		return ASYNC_COPY_ARRIVE;
	if (insn->flags & INSN_POLL)
		return ASYNC_POLL;
	return watched && writes_global(insn) ? ASYNC_WRITE : ASYNC_NONE;
}

static void decode_insn(struct decoded *d, const struct trace_insn *insn, const struct machine *m,
                        uint32_t *highest)
{
	const struct op_timing *timing = &m->op[insn->op];
	*d = (struct decoded){.pc = insn->pc,
	                      .flags = (uint16_t)insn->flags,
	                      .op = insn->op,
	                      .space = insn->space,
	                      .unit = (uint8_t)timing->unit,
	                      .work = (uint8_t)work_of((enum op_class)insn->op),
	                      .width = insn->width_bytes > 16 ? 16 : insn->width_bytes,
	                      .result = (uint32_t)ready_at((uint16_t)timing->latency_cycles, stall_of(insn)),
	                      .interval = (uint16_t)timing->interval_cycles,
	                      .effects = issue_effects(insn),
	                      .shape = coalesce_shape(insn),
	                      .counted = issue_counter(insn->op, (enum mem_space)insn->space),
	                      .requests = lsu_requests_counter(insn->op),
	                      .slot = insn->slot,
	                      .round = insn->round,
	                      .pipe = (uint8_t)timing->unit};
	if (insn->op == OP_LOAD && insn->space != SPACE_SHARED)
		d->pipe |= PIPE_LOAD;
	d->least_wavefronts = d->width > 4 ? d->width / 4 : 1;
	/* Measured: 64 bits cost 3 cycles more, 128 bits 8; the machine's figure scales both. */
	uint32_t steps = d->width >= 16 ? 8 : d->width >= 8 ? 3 : 0;
	uint32_t lookup = m->l1d_hit_cycles > m->lsu_issue_cycles ? m->lsu_issue_cycles : 0;
	d->hit_wait = (uint16_t)(m->l1d_hit_cycles - lookup + steps * m->l1d_hit_wide_cycles / 3);
	if (insn->flags & INSN_DOUBLE_PASS) {
		set_latency(d, insn_latency(d) + d->interval);
		d->interval = (uint16_t)(d->interval * 2);
	}
	if (insn->op == OP_LOAD && insn->space == SPACE_SHARED)
		d->interval = (uint16_t)m->lsu_shared_load_cycles;
	if ((insn->flags & (INSN_ASYNC_COPY | INSN_MEMORY)) == INSN_ASYNC_COPY)
		d->width = insn->width_bytes; /* groups, see sm/copies.h */
	for (uint32_t s = 0; s < insn->src_count && s < TRACE_MAX_SRC; s++)
		for (uint32_t i = 0; i < insn->src_span[s] && insn->src[s] != TRACE_REG_NONE; i++)
			add_reg(d, insn->src[s] + i, highest);
	if (insn->dst_span && insn->dst != TRACE_REG_NONE) {
		d->dst = (uint16_t)reg_place(insn->dst);
		d->dst_span = insn->dst_span;
		for (uint32_t i = 0; i < insn->dst_span; i++)
			add_reg(d, insn->dst + i, highest);
	}
}

static int compare_lines(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

/*
 * Number the fetch lines from 0. An SM keeps a state for each, so far-away code must not cost what lies between: a gap
 * is as long as it is, or long enough that no prefetch crosses it, which times every fetch alike.
 */
static void number_lines(struct launch *launch, const struct machine *m, uint64_t low, uint32_t line_bytes)
{
	enum { LINES_MAX = 1 << 20, LINES_FEW = 1 << 12 };
	const struct trace_kernel *k = launch->kernel;
	uint64_t *used = memory_grow(NULL, k->insn_count + 1, sizeof *used);
	uint64_t last = 0, gap_max = m->sm_fetch_prefetch_lines + 1, shift = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < k->insn_count; i++)
		used[i] = (k->insns[i].pc - low) / line_bytes;
	qsort(used, k->insn_count, sizeof *used, compare_lines);
	/* Each used line, and by how much those from it on are moved towards 0. */
	uint64_t *moved = memory_grow(NULL, k->insn_count + 1, sizeof *moved);
	for (uint32_t i = 0; i < k->insn_count; i++) {
		if (count && used[i] == used[count - 1])
			continue;
		if (used[i] > LINES_FEW && used[i] - last > gap_max)
			shift += used[i] - last - gap_max;
		last = used[count] = used[i];
		moved[count++] = shift;
	}
	uint64_t lines = count ? last - shift + 1 : 1;
	launch->fetch_lines = lines < LINES_MAX ? (uint32_t)lines : LINES_MAX;
	for (uint32_t i = 0; i < k->insn_count; i++) {
		uint64_t own = (k->insns[i].pc - low) / line_bytes;
		const uint64_t *at = bsearch(&own, used, count, sizeof *used, compare_lines);
		launch->insn[i].fetch_line = (uint32_t)((own - moved[at - used]) % launch->fetch_lines);
	}
	free(moved);
	free(used);
}

bool decode_kernel(struct launch *launch, const struct machine *m, struct error *err)
{
	enum { CODE_LINES_MAX = 1 << 20, INSN_BYTES = 16 };
	const struct trace_kernel *k = launch->kernel;
	uint64_t low = UINT64_MAX, high = 0;
	uint32_t highest = 0, line_bytes = m->sm_fetch_line_insns * INSN_BYTES;
	launch->flushes_l1 = launch->has_phase_waits = false;
	launch->insn = memory_grow(launch->insn, k->insn_count + 1, sizeof *launch->insn);
	for (uint32_t i = 0; i < k->insn_count; i++) {
		if (k->insns[i].op >= OP_COUNT || k->insns[i].space >= SPACE_COUNT)
			return error_set(err, "kernel %s: instruction %u has an unknown class", k->name, i);
		decode_insn(&launch->insn[i], &k->insns[i], m, &highest);
		const char *mnemonic = trace_mnemonic(k, &k->insns[i]);
		launch->insn[i].async = (uint8_t)async_role_of(&k->insns[i], mnemonic, launch->watch);
		if (!strncmp(mnemonic, "LDSM", strlen("LDSM"))) /* none of Nsight Compute's shared loads */
			launch->insn[i].counted = 0;
		if (launch->insn[i].async == ASYNC_POLL)
			launch->insn[i].flags |= INSN_BYPASS_L1;
		if (launch->insn[i].async != ASYNC_NONE)
			launch->insn[i].effects = EFFECT_OTHER;
		launch->has_phase_waits |= launch->insn[i].async == ASYNC_PHASE_WAIT;
		if (k->insns[i].op == OP_TENSOR || k->insns[i].op == OP_TENSOR64)
			decode_product(&launch->insn[i], mnemonic);
		launch->flushes_l1 |= k->insns[i].op == OP_FENCE && k->insns[i].flags & INSN_GPU_SCOPE;
		if (k->insns[i].op == OP_FENCE && !strncmp(mnemonic, "CCTL", strlen("CCTL")))
			launch->insn[i].effects |= EFFECT_EMPTIES;
		if (k->insns[i].pc < low)
			low = k->insns[i].pc;
		if (k->insns[i].pc > high)
			high = k->insns[i].pc;
	}
	number_lines(launch, m, k->insn_count ? low : 0, line_bytes);
	uint64_t lines = k->insn_count ? (high - low) / line_bytes + 1 : 1;
	launch->code_bytes = k->insn_count && lines < CODE_LINES_MAX ? high - low + INSN_BYTES : 0;
	uint32_t unused = reg_place(highest) + 1; /* destination of instructions without one */
	for (uint32_t i = 0; i < k->insn_count; i++)
		if (!launch->insn[i].dst_span)
			launch->insn[i].dst = (uint16_t)unused;
	launch->reg_places = unused + 1;
	return true;
}
