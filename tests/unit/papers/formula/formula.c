/* Formulas: what they compute, and what they refuse. */
#include <math.h>

#include "papers/formula/formula.h"
#include "test.h"

/* ipc: three series, four workloads; kb: two series over three sizes and two workloads, in another order. */
static const char *const series[] = {"GTO", "CCWS", "CIAO"};
static const char *const loads[] = {"ATAX", "BICG", "SYRK", "NN"}, *const fewer[] = {"SYRK", "ATAX"};
static const char *const sizes[] = {"1", "8", "64"}, *const lws_labels[] = {"ATAX", "BICG"};
static const struct label_set sets[] = {{"LWS", lws_labels, 2}};
static const char *const known[] = {"ATAX", "BICG", "SYRK", "NN", "KMN"};
static const struct axis series_axis = {.name = "series", .label = series, .count = 3},
                         load_axis = {.name = "workload",
                                      .label = loads,
                                      .count = 4,
                                      .known = known,
                                      .known_count = 5,
                                      .sets = sets,
                                      .set_count = 1},
                         size_axis = {.name = "kb", .label = sizes, .count = 3},
                         fewer_axis = {.name = "workload", .label = fewer, .count = 2};
static const double ipc[] = {1, 2, 4, 8, 2, 2, 2, 2, 3, 8, 4, 16}, curve[] = {1, 10, 2, 20, 2.001, 40};

static bool resolve(void *user, const char *name, struct scratch *scratch, struct array *out,
                    struct error *err)
{
	(void)user;
	if (!strcmp(name, "f.ipc")) {
		const struct axis *axes[] = {&series_axis, &load_axis};
		*out = array_new(scratch, axes, 2);
		memcpy(out->data, ipc, sizeof ipc);
		return true;
	}
	if (!strcmp(name, "f.curve")) {
		const struct axis *axes[] = {&size_axis, &fewer_axis};
		*out = array_new(scratch, axes, 2);
		memcpy(out->data, curve, sizeof curve);
		return true;
	}
	if (!strcmp(name, "hole")) {
		*out = array_number(scratch, NAN);
		return true;
	}
	return error_set(err, "no name '%s'", name);
}

static bool evaluate(const char *text, double *number, struct error *err)
{
	const struct formula_scope scope = {.name = resolve};
	struct formula *formula = formula_parse(text, "f.yaml", 7, 10, err);
	bool ok = formula && formula_number(formula, &scope, number, err);
	formula_free(formula);
	return ok;
}

/* NaN where it is refused: values that are missing are asked for with missing(). */
static double value(const char *text)
{
	struct error err = {{0}};
	double number = NAN;
	if (!evaluate(text, &number, &err))
		printf("# %s: %s\n", text, err.text);
	return number;
}

static bool is(const char *text, double want)
{
	double got = value(text);
	if (fabs(got - want) <= 1e-9 * fabs(want))
		return true;
	printf("# %s is %.12g, expected %.12g\n", text, got, want);
	return false;
}

/* Refused, with these words. */
static bool refused(const char *text, const char *words)
{
	struct error err = {{0}};
	double number;
	if (evaluate(text, &number, &err)) {
		printf("# %s is %g, expected a refusal\n", text, number);
		return false;
	}
	if (strstr(err.text, words))
		return true;
	printf("# %s: '%s' lacks '%s'\n", text, err.text, words);
	return false;
}

TEST(arithmetic_follows_the_usual_ranks)
{
	CHECK(is("1 + 2 * 3", 7));
	CHECK(is("(1 + 2) * 3", 9));
	CHECK(is("2 ^ 3 ^ 2", 512));
	CHECK(is("-2 ^ 2", -4));
	CHECK(is("8 / 4 / 2", 1));
	CHECK(is("10K + 2M + 50%", 2010000.5));
	CHECK(is("1.5e3", 1500));
	CHECK(is("1 < 2 and not 3 < 2", 1));
	CHECK(is("0 or 1 and 0", 0));
}

