#include "report/formats.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "report/table.h"

/* ---- CSV ------------------------------------------------------------------------------------------------------ */

static void put_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, "%.10g", value);
}

static void put_dim(FILE *out, const struct trace_dim *dim, bool nsight)
{
	fprintf(out, nsight ? "\"(%u, %u, %u)\"" : "%ux%ux%u", dim->x, dim->y, dim->z);
}

static void csv_head(FILE *out, bool nsight)
{
	fputs(nsight ? "ID,Kernel Name,Block Size,Grid Size" : "launch,kernel,status,grid,block", out);
	for (int i = 0; i < COUNTER_COUNT + METRIC_COUNT; i++) {
		const struct counter_info *info =
		    i < COUNTER_COUNT ? &counter_infos[i] : &metric_infos[i - COUNTER_COUNT];
		if (!nsight || *info->ncu)
			fprintf(out, ",%s", nsight ? info->ncu : info->name);
	}
	fputc('\n', out);
}

static void csv_launch(FILE *out, const struct machine *machine, const struct run_launch *launch, bool nsight)
{
	const struct counters *counters = &launch->result.counters;
	fprintf(out, "%u,", launch->index + !nsight);
	table_put_csv(out, launch->kernel->name);
	if (!nsight)
		fprintf(out, ",%s", run_status_name(launch->result.status));
	fputc(',', out);
	put_dim(out, nsight ? &launch->kernel->block : &launch->kernel->grid, nsight);
	fputc(',', out);
	put_dim(out, nsight ? &launch->kernel->grid : &launch->kernel->block, nsight);
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!nsight || *counter_infos[i].ncu)
			fprintf(out, ",%" PRIu64, counters->value[i]);
	for (int i = 0; i < METRIC_COUNT; i++)
		if (!nsight || *metric_infos[i].ncu) {
			fputc(',', out);
			put_number(out, metric_value((enum metric)i, counters, machine));
		}
	fputc('\n', out);
}

char *format_csv(const struct machine *machine, const struct run_result *result, bool nsight)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	csv_head(out, nsight);
	for (size_t i = 0; i < result->count; i++)
		csv_launch(out, machine, &result->launch[i], nsight);
	memory_stream_close(out);
	return text;
}

static void put_json(FILE *out, const json_t *value)
{
	if (json_is_string(value))
		table_put_csv(out, json_string_value(value));
	else if (json_is_number(value))
		put_number(out, json_number_value(value));
}

char *format_csv_rows(const char *const *titles, size_t title_count, const json_t *const *keys,
                      const json_t *const *results, size_t rows)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	for (size_t i = 0; i < title_count; i++) {
		fputs(i ? "," : "", out);
		table_put_csv(out, titles[i]);
	}
	for (int i = 0; i < COUNTER_COUNT + METRIC_COUNT; i++)
		fprintf(out, ",%s",
		        i < COUNTER_COUNT ? counter_infos[i].name : metric_infos[i - COUNTER_COUNT].name);
	fputc('\n', out);
	for (size_t r = 0; r < rows; r++) {
		const json_t *total = json_object_get(results[r], "total");
		if (!total)
			continue;
		for (size_t i = 0; i < title_count; i++) {
			fputs(i ? "," : "", out);
			put_json(out, json_array_get(keys[r], i));
		}
		for (int i = 0; i < COUNTER_COUNT + METRIC_COUNT; i++) {
			const json_t *of = json_object_get(total, i < COUNTER_COUNT ? "counters" : "metrics");
			fputc(',', out);
			put_json(out, json_object_get(of, i < COUNTER_COUNT
			                                      ? counter_infos[i].name
			                                      : metric_infos[i - COUNTER_COUNT].name));
		}
		fputc('\n', out);
	}
	memory_stream_close(out);
	return text;
}

/* ---- trace events --------------------------------------------------------------------------------------------- */

/* Processes of the trace: 1 is the GPU, 2 + i is SM i. */
enum { TRACK_GPU = 1, TRACK_SM = 2 };

struct events {
	FILE *out;
	double mhz;
	uint64_t offset; /* cycles before the launch */
	bool any;
};

/* Begin an event; the caller adds members and the closing brace. */
static void event(struct events *e, const char *phase, int pid, double cycle)
{
	fprintf(e->out, "%s{\"ph\":\"%s\",\"pid\":%d,\"ts\":%.4f", e->any ? ",\n" : "", phase, pid,
	        ((double)e->offset + cycle) / e->mhz);
	e->any = true;
}

static void name_track(struct events *e, int pid, const char *name)
{
	event(e, "M", pid, -(double)e->offset);
	fprintf(e->out, ",\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}", name);
	event(e, "M", pid, -(double)e->offset);
	fprintf(e->out, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%d}}", pid);
}

