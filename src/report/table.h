/* Text tables: columns as wide as their widest cell, numbers to the right. */
#ifndef SLUICE_REPORT_TABLE_H
#define SLUICE_REPORT_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_MAX_COLUMNS = 24 };

struct table_column {
	const char *title;
	enum { TABLE_RIGHT, TABLE_LEFT } align;
	int max_width; /* longer cells are cut and end in ".."; 0: no limit */
};

struct table;
struct table *table_new(const struct table_column *columns, size_t count);
void table_free(struct table *table);
/* Fills the table cell by cell, row by row. */
void table_add(struct table *table, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A whole number with thousands separated: "1,472,768". */
void table_add_count(struct table *table, uint64_t number);
/* With `decimals`; "-" for a NaN. */
void table_add_real(struct table *table, double number, int decimals);
/* Every line starts with `indent` and ends without trailing blanks. */
void table_print(const struct table *table, FILE *out, const char *indent);

/* A field of a line of CSV, in quotes where it needs them. */
void table_put_csv(FILE *out, const char *text);

/* "1,472,768"; returns buf. */
enum { COUNT_TEXT_SIZE = 32 };
const char *table_format_count(char buf[COUNT_TEXT_SIZE], uint64_t number);

#endif
