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
		cudaError_t want;
	} rows[] = {{0, 0, 0, 0, cudaSuccess},
	            {1, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming, 128 << 20, cudaSuccess},
	            {-0.5f, 0, 0, 0, cudaErrorInvalidValue},
	            {1.5f, 0, 0, 0, cudaErrorInvalidValue},
	            {1, 3, 0, 0, cudaErrorInvalidValue},
	            {1, 0, cudaAccessPropertyPersisting, 0, cudaErrorInvalidValue},
	            {1, 0, 0, (128 << 20) + 1, cudaErrorInvalidValue}};
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
	OK(cudaStreamCreate(&stream));
	OK(cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value));
	CHECK(value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 1);
	value.syncPolicy = (enum cudaSynchronizationPolicy)0;
	FAILS(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
	      cudaErrorInvalidValue);
	value.syncPolicy = (enum cudaSynchronizationPolicy)5;
	FAILS(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
	      cudaErrorInvalidValue);
	OK(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	CHECK_EQ(value.syncPolicy, cudaSyncPolicyAuto);
	value.syncPolicy = cudaSyncPolicySpin;
	OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	value.syncPolicy = cudaSyncPolicyAuto;
	OK(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
	CHECK_EQ(value.syncPolicy, cudaSyncPolicySpin);
	FAILS(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, NULL),
	      cudaErrorInvalidValue);
	FAILS(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, NULL),
	      cudaErrorInvalidValue);
	FAILS(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value), cudaErrorInvalidValue);
	FAILS(cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)99, &value), cudaErrorInvalidValue);
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
	OK(cudaEventCreate(&programmatic));
	OK(cudaEventCreate(&complete));
	attributes[0].val.programmaticEvent.event = programmatic;
	attributes[1].val.launchCompletionEvent.event = complete;
	FAILS(cudaEventElapsedTime(&ms, programmatic, complete), cudaErrorInvalidResourceHandle);
	OK(cudaLaunchKernelExC(&config, plain, NULL));
	OK(cudaEventElapsedTime(&ms, programmatic, complete));
	CHECK(ms >= 0);
	attributes[1].id = cudaLaunchAttributeIgnore;
	OK(cudaLaunchKernelExC(&config, plain, NULL));
	OK(cudaEventDestroy(programmatic));
	FAILS(cudaLaunchKernelExC(&config, plain, NULL), cudaErrorInvalidValue);
	attributes[0].id = cudaLaunchAttributeLaunchCompletionEvent;
	attributes[0].val.launchCompletionEvent.event = programmatic;
	FAILS(cudaLaunchKernelExC(&config, plain, NULL), cudaErrorInvalidValue);
	attributes[0].id = cudaLaunchAttributeSynchronizationPolicy; /* of streams alone */
	FAILS(cudaLaunchKernelExC(&config, plain, NULL), cudaErrorInvalidValue);
	FAILS(cudaLaunchKernelExC(NULL, plain, NULL), cudaErrorInvalidValue);
	config.numAttrs = 0;
	OK(cudaLaunchKernelExC(&config, plain, NULL));
	config.blockDim.x = 0;
	FAILS(cudaLaunchKernelExC(&config, plain, NULL), cudaErrorInvalidConfiguration);
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
	OK(cudaUserObjectCreate(&object, &ended, count, 2, cudaUserObjectNoDestructorSync));
	OK(cudaUserObjectRetain(object, 3));
	OK(cudaUserObjectRelease(object, 4));
	CHECK_EQ(ended, 0);
	FAILS(cudaUserObjectRelease(object, 0), cudaErrorInvalidValue);
	FAILS(cudaUserObjectRetain(object, 0), cudaErrorInvalidValue);
	OK(cudaUserObjectRelease(object, 1));
	CHECK_EQ(ended, 1);
	FAILS(cudaUserObjectCreate(NULL, &ended, count, 1, cudaUserObjectNoDestructorSync),
	      cudaErrorInvalidValue);
	FAILS(cudaUserObjectCreate(&other, &ended, NULL, 1, cudaUserObjectNoDestructorSync),
	      cudaErrorInvalidValue);
	FAILS(cudaUserObjectCreate(&other, &ended, count, 0, cudaUserObjectNoDestructorSync),
	      cudaErrorInvalidValue);
	FAILS(cudaUserObjectCreate(&other, &ended, count, 1, 0), cudaErrorInvalidValue);
	CHECK_EQ(ended, 1);
}

