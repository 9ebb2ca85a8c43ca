/* What several forms of the report share. Private to src/papers/report. */
#ifndef SLUICE_PAPERS_REPORT_PARTS_H
#define SLUICE_PAPERS_REPORT_PARTS_H

#include "papers/report/report.h"
#include "report/document.h"

/* text.c: write "at least +54% or +60%; true" and what was measured, each of `size` bytes. */
void claim_texts(const json_t *claim, char *published, char *measured, size_t size);
/* csv.c: return the charts of one figure as CSV with a line of titles, owned by the caller. */
char *figure_csv_text(const char *paper, const json_t *figure);

#endif
