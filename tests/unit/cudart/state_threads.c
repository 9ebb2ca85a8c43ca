/*
 * Several host threads use the runtime at once, as CUDA programs may: each with its own stream, memory and
 * events, and all with one module and one counter. ThreadSanitizer runs this, too.
 */
#include <pthread.h>
#include <unistd.h>

#include "module.h"

#include "checks.h"

enum { THREADS = 4, ROUNDS = 6, COUNT = 256 };

static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 launched = 0;\n"
    ".visible .entry add(.param .u64 add_param_0, .param .u32 add_param_1)\n{\n	.reg .b32 %r<9>;\n"
    "	.reg .b64 %rd<4>;\n	ld.param.u64 %rd1, [add_param_0];\n	ld.param.u32 %r1, [add_param_1];\n"
    "	mov.u32 %r2, %ctaid.x;\n	mov.u32 %r3, %ntid.x;\n	mov.u32 %r4, %tid.x;\n"
    "	mad.lo.s32 %r5, %r2, %r3, %r4;\n	mul.wide.u32 %rd2, %r5, 4;\n	add.s64 %rd3, %rd1, %rd2;\n"
    "	ld.global.u32 %r6, [%rd3];\n	add.s32 %r7, %r6, %r1;\n	st.global.u32 [%rd3], %r7;\n"
    "	atom.global.add.u32 %r8, [launched], 1;\n	ret;\n}\n";

static char add, launched; /* their addresses stand for device things */

__attribute__((constructor)) static void register_all(void)
{
	void **module = module_add(text);
	__cudaRegisterFunction(module, &add, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(module, &launched, "launched", "launched", 0, 4, 0, 0);
	__cudaRegisterFatBinaryEnd(module);
}

struct worker {
	pthread_t thread;
	unsigned number;
	unsigned wrong; /* values and statuses */
};

/* One round: memory and an event of its own, two launches in the thread's stream. */
static unsigned round_of(const struct worker *w, cudaStream_t stream, unsigned *host)
{
	unsigned *device = NULL, step = w->number + 1, wrong = 0;
	size_t bytes = COUNT * sizeof *host;
	cudaEvent_t event;
	void *args[] = {&device, &step};
	struct dim3 grid = {.x = COUNT / 64, .y = 1, .z = 1}, block = {.x = 64, .y = 1, .z = 1};
	for (unsigned i = 0; i < COUNT; i++)
		host[i] = i;
	wrong += cudaMalloc((void **)&device, bytes) != cudaSuccess;
	wrong += cudaEventCreate(&event) != cudaSuccess;
	wrong += cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream) != cudaSuccess;
	for (int i = 0; i < 2; i++)
		wrong += cudaLaunchKernel(&add, grid, block, args, 0, stream) != cudaSuccess;
	wrong += cudaEventRecord(event, stream) != cudaSuccess;
	wrong += cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream) != cudaSuccess;
	wrong += cudaEventSynchronize(event) != cudaSuccess;
	wrong += cudaStreamSynchronize(stream) != cudaSuccess;
	for (unsigned i = 0; i < COUNT; i++)
		wrong += host[i] != i + 2 * step;
	wrong += cudaEventDestroy(event) != cudaSuccess;
	wrong += cudaFree(device) != cudaSuccess;
	return wrong;
}

/* What a call did wrong is told to the thread that made it, and to no other. */
static void *work(void *user)
{
	struct worker *w = user;
	cudaStream_t stream;
	unsigned host[COUNT];
	w->wrong += cudaStreamCreate(&stream) != cudaSuccess;
	for (int i = 0; i < ROUNDS; i++) {
		w->wrong += round_of(w, stream, host);
		if (w->number == 0)
			w->wrong += cudaFree(host) != INVALID_VALUE;
		cudaError_t want = w->number == 0 ? INVALID_VALUE : cudaSuccess;
		w->wrong += cudaGetLastError() != want;
	}
	w->wrong += cudaStreamDestroy(stream) != cudaSuccess;
	return NULL;
}

static unsigned run_threads(void)
{
	struct worker workers[THREADS] = {{0}};
	unsigned wrong = 0;
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return 1;
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		wrong += workers[i].wrong;
	}
	return wrong;
}

TEST(threads_with_streams_of_their_own_do_not_disturb_each_other)
{
	unsigned total = 0;
	CHECK_EQ(run_threads(), 0);
	GIVES(total, THREADS * ROUNDS * 2 * COUNT,
	      cudaMemcpyFromSymbol(&total, &launched, 4, 0, cudaMemcpyDeviceToHost));
}

TESTS(true)
