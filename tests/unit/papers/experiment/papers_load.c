/* A folder of papers: in which order it is read, and which of its files are refused, with the place. */
#include "lib/reproduce_fixture.h"

#define PAPER "title: CIAO\nmachine: gtx480-ciao\n"
#define FIGURE "title: t\nwhere: 1\nworkloads: all\nseries: [{label: GTO, policy: gto}]\n"
#define CLAIM "flag: prediction, where: 1, says: s"

/* Files of papers/ciao; NULL: there is none. */
struct files {
	const char *paper, *figure, *claims, *message;
};

static bool put(const char *path, const char *text)
{
	return text ? fixture_write(path, text) : (unlink(path), true);
}

static bool load(struct papers *papers, const struct files *files, struct error *err)
{
	return put("papers/ciao/paper.yaml", files->paper) && put("papers/ciao/fig1.yaml", files->figure) &&
	       put("papers/ciao/claims.yaml", files->claims) && papers_load(papers, "papers", false, err);
}

static bool refused(const struct files *files)
{
	struct papers papers;
	struct error err = {{0}};
	const struct refusal refusal = {files->paper, files->message};
	return fixture_refused(load(&papers, files, &err), &err, &refusal);
}

#define ALL_REFUSED(cases)                                                                                   \
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)                                            \
	CHECK(refused(&cases[i]))
/* A paper with a line more, and its only claim. */
#define PAPER_LINE(line, place)                                                                              \
	{                                                                                                    \
		PAPER line "\n", NULL, NULL, "papers/ciao/paper.yaml:3:" place                               \
	}
#define CLAIMS(text, place)                                                                                  \
	{                                                                                                    \
		PAPER, NULL, "claims: {" text "}\n", "papers/ciao/claims.yaml:1:" place                      \
	}

TEST(a_bad_paper_is_refused_with_its_place)
{
	static const struct files cases[] = {
	    {"titel: a\n", NULL, NULL,
	     "papers/ciao/paper.yaml:1:1: unknown key 'titel'; did you mean 'title'?"},
	    {"machine: m\n", NULL, NULL, "papers/ciao/paper.yaml:1:1: the key 'title' is missing"},
	    {"title: a\n", NULL, NULL, "papers/ciao/paper.yaml:1:1: the key 'machine' is missing"},
	    PAPER_LINE("baseline: [a]", "11: expected one line of text for baseline, found a list"),
	    PAPER_LINE("below: [a]", "8: expected one line of text for below, found a list"),
	    PAPER_LINE("compared: {a: b}", "11: expected a list for compared, found a group of keys"),
	    PAPER_LINE("size: huge", "7: expected tiny, small or paper for size, found huge"),
	    PAPER_LINE("quick: {workloads: all}", "9: unknown key of quick 'workloads'"),
	    PAPER_LINE("quick: {insns: 0}", "16: expected a number such as 500K or 20M for insns, found 0"),
	    PAPER_LINE("sets: {CI: [ONE]}", "12: the set 'CI' exists already"),
	    PAPER_LINE("sets: {mine: [ONEE]}", "15: no workload, set or class 'ONEE'; did you mean 'ONE'?"),
	    PAPER_LINE("figures: {a: b}", "10: expected a list for figures, found a group of keys"),
	    {PAPER "figures: [fig2]\n", NULL, NULL, "papers/ciao/paper.yaml: figures: there is no fig2.yaml"},
	    {"- [\n", NULL, NULL,
	     "papers/ciao/paper.yaml:2:1: not valid YAML: while parsing a flow node, did not find expected "
	     "node content"},
	};
	ALL_REFUSED(cases);
}

TEST(a_figure_of_a_paper_is_complete_and_makes_no_claims)
{
	static const struct files cases[] = {
	    {PAPER, FIGURE, NULL, "papers/ciao/fig1.yaml:1:1: the key 'charts' is missing; none: charts: []"},
	    {PAPER, "where: 1\n", NULL, "papers/ciao/fig1.yaml:1:1: the key 'title' is missing"},
	    {PAPER, "title: 1\n", NULL, "papers/ciao/fig1.yaml:1:1: the key 'where' is missing"},
	    {PAPER, FIGURE "charts: []\nclaims: {}\n", NULL,
	     "papers/ciao/fig1.yaml:6:9: the claims of a paper are in claims.yaml"},
	    {PAPER, FIGURE "charts: [{kind: bars, y: ipc, means: [LWSS]}]\n", NULL,
	     "papers/ciao/fig1.yaml: charts: means: no set or class 'LWSS'; did you mean 'LWS'?"},
	    {PAPER, FIGURE "charts: [{kind: bars, y: ipc, workloads: [TOW]}]\n", NULL,
	     "papers/ciao/fig1.yaml: charts: workloads: no set or class 'TOW'; did you mean 'TWO'?"},
	    {PAPER, "title: t\nwhere: 1\nworkloads: [LWSS]\n", NULL,
	     "papers/ciao/fig1.yaml:3:13: no workload, set or class 'LWSS'; did you mean 'LWS'?"},
	    {PAPER, FIGURE "charts: [{kind: bars, y: 'ipc[\"THREE\"]'}]\n", NULL,
	     "papers/ciao/fig1.yaml:5:31: no series, workload or set 'THREE' here"},
	};
	ALL_REFUSED(cases);
}

