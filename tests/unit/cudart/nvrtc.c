/*
 * NVRTC with a compiler of our own: a script called `sluice` next to a copy of the
 * library, in ../bin of it, or in PATH. It writes what it was given to the log
 * and some PTX, or fails as the options ask it to.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <nvrtc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "fixture.h"

/* ---- the stage ------------------------------------------------------------------------------------------------------------ */

static const char script[] = "#!/bin/sh\n"
                             "echo \"NAME: $*\"\n"
                             "case \"$*\" in\n"
                             "*--fail*) cat \"$6\"; exit 3 ;;\n"
                             "*--die*) kill -9 $$ ;;\n"
                             "*--slow*) sleep 0.2 ;;\n"
                             "*--headers*) cat \"$5/one.h\" \"$5/two/deep/three.h\" ;;\n"
                             "*--nothing*) exit 0 ;;\n"
                             "esac\n"
                             "printf '.visible .entry _Z3addPfi(\\n)\\n.visible .entry plain(\\n)\\n"
                             ".visible .entry _Z4addsv()\\n' >\"$8\"\n";

static int sh(const char *format, const char *argument)
{
	char command[1024];
	snprintf(command, sizeof command, format, scratch(), argument);
	return system(command);
}

static int put_compiler(const char *place)
{
	char path[512], text[sizeof script + 32];
	const char *name = strstr(script, "NAME");
	snprintf(path, sizeof path, "%s/%s/sluice", scratch(), place);
	FILE *file = fopen(path, "w");
	if (!file)
		return -1;
	snprintf(text, sizeof text, "%.*s%s%s", (int)(name - script), script, place, name + strlen("NAME"));
	fputs(text, file);
	return fclose(file) || chmod(path, 0700);
}

/* Next to it: near/; in ../bin: lib/ and bin/; nowhere but in PATH: alone/deep/. */
static int set_stage(void)
{
	Dl_info library;
	if (!dladdr((void *)nvrtcVersion, &library))
		return -1;
	return sh("cd %s && mkdir -p near lib bin alone/deep path && cp %s near/libsluicert.so && "
	          "ln near/libsluicert.so lib && ln near/libsluicert.so alone/deep",
	          library.dli_fname) ||
	       put_compiler("near") || put_compiler("bin") || put_compiler("path");
}

/* This program again with the library in `place`; what it printed is in the file "said". */
static const char *again(const char *place, const char *path, const char *argument)
{
	char command[1024];
	snprintf(command, sizeof command, "LD_LIBRARY_PATH=%s/%s PATH=%s /proc/%d/exe %s %s >%s/said 2>&1",
	         scratch(), place, path, (int)getpid(), argument, scratch(), scratch());
	if (system(command) != 0)
		return "it failed";
	return scratch_read("said");
}

static nvrtcProgram new_program(const char *source)
{
	nvrtcProgram program = NULL;
	return nvrtcCreateProgram(&program, source, "kernels.cu", 0, NULL, NULL) ? NULL : program;
}

static nvrtcResult compile(nvrtcProgram program, const char *option)
{
	return nvrtcCompileProgram(program, 1, &option);
}

static const char *log_of(nvrtcProgram program)
{
	static char text[4096];
	size_t bytes = 0;
	if (nvrtcGetProgramLogSize(program, &bytes) || bytes > sizeof text ||
	    nvrtcGetProgramLog(program, text))
		return "no log";
	return strlen(text) + 1 == bytes ? text : "a log of another length";
}

/* Whether the folder that the compiler worked in is still there. */
static int left_behind(const char *log)
{
	char path[64];
	struct stat st;
	const char *at = strstr(log, "-I ");
	return !at || sscanf(at, "-I %63s", path) != 1 || stat(path, &st) == 0;
}

/* ---- claims ------------------------------------------------------------------------------------------------------------------ */

TEST(versions_architectures_and_errors_have_names)
{
	int major = 0, minor = -1, count = 0, architectures[32];
	OK(nvrtcVersion(&major, &minor));
	CHECK(major == 12 && minor == 0);
	OK(nvrtcGetNumSupportedArchs(&count));
	CHECK(count > 0 && count <= 32);
	OK(nvrtcGetSupportedArchs(architectures));
	for (int i = 1; i < count; i++)
		CHECK(architectures[i - 1] < architectures[i]);
	RETURNS(NVRTC_ERROR_INVALID_INPUT, nvrtcVersion(NULL, &minor), nvrtcVersion(&major, NULL),
	        nvrtcGetNumSupportedArchs(NULL), nvrtcGetSupportedArchs(NULL));
	CHECK(!strcmp(nvrtcGetErrorString(NVRTC_SUCCESS), "NVRTC_SUCCESS"));
	CHECK(!strcmp(nvrtcGetErrorString(NVRTC_ERROR_INTERNAL_ERROR), "NVRTC_ERROR_INTERNAL_ERROR"));
	CHECK(!strcmp(nvrtcGetErrorString((nvrtcResult)99), "NVRTC_ERROR unknown"));
}

