/* kernelslist.g: which launches and copies an Accel-Sim trace has. Private to src/accelsim/. */
#ifndef SLUICE_ACCELSIM_LIST_H
#define SLUICE_ACCELSIM_LIST_H

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

/* Read `path`: a folder with kernelslist.g, a kernelslist.g, or one kernel file, which is not opened. */
bool accelsim_list_read(struct accelsim_list *list, const char *path, struct error *err);
void accelsim_list_free(struct accelsim_list *list);
/* Return the number in "kernel-<number>..." of a path, or 0. */
uint32_t accelsim_file_number(const char *file);
/* Tell the packing from the name; return false if it ends in neither .traceg, .traceg.xz nor .tracez. */
bool accelsim_packing(const char *file, enum text_packing *packing);

#endif
