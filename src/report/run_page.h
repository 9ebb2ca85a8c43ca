/*
 * The page of `sluice run --html` and `sluice compare --html`. Its data are the runs' results reduced to what is visible:
 * launches are added up, and a time series has about a thousand points.
 */
#ifndef SLUICE_REPORT_RUN_PAGE_H
#define SLUICE_REPORT_RUN_PAGE_H

#include <jansson.h>

#include "machine/machine.h"
#include "record/sources.h"

/* The looks (look_new()) that a page needs, and the names of their observers as the page lists them. */
#define RUN_PAGE_LOOKS                                                                                       \
	"series:period=250:samples=1024:fold=1,matrix,locality,failures,reuse,distance,sms,channels,instructions"
#define RUN_PAGE_OBSERVERS "series, matrix, locality, failures, reuse, distance, sms, channels, instructions"

/* One run of the page. */
struct run_page_run {
	const char *label, *chain;
	json_t *values;       /* compared values; NULL: a single run. The page takes ownership. */
	const json_t *result; /* json_result(), with looks */
};

struct run_page {
	const char *format; /* "sluice run" */
	const struct machine *machine;
	json_t *facts, *definitions;   /* the page takes ownership */
	const struct sources *sources; /* NULL: of a trace */
	const char *program;           /* current path of the source or executable; NULL: a trace */
	const struct run_page_run *run;
	size_t count;
};

/* Return the page, which the caller frees. */
char *run_page_write(const struct run_page *page);

/* ---- private to src/report/run_page*.c --------------------------------------------------------------------- */

/* Return the time series of all launches, one after another; null: not observed. */
json_t *run_page_series(const json_t *launches);

/* Return misses by source line, most first. Files are numbered by `files`, an array of paths that may grow. */
json_t *run_page_lines(const json_t *launches, const struct sources *sources, json_t *files);
/* Return the text around the runs' lines as the files read now: [{"name", "lines": [[number, text], ...]}, ...]. */
json_t *run_page_excerpts(const json_t *runs, const json_t *files, const char *program);

/* Add the numbers of `part`, an array or object, to `sum`, element by element; `sum` grows as needed. */
void run_page_add(json_t *sum, const json_t *part);

#endif
