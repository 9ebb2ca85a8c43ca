/* Functions of matrices of warps by warps, and the correlation of vectors. */
#include <math.h>
#include <string.h>

#include "papers/experiment/run_values.h"

enum part { PART_CELL, PART_ROW, PART_COLUMN, PART_OFFDIAG, PART_ROWS, PART_COLUMNS, PARTS };
static const char *const names[PARTS] = {"cell", "row", "column", "offdiag", "rows", "columns"};

static struct array new_vector(struct scratch *scratch, size_t count)
{
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	const struct axis *axes[] = {axis};
	*axis = (struct axis){.name = "item", .count = count};
	return array_new(scratch, axes, 1);
}

/* A matrix of one row has nothing off its diagonal: the result is one missing value. */
static struct array off_diagonal(struct scratch *scratch, const double *m, size_t n)
{
	struct array out = new_vector(scratch, n > 1 ? n * (n - 1) : 1);
	for (size_t k = 0, at = 0; n > 1 && k < n * n; k++)
		if (k / n != k % n)
			out.data[at++] = m[k];
	return out;
}

/* Sum each row or column without the diagonal: a warp does not interfere with itself. */
static struct array sums(struct scratch *scratch, const double *m, size_t n, bool of_rows)
{
	struct array out = new_vector(scratch, n);
	for (size_t i = 0; i < n; i++) {
		out.data[i] = 0;
		for (size_t k = 0; k < n; k++)
			out.data[i] += k == i ? 0 : of_rows ? m[i * n + k] : m[k * n + i];
	}
	return out;
}

/* Return row or column `at`; outside of the matrix, values are missing. */
static struct array line_of(struct scratch *scratch, const double *m, size_t n, bool row, double at)
{
	struct array out = new_vector(scratch, n);
	size_t i = at >= 0 && at < (double)n ? (size_t)at : n;
	for (size_t k = 0; i < n && k < n; k++)
		out.data[k] = row ? m[i * n + k] : m[k * n + i];
	return out;
}

static bool call_part(const struct evaluation *e, const struct formula_node *node, enum part part,
                      struct array *out)
{
	struct array m;
	double at[2] = {0};
	if (!node->first)
		return evaluation_fail(e, node, "%s of nothing", node->text);
	if (!evaluate_node(e, node->first, &m))
		return false;
	if (m.axes != 2 || strcmp(m.axis[0]->name, "row"))
		return evaluation_fail(e, node, "%s needs a matrix, such as look.matrix.lost", node->text);
	size_t numbers = part == PART_CELL ? 2 : part == PART_ROW || part == PART_COLUMN ? 1 : 0;
	for (size_t i = 0; i < numbers; i++)
		if (!formula_number_argument(e, node, i + 1, &at[i]))
			return false;
	size_t n = m.axis[0]->count;
	if (part == PART_CELL) {
		struct array row = line_of(e->scratch, m.data, n, true, at[0]);
		bool inside = at[1] >= 0 && at[1] < (double)n;
		*out = array_number(e->scratch, inside ? row.data[(size_t)at[1]] : NAN);
	} else if (part == PART_ROW || part == PART_COLUMN) {
		*out = line_of(e->scratch, m.data, n, part == PART_ROW, at[0]);
	} else {
		*out = part == PART_OFFDIAG ? off_diagonal(e->scratch, m.data, n)
		                            : sums(e->scratch, m.data, n, part == PART_ROWS);
	}
	return true;
}

/* Places where both are 0, such as unused warp slots, are left out. */
static double correlate(const double *a, const double *b, size_t count)
{
	double ma = 0, mb = 0, sab = 0, saa = 0, sbb = 0;
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		n += a[i] != 0 || b[i] != 0;
		ma += a[i];
		mb += b[i];
	}
	ma /= (double)n;
	mb /= (double)n;
	for (size_t i = 0; i < count; i++) {
		if (a[i] == 0 && b[i] == 0)
			continue;
		sab += (a[i] - ma) * (b[i] - mb);
		saa += (a[i] - ma) * (a[i] - ma);
		sbb += (b[i] - mb) * (b[i] - mb);
	}
	return saa > 0 && sbb > 0 ? sab / sqrt(saa * sbb) : NAN;
}

static bool call_correlation(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct array a, b;
	if (formula_count_arguments(node) != 2)
		return evaluation_fail(e, node, "correlation(a, b)");
	if (!evaluate_node(e, node->first, &a) || !evaluate_node(e, node->first->next, &b))
		return false;
	if (a.axes != 1 || b.axes != 1 || a.count != b.count)
		return evaluation_fail(e, node, "correlation needs two vectors of the same length");
	*out = array_number(e->scratch, correlate(a.data, b.data, a.count));
	return true;
}

bool run_call_matrix(const struct evaluation *e, const struct formula_node *node, struct array *out,
                     bool *known)
{
	*known = true;
	for (int i = 0; i < PARTS; i++)
		if (!strcmp(node->text, names[i]))
			return call_part(e, node, (enum part)i, out);
	if (!strcmp(node->text, "correlation"))
		return call_correlation(e, node, out);
	*known = false;
	return false;
}
