/*
 * The target of a command: the program or trace that `sluice run`, `record`,
 * `compare` and `tune` are given, as a path or as the name of a workload.
 */
#ifndef SLUICE_WORKLOAD_TARGET_H
#define SLUICE_WORKLOAD_TARGET_H

#include "workload/workload.h"

enum workload_size { WORKLOAD_TINY, WORKLOAD_SMALL, WORKLOAD_PAPER, WORKLOAD_SIZES };
extern const char *const workload_sizes[WORKLOAD_SIZES];
bool workload_size_read(const char *text, enum workload_size *size, struct error *err);

/* What a word means where a program or a trace is expected. */
enum target_kind { TARGET_PATH, TARGET_WORKLOAD, TARGET_UNKNOWN };
/*
 * A word with a slash is a path. Otherwise the name of a workload is that workload, whatever lies in the working
 * directory, the name of a file or folder is a path, and anything else is unknown. False: the index of workloads cannot
 * be read.
 */
bool target_kind_of(const char *word, enum target_kind *kind, struct error *err);

/* A program as it is started, or a trace: a path and the arguments of the program. */
struct target {
	char path[PATH_MAX];
	char **args; /* owned by the target */
	size_t arg_count;
	bool hides_file; /* a workload, though the working directory has a file of its name, too */
	char name[64];   /* of a workload; else empty */
};
/*
 * Finds the target that `word` names; `words` are the arguments behind it. A workload becomes its source file, with
 * "--size S" before the other arguments (small if they name none); an invalid size is refused here, before anything is
 * compiled. True: free with target_free(). False: err says why, nothing to free.
 */
bool target_find(struct target *target, const char *word, char *const *words, size_t count,
                 struct error *err);
/* The same where the word can only be a workload. */
bool target_find_workload(struct target *target, const struct workloads *workloads, const char *name,
                          char *const *words, size_t count, struct error *err);
void target_free(struct target *target);

#endif
