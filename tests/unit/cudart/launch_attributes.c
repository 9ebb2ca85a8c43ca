/* Attributes of launches and streams; objects of the program that graphs keep alive. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry plain()\n{\n	ret;\n}\n";
static CUfunction plain;

/* ---- attributes ------------------------------------------------------------------------------------------------------------ */

TEST(windows_of_l2_are_checked)
{
	const struct {
		float ratio;
		int hit, miss;
		size_t bytes;
		int want;
	} rows[] = {{0, 0, 0, 0, cudaSuccess},
	            {1, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming, 128 << 20, cudaSuccess},
	            {-0.5f, 0, 0, 0, INVALID_VALUE},
	            {1.5f, 0, 0, 0, INVALID_VALUE},
	            {1, 3, 0, 0, INVALID_VALUE},
	            {1, 0, cudaAccessPropertyPersisting, 0, INVALID_VALUE},
	            {1, 0, 0, (128 << 20) + 1, INVALID_VALUE}};
	cudaStream_t stream;
	OK(cudaStreamCreate(&stream));
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		cudaLaunchAttributeValue value = {0};
		value.accessPolicyWindow.hitRatio = rows[i].ratio;
		value.accessPolicyWindow.hitProp = (enum cudaAccessProperty)rows[i].hit;
		value.accessPolicyWindow.missProp = (enum cudaAccessProperty)rows[i].miss;
		value.accessPolicyWindow.num_bytes = rows[i].bytes;
		CHECK_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value),
		         rows[i].want);
		CHECK_EQ(cudaGetLastError(), rows[i].want);
	}
	OK(cudaStreamDestroy(stream));
}

TEST(attributes_of_streams_have_defaults)
{
	cudaLaunchAttributeValue value = {0};
	cudaStream_t stream;
	OK(cudaStreamCreate(&stream),
	   cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value));
	CHECK(value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 1);
	value.syncPolicy = (enum cudaSynchronizationPolicy)0;
	ANSWERS(INVALID_VALUE,
	        cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	value.syncPolicy = (enum cudaSynchronizationPolicy)5;
	ANSWERS(INVALID_VALUE,
	        cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	GIVES(value.syncPolicy, cudaSyncPolicyAuto,
	      cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	value.syncPolicy = cudaSyncPolicySpin;
	OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	value.syncPolicy = cudaSyncPolicyAuto;
	GIVES(value.syncPolicy, cudaSyncPolicySpin,
	      cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	ANSWERS(INVALID_VALUE, cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, NULL),
	        cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, NULL),
	        cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value),
	        cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)99, &value));
	OK(cudaStreamDestroy(stream));
}

TEST(launches_record_the_events_of_their_attributes)
{
	cudaLaunchAttribute attributes[2] = {{.id = cudaLaunchAttributeProgrammaticEvent},
	                                     {.id = cudaLaunchAttributeLaunchCompletionEvent}};
	cudaLaunchConfig_t config = {
	    .gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .attrs = attributes, .numAttrs = 2};
	cudaEvent_t programmatic, complete;
	float ms = -1;
	OK(cudaEventCreate(&programmatic), cudaEventCreate(&complete));
	attributes[0].val.programmaticEvent.event = programmatic;
	attributes[1].val.launchCompletionEvent.event = complete;
	ANSWERS(INVALID_HANDLE, cudaEventElapsedTime(&ms, programmatic, complete));
	OK(cudaLaunchKernelExC(&config, plain, NULL), cudaEventElapsedTime(&ms, programmatic, complete));
	CHECK(ms >= 0);
	attributes[1].id = cudaLaunchAttributeIgnore;
	OK(cudaLaunchKernelExC(&config, plain, NULL), cudaEventDestroy(programmatic));
	ANSWERS(INVALID_VALUE, cudaLaunchKernelExC(&config, plain, NULL));
	attributes[0].id = cudaLaunchAttributeLaunchCompletionEvent;
	attributes[0].val.launchCompletionEvent.event = programmatic;
	ANSWERS(INVALID_VALUE, cudaLaunchKernelExC(&config, plain, NULL));
	attributes[0].id = cudaLaunchAttributeSynchronizationPolicy; /* of streams alone */
	ANSWERS(INVALID_VALUE, cudaLaunchKernelExC(&config, plain, NULL),
	        cudaLaunchKernelExC(NULL, plain, NULL));
	config.numAttrs = 0;
	OK(cudaLaunchKernelExC(&config, plain, NULL));
	config.blockDim.x = 0;
	ANSWERS(INVALID_CONFIGURATION, cudaLaunchKernelExC(&config, plain, NULL));
	OK(cudaEventDestroy(complete));
}

