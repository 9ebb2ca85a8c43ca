/* A report in every form: what each says of failed runs, open claims, notes, odd labels, and of nothing at all. */
#include <jansson.h>
#include <math.h>

#include "papers/report/report.h"
#include "test.h"

/* One figure with more failed runs than are listed and more series than a table holds, and claims of every kind. */
static const char full[] =
    "{\"mode\": \"quick\", \"command\": \"sluice sweep x\", \"sluice\": \"1\", \"model\": \"abc\", \"finished\": \"now\","
    "\"runs\": {\"planned\": 9, \"found\": 1, \"simulated\": 2, \"failed\": 6, \"seconds\": 3.4},"
    "\"scoreboard\": {\"total\": {\"claims\": 4, \"met\": 1, \"open\": 3}, \"papers\": {\"\": {\"claims\": 4, \"met\": 1, \"open\": 3,"
    "\"prediction\": {\"claims\": 2, \"met\": 1, \"open\": 1}, \"headline\": {\"claims\": 1}}}},"
    "\"papers\": [{\"name\": \"\", \"title\": \"Own <file>\", \"claims\": ["
    "{\"id\": \"a\", \"flag\": \"prediction\", \"kind\": \"headline\", \"verdict\": \"met\", \"says\": \"a | b\", \"note\": \"as | is\","
    "\"figures\": [\"f\"], \"parts\": [{\"type\": \"gain\", \"bound\": \"least\", \"measured_text\": \"+5%\", \"verdict\": \"met\","
    "\"published\": [{\"text\": \"+6%\"}, {\"text\": \"+7%\"}]}, {\"type\": \"order\", \"measured_text\": \"true\", \"verdict\": \"met\","
    "\"published\": []}]},"
    "{\"id\": \"b\", \"flag\": \"baseline\", \"kind\": \"other\", \"verdict\": \"open\", \"says\": \"says b\", \"reason\": \"no run | at all\","
    "\"command\": \"sluice b\", \"figures\": [\"g\"], \"parts\": [{\"measured_text\": \"-\", \"published\": [{\"text\": \"2\"}]}]},"
    "{\"id\": \"c\", \"kind\": \"other\", \"verdict\": \"not measurable\", \"says\": \"says c\", \"reason\": \"unknown\", \"parts\": []},"
    "{\"id\": \"d\", \"kind\": \"other\", \"verdict\": \"strange\", \"says\": \"says d\", \"parts\": []}],"
    "\"figures\": [{\"id\": \"f\", \"title\": \"T, \\\"quoted\\\"\", \"where\": \"\", \"note\": \"a note\", \"command\": \"sluice f\","
    "\"runs\": {\"failed\": [{\"message\": \"m1\", \"point\": \"kb=1\", \"series\": \"A\", \"workload\": \"w\"}, {\"message\": \"m2\"}, {\"message\": \"m3\"},"
    "{\"message\": \"m4\"}, {\"message\": \"m5\"}, {\"message\": \"m6\"}]},"
    "\"charts\": [{\"kind\": \"table\", \"title\": \"tab\", \"of\": \"S\", \"y_title\": \"y\", \"unit\": \"u\", \"x\": [\"w, \\\"1\\\"\", 2.5],"
    "\"series\": [{\"label\": \"A\", \"values\": [1234.5, null], \"published\": [7, null]}, {\"label\": \"B\", \"values\": [0.5, 2]}]},"
    "{\"kind\": \"bars\", \"x\": [1], \"series\": [MANY]},"
    "{\"kind\": \"heat\", \"panels\": [{\"label\": \"A, w\", \"rows\": 1, \"columns\": 2, \"values\": [[3, 4]]}]},"
    "{\"kind\": \"time\", \"panels\": [{\"field\": \"ipc\", \"y_title\": \"ipc, x\", \"series\": [{\"label\": \"A, w\", \"x\": [1, 2], \"values\": [5, null]}]}]}]}]}]}";
static const char empty[] =
    "{\"mode\": \"full\", \"runs\": {\"seconds\": 0}, \"scoreboard\": {\"total\": {\"claims\": 0}, \"papers\": {}}, \"papers\": "
    "[{\"name\": \"p\", \"title\": \"P\", \"claims\": [], \"figures\": []}]}";

/* `full` with forty series in place of MANY. */
static json_t *full_report(void)
{
	static char text[2 * sizeof full + 4096];
	const char *many = strstr(full, "MANY");
	size_t n = (size_t)(many - full);
	memcpy(text, full, n);
	for (int i = 0; i < 40; i++)
		n += (size_t)sprintf(text + n, "%s{\"label\": \"s%d\", \"values\": [1]}", i ? "," : "", i);
	strcpy(text + n, many + 4);
	json_error_t where;
	json_t *report = json_loads(text, 0, &where);
	if (!report)
		printf("# %s at %d\n", where.text, where.position);
	return report;
}

