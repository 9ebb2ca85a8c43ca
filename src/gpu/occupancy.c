#include "gpu/occupancy.h"

#include "gpu/gpu.h"

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Shared memory that CTAs may fill: the machine's, unless a policy keeps it elsewhere. */
static uint32_t smem_capacity(const struct machine *m, const struct hooks *hooks)
{
	uint32_t bytes = hooks_smem_capacity(hooks);
	return bytes ? bytes : m->smem_bytes;
}

/* Return how many CTAs fit, with so much shared memory on an SM; 0 with an error if none does. */
static uint32_t count_ctas(const struct machine *m, uint32_t smem_bytes, const struct trace_kernel *k,
                           struct error *err)
{
	uint64_t threads = (uint64_t)k->block.x * k->block.y * k->block.z;
	uint32_t warps = k->warps_per_cta;
	if (!warps || warps > 64 || warps > m->sm_warps || threads > m->sm_threads) {
		error_set(
		    err,
		    "kernel %s: a CTA of %llu threads (%u warps) does not fit on an SM of %s (%u threads, %u warps)",
		    k->name, (unsigned long long)threads, warps, m->name, m->sm_threads, m->sm_warps);
		return 0;
	}
	uint64_t per_warp = (uint64_t)k->registers_per_thread * k->warp_size;
	per_warp = (per_warp + m->sm_register_unit - 1) / m->sm_register_unit * m->sm_register_unit;
	uint64_t registers = per_warp * warps;
	if (registers > m->sm_registers) {
		error_set(err, "kernel %s: a CTA needs %llu registers, an SM of %s has %u", k->name,
		          (unsigned long long)registers, m->name, m->sm_registers);
		return 0;
	}
	uint64_t shared = (uint64_t)k->shared_bytes + m->smem_reserved_per_cta;
	if (k->shared_bytes && shared > smem_bytes) {
		error_set(err, "kernel %s: a CTA needs %llu B of shared memory, an SM of %s has %u", k->name,
		          (unsigned long long)shared, m->name, smem_bytes);
		return 0;
	}
	uint32_t ctas = least(m->sm_ctas, m->sm_warps / warps);
	ctas = least(ctas, (uint32_t)(m->sm_threads / threads));
	if (registers)
		ctas = least(ctas, (uint32_t)(m->sm_registers / registers));
	if (k->shared_bytes)
		ctas = least(ctas, (uint32_t)(smem_bytes / shared));
	return ctas ? ctas : 1;
}

uint32_t occupancy_ctas(const struct machine *m, const struct chain *chain, const struct trace_kernel *k,
                        struct error *err)
{
	struct hooks hooks;
	struct error wrong = {.text = ""};
	bool failed = false;
	hooks_init_gpu(&hooks, chain, &wrong, &failed);
	uint32_t bytes = smem_capacity(m, &hooks);
	if (failed)
		return (uint32_t)error_set(err, "%s", wrong.text);
	return count_ctas(m, bytes, k, err);
}

uint64_t occupancy_smem_window(const struct machine *m, const struct hooks *hooks,
                               const struct trace_kernel *k, uint32_t ctas)
{
	uint64_t lines = ((uint64_t)k->shared_bytes + m->l1d_line_bytes - 1) / m->l1d_line_bytes;
	uint64_t used = lines * ctas * m->l1d_line_bytes, space = smem_capacity(m, hooks);
	return used > space ? used : space;
}

static uint32_t carve_out(const struct machine *m, uint64_t need)
{
	static const uint16_t volta[] = {0, 8, 16, 32, 64, 96},
	                      hopper[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
	bool is_hopper = m->smem_carveout == CARVE_HOPPER;
	const uint16_t *step = is_hopper ? hopper : volta;
	uint32_t count = is_hopper ? sizeof hopper / sizeof *hopper : sizeof volta / sizeof *volta;
	for (uint32_t i = 0; i < count; i++)
		if (step[i] * 1024u >= need)
			return step[i] * 1024u;
	return step[count - 1] * 1024u;
}

/* Lines that the machine leaves to L1. Shared memory that a policy keeps elsewhere counts as if it were on chip. */
static uint32_t machine_l1_lines(const struct machine *m, const struct trace_kernel *k, uint32_t ctas)
{
	if (!m->l1d_unified_bytes || m->smem_carveout == CARVE_NONE)
		return UINT32_MAX;
	uint64_t need = ctas * ((uint64_t)k->shared_bytes + m->smem_reserved_per_cta);
	/* Measured: without shared memory, 8 CTAs of 256 threads get 32 KiB, 2 of 1024 threads 8 KiB. */
	uint64_t least_kept = ctas * (uint64_t)4096 < 32768 ? ctas * (uint64_t)4096 : 32768;
	if (m->smem_carveout == CARVE_HOPPER && need < least_kept)
		need = least_kept;
	uint32_t taken = carve_out(m, need);
	taken += m->l1d_unified_overhead;
	return taken < m->l1d_unified_bytes ? (m->l1d_unified_bytes - taken) / m->l1d_line_bytes : 1;
}

uint32_t occupancy_l1_lines(const struct machine *m, const struct hooks *hooks, const struct trace_kernel *k,
                            uint32_t ctas)
{
	struct error ignored;
	uint32_t cta_bytes = k->shared_bytes ? k->shared_bytes + m->smem_reserved_per_cta : 0;
	struct smem_use use = {cta_bytes, ctas, count_ctas(m, m->smem_bytes, k, &ignored)};
	uint32_t bytes = hooks_l1_capacity(hooks, &use);
	if (bytes != UINT32_MAX)
		return bytes / m->l1d_line_bytes;
	return machine_l1_lines(m, k, use.machine_ctas && use.machine_ctas < ctas ? use.machine_ctas : ctas);
}

uint32_t occupancy_least_l1_lines(const struct machine *m, const struct hooks *hooks,
                                  const struct trace *trace)
{
	uint32_t fewest = UINT32_MAX, bytes = smem_capacity(m, hooks);
	for (unsigned i = 0; i < trace_kernel_count(trace); i++) {
		const struct trace_kernel *k = trace_kernel_at(trace, i);
		struct error ignored;
		uint32_t ctas = count_ctas(m, bytes, k, &ignored);
		if (ctas)
			fewest = least(fewest, occupancy_l1_lines(m, hooks, k, ctas));
	}
	return fewest;
}
