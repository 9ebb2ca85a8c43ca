/* What `sluice reproduce` and `sluice sweep` share: running figures and writing what came of them. */
#ifndef SLUICE_CLI_EXPERIMENT_RUN_H
#define SLUICE_CLI_EXPERIMENT_RUN_H

#include "base/args.h"
#include "papers/experiment/choice.h"
#include "papers/report/report.h"

struct experiment_options {
	const char *command; /* "reproduce", for messages */
	const char *db, *json, *markdown, *html, *csv, *svg, *sbatch, *shared;
	uint64_t jobs, svg_width, memory;
	bool quick, again, help, dry_run, slurm, detach, allow_programs;
	int argc;
	char **argv;
};

/* Lines of a table of options; o: struct experiment_options *. */
#define EXPERIMENT_ARGS(o)                                                                                   \
	{"--quick", NULL, "shorter runs and smaller inputs, as the files say: an indication within minutes", \
	 .flag = &(o)->quick},                                                                               \
	    {"--jobs", "N",        "processes at once (one per processor)", .number = &(o)->jobs,            \
	     .min = 1, .max = 1024},                                                                         \
	    MEMORY_ARG((o)->memory),                                                                         \
	    {"--db", "FILE", "results database (~/.local/share/sluice/results.db)", .text = &(o)->db},       \
	    {"--again", NULL, "simulate also what is in the database", .flag = &(o)->again},                 \
	    {"--dry-run", NULL, "check the files and print what would be simulated", .flag = &(o)->dry_run}, \
	    {"--allow-programs", NULL, "let the file run the programs and load the policies (.so) it names", \
	     .flag = &(o)->allow_programs},                                                                  \
	    {"--json", "FILE", "write the whole report as JSON", .text = &(o)->json},                        \
	    {"--markdown", "FILE", "write it as Markdown", .text = &(o)->markdown},                          \
	    {"--html", "FILE", "write it as a page that opens without a network", .text = &(o)->html},       \
	    {"--csv", "FILE", "write the values of all charts as CSV", .text = &(o)->csv},                   \
	    {"--svg", "DIR", "draw every chart into DIR", .text = &(o)->svg},                                \
	    {"--svg-width",                                                                                  \
	     "MM",                                                                                           \
	     "width of the drawings in --svg, e.g. 84 for a column of a paper",                              \
	     .number = &(o)->svg_width,                                                                      \
	     .min = 20,                                                                                      \
	     .max = 1000},                                                                                   \
	    {"--slurm", NULL, "simulate in array jobs of Slurm", .flag = &(o)->slurm},                       \
	    {"--sbatch", "OPTIONS", "options for sbatch: '--partition=long --time=60'",                      \
	     .text = &(o)->sbatch},                                                                          \
	    {"--shared", "DIR", "folder that all nodes can read, for --slurm (slurm/ next to the database)", \
	     .text = &(o)->shared},                                                                          \
	    {"--detach", NULL, "submit to Slurm and return; call again to collect the results",              \
	     .flag = &(o)->detach},                                                                          \
	{                                                                                                    \
		"--help", NULL, "this text", .flag = &(o)->help                                              \
	}

struct experiment_options experiment_options_new(const char *command, int argc, char **argv);
/* What the files may have executed under these options. */
enum papers_trust experiment_trust(const struct experiment_options *options);
/* Whether outputs can be written; false: err says why. */
bool experiment_check(const struct experiment_options *options, struct error *err);
/* Runs, reports; returns the exit status. */
int experiment_run(const struct experiment_options *options, const struct experiment_choice *choice);
int experiment_fail(const struct experiment_options *options, const struct error *err);

#endif
