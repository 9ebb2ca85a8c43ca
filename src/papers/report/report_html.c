/*
 * The report as one page: web/reproduce.html has style and script, and this
 * file puts what there is to see into it. Drawings are those of report_svg.c,
 * so the page needs no charting library and shows the same without a script.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/report/report.h"
#include "papers/report/report_parts.h"
#include "report/page.h"

PAGE_PART(reproduce_page, "reproduce.html");

/* As the scoreboard has them, and as people read them. */
static const struct {
	const char *key, *name;
} verdicts[] = {{"met", "met"},
                {"direction", "direction"},
                {"opposite", "opposite"},
                {"not_measurable", "not measurable"},
                {"open", "open"}};
enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

static void put(FILE *out, const char *before, const char *text, const char *after)
{
	fputs(before, out);
	report_put_escaped(out, text);
	fputs(after, out);
}

static long long count_at(const json_t *score, const char *key)
{
	return (long long)json_integer_value(json_object_get(score, key));
}

/* "not measurable" is the class not_measurable. */
static const char *class_of(const char *verdict)
{
	for (int i = 0; i < VERDICTS; i++)
		if (!strcmp(verdicts[i].name, verdict))
			return verdicts[i].key;
	return "open";
}

/* ---- the scoreboard --------------------------------------------------------------------------------------- */

static void put_share(FILE *out, const json_t *score)
{
	long long all = count_at(score, "claims");
	fputs("<td class=\"text\"><div class=\"share\">", out);
	for (int i = 0; i < VERDICTS && all; i++)
		fprintf(out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>", verdicts[i].key,
		        100.0 * (double)count_at(score, verdicts[i].key) / (double)all);
	fputs("</div></td>", out);
}

static void put_score(FILE *out, const char *link, const char *name, const json_t *score, const char *class)
{
	fprintf(out, "<tr class=\"%s\"><td class=\"text\">", class);
	if (*link)
		fprintf(out, "<a href=\"#%s\">", link);
	report_put_escaped(out, name);
	fprintf(out, "%s</td><td>%lld</td>", *link ? "</a>" : "", count_at(score, "claims"));
	for (int i = 0; i < VERDICTS; i++)
		fprintf(out, "<td class=\"%s\">%lld</td>", verdicts[i].key, count_at(score, verdicts[i].key));
	put_share(out, score);
	fputs("</tr>\n", out);
}

static void put_board(FILE *out, const json_t *report)
{
	const json_t *board = json_object_get(report, "scoreboard"), *paper;
	size_t i;
	if (!count_at(json_object_get(board, "total"), "claims"))
		return;
	fputs("<div class=\"card\"><div class=\"scroll\"><table id=\"scoreboard\"><thead><tr>"
	      "<th class=\"text\">paper</th><th>claims</th>",
	      out);
	for (int v = 0; v < VERDICTS; v++)
		fprintf(out, "<th>%s</th>", verdicts[v].name);
	fputs("<th class=\"text\"></th></tr></thead><tbody>\n", out);
	json_array_foreach(json_object_get(report, "papers"), i, paper)
	{
		const json_t *own = json_object_get(json_object_get(board, "papers"), text_at(paper, "name"));
		put_score(out, *text_at(paper, "name") ? text_at(paper, "name") : "own",
		          text_at(paper, "title"), own, "");
		put_score(out, "",
		          "\xc2\xa0\xc2\xa0"
		          "baseline",
		          json_object_get(own, "baseline"), "soft");
		put_score(out, "",
		          "\xc2\xa0\xc2\xa0"
		          "prediction",
		          json_object_get(own, "prediction"), "soft");
	}
	put_score(out, "", "all", json_object_get(board, "total"), "total");
	fputs("</tbody></table></div>\n<div id=\"filter\"><span class=\"soft\">Claims shown:</span>"
	      "<button data-verdict=\"\" aria-pressed=\"true\">all</button>",
	      out);
	for (int v = 0; v < VERDICTS; v++)
		fprintf(out, "<button data-verdict=\"%s\" aria-pressed=\"false\" class=\"%s\">%s</button>",
		        verdicts[v].key, verdicts[v].key, verdicts[v].name);
	fputs("</div></div>\n", out);
}

/* ---- claims ----------------------------------------------------------------------------------------------- */

static void put_claim(FILE *out, const json_t *claim)
{
	char published[512], measured[512];
	const char *class = class_of(text_at(claim, "verdict"));
	report_claim_texts(claim, published, measured, sizeof published);
	fprintf(out, "<tr data-verdict=\"%s\">", class);
	put(out, "<td class=\"text value\">", text_at(claim, "id"), "</td>");
	fprintf(out, "<td class=\"text verdict %s\">", class);
	put(out, "", text_at(claim, "verdict"), "</td>");
	put(out, "<td>", published, "</td>");
	put(out, "<td>", measured, "</td>");
	put(out, "<td class=\"says\">", text_at(claim, "says"), "");
	put(out, " <span class=\"soft\">(", text_at(claim, "where"), ", ");
	put(out, "", text_at(claim, "flag"), ")</span>");
	if (*text_at(claim, "reason"))
		put(out, "<i>", text_at(claim, "reason"), "</i>");
	if (*text_at(claim, "note"))
		put(out, "<i>", text_at(claim, "note"), "</i>");
	if (*text_at(claim, "command"))
		put(out, "<code>", text_at(claim, "command"), "</code>");
	fputs("</td></tr>\n", out);
}

