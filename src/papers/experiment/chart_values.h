/* The values that a chart or table of a figure shows. */
#ifndef SLUICE_PAPERS_EXPERIMENT_CHART_VALUES_H
#define SLUICE_PAPERS_EXPERIMENT_CHART_VALUES_H

#include <jansson.h>

#include "papers/experiment/values.h"

/* Return a chart as an array of documents: stacked bars have one per series. NULL: err says why. */
json_t *chart_values(struct value_scope *scope, const struct figure *figure, const struct chart *chart,
                     struct error *err);

#endif
