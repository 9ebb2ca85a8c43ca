/*
 * Report pages: one HTML file with its charting library, style and data
 * inside, so that it opens from disk without a network. Pages are made from
 * web/. The one of `sluice validate` has a charting library from npm; where that
 * was missing when sluice was built, there is none.
 */
#ifndef SLUICE_REPORT_PAGE_H
#define SLUICE_REPORT_PAGE_H

#include "base/error.h"

/*
 * A file of web/ inside the program, as text: PAGE_PART(name, "file"); makes `name`. At file scope, once per name.
 * CMakeLists.txt says which source files depend on web/.
 */
#define PAGE_PART(name, file)                                                                                \
	__asm__(".pushsection .rodata\n"                                                                     \
	        ".globl " #name "\n" #name ":\n"                                                             \
	        ".incbin \"" SLUICE_SOURCE_DIR "/web/" file "\"\n"                                           \
	        ".byte 0\n"                                                                                  \
	        ".popsection\n");                                                                            \
	extern const char name[]

/* The style that all pages share. */
extern const char page_base_style[];

struct page_part {
	const char *marker, *text;
};
/* `page` with every marker replaced by its text, which is not searched again; parts end with NULL. The caller frees it. */
char *page_compose(const char *page, const struct page_part *parts);

/* Whether the page of `sluice validate` can be made; for before the work. */
bool page_check(struct error *err);
/* Puts `json` in place of the marker in the text of a page, which must hold one; the caller frees it. */
char *page_fill(const char *page, const char *json);
/* That page around `json`; the caller frees it. NULL: page_check() fails. */
char *page_write(const char *json, struct error *err);

#endif
