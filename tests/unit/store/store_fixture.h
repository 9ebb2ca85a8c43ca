/* What the tests of the results database share: questions to it, and the detail of an outcome. */
#ifndef SLUICE_TESTS_UNIT_STORE_STORE_FIXTURE_H
#define SLUICE_TESTS_UNIT_STORE_STORE_FIXTURE_H

#include <sqlite3.h>

#include "store/store.h"
#include "test.h"

/* The number that the query gives first; -1: none. */
static inline long long ask(struct store *store, const char *sql)
{
	sqlite3_stmt *query;
	long long answer = -1;
	if (sqlite3_prepare_v2(store_handle(store), sql, -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_ROW)
		answer = sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	return answer;
}

/* The detail of the outcome, which had none, becomes {}. */
static inline void give_detail(struct outcome *outcome)
{
	/* A frame of Zstandard. */
	static const unsigned char empty[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x02, 0x11, 0x00, 0x00, '{', '}'};
	outcome->detail = malloc(sizeof empty);
	memcpy(outcome->detail, empty, sizeof empty);
	outcome->detail_bytes = sizeof empty;
}

#endif
