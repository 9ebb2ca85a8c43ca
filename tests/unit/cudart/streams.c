/* Streams and events: flags, priorities, host functions, attributes, and every call that is given a stream that is none. */
#include "table.h"

static const cudaError_t bad = cudaErrorInvalidValue, none = cudaErrorInvalidResourceHandle;

TEST(streams_tell_what_they_were_made_with)
{
	cudaStream_t stream, urgent, idle;
	unsigned flags = 9;
	int priority = 9, device = 9;
	OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	OK(cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, -2));
	OK(cudaStreamCreateWithPriority(&idle, cudaStreamDefault, 3));
	OK(cudaStreamGetFlags(stream, &flags));
	CHECK_EQ(flags, cudaStreamNonBlocking);
	OK(cudaStreamGetPriority(urgent, &priority));
	CHECK_EQ(priority, -2);
	OK(cudaStreamGetPriority(idle, &priority));
	CHECK_EQ(priority, 0);
	OK(cudaStreamGetDevice(stream, &device));
	CHECK_EQ(device, 0);
	OK(cudaDeviceGetStreamPriorityRange(NULL, NULL));
	ANSWERS(
	    ROW(bad, cudaStreamCreate(NULL)), ROW(bad, cudaStreamCreateWithFlags(&stream, 2)),
	    ROW(bad, cudaStreamGetFlags(stream, NULL)), ROW(none, cudaStreamGetFlags(no_handle(), &flags)),
	    ROW(bad, cudaStreamGetPriority(stream, NULL)),
	    ROW(none, cudaStreamGetPriority(no_handle(), &priority)),
	    ROW(bad, cudaStreamGetDevice(stream, NULL)), ROW(bad, cudaStreamGetDevice(no_handle(), NULL)),
	    ROW(none, cudaStreamGetDevice(no_handle(), &device)), ROW(none, cudaStreamDestroy(no_handle())),
	    ROW(none, cudaStreamSynchronize(no_handle())), ROW(none, cudaStreamQuery(no_handle())));
	OK(cudaStreamDestroy(stream));
	OK(cudaStreamDestroy(urgent));
	OK(cudaStreamDestroy(idle));
}

TEST(streams_have_numbers_of_their_own)
{
	cudaStream_t stream;
	unsigned long long legacy = 0, thread = 0, own = 0;
	OK(cudaStreamCreate(&stream));
	OK(cudaStreamGetId(NULL, &legacy));
	OK(cudaStreamGetId(cudaStreamPerThread, &thread));
	OK(cudaStreamGetId(stream, &own));
	CHECK(legacy != thread && thread != own && own != legacy);
	ANSWERS(ROW(bad, cudaStreamGetId(stream, NULL)), ROW(none, cudaStreamGetId(no_handle(), &own)));
	OK(cudaStreamDestroy(stream));
}

TEST(attributes_are_kept_and_copied)
{
	cudaStream_t stream, other;
	const cudaLaunchAttributeID policy = cudaLaunchAttributeSynchronizationPolicy;
	cudaLaunchAttributeValue value = {.syncPolicy = cudaSyncPolicySpin}, got;
	OK(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -4));
	OK(cudaStreamCreate(&other));
	OK(cudaStreamSetAttribute(stream, policy, &value));
	OK(cudaStreamCopyAttributes(other, stream));
	OK(cudaStreamGetAttribute(other, policy, &got));
	CHECK_EQ(got.syncPolicy, cudaSyncPolicySpin);
	OK(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &got));
	CHECK_EQ(got.priority, -4);
	ANSWERS(ROW(none, cudaStreamSetAttribute(no_handle(), policy, &value)),
	        ROW(bad, cudaStreamSetAttribute(stream, policy, NULL)),
	        ROW(none, cudaStreamGetAttribute(no_handle(), policy, &got)),
	        ROW(bad, cudaStreamGetAttribute(stream, policy, NULL)),
	        ROW(bad, cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &got)),
	        ROW(none, cudaStreamCopyAttributes(no_handle(), stream)),
	        ROW(none, cudaStreamCopyAttributes(stream, no_handle())));
	OK(cudaStreamDestroy(stream));
	OK(cudaStreamDestroy(other));
}

/* ---- host functions ----------------------------------------------------------------------------------------------- */

