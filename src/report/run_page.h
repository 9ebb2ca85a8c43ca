/*
 * The page of `sluice run --html` and `sluice compare --html`: one HTML file
 * with style, script and data inside. The data are the runs' results, reduced to
 * what can be seen: launches added up, time series of about a thousand points.
 * The page is in every build; it needs no charting library.
 */
#ifndef SLUICE_REPORT_RUN_PAGE_H
#define SLUICE_REPORT_RUN_PAGE_H

#include <jansson.h>

#include "machine/machine.h"
#include "record/sources.h"

/* What a page shows is observed by these looks (look_new()); the names of the observers, for people. */
#define RUN_PAGE_LOOKS "series:period=250:samples=1024:fold=1,matrix,locality,failures,reuse,distance,sms"
#define RUN_PAGE_OBSERVERS "series, matrix, locality, failures, reuse, distance, sms"

/* One run of the page. */
struct run_page_run {
	const char *label, *chain;
	json_t *values;       /* what runs are compared by; NULL: it stands alone. The page takes it over. */
	const json_t *result; /* json_result(), with looks */
};

struct run_page {
	const char *format; /* "sluice run" */
	const struct machine *machine;
	json_t *facts, *definitions;   /* taken over */
	const struct sources *sources; /* NULL: of a trace */
	const char *program; /* path of the source or executable, as it is found now; NULL: a trace */
	const struct run_page_run *run;
	size_t count;
};

/* The page; the caller frees it. */
char *run_page_write(const struct run_page *page);

/* ---- its parts, for the files run_page*.c ------------------------------------------------------------------ */

/* The time series of all launches, one after the other; null: not observed. */
json_t *run_page_series(const json_t *launches);

/* Misses by source line, most first; files are numbered as `files` (an array of paths) has them, which may grow. */
json_t *run_page_lines(const json_t *launches, const struct sources *sources, json_t *files);
/* [{"name", "lines": [[number, text], ...]}, ...]: what the runs' lines show of the files, as they read now. */
json_t *run_page_excerpts(const json_t *runs, const json_t *files, const char *program);

/* Adds the numbers of `part`, an array like `sum` or an object of such, element by element; `sum` may be short. */
void run_page_add(json_t *sum, const json_t *part);

#endif
