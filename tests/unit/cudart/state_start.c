/*
 * How the environment decides what a program sees, and what is noted of what it asks its surroundings. The runtime
 * starts once in a process, so this program runs again for every claim: its argument says what it does then.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "table.h"

static void say(const char *what, long long value)
{
	printf("%s=%lld\n", what, value);
}

/* ---- what the program does ---------------------------------------------------------------------------------- */

static int do_launch(void)
{
	unsigned *device = NULL, value = 0;
	int least = 7, greatest = 7;
	say("range", cudaDeviceGetStreamPriorityRange(&least, &greatest));
	say("malloc", cudaMalloc((void **)&device, 16));
	say("launch", store(device, 42, NULL));
	say("wait", cudaDeviceSynchronize());
	say("copy", cudaMemcpy(&value, device, 4, cudaMemcpyDeviceToHost));
	say("within", cudaMemcpy(device ? device + 1 : NULL, device, 4, cudaMemcpyDeviceToDevice));
	say("value", value);
	return 0;
}

/* Launches in one file's time each: `count` of them. */
static int do_times(void)
{
	cudaEvent_t a, b;
	float ms = -1;
	unsigned *device;
	cudaMalloc((void **)&device, 16);
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	cudaEventRecord(a, NULL);
	for (int i = 0; i < 3; i++)
		store(device, 1, NULL);
	cudaEventRecord(b, NULL);
	say("elapsed", cudaEventElapsedTime(&ms, a, b));
	say("ms", (long long)(ms + 0.5f));
	cudaEventElapsedTime(&ms, a, a);
	say("same", (long long)ms);
	return 0;
}

static int do_clusters(void)
{
	cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeClusterDimension};
	attribute.val.clusterDim.x = attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	cudaLaunchConfig_t config = {
	    .gridDim = size_of(2), .blockDim = size_of(32), .attrs = &attribute, .numAttrs = 1};
	say("clusters", cudaLaunchKernelExC(&config, &kernel_nothing, NULL));
	return 0;
}

