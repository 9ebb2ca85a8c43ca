/* Reading hardware counters. */
#include "study/validate/hardware.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/safe_text.h"
#include "base/suggest.h"

enum { MAX_COLUMNS = 512 };

enum column_kind {
	COLUMN_SKIPPED,
	COLUMN_PROGRAM,
	COLUMN_LAUNCH,
	COLUMN_KERNEL,
	COLUMN_GRID,
	COLUMN_BLOCK,
	COLUMN_COUNTER,
	COLUMN_METRIC,
};

struct column {
	const char *name;
	enum column_kind kind;
	int index; /* of the counter or metric */
};

struct parser {
	struct hardware *hardware;
	struct column column[MAX_COLUMNS];
	size_t columns, room;
	uint64_t line;
	struct error *err;
};

static bool fail(const struct parser *p, const char *column, const char *expected, const char *found)
{
	char clip[CLIP_SIZE];
	return error_at(p->err, p->hardware->path, p->line, 0, "column '%s': expected %s, found '%s'", column,
	                expected, clip_text(clip, found));
}

/* Cuts the line at its tabs; returns how many fields it has (`max` + 1: more than that). */
static size_t split_fields(char *line, char **field, size_t max)
{
	size_t n = 0;
	for (;;) {
		if (n == max)
			return max + 1;
		field[n++] = line;
		line = strchr(line, '\t');
		if (!line)
			return n;
		*line++ = '\0';
	}
}

/* ---- header ---------------------------------------------------------------------------------------------
 */

static int find_metric(const char *ncu)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		if (!strcmp(metric_infos[i].ncu, ncu))
			return i;
	return -1;
}

static struct column read_column(struct hardware *hardware, const char *name)
{
	static const char *const words[] = {[COLUMN_PROGRAM] = "program",
	                                    [COLUMN_LAUNCH] = "launch",
	                                    [COLUMN_KERNEL] = "kernel",
	                                    [COLUMN_GRID] = "grid",
	                                    [COLUMN_BLOCK] = "block"};
	struct column column = {.name = name};
	for (int kind = COLUMN_PROGRAM; kind <= COLUMN_BLOCK; kind++)
		if (!strcmp(name, words[kind]))
			column.kind = (enum column_kind)kind;
	if (column.kind != COLUMN_SKIPPED || !*name)
		return column;
	int counter = counter_find(name), metric = find_metric(name);
	if (counter >= 0) {
		column.kind = COLUMN_COUNTER;
		column.index = counter;
		hardware->has_counter[counter] = true;
	} else if (metric >= 0) {
		column.kind = COLUMN_METRIC;
		column.index = metric;
		hardware->has_metric[metric] = true;
	}
	return column;
}

static bool has_column(const struct parser *p, const char *name)
{
	for (size_t i = 0; i < p->columns; i++)
		if (!strcmp(p->column[i].name, name))
			return true;
	return false;
}

static bool check_columns(const struct parser *p)
{
	static const char *const required[] = {"program", "launch", "kernel"};
	const char *path = p->hardware->path, *cycles = counter_infos[COUNT_cycles].ncu;
	for (size_t i = 0; i < sizeof required / sizeof *required; i++)
		if (!has_column(p, required[i]))
			return error_at(p->err, path, p->line, 0, "missing column '%s'", required[i]);
	if (!p->hardware->has_counter[COUNT_cycles])
		return error_at(p->err, path, p->line, 0, "missing column '%s'", cycles);
	return true;
}

static bool read_header(struct parser *p, char *line)
{
	char *field[MAX_COLUMNS], clip[CLIP_SIZE];
	size_t n = split_fields(line, field, MAX_COLUMNS);
	if (n > MAX_COLUMNS)
		return error_at(p->err, p->hardware->path, p->line, 0, "more than %d columns", MAX_COLUMNS);
	for (size_t i = 0; i < n; i++) {
		if (has_column(p, field[i]))
			return error_at(p->err, p->hardware->path, p->line, 0, "there are two columns '%s'",
			                clip_text(clip, field[i]));
		p->column[p->columns++] = read_column(p->hardware, field[i]);
	}
	return check_columns(p);
}

/* ---- rows -----------------------------------------------------------------------------------------------
 */

static bool read_real(const char *text, double *value)
{
	char *end;
	/* strtod() alone would take signs, blanks, hexadecimal, "inf" and "nan". */
	if (*text < '0' || *text > '9' || text[strspn(text, "0123456789.eE+-")])
		return false;
	*value = strtod(text, &end);
	return !*end && isfinite(*value);
}

static bool read_whole(const char *text, uint64_t max, uint64_t *value)
{
	double real;
	if (!read_real(text, &real) || real > (double)max || real != floor(real))
		return false;
	*value = (uint64_t)real;
	return true;
}

