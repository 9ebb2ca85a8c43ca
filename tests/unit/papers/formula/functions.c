/* Functions of formulas: of nothing, of empty sets and of what is missing, and what each refuses, with the place. */
#include "lib/formula_fixture.h"

static const char *const series[] = {"GTO", "CCWS"}, *const loads[] = {"A", "B", "C"}, *const none[] = {"Z"};
static const char *const numbers[] = {"2", "4"}, *const clashing[] = {"A", "X"};
static const struct label_set sets[] = {{"none", none, 1}, {"pair", loads, 2}};
static const struct axis series_axis = {.name = "series", .label = series, .count = 2},
                         load_axis = {.name = "workload",
                                      .label = loads,
                                      .count = 3,
                                      .sets = sets,
                                      .set_count = 2},
                         clash_axis = {.name = "series", .label = clashing, .count = 2},
                         number_axis = {.name = "kb", .label = numbers, .count = 2},
                         three_axis = {.name = "item", .count = 3}, two_axis = {.name = "item", .count = 2};
static const struct axis wide_axes[] = {{.name = "a", .count = 1}, {.name = "b", .count = 1},
                                        {.name = "c", .count = 1}, {.name = "d", .count = 1},
                                        {.name = "e", .count = 1}, {.name = "f", .count = 1},
                                        {.name = "g", .count = 1}, {.name = "h", .count = 1},
                                        {.name = "i", .count = 1}, {.name = "j", .count = 1}};

static const struct {
	const char *name;
	const struct axis *axis[ARRAY_AXES];
	double data[6];
} values[] = {
    {"ipc", {&series_axis, &load_axis}, {1, 2, 4, 3, 2, 1}},
    {"first", {&load_axis}, {NAN, 2, 4}},
    {"last", {&load_axis}, {2, 4, NAN}},
    {"zero", {&load_axis}, {0, 0, NAN}},
    {"even", {&load_axis}, {1, 1, NAN}},
    {"clash", {&clash_axis, &load_axis}, {1, 2, 3, 4, 5, 6}},
    {"kb", {&number_axis}, {5, 7}},
    {"three", {&three_axis}, {1, 5, 3}},
    {"two", {&two_axis}, {1, 2}},
    {"grid", {&series_axis, &number_axis}, {1, 2, 3, 4}},
    {"wide", {&wide_axes[0], &wide_axes[1], &wide_axes[2], &wide_axes[3], &wide_axes[4]}, {1}},
    {"broad", {&wide_axes[5], &wide_axes[6], &wide_axes[7], &wide_axes[8], &wide_axes[9]}, {1}},
};

static bool resolve(void *user, const char *name, struct scratch *scratch, struct array *out,
                    struct error *err)
{
	(void)user;
	if (!strcmp(name, "word") || !strcmp(name, "hole")) {
		*out = *name == 'w' ? array_text(scratch, "GTO") : array_number(scratch, NAN);
		return true;
	}
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		size_t axes = 0;
		while (axes < ARRAY_AXES && values[i].axis[axes])
			axes++;
		if (strcmp(values[i].name, name))
			continue;
		*out = array_new(scratch, values[i].axis, axes);
		memcpy(out->data, values[i].data, out->count * sizeof *out->data);
		return true;
	}
	return error_set(err, "no name '%s'", name);
}

static const struct formula_scope scope = {.name = resolve};
#define VALUES(...) VALUES_IN(&scope, __VA_ARGS__)
#define REFUSES(...) REFUSES_IN(&scope, __VA_ARGS__)

TEST(of_an_empty_set_nothing_is_known)
{
	VALUES({"sum(first[\"none\"])", NAN}, {"mean(first[\"none\"])", NAN},
	       {"geomean(first[\"none\"])", NAN}, {"hmean(first[\"none\"])", NAN},
	       {"median(first[\"none\"])", NAN}, {"stddev(first[\"none\"])", NAN},
	       {"max(first[\"none\"])", NAN}, {"min(first[\"none\"])", NAN}, {"count(first[\"none\"])", 0},
	       {"all(first[\"none\"])", NAN}, {"any(first[\"none\"])", NAN}, {"rising(first[\"none\"])", NAN},
	       {"falling(first[\"none\"])", NAN}, {"argmax(first[\"none\"])", NAN});
}

