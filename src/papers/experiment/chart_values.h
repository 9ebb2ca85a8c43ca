/* Charts as numbers: what a drawing or a table of a figure shows. */
#ifndef SLUICE_PAPERS_EXPERIMENT_CHART_VALUES_H
#define SLUICE_PAPERS_EXPERIMENT_CHART_VALUES_H

#include <jansson.h>

#include "papers/experiment/values.h"

/* One chart: an array of CHARTs, as a stacked one makes several. NULL: err says why. */
json_t *chart_values(struct value_scope *scope, const struct figure *figure, const struct chart *chart,
                     struct error *err);

#endif
