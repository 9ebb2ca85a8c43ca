/* Streams and events: flags, priorities, host functions, attributes, and every call that is given a stream that is none. */
#include "table.h"

TEST(streams_tell_what_they_were_made_with)
{
	cudaStream_t stream, urgent, idle, most;
	cudaEvent_t event;
	unsigned flags = 9;
	int priority = 9, device = 9;
	OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
	   cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, -2),
	   cudaStreamCreateWithPriority(&idle, cudaStreamDefault, 3),
	   cudaStreamCreateWithPriority(&most, cudaStreamNonBlocking, -9), cudaEventCreate(&event));
	GIVES(priority, -5, cudaStreamGetPriority(most, &priority));
	GIVES(flags, cudaStreamNonBlocking, cudaStreamGetFlags(stream, &flags));
	GIVES(priority, -2, cudaStreamGetPriority(urgent, &priority));
	GIVES(priority, 0, cudaStreamGetPriority(idle, &priority));
	GIVES(device, 0, cudaStreamGetDevice(stream, &device));
	OK(cudaDeviceGetStreamPriorityRange(NULL, NULL));
	ANSWERS(INVALID_VALUE, cudaStreamCreate(NULL), cudaStreamCreateWithFlags(&stream, 2),
	        cudaStreamGetFlags(stream, NULL), cudaStreamGetPriority(stream, NULL),
	        cudaStreamGetDevice(stream, NULL), cudaStreamGetDevice(no_handle(), NULL));
	ANSWERS(INVALID_HANDLE, cudaStreamGetFlags(no_handle(), &flags),
	        cudaStreamGetPriority(no_handle(), &priority), cudaStreamGetDevice(no_handle(), &device),
	        cudaStreamDestroy(no_handle()), cudaStreamSynchronize(no_handle()),
	        cudaStreamQuery(no_handle()));
	OK(cudaStreamDestroy(stream), cudaStreamDestroy(urgent), cudaStreamDestroy(idle),
	   cudaStreamDestroy(most));
	ANSWERS(INVALID_HANDLE, cudaStreamQuery(stream), cudaStreamQuery((cudaStream_t)count_call),
	        cudaStreamQuery((cudaStream_t)event));
	OK(cudaEventDestroy(event));
	ANSWERS(INVALID_HANDLE, cudaEventQuery(event));
}

TEST(streams_have_numbers_of_their_own)
{
	cudaStream_t stream;
	unsigned long long legacy = 0, thread = 0, own = 0;
	OK(cudaStreamCreate(&stream), cudaStreamGetId(NULL, &legacy),
	   cudaStreamGetId(cudaStreamPerThread, &thread), cudaStreamGetId(stream, &own));
	CHECK(legacy != thread && thread != own && own != legacy);
	ANSWERS(INVALID_VALUE, cudaStreamGetId(stream, NULL));
	ANSWERS(INVALID_HANDLE, cudaStreamGetId(no_handle(), &own));
	OK(cudaStreamDestroy(stream));
}

TEST(attributes_are_kept_and_copied)
{
	cudaStream_t stream, other;
	const cudaLaunchAttributeID policy = cudaLaunchAttributeSynchronizationPolicy;
	cudaLaunchAttributeValue value = {.syncPolicy = cudaSyncPolicySpin}, got;
	OK(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -4), cudaStreamCreate(&other),
	   cudaStreamSetAttribute(stream, policy, &value), cudaStreamCopyAttributes(other, stream));
	GIVES(got.syncPolicy, cudaSyncPolicySpin, cudaStreamGetAttribute(other, policy, &got));
	GIVES(got.priority, -4, cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &got));
	ANSWERS(INVALID_HANDLE, cudaStreamSetAttribute(no_handle(), policy, &value),
	        cudaStreamGetAttribute(no_handle(), policy, &got),
	        cudaStreamCopyAttributes(no_handle(), stream), cudaStreamCopyAttributes(stream, no_handle()));
	ANSWERS(INVALID_VALUE, cudaStreamSetAttribute(stream, policy, NULL),
	        cudaStreamGetAttribute(stream, policy, NULL),
	        cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &got));
	OK(cudaStreamDestroy(stream), cudaStreamDestroy(other));
}

/* ---- host functions ----------------------------------------------------------------------------------------------- */

static void count_callback(cudaStream_t stream, cudaError_t error, void *user)
{
	(void)stream;
	*(unsigned *)user += error == cudaSuccess;
}

