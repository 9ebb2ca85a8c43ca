/* Composing a page from the files of web/. A template names a file as @NAME@, and the place of its data as @data@. */
#include "report/page.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* A file of web/ inside the program, as text. CMakeLists.txt says that this source depends on web/. */
#define WEB_FILE(symbol, file)                                                                               \
	__asm__(".pushsection .rodata\n" #symbol ":\n"                                                       \
	        ".incbin \"" SLUICE_SOURCE_DIR "/web/" file "\"\n"                                           \
	        ".byte 0\n"                                                                                  \
	        ".popsection\n");                                                                            \
	extern const char symbol[] __attribute__((visibility("hidden")))

WEB_FILE(web_run_html, "run.html");
WEB_FILE(web_validate_html, "validate.html");
WEB_FILE(web_reproduce_html, "reproduce.html");
WEB_FILE(web_base_css, "base.css");
WEB_FILE(web_charts_css, "charts.css");
WEB_FILE(web_run_css, "run.css");
WEB_FILE(web_validate_css, "validate.css");
WEB_FILE(web_charts_js, "charts.js");
WEB_FILE(web_look_js, "look.js");
WEB_FILE(web_advise_html, "advise.html");
WEB_FILE(web_advise_js, "advise.js");
WEB_FILE(web_source_js, "source.js");
WEB_FILE(web_roofline_js, "roofline.js");
WEB_FILE(web_time_js, "time.js");
WEB_FILE(web_run_js, "run.js");
WEB_FILE(web_validate_js, "validate.js");
WEB_FILE(web_reproduce_js, "reproduce.js");

static const char *const templates[PAGES] = {[PAGE_RUN] = web_run_html,
                                             [PAGE_VALIDATE] = web_validate_html,
                                             [PAGE_REPRODUCE] = web_reproduce_html,
                                             [PAGE_ADVISE] = web_advise_html};

static const struct {
	const char *marker, *text; /* text NULL: the data */
} parts[] = {{"@data@", NULL},
             {"@base.css@", web_base_css},
             {"@charts.css@", web_charts_css},
             {"@run.css@", web_run_css},
             {"@validate.css@", web_validate_css},
             {"@charts.js@", web_charts_js},
             {"@look.js@", web_look_js},
             {"@advise.js@", web_advise_js},
             {"@source.js@", web_source_js},
             {"@roofline.js@", web_roofline_js},
             {"@time.js@", web_time_js},
             {"@run.js@", web_run_js},
             {"@validate.js@", web_validate_js},
             {"@reproduce.js@", web_reproduce_js}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Without '<', the data cannot end the script element that holds them, nor open a comment in it. */
static void put_data(FILE *out, const char *json)
{
	for (; *json; json++) {
		if (*json == '<')
			fputs("\\u003c", out);
		else
			fputc(*json, out);
	}
}

char *page_write(enum page page, const char *json)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	const char *at = templates[page];
	while (*at) {
		int part = 0;
		while (part < PARTS && strncmp(at, parts[part].marker, strlen(parts[part].marker)) != 0)
			part++;
		if (part == PARTS) {
			fputc(*at++, out);
			continue;
		}
		if (parts[part].text)
			fputs(parts[part].text, out);
		else
			put_data(out, json);
		at += strlen(parts[part].marker);
	}
	memory_stream_close(out);
	return text;
}