static void put_kernel(struct events *e, const struct run_launch *launch)
{
	json_t *name = json_text(launch->kernel->name);
	char *quoted = json_dumps(name, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	double cycles = (double)launch->result.counters.value[COUNT_cycles];
	event(e, "X", TRACK_GPU, 0);
	fprintf(
	    e->out,
	    ",\"tid\":0,\"dur\":%.4f,\"cat\":\"kernel\",\"name\":%s,\"args\":{\"launch\":%u,\"cycles\":%.0f}}",
	    cycles / e->mhz, quoted, launch->index + 1, cycles);
	free(quoted);
	json_decref(name);
}

static void put_ctas(struct events *e, const json_t *ctas, uint64_t cycles)
{
	const json_t *sms = json_object_get(ctas, "sm"), *slots = json_object_get(ctas, "slot"),
	             *starts = json_object_get(ctas, "start"), *ends = json_object_get(ctas, "end");
	for (size_t i = 0; i < json_array_size(sms); i++) {
		const json_t *end = json_array_get(ends, i);
		json_int_t sm = json_integer_value(json_array_get(sms, i)),
		           from = json_integer_value(json_array_get(starts, i));
		double to = json_is_integer(end) ? (double)json_integer_value(end) : (double)cycles;
		event(e, "X", TRACK_SM + (int)sm, (double)from);
		fprintf(e->out,
		        ",\"tid\":%" JSON_INTEGER_FORMAT ",\"dur\":%.4f,\"cat\":\"cta\",\"name\":\"CTA\"}",
		        json_integer_value(json_array_get(slots, i)), (to - (double)from) / e->mhz);
	}
}

/* A counter with one value, or none where there is none. */
static void put_counter(struct events *e, const char *name, double start, const json_t *value)
{
	if (!json_is_number(value))
		return;
	event(e, "C", TRACK_GPU, start);
	fprintf(e->out, ",\"name\":\"%s\",\"args\":{\"value\":%.6g}}", name, json_number_value(value));
}

static void put_series(struct events *e, const json_t *series)
{
	static const char *const names[] = {
	    "ipc",         "resident_warps", "active_warps",    "resident_ctas",   "l1_hit_rate",
	    "l2_hit_rate", "dram_bandwidth", "dram_read_bytes", "dram_write_bytes"};
	const json_t *ends = json_object_get(series, "cycle"),
	             *reasons = json_object_get(series, "sms_by_reason");
	double start = 0;
	for (size_t k = 0; k < json_array_size(ends); k++) {
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			put_counter(e, names[i], start, json_array_get(json_object_get(series, names[i]), k));
		event(e, "C", TRACK_GPU, start);
		fputs(",\"name\":\"SMs by reason\",\"args\":{", e->out);
		for (int c = COUNT_issue_cycles; c <= COUNT_stall_policy_throttle; c++)
			fprintf(e->out, "%s\"%s\":%.4g", c > COUNT_issue_cycles ? "," : "",
			        counter_infos[c].name,
			        json_number_value(
			            json_array_get(json_object_get(reasons, counter_infos[c].name), k)));
		fputs("}}", e->out);
		start = json_number_value(json_array_get(ends, k));
	}
}

char *format_perfetto(const struct machine *machine, const struct run_result *result)
{
	char *text = NULL, name[64];
	size_t bytes;
	struct events e = {.out = memory_stream_open(&text, &bytes), .mhz = machine->clock_core_mhz};
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", e.out);
	name_track(&e, TRACK_GPU, "GPU");
	for (uint32_t sm = 0; sm < machine->sm_count; sm++) {
		snprintf(name, sizeof name, "SM %u", sm);
		name_track(&e, TRACK_SM + (int)sm, name);
	}
	for (size_t i = 0; i < result->count; i++) {
		const struct run_launch *launch = &result->launch[i];
		uint64_t cycles = launch->result.counters.value[COUNT_cycles];
		put_kernel(&e, launch);
		put_ctas(&e, json_object_get(launch->look, "ctas"), cycles);
		put_series(&e, json_object_get(launch->look, "series"));
		e.offset += cycles;
	}
	fputs("\n]}\n", e.out);
	memory_stream_close(e.out);
	return text;
}

/* ---- the statistics of GPGPU-Sim ------------------------------------------------------------------------------ */

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void put_cache(FILE *out, const char *name, uint64_t accesses, uint64_t misses, uint64_t pending,
                      uint64_t fails)
{
	fprintf(out, "\t%s_total_cache_accesses = %" PRIu64 "\n\t%s_total_cache_misses = %" PRIu64 "\n", name,
	        accesses, name, misses);
	fprintf(out, "\t%s_total_cache_miss_rate = %.4f\n", name, share((double)misses, (double)accesses));
	fprintf(out,
	        "\t%s_total_cache_pending_hits = %" PRIu64 "\n\t%s_total_cache_reservation_fails = %" PRIu64
	        "\n",
	        name, pending, name, fails);
}

/* Statistics that GPGPU-Sim prints of the whole run up to here. */
static void put_totals(FILE *out, const uint64_t *t)
{
	fprintf(out, "gpgpu_n_tot_thrd_icount = %" PRIu64 "\ngpgpu_n_tot_w_icount = %" PRIu64 "\n",
	        t[COUNT_thread_insns], t[COUNT_warp_insns]);
	fprintf(out, "gpgpu_n_load_insn = %" PRIu64 "\ngpgpu_n_store_insn = %" PRIu64 "\n",
	        t[COUNT_insns_global_load], t[COUNT_insns_global_store]);
	fprintf(out, "gpgpu_n_mem_read_global = %" PRIu64 "\ngpgpu_n_mem_write_global = %" PRIu64 "\n",
	        t[COUNT_l1_misses] + t[COUNT_l1_bypasses], t[COUNT_l1_stores]);
	fprintf(out, "gpgpu_n_shmem_bkconflict = %" PRIu64 "\n", t[COUNT_smem_conflicts]);
	fputs("\nTotal_core_cache_stats:\nL1D_cache:\n", out);
	put_cache(out, "L1D", t[COUNT_l1_accesses] + t[COUNT_l1_stores],
	          t[COUNT_l1_misses] + t[COUNT_l1_bypasses], t[COUNT_l1_pending_hits],
	          t[COUNT_l1_fail_line_alloc] + t[COUNT_l1_fail_mshr_entry] + t[COUNT_l1_fail_mshr_merge] +
	              t[COUNT_l1_fail_miss_queue]);
	fputs("========= L2 cache stats =========\n", out);
	put_cache(out, "L2", t[COUNT_l2_read_sectors] + t[COUNT_l2_write_sectors],
	          t[COUNT_l2_read_sectors] - t[COUNT_l2_read_hit_sectors], 0, t[COUNT_l2_stall_cycles]);
	fprintf(out, "total dram reads = %" PRIu64 "\ntotal dram writes = %" PRIu64 "\n",
	        t[COUNT_dram_read_bytes] / 32, t[COUNT_dram_write_bytes] / 32);
	fprintf(out, "icnt_total_pkts_mem_to_simt=%" PRIu64 "\nicnt_total_pkts_simt_to_mem=%" PRIu64 "\n",
	        t[COUNT_icnt_replies], t[COUNT_icnt_requests]);
}

char *format_stats(const struct machine *machine, const struct run_result *result)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	struct counters total = {{0}};
	for (size_t i = 0; i < result->count; i++) {
		const struct run_launch *launch = &result->launch[i];
		const struct counters *own = &launch->result.counters;
		const uint64_t *c = own->value, *t = total.value;
		counters_add(&total, own);
		double occupancy = metric_value(METRIC_occupancy, own, machine),
		       all = metric_value(METRIC_occupancy, &total, machine);
		fprintf(out, "kernel_name = %s \nkernel_launch_uid = %u \n", launch->kernel->name,
		        launch->index + 1);
		fprintf(out, "gpu_sim_cycle = %" PRIu64 "\ngpu_sim_insn = %" PRIu64 "\ngpu_ipc = %12.4f\n",
		        c[COUNT_cycles], c[COUNT_thread_insns],
		        share((double)c[COUNT_thread_insns], (double)c[COUNT_cycles]));
		fprintf(out,
		        "gpu_tot_sim_cycle = %" PRIu64 "\ngpu_tot_sim_insn = %" PRIu64
		        "\ngpu_tot_ipc = %12.4f\n",
		        t[COUNT_cycles], t[COUNT_thread_insns],
		        share((double)t[COUNT_thread_insns], (double)t[COUNT_cycles]));
		fprintf(out, "gpu_tot_issued_cta = %" PRIu64 "\n", t[COUNT_ctas]);
		fprintf(out, "gpu_occupancy = %.4f%% \ngpu_tot_occupancy = %.4f%% \n",
		        isnan(occupancy) ? 0 : occupancy, isnan(all) ? 0 : all);
		put_totals(out, t);
		fputs("\n", out);
	}
	fprintf(out, "GPGPU-Sim: *** exit detected ***\n");
	memory_stream_close(out);
	return text;
}
