/* From experiments to simulations: which there are, each once, with what; and what no simulation can be made of. */
#include <math.h>

#include "lib/reproduce_fixture.h"
#include "papers/plan/plan.h"

struct planned {
	struct papers papers;
	struct plan plan;
};

static bool make(struct planned *p, const char *text, struct error *err)
{
	if (!fixture_load(&p->papers, text, false, err))
		return false;
	const struct figure *figures[] = {p->papers.paper->figure, p->papers.paper->figure};
	return plan_make(&p->plan, &p->papers, figures, 2, err); /* the same figure twice is planned once */
}

static void done(struct planned *p)
{
	plan_free(&p->plan);
	papers_free(&p->papers);
}

TEST(what_cannot_be_simulated_is_refused_with_its_series)
{
	static const struct refusal cases[] = {
	    {"machine: gtx480-cia\nworkloads: [one]\n" SERIES,
	     "e.yaml:4:5: series GTO: no machine 'gtx480-cia'; did you mean 'gtx480-ciao'?"},
	    {"machine: ./none.yaml\nworkloads: [one]\n" SERIES, "e.yaml:4:5: series GTO: ././none.yaml: "},
	    {"machine: none.yaml\nworkloads: [one]\n" SERIES, "e.yaml:4:5: series GTO: ./none.yaml: "},
	    {"machine: /none.yaml\nworkloads: [one]\n" SERIES, "e.yaml:4:5: series GTO: /none.yaml: "},
	    {"machine: none.yaml\nworkloads: [one]\nset: {l1d.ways: 8}\n" SERIES,
	     "e.yaml:5:5: series GTO: ./none.yaml: "},
	    {EXPERIMENT "set: {l1d.way: 4}\n",
	     "e.yaml:4:5: series GTO: unknown key 'l1d.way'; did you mean 'l1d.ways'?"},
	    {EXPERIMENT "set: {l1d.ways: 0}\n",
	     "e.yaml:4:5: series GTO: l1d.ways is 0, outside its range 1 to 256 ways"},
	    {EXPERIMENT "look: elephant\n",
	     "e.yaml:4:5: series GTO: --look: unknown 'elephant'; expected all, series, "},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gtoo}]\n",
	     "e.yaml:3:10: series A: unknown policy 'gtoo'; did you mean 'gto'?"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: 'swl:n={n}', search: {n: [1, 0]}}]\n",
	     "e.yaml:3:10: series A: "},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: 'swl:n={n}', search: {n: [1, 2], m: [1, 2]}},"
	     "{label: B, policy: 'sw:n={n}', found: {n: A}, search: {k: [1]}}]\n",
	     "e.yaml:3:74: series B: unknown policy 'sw'; did you mean 'swl'?"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: 'swl:n={n}', search: {n: [1, 2]}},"
	     "{label: B, policy: 'swl:n={n}', found: {n: A}, machine: none}]\n",
	     "e.yaml:3:63: series B: no machine 'none'; "},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: 'swl:n={n}', search: {n: [1, 2]}},"
	     "{label: B, policy: 'swl:n={n}', found: {n: A}, look: elephant}]\n",
	     "e.yaml:3:63: series B: --look: unknown 'elephant'; expected all, series, "},
	};
	bool all = true;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct planned p = {0};
		struct error err = {{0}};
		bool made = make(&p, cases[i].text, &err);
		if (made || strncmp(err.text, cases[i].message, strlen(cases[i].message)))
			printf("# of:     %s\n# got:    %s\n# wanted: %s\n", cases[i].text, err.text,
			       cases[i].message);
		all &= !made && !strncmp(err.text, cases[i].message, strlen(cases[i].message));
		done(&p);
	}
	CHECK(all);
}

