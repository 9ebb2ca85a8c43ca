/* Text tables. */
#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct table {
	struct table_column column[TABLE_MAX_COLUMNS];
	size_t columns, cells, room;
	char **cell;
};

struct table *table_new(const struct table_column *columns, size_t count)
{
	struct table *table = memory_zeroed(1, sizeof *table);
	memcpy(table->column, columns, count * sizeof *columns);
	table->columns = count;
	return table;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->cells; i++)
		free(table->cell[i]);
	free(table->cell);
	free(table);
}

static void push(struct table *table, const char *text)
{
	int limit = table->column[table->cells % table->columns].max_width;
	if (table->cells == table->room) {
		table->room = table->room ? table->room * 2 : 64;
		table->cell = memory_grow(table->cell, table->room, sizeof *table->cell);
	}
	char *copy = memory_text(text);
	if (limit > 2 && strlen(copy) > (size_t)limit)
		memcpy(copy + limit - 2, "..", 3);
	table->cell[table->cells++] = copy;
}

void table_add(struct table *table, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	push(table, text);
}

const char *table_format_count(char buf[COUNT_TEXT_SIZE], uint64_t number)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

void table_add_count(struct table *table, uint64_t number)
{
	char text[COUNT_TEXT_SIZE];
	push(table, table_format_count(text, number));
}

void table_add_real(struct table *table, double number, int decimals)
{
	if (isnan(number))
		push(table, "-");
	else
		table_add(table, "%.*f", decimals, number);
}

static void print_cell(FILE *out, const struct table *table, size_t column, int width, const char *text)
{
	if (table->column[column].align == TABLE_RIGHT)
		fprintf(out, "%*s", width, text);
	else if (column + 1 == table->columns)
		fputs(text, out);
	else
		fprintf(out, "%-*s", width, text);
	fputs(column + 1 == table->columns ? "\n" : "  ", out);
}

void table_print(const struct table *table, FILE *out, const char *indent)
{
	int width[TABLE_MAX_COLUMNS];
	for (size_t c = 0; c < table->columns; c++)
		width[c] = (int)strlen(table->column[c].title);
	for (size_t i = 0; i < table->cells; i++) {
		int length = (int)strlen(table->cell[i]);
		if (length > width[i % table->columns])
			width[i % table->columns] = length;
	}
	for (size_t c = 0; c < table->columns; c++) {
		if (!c)
			fputs(indent, out);
		print_cell(out, table, c, width[c], table->column[c].title);
	}
	for (size_t i = 0; i < table->cells; i++) {
		size_t c = i % table->columns;
		if (!c)
			fputs(indent, out);
		print_cell(out, table, c, width[c], table->cell[i]);
	}
}

/* Whether a spreadsheet would take the text for a formula: what begins like one and is no number. */
static bool looks_like_formula(const char *text)
{
	char *end;
	if (!strchr("=+-@\t\r", *text) || !*text)
		return false;
	strtod(text, &end);
	return end == text || *end;
}

void table_put_csv(FILE *out, const char *text)
{
	if (looks_like_formula(text)) {
		fputs("\"'", out);
		for (; *text; text++)
			fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
		fputc('"', out);
		return;
	}
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
	fputc('"', out);
}
