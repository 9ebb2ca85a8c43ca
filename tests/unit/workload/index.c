/* The index of workloads: what it holds, and how a bad one is refused. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "workload/target.h"

#define HEAD "workloads:\n  one:\n    group: g\n    about: \"does: things\"\n    suite: S\n    published:\n"
#define ROW "      - {paper: ciao, as: ONE, class: CI, apki: 2, barriers: yes}\n"

static bool load(struct workloads *workloads, const char *text, struct error *err)
{
	return workloads_parse(workloads, "i.yaml", text, strlen(text), err);
}

TEST(a_row_is_typed)
{
	struct workloads all;
	struct error err;
	CHECK(load(
	    &all,
	    HEAD
	    "      - {paper: osm, as: o, class: 3, footprint_kb: 12.5, smem_kb: 96}\n"
	    "      - {paper: ciao, as: ONE, class: LWS, input: 64MB, apki: 64, n_warp: 2, barriers: no,\n"
	    "         arguments: --rows 12, stops_after_m: 100, reason: {apki: \"it is so\"}}\n",
	    &err));
	const struct workload *one = workloads_find(&all, "one");
	CHECK(one && !strcmp(one->about, "does: things") && !strcmp(one->group, "g") &&
	      !strcmp(one->suite, "S"));
	CHECK_EQ(one->published_count, 2);
	const struct workload_published *osm = &one->published[0], *ciao = &one->published[1];
	CHECK(osm->paper == PAPER_OSM && !strcmp(osm->class, "3") && osm->value[FACT_FOOTPRINT_KB] == 12.5);
	CHECK(isnan(osm->value[FACT_APKI]) && isnan(osm->value[FACT_BARRIERS]) && !osm->arguments &&
	      !osm->input);
	CHECK(ciao->paper == PAPER_CIAO && !strcmp(ciao->as, "ONE") && !strcmp(ciao->input, "64MB"));
	CHECK(ciao->value[FACT_N_WARP] == 2 && ciao->value[FACT_BARRIERS] == 0);
	CHECK_EQ(ciao->stops_after_m, 100);
	CHECK(isnan(osm->stops_after_m));
	CHECK(!strcmp(ciao->arguments, "--rows 12") && !strcmp(ciao->reason[FACT_APKI], "it is so"));
	CHECK(!ciao->reason[FACT_CLASS]);
	CHECK(!workloads_find(&all, "two"));
	workloads_free(&all);
}

TEST(a_bad_index_is_refused_with_its_line)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"", "i.yaml:1:1: the file is empty"},
	    {"workloads:\n", "i.yaml:1: expected 'workloads:' with a workload under it"},
	    {"other: 1\n", "i.yaml:1:1: unknown key 'other'"},
	    {"workload:\n  one: 1\n", "i.yaml:1:1: unknown key 'workload'; did you mean 'workloads'?"},
	    {"workloads:\n  one: 1\n",
	     "i.yaml:2:8: expected group, about, suite and, of a paper's, published for one, found 1"},
	    {"workloads:\n  a/b: {}\n",
	     "i.yaml:2:3: a workload's name has letters, digits, '+', '_' and '-'"},
	    {"workloads:\n  one: {group: g, about: a, published: [{paper: osm, as: A}]}\n",
	     "i.yaml:2:3: workload 'one' is missing 'suite'"},
	    {"workloads:\n  one: {group: g, about: a, suite: s, published: []}\n",
	     "i.yaml:2:50: expected a list of papers' rows for published, found a list"},
	    {"workloads:\n  one: {sute: s}\n", "i.yaml:2:9: unknown key 'sute'; did you mean 'suite'?"},
	    {"workloads:\n  one: {group: [g]}\n",
	     "i.yaml:2:16: expected one line of text for group, found a list"},
	    {HEAD ROW ROW, "i.yaml:8:9: a second row of ciao"},
	    {HEAD ROW "  one:\n    group: g\n", "i.yaml:8:3: 'one' is given twice; first on line 2"},
	    {HEAD "      - 5\n", "i.yaml:7:9: expected {paper: ..., as: ...}, found 5"},
	    {HEAD "      - {as: ONE}\n", "i.yaml:7:9: a row without its paper"},
	    {HEAD "      - {paper: ciao}\n", "i.yaml:7:9: a row without the paper's name for it ('as')"},
	    {HEAD "      - {paper: cio, as: ONE}\n",
	     "i.yaml:7:17: expected ciao, osm, lcm, tian or khairy for paper, found cio"},
	    {HEAD "      - {paper: ciao, as: ONE, akpi: 3}\n",
	     "i.yaml:7:32: unknown key 'akpi'; did you mean 'apki'?"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: -3}\n",
	     "i.yaml:7:38: expected a number from 0 to 100000 for apki, found -3"},
	    {HEAD "      - {paper: ciao, as: ONE, n_warp: 65}\n",
	     "i.yaml:7:40: expected a number from 0 to 64 for n_warp, found 65"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: nan}\n",
	     "i.yaml:7:38: expected a number from 0 to 100000 for apki, found nan"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: 3x}\n",
	     "i.yaml:7:38: expected a number from 0 to 100000 for apki, found 3x"},
	    {HEAD "      - {paper: ciao, as: ONE, barriers: maybe}\n",
	     "i.yaml:7:42: expected yes or no for barriers, found maybe"},
	    {HEAD "      - {paper: ciao, as: ONE, class: friendly}\n",
	     "i.yaml:7:39: expected one of LWS, SWS, CI for class, found friendly"},
	    {HEAD "      - {paper: lcm, as: ONE, class: CI}\n",
	     "i.yaml:7:38: expected nothing (the paper has no classes) for class, found CI"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: 1, apki: 2}\n",
	     "i.yaml:7:41: 'apki' is given twice; first on line 7"},
	    {HEAD "      - {paper: ciao, as: ONE, reason: so}\n",
	     "i.yaml:7:40: expected {characteristic: \"why it cannot be met\"} for reason, found so"},
	    {HEAD "      - {paper: ciao, as: ONE, reason: {apki: so}}\n",
	     "i.yaml:7:41: a reason for 'apki', which this row does not publish"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: 1, reason: {apik: so}}\n",
	     "i.yaml:7:50: unknown characteristic 'apik'; did you mean 'apki'?"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: 1, reason: {apki: so, apki: so}}\n",
	     "i.yaml:7:60: 'apki' is given twice; first on line 7"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: 1, reason: {apki: [so]}}\n",
	     "i.yaml:7:56: expected one line of text for apki, found a list"},
	    {HEAD "      - {paper: [ciao], as: ONE}\n",
	     "i.yaml:7:17: expected ciao, osm, lcm, tian or khairy for paper, found a list"},
	    {HEAD "      - {paper: ciao, as: }\n",
	     "i.yaml:7:27: expected one line of text for as, found nothing"},
	    {HEAD "      - {paper: ciao, as: \"a\\tb\"}\n",
	     "i.yaml:7:27: expected one line of text for as, found a?b"},
	    {HEAD "      - {paper: ciao, as: \"a\\x7fb\"}\n",
	     "i.yaml:7:27: expected one line of text for as, found a?b"},
	    {HEAD "      - {paper: ciao, as: ONE, class: {a: b}}\n",
	     "i.yaml:7:39: expected one of LWS, SWS, CI for class, found a group of keys"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: [3]}\n",
	     "i.yaml:7:38: expected a number from 0 to 100000 for apki, found a list"},
	    {HEAD "      - {paper: ciao, as: ONE, apki: .}\n",
	     "i.yaml:7:38: expected a number from 0 to 100000 for apki, found ."},
	    {HEAD "      - {paper: ciao, as: ONE, apki: 1e999}\n",
	     "i.yaml:7:38: expected a number from 0 to 100000 for apki, found 1e999"},
	    {HEAD "      - {paper: ciao, as: ONE, barriers: [yes]}\n",
	     "i.yaml:7:42: expected yes or no for barriers, found a list"},
	    {"workloads:\n  one: {group: g, group: g}\n",
	     "i.yaml:2:19: 'group' is given twice; first on line 2"},
	    {"workloads:\n  one: {published: 3}\n",
	     "i.yaml:2:20: expected a list of papers' rows for published, found 3"},
	    {"workloads: {}\n", "i.yaml:1: expected 'workloads:' with a workload under it"},
	    {"workloads: [one]\n", "i.yaml:1: expected 'workloads:' with a workload under it"},
	    {"workloads: {one: {group: g, about: a, suite: s}}\nworkloads: {}\n",
	     "i.yaml:2:1: 'workloads' is given twice; first on line 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct workloads all;
		struct error err = {{0}};
		CHECK(!load(&all, cases[i].text, &err));
		if (strcmp(err.text, cases[i].message))
			printf("# got:    %s\n# wanted: %s\n", err.text, cases[i].message);
		CHECK(!strcmp(err.text, cases[i].message));
	}
}

TEST(the_shipped_index_loads_and_every_paper_uses_some)
{
	struct workloads all;
	struct error err = {{0}};
	size_t rows[PAPER_COUNT] = {0};
	unsetenv("SLUICE_WORKLOADS");
	if (!workloads_load(&all, &err))
		printf("# %s\n", err.text);
	CHECK(!err.text[0]);
	for (size_t i = 0; i < all.count; i++)
		for (size_t k = 0; k < all.list[i].published_count; k++)
			rows[all.list[i].published[k].paper]++;
	size_t count = all.count;
	workloads_free(&all);
	/* Tables of the papers: CIAO II, OSM 3, LCM 3, Tian 2 with nw-noSPM, Khairy 4.2. */
	CHECK_EQ(count, 70); /* and ten of no paper */
	CHECK_EQ(rows[PAPER_CIAO], 21);
	CHECK_EQ(rows[PAPER_OSM], 22);
	CHECK_EQ(rows[PAPER_LCM], 12);
	CHECK_EQ(rows[PAPER_TIAN], 14);
	CHECK_EQ(rows[PAPER_KHAIRY], 22);
}