TEST(what_is_missing_decides_nothing)
{
	VALUES({"max(first)", NAN}, {"max(last)", NAN}, {"min(first)", NAN}, {"min(last)", NAN},
	       {"median(first)", NAN}, {"argmax(first)", NAN}, {"argmin(last)", NAN}, {"all(first)", NAN},
	       {"all(zero)", 0}, {"any(zero)", NAN}, {"any(last)", 1}, {"any(even * 0)", NAN},
	       {"count(last)", NAN}, {"rising(first)", NAN}, {"rising(last)", NAN}, {"falling(last)", 0},
	       {"geomean(zero)", NAN}, {"hmean(zero)", NAN}, {"hole or 0", NAN}, {"0 or hole", NAN},
	       {"hole or 1", 1}, {"1 or hole", 1}, {"hole and 0", 0}, {"not hole", NAN}, {"not 0", 1},
	       {"not 3", 0}, {"max(1, hole)", NAN}, {"max(hole, 1)", NAN}, {"min(1, hole)", NAN},
	       {"min(hole, 1)", NAN}, {"near(hole, 1, 5%)", NAN}, {"near(1, hole, 5%)", NAN},
	       {"near(1, 1, hole)", NAN}, {"near(1, 0, 5%)", 0}, {"if(hole, 1, 2)", NAN},
	       {"if(0, hole, 2)", 2}, {"sum(if(last > 3, 1, 0))", NAN},
	       {"sum(if(last > 3, 1, 0)[\"pair\"])", 1}, {"missing(2)", 0}, {"word == hole", NAN},
	       {"hole != \"GTO\"", NAN}, {"if(missing(hole), 7, 8)", 7});
}

TEST(functions_of_one_value)
{
	VALUES({"sqrt(9)", 3}, {"sqrt(0 - 1)", NAN}, {"sqrt(hole)", NAN}, {"abs(0 - 2)", 2},
	       {"round(2.5)", 3}, {"floor(2.9)", 2}, {"ceil(2.1)", 3}, {"log(1)", 0}, {"median(three)", 3},
	       {"median(two)", 1.5}, {"argmax(three)", 2}, {"argmin(three)", 1}, {"argmax(kb)", 4},
	       {"argmax(ipc[\"GTO\"]) == \"C\"", 1}, {"word == \"GTO\"", 1}, {"word != \"GTO\"", 0},
	       {"sum(three * three)", 35}, {"sum(best(ipc, \"GTO\"))", 7}, {"sum(best(ipc))", NAN});
}

TEST(signs_of_numbers_and_dots)
{
	VALUES({"2G", 2e9}, {".5", 0.5}, {"1e2", 100}, {"5%", 0.05}, {" 1 ", 1}, {"0.5K", 500});
}

TEST(a_text_that_is_no_formula_is_refused_at_its_place)
{
	REFUSES({"", "f.yaml:3:1: expected a value at the end"}, {"12x", "f.yaml:3:3: expected a number"},
	        {"5KK", "f.yaml:3:3: expected a number"}, {".", "f.yaml:3:1: expected a value, found '.'"},
	        {".x", "f.yaml:3:1: expected a value, found '.'"},
	        {"ipc.", "f.yaml:3:4: expected an operator or the end, found '.'"},
	        {"_x", "f.yaml:3:1: no name '_x'"}, {"sum(", "f.yaml:3:5: expected a value at the end"},
	        {"sum(ipc", "f.yaml:3:8: expected ',' or ')' after an argument of sum"},
	        {"sum(ipc,)", "f.yaml:3:9: expected a value, found ')'"},
	        {"ipc[\"GTO\"", "f.yaml:3:10: expected ',' or ']'"},
	        {"ipc[\"GTO]", "f.yaml:3:5: a text without its closing \""},
	        {"ipc[kb=\"2]", "f.yaml:3:8: a text without its closing \""},
	        {"ipc['GTO]", "f.yaml:3:5: a text without its closing '"},
	        {"ipc[3]", "f.yaml:3:6: expected a label in quotes, or VARIABLE=VALUE"},
	        {"ipc[kb=]", "f.yaml:3:8: expected a label in quotes, or VARIABLE=VALUE"},
	        {"ipc[kb]", "f.yaml:3:7: expected '=' after kb; write a label in quotes"},
	        {"2 ^", "f.yaml:3:4: expected a value at the end"},
	        {"not", "f.yaml:3:4: expected a value at the end"},
	        {"1 <", "f.yaml:3:4: expected a value at the end"},
	        {"1 and", "f.yaml:3:6: expected a value at the end"}, {"nota", "f.yaml:3:1: no name 'nota'"});
}