TEST(comparisons_chain)
{
	CHECK(is("3 > 2 > 1", 1));
	CHECK(is("3 > 2 > 2", 0));
	CHECK(is("1.04 ~ 1", 1));
	CHECK(is("1.06 ~ 1", 0));
	CHECK(is("near(1.09, 1, 10%)", 1));
	CHECK(is("near(0, 0, 1%)", 1));
}

TEST(labels_pick_series_workloads_and_sets)
{
	CHECK(is("f.ipc[\"CIAO\", \"NN\"]", 16));
	CHECK(is("f.ipc[\"NN\"][\"GTO\"]", 8));
	CHECK(is("sum(f.ipc[\"GTO\"])", 15));
	CHECK(is("sum(f.ipc[\"GTO\"][\"LWS\"])", 3));
	CHECK(is("f.curve[kb=8, \"SYRK\"]", 2));
	CHECK(is("missing(f.ipc[\"GTO\", \"KMN\"])", 1)); /* known, but left out */
}

TEST(means_are_those_of_the_papers)
{
	CHECK(is("geomean(f.ipc[\"CCWS\"] / f.ipc[\"GTO\"])", pow(2 * 1 * 0.5 * 0.25, 0.25)));
	CHECK(is("hmean(f.ipc[\"GTO\"])", 4 / (1 + 0.5 + 0.25 + 0.125)));
	CHECK(is("mean(f.ipc[\"GTO\"])", 3.75));
	CHECK(is("median(f.ipc[\"GTO\"])", 3));
	CHECK(is("stddev(f.ipc[\"CCWS\"])", 0));
	CHECK(is("max(geomean(f.ipc))", pow(3 * 8 * 4 * 16, 0.25)));
	CHECK(is("count(f.ipc[\"CIAO\"] > f.ipc[\"GTO\"])", 3));
	CHECK(is("all(f.ipc[\"CIAO\"] >= f.ipc[\"GTO\"])", 1));
	CHECK(is("any(f.ipc[\"CCWS\"] > f.ipc[\"CIAO\"])", 0));
}

TEST(several_arguments_are_taken_element_by_element)
{
	CHECK(is("max(2, 5, 3)", 5));
	CHECK(is("sum(min(f.ipc[\"GTO\"], f.ipc[\"CCWS\"]))", 1 + 2 + 2 + 2));
	CHECK(is("sum(best(f.ipc, \"GTO\", \"CCWS\"))", 2 + 2 + 4 + 8));
	CHECK(is("sum(max(f.ipc, \"series\"))", 3 + 8 + 4 + 16));
}

TEST(places_are_labels_or_numbers)
{
	CHECK(is("argmax(geomean(f.ipc)) == \"CIAO\"", 1));
	CHECK(is("argmin(f.ipc[\"GTO\"]) == \"ATAX\"", 1));
	CHECK(is("argmax(f.curve[\"ATAX\"])", 64));
	CHECK(is("argmax(f.curve[\"ATAX\"]) == 64", 1));
	CHECK(is("argmax(f.ipc[\"GTO\"]) != \"ATAX\"", 1));
}

TEST(figures_meet_by_labels_and_what_one_lacks_is_left_out)
{
	/* SYRK and ATAX alone: 4 / 2 and 1 / 20. */
	CHECK(is("sum(f.ipc[\"GTO\"] / f.curve[kb=8])", 4 / 2.0 + 1 / 20.0));
	CHECK(is("count(f.ipc[\"GTO\"] / f.curve[kb=8] > 0)", 2));
}

TEST(curves_rise_and_fall_but_for_noise)
{
	CHECK(is("rising(f.curve[\"SYRK\"])", 1));
	CHECK(is("falling(f.curve[\"SYRK\"])", 0));
	CHECK(is("falling(-f.curve[\"ATAX\"])", 1));
}

TEST(what_is_missing_stays_missing_unless_it_does_not_matter)
{
	CHECK(is("missing(hole + 1)", 1));
	CHECK(is("missing(1 / 0)", 1));
	CHECK(is("missing(log(0 - 1))", 1));
	CHECK(is("missing(hole > 1)", 1));
	CHECK(is("hole > 1 and 0", 0));
	CHECK(is("hole > 1 or 1", 1));
	CHECK(is("missing(hole and 1)", 1));
	CHECK(is("if(2 > 1, 5, hole)", 5));
	CHECK(is("missing(max(hole, 1))", 1));
}

