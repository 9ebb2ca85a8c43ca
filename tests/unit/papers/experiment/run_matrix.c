/* Matrices of warps in formulas over a run: sums without what a warp does to itself, and how two vectors agree. */
#include <math.h>

#include "papers/experiment/run_values.h"
#include "test.h"

/* Three warps and a slot that none used; a warp loses most to itself. Two launches, which are summed. */
static const char detail[] = "{\"launches\": [{\"look\": {\"matrix\": {"
                             "\"lost\": [[90, 1, 2, 0], [3, 80, 4, 0], [5, 6, 70, 0], [0, 0, 0, 0]],"
                             "\"evictions\": [[9, 30, 20, 0], [2, 8, 10, 0], [1, 3, 7, 0], [0, 0, 0, 0]]}}},"
                             "{\"look\": {\"matrix\": {"
                             "\"lost\": [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],"
                             "\"evictions\": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}}}]}";

static double value(const char *text)
{
	struct error err = {{0}};
	double number = NAN;
	json_t *json = json_loads(detail, 0, NULL);
	const struct run_values values = {.detail = json, .look = "matrix"};
	const struct formula_scope scope = run_scope(&values);
	struct formula *formula = formula_parse(text, "f.yaml", 1, 0, &err);
	bool ok = formula && formula_number(formula, &scope, &number, &err);
	if (!ok)
		printf("%s: %s\n", text, err.text);
	formula_free(formula);
	json_decref(json);
	return ok ? number : NAN;
}

static bool is(const char *text, double wanted)
{
	double number = value(text);
	if (fabs(number - wanted) < 1e-9)
		return true;
	printf("%s is %g, not %g\n", text, number, wanted);
	return false;
}

TEST(rows_and_columns_are_summed_without_the_diagonal)
{
	CHECK(is("sum(rows(look.matrix.lost))", 22));
	CHECK(is("max(rows(look.matrix.lost))", 11));
	CHECK(is("sum(columns(look.matrix.lost))", 22));
	CHECK(is("max(columns(look.matrix.lost))", 8));
	CHECK(is("max(columns(look.matrix.evictions))", 33));
	CHECK(is("count(rows(look.matrix.lost) > 0)", 3));
}

TEST(cells_rows_and_what_lies_beside_the_diagonal)
{
	CHECK(is("cell(look.matrix.lost, 0, 1)", 2));
	CHECK(is("sum(row(look.matrix.lost, 0))", 94));
	CHECK(is("sum(column(look.matrix.lost, 2))", 76));
	CHECK(is("sum(offdiag(look.matrix.lost))", 22));
	CHECK(isnan(value("cell(look.matrix.lost, 9, 1)")));
}

/* Sums with the diagonal agree by more than 0.9, whatever warps do to each other. */
TEST(slots_that_nobody_used_do_not_make_vectors_agree)
{
	/* lost again 4, 7, 11; taken from others 3, 33, 30 */
	double a[] = {4, 7, 11}, b[] = {3, 33, 30}, ma = 22. / 3, mb = 22, sab = 0, saa = 0, sbb = 0;
	for (int i = 0; i < 3; i++) {
		sab += (a[i] - ma) * (b[i] - mb);
		saa += (a[i] - ma) * (a[i] - ma);
		sbb += (b[i] - mb) * (b[i] - mb);
	}
	CHECK(
	    is("correlation(rows(look.matrix.lost), columns(look.matrix.evictions))", sab / sqrt(saa * sbb)));
	CHECK(value("correlation(sum(look.matrix.lost, \"column\"), sum(look.matrix.lost, \"row\"))") > 0.9);
	CHECK(isnan(value("correlation(row(look.matrix.lost, 3), row(look.matrix.lost, 3))")));
}

TEST_MAIN(TEST_ENTRY(rows_and_columns_are_summed_without_the_diagonal)
              TEST_ENTRY(cells_rows_and_what_lies_beside_the_diagonal)
                  TEST_ENTRY(slots_that_nobody_used_do_not_make_vectors_agree))