TEST(picks_that_name_nothing_or_two_things_are_refused)
{
	REFUSES(
	    {"clash[\"A\"]", "f.yaml:3:7: 'A' is a series and a workload; rename one"},
	    {"ipc[\"elephant\"]", "f.yaml:3:5: no series, workload or set 'elephant' here"},
	    {"ipc[\"pairs\"]", "f.yaml:3:5: no series, workload or set 'pairs' here; did you mean 'pair'?"},
	    {"three[\"A\"]", "f.yaml:3:7: no series, workload or set 'A' here"},
	    {"three[item=1]", "f.yaml:3:7: item is never 1"},
	    {"nothing[\"A\"]", "f.yaml:3:1: no name 'nothing'"},
	    {"ipc", "f.yaml:3:1: many values, by series and workload, where one is expected: take a mean, "
	            "max or all"},
	    {"word", "f.yaml:3:1: a text where a number is expected"});
}

TEST(arguments_that_do_not_fit_are_refused)
{
	REFUSES({"sum()", "f.yaml:3:1: sum of nothing"}, {"sum(word)", "f.yaml:3:1: sum of a text"},
	        {"sum(nothing)", "f.yaml:3:5: no name 'nothing'"},
	        {"sum(grid)", "f.yaml:3:1: sum: along which axis? sum(x, \"series\")"},
	        {"sum(3)", "f.yaml:3:1: sum of a single number: sum needs many"},
	        {"sum(ipc, 3)",
	         "f.yaml:3:1: many values, by series, where one is expected: take a mean, max or "
	         "all"},
	        {"argmax(grid, \"kb\")", "f.yaml:3:1: argmax: pick until one axis is left"},
	        {"max(1, nothing)", "f.yaml:3:8: no name 'nothing'"},
	        {"max(three, two)", "f.yaml:3:12: vectors of 3 and 2 values do not go together"},
	        {"three + two", "f.yaml:3:7: vectors of 3 and 2 values do not go together"},
	        {"wide + broad", "f.yaml:3:6: more than 8 axes"},
	        {"nothing + 1", "f.yaml:3:1: no name 'nothing'"},
	        {"1 + nothing", "f.yaml:3:5: no name 'nothing'"},
	        {"-word", "f.yaml:3:1: a text where a number is expected"},
	        {"not word", "f.yaml:3:1: a text where a number is expected"},
	        {"word < 1", "f.yaml:3:6: a text can only be compared by == and !="},
	        {"1 + word", "f.yaml:3:3: a text can only be compared by == and !="},
	        {"word == 1", "f.yaml:3:6: a text is compared with a number"},
	        {"three == word", "f.yaml:3:7: a text is compared with a number"},
	        {"near(1, 2)", "f.yaml:3:1: near takes three arguments"},
	        {"near(1, 2, nothing)", "f.yaml:3:12: no name 'nothing'"},
	        {"near(three, two, 1)", "f.yaml:3:1: vectors of 3 and 2 values do not go together"},
	        {"near(three, 1, two)", "f.yaml:3:1: vectors of 3 and 2 values do not go together"},
	        {"if(1, 2)", "f.yaml:3:1: if takes three arguments"},
	        {"if(three, word, 1)", "f.yaml:3:1: if: texts need a single condition"},
	        {"if(three, 1, word)", "f.yaml:3:1: if: texts need a single condition"},
	        {"if(three, two, 1)", "f.yaml:3:1: vectors of 3 and 2 values do not go together"},
	        {"if(three, 1, two)", "f.yaml:3:1: vectors of 3 and 2 values do not go together"},
	        {"if(wide, 1, broad)", "f.yaml:3:1: more than 8 axes"},
	        {"best()", "f.yaml:3:1: best of nothing"}, {"best(nothing)", "f.yaml:3:6: no name 'nothing'"},
	        {"best(three)", "f.yaml:3:1: best: there are no series to choose from"},
	        {"best(ipc, 3)", "f.yaml:3:11: best: argument 2 must be a text in quotes"},
	        {"best(ipc, \"CIAO\")", "f.yaml:3:1: best: no series 'CIAO'"},
	        {"abs()", "f.yaml:3:1: abs takes one argument"},
	        {"abs(1, 2)", "f.yaml:3:1: abs takes one argument"},
	        {"abs(nothing)", "f.yaml:3:5: no name 'nothing'"}, {"abs(word)", "f.yaml:3:1: abs of a text"},
	        {"elephant(1)", "f.yaml:3:1: unknown function 'elephant'"},
	        {"each(1)", "f.yaml:3:1: each is a function of one run: use it in 'metrics'"});
}