TEST(conditions_choose_element_by_element)
{
	CHECK(is("sum(if(f.ipc[\"GTO\"] > 2, f.ipc[\"GTO\"], 0))", 12));
	CHECK(is("if(1, \"a\", \"b\") == \"a\"", 1));
}

TEST(the_model_can_be_asked)
{
	CHECK(is("machine(\"gtx480-ciao\", \"sm.warps\")", 48));
	CHECK(is("param(\"ccws\", \"k\")", 8));
	CHECK(is("sets_used(\"pric\", \"gtx480-khairy\", 32, 32)", 32));
	CHECK(is("sets_used(\"seq\", \"gtx480-khairy\", 32, 32)", 1));
	CHECK(is("sets_used(\"gto\", \"gtx480-khairy\", 1, 32)", 32));
	CHECK(is("set_of(\"pric\", \"gtx480-khairy\", 32)", 5)); /* 0x1000 */
	CHECK(is("set_of(\"pric\", \"gtx480-khairy\", 2 ^ 19)", 6));
	CHECK(is("set_of(\"seq\", \"gtx480-khairy\", 33)", 1));
	CHECK(value("storage_bits(\"ciao-c\", \"gtx480-ciao\")") > 1000);
}

TEST(mistakes_are_refused_at_their_place)
{
	CHECK(refused("1 +", "f.yaml:7:13: expected a value at the end"));
	CHECK(refused("1 + )", "f.yaml:7:14: expected a value, found ')'"));
	CHECK(refused("(1 + 2", "expected ')'"));
	CHECK(refused("1 2", "expected an operator or the end"));
	CHECK(refused("\"open", "without its closing"));
	CHECK(refused("nothing", "f.yaml:7:10: no name 'nothing'"));
	CHECK(refused("geomaen(f.ipc)", "did you mean 'geomean'?"));
	CHECK(refused("f.ipc[\"CIA\"]", "did you mean 'CIAO'?"));
	CHECK(refused("f.ipc[\"GTO\"]", "many values, by workload"));
	CHECK(refused("f.curve[kb=9]", "kb is never 9"));
	CHECK(refused("f.ipc[kb=1]", "nothing here varies by 'kb'"));
	CHECK(refused("f.ipc[GTO]", "a label stands in quotes"));
	CHECK(refused("max(3)", "of a single number"));
	CHECK(refused("\"a\" + 1", "a text can only be compared"));
	CHECK(refused("mean(f.ipc, \"kb\")", "there is no axis 'kb' left"));
	CHECK(refused("param(\"ciao-c\", \"nonsense\")", "no parameter 'nonsense'"));
	CHECK(refused("machine(\"gtx480-ciao\", \"sm.warp\")", "did you mean 'sm.warps'?"));
}

TEST(deep_nesting_is_refused_not_followed)
{
	char text[4000];
	memset(text, '(', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	CHECK(refused(text, "nested too deeply"));
	memset(text, '-', sizeof text - 1);
	CHECK(refused(text, "nested too deeply"));
}

TEST_MAIN(TEST_ENTRY(arithmetic_follows_the_usual_ranks) TEST_ENTRY(comparisons_chain)
              TEST_ENTRY(labels_pick_series_workloads_and_sets) TEST_ENTRY(means_are_those_of_the_papers)
                  TEST_ENTRY(several_arguments_are_taken_element_by_element)
                      TEST_ENTRY(places_are_labels_or_numbers)
                          TEST_ENTRY(figures_meet_by_labels_and_what_one_lacks_is_left_out)
                              TEST_ENTRY(curves_rise_and_fall_but_for_noise)
                                  TEST_ENTRY(what_is_missing_stays_missing_unless_it_does_not_matter)
                                      TEST_ENTRY(conditions_choose_element_by_element)
                                          TEST_ENTRY(the_model_can_be_asked)
                                              TEST_ENTRY(mistakes_are_refused_at_their_place)
                                                  TEST_ENTRY(deep_nesting_is_refused_not_followed))