TEST(a_program_needs_a_source_and_its_headers)
{
	const char *texts[] = {"int one;\n"}, *names[] = {"one.h"};
	nvrtcProgram program = NULL;
	static const struct {
		int has_program, has_source, count, has_texts, has_names;
		nvrtcResult want;
	} rows[] = {{0, 1, 0, 0, 0, NVRTC_ERROR_INVALID_INPUT},  {1, 0, 0, 0, 0, NVRTC_ERROR_INVALID_INPUT},
	            {1, 1, -1, 1, 1, NVRTC_ERROR_INVALID_INPUT}, {1, 1, 1, 0, 1, NVRTC_ERROR_INVALID_INPUT},
	            {1, 1, 1, 1, 0, NVRTC_ERROR_INVALID_INPUT},  {1, 1, 1, 1, 1, NVRTC_SUCCESS}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_EQ(nvrtcCreateProgram(rows[i].has_program ? &program : NULL,
		                            rows[i].has_source ? "" : NULL, NULL, rows[i].count,
		                            rows[i].has_texts ? texts : NULL,
		                            rows[i].has_names ? names : NULL),
		         rows[i].want);
	CHECK(program);
	OK(nvrtcDestroyProgram(&program));
	CHECK(!program);
	RETURNS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcDestroyProgram(&program), nvrtcDestroyProgram(NULL));
}

TEST(options_reach_the_compiler_but_those_of_nvrtc_alone)
{
	const char *options[] = {"-default-device", "--std=c++17", "--device-as-default-execution-space",
	                         "-DX=1"};
	nvrtcProgram program = new_program("__global__ void add(float *, int) {}");
	char ptx[256], cubin[256];
	size_t bytes = 0, cubin_bytes = 0;
	RETURNS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTXSize(program, &bytes), nvrtcGetPTX(program, ptx));
	CHECK(!strcmp(log_of(program), ""));
	OK(nvrtcCompileProgram(program, 4, options));
	const char *log = log_of(program);
	CHECK(strstr(log, "near: cc -ptx -rdc=true -I /tmp/sluice-nvrtc-"));
	CHECK(strstr(log, "program.ptx --std=c++17 -DX=1\n"));
	CHECK(!left_behind(log));
	OK(nvrtcGetPTXSize(program, &bytes), nvrtcGetPTX(program, ptx));
	CHECK(strlen(ptx) + 1 == bytes && strstr(ptx, ".entry plain("));
	OK(nvrtcGetCUBINSize(program, &cubin_bytes), nvrtcGetCUBIN(program, cubin));
	CHECK(cubin_bytes == bytes && !strcmp(cubin, ptx));
	RETURNS(NVRTC_ERROR_INVALID_INPUT, nvrtcGetPTXSize(program, NULL), nvrtcGetPTX(program, NULL),
	        nvrtcGetProgramLogSize(program, NULL), nvrtcGetProgramLog(program, NULL));
	RETURNS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTXSize(NULL, &bytes), nvrtcGetPTX(NULL, ptx),
	        nvrtcGetProgramLogSize(NULL, &bytes), nvrtcGetProgramLog(NULL, ptx));
	OK(nvrtcDestroyProgram(&program));
}

TEST(a_compiler_that_fails_leaves_its_messages)
{
	nvrtcProgram program = new_program("broken;");
	size_t bytes;
	RETURNS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcCompileProgram(NULL, 0, NULL));
	RETURNS(NVRTC_ERROR_INVALID_INPUT, nvrtcCompileProgram(program, -1, NULL),
	        nvrtcCompileProgram(program, 1, NULL));
	RETURNS(NVRTC_ERROR_COMPILATION, compile(program, "--fail"));
	/* The source names itself as its maker did. */
	CHECK(strstr(log_of(program), "#line 1 \"kernels.cu\"\nbroken;\n"));
	CHECK(!left_behind(log_of(program)));
	RETURNS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTXSize(program, &bytes));
	RETURNS(NVRTC_ERROR_COMPILATION, compile(program, "--die"));
	/* It can be tried again. */
	OK(compile(program, "--nothing"));
	GIVES(bytes, 1, nvrtcGetPTXSize(program, &bytes));
	OK(nvrtcDestroyProgram(&program));
}

TEST(headers_are_files_of_their_names)
{
	const char *texts[] = {"first header\n", "third header\n"}, *names[] = {"one.h", "two/deep/three.h"};
	nvrtcProgram program;
	OK(nvrtcCreateProgram(&program, "", "", 2, texts, names), compile(program, "--headers"));
	CHECK(strstr(log_of(program), "\nfirst header\nthird header\n"));
	RETURNS(NVRTC_ERROR_COMPILATION, compile(program, "--fail"));
	CHECK(strstr(log_of(program), "#line 1 \"default_program\"\n"));
	OK(nvrtcDestroyProgram(&program));
}

TEST(headers_that_cannot_be_files_fail_the_program)
{
	static char endless[5000];
	memset(endless, 'x', sizeof endless - 1);
	const char *bad[] = {"../outside.h", endless, "folder/"};
	const char *texts[] = {"", ""};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *names[] = {bad[i], "two.h"};
		nvrtcProgram program;
		OK(nvrtcCreateProgram(&program, "", "x", 2, texts, names));
		RETURNS(NVRTC_ERROR_COMPILATION, compile(program, "-I."));
		CHECK(!strcmp(log_of(program), ""));
		OK(nvrtcDestroyProgram(&program));
	}
}

