/* Tables of formulas with their values, and of formulas that are refused, in a scope. */
#ifndef SLUICE_TESTS_LIB_FORMULA_FIXTURE_H
#define SLUICE_TESTS_LIB_FORMULA_FIXTURE_H

#include <math.h>

#include "papers/formula/formula.h"
#include "test.h"

/* Evaluate a formula as if it began at line 3, column 1 of a file. */
static inline bool formula_value(const struct formula_scope *scope, const char *text, double *number,
                                 struct error *err)
{
	struct formula *formula = formula_parse(text, "f.yaml", 3, 1, err);
	bool ok = formula && formula_number(formula, scope, number, err);
	formula_free(formula);
	return ok;
}

struct formula_case {
	const char *text;
	double wanted; /* NaN: missing */
};

static inline bool formula_values(const struct formula_scope *scope, const struct formula_case *cases,
                                  size_t count)
{
	bool all = true;
	for (size_t i = 0; i < count; i++) {
		struct error err = {{0}};
		double got = 0, wanted = cases[i].wanted;
		bool ok = formula_value(scope, cases[i].text, &got, &err) &&
		          (isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-12 * fabs(wanted));
		if (!ok)
			printf("# %s is %.12g (%s), expected %.12g\n", cases[i].text, got, err.text, wanted);
		all &= ok;
	}
	return all;
}
#define VALUES_IN(scope, ...)                                                                                \
	do {                                                                                                 \
		const struct formula_case cases_[] = {__VA_ARGS__};                                          \
		CHECK(formula_values(scope, cases_, sizeof cases_ / sizeof *cases_));                        \
	} while (0)

/* "..." at either end of a message stands for any text. */
struct formula_refusal {
	const char *text, *message;
};

static inline bool formula_message(const char *got, const char *wanted)
{
	size_t length = strlen(wanted);
	if (!strncmp(wanted, "...", 3))
		return strstr(got, wanted + 3) != NULL;
	bool open = length > 3 && !strcmp(wanted + length - 3, "...");
	return open ? !strncmp(got, wanted, length - 3) : !strcmp(got, wanted);
}

static inline bool formula_refused(const struct formula_scope *scope, const struct formula_refusal *cases,
                                   size_t count)
{
	bool all = true;
	for (size_t i = 0; i < count; i++) {
		struct error err = {{0}};
		double got = 0;
		bool ok = !formula_value(scope, cases[i].text, &got, &err) &&
		          formula_message(err.text, cases[i].message);
		if (!ok)
			printf("# %s\n# got:    %g %s\n# wanted: %s\n", cases[i].text, got, err.text,
			       cases[i].message);
		all &= ok;
	}
	return all;
}
#define REFUSES_IN(scope, ...)                                                                               \
	do {                                                                                                 \
		static const struct formula_refusal cases_[] = {__VA_ARGS__};                                \
		CHECK(formula_refused(scope, cases_, sizeof cases_ / sizeof *cases_));                       \
	} while (0)

#endif
