/* Matrices of warps in formulas over a run: sums without what a warp does to itself, and how two vectors agree. */
#include "lib/formula_fixture.h"
#include "papers/experiment/run_values.h"

/* Three warps and a slot that none used; a warp loses most to itself. Two launches, which are summed. */
static const char detail[] = "{\"launches\": [{\"look\": {\"matrix\": {"
                             "\"lost\": [[90, 1, 2, 0], [3, 80, 4, 0], [5, 6, 70, 0], [0, 0, 0, 0]],"
                             "\"evictions\": [[9, 30, 20, 0], [2, 8, 10, 0], [1, 3, 7, 0], [0, 0, 0, 0]]}}},"
                             "{\"look\": {\"matrix\": {"
                             "\"lost\": [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],"
                             "\"evictions\": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}}}]}";

static json_t *json;
static struct formula_scope scope;
#define VALUES(...) VALUES_IN(&scope, __VA_ARGS__)

static bool load(void)
{
	static struct run_values values = {.look = "matrix"};
	values.detail = json = json_loads(detail, 0, NULL);
	scope = run_scope(&values);
	return json != NULL;
}

TEST(rows_and_columns_are_summed_without_the_diagonal)
{
	VALUES({"sum(rows(look.matrix.lost))", 22}, {"max(rows(look.matrix.lost))", 11},
	       {"sum(columns(look.matrix.lost))", 22}, {"max(columns(look.matrix.lost))", 8},
	       {"max(columns(look.matrix.evictions))", 33}, {"count(rows(look.matrix.lost) > 0)", 3});
}

TEST(cells_rows_columns_and_what_is_off_the_diagonal)
{
	VALUES({"cell(look.matrix.lost, 0, 1)", 2}, {"sum(row(look.matrix.lost, 0))", 94},
	       {"sum(column(look.matrix.lost, 2))", 76}, {"sum(offdiag(look.matrix.lost))", 22},
	       {"cell(look.matrix.lost, 9, 1)", NAN});
}

/* Sums with the diagonal agree by more than 0.9, whatever warps do to each other. */
TEST(unused_slots_do_not_make_vectors_agree)
{
	/* lost again 4, 7, 11; taken from others 3, 33, 30 */
	double a[] = {4, 7, 11}, b[] = {3, 33, 30}, ma = 22. / 3, mb = 22, sab = 0, saa = 0, sbb = 0;
	for (int i = 0; i < 3; i++) {
		sab += (a[i] - ma) * (b[i] - mb);
		saa += (a[i] - ma) * (a[i] - ma);
		sbb += (b[i] - mb) * (b[i] - mb);
	}
	VALUES({"correlation(rows(look.matrix.lost), columns(look.matrix.evictions))", sab / sqrt(saa * sbb)},
	       {"correlation(sum(look.matrix.lost, \"column\"), sum(look.matrix.lost, \"row\")) > 0.9", 1},
	       {"correlation(row(look.matrix.lost, 3), row(look.matrix.lost, 3))", NAN});
}

TEST_RUN_ALL(load())
