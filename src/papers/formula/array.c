#include "papers/formula/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- memory ----------------------------------------------------------------------------------------------- */

void *scratch_new(struct scratch *scratch, size_t count, size_t size)
{
	if (!(scratch->count & (scratch->count - 1)))
		scratch->block = memory_grow(scratch->block, scratch->count ? 2 * scratch->count : 1,
		                             sizeof *scratch->block);
	return scratch->block[scratch->count++] = memory_zeroed(count + !count, size);
}

char *scratch_text(struct scratch *scratch, const char *text)
{
	char *copy = scratch_new(scratch, strlen(text) + 1, 1);
	return strcpy(copy, text);
}

void scratch_free(struct scratch *scratch)
{
	for (size_t i = 0; i < scratch->count; i++)
		free(scratch->block[i]);
	free(scratch->block);
	*scratch = (struct scratch){0};
}

/* ---- making ----------------------------------------------------------------------------------------------- */

struct array array_number(struct scratch *scratch, double number)
{
	struct array array = {.count = 1, .data = scratch_new(scratch, 1, sizeof(double))};
	array.data[0] = number;
	return array;
}

struct array array_text(struct scratch *scratch, const char *text)
{
	struct array array = array_number(scratch, NAN);
	array.text = scratch_text(scratch, text);
	return array;
}

struct array array_new(struct scratch *scratch, const struct axis *const *axis, size_t axes)
{
	struct array array = {.axes = axes, .count = 1};
	for (size_t i = 0; i < axes; i++) {
		array.axis[i] = axis[i];
		array.count *= axis[i]->count;
	}
	array.data = scratch_new(scratch, array.count, sizeof(double));
	for (size_t i = 0; i < array.count; i++)
		array.data[i] = NAN;
	return array;
}

size_t label_index(const char *const *label, size_t count, const char *wanted)
{
	size_t i = 0;
	while (i < count && strcmp(label[i], wanted))
		i++;
	return i;
}

bool label_set_has(const struct label_set *set, const char *label)
{
	return label_index(set->label, set->count, label) < set->count;
}

const struct label_set *axis_set(const struct axis *axis, const char *name)
{
	for (size_t i = 0; i < axis->set_count; i++)
		if (!strcmp(axis->sets[i].name, name))
			return &axis->sets[i];
	return NULL;
}

int array_axis(const struct array *array, const char *name)
{
	for (size_t i = 0; i < array->axes; i++)
		if (!strcmp(array->axis[i]->name, name))
			return (int)i;
	return -1;
}

/* ---- element by element ----------------------------------------------------------------------------------- */

/* An axis of the result; for each entry its place in either operand, or SIZE_MAX if that operand lacks the axis. */
struct joined {
	const struct axis *axis;
	size_t *place[2];
};

static struct joined join_one(struct scratch *scratch, const struct axis *axis, int side)
{
	struct joined joined = {.axis = axis};
	for (int s = 0; s < 2; s++) {
		joined.place[s] = scratch_new(scratch, axis->count, sizeof(size_t));
		for (size_t i = 0; i < axis->count; i++)
			joined.place[s][i] = s == side ? i : SIZE_MAX;
	}
	return joined;
}

/* Keep the entries that both operands have, in the order of the first. */
static bool join_both(struct scratch *scratch, const struct axis *a, const struct axis *b,
                      struct joined *joined, struct error *err)
{
	if (!a->label || !b->label) {
		*joined = join_one(scratch, a, 0);
		joined->place[1] = joined->place[0];
		return a->count == b->count ||
		       error_set(err, "vectors of %zu and %zu values do not go together", a->count, b->count);
	}
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	const char **label = scratch_new(scratch, a->count, sizeof *label);
	*axis = *a;
	axis->count = 0;
	axis->label = label;
	*joined = join_one(scratch, a, 0);
	for (size_t i = 0; i < a->count; i++) {
		size_t k = label_index(b->label, b->count, a->label[i]);
		if (k == b->count)
			continue;
		joined->place[0][axis->count] = i;
		joined->place[1][axis->count] = k;
		label[axis->count++] = a->label[i];
	}
	joined->axis = axis;
	return true;
}

