/* How well simulated and hardware counters agree. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistics.h"
#include "study/validate/validate.h"

int validate_find_counter(const struct validation *v, enum counter counter)
{
	for (size_t m = 0; m < v->measures; m++)
		if (v->measure[m].counter == (int)counter)
			return (int)m;
	return -1;
}

int validate_find_metric(const struct validation *v, enum metric metric)
{
	for (size_t m = 0; m < v->measures; m++)
		if (v->measure[m].metric == (int)metric)
			return (int)m;
	return -1;
}

const char *validate_group_name(enum validate_group group)
{
	static const char *const names[GROUP_COUNT] = {
	    [GROUP_APPLICATIONS] = "applications",
	    [GROUP_PROBE] = "probe",
	};
	return names[group];
}

double validate_error(const struct validation *v, size_t launch, size_t measure)
{
	const struct validate_launch *l = &v->launch[launch];
	if (!l->compared)
		return NAN;
	double difference = l->sim[measure] - l->hw[measure];
	if (v->measure[measure].kind != MEASURE_PERCENT)
		return difference;
	return l->hw[measure] > 0 ? 100 * difference / l->hw[measure] : NAN;
}

/* The launches of a group that count for a measure, side by side. */
struct sample {
	double *sim, *hw, *size; /* size: of the error, without sign */
	size_t n;
};

static struct sample sample_new(size_t room)
{
	return (struct sample){.sim = memory_zeroed(room + 1, sizeof(double)),
	                       .hw = memory_zeroed(room + 1, sizeof(double)),
	                       .size = memory_zeroed(room + 1, sizeof(double))};
}

static void sample_free(struct sample *sample)
{
	free(sample->sim);
	free(sample->hw);
	free(sample->size);
}

static bool counts(const struct validation *v, size_t launch, size_t measure)
{
	if (isnan(validate_error(v, launch, measure)))
		return false;
	return v->measure[measure].kind != MEASURE_PERCENT ||
	       v->launch[launch].hw[measure] > v->measure[measure].over;
}

/* Launches to look at: those of a group or of a program. */
struct scope {
	enum { SCOPE_GROUP, SCOPE_PROGRAM } kind;
	size_t which;
};

static bool in_scope(const struct validate_launch *launch, const struct scope *scope)
{
	return scope->which == (scope->kind == SCOPE_GROUP ? launch->group : launch->program);
}

static void collect(const struct validation *v, const struct scope *scope, size_t measure,
                    struct sample *sample, struct agreement *a)
{
	double errors = 0;
	for (size_t i = 0; i < v->launches; i++) {
		if (!v->launch[i].compared || !in_scope(&v->launch[i], scope))
			continue;
		if (!counts(v, i, measure)) {
			a->left_out++;
			continue;
		}
		double error = validate_error(v, i, measure);
		errors += error;
		a->equal += v->launch[i].sim[measure] == v->launch[i].hw[measure];
		if (!sample->n || fabs(error) > fabs(a->worst)) {
			a->worst = error;
			a->worst_launch = i;
		}
		sample->sim[sample->n] = v->launch[i].sim[measure];
		sample->hw[sample->n] = v->launch[i].hw[measure];
		sample->size[sample->n++] = fabs(error);
	}
	a->n = sample->n;
	a->bias = a->n ? errors / (double)a->n : NAN;
}

static struct agreement agree(const struct validation *v, struct scope scope, size_t measure)
{
	struct agreement a = {.worst = NAN};
	struct sample sample = sample_new(v->launches);
	collect(v, &scope, measure, &sample, &a);
	a.mean = statistics_mean(sample.size, a.n);
	a.median = statistics_quantile(sample.size, a.n, 0.5);
	a.p90 = statistics_quantile(sample.size, a.n, 0.9);
	double sim = statistics_mean(sample.sim, a.n), hw = statistics_mean(sample.hw, a.n);
	a.total = hw > 0 ? 100 * (sim - hw) / hw : NAN;
	a.pearson = statistics_pearson(sample.hw, sample.sim, a.n);
	a.log_pearson = statistics_log_pearson(sample.hw, sample.sim, a.n);
	sample_free(&sample);
	return a;
}

struct agreement validate_agree(const struct validation *v, enum validate_group group, size_t measure)
{
	return agree(v, (struct scope){SCOPE_GROUP, group}, measure);
}

struct agreement validate_agree_program(const struct validation *v, size_t program, size_t measure)
{
	return agree(v, (struct scope){SCOPE_PROGRAM, program}, measure);
}