static void touch(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void touch_file(FILE *file)
{
	if (file)
		fclose(file);
}

/* Files: read, written, read again, not there, named from a folder, and those of the system. */
static int do_files(void)
{
	char text[16];
	static const char *const read_only[] = {"absent",          "plain/below",  "",
	                                        "/proc/self/stat", "/sys/kernel",  "/dev/null",
	                                        "library.so",      "library.so.1", ".so"};
	int folder = open(".", O_RDONLY | O_DIRECTORY);
	touch(open("plain", O_RDONLY));
	touch(open64("plain64", O_RDONLY));
	touch(openat(folder, "at", O_RDONLY));
	touch(openat64(folder, "at64", O_RDONLY));
	touch(openat(-1, "nowhere", O_RDONLY));
	touch(open("made", O_WRONLY | O_CREAT, 0600));
	touch(open("made", O_RDONLY));
	touch(open64("made64", O_WRONLY | O_CREAT | O_TRUNC, 0600));
	touch(openat(folder, "made-at", O_RDWR | O_CREAT, 0600));
	touch(openat64(folder, "made-at64", O_RDWR | O_CREAT, 0600));
	touch(open(".", O_TMPFILE | O_RDWR, 0600));
	touch(open64(".", O_TMPFILE | O_RDWR, 0600));
	touch(openat64(folder, ".", O_TMPFILE | O_RDWR, 0600));
	touch(openat(folder, ".", O_TMPFILE | O_RDWR, 0600));
	for (unsigned i = 0; i < sizeof read_only / sizeof *read_only; i++)
		touch(open(read_only[i], O_RDONLY));
	touch(open("absent/made", O_WRONLY | O_CREAT, 0600));
	touch_file(fopen("both", "r"));
	touch_file(fopen("both", "r"));
	touch_file(fopen64("stream64", "r"));
	touch_file(freopen64("again64", "r", fopen("both", "r")));
	touch_file(fopen("written", "w"));
	touch_file(freopen(NULL, "r", fopen("both", "r")));
	touch_file(fopen("two\nlines", "r"));
	touch_file(fopen("absent2", "r"));
	touch_file(fopen("made-later", "r"));
	touch_file(fopen("made-later", "w"));
	touch_file(fopen("made-later", "r")); /* it was asked for before it was made */
	say("error", fopen("absent2", "r") ? 0 : errno);
	touch_file(fopen("/dev/shm/sluice-start-absent", "r"));
	close(folder);
	return read(0, text, 0) != 0;
}

/* A path that is too long with its folder in front, and one in a folder that is gone. */
static int do_nowhere(void)
{
	char deep[4090];
	memset(deep, '/', sizeof deep);
	for (unsigned i = 0; i + 2 < sizeof deep; i += 2)
		deep[i] = 'a';
	deep[sizeof deep - 1] = '\0';
	touch(open(deep, O_RDONLY));
	if (mkdir("short-lived", 0700) || chdir("short-lived") || rmdir("../short-lived"))
		return 1;
	touch(open("here", O_RDONLY));
	return 0;
}

/* What else a program can ask: variables, folders, whether files are there, other programs. */
static int do_questions(void)
{
	struct stat st;
	struct stat64 st64;
	char name[16];
	int seen_files =
	    !stat("plain", &st) + !stat64("plain64", &st64) + !lstat("at", &st) + !lstat64("at64", &st64);
	seen_files += !access("both", R_OK) + !stat("absent", &st) + !stat("plain/below", &st) +
	              !access("absent2", R_OK);
	say("there", seen_files);
	DIR *folder = opendir("."), *none = opendir("absent-folder"), *file = opendir("plain");
	say("folders", (folder != NULL) + (none != NULL) + (file != NULL));
	closedir(folder);
	say("home", getenv("TEST_HOME") != NULL);
	say("again", getenv("TEST_HOME") != NULL);
	say("secure", secure_getenv("TEST_SECURE") != NULL);
	say("prefix", getenv("TEST_HOM") != NULL);
	say("own", getenv("SLUICE_RT_REPORT") != NULL);
	for (int i = 0; getenv("TEST_MANY") && i < 300; i++) {
		snprintf(name, sizeof name, "MANY_%d", i);
		getenv(name);
	}
	return 0;
}

/* Without any environment, there is no report either. */
static int do_clear(void)
{
	clearenv();
	say("there", getenv("HOME") != NULL);
	return 0;
}

/* Managed variables need a device before main(). */
static int do_managed(void)
{
	static unsigned here;
	void **module =
	    module_add(".version 6.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 m;\n");
	__sluiceRegisterManaged(&here, &here + 1);
	__cudaRegisterVar(module, (char *)&here, NULL, "m", 0, 4, 0, 0);
	__cudaRegisterFatBinaryEnd(module);
	say("last", cudaGetLastError());
	say("synchronize", cudaDeviceSynchronize());
	return 0;
}

static void end_in_signal(int number)
{
	(void)number;
	exit(6);
}

static void unregister(void)
{
	__cudaUnregisterFatBinary(NULL); /* as the compiler's own exit handlers do */
}

/* A signal ends the program in the middle of a kernel that would take hours. */
static int do_interrupt(void)
{
	struct itimerval soon = {.it_value.tv_usec = 20000};
	atexit(unregister);
	signal(SIGALRM, end_in_signal);
	cudaDeviceSynchronize();
	setitimer(ITIMER_REAL, &soon, NULL);
	say("launch", cudaLaunchKernel(&kernel_nothing, size_of(1u << 30), size_of(1024), NULL, 0, NULL));
	return 0;
}

static int do_long_name(void)
{
	char name[100];
	memset(name, 'A', sizeof name - 1);
	name[99] = '\0';
	return getenv(name) != NULL;
}

static int do_popen(void)
{
	FILE *pipe = popen("true", "r");
	return pipe ? pclose(pipe) : 1;
}

static int do_system(void)
{
	return system("true");
}

/* A host function may end the program: it runs outside of any call. */
static void end_program(void *user)
{
	(void)user;
	exit(5);
}

static int do_end_in_function(void)
{
	cudaLaunchHostFunc(NULL, end_program, NULL);
	return 0;
}

/* The folder of the recording goes before the program ends. */
static int do_lose(void)
{
	int failed = mkdir("lost", 0700);
	do_launch();
	return failed || rename("lost", "found");
}

/* A child of a program that records has nothing to record. */
static int do_fork(void)
{
	int status = 1;
	pid_t child = fork();
	if (!child)
		exit(do_launch());
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static const struct {
	const char *name;
	int (*run)(void);
} actions[] = {{"launch", do_launch},   {"times", do_times},         {"clusters", do_clusters},
               {"files", do_files},     {"questions", do_questions}, {"long-name", do_long_name},
               {"popen", do_popen},     {"system", do_system},       {"end", do_end_in_function},
               {"fork", do_fork},       {"lose", do_lose},           {"clear", do_clear},
               {"managed", do_managed}, {"interrupt", do_interrupt}, {"nowhere", do_nowhere}};

/* ---- and how it is run ---------------------------------------------------------------------------------------- */

/* What it wrote, with `setting` in its environment; "status=N" is the last line. */
static const char *run(const char *setting, const char *action)
{
	char command[512];
	snprintf(command, sizeof command, "cd %s && { %s /proc/%d/exe %s; echo status=$?; } >out 2>&1",
	         scratch(), setting, (int)getpid(), action);
	return system(command) ? "" : scratch_read("out");
}

static bool has(const char *text, const char *part)
{
	if (!strstr(text, part))
		printf("# no '%s' in:\n%s", part, text);
	return strstr(text, part) != NULL;
}

static bool reports(const char *key, const char *file)
{
	char line[512];
	snprintf(line, sizeof line, "\n%s=%s\n", key, scratch_path(file));
	return strstr(scratch_read("report"), line) != NULL;
}

/* ---- the environment -------------------------------------------------------------------------------------------- */

TEST(settings_that_make_no_sense_leave_no_device)
{
	static const struct {
		const char *setting, *message;
	} rows[] = {
	    {"SLUICE_MAXRREGCOUNT=many", "SLUICE_MAXRREGCOUNT is 'many', expected a number up to 255"},
	    {"SLUICE_MAXRREGCOUNT=256", "expected a number up to 255"},
	    {"SLUICE_MAXRREGCOUNT=-1", "expected a number up to 255"},
	    {"SLUICE_MAXRREGCOUNT=3x", "expected a number up to 255"},
	    {"SLUICE_MAXRREGCOUNT=+3", "expected a number up to 255"},
	    {"SLUICE_MACHINE=no-such-machine", "no-such-machine"},
	    {"SLUICE_MACHINE=$(printf %04090d 0)", "sluice: "},
	    {"SLUICE_MACHINE=/nowhere/machine.yaml", "/nowhere/machine.yaml"},
	    {"SLUICE_LAUNCH_SECONDS=/nowhere/seconds", "/nowhere/seconds: No such file"},
	    {"SLUICE_RECORD=/nowhere/trace.sluice", "/nowhere/trace.sluice"}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = run(rows[i].setting, "launch");
		CHECK(has(text, rows[i].message));
		CHECK(has(text, "range=3\nmalloc=3\nlaunch=3\nwait=3\ncopy=3\n"));
		CHECK(has(text, "status=0\n"));
	}
	CHECK(has(run("SLUICE_MACHINE=none", "managed"), "last=0\nsynchronize=3\n"));
	CHECK(has(run("SLUICE_MACHINE=h200", "managed"), "last=0\nsynchronize=0\n"));
	const char *text = run("SLUICE_SPIN_BUDGET=long", "launch"); /* asked for when the first kernel is */
	CHECK(has(text, "range=0\nmalloc=0\n") && has(text, "launch=3\nwait=3\n"));
	CHECK(has(text, "SLUICE_SPIN_BUDGET is 'long'"));
}

TEST(settings_that_make_sense_change_what_they_say)
{
	static const char *const fine[] = {"SLUICE_MAXRREGCOUNT=32",
	                                   "SLUICE_MAXRREGCOUNT=",
	                                   "SLUICE_SPIN_BUDGET=100000",
	                                   "SLUICE_MACHINE=v100",
	                                   "SLUICE_CHECK_RACES=0 SLUICE_LENIENT_MEMORY=1",
	                                   "SLUICE_CHECK_RACES=1",
	                                   "SLUICE_RECORD=trace.sluice"};
	for (unsigned i = 0; i < sizeof fine / sizeof *fine; i++)
		CHECK(has(run(fine[i], "launch"),
		          "malloc=0\nlaunch=0\nwait=0\ncopy=0\nwithin=0\nvalue=42\nstatus=0\n"));
	CHECK(has(run("SLUICE_MACHINE=v100", "clusters"), "clusters=912\n"));
	CHECK(has(run("SLUICE_MACHINE=h200", "clusters"), "clusters=0\n"));
	CHECK(has(run("SLUICE_RECORD=fork.sluice", "fork"), "value=42\nstatus=0\n"));
}

TEST(launches_take_the_times_of_a_file)
{
	char many[4096] = "";
	scratch_write("seconds", "0.5 \n1e-3\t\n0.25\n");
	CHECK(has(run("SLUICE_LAUNCH_SECONDS=seconds", "times"), "elapsed=0\nms=751\nsame=0\n"));
	scratch_write("seconds", "0.5\n");
	const char *text = run("SLUICE_LAUNCH_SECONDS=seconds", "times");
	CHECK(has(text, "launch 2 has no simulated time"));
	CHECK(has(text, "ms=500\n"));
	for (unsigned i = 0; i < 600; i++)
		strcat(many, "1\n");
	scratch_write("seconds", many);
	CHECK(has(run("SLUICE_LAUNCH_SECONDS=seconds", "times"), "ms=3000\n"));
	static const char *const wrong[] = {"-1\n", "1 2\n", "\n", "nan\n", "0.5s\n"};
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		scratch_write("seconds", wrong[i]);
		CHECK(has(run("SLUICE_LAUNCH_SECONDS=seconds", "times"),
		          "seconds:1:1: expected a number of seconds"));
	}
}

/* ---- the report ---------------------------------------------------------------------------------------------------- */

TEST(the_report_says_what_was_read_and_what_was_not_there)
{
	static const char *const made[] = {"plain",        "plain64",  "at",        "at64",
	                                   "both",         "stream64", "again64",   "library.so",
	                                   "library.so.1", ".so",      "two\nlines"};
	static const char *const inputs[] = {"plain", "plain64", "at", "at64", "both", "stream64", "again64"};
	static const char *const not_inputs[] = {"made",       "made64",       "made-at", "written",
	                                         "library.so", "library.so.1", "nowhere"};
	for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
		scratch_write(made[i], "x");
	CHECK(has(run("SLUICE_RT_REPORT=report", "files </dev/null"), "error=2\nstatus=0\n"));
	for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++)
		CHECK(reports("input", inputs[i]));
	for (unsigned i = 0; i < sizeof not_inputs / sizeof *not_inputs; i++)
		CHECK(!reports("input", not_inputs[i]));
	CHECK(reports("absent", "absent") && reports("absent", "absent2") &&
	      !reports("absent", "absent/made"));
	CHECK(reports("input", "two lines") && reports("absent", "made-later"));
	const char *report = scratch_read("report");
	CHECK(!strstr(report, "/proc/") && !strstr(report, "/sys/") && !strstr(report, "/dev/null"));
	CHECK(!strstr(report, "unrepeatable="));
	CHECK(has(run("SLUICE_RT_REPORT=$PWD/report", "nowhere"), "status=0\n"));
	CHECK(!strstr(scratch_read("report"), "\nabsent="));
}

