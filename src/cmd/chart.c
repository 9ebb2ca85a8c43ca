/* sluice chart: draws a chart document. The scripts of the repository call it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "cmd/cmd.h"
#include "report/chart/chart.h"

static char *draw(const char *path, struct error *err)
{
	json_error_t where;
	static const struct file_kind kind = {.name = "a chart", .bytes_max = (size_t)1 << 28};
	json_t *chart;
	if (strcmp(path, "-") != 0) {
		size_t bytes;
		char *file = read_whole_file(path, &kind, &bytes, err);
		if (!file)
			return NULL;
		chart = json_loadb(file, bytes, 0, &where);
		free(file);
	} else {
		chart = json_loadf(stdin, 0, &where);
	}
	char *text = json_is_object(chart) ? chart_svg(chart) : NULL;
	if (!chart)
		error_set(err, "%s:%d:%d: %s", path, where.line, where.column, where.text);
	else if (!text)
		error_set(err, "%s: expected a chart that can be drawn; docs/experiments.md lists the kinds",
		          path);
	json_decref(chart);
	return text;
}

int cmd_chart(int argc, char **argv)
{
	struct error err = {{0}};
	char *text = argc == 2 ? draw(argv[1], &err) : NULL;
	if (argc != 2)
		error_set(&err, "expected a JSON document, or - for standard input");
	if (text)
		fputs(text, stdout);
	else
		fprintf(stderr, "sluice chart: %s\n", err.text);
	free(text);
	return text ? 0 : 2;
}
