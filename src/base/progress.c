/* Progress lines. */
#include "base/progress.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"

static const double REFRESH_S = 0.1;

double progress_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int progress_program_fd(void)
{
	const char *text = getenv(ENV_PROGRESS_FD);
	int fd = text && *text ? atoi(text) : -1;
	return fd > STDERR_FILENO && !fcntl(fd, F_SETFD, FD_CLOEXEC) ? fd : -1;
}

struct progress progress_start(FILE *out, uint64_t total)
{
	double now = progress_clock();
	int fd = progress_program_fd();
	return (struct progress){.out = out,
	                         .program_fd = fd,
	                         .enabled = fd >= 0 || isatty(fileno(out)),
	                         .start_s = now,
	                         .last_s = now,
	                         .total = total};
}

static void print_eta(const struct progress *p, double elapsed_s, uint64_t done)
{
	double share = (double)done / (double)p->total;
	share = share > 1 ? 1 : share;
	fprintf(p->out, " %3.0f %%", 100 * share);
	if (share < 0.001 || elapsed_s < 0.5)
		return;
	uint64_t left_s = (uint64_t)(elapsed_s * (1 - share) / share + 0.5);
	if (left_s >= 3600)
		fprintf(p->out, ", %lluh%02llum left", (unsigned long long)(left_s / 3600),
		        (unsigned long long)(left_s / 60 % 60));
	else
		fprintf(p->out, ", %llu:%02llu left", (unsigned long long)(left_s / 60),
		        (unsigned long long)(left_s % 60));
}

void progress_show(struct progress *p, const char *label, uint64_t done, const char *detail)
{
	if (!p->enabled)
		return;
	double now = progress_clock();
	if (now - p->last_s < REFRESH_S)
		return;
	p->last_s = now;
	if (p->program_fd >= 0) {
		dprintf(p->program_fd, "%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", label, done, p->total, detail);
		return;
	}
	p->shown = true;
	fprintf(p->out, "\r\033[K%s", label);
	if (p->total)
		print_eta(p, now - p->start_s, done);
	fprintf(p->out, "  %s", detail);
	fflush(p->out);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", p->out);
	p->shown = false;
	fflush(p->out);
}
