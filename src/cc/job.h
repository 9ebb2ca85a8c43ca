/* An order of `sluice cc` that is being carried out: what compiling (cc/compile.c) and linking (cc/link.c) share. */
#ifndef SLUICE_CC_JOB_H
#define SLUICE_CC_JOB_H

#include "cc/cc.h"

struct job {
	const struct cc_order *order;
	const struct cc_tools *tools;
	char folder[256];
	unsigned serial; /* of intermediate files */
	struct error error;
};

enum { DONE = 0, FAILED = 1, BAD_INPUT = 2 };

/* Shows the command if that is asked for, runs it if that is; a header it does not find gets a word of advice. */
int cc_job_run(struct job *job, const struct words *command);

/* cc/device.c: PTX of a source's device code; `front` is the command so far, without what is made and of which file. */
int cc_job_compile_device(struct job *job, const struct words *front, const char *source, const char *ptx);

/* Makes the device variables that PTX shows to other files known to the objects of those. */
int cc_job_publish(struct job *job, const char *ptx, const char *object);

/* A program or shared library of the objects and the options of the linker, in their order. */
int cc_job_link(struct job *job, const struct words *objects);
int cc_job_archive(struct job *job, const struct words *objects);
/* Device code is linked when the program runs: what nvcc would make of it now is an object without content. */
int cc_job_link_device(struct job *job);

/* cc/precompiled.c: a command that begins with our header takes what was made of it before, if that is the same. */
void cc_use_precompiled(const struct job *job, struct words *command);
/* Makes it, for commands that begin as this one does. */
int cc_job_precompile(struct job *job, const struct words *command);

#endif