TEST(every_simulation_is_planned_once_however_many_cells_have_it)
{
	struct planned p = {0};
	struct error err = {{0}};
	bool made = make(
	    &p,
	    "machine: gtx480-ciao\nsize: tiny\ninsns: 5K\nsweep: {ways: [2, 4], unused: [a, b, c]}\n"
	    "workloads: [one, {name: two, args: --n 3, kernels: '2', insns: 9K, cold_l2: yes}, {trace: a.sluice}]\n"
	    "series:\n"
	    "  - {label: A, policy: gto, set: {l1d.ways: '{ways}'}}\n"
	    "  - {label: B, policy: gto, machine: gtx480-khairy, look: matrix, workloads: [one]}\n",
	    &err);
	if (!made)
		printf("# %s\n", err.text);
	CHECK(made);
	/* A has 2 values of ways with 3 workloads, B one simulation; the unused variable multiplies nothing. */
	CHECK_EQ(p.plan.jobs, 7);
	CHECK_EQ(p.plan.figures, 1);
	CHECK_EQ(p.plan.recordings, 4); /* programs by machine; a trace is the same on all */
	CHECK_EQ(p.plan.machines, 4);   /* with 2 and 4 ways, without changes, and Khairy's */
	CHECK_EQ(p.plan.figure[0].cells, 2 * 6 * 3);
	const struct recording *one = &p.plan.recording[0], *two = &p.plan.recording[1],
	                       *trace = &p.plan.recording[2];
	CHECK(!strcmp(one->words, "--size tiny") && !strcmp(two->words, "--size tiny --n 3") &&
	      !*trace->words);
	CHECK(!strcmp(trace->name, "a") && !strcmp(trace->path, "./a.sluice") && !one->path);
	const struct job *plain = &p.plan.job[0], *cut = &p.plan.job[1];
	CHECK(plain->max_insns == 5000 && !plain->cold_l2 && !plain->kernels && !plain->look);
	CHECK(cut->max_insns == 9000 && cut->cold_l2 && !strcmp(cut->kernels, "2"));
	struct kernels kernels;
	CHECK(plan_options(cut, &kernels).cold_l2 && kernels.count == 1 && kernels_has(&kernels, 2) &&
	      !kernels_has(&kernels, 1));
	CHECK(plan_cell(&p.plan.figure[0], 1, 0, 0)->count == 1 &&
	      plan_cell(&p.plan.figure[0], 1, 0, 1)->count == 0);
	/* As far as is known: nothing of the recording yet, then that it is shorter, or longer. */
	CHECK_EQ(plan_insns(&p.plan, plain), 5000);
	p.plan.recording[0].insns = 3000;
	CHECK_EQ(plan_insns(&p.plan, plain), 3000);
	p.plan.recording[0].insns = 8000;
	CHECK_EQ(plan_insns(&p.plan, plain), 5000);
	CHECK(!plan_figure(&p.plan, NULL) && plan_waiting(&p.plan) == 0);
	done(&p);
}

TEST(at_the_papers_size_its_arguments_and_its_end_count)
{
	struct planned p = {0};
	struct error err = {{0}};
	static const struct {
		const char *insns;
		uint64_t most;
	} cases[] = {{"", 100000}, {"insns: 50K\n", 50000}, {"insns: 5M\n", 100000}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char figure[256];
		CHECK(fixture_write("papers/ciao/paper.yaml", "title: C\nmachine: gtx480-ciao\n"));
		snprintf(
		    figure, sizeof figure,
		    "title: t\nwhere: 1\n%sworkloads: [ONE, {name: TWO, args: -x}, {name: ONE, as: S, size: small}]\ncharts: []\n"
		    "series: [{label: A, policy: gto}]\n",
		    cases[i].insns);
		CHECK(fixture_write("papers/ciao/fig1.yaml", figure));
		CHECK(papers_load(&p.papers, "papers", false, &err));
		const struct figure *f = p.papers.paper->figure;
		CHECK(plan_make(&p.plan, &p.papers, &f, 1, &err));
		CHECK(!strcmp(p.plan.recording[0].words, "--size paper --rows 12") &&
		      !strcmp(p.plan.recording[1].words, "--size paper -x") &&
		      !strcmp(p.plan.recording[2].words, "--size small"));
		/* The index stops it after 3.2 million instructions of threads, 32 to a warp. */
		CHECK_EQ(p.plan.job[0].max_insns, cases[i].most);
		done(&p);
	}
}

TEST(a_series_that_takes_what_another_finds_waits_for_it)
{
	struct planned p = {0};
	struct error err = {{0}};
	CHECK(make(&p,
	           "machine: gtx480-ciao\nworkloads: [one, two]\nseries:\n"
	           "  - {label: A, policy: 'swl:n={n}', search: {n: [1, 2], m: [x, y]}}\n"
	           "  - {label: B, policy: 'statpcal:tokens={n}', found: {n: A}, search: {k: [1]}}\n",
	           &err));
	CHECK_EQ(plan_waiting(&p.plan), 2);
	CHECK_EQ(plan_extend(&p.plan), 0); /* nothing is found yet */
	CHECK_EQ(p.plan.jobs, 4);          /* m is not used: it makes candidates, not simulations */
	struct cell *one = plan_cell(&p.plan.figure[0], 0, 0, 0),
	            *waiting = plan_cell(&p.plan.figure[0], 1, 0, 0);
	CHECK_EQ(one->count, 4);
	CHECK(one->chosen == PLAN_NONE && waiting->waits);
	one->chosen = p.plan.candidate[one->first + 2]; /* n = 2 */
	CHECK_EQ(plan_extend(&p.plan), 1);
	CHECK(!waiting->waits && waiting->count == 1 &&
	      !strcmp(p.plan.job[waiting->chosen].policy, "statpcal:tokens=2"));
	CHECK_EQ(plan_waiting(&p.plan), 1);
	done(&p);
}

TEST_RUN_ALL(fixture_enter())