/* A full disk: the program's text does not fit into its file. */
TEST(a_source_that_cannot_be_written_fails_the_program)
{
	static char lengthy[100000];
	memset(lengthy, ' ', sizeof lengthy - 1);
	const char *sources[] = {"int i;", lengthy};
	struct rlimit before, none;
	signal(SIGXFSZ, SIG_IGN);
	for (unsigned i = 0; i < 2; i++) {
		nvrtcProgram program = new_program(sources[i]);
		getrlimit(RLIMIT_FSIZE, &before);
		none = before;
		none.rlim_cur = 0;
		OK(setrlimit(RLIMIT_FSIZE, &none));
		nvrtcResult result = compile(program, "-I.");
		OK(setrlimit(RLIMIT_FSIZE, &before));
		CHECK_EQ(result, NVRTC_ERROR_COMPILATION);
		OK(nvrtcDestroyProgram(&program));
	}
	signal(SIGXFSZ, SIG_DFL);
}

static void tick(int signal_number)
{
	(void)signal_number;
}

TEST(signals_do_not_disturb_the_wait)
{
	nvrtcProgram program = new_program("");
	struct sigaction action = {.sa_handler = tick}, before;
	struct itimerval often = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &often, NULL);
	nvrtcResult result = compile(program, "--slow");
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	CHECK_EQ(result, NVRTC_SUCCESS);
	/* A process that ignores its children never learns how one ended. */
	signal(SIGCHLD, SIG_IGN);
	result = compile(program, "-I.");
	signal(SIGCHLD, SIG_DFL);
	CHECK_EQ(result, NVRTC_ERROR_COMPILATION);
	OK(nvrtcDestroyProgram(&program));
}

TEST(names_of_kernels_are_lowered)
{
	static const struct {
		const char *expression, *want;
	} rows[] = {{"add", "_Z3addPfi"}, {"&add", "_Z3addPfi"}, {"plain", "plain"},
	            {"adds", "_Z4addsv"}, {"sub", NULL},         {"plane", NULL}};
	nvrtcProgram program = new_program("");
	const char *name;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		OK(nvrtcAddNameExpression(program, rows[i].expression));
	RETURNS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcAddNameExpression(NULL, "add"));
	RETURNS(NVRTC_ERROR_INVALID_INPUT, nvrtcAddNameExpression(program, NULL));
	RETURNS(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, nvrtcGetLoweredName(program, "add", &name));
	for (int times = 0; times < 2; times++)
		OK(compile(program, "-I."));
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_EQ(nvrtcGetLoweredName(program, rows[i].expression, &name),
		         rows[i].want ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
		CHECK(!rows[i].want || !strcmp(name, rows[i].want));
	}
	RETURNS(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, nvrtcGetLoweredName(program, "never asked", &name));
	RETURNS(NVRTC_ERROR_INVALID_INPUT, nvrtcGetLoweredName(NULL, "add", &name),
	        nvrtcGetLoweredName(program, NULL, &name), nvrtcGetLoweredName(program, "add", NULL));
	RETURNS(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, nvrtcAddNameExpression(program, "late"));
	RETURNS(NVRTC_ERROR_COMPILATION, compile(program, "--fail"));
	RETURNS(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, nvrtcGetLoweredName(program, "add", &name));
	OK(nvrtcDestroyProgram(&program));
}

TEST(the_compiler_is_found_near_the_library_or_in_the_path)
{
	char path[300];
	snprintf(path, sizeof path, "%s/path:/usr/bin:/bin", scratch());
	CHECK(!strncmp(again("lib", path, "where"), "0 bin: cc -ptx", strlen("0 bin: cc -ptx")));
	CHECK(!strncmp(again("alone/deep", path, "where"), "0 path: cc -ptx", strlen("0 path: cc -ptx")));
	CHECK(!strcmp(again("alone/deep", "/usr/bin:/bin", "where"), "6 "));
}

/* ---- which process ------------------------------------------------------------------------------------------------------------ */

static int where(void)
{
	nvrtcProgram program = new_program("");
	nvrtcResult result = nvrtcCompileProgram(program, 0, NULL);
	printf("%d %s", (int)result, log_of(program));
	return nvrtcDestroyProgram(&program) != NVRTC_SUCCESS;
}

/* The first process sets the stage, and this program plays on it with the copy of the library. */
int main(int argc, char **argv)
{
	if (argc > 2) {
		scratch_share(argv[2]);
		return strcmp(argv[1], "where") ? test_run(tests_listed, tests_count, NULL) : where();
	}
	char command[1024];
	if (set_stage() || sh("ls -d /tmp/sluice-nvrtc-* 2>/dev/null | wc -l >%s/before", ""))
		return 1;
	snprintf(command, sizeof command, "LD_LIBRARY_PATH=%s/near /proc/%d/exe play %s", scratch(),
	         (int)getpid(), scratch());
	return system(command) != 0;
}