/* "(32, 128, 1)" */
static bool read_dim(const char *text, struct trace_dim *dim)
{
	int end = 0;
	return sscanf(text, "(%u,%u,%u)%n", &dim->x, &dim->y, &dim->z, &end) == 3 && end && !text[end];
}

static bool read_field(struct parser *p, const struct column *column, char *text, struct hardware_row *row)
{
	const uint64_t exact = (uint64_t)1 << 53; /* beyond it a double skips whole numbers */
	uint64_t whole;
	switch (column->kind) {
	case COLUMN_PROGRAM:
		row->program = text;
		return *text || fail(p, column->name, "a program", text);
	case COLUMN_KERNEL:
		row->kernel = text;
		return *text || fail(p, column->name, "a kernel", text);
	case COLUMN_LAUNCH:
		if (!read_whole(text, UINT32_MAX - 1, &whole))
			return fail(p, column->name, "a launch number, from 0", text);
		row->launch = (uint32_t)whole;
		return true;
	case COLUMN_GRID:
		return read_dim(text, &row->grid) || fail(p, column->name, "(x, y, z)", text);
	case COLUMN_BLOCK:
		return read_dim(text, &row->block) || fail(p, column->name, "(x, y, z)", text);
	case COLUMN_COUNTER:
		return read_whole(text, exact, &row->counters.value[column->index]) ||
		       fail(p, column->name, "a whole number", text);
	case COLUMN_METRIC:
		return read_real(text, &row->metric[column->index]) ||
		       fail(p, column->name, "a number", text);
	case COLUMN_SKIPPED:
		break;
	}
	return true;
}

static bool read_row(struct parser *p, char *line)
{
	char *field[MAX_COLUMNS], clip[CLIP_SIZE];
	struct hardware *hardware = p->hardware;
	size_t n = split_fields(line, field, p->columns);
	if (n != p->columns)
		return error_at(p->err, hardware->path, p->line, 0, "%s than the %zu fields of the header",
		                n > p->columns ? "more" : "fewer", p->columns);
	struct hardware_row row = {.line = p->line,
	                           .has_dims = has_column(p, "grid") && has_column(p, "block")};
	for (size_t i = 0; i < n; i++)
		if (!read_field(p, &p->column[i], field[i], &row))
			return false;
	const struct hardware_row *twin = hardware_find(hardware, row.program, row.launch);
	if (twin)
		return error_at(p->err, hardware->path, p->line, 0,
		                "launch %u of '%s' is in line %llu already", row.launch,
		                clip_text(clip, row.program), (unsigned long long)twin->line);
	if (hardware->count == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		hardware->row = memory_grow(hardware->row, p->room, sizeof *hardware->row);
	}
	hardware->row[hardware->count++] = row;
	return true;
}

static bool read_lines(struct parser *p, char *at, char *end)
{
	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
		p->line++;
		*(newline ? newline : end) = '\0';
		size_t length = strlen(at);
		if (length != (size_t)((newline ? newline : end) - at))
			return error_at(p->err, p->hardware->path, p->line, 0, "a NUL byte in a text file");
		if (length && at[length - 1] == '\r')
			at[--length] = '\0';
		if (!text_is_safe(at, length, "\t"))
			return error_at(p->err, p->hardware->path, p->line, 0,
			                "a control character, or a byte that is no UTF-8, in a text file");
		if (p->line == 1 ? !read_header(p, at) : *at && !read_row(p, at))
			return false;
		at = next;
	}
	if (!p->hardware->count)
		return error_at(p->err, p->hardware->path, p->line, 0, "no rows");
	return true;
}

bool hardware_parse(struct hardware *hardware, const char *path, char *text, size_t size, struct error *err)
{
	memset(hardware, 0, sizeof *hardware);
	hardware->path = memory_text(path);
	hardware->text = memory_grow(text, size + 1, 1);
	struct parser *p = memory_zeroed(1, sizeof *p);
	p->hardware = hardware;
	p->err = err;
	bool ok = read_lines(p, hardware->text, hardware->text + size);
	free(p);
	if (!ok)
		hardware_free(hardware);
	return ok;
}

bool hardware_load(struct hardware *hardware, const char *path, struct error *err)
{
	static const struct file_kind counters_file = {"a table of counters", 256 << 20};
	size_t size;
	char *text = read_whole_file(path, &counters_file, &size, err);
	return text && hardware_parse(hardware, path, text, size, err);
}

void hardware_free(struct hardware *hardware)
{
	free(hardware->path);
	free(hardware->text);
	free(hardware->row);
	memset(hardware, 0, sizeof *hardware);
}

const struct hardware_row *hardware_find(const struct hardware *hardware, const char *program,
                                         uint32_t launch)
{
	for (size_t i = 0; i < hardware->count; i++)
		if (hardware->row[i].launch == launch && !strcmp(hardware->row[i].program, program))
			return &hardware->row[i];
	return NULL;
}
