/*
 * Workloads: the CUDA programs of workloads/, by name. The index has their origin
 * and what papers publish about them. target.h turns a name into a command line.
 */
#ifndef SLUICE_WORKLOAD_WORKLOAD_H
#define SLUICE_WORKLOAD_WORKLOAD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The papers, each with the machine it simulates and the classes it sorts programs into. */
enum workload_paper { PAPER_CIAO, PAPER_OSM, PAPER_LCM, PAPER_TIAN, PAPER_KHAIRY, PAPER_COUNT };
struct workload_paper_info {
	const char *name, *machine, *title;
	const char *const *classes; /* ends with NULL */
};
extern const struct workload_paper_info workload_papers[PAPER_COUNT];

/* What papers publish; FACT_CLASS is a word, FACT_BARRIERS yes or no, the others are numbers. */
enum workload_fact {
	FACT_CLASS,
	FACT_APKI,
	FACT_MEMORY_INTENSITY,
	FACT_N_WARP,
	FACT_F_SMEM_PERCENT,
	FACT_SMEM_KB,
	FACT_BARRIERS,
	FACT_FOOTPRINT_KB,
	FACT_SMS,
	FACT_L1_GAIN_PERCENT,
	FACT_COUNT
};
struct workload_fact_info {
	const char *name, *doc;
	double max; /* of a number; the least is 0 */
};
extern const struct workload_fact_info workload_facts[FACT_COUNT];

/* One paper's row. */
struct workload_published {
	enum workload_paper paper;
	char *as;        /* what the paper calls it */
	char *class;     /* NULL: none published */
	char *input;     /* as the paper puts it; NULL: none published */
	char *arguments; /* of the program, behind "--size paper", for this paper's input; NULL: none */
	double
	    stops_after_m; /* million thread instructions, where the paper stopped its simulations; NaN: at the end */
	double value[FACT_COUNT]; /* NaN: not published; barriers: 0 or 1; class: NaN */
	char *reason[FACT_COUNT]; /* why a characteristic cannot be met; NULL: it should be */
};

struct workload {
	char *name, *group, *about, *suite;
	struct workload_published *published;
	size_t published_count;
	uint64_t line; /* of the index */
};

struct workloads {
	char folder[PATH_MAX]; /* where index and programs are */
	struct workload *list; /* in the order of the index, groups together */
	size_t count;
};

/* $SLUICE_WORKLOADS, or share/sluice/workloads of this sluice (data_folder_find()). */
bool workloads_folder(char folder[PATH_MAX], struct error *err);
/* Finds the folder and reads its index.yaml. False: err says where and why, nothing to free. */
bool workloads_load(struct workloads *workloads, struct error *err);
/* The same from memory; `file` is the name used in messages. */
bool workloads_parse(struct workloads *workloads, const char *file, const char *text, size_t length,
                     struct error *err);
void workloads_free(struct workloads *workloads);
/* Find a workload by name; NULL: none. */
const struct workload *workloads_find(const struct workloads *workloads, const char *name);
/* Report "no workload 'atx'; did you mean 'atax'?"; always false. */
bool workloads_fail_unknown(const struct workloads *workloads, const char *name, struct error *err);
/* Make the path of its file `folder/NAME/FILE`; FILE NULL: NAME.cu. False: the path is too long. */
bool workload_path(const struct workloads *workloads, const struct workload *workload, const char *file,
                   char path[PATH_MAX], struct error *err);
/* Return whether it has only letters, digits, '+', '_', '-': a name is never a path. */
bool workload_name_ok(const char *name);

#endif