static void count_call(void *user)
{
	++*(unsigned *)user;
}

static void count_callback(cudaStream_t stream, cudaError_t error, void *user)
{
	(void)stream;
	*(unsigned *)user += error == cudaSuccess;
}

TEST(host_functions_are_called_once)
{
	unsigned calls = 0;
	OK(cudaStreamAddCallback(NULL, count_callback, &calls, 0));
	OK(cudaLaunchHostFunc(NULL, count_call, &calls));
	ANSWERS(ROW(bad, cudaStreamAddCallback(NULL, NULL, &calls, 0)),
	        ROW(bad, cudaStreamAddCallback(NULL, count_callback, &calls, 1)),
	        ROW(none, cudaStreamAddCallback(no_handle(), count_callback, &calls, 0)),
	        ROW(bad, cudaLaunchHostFunc(NULL, NULL, &calls)),
	        ROW(none, cudaLaunchHostFunc(no_handle(), count_call, &calls)));
	OK(cudaDeviceSynchronize());
	CHECK_EQ(calls, 2);
}

TEST(only_managed_memory_is_attached)
{
	void *managed, *plain;
	OK(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
	OK(cudaMalloc(&plain, 64));
	ANSWERS(
	    ROW(cudaSuccess, cudaStreamAttachMemAsync(NULL, managed, 0, cudaMemAttachGlobal)),
	    ROW(cudaSuccess, cudaStreamAttachMemAsync(NULL, managed, 0, cudaMemAttachHost)),
	    ROW(cudaSuccess, cudaStreamAttachMemAsync(cudaStreamPerThread, managed, 0, cudaMemAttachSingle)),
	    ROW(bad, cudaStreamAttachMemAsync(NULL, managed, 0, 8)),
	    ROW(bad, cudaStreamAttachMemAsync(NULL, plain, 0, cudaMemAttachGlobal)),
	    ROW(none, cudaStreamAttachMemAsync(no_handle(), managed, 0, cudaMemAttachGlobal)));
	OK(cudaFree(managed));
	OK(cudaFree(plain));
}

/* ---- events --------------------------------------------------------------------------------------------------------- */

TEST(events_are_recorded_before_they_are_measured)
{
	cudaEvent_t a, b, untimed, unrecorded;
	float ms = -1;
	OK(cudaEventCreate(&a));
	OK(cudaEventCreateWithFlags(&b, cudaEventBlockingSync));
	OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming | cudaEventInterprocess));
	OK(cudaEventCreate(&unrecorded));
	OK(cudaEventRecordWithFlags(a, NULL, cudaEventRecordDefault));
	OK(cudaEventRecord(b, NULL));
	OK(cudaEventRecord(untimed, NULL));
	OK(cudaEventElapsedTime(&ms, b, a)); /* backwards */
	CHECK(ms <= 0);
	OK(cudaEventElapsedTime(&ms, a, a));
	CHECK(ms == 0);
	OK(cudaEventSynchronize(a));
	cudaEvent_t more[100];
	for (unsigned i = 0; i < 100; i++)
		OK(cudaEventCreate(&more[i]));
	CHECK(more[0] != more[99]);
	CHECK(!strcmp(cudaGetErrorName(12345), "unrecognized error code"));
	OK(cudaEventQuery(unrecorded));
	ANSWERS(ROW(bad, cudaEventCreate(NULL)), ROW(bad, cudaEventCreateWithFlags(&a, 8)),
	        ROW(bad, cudaEventCreateWithFlags(&a, cudaEventInterprocess)),
	        ROW(none, cudaEventDestroy(no_handle())), ROW(none, cudaEventRecord(no_handle(), NULL)),
	        ROW(none, cudaEventRecord(a, no_handle())), ROW(bad, cudaEventRecordWithFlags(a, NULL, 2)),
	        ROW(cudaErrorIllegalState, cudaEventRecordWithFlags(a, NULL, cudaEventRecordExternal)),
	        ROW(none, cudaStreamWaitEvent(NULL, no_handle(), 0)),
	        ROW(none, cudaStreamWaitEvent(no_handle(), a, 0)), ROW(bad, cudaStreamWaitEvent(NULL, a, 2)),
	        ROW(cudaErrorIllegalState, cudaStreamWaitEvent(NULL, a, cudaEventWaitExternal)),
	        ROW(none, cudaEventSynchronize(no_handle())), ROW(none, cudaEventQuery(no_handle())),
	        ROW(bad, cudaEventElapsedTime(NULL, a, b)),
	        ROW(none, cudaEventElapsedTime(&ms, no_handle(), b)),
	        ROW(none, cudaEventElapsedTime(&ms, a, no_handle())),
	        ROW(none, cudaEventElapsedTime(&ms, unrecorded, b)),
	        ROW(none, cudaEventElapsedTime(&ms, a, unrecorded)),
	        ROW(none, cudaEventElapsedTime(&ms, a, untimed)));
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
	OK(cudaMalloc((void **)&device, 16));
	OK(cudaMemset(device, 7, 16));
	struct cudaPitchedPtr all = {device, 16, 16, 1};
	ANSWERS(ROW(none, cudaMemcpyAsync(device, host, 16, in, nowhere)),
	        ROW(none, cudaMemcpyPeerAsync(device, 0, device, 0, 16, nowhere)),
	        ROW(none, cudaMemcpy2DAsync(device, 16, host, 16, 16, 1, in, nowhere)),
	        ROW(none, cudaMemcpyToSymbolAsync(&variable, host, 16, 0, in, nowhere)),
	        ROW(none, cudaMemcpyFromSymbolAsync(host, &variable, 16, 0, out, nowhere)),
	        ROW(none, cudaMemsetAsync(device, 0, 16, nowhere)),
	        ROW(none, cudaMemset2DAsync(device, 16, 0, 16, 1, nowhere)),
	        ROW(none, cudaMemset3DAsync(all, 0, extent, nowhere)),
	        ROW(none, cudaMallocAsync(&got, 16, nowhere)),
	        ROW(none, cudaMallocFromPoolAsync(&got, 16, NULL, nowhere)),
	        ROW(none, cudaFreeAsync(device, nowhere)),
	        ROW(none, cudaMemPrefetchAsync_v2(device, 16, place, 0, nowhere)),
	        ROW(none, store((unsigned *)device, 1, nowhere)));
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
	OK(cudaMemcpy2DAsync(device, 16, host, 16, 16, 1, in, cudaStreamPerThread));
	OK(cudaMemcpyPeerAsync(device + 16, 0, device, 0, 16, cudaStreamLegacy));
	OK(cudaMemcpyToSymbolAsync(&variable, device + 16, 16, 0, cudaMemcpyDeviceToDevice, NULL));
	OK(cudaMemcpyFromSymbolAsync(back, &variable, 16, 0, out, NULL));
	OK(cudaStreamSynchronize(NULL));
	CHECK(memcmp(back, host, 16) == 0);
	OK(cudaMemset2DAsync(device, 8, 5, 4, 2, NULL));
	OK(cudaMemset3DAsync(all, 6, (struct cudaExtent){2, 2, 2}, NULL));
	OK(cudaMemset3D(all, 7, (struct cudaExtent){1, 1, 1}));
	OK(cudaMemcpy(back, device, 16, out));
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
	ANSWERS(ROW(none, cudaEventQuery(events[0])), ROW(none, cudaEventQuery(events[EVENTS / 2])),
	        ROW(none, cudaEventQuery(events[EVENTS - 1])), ROW(none, cudaStreamQuery(streams[0])),
	        ROW(none, cudaStreamQuery(streams[STREAMS - 1])));
	OK(cudaEventCreate(&events[0]));
	OK(cudaEventQuery(events[0]));
	OK(cudaEventDestroy(events[0]));
}

TEST_MAIN(TEST_ENTRY(streams_tell_what_they_were_made_with) TEST_ENTRY(streams_have_numbers_of_their_own)
              TEST_ENTRY(attributes_are_kept_and_copied) TEST_ENTRY(host_functions_are_called_once)
                  TEST_ENTRY(only_managed_memory_is_attached)
                      TEST_ENTRY(events_are_recorded_before_they_are_measured)
                          TEST_ENTRY(work_for_a_stream_that_is_none_is_not_done)
                              TEST_ENTRY(work_for_the_default_streams_is_done)
                                  TEST_ENTRY(a_captured_fill_of_slices_is_as_many_nodes_as_it_has_gaps)
                                      TEST_ENTRY(a_reset_ends_every_event_and_stream))