TEST(host_functions_are_called_once)
{
	unsigned calls = 0;
	OK(cudaStreamAddCallback(NULL, count_callback, &calls, 0),
	   cudaLaunchHostFunc(NULL, count_call, &calls));
	ANSWERS(INVALID_VALUE, cudaStreamAddCallback(NULL, NULL, &calls, 0),
	        cudaStreamAddCallback(NULL, count_callback, &calls, 1),
	        cudaLaunchHostFunc(NULL, NULL, &calls));
	ANSWERS(INVALID_HANDLE, cudaStreamAddCallback(no_handle(), count_callback, &calls, 0),
	        cudaLaunchHostFunc(no_handle(), count_call, &calls));
	OK(cudaDeviceSynchronize());
	CHECK_EQ(calls, 2);
}

TEST(only_managed_memory_is_attached)
{
	void *managed, *plain;
	OK(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaMalloc(&plain, 64));
	ANSWERS(cudaSuccess, cudaStreamAttachMemAsync(NULL, managed, 0, cudaMemAttachGlobal),
	        cudaStreamAttachMemAsync(NULL, managed, 0, cudaMemAttachHost),
	        cudaStreamAttachMemAsync(cudaStreamPerThread, managed, 0, cudaMemAttachSingle));
	ANSWERS(INVALID_VALUE, cudaStreamAttachMemAsync(NULL, managed, 0, 8),
	        cudaStreamAttachMemAsync(NULL, plain, 0, cudaMemAttachGlobal));
	ANSWERS(INVALID_HANDLE, cudaStreamAttachMemAsync(no_handle(), managed, 0, cudaMemAttachGlobal));
	OK(cudaFree(managed), cudaFree(plain));
}

/* ---- events --------------------------------------------------------------------------------------------------------- */

TEST(events_are_recorded_before_they_are_measured)
{
	cudaEvent_t a, b, untimed, unrecorded;
	float ms = -1;
	OK(cudaEventCreate(&a), cudaEventCreateWithFlags(&b, cudaEventBlockingSync),
	   cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming | cudaEventInterprocess),
	   cudaEventCreate(&unrecorded), cudaEventRecordWithFlags(a, NULL, cudaEventRecordDefault),
	   cudaEventRecord(b, NULL), cudaEventRecord(untimed, NULL));
	OK(cudaEventElapsedTime(&ms, b, a)); /* backwards */
	CHECK(ms <= 0);
	GIVES(ms, 0, cudaEventElapsedTime(&ms, a, a));
	OK(cudaEventSynchronize(a));
	cudaEvent_t more[100];
	for (unsigned i = 0; i < 100; i++)
		OK(cudaEventCreate(&more[i]));
	CHECK(more[0] != more[99]);
	CHECK(!strcmp(cudaGetErrorName(12345), "unrecognized error code"));
	OK(cudaEventQuery(unrecorded));
	ANSWERS(INVALID_VALUE, cudaEventCreate(NULL), cudaEventCreateWithFlags(&a, 8),
	        cudaEventCreateWithFlags(&a, cudaEventInterprocess), cudaEventRecordWithFlags(a, NULL, 2),
	        cudaStreamWaitEvent(NULL, a, 2), cudaEventElapsedTime(NULL, a, b));
	ANSWERS(INVALID_HANDLE, cudaEventDestroy(no_handle()), cudaEventRecord(no_handle(), NULL),
	        cudaEventRecord(a, no_handle()), cudaStreamWaitEvent(NULL, no_handle(), 0),
	        cudaStreamWaitEvent(no_handle(), a, 0), cudaEventSynchronize(no_handle()),
	        cudaEventQuery(no_handle()), cudaEventElapsedTime(&ms, no_handle(), b),
	        cudaEventElapsedTime(&ms, a, no_handle()), cudaEventElapsedTime(&ms, unrecorded, b),
	        cudaEventElapsedTime(&ms, a, unrecorded), cudaEventElapsedTime(&ms, a, untimed));
	ANSWERS(ILLEGAL_STATE, cudaEventRecordWithFlags(a, NULL, cudaEventRecordExternal),
	        cudaStreamWaitEvent(NULL, a, cudaEventWaitExternal));
	OK(cudaDeviceReset());
}

/* ---- streams that are none ------------------------------------------------------------------------------------------ */

