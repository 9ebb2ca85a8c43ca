#include "gpu/window.h"

bool window_may_pair(const struct gpu *gpu)
{
	const struct machine *m = gpu->machine;
	return gpu->own_quantum && gpu->quantum > 1 && m->icnt_request_cycles >= gpu->quantum &&
	       m->launch_replace_cycles >= 2 * gpu->quantum && !gpu->memory.reply_switch &&
	       !policies_look_between(gpu);
}

void window_run(struct gpu *gpu, uint64_t left)
{
	uint64_t most = 2 * (uint64_t)gpu->quantum * gpu->active_count * gpu->machine->sm_schedulers;
	cycle_t ahead = gpu->pairs && most < left ? gpu->quantum : 0;
	cycle_t reached = gpu->memory_end;
	gpu->end = gpu->start + gpu->quantum + ahead;
	gpu->memory_end = gpu->end + ahead;
	gpu->memory_start = reached > gpu->start + ahead ? reached : gpu->start + ahead;
	workers_run_quantum(gpu);
}
