/* Results in forms that other tools read. */
#ifndef SLUICE_REPORT_FORMATS_H
#define SLUICE_REPORT_FORMATS_H

#include "report/run_json.h"

/* Every function returns a text that the caller frees. */

/*
 * A row per launch: counters and metrics. `nsight`: only those that Nsight Compute has, under its names, with the first
 * columns of its page of raw values.
 */
char *format_csv(const struct machine *machine, const struct run_result *result, bool nsight);

/*
 * A row per result, documents as of json_result(): first the columns of `keys` (texts and numbers), a row's values in
 * keys[row], then every counter and metric. Rows without a result are left out.
 */
char *format_csv_rows(const char *const *titles, size_t title_count, const json_t *const *keys,
                      const json_t *const *results, size_t rows);

/* Observers that format_perfetto() shows. */
#define FORMAT_PERFETTO_LOOKS "series:period=250:samples=1024:fold=1,ctas"
/*
 * Chrome's trace events, which Perfetto opens: launches, the CTAs of each SM by slot, and counters over time. Times are
 * microseconds at the core clock.
 */
char *format_perfetto(const struct machine *machine, const struct run_result *result);

/* The statistics that GPGPU-Sim prints after every kernel, those that Sluice has a counter for. */
char *format_stats(const struct machine *machine, const struct run_result *result);

#endif