static char *print(const json_t *report, bool verbose)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	reproduction_print(out, report, verbose);
	fclose(out);
	return text;
}

/* Every one of the texts is there; frees the text. */
static bool holds(char *text, const char *const *wanted)
{
	bool ok = true;
	for (; *wanted; wanted++)
		if (!strstr(text, *wanted)) {
			printf("# '%s' is not in:\n%s\n", *wanted, text);
			ok = false;
		}
	free(text);
	return ok;
}
#define HOLDS(text, ...) CHECK(holds(text, (const char *const[]){__VA_ARGS__, NULL}))

TEST(the_terminal_lists_what_failed_and_what_did_not_fit)
{
	json_t *report = full_report();
	CHECK(report);
	HOLDS(
	    print(report, true), "\nf  T, \"quoted\"\n", "  y, u, S\n", "1234.500      7.000",
	    "more series: --csv or --json)\n", "  heat: A, w\n", "  time: ipc, x\n", "    A, w: 2 points\n",
	    "  missing: m1 kb=1\n", "  missing: m5 \n", "  missing: 1 more\n", "at least +6% or +7%",
	    "no run | at all", "unknown", "says d", "\nown         4",
	    "\ncut runs (--quick): an indication, no result, 9 runs: 1 found, 2 simulated, 6 failed, 3 s\n");
	char *brief = print(report, false);
	CHECK(!strstr(brief, "missing: m1"));
	HOLDS(brief, "\nown         4");
	json_decref(report);
	report = json_loads(empty, 0, NULL);
	char *nothing = print(report, true);
	CHECK(!strcmp(nothing, "\nwhole runs, 0 runs: 0 found, 0 simulated, 0 failed, 0 s\n"));
	free(nothing);
	json_decref(report);
}

TEST(markdown_keeps_bars_out_of_its_cells)
{
	json_t *report = full_report();
	CHECK(report);
	HOLDS(reproduction_markdown(report), "# T, \"quoted\" (quick)",
	      "| a | prediction | met | at least +6% or +7%; true | +5%; true | a \\| b (as \\| is) |",
	      "says b (no run \\| at all) |", "### f: T, \"quoted\"\n\n`sluice f`\n\na note\n", "\ny, u, S\n",
	      "| 1234.500 | 7.000 | 0.500 |", "| 2.5 |  |  | 2.000 |");
	json_decref(report);
	report = json_loads(empty, 0, NULL);
	char *text = reproduction_markdown(report);
	CHECK(!strstr(text, "Headlines"));
	HOLDS(text, "| **all** | 0 | 0 | 0 | 0 | 0 | 0 |", "\n## P\n");
	json_decref(report);
}

TEST(csv_quotes_what_would_end_a_field)
{
	json_t *report = full_report();
	CHECK(report);
	HOLDS(reproduction_csv(report), "paper,figure,chart,y,series,x,value,published\n",
	      ",f,1,y,S: A,\"w, \"\"1\"\"\",1234.5,7\n", ",f,1,y,S: A,2.5,,\n", ",f,3,\"A, w\",0,1,4,\n",
	      ",f,4,ipc,\"A, w\",1,5,\n", ",f,4,ipc,\"A, w\",2,,\n");
	json_decref(report);
}

TEST(the_page_has_the_document_with_drawings_tables_and_texts_of_claims)
{
	json_t *report = full_report();
	CHECK(report);
	HOLDS(reproduction_html(report), "Own \\u003cfile>",
	      "\"published_text\":\"at least +6% or +7%; true\"", "\"measured_text\":\"+5%; true\"",
	      "\"csv\":\"paper,figure,", "\"drawing\":\"\\u003csvg ", "\"message\":\"m6\"",
	      "\"reason\":\"unknown\"");
	json_decref(report);
	report = json_loads(empty, 0, NULL);
	char *text = reproduction_html(report);
	CHECK(!strstr(text, "\"drawing\":"));
	HOLDS(text, "\"title\":\"P\"");
	json_decref(report);
}

TEST(measured_values_read_as_the_published_ones_do)
{
	static const struct {
		const char *type;
		double value;
		const char *text;
	} cases[] = {{"gain", 1.54, "+54.0%"}, {"gain", 0.85, "-15.0%"}, {"gain", 3.5, "3.50x"},
	             {"rate", 58, "58.0%"},    {"quantity", 12, "12"},   {"order", 1, "true"},
	             {"order", 0, "false"},    {"rate", NAN, "-"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		reproduction_format(text, sizeof text, cases[i].type, cases[i].value);
		if (strcmp(text, cases[i].text))
			printf("# %s %g is %s, expected %s\n", cases[i].type, cases[i].value, text,
			       cases[i].text);
		CHECK(!strcmp(text, cases[i].text));
	}
}

TEST_RUN_ALL(true)
