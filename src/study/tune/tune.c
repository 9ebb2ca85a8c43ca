/* Points of a parameter space, and the search among them. */
#include "study/tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/args.h"
#include "base/memory.h"
#include "base/suggest.h"

/* ---- the space -------------------------------------------------------------------------------------------- */

/* [from, to) of a text into a buffer; false if it does not fit or is empty. */
static bool take(char *to, size_t size, const char *from, const char *end)
{
	size_t length = (size_t)(end - from);
	if (!length || length >= size)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

bool tune_param_parse(struct tune_param *param, const char *text, struct error *err)
{
	char clip[CLIP_SIZE], from[24];
	const char *equals = strrchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL, *dot = equals;
	/* The policy may be a file, "./mine.so.n": its parameter stands behind the last dot. */
	while (dot && dot > text && *dot != '.')
		dot--;
	if (!dots || dot == text || !take(param->policy, sizeof param->policy, text, dot) ||
	    !take(param->name, sizeof param->name, dot + 1, equals) ||
	    !take(from, sizeof from, equals + 1, dots))
		return error_set(err, "--param: '%s' is not policy.parameter=FROM..TO, as in swl.n=1..24",
		                 clip_text(clip, text));
	if (!args_read_number("--param", from, 0, UINT32_MAX, &param->from, err) ||
	    !args_read_number("--param", dots + 2, 0, UINT32_MAX, &param->to, err))
		return false;
	if (param->from > param->to)
		return error_set(err, "--param: %s runs backwards", clip_text(clip, text));
	return true;
}

/* The next policy of a chain: its name ends at ':' or ','. Returns what follows it. */
static const char *next_item(const char *at, size_t *name, size_t *length)
{
	*name = strcspn(at, ":,");
	*length = strcspn(at, ",");
	return at[*length] ? at + *length + 1 : at + *length;
}

static bool is_item(const char *item, size_t name, const char *policy)
{
	return strlen(policy) == name && !strncmp(item, policy, name);
}

/* The policy in the chain, to the end of the chain; NULL: it is not there. */
static const char *find_item(const char *chain, const char *policy)
{
	size_t name, length;
	for (const char *at = chain, *next; *at; at = next) {
		next = next_item(at, &name, &length);
		if (is_item(at, name, policy))
			return at;
	}
	return NULL;
}

/* Whether an item of a chain sets the parameter itself. */
static bool item_sets(const char *item, const char *param)
{
	size_t length = strlen(param);
	for (const char *at = item; *at && *at != ','; at++)
		if (*at == ':' && !strncmp(at + 1, param, length) && at[length + 1] == '=')
			return true;
	return false;
}

/* The policies that parameters name, each once, in their order. */
static char *default_chain(const struct tune_space *space)
{
	char *chain = memory_zeroed(TUNE_PARAMS_MAX, sizeof space->param->policy + 1);
	for (size_t i = 0; i < space->params; i++) {
		if (find_item(chain, space->param[i].policy))
			continue;
		if (*chain)
			strcat(chain, ",");
		strcat(chain, space->param[i].policy);
	}
	return chain;
}

static bool check_param(const struct tune_space *space, size_t i, struct error *err)
{
	const struct tune_param *param = &space->param[i];
	const char *item = find_item(space->chain, param->policy);
	if (!item)
		return error_set(err, "--param: policy '%s' is not in the chain '%s'", param->policy,
		                 space->chain);
	if (item_sets(item, param->name))
		return error_set(err, "--param: the chain '%s' sets %s itself", space->chain, param->name);
	for (size_t k = 0; k < i; k++)
		if (!strcmp(space->param[k].policy, param->policy) &&
		    !strcmp(space->param[k].name, param->name))
			return error_set(err, "--param: %s.%s is given twice", param->policy, param->name);
	return true;
}

static bool count_points(struct tune_space *space, struct error *err)
{
	space->points = 1;
	for (size_t i = 0; i < space->params; i++) {
		uint64_t values = space->param[i].to - space->param[i].from + 1;
		if (values > TUNE_POINTS_MAX || space->points * values > TUNE_POINTS_MAX)
			return error_set(err, "--param: more than %d combinations", TUNE_POINTS_MAX);
		space->points *= values;
	}
	return true;
}

static bool fill_space(struct tune_space *space, const char *const *params, size_t count, const char *chain,
                       struct error *err)
{
	if (!count || count > TUNE_PARAMS_MAX)
		return error_set(err, "--param: expected one to %d of them, found %zu", TUNE_PARAMS_MAX,
		                 count);
	for (; space->params < count; space->params++)
		if (!tune_param_parse(&space->param[space->params], params[space->params], err))
			return false;
	space->chain = chain ? memory_text(chain) : default_chain(space);
	for (size_t i = 0; i < count; i++)
		if (!check_param(space, i, err))
			return false;
	return count_points(space, err);
}

bool tune_space_make(struct tune_space *space, const char *const *params, size_t count, const char *chain,
                     struct error *err)
{
	*space = (struct tune_space){0};
	if (fill_space(space, params, count, chain, err))
		return true;
	tune_space_free(space);
	return false;
}

void tune_space_free(struct tune_space *space)
{
	free(space->chain);
	*space = (struct tune_space){0};
}

void tune_values(const struct tune_space *space, size_t point, uint64_t values[TUNE_PARAMS_MAX])
{
	for (size_t i = space->params; i-- > 0;) {
		uint64_t count = space->param[i].to - space->param[i].from + 1;
		values[i] = space->param[i].from + point % count;
		point /= count;
	}
}

char *tune_chain(const struct tune_space *space, size_t point)
{
	uint64_t values[TUNE_PARAMS_MAX];
	char *chain = NULL;
	size_t bytes, name, length;
	FILE *text = memory_stream_open(&chain, &bytes);
	tune_values(space, point, values);
	for (const char *at = space->chain, *next; *at; at = next) {
		next = next_item(at, &name, &length);
		fprintf(text, "%s%.*s", at == space->chain ? "" : ",", (int)length, at);
		for (size_t i = 0; i < space->params; i++)
			if (is_item(at, name, space->param[i].policy))
				fprintf(text, ":%s=%" PRIu64, space->param[i].name, values[i]);
	}
	memory_stream_close(text);
	return chain;
}

/* ---- the search ------------------------------------------------------------------------------------------- */

static size_t best_of(const struct tune_measure *m, const bool *measured, size_t points)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < points; i++)
		if (measured[i] && (best == SIZE_MAX || m->score(m->user, i) >= m->score(m->user, best)))
			best = i;
	return best;
}

