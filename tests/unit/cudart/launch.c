/*
 * Registration and launches, as clang's host code does them, with modules of
 * hand-written PTX: what cannot run, events in simulated time, report, recording.
 *
 * The runtime's state is the process's, so claims that need a fresh one run
 * this program again with the claim as its argument.
 */
#include "module.h"

#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"
#include "scratch.h"

/* Of those that exist only to say that they are not supported. */
cudaError_t cudaGraphicsMapResources(void);

static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .const .align 4 .u32 factor = 3;\n"
    ".visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1)\n{\n"
    "	.reg .pred %p<2>;\n	.reg .b32 %r<9>;\n	.reg .b64 %rd<4>;\n"
    "	ld.param.u64 %rd1, [scale_param_0];\n	ld.param.u32 %r1, [scale_param_1];\n"
    "	mov.u32 %r2, %ctaid.x;\n	mov.u32 %r3, %ntid.x;\n	mov.u32 %r4, %tid.x;\n"
    "	mad.lo.s32 %r5, %r2, %r3, %r4;\n	setp.ge.u32 %p1, %r5, %r1;\n	@%p1 bra DONE;\n"
    "	mul.wide.u32 %rd2, %r5, 4;\n	add.s64 %rd3, %rd1, %rd2;\n	ld.global.u32 %r6, [%rd3];\n"
    "	ld.const.u32 %r7, [factor];\n	mul.lo.s32 %r8, %r6, %r7;\n	st.global.u32 [%rd3], %r8;\nDONE:\n"
    "	ret;\n}\n";

