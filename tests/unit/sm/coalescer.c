/*
 * The coalescer against a plain walk over the bytes of every lane, on every
 * machine: line requests, sectors, lanes of atomics, bank wavefronts.
 */
#include "sm/coalescer.h"

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* ---- the plain walk --------------------------------------------------------------------------------------------- */

struct plain {
	struct coalesced out;
	struct line_request request[COALESCE_MAX];
};

/* Lanes are put together in groups, active or not: all of them, or by width as Fermi does. */
static unsigned group_of(const struct machine *m, unsigned lane, unsigned width)
{
	return m->lsu_coalesce != COALESCE_BY_WIDTH || width <= 4 ? 0 : lane / (width == 8 ? 16 : 8);
}

static struct line_request *plain_line(struct plain *p, uint32_t first, uint64_t line)
{
	for (uint32_t i = first; i < p->out.count; i++)
		if (p->request[i].line == line)
			return &p->request[i];
	p->request[p->out.count] = (struct line_request){.line = line};
	return &p->request[p->out.count++];
}

static void add_bytes(struct plain *p, const struct machine *m, const struct warp_step *step, unsigned width)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned at = 0, group = 0;
	uint32_t first = 0;
	step_addresses(step, address);
	for (unsigned lane = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(step->mask >> lane & 1))
			continue;
		if (group_of(m, lane, width) != group) {
			group = group_of(m, lane, width);
			first = p->out.count;
		}
		for (unsigned b = 0; b < width; b++) {
			uint64_t byte = address[at] + b;
			uint32_t offset = (uint32_t)(byte % m->l1d_line_bytes);
			struct line_request *r = plain_line(p, first, byte / m->l1d_line_bytes);
			r->bytes[offset / CHUNK_BYTES] |= 1u << offset % CHUNK_BYTES;
		}
		at++;
	}
}

static void find_sectors(struct plain *p, const struct machine *m)
{
	uint32_t chunks = m->l1d_sector_bytes / CHUNK_BYTES;
	for (uint32_t i = 0; i < p->out.count; i++) {
		struct line_request *r = &p->request[i];
		for (uint32_t s = 0; s < m->l1d_line_bytes / m->l1d_sector_bytes; s++) {
			uint64_t set = 0;
			for (uint32_t c = s * chunks; c < (s + 1) * chunks; c++)
				set += (uint64_t)__builtin_popcount(r->bytes[c]);
			r->sectors |= (uint8_t)((set != 0) << s);
			r->full |= (uint8_t)((set == m->l1d_sector_bytes) << s);
		}
		p->out.sectors += (uint32_t)__builtin_popcount(r->sectors);
	}
}

/* Of an atomic: the most lanes on one word of each chunk, summed over chunks. */
static void find_lanes(struct plain *p, const struct machine *m, const struct warp_step *step)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned n = step_addresses(step, address);
	for (uint32_t i = 0; i < p->out.count; i++) {
		struct line_request *r = &p->request[i];
		uint32_t all = 0;
		for (uint32_t chunk = 0; chunk < LINE_CHUNKS; chunk++) {
			uint32_t most = 0;
			for (uint32_t word = 0; word < CHUNK_BYTES / 4; word++) {
				uint64_t where = r->line * m->l1d_line_bytes + chunk * CHUNK_BYTES + 4 * word;
				uint32_t lanes = 0;
				for (unsigned k = 0; k < n; k++)
					lanes += address[k] / 4 == where / 4 &&
					         chunk * CHUNK_BYTES < m->l1d_line_bytes;
				most = lanes > most ? lanes : most;
				all += lanes;
			}
			r->lanes = (uint8_t)(r->lanes + most);
			r->passes = (uint8_t)(most > r->passes ? most : r->passes);
		}
		/* A pass of one lane takes a cycle, any other one more than it has sectors. */
		p->out.passes += r->lanes + (all == r->passes ? 0u : r->passes);
	}
}

/* The most distinct words of one bank that a group of active lanes wants, summed over groups. */
static uint32_t plain_wavefronts(const struct machine *m, const struct warp_step *step, unsigned width,
                                 bool each_lane)
{
	uint64_t address[TRACE_MAX_LANES], seen[TRACE_MAX_LANES * 4];
	unsigned n = step_addresses(step, address), group = width <= 4   ? TRACE_MAX_LANES
	                                                    : width <= 8 ? 16
	                                                                 : 8;
	uint32_t total = 0, words = width > m->smem_bank_bytes ? width / m->smem_bank_bytes : 1;
	for (unsigned start = 0; start < n; start += group) {
		uint32_t most = 1;
		for (uint32_t bank = 0; bank < m->smem_banks; bank++) {
			uint32_t count = 0;
			for (unsigned i = start; i < n && i < start + group; i++)
				for (uint32_t k = 0; k < words; k++) {
					uint64_t word = address[i] / m->smem_bank_bytes + k;
					bool known = false;
					for (uint32_t j = 0; j < count && !each_lane; j++)
						known |= seen[j] == word;
					if (word % m->smem_banks == bank && !known)
						seen[count++] = word;
				}
			most = count > most ? count : most;
		}
		total += most;
	}
	return total;
}

