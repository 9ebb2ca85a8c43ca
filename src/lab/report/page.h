/*
 * Report pages: one HTML file with its charting library, style and data
 * inside, so that it opens from disk without a network. The page is made from
 * web/ when sluice is built; where npm was missing then, there is none.
 */
#ifndef SLUICE_LAB_PAGE_H
#define SLUICE_LAB_PAGE_H

#include "base/error.h"

/* Whether pages can be made; for before the work. */
bool page_check(struct error *err);
/* Puts `json` in place of the marker in the text of a page, which must hold one; the caller frees it. */
char *page_fill(const char *page, const char *json);
/* The page around `json`; the caller frees it. NULL: page_check() fails. */
char *page_write(const char *json, struct error *err);

#endif
