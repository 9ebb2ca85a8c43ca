/*
 * Handlers: what each instruction does, with the signature that the warp loop
 * calls. Private to src/cuda/executor.
 */
#ifndef SLUICE_CUDA_EXECUTOR_HANDLERS_H
#define SLUICE_CUDA_EXECUTOR_HANDLERS_H

#include "cuda/executor/run.h"

/* move.c */
lane_fn lane_copy2, lane_copy4, lane_copy8, lane_narrow42, lane_narrow84, lane_widen48;
lane_fn lane_to_window, lane_from_window, lane_in_window;
code_handler handle_setp_pair, handle_pack, handle_unpack, handle_local_address, handle_clock, handle_nothing,
    handle_activemask, handle_copy_list, handle_in_device;
/* Write a result of `bytes` per lane, in the lanes of `mask`. */
void lanes_write(struct run *run, struct warp *w, uint32_t dst, const void *src, unsigned bytes,
                 uint64_t mask);

/* access.c */
code_handler handle_load_global, handle_store_global, handle_load_shared, handle_store_shared,
    handle_load_any, handle_store_any, handle_param, handle_param_number;
/* atomic.c */
code_handler handle_atom;
bool atomic_choose(const struct ptx_insn *insn, struct code *op); /* sets op->mode; false: no such form */
/* shuffle.c */
code_handler handle_shfl, handle_vote, handle_match, handle_redux, handle_elect;
/* matrix.c */
code_handler handle_mma, handle_wmma_load, handle_wmma_store, handle_ldmatrix, handle_stmatrix,
    handle_movmatrix;
/* copy.c, copy_box.c */
code_handler handle_copy_async, handle_copy_bulk, handle_copy_box;
/* warpgroup.c */
code_handler handle_warpgroup_product;
/* What the mode of a product of warp groups says of its factors. */
enum { WARPGROUP_TURNS_A = 1, WARPGROUP_TURNS_B = 2, WARPGROUP_NEGATIVE = 4 };
/* barrier.c */
code_control control_barrier, control_sync, control_warpgroup_wait;
code_handler handle_cluster_wait, handle_cluster_arrive, handle_mapa, handle_getctarank, handle_mbarrier_init,
    handle_mbarrier_change, handle_mbarrier_touch, handle_mbarrier_wait, handle_mbarrier_pending;
/* Lanes have exited: the cluster's barrier does not wait for them. */
void cluster_lanes_left(struct run *run, struct cta *cta);
/* video.c */
code_handler handle_video;
/* texture.c */
code_handler handle_texture, handle_texture_query, handle_surface;
/* path.c */
code_control control_brx, control_call, control_call_indirect, control_ret, control_exit, control_trap,
    control_unsupported;

/* builtin.c: calls that the host runs itself */
code_handler handle_native, handle_undefined;
code_handler *builtin_find(const char *name); /* vprintf, malloc, launches by kernels ...; NULL: none */

/* The heap of device malloc: one allocation of device memory, made on first use. */
struct heap;
struct heap *heap_new(struct device_memory *memory, uint64_t bytes);
void heap_free(struct heap *heap);

/* print.c: device printf. Formats are parsed here; they never reach the host's printf unchecked. */
/* Print what one lane's vprintf(format, args) says; return the number of conversions, -1: no such format. */
int print_lane(struct run *run, const struct warp *w, unsigned lane, uint64_t format, uint64_t args);
/* Copy a string of the guest, cut to `size`; "(null)" and the like if there is none. */
void print_guest_string(struct run *run, const struct warp *w, unsigned lane, uint64_t address, char *buf,
                        size_t size);

#endif
