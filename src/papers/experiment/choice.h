/* The figures and claims that the words of a command line choose. */
#ifndef SLUICE_PAPERS_EXPERIMENT_CHOICE_H
#define SLUICE_PAPERS_EXPERIMENT_CHOICE_H

#include "papers/experiment/paper.h"

struct experiment_choice {
	const struct papers *papers;
	const struct figure **figure;
	size_t figures; /* to run */
	size_t shown;   /* of them, to show: the first */
	const struct claim **claim;
	size_t claims;
};

/*
 * Choose the papers, figures and claims that the words name ("ciao", "ciao/8a", "ciao-07"), or everything if there are no
 * words. Figures that a claim needs are run, too, and shown if claims alone are chosen; claims that need no other figures
 * are judged. False: err says which word is unknown. Call choice_free() in both cases.
 */
bool choice_make(struct experiment_choice *choice, const struct papers *papers, char *const *word,
                 size_t count, struct error *err);
void choice_free(struct experiment_choice *choice);

#endif
