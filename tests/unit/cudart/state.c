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
#define RUNTIME(...) EXPECT(want, __VA_ARGS__);
#define QUERY(...) EXPECT(want_query, __VA_ARGS__);
#define DRIVER(...)
#define DRIVER_QUERY(...)
#include "calls.def"
#undef RUNTIME
#undef QUERY
#undef DRIVER
#undef DRIVER_QUERY
}

static void expect_of_driver(CUresult want, CUresult want_query)
{
#define RUNTIME(...)
#define QUERY(...)
#define DRIVER(...) EXPECT(want, __VA_ARGS__);
#define DRIVER_QUERY(...) EXPECT(want_query, __VA_ARGS__);
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
	EXPECT(cudaErrorInitializationError, cudaDeviceReset(), cudaDeviceEnablePeerAccess(0, 0),
	       cudaDeviceDisablePeerAccess(0),
	       cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrAccessSupported, 0, 1));
	EXPECT(NOT_INITIALIZED, cuInit(0));
	EXPECT(0, calls);
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
	EXPECT(cudaSuccess, cudaGetDeviceProperties(&properties, 0));
	EXPECT(0, strcmp(properties.name, machine_name));
	EXPECT(machine_shared, properties.sharedMemPerBlockOptin);
	return test_failures;
}

static int wrong_setting(void)
{
	setenv("SLUICE_MAXRREGCOUNT", "many", 1);
	EXPECT(cudaErrorInitializationError, cudaFree(NULL));
	return test_failures;
}

/* The executor is made with the first module. */
static int wrong_budget(void)
{
	struct cudaResourceDesc linear = {.resType = cudaResourceTypeLinear}, of_array = {0};
	cudaArray_t array;
	setenv("SLUICE_SPIN_BUDGET", "-1", 1);
	EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
	linear.res.linear.devPtr = pointer;
	linear.res.linear.desc = format;
	linear.res.linear.sizeInBytes = 64;
	EXPECT(cudaSuccess, cudaMallocArray(&array, &format, 4, 4, cudaArraySurfaceLoadStore));
	of_array.res.array.array = array;
	if (getenv("TEST_SURFACE"))
		EXPECT(cudaErrorInitializationError, cudaCreateSurfaceObject(&surface, &of_array));
	else
		EXPECT(cudaErrorInitializationError,
		       cudaCreateTextureObject(&texture, &linear, &sampling, NULL));
	EXPECT(cudaErrorInitializationError, cudaFree(NULL));
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
	EXPECT(cudaSuccess, cudaLaunchKernel(&wild, one, one, NULL, 0, NULL));
	EXPECT(ILLEGAL_ADDRESS, cudaDeviceSynchronize());
	expect_of_runtime(ILLEGAL_ADDRESS, cudaSuccess);
	expect_of_driver(ILLEGAL_ADDRESS, CUDA_SUCCESS);
	EXPECT(0, calls);
	EXPECT(cudaSuccess, cudaDeviceReset());
	EXPECT(cudaErrorDevicesUnavailable, cudaDeviceSynchronize());
	return test_failures;
}

static int driver_before_start(void)
{
	CUlinkState link;
	expect_of_driver(NOT_INITIALIZED, NOT_INITIALIZED);
	EXPECT(NOT_INITIALIZED, cuLinkCreate(0, NULL, NULL, &link));
	EXPECT(0, calls);
	return test_failures;
}

static int driver_without_context(void)
{
	EXPECT(CUDA_SUCCESS, cuInit(0));
	expect_of_driver(INVALID_CONTEXT, INVALID_CONTEXT);
	EXPECT(0, calls);
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
	CHECK(strstr(fixture_said(), "wild"));
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

TESTS(true)