TEST(work_for_a_stream_that_is_none_is_not_done)
{
	static char host[16], back[16];
	char *device;
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
	const cudaStream_t nowhere = no_handle();
	const struct cudaExtent extent = {16, 1, 1};
	const struct cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
	void *got = NULL;
	OK(cudaMalloc((void **)&device, 16), cudaMemset(device, 7, 16));
	struct cudaPitchedPtr all = {device, 16, 16, 1};
	ANSWERS(INVALID_HANDLE, cudaMemcpyAsync(device, host, 16, in, nowhere),
	        cudaMemcpyPeerAsync(device, 0, device, 0, 16, nowhere),
	        cudaMemcpy2DAsync(device, 16, host, 16, 16, 1, in, nowhere),
	        cudaMemcpyToSymbolAsync(&variable, host, 16, 0, in, nowhere),
	        cudaMemcpyFromSymbolAsync(host, &variable, 16, 0, out, nowhere),
	        cudaMemsetAsync(device, 0, 16, nowhere), cudaMemset2DAsync(device, 16, 0, 16, 1, nowhere),
	        cudaMemset3DAsync(all, 0, extent, nowhere), cudaMallocAsync(&got, 16, nowhere),
	        cudaMallocFromPoolAsync(&got, 16, NULL, nowhere), cudaFreeAsync(device, nowhere),
	        cudaMemPrefetchAsync_v2(device, 16, place, 0, nowhere),
	        store((unsigned *)device, 1, nowhere));
	OK(cudaMemcpy(back, device, 16, out));
	CHECK(back[0] == 7 && back[15] == 7 && !got);
	OK(cudaFree(device));
}

TEST(work_for_the_default_streams_is_done)
{
	static char host[16] = {1, 2, 3}, back[16];
	char *device;
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
	OK(cudaMalloc((void **)&device, 32));
	struct cudaPitchedPtr all = {device, 8, 8, 2};
	OK(cudaMemcpy2DAsync(device, 16, host, 16, 16, 1, in, cudaStreamPerThread),
	   cudaMemcpyPeerAsync(device + 16, 0, device, 0, 16, cudaStreamLegacy),
	   cudaMemcpyToSymbolAsync(&variable, device + 16, 16, 0, cudaMemcpyDeviceToDevice, NULL),
	   cudaMemcpyFromSymbolAsync(back, &variable, 16, 0, out, NULL), cudaStreamSynchronize(NULL));
	CHECK(memcmp(back, host, 16) == 0);
	OK(cudaMemset2DAsync(device, 8, 5, 4, 2, NULL),
	   cudaMemset3DAsync(all, 6, (struct cudaExtent){2, 2, 2}, NULL),
	   cudaMemset3D(all, 7, (struct cudaExtent){1, 1, 1}), cudaMemcpy(back, device, 16, out));
	CHECK(back[0] == 7 && back[1] == 6 && back[2] == 5 && back[4] == 0 && back[9] == 6);
	OK(cudaFree(device));
}

/* How many nodes a fill of `slices` slices of one row becomes, and whether they fill what they should. */
static size_t captured_fills(char *device, size_t rows_in_slice, size_t slices)
{
	char back[64];
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStream_t stream;
	size_t count = 0, right = 0;
	struct cudaPitchedPtr box = {device, 8, 8, rows_in_slice};
	cudaMemset(device, 0, sizeof back);
	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	cudaMemset3DAsync(box, 5, (struct cudaExtent){4, 1, slices}, stream);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphGetNodes(graph, NULL, &count);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, stream);
	cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
	for (size_t i = 0; i < sizeof back; i++)
		right += back[i] ==
		         (i % 8 < 4 && i / 8 % rows_in_slice == 0 && i / 8 / rows_in_slice < slices ? 5 : 0);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(stream);
	return right == sizeof back ? count : 0;
}

TEST(a_captured_fill_of_slices_is_as_many_nodes_as_it_has_gaps)
{
	char *device;
	OK(cudaMalloc((void **)&device, 64));
	CHECK_EQ(captured_fills(device, 1, 1), 1);
	CHECK_EQ(captured_fills(device, 1, 2), 1);
	CHECK_EQ(captured_fills(device, 2, 3), 3);
	OK(cudaFree(device));
}

/* The first, the last and one between stand for all of them. */
TEST(a_reset_ends_every_event_and_stream)
{
	enum { EVENTS = 200000, STREAMS = 1000 };
	static cudaEvent_t events[EVENTS];
	static cudaStream_t streams[STREAMS];
	for (int i = 0; i < EVENTS; i++)
		OK(cudaEventCreate(&events[i]));
	for (int i = 0; i < STREAMS; i++)
		OK(cudaStreamCreate(&streams[i]));
	OK(cudaDeviceReset());
	ANSWERS(INVALID_HANDLE, cudaEventQuery(events[0]), cudaEventQuery(events[EVENTS / 2]),
	        cudaEventQuery(events[EVENTS - 1]), cudaStreamQuery(streams[0]),
	        cudaStreamQuery(streams[STREAMS - 1]));
	OK(cudaEventCreate(&events[0]), cudaEventQuery(events[0]), cudaEventDestroy(events[0]));
}

TESTS(true)
