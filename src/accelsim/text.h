/*
 * Lines of a text file, plain, xz-compressed or in the binary form of .tracez, one
 * at a time out of a window of fixed size. Private to src/accelsim/.
 */
#ifndef SLUICE_ACCELSIM_TEXT_H
#define SLUICE_ACCELSIM_TEXT_H

#include <lzma.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { TEXT_MAX_LINE = 64 * 1024 };

enum text_packing { TEXT_PLAIN, TEXT_XZ, TEXT_TRACEZ };

struct text_source {
	const char *path;
	int fd;
	enum text_packing packing;
	uint64_t line_number;  /* of the current line, from 1 */
	uint64_t bytes_read;   /* of text, after decompression */
	char *line, *line_end; /* the current line, NUL in place of its newline */
	char *at, *end;        /* window: text not yet handed out */
	char *window;
	bool at_end; /* nothing more will come into the window */
	lzma_stream xz;
	uint8_t *packed; /* input of the decompressor */
	bool packed_at_end;
	struct tracez *tracez; /* TEXT_TRACEZ */
};

/* Open a regular file; anything else is refused. `path` must outlive the source. */
bool text_open(struct text_source *s, const char *path, enum text_packing packing, struct error *err);
void text_close(struct text_source *s);

enum text_result { TEXT_LINE, TEXT_END, TEXT_ERROR };
/* Move to the next line; carriage returns at its end are cut off. */
enum text_result text_next(struct text_source *s, struct error *err);

/* Report "file:line:column: ..." for a place in the current line (NULL: no column); always false. */
bool text_error(const struct text_source *s, const char *place, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- fields of a line: each skips blanks first and moves *p behind what it took --------------------- */

static inline void text_skip_blanks(char **p)
{
	while (**p == ' ' || **p == '\t')
		++*p;
}

/* Hexadecimal digits without prefix; false if there is none or more than 16. */
bool text_take_hex(char **p, uint64_t *value);
/* At most 18 decimal digits; the second takes a sign as well. */
bool text_take_unsigned(char **p, uint64_t *value);
bool text_take_signed(char **p, int64_t *value);
bool text_take_char(char **p, char c);

#endif