TEST(the_report_says_what_was_asked)
{
	CHECK(has(run("TEST_HOME=1 TEST_SECURE=1 SLUICE_RT_REPORT=report", "questions"),
	          "there=5\nfolders=1\nhome=1\nagain=1\nsecure=1\nprefix=0\nown=1\nstatus=0\n"));
	CHECK(reports("seen", "plain") && reports("seen", "plain64") && reports("seen", "at") &&
	      reports("seen", "both"));
	CHECK(reports("absent", "absent") && reports("absent", "absent-folder") &&
	      reports("absent", "absent2"));
	const char *report = scratch_read("report");
	char line[512];
	snprintf(line, sizeof line, "\nfolder=%s\n", scratch());
	CHECK(has(report, line) &&
	      has(report, "\nvariable=TEST_HOME\nvariable=TEST_SECURE\nvariable=TEST_HOM\n"));
	CHECK(!strstr(report, "variable=SLUICE_") && !strstr(report, "unrepeatable="));
	run("TEST_MANY=1 SLUICE_RT_REPORT=report", "questions");
	CHECK(has(scratch_read("report"), "\nunrepeatable=too many variables\n"));
}

TEST(the_report_says_what_makes_a_run_unrepeatable)
{
	static const struct {
		const char *action, *line;
	} rows[] = {{"popen", "unrepeatable=popen()\n"},
	            {"system", "unrepeatable=system()\n"},
	            {"long-name", "unrepeatable=too many variables\n"}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK(has(run("SLUICE_RT_REPORT=report", rows[i].action), "status=0\n"));
		CHECK(has(scratch_read("report"), rows[i].line));
	}
	CHECK(has(run("SLUICE_X=1", "popen"), "status=0\n")); /* without a report nothing is noted */
	CHECK(has(run("SLUICE_RT_REPORT=report", "clear"), "there=0\nstatus=0\n"));
	CHECK(has(run("SLUICE_RT_REPORT=report", "interrupt"), "status=6\n")); /* nothing can be finished */
	CHECK(has(run("SLUICE_RT_REPORT=report", "end"), "status=5\n"));
	CHECK(has(scratch_read("report"), "launches=0\n"));
}

TEST(a_report_that_cannot_be_written_is_said)
{
	CHECK(has(run("SLUICE_RT_REPORT=/nowhere/report", "launch"),
	          "sluice: /nowhere/report: No such file or directory\n"));
	CHECK(has(run("SLUICE_RT_REPORT=/dev/full", "launch"), "sluice: /dev/full: cannot be written\n"));
	CHECK(has(run("SLUICE_RECORD=lost/trace.sluice SLUICE_RT_REPORT=report", "lose"),
	          "lost/trace.sluice: No such file or directory"));
	CHECK(has(scratch_read("report"), "\nfault="));
}

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < sizeof actions / sizeof *actions; i++)
		if (!strcmp(argv[1], actions[i].name))
			return actions[i].run();
	return test_run(tests_listed, tests_count, argc > 1 ? argv[1] : NULL);
}
