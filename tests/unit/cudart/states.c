/*
 * A device that did not start, one that a fault has ended, and a driver that was
 * not started or has no context: every call of calls.def says so, whatever
 * its arguments. The runtime's state is the process's, so each claim is made in a
 * process of its own.
 */
#include "module.h"

#include <cuda_runtime_api.h>

#include "fixture.h"

/* ---- what the calls are given --------------------------------------------------------------------------------------- */

static int number;
static unsigned flags;
static size_t bytes;
static char text[64] __attribute__((aligned(64)));
static void *pointer;
static float milliseconds;
static const char *name;
static struct cudaDeviceProp properties;
static struct cudaFuncAttributes function_attributes;
static enum cudaFuncCache cache;
static enum cudaSharedMemConfig banks;
static char kernel, wild;
static cudaFunction_t function = (cudaFunction_t)(void *)&kernel;
static cudaKernel_t kernel_handle;
static cudaLaunchConfig_t config = {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}};
static cudaIpcMemHandle_t memory_handle;
static cudaIpcEventHandle_t event_handle;
static cudaEvent_t event;
static cudaStream_t stream;
static cudaUserObject_t user;
static cudaGraph_t graph;
static cudaTextureObject_t texture;
static cudaSurfaceObject_t surface;
static struct cudaResourceDesc resource;
static struct cudaTextureDesc sampling;
static struct textureReference reference;
static const struct textureReference *found;
static const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static CUmodule module;
static CUdeviceptr address;
static CUDA_MEMCPY2D rectangle = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                  .srcHost = text,
                                  .dstMemoryType = CU_MEMORYTYPE_HOST,
                                  .dstHost = text + 32,
                                  .WidthInBytes = 4,
                                  .Height = 2};
static int calls;

static void ignore(void *unused)
{
	(void)unused;
	calls++;
}

static void callback(CUstream of, CUresult status, void *unused)
{
	(void)of, (void)status, (void)unused;
	calls++;
}