/* ---- objects of the program --------------------------------------------------------------------------------------------------- */

static void count(void *ended)
{
	++*(int *)ended;
}

TEST(an_object_ends_with_its_last_reference)
{
	cudaUserObject_t object, other;
	int ended = 0;
	OK(cudaUserObjectCreate(&object, &ended, count, 2, cudaUserObjectNoDestructorSync),
	   cudaUserObjectRetain(object, 3), cudaUserObjectRelease(object, 4));
	CHECK_EQ(ended, 0);
	ANSWERS(INVALID_VALUE, cudaUserObjectRelease(object, 0), cudaUserObjectRetain(object, 0));
	OK(cudaUserObjectRelease(object, 1));
	CHECK_EQ(ended, 1);
	ANSWERS(INVALID_VALUE, cudaUserObjectCreate(NULL, &ended, count, 1, cudaUserObjectNoDestructorSync),
	        cudaUserObjectCreate(&other, &ended, NULL, 1, cudaUserObjectNoDestructorSync),
	        cudaUserObjectCreate(&other, &ended, count, 0, cudaUserObjectNoDestructorSync),
	        cudaUserObjectCreate(&other, &ended, count, 1, 0));
	CHECK_EQ(ended, 1);
}

/* Sluice looks handles up; a GPU's driver may read what a stale one points to. */
TEST(an_object_that_ended_is_found_out)
{
	cudaUserObject_t object;
	cudaGraph_t graph;
	int ended = 0;
	OK(cudaGraphCreate(&graph, 0),
	   cudaUserObjectCreate(&object, &ended, count, 1, cudaUserObjectNoDestructorSync));
	ANSWERS(INVALID_VALUE, cudaUserObjectRelease(object, 2));
	OK(cudaUserObjectRelease(object, 1));
	ANSWERS(INVALID_VALUE, cudaUserObjectRelease(object, 1), cudaUserObjectRetain(object, 1),
	        cudaGraphRetainUserObject(graph, object, 1, 0), cudaGraphReleaseUserObject(graph, object, 1));
	OK(cudaGraphDestroy(graph));
}

TEST(graphs_keep_objects_and_their_copies_do_too)
{
	cudaUserObject_t first, second;
	cudaGraph_t graph, copy;
	int ended[2] = {0, 0};
	OK(cudaGraphCreate(&graph, 0),
	   cudaUserObjectCreate(&first, &ended[0], count, 1, cudaUserObjectNoDestructorSync),
	   cudaUserObjectCreate(&second, &ended[1], count, 2, cudaUserObjectNoDestructorSync));
	ANSWERS(INVALID_VALUE, cudaGraphRetainUserObject(graph, first, 0, 0),
	        cudaGraphRetainUserObject(graph, first, 1, 2), cudaGraphReleaseUserObject(graph, first, 1));
	OK(cudaGraphRetainUserObject(graph, first, 2, 0),
	   cudaGraphRetainUserObject(graph, second, 2, cudaGraphUserObjectMove),
	   cudaGraphRetainUserObject(graph, first, 1, 0), cudaUserObjectRelease(first, 1));
	CHECK(ended[0] == 0 && ended[1] == 0);
	OK(cudaGraphClone(&copy, graph));
	ANSWERS(INVALID_VALUE, cudaGraphReleaseUserObject(graph, first, 0),
	        cudaGraphReleaseUserObject(graph, first, 4));
	OK(cudaGraphReleaseUserObject(graph, first, 2), cudaGraphReleaseUserObject(graph, first, 1));
	ANSWERS(INVALID_VALUE, cudaGraphReleaseUserObject(graph, first, 1));
	OK(cudaGraphDestroy(graph));
	CHECK(ended[0] == 0 && ended[1] == 0);
	OK(cudaGraphDestroy(copy));
	CHECK(ended[0] == 1 && ended[1] == 1);
	ANSWERS(INVALID_VALUE, cudaGraphRetainUserObject(graph, first, 1, 0),
	        cudaGraphReleaseUserObject(graph, first, 1));
}

static bool ready(void)
{
	CUmodule module;
	return !cudaFree(NULL) && !cuModuleLoadData(&module, text) &&
	       !cuModuleGetFunction(&plain, module, "plain");
}

TESTS(ready())