TEST(an_index_that_is_missing_or_endless_is_refused)
{
	char folder[] = "/tmp/sluice-index-XXXXXX", path[64], long_name[PATH_MAX + 1];
	struct workloads all;
	struct error err = {{0}};
	CHECK(mkdtemp(folder) && !setenv("SLUICE_WORKLOADS", folder, 1));
	snprintf(path, sizeof path, "%s/index.yaml", folder);
	CHECK(!workloads_load(&all, &err) && strstr(err.text, "index.yaml") &&
	      strstr(err.text, "No such file or directory"));
	CHECK(!symlink("/dev/zero", path) && !workloads_load(&all, &err) &&
	      strstr(err.text, "/index.yaml: larger than 1 MiB; not an index of workloads"));
	CHECK(!unlink(path) && !mkdir(path, 0700) && !workloads_load(&all, &err) &&
	      strstr(err.text, "/index.yaml: cannot be read"));
	CHECK(!rmdir(path) && !rmdir(folder) && !unsetenv("SLUICE_WORKLOADS"));
	memset(long_name, 'a', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	CHECK(load(&all, HEAD ROW, &err));
	snprintf(all.folder, sizeof all.folder, "/w");
	CHECK(workload_path(&all, all.list, NULL, long_name, &err) && !strcmp(long_name, "/w/one/one.cu"));
	CHECK(workload_path(&all, all.list, "x.y", long_name, &err) && !strcmp(long_name, "/w/one/x.y"));
	memset(all.folder, 'a', sizeof all.folder - 1);
	CHECK(!workload_path(&all, all.list, NULL, long_name, &err) && err.text[0] == 'a');
	workloads_free(&all);
}

TEST(an_unknown_name_gets_the_nearest)
{
	struct workloads all;
	struct error err;
	CHECK(load(&all, HEAD ROW, &err));
	CHECK(!workloads_fail_unknown(&all, "oen", &err));
	CHECK(!strcmp(err.text, "no workload 'oen'; did you mean 'one'?"));
	workloads_fail_unknown(&all, "elephant", &err);
	CHECK(!strcmp(err.text, "no workload 'elephant'; 'sluice workload list' shows all"));
	workloads_free(&all);
}

/* "NAME words" becomes the source with --size in front. */
static bool find(const char *name, char **words, size_t count, struct target *target, struct error *err)
{
	struct workloads all;
	if (!workloads_load(&all, err))
		return false;
	bool ok = target_find_workload(target, &all, name, words, count, err);
	workloads_free(&all);
	return ok;
}

TEST(a_size_comes_first_and_must_be_one)
{
	struct target target;
	struct error err;
	char size[] = "--size", tiny[] = "tiny", huge[] = "huge", rows[] = "--rows", five[] = "5",
	     joined[] = "--size=paper";
	CHECK(find("atax", NULL, 0, &target, &err));
	CHECK(target.arg_count == 2 && !strcmp(target.args[0], "--size") && !strcmp(target.args[1], "small"));
	CHECK(strstr(target.path, "/atax/atax.cu"));
	target_free(&target);
	CHECK(find("atax", (char *[]){rows, five, size, tiny}, 4, &target, &err));
	CHECK(target.arg_count == 4 && !strcmp(target.args[1], "tiny") && !strcmp(target.args[3], "5"));
	target_free(&target);
	CHECK(find("atax", (char *[]){joined}, 1, &target, &err));
	CHECK(target.arg_count == 2 && !strcmp(target.args[1], "paper"));
	target_free(&target);
	CHECK(!find("atax", (char *[]){size, huge}, 2, &target, &err));
	CHECK(!strcmp(err.text, "--size: no size 'huge'; expected tiny, small or paper"));
	CHECK(!find("atax", (char *[]){size}, 1, &target, &err));
	CHECK(!find("atxa", NULL, 0, &target, &err) && strstr(err.text, "did you mean 'atax'?"));
}

TEST(a_word_is_a_workload_before_it_is_a_file)
{
	char folder[] = "/tmp/sluice-words-XXXXXX";
	enum target_kind kind;
	CHECK(mkdtemp(folder) && !chdir(folder));
	CHECK(target_kind_of("atax", &kind, NULL) && kind == TARGET_WORKLOAD);
	CHECK(target_kind_of("./atax", &kind, NULL) && kind == TARGET_PATH);
	CHECK(target_kind_of("nonesuch", &kind, NULL) && kind == TARGET_UNKNOWN);
	CHECK(!access("/bin", F_OK) && target_kind_of("/bin", &kind, NULL) && kind == TARGET_PATH);
	FILE *file = fopen("atax", "w");
	CHECK(file);
	fclose(file);
	CHECK(target_kind_of("atax", &kind, NULL) && kind == TARGET_WORKLOAD);
	struct target target;
	CHECK(target_find(&target, "atax", NULL, 0, NULL) && target.hides_file);
	target_free(&target);
	CHECK(!unlink("atax") && target_find(&target, "atax", NULL, 0, NULL) && !target.hides_file);
	target_free(&target);
	CHECK(!chdir("/") && !rmdir(folder));
	CHECK(target_kind_of("bin", &kind, NULL) && kind == TARGET_PATH);
}

TEST_RUN_ALL(true)
