/*
 * Handlers: what each instruction does, with the signature that the warp loop
 * calls. For the files of src/cuda/executor only.
 */
#ifndef SLUICE_CUDA_EXEC_HANDLERS_H
#define SLUICE_CUDA_EXEC_HANDLERS_H

#include "cuda/executor/exec_state.h"

/* exec_move.c */
lane_fn lane_copy2, lane_copy4, lane_copy8, lane_narrow42, lane_narrow84, lane_widen48;
lane_fn lane_to_window, lane_from_window, lane_in_window;
code_handler handle_setp_pair, handle_pack, handle_unpack, handle_local_address, handle_clock, handle_nothing,
    handle_activemask, handle_copy_list, handle_in_device;
/* Writes a result of `bytes` per lane, in the lanes of `mask`. */
void lanes_write(struct run *run, struct warp *w, uint32_t dst, const void *src, unsigned bytes,
                 uint64_t mask);

/* exec_memory.c */
code_handler handle_load_global, handle_store_global, handle_load_shared, handle_store_shared,
    handle_load_any, handle_store_any;
/* exec_param.c */
code_handler handle_param, handle_param_number;
/* exec_atomic.c */
code_handler handle_atom;
bool atomic_choose(const struct ptx_insn *insn, struct code *op); /* sets op->mode; false: no such form */
/* exec_shuffle.c */
code_handler handle_shfl, handle_vote, handle_match, handle_redux, handle_elect;
/* exec_matrix.c */
code_handler handle_mma, handle_wmma_load, handle_wmma_store, handle_ldmatrix, handle_stmatrix,
    handle_movmatrix;
/* exec_copy.c */
code_handler handle_copy_async, handle_copy_bulk;
/* exec_cluster.c */
code_handler handle_cluster_wait, handle_cluster_arrive, handle_mapa, handle_getctarank;
bool cluster_is_over(const struct run *run, const struct warp *w, uint64_t mask);
/* Lanes have exited: the cluster's barrier does not wait for them. */
void cluster_lanes_left(struct run *run, struct cta *cta);
/* exec_mbarrier.c */
code_handler handle_mbarrier_init, handle_mbarrier_change, handle_mbarrier_touch, handle_mbarrier_wait,
    handle_mbarrier_pending;
/* exec_video.c */
code_handler handle_video;
/* exec_texture.c */
code_handler handle_texture, handle_texture_query;
/* exec_surface.c */
code_handler handle_surface;
/* exec_barrier.c */
code_control control_barrier, control_sync;
/* exec_flow.c */
code_control control_brx, control_call, control_call_indirect, control_ret, control_exit, control_trap,
    control_unsupported;
/* exec_builtin.c: calls that the host runs itself */
code_handler handle_native, handle_undefined;
code_handler *builtin_find(const char *name); /* vprintf, malloc ...; NULL: none */
/* exec_device_launch.c: the same for launches by kernels. */
code_handler *device_launch_find(const char *name);

#endif
