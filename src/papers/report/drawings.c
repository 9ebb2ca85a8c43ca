/* What shows the drawings of charts: files of SVG, and the page. */
#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/json.h"
#include "base/output.h"
#include "papers/report/parts.h"
#include "report/chart/chart.h"
#include "report/page.h"

/* ---- files ------------------------------------------------------------------------------------------------ */

static bool write_chart(const char *folder, const char *paper, const char *figure, size_t index,
                        const json_t *chart, double width_mm, struct error *err)
{
	char path[PATH_MAX];
	json_t *sized = json_copy((json_t *)(uintptr_t)chart);
	if (width_mm > 0)
		json_object_set_new(sized, "width_mm", json_real(width_mm));
	char *text = chart_svg(sized);
	json_decref(sized);
	if (!text)
		return true;
	int n = snprintf(path, sizeof path, "%s/%s%s%s%s%.0zu.svg", folder, paper, *paper ? "-" : "", figure,
	                 index ? "-" : "", index ? index + 1 : 0);
	bool ok = n < (int)sizeof path ? output_write(path, text, strlen(text), err)
	                               : error_set(err, "%s: the path is too long", folder);
	free(text);
	return ok;
}

bool reproduction_svg(const json_t *report, const char *folder, double width_mm, struct error *err)
{
	const json_t *paper, *figure, *chart;
	char path[PATH_MAX];
	size_t i, k, c;
	snprintf(path, sizeof path, "%s", folder);
	if (!cache_make_folders(path, err))
		return false;
	json_array_foreach(json_object_get(report, "papers"), i,
	                   paper) json_array_foreach(json_object_get(paper, "figures"), k, figure)
	    json_array_foreach(json_object_get(figure, "charts"), c,
	                       chart) if (!write_chart(folder, text_at(paper, "name"), text_at(figure, "id"),
	                                               c, chart, width_mm, err)) return false;
	return true;
}

/* ---- the page --------------------------------------------------------------------------------------------- */

/* Add a text that the caller gives up, or nothing. */
static void add_text(json_t *object, const char *key, char *text)
{
	if (text)
		json_object_set_new(object, key, json_text(text));
	free(text);
}

static void complete_figure(const char *paper, json_t *figure)
{
	json_t *chart;
	size_t i;
	add_text(figure, "csv", figure_csv_text(paper, figure));
	json_array_foreach(json_object_get(figure, "charts"), i, chart)
	    add_text(chart, "drawing", chart_svg(chart));
}

static void complete_claim(json_t *claim)
{
	char published[512], measured[512];
	claim_texts(claim, published, measured, sizeof published);
	json_object_set_new(claim, "published_text", json_text(published));
	json_object_set_new(claim, "measured_text", json_text(measured));
}

/* web/reproduce.js makes the page from the document, which has drawings, CSV and texts of claims in addition. */
char *reproduction_html(const json_t *report)
{
	json_t *all = json_deep_copy(report), *paper, *one;
	size_t i, k;
	json_array_foreach(json_object_get(all, "papers"), i, paper)
	{
		json_array_foreach(json_object_get(paper, "figures"), k, one)
		    complete_figure(text_at(paper, "name"), one);
		json_array_foreach(json_object_get(paper, "claims"), k, one) complete_claim(one);
	}
	char *data = json_dumps(all, JSON_COMPACT), *page = page_write(PAGE_REPRODUCE, data);
	json_decref(all);
	free(data);
	return page;
}