static void open_claims(FILE *out)
{
	fputs("<div class=\"scroll\"><table class=\"claims\"><thead><tr><th class=\"text\">claim</th>"
	      "<th class=\"text\">verdict</th><th>published</th><th>measured</th>"
	      "<th class=\"text\">what the paper says</th></tr></thead><tbody>\n",
	      out);
}

static bool names_figure(const json_t *claim, const char *name)
{
	const json_t *one;
	size_t i;
	json_array_foreach(json_object_get(claim, "figures"), i,
	                   one) if (!strcmp(json_string_value(one), name)) return true;
	return false;
}

static void put_figure_claims(FILE *out, const json_t *paper, const char *name)
{
	const json_t *claims = json_object_get(paper, "claims"), *claim;
	bool any = false;
	size_t i;
	json_array_foreach(claims, i, claim)
	{
		if (!names_figure(claim, name))
			continue;
		if (!any)
			open_claims(out);
		any = true;
		put_claim(out, claim);
	}
	fputs(any ? "</tbody></table></div>\n" : "", out);
}

/* "ciao/fig8a", or "fig8a" without a paper. */
static const char *figure_name(const json_t *paper, const json_t *figure, char *name, size_t size)
{
	const char *own = text_at(paper, "name");
	snprintf(name, size, "%s%s%s", own, *own ? "/" : "", text_at(figure, "id"));
	return name;
}

static bool is_shown(const json_t *paper, const json_t *claim)
{
	const json_t *figure;
	char name[256];
	size_t i;
	json_array_foreach(json_object_get(paper, "figures"), i, figure)
	{
		if (names_figure(claim, figure_name(paper, figure, name, sizeof name)))
			return true;
	}
	return false;
}

/* Claims that name no figure of the page. */
static void put_other_claims(FILE *out, const json_t *paper)
{
	const json_t *claim;
	bool any = false;
	size_t i;
	json_array_foreach(json_object_get(paper, "claims"), i, claim)
	{
		if (is_shown(paper, claim))
			continue;
		if (!any) {
			fputs("<section class=\"card\"><h3>Claims without a figure</h3>\n", out);
			open_claims(out);
		}
		any = true;
		put_claim(out, claim);
	}
	fputs(any ? "</tbody></table></div></section>\n" : "", out);
}

/* ---- figures ---------------------------------------------------------------------------------------------- */

