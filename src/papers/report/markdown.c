/* The report as Markdown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/report/parts.h"
#include "papers/report/report.h"

/* Write a text that stays one: no cell, no line and no HTML begins in it. */
static void put_in_cell(FILE *out, const char *text)
{
	for (; *text; text++)
		fputs(*text == '|'    ? "\\|"
		      : *text == '<'  ? "&lt;"
		      : *text == '\n' ? " "
		                      : (char[]){*text, '\0'},
		      out);
}

static void put_cell(FILE *out, const char *text)
{
	fputs("| ", out);
	put_in_cell(out, text);
	fputc(' ', out);
}

static void put_number(FILE *out, const json_t *number)
{
	char text[32] = "";
	if (json_is_number(number))
		snprintf(text, sizeof text, "%.3f", json_number_value(number));
	put_cell(out, text);
}

static void put_x(FILE *out, const json_t *x)
{
	char text[32];
	if (json_is_number(x))
		snprintf(text, sizeof text, "%g", json_number_value(x));
	put_cell(out, json_is_number(x) ? text : json_string_value(x));
}

static void chart_markdown(FILE *out, const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series"), *x = json_object_get(chart, "x"), *one;
	size_t i;
	fprintf(out, "\n%s%s%s%s%s\n\n| ", text_at(chart, "y_title"), *text_at(chart, "unit") ? ", " : "",
	        text_at(chart, "unit"), *text_at(chart, "of") ? ", " : "", text_at(chart, "of"));
	json_array_foreach(series, i, one)
	{
		put_cell(out, text_at(one, "label"));
		if (has_published(one))
			put_cell(out, "published");
	}
	fputs("|\n|---", out);
	json_array_foreach(series, i, one) fputs(has_published(one) ? "|---:|---:" : "|---:", out);
	fputs("|\n", out);
	for (size_t r = 0; r < json_array_size(x); r++) {
		put_x(out, json_array_get(x, r));
		json_array_foreach(series, i, one)
		{
			put_number(out, json_array_get(json_object_get(one, "values"), r));
			if (has_published(one))
				put_number(out, json_array_get(json_object_get(one, "published"), r));
		}
		fputs("|\n", out);
	}
}

/* Columns of the scoreboard. */
static const char *const score_keys[] = {"claims", "met", "direction", "opposite", "not_measurable", "open"};
enum { SCORES = sizeof score_keys / sizeof *score_keys };

static void score_markdown(FILE *out, const char *name, const long long counts[SCORES])
{
	fprintf(out, "| %s ", name);
	for (size_t i = 0; i < SCORES; i++)
		fprintf(out, "| %lld ", counts[i]);
	fputs("|\n", out);
}

/* Write the scoreboard of all claims, or of those with a flag. */
static void board_markdown(FILE *out, const json_t *board, const char *flag)
{
	long long total[SCORES] = {0}, own[SCORES];
	const char *name;
	json_t *score;
	fputs(
	    "| paper | claims | met | direction | opposite | not measurable | open |\n|---|---:|---:|---:|---:|---:|---:|\n",
	    out);
	json_object_foreach(json_object_get(board, "papers"), name, score)
	{
		const json_t *counted = flag ? json_object_get(score, flag) : score;
		for (size_t i = 0; i < SCORES; i++) {
			own[i] = json_integer_value(json_object_get(counted, score_keys[i]));
			total[i] += own[i];
		}
		score_markdown(out, *name ? name : "own", own);
	}
	score_markdown(out, "**all**", total);
}

/* Add a remark to a cell. */
static void put_remark(FILE *out, const char *text)
{
	if (!*text)
		return;
	fputc('(', out);
	put_in_cell(out, text);
	fputs(") ", out);
}

static const char CLAIMS_HEAD[] =
    "\n| claim | flag | verdict | published | measured | says |\n|---|---|---|---:|---:|---|\n";

/* Write all claims, or only headlines and means of classes. */
static void claims_markdown(FILE *out, const json_t *claims, bool headlines)
{
	const json_t *claim;
	size_t i;
	json_array_foreach(claims, i, claim)
	{
		char published[256], measured[256];
		if (headlines && !strcmp(text_at(claim, "kind"), claim_kinds[CLAIM_OTHER]))
			continue;
		claim_texts(claim, published, measured, sizeof published);
		put_cell(out, text_at(claim, "id"));
		put_cell(out, text_at(claim, "flag"));
		put_cell(out, text_at(claim, "verdict"));
		put_cell(out, published);
		put_cell(out, measured);
		put_cell(out, text_at(claim, "says"));
		put_remark(out, text_at(claim, "reason"));
		put_remark(out, text_at(claim, "note"));
		fputs("|\n", out);
	}
}

static long long headlines_of(const json_t *board)
{
	long long count = 0;
	const char *name;
	json_t *score;
	json_object_foreach(json_object_get(board, "papers"), name,
	                    score) for (int kind = CLAIM_OTHER + 1; kind < CLAIM_KINDS; kind++) count +=
	    json_integer_value(json_object_get(json_object_get(score, claim_kinds[kind]), "claims"));
	return count;
}

/* Write the claims that papers are quoted for: headlines, and means over classes of programs. */
static void headlines_markdown(FILE *out, const json_t *report, const json_t *board)
{
	const json_t *paper;
	size_t i;
	if (!headlines_of(board))
		return;
	fputs("\n## Headlines and means of classes\n", out);
	fputs(CLAIMS_HEAD, out);
	json_array_foreach(json_object_get(report, "papers"), i, paper)
	    claims_markdown(out, json_object_get(paper, "claims"), true);
}

static void figure_markdown(FILE *out, const json_t *figure)
{
	const json_t *chart;
	size_t i;
	fprintf(out, "\n### %s: %s\n\n%s%s`%s`\n", text_at(figure, "id"), text_at(figure, "title"),
	        text_at(figure, "where"), *text_at(figure, "where") ? ". " : "", text_at(figure, "command"));
	if (*text_at(figure, "note"))
		fprintf(out, "\n%s\n", text_at(figure, "note"));
	json_array_foreach(json_object_get(figure, "charts"), i, chart) if (!json_object_get(chart, "panels"))
	    chart_markdown(out, chart);
}

char *reproduction_markdown(const json_t *report)
{
	char *text = NULL;
	size_t bytes, i, k;
	FILE *out = memory_stream_open(&text, &bytes);
	const json_t *board = json_object_get(report, "scoreboard"), *paper, *figure;
	const json_t *first = json_array_get(json_object_get(report, "papers"), 0);
	bool own = first && !*text_at(first, "name"); /* a sweep */
	fprintf(out, "# %s (%s)\n\n`%s`\n\n",
	        own ? text_at(json_array_get(json_object_get(first, "figures"), 0), "title") : "Reproduction",
	        text_at(report, "mode"), text_at(report, "command"));
	if (!own) {
		board_markdown(out, board, NULL);
		fputs("\nClaims about mechanisms alone (*prediction*):\n\n", out);
		board_markdown(out, board, "prediction");
		headlines_markdown(out, report, board);
	}
	json_array_foreach(json_object_get(report, "papers"), i, paper)
	{
		if (!own)
			fprintf(out, "\n## %s\n", text_at(paper, "title"));
		if (json_array_size(json_object_get(paper, "claims"))) {
			fputs(CLAIMS_HEAD, out);
			claims_markdown(out, json_object_get(paper, "claims"), false);
		}
		json_array_foreach(json_object_get(paper, "figures"), k, figure) figure_markdown(out, figure);
	}
	memory_stream_close(out);
	return text;
}
