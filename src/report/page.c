/* Putting data into the report page that the build embedded. */
#include "report/page.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* REPORT_PAGE: the file that web/build.sh made; empty where it could not. */
__asm__(".pushsection .rodata\n"
        ".globl report_page\n"
        "report_page:\n"
        ".incbin \"" REPORT_PAGE "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char report_page[];

PAGE_PART(page_base_style, "base.css");

static const char MARKER[] = "@REPORT_DATA@";

/* ---- composing --------------------------------------------------------------------------------------------- */

/* The first marker in the text; NULL: none. */
static const struct page_part *next_part(const char *text, const struct page_part *parts, const char **at)
{
	const struct page_part *first = NULL;
	for (; parts->marker; parts++) {
		const char *found = strstr(text, parts->marker);
		if (found && (!first || found < *at)) {
			first = parts;
			*at = found;
		}
	}
	return first;
}

char *page_compose(const char *page, const struct page_part *parts)
{
	char *text = NULL;
	size_t bytes;
	const char *at = NULL;
	FILE *out = memory_stream_open(&text, &bytes);
	for (const struct page_part *part; (part = next_part(page, parts, &at));) {
		fwrite(page, 1, (size_t)(at - page), out);
		fputs(part->text, out);
		page = at + strlen(part->marker);
	}
	fputs(page, out);
	memory_stream_close(out);
	return text;
}

/* ---- data -------------------------------------------------------------------------------------------------- */

bool page_check(struct error *err)
{
	if (strstr(report_page, MARKER))
		return true;
	return error_set(err,
	                 "this sluice was built without its report page, because npm was missing or failed; "
	                 "install the packages nodejs and npm, delete the folder web/ of the build "
	                 "directory, run cmake and build again");
}

/* '<' cannot end the script element that holds the data, nor open a comment in it. */
static size_t escape(char *to, const char *json)
{
	static const char less[] = "\\u003c";
	size_t n = 0;
	for (; *json; json++) {
		if (*json != '<') {
			to[n++] = *json;
			continue;
		}
		memcpy(to + n, less, sizeof less - 1);
		n += sizeof less - 1;
	}
	return n;
}

char *page_fill(const char *page, const char *json)
{
	const char *marker = strstr(page, MARKER);
	if (!marker)
		BUG("a page without a place for its data");
	const char *rest = marker + sizeof MARKER - 1;
	size_t head = (size_t)(marker - page), tail = strlen(rest);
	char *filled = memory_grow(NULL, head + 6 * strlen(json) + tail + 1, 1);
	memcpy(filled, page, head);
	size_t data = escape(filled + head, json);
	memcpy(filled + head + data, rest, tail + 1);
	return filled;
}

char *page_write(const char *json, struct error *err)
{
	return page_check(err) ? page_fill(report_page, json) : NULL;
}
