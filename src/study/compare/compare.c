/* What runs are compared by, out of their JSON. */
#include "study/compare/compare.h"

#include <math.h>
#include <string.h>

const struct compare_info compare_infos[COMPARE_COUNT] = {
#define V(name, title, unit, decimals, better, doc) {#name, title, unit, decimals, better, doc},
#include "study/compare/compare.def"
};

/* NaN where there is no such number. */
static double number_at(const json_t *object, const char *name)
{
	const json_t *number = json_object_get(object, name);
	return json_is_number(number) ? json_number_value(number) : NAN;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* In joules; runs whose machine says nothing of energy have none. */
static double total_energy(const json_t *total)
{
	return number_at(json_object_get(total, "energy"), "total");
}

static double speedup_of(const struct batch_run *run, const struct batch_run *first)
{
	const json_t *metrics = json_object_get(json_object_get(run->result, "total"), "metrics");
	const json_t *base = json_object_get(json_object_get(first->result, "total"), "metrics");
	if (batch_is_stuck(run->result) || batch_is_stuck(first->result))
		return NAN;
	return ratio(number_at(metrics, "ipc"), number_at(base, "ipc"));
}

void compare_fill(struct compare_row *row, const struct batch_run *run, const struct batch_run *first)
{
	const json_t *total = json_object_get(run->result, "total");
	const json_t *metrics = json_object_get(total, "metrics"), *c = json_object_get(total, "counters");
	double busy = number_at(c, "sm_cycles") - number_at(c, "stall_idle");
	row->chain = run->config.chain->text;
	row->status = json_string_value(json_object_get(run->result, "status"));
	row->value[COMPARE_ipc] = number_at(metrics, "ipc");
	row->value[COMPARE_thread_ipc] = number_at(metrics, "thread_ipc");
	row->value[COMPARE_speedup] = speedup_of(run, first);
	row->value[COMPARE_l1_hit_rate] = number_at(metrics, "l1_load_hit_rate");
	row->value[COMPARE_mpki] = 1000 * ratio(number_at(c, "l1_misses") + number_at(c, "l1_bypasses"),
	                                        number_at(c, "thread_insns"));
	row->value[COMPARE_active_warps] = ratio(number_at(c, "warp_cycles"), busy);
	row->value[COMPARE_dram_bytes] = number_at(c, "dram_read_bytes") + number_at(c, "dram_write_bytes");
	row->value[COMPARE_energy] = total_energy(total);
}

bool compare_has(const struct compare_row *rows, size_t count, enum compare_value value)
{
	for (size_t i = 0; i < count; i++)
		if (!isnan(rows[i].value[value]))
			return true;
	return false;
}