TEST(the_model_answers_with_numbers_truths_and_words)
{
	VALUES({"machine(\"gtx480-ciao\", \"l1d.enabled\")", 1},
	       {"machine(\"gtx480-ciao\", \"dram.stacked\")", 0},
	       {"machine(\"gtx480-ciao\", \"l2.replacement\") == \"lru\"", 1},
	       {"sets_used(\"seq\", \"gtx480-khairy\", 0, 1)", 1},
	       {"set_of(\"seq\", \"gtx480-khairy\", 0)", 0},
	       {"storage_gpu_bits(\"gto\", \"gtx480-ciao\")", 0});
	REFUSES({"machine(3, \"a\")", "f.yaml:3:9: machine: argument 1 must be a text in quotes"},
	        {"machine(\"gtx480-ciao\")", "f.yaml:3:1: machine: argument 2 must be a text in quotes"},
	        {"machine(\"gtx480-ciao\", \"elephant\")", "f.yaml:3:1: no key 'elephant' of a machine"},
	        {"machine(\"gtx480-cia\", \"sm.warps\")",
	         "f.yaml:3:1: no machine 'gtx480-cia'; did you mean 'gtx480-ciao'? ..."},
	        {"param()", "f.yaml:3:1: param: argument 1 must be a text in quotes"},
	        {"param(\"ccws\")", "f.yaml:3:1: param: argument 2 must be a text in quotes"},
	        {"param(\"cwcs\", \"k\")", "f.yaml:3:1: no policy 'cwcs'; did you mean 'ccws'?"},
	        {"param(\"elephant\", \"k\")", "f.yaml:3:1: no policy 'elephant'"},
	        {"storage_bits(3)", "f.yaml:3:14: storage_bits: argument 1 must be a text in quotes"},
	        {"storage_bits(\"gto\")", "f.yaml:3:1: storage_bits: argument 2 must be a text in quotes"},
	        {"storage_bits(\"gto\", \"none\")", "f.yaml:3:1: no machine 'none'; ..."},
	        {"storage_bits(\"gtoo\", \"gtx480-ciao\")",
	         "f.yaml:3:1: unknown policy 'gtoo'; did you mean 'gto'?"},
	        {"sets_used(\"seq\", \"none\", 1, 1)", "f.yaml:3:1: no machine 'none'; ..."},
	        {"sets_used(\"seq\", \"gtx480-khairy\")", "f.yaml:3:1: sets_used: argument 3 is missing"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", 1)", "f.yaml:3:1: sets_used: argument 4 is missing"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", nothing, 1)", "f.yaml:3:35: no name 'nothing'"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", three, 1)",
	         "f.yaml:3:35: sets_used: argument 3 must be a number"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", 1, word)",
	         "f.yaml:3:38: sets_used: argument 4 must be a number"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", 0 - 1, 1)",
	         "f.yaml:3:1: sets_used: a stride below 1e9 and 1 to 1e6 lines"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", 1e9, 1)",
	         "f.yaml:3:1: sets_used: a stride below 1e9 and 1 to 1e6 lines"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", 1, 0)",
	         "f.yaml:3:1: sets_used: a stride below 1e9 and 1 to 1e6 lines"},
	        {"sets_used(\"seq\", \"gtx480-khairy\", 1, 1e6)",
	         "f.yaml:3:1: sets_used: a stride below 1e9 and 1 to 1e6 lines"},
	        {"set_of(\"seq\", \"none\", 1)", "f.yaml:3:1: no machine 'none'; ..."},
	        {"set_of(\"seq\", \"gtx480-khairy\")", "f.yaml:3:1: set_of: argument 3 is missing"},
	        {"set_of(\"seq\", \"gtx480-khairy\", 0 - 1)",
	         "f.yaml:3:1: set_of: a line is a number from 0 to 2^48"},
	        {"set_of(\"seq\", \"gtx480-khairy\", 2 ^ 48)",
	         "f.yaml:3:1: set_of: a line is a number from 0 to 2^48"});
}

TEST(a_formula_is_no_longer_and_no_deeper_than_it_can_be_evaluated)
{
	static char text[20000];
	struct error err = {{0}};
	double number;
	static const struct {
		const char *piece, *message;
		size_t bytes;
	} cases[] = {
	    {"1+", NULL, 1000},
	    {"1+", "f.yaml:3:4002: a formula of more than 1024 numbers, names and operators", 4000},
	    {"not ", "f.yaml:3:8002: a formula of more than 1024 numbers, names and operators", 8000},
	    {" ", "f.yaml:3:1: a formula of more than 16384 characters", 16384},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t length = strlen(cases[i].piece);
		for (size_t at = 0; at < cases[i].bytes; at += length)
			memcpy(text + at, cases[i].piece, length);
		strcpy(text + cases[i].bytes, "1");
		bool ok = formula_value(&scope, text, &number, &err);
		if (cases[i].message && strcmp(err.text, cases[i].message))
			printf("# got:    %s\n# wanted: %s\n", err.text, cases[i].message);
		CHECK(cases[i].message ? !ok && !strcmp(err.text, cases[i].message) : ok && number == 501);
	}
}

TEST_RUN_ALL(true)