/* Sluice looks handles up; a GPU's driver may read what a stale one points to. */
TEST(an_object_that_ended_is_found_out)
{
	cudaUserObject_t object;
	cudaGraph_t graph;
	int ended = 0;
	OK(cudaGraphCreate(&graph, 0));
	OK(cudaUserObjectCreate(&object, &ended, count, 1, cudaUserObjectNoDestructorSync));
	FAILS(cudaUserObjectRelease(object, 2), cudaErrorInvalidValue);
	OK(cudaUserObjectRelease(object, 1));
	FAILS(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
	FAILS(cudaUserObjectRetain(object, 1), cudaErrorInvalidValue);
	FAILS(cudaGraphRetainUserObject(graph, object, 1, 0), cudaErrorInvalidValue);
	FAILS(cudaGraphReleaseUserObject(graph, object, 1), cudaErrorInvalidValue);
	OK(cudaGraphDestroy(graph));
}

TEST(graphs_keep_objects_and_their_copies_do_too)
{
	cudaUserObject_t first, second;
	cudaGraph_t graph, copy;
	int ended[2] = {0, 0};
	OK(cudaGraphCreate(&graph, 0));
	OK(cudaUserObjectCreate(&first, &ended[0], count, 1, cudaUserObjectNoDestructorSync));
	OK(cudaUserObjectCreate(&second, &ended[1], count, 2, cudaUserObjectNoDestructorSync));
	FAILS(cudaGraphRetainUserObject(graph, first, 0, 0), cudaErrorInvalidValue);
	FAILS(cudaGraphRetainUserObject(graph, first, 1, 2), cudaErrorInvalidValue);
	FAILS(cudaGraphReleaseUserObject(graph, first, 1), cudaErrorInvalidValue);
	OK(cudaGraphRetainUserObject(graph, first, 2, 0));
	OK(cudaGraphRetainUserObject(graph, second, 2, cudaGraphUserObjectMove));
	OK(cudaGraphRetainUserObject(graph, first, 1, 0));
	OK(cudaUserObjectRelease(first, 1));
	CHECK(ended[0] == 0 && ended[1] == 0);
	OK(cudaGraphClone(&copy, graph));
	FAILS(cudaGraphReleaseUserObject(graph, first, 0), cudaErrorInvalidValue);
	FAILS(cudaGraphReleaseUserObject(graph, first, 4), cudaErrorInvalidValue);
	OK(cudaGraphReleaseUserObject(graph, first, 2));
	OK(cudaGraphReleaseUserObject(graph, first, 1));
	FAILS(cudaGraphReleaseUserObject(graph, first, 1), cudaErrorInvalidValue);
	OK(cudaGraphDestroy(graph));
	CHECK(ended[0] == 0 && ended[1] == 0);
	OK(cudaGraphDestroy(copy));
	CHECK(ended[0] == 1 && ended[1] == 1);
	FAILS(cudaGraphRetainUserObject(graph, first, 1, 0), cudaErrorInvalidValue);
	FAILS(cudaGraphReleaseUserObject(graph, first, 1), cudaErrorInvalidValue);
}

static const struct test_case cases[] = {
    TEST_ENTRY(windows_of_l2_are_checked) TEST_ENTRY(attributes_of_streams_have_defaults)
        TEST_ENTRY(launches_record_the_events_of_their_attributes)
            TEST_ENTRY(an_object_ends_with_its_last_reference) TEST_ENTRY(an_object_that_ended_is_found_out)
                TEST_ENTRY(graphs_keep_objects_and_their_copies_do_too)};

int main(int argc, char **argv)
{
	CUmodule module;
	if (cudaFree(NULL) || cuModuleLoadData(&module, text) || cuModuleGetFunction(&plain, module, "plain"))
		return 1;
	return test_run(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
}
