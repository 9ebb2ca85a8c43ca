/* Running experiments and writing reports. */
#include "cli/experiment_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "report/run_json.h"
#include "slurm/slurm.h"

struct experiment_options experiment_options_new(const char *command, int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return (struct experiment_options){.command = command,
	                                   .jobs = processors > 0 ? (uint64_t)processors : 1,
	                                   .argc = argc,
	                                   .argv = argv};
}

enum papers_trust experiment_trust(const struct experiment_options *o)
{
	return o->dry_run ? PAPERS_UNTOUCHED : o->allow_programs ? PAPERS_ALLOWED : PAPERS_REFUSED;
}

int experiment_fail(const struct experiment_options *o, const struct error *err)
{
	return command_fail(o->command, err);
}

static bool check_outputs(const struct experiment_options *o, struct error *err)
{
	const char *const files[] = {o->json, o->markdown, o->html, o->csv};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (!command_check_output(files[i], err))
			return false;
	return true;
}

bool experiment_check(const struct experiment_options *o, struct error *err)
{
	if (!check_outputs(o, err))
		return false;
	if ((o->detach || o->shared || o->sbatch) && !o->slurm)
		return error_set(err, "%s is for --slurm",
		                 o->detach   ? "--detach"
		                 : o->shared ? "--shared"
		                             : "--sbatch");
	return true;
}

/* Return the command line, for the report. */
static char *command_text(const struct experiment_options *o)
{
	size_t bytes = sizeof "sluice";
	for (int i = 0; i < o->argc; i++)
		bytes += strlen(o->argv[i]) + 1;
	char *text = memory_zeroed(bytes, 1);
	strcpy(text, "sluice");
	for (int i = 0; i < o->argc; i++) {
		strcat(text, " ");
		strcat(text, o->argv[i]);
	}
	return text;
}

/* Write the text to a file or standard output; free it. */
static bool write_text(const char *path, char *text, struct error *err)
{
	bool ok = command_write(path, text, err);
	free(text);
	return ok;
}

static bool to_stdout(const struct experiment_options *o)
{
	const char *const files[] = {o->json, o->markdown, o->html, o->csv};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (command_is_stdout(files[i]))
			return true;
	return false;
}

static bool write_report(const struct experiment_options *o, const json_t *report, size_t figures,
                         struct error *err)
{
	if (!to_stdout(o))
		reproduction_print(stdout, report, figures <= 4);
	return (!o->json ||
	        write_text(o->json, json_finish(json_incref((json_t *)(uintptr_t)report)), err)) &&
	       (!o->markdown || write_text(o->markdown, reproduction_markdown(report), err)) &&
	       (!o->html || write_text(o->html, reproduction_html(report), err)) &&
	       (!o->csv || write_text(o->csv, reproduction_csv(report), err)) &&
	       (!o->svg || reproduction_svg(report, o->svg, (double)o->svg_width, err)) && command_flush(err);
}

static int report(const struct experiment_options *o, const struct experiment_choice *choice,
                  struct execution *e)
{
	struct error err = {{0}};
	char *command = command_text(o);
	const struct reproduction_request request = {.papers = choice->papers,
	                                             .execution = e,
	                                             .figures = choice->figure,
	                                             .figure_count = choice->shown,
	                                             .claims = choice->claim,
	                                             .claim_count = choice->claims,
	                                             .command = command,
	                                             .version = SLUICE_VERSION};
	json_t *document = reproduction_make(&request, &err);
	bool ok = document && write_report(o, document, choice->shown, &err);
	json_decref(document);
	free(command);
	return ok ? 0 : experiment_fail(o, &err);
}

/* Make the path absolute, because tasks run on other nodes. */
static void shared_folder(const struct experiment_options *o, const struct store *store,
                          char folder[PATH_MAX])
{
	char here[PATH_MAX] = "", path[PATH_MAX];
	snprintf(path, sizeof path, "%s", o->shared ? o->shared : store_path(store));
	char *slash = strrchr(path, '/');
	if (!o->shared)
		snprintf(slash ? slash + 1 : path,
		         slash ? (size_t)(path + sizeof path - slash - 1) : sizeof path, "slurm");
	if (path[0] != '/' && !getcwd(here, sizeof here))
		here[0] = '\0';
	if (snprintf(folder, PATH_MAX, "%s%s%s", here, *here ? "/" : "", path) >= PATH_MAX)
		folder[0] = '\0';
}

static int carry_out(const struct experiment_options *o, const struct experiment_choice *choice,
                     struct plan *plan, struct store *store)
{
	struct error err = {{0}};
	char who[64];
	snprintf(who, sizeof who, "sluice %s", o->command);
	char folder[PATH_MAX];
	shared_folder(o, store, folder);
	const struct slurm_options slurm = {
	    .sbatch = o->sbatch ? o->sbatch : "", .folder = folder, .detach = o->detach};
	struct execution e = {.plan = plan,
	                      .store = store,
	                      .jobs = o->jobs,
	                      .again = o->again,
	                      .log = stderr,
	                      .who = who,
	                      .elsewhere = o->slurm ? slurm_simulate : NULL,
	                      .elsewhere_user = &slurm};
	if (!execute(&e, &err)) {
		fprintf(stderr, "%s: %s; %zu runs are in %s, and the next call goes on from there\n", who,
		        err.text, e.found + e.simulated, store_path(store));
		return e.interrupted ? 128 + e.interrupted : 2;
	}
	if (e.detached) {
		printf("runs are under way; the same call without --detach waits for them and reports\n");
		return 0;
	}
	return report(o, choice, &e);
}

/* Print how much is to simulate and an upper bound of the time. Programs of unknown length are only counted. */
static void print_plan(const struct experiment_options *o, const struct experiment_choice *choice,
                       const struct plan *plan)
{
	double insns = 0;
	size_t unknown = 0, waiting = plan_waiting(plan);
	for (size_t i = 0; i < plan->jobs; i++) {
		insns += (double)plan_insns(plan, &plan->job[i]);
		unknown += !plan_insns(plan, &plan->job[i]);
	}
	printf("%zu figures, %zu claims: %zu simulations of %zu programs on %zu machines", choice->figures,
	       choice->claims, plan->jobs, plan->recordings, plan->machines);
	if (waiting)
		printf(", and at most %zu more when searches have ended", waiting);
	if (insns > 0)
		printf("; about %.0f min at most on %llu processes",
		       ceil(insns / execute_speed(NULL) / 60 / (double)o->jobs), (unsigned long long)o->jobs);
	if (unknown)
		printf(", without %zu runs that no limit bounds", unknown);
	putchar('\n');
}

int experiment_run(const struct experiment_options *o, const struct experiment_choice *choice)
{
	struct error err = {{0}};
	struct plan plan;
	int rc = 2;
	/* Outputs again: now the files of the experiment are known, and later the database. */
	if (!plan_make(&plan, choice->papers, choice->figure, choice->figures, &err) ||
	    !check_outputs(o, &err)) {
		plan_free(&plan);
		return experiment_fail(o, &err);
	}
	if (o->dry_run) {
		print_plan(o, choice, &plan);
		plan_free(&plan);
		return 0;
	}
	command_limit_memory(o->memory);
	struct store *store = store_open(o->db, STORE_WRITE, &err);
	if (store && !check_outputs(o, &err)) {
		struct error ignored;
		experiment_fail(o, &err);
		store_close(store, &ignored);
	} else if (store) {
		rc = carry_out(o, choice, &plan, store);
		if (!store_close(store, &err))
			rc = experiment_fail(o, &err);
	} else {
		experiment_fail(o, &err);
	}
	plan_free(&plan);
	return rc;
}