struct golden {
	const struct tune_measure *m;
	size_t points;
	bool *measured;
};

static bool look_at(struct golden *g, const size_t *points, size_t count, struct error *err)
{
	size_t inside[4], n = 0;
	for (size_t i = 0; i < count; i++)
		if (points[i] < g->points && !g->measured[points[i]]) {
			g->measured[points[i]] = true;
			inside[n++] = points[i];
		}
	return !n || g->m->measure(g->m->user, inside, n, err);
}

/* Beyond the last point it only gets worse. */
static double score_at(const struct golden *g, size_t point)
{
	return point < g->points ? g->m->score(g->m->user, point) : -INFINITY;
}

/*
 * Golden sections of whole numbers are Fibonacci's: with points 0 .. F(k) - 2
 * left behind `base`, those at F(k-2) and F(k-1) behind it divide them so that
 * one of the two serves the next step, too. Assumes one summit. Equals lead to
 * the smaller values, for behind the summit curves of throttling run flat; the
 * ends are measured in any case, so that a flat summit is found up to its end.
 */
static bool search_golden(struct golden *g, struct error *err)
{
	size_t large = 1, small = 1; /* F(k-1), F(k-2) */
	while (large + small < g->points + 1) {
		size_t sum = large + small;
		small = large;
		large = sum;
	}
	size_t base = SIZE_MAX; /* -1: points are counted from 0 */
	if (!look_at(g, (const size_t[]){0, g->points - 1, base + small, base + large}, 4, err))
		return false;
	while (large > 1) {
		if (score_at(g, base + small) < score_at(g, base + large))
			base += small;
		size_t less = large - small;
		large = small;
		small = less;
		if (!look_at(g, (const size_t[]){base + small, base + large}, 2, err))
			return false;
	}
	return true;
}

bool tune_search(const struct tune_measure *measure, size_t points, enum tune_search search, size_t *best,
                 struct error *err)
{
	struct golden g = {.m = measure, .points = points, .measured = memory_zeroed(points, sizeof(bool))};
	bool ok;
	if (search == TUNE_GOLDEN) {
		ok = search_golden(&g, err);
	} else {
		size_t *all = memory_zeroed(points, sizeof *all);
		for (size_t i = 0; i < points; i++) {
			all[i] = i;
			g.measured[i] = true;
		}
		ok = measure->measure(measure->user, all, points, err);
		free(all);
	}
	if (ok)
		*best = best_of(measure, g.measured, points);
	free(g.measured);
	return ok;
}
