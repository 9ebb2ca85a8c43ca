/* Questions to the results database in SQL, and their answers as text. */
#ifndef SLUICE_STORE_QUERY_H
#define SLUICE_STORE_QUERY_H

#include <stdio.h>

#include "store/store.h"

enum query_format { QUERY_TABLE /* CSV if there are too many columns */, QUERY_CSV };

/* Print the rows that `sql` selects. */
bool query_print(struct store *store, const char *sql, enum query_format format, FILE *out,
                 struct error *err);
/* Print the one run whose key begins with `key`: a line for every column that has a value. */
bool query_print_run(struct store *store, const char *key, FILE *out, struct error *err);

#endif