static void plain_global(struct plain *p, const struct machine *m, const struct trace_insn *insn,
                         const struct warp_step *step)
{
	unsigned width = insn->width_bytes;
	memset(p, 0, sizeof *p);
	add_bytes(p, m, step, width);
	find_sectors(p, m);
	if (insn->op == OP_ATOMIC || insn->op == OP_REDUCE)
		find_lanes(p, m, step);
	p->out.wavefronts = plain_wavefronts(m, step, width, false);
	if (p->out.wavefronts < width / 4)
		p->out.wavefronts = width / 4;
}

/* ---- comparison --------------------------------------------------------------------------------------------------- */

/* The same requests, in any order: what matters is each line of each group. */
static bool same_requests(const struct plain *want, const struct coalesced *out,
                          const struct line_request *got)
{
	bool used[COALESCE_MAX] = {0};
	if (out->count != want->out.count || out->sectors != want->out.sectors ||
	    out->wavefronts != want->out.wavefronts || out->passes != want->out.passes)
		return false;
	for (uint32_t i = 0; i < out->count; i++) {
		uint32_t k = 0;
		while (k < out->count &&
		       (used[k] || got[i].line != want->request[k].line ||
		        memcmp(got[i].bytes, want->request[k].bytes, sizeof got[i].bytes) ||
		        got[i].sectors != want->request[k].sectors || got[i].full != want->request[k].full ||
		        got[i].lanes != want->request[k].lanes || got[i].passes != want->request[k].passes))
			k++;
		if (k == out->count)
			return false;
		used[k] = true;
	}
	return true;
}

static bool agree(struct coalescer *c, const struct machine *m, const struct trace_insn *insn,
                  const struct warp_step *step)
{
	static struct plain want;
	static struct line_request got[COALESCE_MAX];
	bool each_lane = insn->op == OP_ATOMIC || insn->op == OP_REDUCE;
	plain_global(&want, m, insn, step);
	struct coalesced out = coalesce_global(c, coalesce_shape(insn), step, got);
	if (!same_requests(&want, &out, got)) {
		printf(
		    "# %s: width %u, %u lines, expected %u; %u sectors, expected %u; %u wavefronts, expected %u\n",
		    m->name, insn->width_bytes, out.count, want.out.count, out.sectors, want.out.sectors,
		    out.wavefronts, want.out.wavefronts);
		return false;
	}
	uint32_t passes = coalesce_shared(c, coalesce_shape(insn), step),
	         plain = plain_wavefronts(m, step, insn->width_bytes, each_lane);
	if (passes != plain)
		printf("# %s: %u passes through shared memory, expected %u\n", m->name, passes, plain);
	return passes == plain;
}

static const uint8_t widths[] = {1, 2, 4, 8, 16};

static struct trace_insn random_insn(uint64_t *state, uint32_t at)
{
	static const enum op_class ops[] = {OP_LOAD, OP_STORE, OP_ATOMIC, OP_REDUCE};
	enum op_class op = ops[synth_random(state) % 4];
	bool atomic = op == OP_ATOMIC || op == OP_REDUCE;
	uint8_t width = atomic ? 4 : widths[synth_random(state) % 5];
	return synth_memory(at, op, SPACE_GLOBAL, width, 8, 2);
}

static uint64_t random_mask(uint64_t *state, uint32_t warp_size)
{
	uint64_t mask = synth_random(state) % 3 ? synth_random(state) & synth_random(state) : UINT64_MAX;
	mask &= synth_lanes(warp_size);
	return mask ? mask : 1;
}

/* More of them than a coalescer remembers. */
TEST(shapes_that_take_the_same_place_are_told_apart)
{
	struct machine *m = machine_load("h200", &(struct error){{0}});
	struct coalescer *c = coalescer_new(m);
	struct trace_insn insn = {
	    .op = OP_LOAD, .flags = INSN_MEMORY, .space = SPACE_GLOBAL, .width_bytes = 4};
	for (int64_t stride = 0; stride < 4 * 3000; stride += 4) {
		struct warp_step step = {
		    .mask = UINT32_MAX, .base = 1 << 20, .stride = stride, .kind = ADDR_STRIDE};
		CHECK(agree(c, m, &insn, &step));
	}
	coalescer_free(c);
	machine_free(m);
}