static void put_values(FILE *out, const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series"), *x = json_object_get(chart, "x"), *one;
	char text[128];
	size_t i;
	fputs("<div class=\"scroll\"><table class=\"values\"><thead><tr><th></th>", out);
	json_array_foreach(series, i, one)
	{
		put(out, "<th>", text_at(one, "label"), "</th>");
		fputs(report_has_published(one) ? "<th>published</th>" : "", out);
	}
	fputs("</tr></thead><tbody>\n", out);
	for (size_t r = 0; r < json_array_size(x); r++) {
		put(out, "<tr><td class=\"text\">", x_text(json_array_get(x, r), text, sizeof text), "</td>");
		json_array_foreach(series, i, one) for (int p = 0; p <= report_has_published(one); p++)
		{
			double value = number_at(json_object_get(one, p ? "published" : "values"), r);
			snprintf(text, sizeof text, fabs(value) >= 1000 ? "%.0f" : "%.3f", value);
			put(out, p ? "<td class=\"soft\">" : "<td>", isnan(value) ? "" : text, "</td>");
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void put_chart(FILE *out, const json_t *chart)
{
	char *svg = reproduction_chart_svg(chart);
	if (!svg) {
		put(out, "<div><p class=\"note\"><b>", text_at(chart, "title"), "");
		put(out, *text_at(chart, "of") ? ": " : "", text_at(chart, "of"), "</b></p>\n");
		put_values(out, chart);
		fputs("</div>\n", out);
		return;
	}
	fprintf(out, "<div><div class=\"scroll\">%s</div>\n", svg);
	free(svg);
	if (!json_object_get(chart, "panels")) {
		fputs("<details><summary>Table</summary>\n", out);
		put_values(out, chart);
		fputs("</details>\n", out);
	}
	fputs("</div>\n", out);
}

/* The values as a file that the page holds itself. */
static void put_csv(FILE *out, const json_t *paper, const json_t *figure)
{
	char *csv = report_figure_csv(text_at(paper, "name"), figure);
	put(out, " \xc2\xb7 <a download=\"", text_at(paper, "name"), "");
	put(out, *text_at(paper, "name") ? "-" : "", text_at(figure, "id"),
	    ".csv\" href=\"data:text/csv;charset=utf-8,");
	for (const char *at = csv; *at; at++)
		if (isalnum((unsigned char)*at) || strchr("-_.,", *at))
			fputc(*at, out);
		else
			fprintf(out, "%%%02X", (unsigned char)*at);
	fputs("\">CSV</a>", out);
	free(csv);
}

static void put_missing(FILE *out, const json_t *figure)
{
	const json_t *failed = json_object_get(json_object_get(figure, "runs"), "failed"), *one;
	size_t i;
	if (!json_array_size(failed))
		return;
	fprintf(out, "<details open><summary>%zu runs without a result</summary><ul>\n",
	        json_array_size(failed));
	json_array_foreach(failed, i, one)
	{
		put(out, "<li>", text_at(one, "series"), ", ");
		put(out, "", text_at(one, "workload"), " ");
		put(out, "", text_at(one, "point"), ": ");
		put(out, "", text_at(one, "message"), "</li>\n");
	}
	fputs("</ul></details>\n", out);
}

static void put_figure(FILE *out, const json_t *paper, const json_t *figure)
{
	const json_t *chart;
	char name[256];
	size_t i;
	figure_name(paper, figure, name, sizeof name);
	put(out, "<section class=\"card figure\" id=\"", name, "\">");
	put(out, "<h3>", text_at(figure, "title"), "");
	put(out, " <span class=\"where\">", text_at(figure, "where"), "</span></h3>\n");
	put(out, "<p class=\"note\"><code>", text_at(figure, "command"), "</code>");
	put_csv(out, paper, figure);
	fputs("</p>\n", out);
	if (*text_at(figure, "note"))
		put(out, "<p class=\"note\">", text_at(figure, "note"), "</p>\n");
	fputs("<div class=\"charts\">\n", out);
	json_array_foreach(json_object_get(figure, "charts"), i, chart) put_chart(out, chart);
	fputs("</div>\n", out);
	put_missing(out, figure);
	put_figure_claims(out, paper, name);
	fputs("</section>\n", out);
}

/* ---- the page --------------------------------------------------------------------------------------------- */

static void put_paper(FILE *out, const json_t *paper)
{
	const json_t *figures = json_object_get(paper, "figures"), *figure;
	char name[256];
	size_t i;
	put(out, "<h2 id=\"", *text_at(paper, "name") ? text_at(paper, "name") : "own", "\">");
	put(out, "", text_at(paper, "title"), "</h2>\n<nav>");
	json_array_foreach(figures, i, figure)
	{
		put(out, "<a href=\"#", figure_name(paper, figure, name, sizeof name), "\">");
		put(out, "", text_at(figure, "id"), "</a>");
	}
	fputs("</nav>\n", out);
	json_array_foreach(figures, i, figure) put_figure(out, paper, figure);
	put_other_claims(out, paper);
}

static void put_body(FILE *out, const json_t *report)
{
	const json_t *runs = json_object_get(report, "runs"), *paper;
	bool quick = !strcmp(text_at(report, "mode"), "quick");
	size_t i;
	fputs("<header><p class=\"brand\">Sluice</p><h1>Reproduction</h1>\n", out);
	put(out, "<p class=\"note\"><code>", text_at(report, "command"), "</code>, ");
	fprintf(out, "%s: %lld simulations, %lld failed. ",
	        quick ? "cut runs, an indication and no result" : "as far as each paper went",
	        count_at(runs, "planned"), count_at(runs, "failed"));
	put(out, "Sluice ", text_at(report, "sluice"), ", model ");
	fprintf(out, "<code>%.12s</code>, ", text_at(report, "model"));
	put(out, "", text_at(report, "finished"), ".</p>\n");
	fputs(
	    "<p class=\"note\">Bars and lines are ours; black marks and rings are what the papers print. <b>met</b>: "
	    "a gain within 25 % of the published gain, a rate within 3 points or 10 %, a quantity within 15 %, an order "
	    "true as worded. <b>direction</b>: same sign or order, other size. <b>opposite</b>: neither, or less than a "
	    "fifth of the gain.</p></header>\n<main>\n",
	    out);
	put_board(out, report);
	json_array_foreach(json_object_get(report, "papers"), i, paper) put_paper(out, paper);
	fputs("</main>\n", out);
}

char *reproduction_html(const json_t *report)
{
	char *body = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&body, &bytes);
	put_body(out, report);
	memory_stream_close(out);
	const struct page_part parts[] = {
	    {"@BASE_STYLE@", page_base_style}, {"@REPORT_BODY@", body}, {NULL, NULL}};
	char *text = page_compose(reproduce_page, parts);
	free(body);
	return text;
}
