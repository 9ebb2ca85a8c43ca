/* The reports of looks: what an observer saw in a launch, as JSON. */
#ifndef SLUICE_RUN_LOOK_REPORTS_H
#define SLUICE_RUN_LOOK_REPORTS_H

#include <jansson.h>

#include "gpu/gpu.h"

/* A launch, seen through one observer. */
struct look_scene {
	const struct machine *machine;
	const struct counters *counters;
	const struct trace_kernel *kernel;
	const struct launch_result *result;
	const struct gpu *whole;
	void *gpu;                           /* the observer's GPU block */
	void **sm;                           /* its SM blocks; NULL where an SM had no CTA */
	const struct sm_view *view;          /* per SM, at the end */
	const struct counters **sm_counters; /* per SM; NULL where an SM had no CTA */
	uint32_t count;                      /* SMs of the machine */
};

struct look_field {
	const char *name, *unit, *doc;
};

/* A report is an object with the fields in the order of the table. */
json_t *look_series_json(const struct look_scene *scene);
json_t *look_matrix_json(const struct look_scene *scene);
json_t *look_locality_json(const struct look_scene *scene);
json_t *look_reuse_json(const struct look_scene *scene);
json_t *look_distance_json(const struct look_scene *scene);
json_t *look_sms_json(const struct look_scene *scene);
json_t *look_failures_json(const struct look_scene *scene);
json_t *look_instructions_json(const struct look_scene *scene);
json_t *look_channels_json(const struct look_scene *scene);
json_t *look_ctas_json(const struct look_scene *scene);
json_t *look_bypass_json(const struct look_scene *scene);
json_t *look_shared_json(const struct look_scene *scene);

extern const struct look_field look_series_fields[], look_matrix_fields[], look_locality_fields[],
    look_reuse_fields[], look_distance_fields[], look_sms_fields[], look_failures_fields[],
    look_bypass_fields[], look_shared_fields[], look_instructions_fields[], look_channels_fields[],
    look_ctas_fields[]; /* ended by a NULL name */

#endif
