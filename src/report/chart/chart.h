/*
 * Still charts: a JSON document in, SVG text out. docs/experiments.md lists the members of a chart. Kinds that are drawn
 * are bars and stacked bars, lines, scatter plots, and charts of several panels: time series, heat (matrices), and grids of small line
 * charts. Pages that react to the pointer use web/charts.js instead.
 */
#ifndef SLUICE_REPORT_CHART_CHART_H
#define SLUICE_REPORT_CHART_CHART_H

#include <jansson.h>

/* Draw a chart. Return the text of the file, owned by the caller, or NULL for a kind that is not drawn (table). */
char *chart_svg(const json_t *chart);

#endif
