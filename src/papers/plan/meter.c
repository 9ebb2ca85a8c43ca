#include "papers/plan/meter.h"

#include <unistd.h>

#include "base/progress.h"

static const double TERMINAL_S = 0.5, LOG_S = 60;

struct meter meter_start(FILE *out, const char *what, size_t total, double work)
{
	double now = progress_clock();
	return (struct meter){.out = out,
	                      .what = what,
	                      .terminal = out && isatty(fileno(out)),
	                      .program_fd = progress_program_fd(),
	                      .start_s = now,
	                      .last_s = now,
	                      .total = total,
	                      .work = work};
}

static void print_time(FILE *out, double seconds)
{
	unsigned long long s = (unsigned long long)(seconds + 0.5);
	fprintf(out, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
}

void meter_show(struct meter *m, size_t running)
{
	double now = progress_clock(), elapsed = now - m->start_s;
	bool often = m->terminal || m->program_fd >= 0;
	if (!m->out || !m->total || now - m->last_s < (often ? TERMINAL_S : LOG_S))
		return;
	m->last_s = now;
	if (m->program_fd >= 0) {
		dprintf(m->program_fd, "%s\t%zu\t%zu\t%zu at work\n", m->what, m->done, m->total, running);
		return;
	}
	double share = m->work > 0 ? m->work_done / m->work : (double)m->done / (double)m->total;
	fprintf(m->out, "%s%s: %3.0f %%, %zu of %zu runs, %zu at work", m->terminal ? "\r\033[K" : "",
	        m->what, 100 * share, m->done, m->total, running);
	if (m->failed)
		fprintf(m->out, ", %zu failed", m->failed);
	if (m->done) {
		fprintf(m->out, ", %.1f runs/min, ", 60 * (double)m->done / elapsed);
		print_time(m->out, elapsed * (1 - share) / share);
		fputs(" left", m->out);
	}
	fputs(m->terminal ? "" : "\n", m->out);
	fflush(m->out);
	m->shown = true;
}

void meter_end(struct meter *m)
{
	if (m->shown && m->terminal)
		fputs("\r\033[K", m->out);
	m->shown = false;
}
