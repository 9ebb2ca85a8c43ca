/*
 * Looking inside a run: observers in the policy chain, and what they saw, as JSON per launch.
 * docs/looking-inside.md says what each look means.
 */
#ifndef SLUICE_RUN_LOOK_H
#define SLUICE_RUN_LOOK_H

#include <jansson.h>

#include "gpu/gpu.h"

struct look;

/* "all" or "name[:param=value]...[,...]". Adds observers to the chain, before any GPU is made; NULL: err says why. */
struct look *look_new(const char *text, struct chain *chain, struct error *err);
/* After the chain has been freed. */
void look_free(struct look *look);
/* The looks there are, from 0; NULL: no more. */
const char *look_name(size_t index);
/* Once after each launch, before the next. */
json_t *look_report(const struct look *look, const struct gpu *gpu, const struct trace_kernel *kernel,
                    const struct launch_result *result);
/* What each field of the looks that were asked for means. */
json_t *look_definitions(const struct look *look);

#endif