TEST(strided_accesses_of_every_shape_are_coalesced_as_their_bytes_say)
{
	for (const char *const *name = bench_machines(); *name; name++) {
		struct machine *m = machine_load(*name, &(struct error){{0}});
		struct coalescer *c = coalescer_new(m);
		uint64_t state = 29;
		for (int i = 0; i < 600; i++) {
			struct trace_insn insn = random_insn(&state, 0);
			uint32_t width = insn.width_bytes;
			int64_t stride = (int64_t)(synth_random(&state) % 70) * width - (int64_t)(20 * width);
			uint64_t base = (1 << 20) + synth_random(&state) % 512;
			base -= synth_random(&state) % 4 ? base % width : 0; /* now and then it straddles */
			struct warp_step step = {.mask = random_mask(&state, m->sm_warp_size),
			                         .base = base,
			                         .stride = stride,
			                         .kind = ADDR_STRIDE};
			CHECK(agree(c, m, &insn, &step));
			step.base +=
			    m->l1d_line_bytes * (synth_random(&state) % 100); /* a shape it remembers */
			CHECK(agree(c, m, &insn, &step));
		}
		coalescer_free(c);
		machine_free(m);
	}
}

/* Lists are made by the trace writer, which alone knows their bytes; words are shared often, lines sometimes. */
static struct trace *list_trace(uint32_t warp_size, uint32_t steps)
{
	struct synth *s = synth_new();
	uint64_t state = 31, address[TRACE_MAX_LANES];
	synth_kernel(s,
	             &(struct synth_shape){.name = "lists", .ctas = 1, .warps = 1, .warp_size = warp_size});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < steps; i++) {
		struct trace_insn insn = random_insn(&state, i);
		uint64_t mask = random_mask(&state, warp_size),
		         span = (uint64_t)64 << synth_random(&state) % 8;
		for (unsigned k = 0; k < TRACE_MAX_LANES; k++) {
			address[k] = (1 << 20) + synth_random(&state) % span;
			address[k] -= synth_random(&state) % 8 ? address[k] % insn.width_bytes : 0;
		}
		synth_list(s, insn, mask, address);
	}
	return synth_finish(s);
}

TEST(scattered_accesses_are_coalesced_as_their_bytes_say)
{
	for (const char *const *name = bench_machines(); *name; name++) {
		struct error err;
		struct machine *m = machine_load(*name, &err);
		struct coalescer *c = coalescer_new(m);
		struct trace *trace = list_trace(m->sm_warp_size, 400);
		const struct trace_kernel *kernel = trace_kernel_at(trace, 0);
		struct trace_reader *reader = trace_reader_new(trace, &err);
		uint8_t *buffer = malloc(cta_buffer_bytes(kernel));
		struct warp_cursor cursor;
		struct warp_step step;
		uint32_t steps = 0;
		CHECK(trace_read_cta(reader, 0, 0, buffer, &cursor, &err));
		for (; cursor_next(reader, kernel, &cursor, &step, &err) == CURSOR_STEP; steps++)
			CHECK(agree(c, m, &kernel->insns[step.insn], &step));
		CHECK_EQ(steps, 400);
		free(buffer);
		trace_reader_free(reader);
		trace_close(trace);
		coalescer_free(c);
		machine_free(m);
	}
}

static struct coalesced of_stride(const char *machine, uint8_t width, uint64_t base, int64_t stride,
                                  struct line_request *request)
{
	struct machine *m = machine_load(machine, &(struct error){{0}});
	struct coalescer *c = coalescer_new(m);
	struct trace_insn insn = synth_memory(0, OP_LOAD, SPACE_GLOBAL, width, 8, 2);
	struct warp_step step = {.mask = UINT32_MAX, .base = base, .stride = stride, .kind = ADDR_STRIDE};
	struct coalesced out = coalesce_global(c, coalesce_shape(&insn), &step, request);
	coalescer_free(c);
	machine_free(m);
	return out;
}

/* Figures that every programming guide gives. */
TEST(the_textbook_cases_come_out)
{
	static struct line_request request[COALESCE_MAX];
	struct coalesced out =
	    of_stride("h200", 4, 4096, 4, request); /* neighbours: one line, four sectors */
	CHECK(out.count == 1 && out.sectors == 4 && out.wavefronts == 1 && request[0].full == 0xf);
	out = of_stride("h200", 4, 4096 + 64, 4, request); /* the same, misaligned by half a line */
	CHECK(out.count == 2 && out.sectors == 4);
	out = of_stride("h200", 4, 4096, 8, request); /* every other word */
	CHECK(out.count == 2 && out.sectors == 8 && !request[0].full);
	out = of_stride("h200", 4, 4096, 128, request); /* a line each */
	CHECK(out.count == 32 && out.sectors == 32 && out.wavefronts == 32);
	out = of_stride("h200", 16, 4096, 16, request); /* float4 */
	CHECK(out.count == 4 && out.sectors == 16 && out.wavefronts == 4);
	out = of_stride("gtx480-khairy", 8, 4096, 8, request); /* Fermi: half warps of 8 B */
	CHECK(out.count == 2);
	out = of_stride("gtx480-khairy", 8, 4096, 0, request); /* one address, but two halves */
	CHECK(out.count == 2);
}

TEST_RUN_ALL(true)
