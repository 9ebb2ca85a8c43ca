/* What `sluice compare --paper NAME` runs: the paper's machine, its baseline, and policies on top of it. */
#ifndef SLUICE_PAPERS_EXPERIMENT_BASELINE_H
#define SLUICE_PAPERS_EXPERIMENT_BASELINE_H

#include "base/args.h"
#include "base/error.h"

struct compare_paper {
	char *machine;             /* owned */
	struct arg_texts policies; /* the baseline first; owned, each text too */
};

/*
 * `given`: the policies of the command line; none: those that paper.yaml compares. A paper whose baseline is more than
 * the default puts it before each (`below`). False: err says why. Free it in both cases.
 */
bool compare_paper_load(struct compare_paper *to, const char *name, const struct arg_texts *given,
                        struct error *err);
void compare_paper_free(struct compare_paper *paper);

#endif
