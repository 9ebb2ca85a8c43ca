/*
 * Pages: one HTML file each with style, scripts and data inside, so that it opens from disk without a network. The
 * templates, styles and scripts of web/ are part of the program.
 */
#ifndef SLUICE_REPORT_PAGE_H
#define SLUICE_REPORT_PAGE_H

enum page { PAGE_RUN, PAGE_VALIDATE, PAGE_REPRODUCE, PAGE_ADVISE, PAGES };

/* Return the page around a JSON document; the caller owns the text. Whatever the document holds, it stays data. */
char *page_write(enum page page, const char *json);

#endif
