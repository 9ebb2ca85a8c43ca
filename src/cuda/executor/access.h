/* Lane addresses: computing, checking and moving. Private to src/cuda/executor. */
#ifndef SLUICE_CUDA_EXECUTOR_ACCESS_H
#define SLUICE_CUDA_EXECUTOR_ACCESS_H

#include "cuda/executor/run.h"

/* The functions that move one element per lane; NULL: no such widths. */
access_move *access_loader(unsigned element_bytes, unsigned register_bytes, bool is_signed);
access_move *access_storer(unsigned element_bytes, unsigned register_bytes);

/* Lane addresses, offset added. */
const uint64_t *access_addresses(struct run *run, const struct warp *w, const struct access *a);
/*
 * Host addresses of an access in any space: checked, recorded, race-checked.
 * NULL: a fault, which has been reported.
 */
const uint64_t *access_hosts(struct run *run, struct warp *w, const struct code *op, struct access *a,
                             uint64_t mask);
/* The same for addresses that are given; `address` may be run->address. */
const uint64_t *access_hosts_at(struct run *run, struct warp *w, const struct code *op, struct access *a,
                                const uint64_t *address, uint64_t mask);
/* The same as access_hosts(), but without recording the access. */
const uint64_t *access_hosts_unrecorded(struct run *run, struct warp *w, const struct code *op,
                                        struct access *a, uint64_t mask);
/* Record an access if the launch is recorded. */
void access_record(struct run *run, const struct warp *w, const struct code *op, uint64_t mask,
                   enum ptx_space space, const uint64_t *address);
/* The addresses of active lanes as recordings show them. */
const uint64_t *access_traced(struct run *run, const uint64_t *address, uint64_t mask);
/* Host memory behind `bytes` of shared memory of the cluster (CLUSTER_SHIFT); NULL: outside (barrier.c). */
uint8_t *access_shared_host(struct run *run, struct warp *w, uint64_t offset, uint64_t bytes);
/* Host memory behind `bytes` at a generic address of one lane; NULL: outside. */
uint8_t *access_guest(struct run *run, const struct warp *w, unsigned lane, uint64_t address, uint64_t bytes);
/* The most bytes that can follow a generic address. */
uint64_t access_guest_reach(struct run *run, const struct warp *w, unsigned lane, uint64_t address,
                            uint8_t **host);

/* While progress is watched: what stores are about to overwrite, and whether they changed it; `local`: their own. */
void access_before_change(struct run *run, const uint64_t *host, uint64_t base, unsigned bytes,
                          uint64_t mask);
void access_after_change(struct run *run, const uint64_t *host, uint64_t base, unsigned bytes, uint64_t mask,
                         uint64_t local);
/* And whether a read looks like waiting: it reads the address that this instruction read last. */
static inline void access_watch_read(struct run *run, struct access *a, uint64_t address)
{
	if (a->last == address)
		run->progress.repeated++;
	else
		run->progress.fresh++;
	a->last = address;
}

/* race.c: accesses of two threads to one word of shared memory between barriers, one of them a store. */
struct race_list *race_list_new(void);
void race_list_free(struct race_list *list);
const char *race_text(const struct race_list *list, unsigned i); /* NULL: no such */
void race_check(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                const uint64_t *offset, uint64_t mask);
void race_open_cta(struct run *run, struct cta *cta);
/* Whether the pair of instructions has not been reported; it is counted. Then add its text. */
bool race_is_new(struct run *run, uint32_t first, uint32_t second);
void race_add(struct run *run, uint32_t first, uint32_t second, const char *text);
/* Where an instruction is, for reports. */
void race_line(const struct run *run, uint32_t insn, char *buf, size_t size);

/* race_global.c: the same for words of global memory between CTAs. NULL: the kernel orders its CTAs somehow. */
struct global_shadow *race_global_new(const struct run *run);
void race_global_free(struct global_shadow *shadow);
/* Before a plain access is performed. */
void race_global_check(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                       const uint64_t *address, uint64_t mask);

/* fault.c: both fill the report, set the status and return false. */
bool fault_access(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                  const uint64_t *address, uint64_t mask, enum ptx_space space, enum exec_status status);
bool fault_at(struct run *run, const struct warp *w, const struct code *op, uint64_t mask,
              enum exec_status status, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

#endif