static const char broken[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                             ".visible .entry bad()\n{\n	.rog .b32 %r<2>;\n	ret;\n}\n";
static const char unknown[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                              ".visible .entry odd()\n{\n	frobnicate.u32 %r1;\n	ret;\n}\n";

/* Host addresses that stand for device things. */
static char scale, bad, odd;

__attribute__((constructor)) static void register_all(void)
{
	void **module = module_add(text), **other = module_add(broken), **third = module_add(unknown);
	__cudaRegisterFunction(module, &scale, "scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(module);
	__cudaRegisterFunction(other, &bad, "bad", "bad", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(other);
	__cudaRegisterFunction(third, &odd, "odd", "odd", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(third);
}

static struct dim3 dim(unsigned x, unsigned y, unsigned z)
{
	return (struct dim3){.x = x, .y = y, .z = z};
}

static cudaError_t launch_scale(unsigned *values, unsigned count, unsigned blocks, unsigned threads)
{
	void *args[] = {&values, &count};
	return cudaLaunchKernel(&scale, dim(blocks, 1, 1), dim(threads, 1, 1), args, 0, NULL);
}

/* ---- in this process ------------------------------------------------------------------------------------ */

TEST(configurations_nest_and_the_old_launch_abi_works)
{
	struct dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
	unsigned host[4] = {1, 2, 3, 4}, *device, count = 4;
	__cudaPushCallConfiguration(dim(1, 2, 3), dim(4, 5, 6), 7, NULL);
	__cudaPushCallConfiguration(dim(8, 1, 1), dim(9, 1, 1), 0, NULL);
	OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
	CHECK(grid.x == 8 && block.x == 9);
	OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
	CHECK(grid.z == 3 && block.y == 5 && shared == 7);
	RETURNS(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
	OK(cudaMalloc((void **)&device, sizeof host),
	   cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice),
	   cudaConfigureCall(dim(1, 1, 1), dim(32, 1, 1), 0, NULL),
	   cudaSetupArgument(&device, sizeof device, 0), cudaSetupArgument(&count, sizeof count, 8),
	   cudaLaunch(&scale), cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	CHECK_EQ(host[3], 12);
	ANSWERS(cudaErrorMissingConfiguration, cudaLaunch(&scale));
	OK(cudaFree(device));
}

/* ---- in processes of their own -------------------------------------------------------------------------- */

static void say(const char *what, long long value)
{
	printf("%s=%lld\n", what, value);
}

static int child_fault(void)
{
	unsigned *device;
	cudaMalloc((void **)&device, 8);
	say("launch", launch_scale(device, 100, 1, 32));
	say("sync", cudaDeviceSynchronize());
	return 0;
}

static int child_broken(void)
{
	for (int i = 0; i < 2; i++)
		say("launch", cudaLaunchKernel(&bad, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL));
	say("wait", cudaDeviceSynchronize());
	say("again", cudaDeviceSynchronize());
	say("odd", cudaLaunchKernel(&odd, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, NULL));
	say("odd wait", cudaDeviceSynchronize());
	say("odd again", cudaDeviceSynchronize());
	unsigned *memory = NULL;
	say("memory", cudaMalloc((void **)&memory, 64));
	say("other", launch_scale(memory, 16, 1, 32));
	say("other wait", cudaDeviceSynchronize());
	for (int i = 0; i < 2; i++)
		say("graph", cudaGraphicsMapResources());
	return 0;
}

static int child_times(void)
{
	unsigned *device;
	cudaEvent_t a, b;
	float ms = -1;
	cudaMalloc((void **)&device, 4096);
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	launch_scale(device, 32, 1, 32);
	cudaEventRecord(a, NULL);
	launch_scale(device, 32, 1, 32);
	launch_scale(device, 32, 1, 32);
	cudaEventRecord(b, NULL);
	cudaEventElapsedTime(&ms, a, b);
	say("microseconds", (long long)(ms * 1000 + 0.5f));
	return 3;
}

/* Reads one file, writes and reads another, and leaves a forked child that ends as any program does. */
static int child_files(void)
{
	char line[16];
	unsigned *device;
	cudaMalloc((void **)&device, 4096);
	launch_scale(device, 64, 2, 32);
	FILE *in = fopen(getenv("TEST_INPUT"), "r");
	FILE *out = fopen(getenv("TEST_OUTPUT"), "w");
	fputs(fgets(line, sizeof line, in), out);
	fclose(out);
	out = freopen(getenv("TEST_OUTPUT"), "r", in);
	fclose(out);
	if (fork() == 0) {
		launch_scale(device, 64, 2, 32);
		exit(0);
	}
	wait(NULL);
	return 0;
}

struct child {
	const char *name;
	int (*run)(void);
};

static const struct child children[] = {
    {"fault", child_fault}, {"broken", child_broken}, {"times", child_times}, {"files", child_files}};

/* What the child wrote to stdout and stderr; `status` is its exit status. */
static const char *run_child(const char *name, int *status)
{
	char command[512];
	snprintf(command, sizeof command, "/proc/%d/exe %s >%s 2>&1", (int)getpid(), name,
	         scratch_path("output"));
	*status = WEXITSTATUS(system(command));
	return scratch_read("output");
}

static unsigned occurrences(const char *content, const char *what)
{
	unsigned n = 0;
	while ((content = strstr(content, what)) != NULL) {
		content += strlen(what);
		n++;
	}
	return n;
}

TEST(a_fault_is_told_with_its_kernel_by_the_call_that_waits)
{
	int status;
	const char *output = run_child("fault", &status);
	CHECK_EQ(status, 0);
	CHECK(strstr(output, "launch=0\nsync=700\n") && strstr(output, "scale"));
	/* When it happens, and once more at the end of the program. */
	CHECK_EQ(occurrences(output, "sluice: "), 2);
	CHECK_EQ(occurrences(output, "1 of the launches of this program failed, first launch "), 1);
}

TEST(what_cannot_run_fails_alone_and_is_told_once)
{
	int status;
	const char *output = run_child("broken", &status);
	CHECK_EQ(status, 0);
	/* A module that does not parse fails its launches, and the next call that waits. */
	CHECK(strstr(output, "launch=218\nlaunch=218\nwait=218\nagain=0\n"));
	CHECK_EQ(occurrences(output, ".rog"), 1);
	CHECK(strstr(output, ":6:"));
	/* An unknown instruction costs the kernel that comes to it. */
	CHECK(strstr(output, "odd=0\n"));
	CHECK(strstr(output, "odd wait=801\nodd again=0\n"));
	CHECK_EQ(occurrences(output, "unknown opcode 'frobnicate'"), 1);
	CHECK(strstr(output, "other=0\nother wait=0\n"));
	CHECK(strstr(output, "graph=801\ngraph=801\n"));
	CHECK_EQ(occurrences(output, "cudaGraphicsMapResources is not supported"), 1);
}

TEST(events_measure_the_simulated_time_of_the_launches_between_them)
{
	int status;
	scratch_write("seconds", "0.5\n1e-5\n2.5e-5\n");
	setenv("SLUICE_LAUNCH_SECONDS", scratch_path("seconds"), 1);
	setenv("SLUICE_RT_REPORT", scratch_path("report"), 1);
	const char *output = run_child("times", &status);
	CHECK_EQ(status, 3);
	CHECK(strcmp(output, "microseconds=35\n") == 0);
	CHECK(strstr(scratch_read("report"), "elapsed_time_read=1\n"));
	scratch_write("seconds", "0.5\nx\n");
	output = run_child("times", &status);
	CHECK(strstr(output, "seconds:2:1: expected a number of seconds"));
	unsetenv("SLUICE_LAUNCH_SECONDS");
	unsetenv("SLUICE_RT_REPORT");
}

TEST(the_report_counts_launches_and_names_the_files_that_were_read)
{
	int status;
	char line[512];
	scratch_write("in", "data\n");
	setenv("TEST_INPUT", scratch_path("in"), 1);
	setenv("TEST_OUTPUT", scratch_path("out"), 1);
	setenv("SLUICE_RT_REPORT", scratch_path("report"), 1);
	const char *output = run_child("files", &status);
	CHECK_EQ(status, 0);
	CHECK(strcmp(output, "") == 0);
	const char *report = scratch_read("report");
	CHECK(strstr(report, "launches=1\n"));
	CHECK(strstr(report, "elapsed_time_read=0\n"));
	snprintf(line, sizeof line, "input=%s\n", scratch_path("in"));
	CHECK(strstr(report, line));
	CHECK_EQ(occurrences(report, "input="), 1);
	unsetenv("SLUICE_RT_REPORT");
}

TEST(a_recording_is_there_after_the_program_has_ended)
{
	int status;
	setenv("SLUICE_RECORD", scratch_path("trace.sluice"), 1);
	run_child("files", &status);
	unsetenv("SLUICE_RECORD");
	CHECK_EQ(status, 0);
	CHECK(access(scratch_path("trace.sluice"), R_OK) == 0);
}

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < sizeof children / sizeof *children; i++)
		if (strcmp(argv[1], children[i].name) == 0)
			return children[i].run();
	return test_run(tests_listed, tests_count, NULL);
}
