/* Formulas: what they compute, and what they refuse. */
#include "lib/formula_fixture.h"

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

static const struct formula_scope scope = {.name = resolve};
#define VALUES(...) VALUES_IN(&scope, __VA_ARGS__)
#define REFUSES(...) REFUSES_IN(&scope, __VA_ARGS__)

TEST(arithmetic_follows_the_usual_ranks)
{
	VALUES({"1 + 2 * 3", 7}, {"(1 + 2) * 3", 9}, {"2 ^ 3 ^ 2", 512}, {"-2 ^ 2", -4}, {"8 / 4 / 2", 1},
	       {"10K + 2M + 50%", 2010000.5}, {"1.5e3", 1500}, {"1 < 2 and not 3 < 2", 1},
	       {"0 or 1 and 0", 0});
}

TEST(comparisons_chain)
{
	VALUES({"3 > 2 > 1", 1}, {"3 > 2 > 2", 0}, {"1.04 ~ 1", 1}, {"1.06 ~ 1", 0},
	       {"near(1.09, 1, 10%)", 1}, {"near(0, 0, 1%)", 1});
}

TEST(labels_pick_series_workloads_and_sets)
{
	VALUES({"f.ipc[\"CIAO\", \"NN\"]", 16}, {"f.ipc[\"NN\"][\"GTO\"]", 8}, {"sum(f.ipc[\"GTO\"])", 15},
	       {"sum(f.ipc[\"GTO\"][\"LWS\"])", 3}, {"f.curve[kb=8, \"SYRK\"]", 2},
	       {"missing(f.ipc[\"GTO\", \"KMN\"])", 1} /* known, but left out */);
}

TEST(means_are_those_of_the_papers)
{
	VALUES({"geomean(f.ipc[\"CCWS\"] / f.ipc[\"GTO\"])", pow(2 * 1 * 0.5 * 0.25, 0.25)},
	       {"hmean(f.ipc[\"GTO\"])", 4 / (1 + 0.5 + 0.25 + 0.125)}, {"mean(f.ipc[\"GTO\"])", 3.75},
	       {"median(f.ipc[\"GTO\"])", 3}, {"stddev(f.ipc[\"CCWS\"])", 0},
	       {"max(geomean(f.ipc))", pow(3 * 8 * 4 * 16, 0.25)},
	       {"count(f.ipc[\"CIAO\"] > f.ipc[\"GTO\"])", 3}, {"all(f.ipc[\"CIAO\"] >= f.ipc[\"GTO\"])", 1},
	       {"any(f.ipc[\"CCWS\"] > f.ipc[\"CIAO\"])", 0});
}

TEST(several_arguments_are_taken_element_by_element)
{
	VALUES({"max(2, 5, 3)", 5}, {"sum(min(f.ipc[\"GTO\"], f.ipc[\"CCWS\"]))", 1 + 2 + 2 + 2},
	       {"sum(best(f.ipc, \"GTO\", \"CCWS\"))", 2 + 2 + 4 + 8},
	       {"sum(max(f.ipc, \"series\"))", 3 + 8 + 4 + 16});
}

TEST(places_are_labels_or_numbers)
{
	VALUES({"argmax(geomean(f.ipc)) == \"CIAO\"", 1}, {"argmin(f.ipc[\"GTO\"]) == \"ATAX\"", 1},
	       {"argmax(f.curve[\"ATAX\"])", 64}, {"argmax(f.curve[\"ATAX\"]) == 64", 1},
	       {"argmax(f.ipc[\"GTO\"]) != \"ATAX\"", 1});
}

TEST(figures_meet_by_labels_and_what_one_lacks_is_left_out)
{
	/* SYRK and ATAX alone: 4 / 2 and 1 / 20. */
	VALUES({"sum(f.ipc[\"GTO\"] / f.curve[kb=8])", 4 / 2.0 + 1 / 20.0},
	       {"count(f.ipc[\"GTO\"] / f.curve[kb=8] > 0)", 2});
}

TEST(curves_rise_and_fall_but_for_noise)
{
	VALUES({"rising(f.curve[\"SYRK\"])", 1}, {"falling(f.curve[\"SYRK\"])", 0},
	       {"falling(-f.curve[\"ATAX\"])", 1});
}

TEST(what_is_missing_stays_missing_unless_it_does_not_matter)
{
	VALUES({"missing(hole + 1)", 1}, {"missing(1 / 0)", 1}, {"missing(log(0 - 1))", 1},
	       {"missing(hole > 1)", 1}, {"hole > 1 and 0", 0}, {"hole > 1 or 1", 1},
	       {"missing(hole and 1)", 1}, {"if(2 > 1, 5, hole)", 5}, {"missing(max(hole, 1))", 1});
}

TEST(conditions_choose_element_by_element)
{
	VALUES({"sum(if(f.ipc[\"GTO\"] > 2, f.ipc[\"GTO\"], 0))", 12}, {"if(1, \"a\", \"b\") == \"a\"", 1});
}

TEST(the_model_can_be_asked)
{
	VALUES({"machine(\"gtx480-ciao\", \"sm.warps\")", 48}, {"param(\"ccws\", \"k\")", 8},
	       {"sets_used(\"pric\", \"gtx480-khairy\", 32, 32)", 32},
	       {"sets_used(\"seq\", \"gtx480-khairy\", 32, 32)", 1},
	       {"sets_used(\"gto\", \"gtx480-khairy\", 1, 32)", 32},
	       {"set_of(\"pric\", \"gtx480-khairy\", 32)", 5} /* 0x1000 */,
	       {"set_of(\"pric\", \"gtx480-khairy\", 2 ^ 19)", 6},
	       {"set_of(\"seq\", \"gtx480-khairy\", 33)", 1},
	       {"storage_bits(\"ciao-c\", \"gtx480-ciao\") > 1000", 1});
}

TEST(mistakes_are_refused_at_their_place)
{
	REFUSES(
	    {"1 +", "f.yaml:3:4: expected a value at the end"},
	    {"1 + )", "f.yaml:3:5: expected a value, found ')'"}, {"(1 + 2", "...expected ')'"},
	    {"1 2", "...expected an operator or the end"}, {"\"open", "...without its closing"},
	    {"nothing", "f.yaml:3:1: no name 'nothing'"}, {"geomaen(f.ipc)", "...did you mean 'geomean'?"},
	    {"f.ipc[\"CIA\"]", "...did you mean 'CIAO'?"}, {"f.ipc[\"GTO\"]", "...many values, by workload"},
	    {"f.curve[kb=9]", "...kb is never 9"}, {"f.ipc[kb=1]", "...nothing here varies by 'kb'"},
	    {"f.ipc[GTO]", "...write a label in quotes"}, {"max(3)", "...of a single number"},
	    {"\"a\" + 1", "...a text can only be compared"},
	    {"mean(f.ipc, \"kb\")", "...there is no axis 'kb' left"},
	    {"param(\"ciao-c\", \"nonsense\")", "...no parameter 'nonsense'"},
	    {"machine(\"gtx480-ciao\", \"sm.warp\")", "...did you mean 'sm.warps'?"});
}

TEST(deep_nesting_is_refused_not_followed)
{
	static char open[4000], minus[4000];
	memset(open, '(', sizeof open - 1);
	memset(minus, '-', sizeof minus - 1);
	REFUSES({open, "...nested too deeply"}, {minus, "...nested too deeply"});
}

TEST_RUN_ALL(true)