TEST(claims_of_a_paper_have_its_name_and_say_where_they_stand)
{
	static const struct files cases[] = {
	    {PAPER, NULL, "claim: 1\n",
	     "papers/ciao/claims.yaml:1:1: unknown key 'claim'; did you mean 'claims'?"},
	    {PAPER, NULL, "{}\n", "papers/ciao/claims.yaml:1:1: no claims in it"},
	    CLAIMS("cia-1: {}", "10: a claim of this paper is called ciao-NUMBER"),
	    CLAIMS("ciao_1: {}", "10: a claim of this paper is called ciao-NUMBER"),
	    CLAIMS("ciao-x: {}", "10: a claim of this paper is called ciao-NUMBER"),
	    CLAIMS("ciao-1: {}", "18: the key 'flag' is missing: baseline or prediction"),
	    CLAIMS("ciao-1: {flag: baseline}", "18: the key 'where' is missing"),
	    CLAIMS("ciao-1: {flag: baseline, where: 1}", "18: the key 'says' is missing"),
	    CLAIMS("ciao-1: {" CLAIM ", type: order, formula: fig1.ipc}", "78: no figure 'fig1'"),
	    CLAIMS("ciao-1: {" CLAIM ", type: order, formula: cia.fig1.ipc}", "78: no figure 'cia'"),
	    CLAIMS("ciao-1: {" CLAIM ", type: order, formula: ipc}", "78: no figure 'ipc'"),
	    {PAPER, FIGURE "charts: []\n", "claims: {ciao-1: {" CLAIM ", type: order, formula: fig1.ipcc}}\n",
	     "papers/ciao/claims.yaml:1:78: unknown metric 'ipcc'; did you mean 'ipc'?"},
	};
	ALL_REFUSED(cases);
}

TEST(papers_of_the_index_come_first_and_figures_as_the_paper_lists_them)
{
	struct papers papers;
	struct error err = {{0}};
	const struct files files = {PAPER "figures: [fig2, fig1, fig2]\nsets: {pair: [LWS, three]}\n",
	                            FIGURE "charts: []\n",
	                            "claims: {ciao-1: {" CLAIM ", not_measurable: n}}\n", NULL};
	CHECK(!mkdir("papers/alpha", 0700) && !mkdir("papers/.hidden", 0700) && !mkdir("papers/empty", 0700));
	CHECK(put("papers/alpha/paper.yaml", PAPER) && put("papers/.hidden/paper.yaml", "x"));
	CHECK(put("papers/ciao/fig2.yaml", "title: t\nwhere: 1\nworkloads: [pair, CI]\ncharts: []\n"
	                                   "series: [{label: GTO, policy: gto}]\n"));
	CHECK(put("papers/ciao/fig3.yaml", FIGURE "charts: []\n") && put("papers/ciao/.fig4.yaml", "x") &&
	      put("papers/ciao/notes.txt", "x") && put("papers/ciao/README", "x"));
	bool loaded = load(&papers, &files, &err);
	if (!loaded)
		printf("# %s\n", err.text);
	CHECK(loaded);
	CHECK_EQ(papers.count, 2);
	CHECK(!strcmp(papers.paper[0].name, "ciao") && papers.paper[0].published == PAPER_CIAO);
	CHECK(!strcmp(papers.paper[1].name, "alpha") && papers.paper[1].published == -1);
	const struct paper *ciao = &papers.paper[0];
	CHECK_EQ(ciao->figures, 3);
	CHECK(!strcmp(ciao->figure[0].id, "fig2") && !strcmp(ciao->figure[1].id, "fig1") &&
	      !strcmp(ciao->figure[2].id, "fig3"));
	CHECK(figure_find(ciao, "fig3") == &ciao->figure[2] && !figure_find(ciao, "fig4"));
	/* The paper's own names, the classes in their order; `three` is of no paper. */
	const struct figure *sets = &ciao->figure[0], *all = &ciao->figure[1];
	CHECK_EQ(all->items, 2);
	CHECK(!strcmp(all->item[0].label, "TWO") && !strcmp(all->item[1].label, "ONE"));
	CHECK_EQ(sets->items, 3);
	CHECK(!strcmp(sets->item[1].label, "three") && !strcmp(sets->item[2].label, "ONE"));
	CHECK_EQ(ciao->claims, 1);
	papers_free(&papers);
	CHECK(!unlink("papers/alpha/paper.yaml") && !unlink("papers/ciao/fig2.yaml") &&
	      !unlink("papers/ciao/fig3.yaml"));
}

TEST(a_folder_that_is_missing_or_has_no_paper_is_refused)
{
	struct papers papers;
	struct error err = {{0}};
	const struct refusal none = {"nowhere", "nowhere: No such file or directory"},
	                     empty = {"empty", "empty: no paper in it"};
	const struct files files = {PAPER, NULL, NULL, NULL},
	                   named = {PAPER, NULL, NULL,
	                            "papers/ciao/fig-1.yaml: a figure's name has letters, digits and _"};
	char folder[PATH_MAX];
	CHECK(!mkdir("empty", 0700));
	CHECK(fixture_refused(papers_load(&papers, none.text, false, &err), &err, &none));
	CHECK(fixture_refused(papers_load(&papers, empty.text, false, &err), &err, &empty));
	CHECK(put("papers/ciao/fig-1.yaml", "x") && refused(&named) && !unlink("papers/ciao/fig-1.yaml"));
	CHECK(load(&papers, &files, &err));
	papers_free(&papers);
	memset(folder, 'a', sizeof folder - 1);
	folder[sizeof folder - 1] = '\0';
	CHECK(!papers_load(&papers, folder, false, &err) && err.text[0] == 'a');
	setenv("SLUICE_WORKLOADS", "/nowhere", 1);
	bool loaded = papers_load(&papers, "papers", false, &err);
	setenv("SLUICE_WORKLOADS", scratch(), 1);
	CHECK(!loaded && strstr(err.text, "/nowhere"));
	setenv("SLUICE_PAPERS", "papers", 1);
	CHECK(papers_folder(folder, &err) && strstr(folder, "papers"));
}

TEST_RUN_ALL(fixture_enter())
