/* Progress: a line that is rewritten on a terminal, a line per news for the program that asked, else silence. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/progress.h"
#include "papers/plan/meter.h"
#include "report/bars.h"
#include "test.h"

/* A terminal: what is written to `out` is read from `master`. */
static int master;
static FILE *out;

static bool open_terminal(void)
{
	struct termios mode;
	master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		return false;
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &mode))
		return false;
	mode.c_oflag &= ~(tcflag_t)OPOST;
	out = fdopen(slave, "w");
	return out && !tcsetattr(slave, TCSANOW, &mode);
}

/* What has been written to a descriptor since the last time. */
static const char *written(int fd)
{
	static char text[1024];
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	ssize_t n = poll(&ready, 1, 20) > 0 ? read(fd, text, sizeof text - 1) : 0;
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static bool is(int fd, const char *wanted)
{
	const char *got = written(fd);
	if (!strcmp(got, wanted))
		return true;
	printf("# got '%s', wanted '%s'\n", got, wanted);
	return false;
}

/* Shows after `elapsed` seconds of work, as if the last line were old. */
static void show(struct progress *p, double elapsed, uint64_t done)
{
	p->start_s = progress_clock() - elapsed;
	p->last_s -= 1;
	progress_show(p, "work", done, "detail");
}

TEST(a_terminal_gets_one_line_with_the_time_left)
{
	unsetenv("SLUICE_PROGRESS_FD");
	struct progress p = progress_start(out, 1000);
	progress_show(&p, "work", 1, "detail");
	CHECK(is(master, "")); /* too soon */
	show(&p, 0.2, 500);
	CHECK(is(master, "\r\033[Kwork  50 %  detail"));
	show(&p, 30, 500);
	CHECK(is(master, "\r\033[Kwork  50 %, 0:30 left  detail"));
	show(&p, 100, 10);
	CHECK(is(master, "\r\033[Kwork   1 %, 2h45m left  detail"));
	show(&p, 100, 0);
	CHECK(is(master, "\r\033[Kwork   0 %  detail"));
	show(&p, 10, 2000);
	CHECK(is(master, "\r\033[Kwork 100 %, 0:00 left  detail"));
	p.total = 0;
	show(&p, 10, 7);
	CHECK(is(master, "\r\033[Kwork  detail"));
	progress_end(&p);
	CHECK(is(master, "\r\033[K"));
	progress_end(&p);
	CHECK(is(master, ""));
}

TEST(a_program_that_asks_gets_its_own_lines)
{
	int ends[2];
	char number[16];
	FILE *file = tmpfile();
	CHECK(file && !pipe(ends));
	snprintf(number, sizeof number, "%d", ends[1]);
	setenv("SLUICE_PROGRESS_FD", number, 1);
	struct progress p = progress_start(file, 10);
	show(&p, 1, 5);
	CHECK(is(ends[0], "work\t5\t10\tdetail\n"));
	struct meter m = meter_start(file, "runs", 4, 0);
	m.last_s -= 1;
	m.done = 1;
	meter_show(&m, 2);
	CHECK(is(ends[0], "runs\t1\t4\t2 at work\n"));
	meter_end(&m);
	CHECK(fcntl(ends[1], F_GETFD) & FD_CLOEXEC);
	static const char *const none[] = {"", "2", "no", "987"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		setenv("SLUICE_PROGRESS_FD", none[i], 1);
		CHECK_EQ(progress_program_fd(), -1);
	}
	unsetenv("SLUICE_PROGRESS_FD");
	p = progress_start(file, 10);
	show(&p, 1, 5);
	progress_end(&p);
	CHECK(!p.enabled && !ftell(file)); /* no terminal: silence */
	close(ends[0]), close(ends[1]), fclose(file);
}

TEST(runs_are_counted_on_a_terminal_and_in_a_log)
{
	FILE *file = tmpfile();
	char text[256] = "";
	CHECK(file != NULL);
	struct meter m = meter_start(out, "runs", 4, 0);
	meter_show(&m, 1);
	CHECK(is(master, ""));
	m.last_s -= 1;
	meter_show(&m, 1);
	CHECK(is(master, "\r\033[Kruns:   0 %, 0 of 4 runs, 1 at work"));
	meter_end(&m);
	CHECK(!fflush(out) && is(master, "\r\033[K"));
	m = meter_start(file, "runs", 4, 100);
	m.start_s -= 3600;
	m.last_s -= 61;
	m.done = 2;
	m.failed = 1;
	m.work_done = 25;
	meter_show(&m, 3);
	meter_end(&m);
	rewind(file);
	CHECK(fgets(text, sizeof text, file));
	CHECK(!strcmp(text, "runs:  25 %, 2 of 4 runs, 3 at work, 1 failed, 0.0 runs/min, 3:00:00 left\n"));
	m = meter_start(NULL, "runs", 4, 100); /* without a reader */
	m.last_s -= 61;
	meter_show(&m, 3);
	m = meter_start(file, "runs", 0, 0); /* nothing to do */
	m.last_s -= 61;
	meter_show(&m, 3);
	CHECK(!fgets(text, sizeof text, file));
	fclose(file);
}

TEST(bars_are_as_wide_as_the_terminal)
{
	struct winsize size = {.ws_col = 120, .ws_row = 40};
	FILE *file = tmpfile();
	CHECK(file && bars_columns(file) == 80);
	CHECK(!ioctl(master, TIOCSWINSZ, &size) && bars_columns(out) == 120);
	size.ws_col = 0;
	CHECK(!ioctl(master, TIOCSWINSZ, &size) && bars_columns(out) == 80);
	fclose(file);
}

int main(int argc, char **argv)
{
	static const struct test_case cases[] = {TEST_ENTRY(
	    a_terminal_gets_one_line_with_the_time_left) TEST_ENTRY(a_program_that_asks_gets_its_own_lines)
	                                             TEST_ENTRY(runs_are_counted_on_a_terminal_and_in_a_log)
	                                                 TEST_ENTRY(bars_are_as_wide_as_the_terminal)};
	return open_terminal() ? test_run(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL) : 1;
}