static const char ptx[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry kernel(.param .u32 unused)\n{\n	ret;\n}\n"
                          ".visible .entry wild()\n{\n	.reg .b64 %rd<2>;\n	.reg .b32 %r<2>;\n"
                          "	mov.u64 %rd1, 64;\n	ld.global.u32 %r1, [%rd1];\n"
                          "	st.global.u32 [%rd1], %r1;\n	ret;\n}\n";

__attribute__((constructor)) static void register_all(void)
{
	void **handle = module_add(ptx);
	__cudaRegisterFunction(handle, &kernel, "kernel", "kernel", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(handle, &wild, "wild", "wild", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(handle);
}

/* ---- every call ---------------------------------------------------------------------------------------------------------- */

static void expect_of_runtime(cudaError_t want, cudaError_t want_query)
{
#define RUNTIME(call) EXPECT(call, want);
#define QUERY(call) EXPECT(call, want_query);
#define DRIVER(call)
#define DRIVER_QUERY(call)
#include "calls.def"
#undef RUNTIME
#undef QUERY
#undef DRIVER
#undef DRIVER_QUERY
}

static void expect_of_driver(CUresult want, CUresult want_query)
{
#define RUNTIME(call)
#define QUERY(call)
#define DRIVER(call) EXPECT(call, want);
#define DRIVER_QUERY(call) EXPECT(call, want_query);
#include "calls.def"
#undef RUNTIME
#undef QUERY
#undef DRIVER
#undef DRIVER_QUERY
}

/* ---- states -------------------------------------------------------------------------------------------------------------- */

static int wrong_machine(void)
{
	setenv("SLUICE_MACHINE", "/nonexistent/machine.yaml", 1);
	expect_of_runtime(cudaErrorInitializationError, cudaErrorInitializationError);
	EXPECT(cudaDeviceReset(), cudaErrorInitializationError);
	EXPECT(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInitializationError);
	EXPECT(cudaDeviceDisablePeerAccess(0), cudaErrorInitializationError);
	EXPECT(cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrAccessSupported, 0, 1),
	       cudaErrorInitializationError);
	EXPECT(cuInit(0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(calls, 0);
	return test_failures;
}

/* ---- other machines ------------------------------------------------------------------------------------------------------ */

static const char *machine_text, *machine_name;
static size_t machine_shared;
static char machine_file[] = "/tmp/sluice-states-machine-XXXXXX";

static int other_machine(void)
{
	FILE *file = fopen(machine_file, "w");
	if (!file)
		return 90;
	fputs(machine_text, file);
	fclose(file);
	setenv("SLUICE_MACHINE", machine_file, 1);
	EXPECT(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
	EXPECT(strcmp(properties.name, machine_name), 0);
	EXPECT(properties.sharedMemPerBlockOptin, machine_shared);
	return test_failures;
}

static int wrong_setting(void)
{
	setenv("SLUICE_MAXRREGCOUNT", "many", 1);
	EXPECT(cudaFree(NULL), cudaErrorInitializationError);
	return test_failures;
}

/* The executor is made with the first module. */
static int wrong_budget(void)
{
	struct cudaResourceDesc linear = {.resType = cudaResourceTypeLinear}, of_array = {0};
	cudaArray_t array;
	setenv("SLUICE_SPIN_BUDGET", "-1", 1);
	EXPECT(cudaMalloc(&pointer, 64), cudaSuccess);
	linear.res.linear.devPtr = pointer;
	linear.res.linear.desc = format;
	linear.res.linear.sizeInBytes = 64;
	EXPECT(cudaMallocArray(&array, &format, 4, 4, cudaArraySurfaceLoadStore), cudaSuccess);
	of_array.res.array.array = array;
	if (getenv("TEST_SURFACE"))
		EXPECT(cudaCreateSurfaceObject(&surface, &of_array), cudaErrorInitializationError);
	else
		EXPECT(cudaCreateTextureObject(&texture, &linear, &sampling, NULL),
		       cudaErrorInitializationError);
	EXPECT(cudaFree(NULL), cudaErrorInitializationError);
	return test_failures;
}

static int wrong_budget_of_surfaces(void)
{
	setenv("TEST_SURFACE", "1", 1);
	return wrong_budget();
}

static int faulted(void)
{
	struct dim3 one = {1, 1, 1};
	EXPECT(cudaLaunchKernel(&wild, one, one, NULL, 0, NULL), cudaSuccess);
	EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	expect_of_runtime(cudaErrorIllegalAddress, cudaSuccess);
	expect_of_driver(CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_SUCCESS);
	EXPECT(calls, 0);
	EXPECT(cudaDeviceReset(), cudaSuccess);
	EXPECT(cudaDeviceSynchronize(), cudaErrorDevicesUnavailable);
	return test_failures;
}

static int driver_before_start(void)
{
	CUlinkState link;
	expect_of_driver(CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuLinkCreate(0, NULL, NULL, &link), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(calls, 0);
	return test_failures;
}

static int driver_without_context(void)
{
	EXPECT(cuInit(0), CUDA_SUCCESS);
	expect_of_driver(CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(calls, 0);
	return test_failures;
}

/* ---- claims ---------------------------------------------------------------------------------------------------------------- */

/* How often the library has said something. */
static unsigned reports(const char *said)
{
	unsigned count = 0;
	for (; (said = strstr(said, "sluice: ")) != NULL; said++)
		count++;
	return count;
}

TEST(without_a_machine_nothing_works_and_it_is_told_once)
{
	CHECK_EQ(fixture_run(wrong_machine), 0);
	CHECK(strstr(fixture_said(), "/nonexistent/machine.yaml"));
	CHECK_EQ(reports(fixture_said()), 1);
}

TEST(a_device_has_the_title_of_its_machine)
{
	static const struct {
		const char *text, *name;
		size_t shared;
	} rows[] = {
	    {"name: plain\nextends: h200\ntitle: A GPU (of sorts)\n", "A GPU", 227 * 1024},
	    {"name: plain\nextends: h200\ntitle: A GPU\n", "A GPU", 227 * 1024},
	    {"name: plain\nextends: h200\ntitle: Small\nsmem:\n  bytes: 64K\n  reserved_per_cta: 64K\n",
	     "Small", 64 * 1024},
	};
	int file = mkstemp(machine_file);
	CHECK(file >= 0);
	close(file);
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		machine_text = rows[i].text;
		machine_name = rows[i].name;
		machine_shared = rows[i].shared;
		CHECK_EQ(fixture_run(other_machine), 0);
	}
	OK(unlink(machine_file));
}

TEST(a_wrong_setting_is_told_by_name)
{
	CHECK_EQ(fixture_run(wrong_setting), 0);
	CHECK(strstr(fixture_said(), "SLUICE_MAXRREGCOUNT is 'many', expected a number up to 255"));
	CHECK_EQ(fixture_run(wrong_budget), 0);
	CHECK(strstr(fixture_said(), "SLUICE_SPIN_BUDGET is '-1', expected a number"));
	CHECK_EQ(fixture_run(wrong_budget_of_surfaces), 0);
	CHECK(strstr(fixture_said(), "SLUICE_SPIN_BUDGET is '-1', expected a number"));
}

TEST(after_a_fault_only_questions_are_answered)
{
	CHECK_EQ(fixture_run(faulted), 0);
	CHECK_EQ(reports(fixture_said()), 1);
}

TEST(the_driver_must_be_started)
{
	CHECK_EQ(fixture_run(driver_before_start), 0);
}

TEST(the_driver_needs_a_context)
{
	CHECK_EQ(fixture_run(driver_without_context), 0);
}

TEST_MAIN(TEST_ENTRY(without_a_machine_nothing_works_and_it_is_told_once)
              TEST_ENTRY(a_device_has_the_title_of_its_machine) TEST_ENTRY(a_wrong_setting_is_told_by_name)
                  TEST_ENTRY(after_a_fault_only_questions_are_answered) TEST_ENTRY(the_driver_must_be_started)
                      TEST_ENTRY(the_driver_needs_a_context))
