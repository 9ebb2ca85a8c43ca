/* An order that is carried out: compiling (compile.c), linking (link.c), precompiled headers (precompiled.c). */
#ifndef SLUICE_CC_JOB_H
#define SLUICE_CC_JOB_H

#include "cc/order.h"
#include "cc/tools.h"

/*
 * Do all that the order asks for; return the exit code. err->text says what failed, or stays empty where the compilers
 * have said it (in order->messages).
 */
int cc_carry_out(const struct cc_order *order, const struct cc_tools *tools, struct error *err);

/* ---- between the files of a job */

struct job {
	const struct cc_order *order;
	const struct cc_tools *tools;
	struct error *err;
	char folder[256];
	unsigned serial; /* of intermediate files */
};

enum { DONE = 0, FAILED = 1, BAD_INPUT = 2 };

/* Show the command if the order asks for it, and run it unless in a dry run; err gets advice on a missing header. */
int cc_job_run(struct job *job, const struct words *command);
/* The same; frees the command. */
int cc_job_run_last(struct job *job, struct words *command);

/* outputs.c: Whether an output of the order exists and might be a header that the sources include. */
bool cc_outputs_could_be_headers(const struct cc_order *order);
/* Note the files that a rule for make names, with base/read_files.h; changes the text. */
void cc_note_rule(char *rule);
/* Refuse an order that would write over a file that was noted. */
bool cc_check_outputs(const struct cc_order *order, struct error *err);

/* Make the device variables that PTX shows to other files known to their objects. */
int cc_job_publish(struct job *job, const char *ptx, const char *object);
/* Link a program or shared library of the objects and options, in their order. */
int cc_job_link(struct job *job, const struct words *objects);
int cc_job_archive(struct job *job, const struct words *objects);
/* Make an empty object: device code is linked when the program runs. */
int cc_job_link_device(struct job *job);

/* Have a command that includes sluice's header read its precompiled form, if there is a valid one. */
void cc_use_precompiled(const struct job *job, struct words *command);
/* Precompile the header for commands that begin as this one does. */
int cc_job_precompile(struct job *job, const struct words *command);

#endif
