/* kernelslist.g: which launches and copies an Accel-Sim trace has. Private to src/trace/. */
#ifndef SLUICE_TRACE_ACCELSIM_LIST_H
#define SLUICE_TRACE_ACCELSIM_LIST_H

#include "accelsim/text.h"

struct accelsim_command {
	char *file; /* of a launch, path included; NULL: a copy */
	uint64_t address, bytes;
};

struct accelsim_list {
	char *list_path; /* kernelslist.g, or NULL for a single kernel file */
	struct accelsim_command *commands;
	size_t count;
	unsigned kernels;
};

/* `path`: a folder with kernelslist.g, a kernelslist.g, or one kernel file. Kernel files are not looked at.
 */
bool accelsim_list_read(struct accelsim_list *list, const char *path, struct error *err);
void accelsim_list_free(struct accelsim_list *list);
/* The number in "kernel-<number>..." of a path; 0: none. */
uint32_t accelsim_file_number(const char *file);
/* By the end of the name; false if it is neither .traceg nor .traceg.xz. */
bool accelsim_packing(const char *file, enum text_packing *packing);

#endif
