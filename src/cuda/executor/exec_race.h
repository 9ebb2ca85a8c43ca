/* Races in shared memory: accesses of two threads to one word between barriers, one of them a store. */
#ifndef SLUICE_CUDA_EXEC_RACE_H
#define SLUICE_CUDA_EXEC_RACE_H

struct race_list;
struct race_list *race_list_new(void);
void race_list_free(struct race_list *list);
const char *race_text(const struct race_list *list, unsigned i); /* NULL: no such */

#endif
