/* What instructions do, each with the signature that the warp loop calls. Shared by exec_*.c only. */
#ifndef SLUICE_CUDA_EXEC_ACTS_H
#define SLUICE_CUDA_EXEC_ACTS_H

#include "cuda/executor/exec_state.h"

/* exec_move.c */
lane_fn lane_copy2, lane_copy4, lane_copy8, lane_narrow42, lane_narrow84, lane_widen48;
lane_fn lane_to_window, lane_from_window, lane_in_window;
code_act act_setp_pair, act_pack, act_unpack, act_local_address, act_clock, act_nothing, act_activemask,
    act_copy_list, act_in_device;
/* Writes a result of `bytes` per lane, in the lanes of `mask`. */
void act_write(struct run *run, struct warp *w, uint32_t dst, const void *src, unsigned bytes, uint64_t mask);

/* exec_memory.c */
code_act act_load_global, act_store_global, act_load_shared, act_store_shared, act_load_any, act_store_any;
/* exec_param.c */
code_act act_param, act_param_number;
/* exec_atomic.c */
code_act act_atom;
bool atomic_choose(const struct ptx_insn *insn, struct code *x); /* sets x->mode; false: no such form */
/* exec_shuffle.c */
code_act act_shfl, act_vote, act_match, act_redux, act_elect;
/* exec_matrix.c */
code_act act_mma, act_wmma_load, act_wmma_store, act_ldmatrix, act_stmatrix, act_movmatrix;
/* exec_copy.c */
code_act act_copy_async, act_copy_bulk;
/* exec_cluster.c */
code_act act_cluster_wait, act_cluster_arrive, act_mapa, act_getctarank;
bool cluster_is_over(const struct run *run, const struct warp *w, uint64_t mask);
/* Lanes have exited: the cluster's barrier does not wait for them. */
void cluster_lanes_left(struct run *run, struct cta *cta);
/* exec_mbarrier.c */
code_act act_mbarrier_init, act_mbarrier_change, act_mbarrier_touch, act_mbarrier_wait, act_mbarrier_pending;
/* exec_video.c */
code_act act_video;
/* exec_texture.c */
code_act act_texture, act_texture_query;
/* exec_barrier.c */
code_control control_barrier, control_sync;
/* exec_flow.c */
code_control control_brx, control_call, control_call_indirect, control_ret, control_exit, control_trap,
    control_unsupported;
/* exec_builtin.c, exec_native.c: calls that run natively */
code_act act_native, act_undefined;
code_act *builtin_find(const char *name); /* vprintf, malloc ...; NULL: none */

#endif