static bool join(struct scratch *scratch, const struct array *a, const struct array *b,
                 struct joined joined[ARRAY_AXES], size_t *axes, struct error *err)
{
	*axes = 0;
	for (size_t i = 0; i < a->axes; i++) {
		int other = array_axis(b, a->axis[i]->name);
		if (other < 0)
			joined[*axes] = join_one(scratch, a->axis[i], 0);
		else if (!join_both(scratch, a->axis[i], b->axis[other], &joined[*axes], err))
			return false;
		++*axes;
	}
	for (size_t i = 0; i < b->axes; i++) {
		if (array_axis(a, b->axis[i]->name) >= 0)
			continue;
		if (*axes == ARRAY_AXES)
			return error_set(err, "more than %d axes", ARRAY_AXES);
		joined[(*axes)++] = join_one(scratch, b->axis[i], 1);
	}
	return true;
}

/* Return the place of an entry of the result in an operand's data. */
static size_t place_in(const struct array *side, int which, const struct joined *joined, size_t axes,
                       const size_t *index)
{
	size_t at = 0;
	for (size_t i = 0; i < side->axes; i++)
		for (size_t k = 0; k < axes; k++)
			if (!strcmp(joined[k].axis->name, side->axis[i]->name))
				at = at * side->axis[i]->count + joined[k].place[which][index[k]];
	return at;
}

static void step(const struct array *array, size_t *index)
{
	for (size_t k = array->axes; k-- > 0;) {
		if (++index[k] < array->axis[k]->count)
			return;
		index[k] = 0;
	}
}

bool array_combine(struct scratch *scratch, double (*op)(double a, double b), const struct array *a,
                   const struct array *b, struct array *out, struct error *err)
{
	struct joined joined[ARRAY_AXES];
	const struct axis *axis[ARRAY_AXES];
	size_t axes, index[ARRAY_AXES] = {0};
	if (!join(scratch, a, b, joined, &axes, err))
		return false;
	for (size_t i = 0; i < axes; i++)
		axis[i] = joined[i].axis;
	*out = array_new(scratch, axis, axes);
	for (size_t i = 0; i < out->count; i++) {
		out->data[i] = op(a->data[place_in(a, 0, joined, axes, index)],
		                  b->data[place_in(b, 1, joined, axes, index)]);
		step(out, index);
	}
	return true;
}

void array_map(struct scratch *scratch, double (*op)(double a), const struct array *a, struct array *out)
{
	*out = array_new(scratch, a->axis, a->axes);
	for (size_t i = 0; i < a->count; i++)
		out->data[i] = op(a->data[i]);
}

/* ---- along an axis ---------------------------------------------------------------------------------------- */

/* Return the distance in the data of two neighbors along an axis. */
static size_t inner_of(const struct array *a, int axis)
{
	size_t inner = 1;
	for (size_t i = (size_t)axis + 1; i < a->axes; i++)
		inner *= a->axis[i]->count;
	return inner;
}

static struct array without(struct scratch *scratch, const struct array *a, int axis)
{
	const struct axis *left[ARRAY_AXES];
	size_t n = 0;
	for (size_t i = 0; i < a->axes; i++)
		if ((int)i != axis)
			left[n++] = a->axis[i];
	return array_new(scratch, left, n);
}

void array_reduce(struct scratch *scratch, double (*reduce)(const double *value, size_t count),
                  const struct array *a, int axis, struct array *out)
{
	size_t count = a->axis[axis]->count, inner = inner_of(a, axis);
	double *value = scratch_new(scratch, count, sizeof *value);
	*out = without(scratch, a, axis);
	for (size_t i = 0; i < out->count; i++) {
		size_t start = i / inner * inner * count + i % inner;
		for (size_t k = 0; k < count; k++)
			value[k] = a->data[start + k * inner];
		out->data[i] = reduce(value, count);
	}
}

static const struct axis *narrow(struct scratch *scratch, const struct axis *from, const bool *mask)
{
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	const char **label = from->label ? scratch_new(scratch, from->count, sizeof *label) : NULL;
	*axis = *from;
	axis->label = label;
	axis->count = 0;
	for (size_t i = 0; i < from->count; i++) {
		if (!mask[i])
			continue;
		if (label)
			label[axis->count] = from->label[i];
		axis->count++;
	}
	return axis;
}

void array_select(struct scratch *scratch, const struct array *a, int axis, const bool *mask, bool single,
                  struct array *out)
{
	const struct axis *axes[ARRAY_AXES];
	size_t count = a->axis[axis]->count, inner = inner_of(a, axis), to = 0;
	memcpy(axes, a->axis, sizeof axes);
	axes[axis] = narrow(scratch, a->axis[axis], mask);
	*out = single ? without(scratch, a, axis) : array_new(scratch, axes, a->axes);
	if (single && !axes[axis]->count)
		return;
	for (size_t i = 0; i < a->count; i++)
		if (mask[i / inner % count])
			out->data[to++] = a->data[i];
}
