/*
 * Arbitrary bytes as an Accel-Sim trace. The first byte says what the rest is:
 * 'T' a kernel file, 'X' a compressed one, 'Z' one in binary form, 'L' a kernelslist.g with a good
 * kernel file. What can be imported must open, decode, and survive an export.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelsim/accelsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[64];

static const char good_kernel[] =
    "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
    "-binary version = 70\n-accelsim tracer version = 4\n#\n#BEGIN_TB\nwarp = 0\n"
    "insts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n";

static void leave(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	if (system(command))
		abort();
}

static const char *inside(const char *name)
{
	static char paths[4][128];
	static unsigned next;
	if (!dir[0]) {
		snprintf(dir, sizeof dir, "%s/sluice-fuzz-XXXXXX",
		         access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
		if (!mkdtemp(dir))
			abort();
		atexit(leave);
	}
	char *path = paths[next++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", dir, name);
	return path;
}

static void put(const char *path, const void *bytes, size_t count)
{
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, count, f) != count || fclose(f))
		abort();
}

/* Steps in the trace; grids beyond what an input can fill are not walked through. */
static uint64_t decode(struct trace *t)
{
	struct error err;
	uint64_t steps = 0, address[TRACE_MAX_LANES];
	struct trace_reader *r = trace_reader_new(t, &err);
	for (unsigned k = 0; k < trace_kernel_count(t); k++) {
		const struct trace_kernel *kernel = trace_kernel_at(t, k);
		uint8_t *buffer = malloc(cta_buffer_bytes(kernel));
		struct warp_cursor cursors[64];
		for (uint64_t cta = 0; cta < kernel->cta_count && cta < 5000; cta++) {
			if (!trace_read_cta(r, k, cta, buffer, cursors, &err))
				abort();
			for (uint32_t w = 0; w < kernel->warps_per_cta; w++) {
				struct warp_step step;
				enum cursor_result result;
				while ((result = cursor_next(r, kernel, &cursors[w], &step, &err)) ==
				       CURSOR_STEP)
					steps += 1 + 0 * step_addresses(&step, address);
				if (result == CURSOR_ERROR)
					abort();
			}
		}
		free(buffer);
	}
	trace_reader_free(r);
	return steps;
}

static bool is_small(const struct trace *t)
{
	for (unsigned k = 0; k < trace_kernel_count(t); k++)
		if (trace_kernel_at(t, k)->cta_count > 100)
			return false;
	return true;
}

/* Whether a warning of the trace says that rounds of spins were left out. */
static bool has_left_out(const char *path)
{
	struct error err;
	struct trace *t = trace_open(path, &err);
	bool has = false;
	for (unsigned i = 0; t && trace_warning(t, i); i++)
		has |= strstr(trace_warning(t, i), "rounds of spins left out") != NULL;
	trace_close(t);
	return has;
}

/*
 * Exports and imports again: the number of steps must stay, unless instructions that had differed only in what the export
 * leaves out now make spins.
 */
static void check_export(struct trace *t, uint64_t steps)
{
	struct error err;
	const char *out = inside("export");
	char command[256];
	snprintf(command, sizeof command, "%s/again.sluice", dir);
	if (!accelsim_export(t, out, ACCELSIM_EXPORT_OLD, &err))
		abort();
	struct accelsim_import job = {.path = out, .out_path = command};
	if (!accelsim_import(&job, &err) || job.warp_insns > steps)
		abort();
	if (job.warp_insns < steps && !has_left_out(command))
		abort();
	unlink(command);
	for (unsigned k = 0; k < trace_kernel_count(t); k++) {
		snprintf(command, sizeof command, "%s/kernel-%u.traceg", out, trace_kernel_at(t, k)->id);
		unlink(command);
		snprintf(command, sizeof command, "%s/kernel-%u-launch-%u.traceg", out,
		         trace_kernel_at(t, k)->id, k + 1);
		unlink(command);
	}
	snprintf(command, sizeof command, "%s/kernelslist.g", out);
	unlink(command);
	rmdir(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	const char *source = data[0] == 'X'   ? inside("in.traceg.xz")
	                     : data[0] == 'Z' ? inside("in.tracez")
	                     : data[0] == 'L' ? inside("kernelslist.g")
	                                      : inside("in.traceg");
	put(source, data + 1, size - 1);
	if (data[0] == 'L')
		put(inside("kernel-1.traceg"), good_kernel, sizeof good_kernel - 1);
	struct error err = {""};
	const char *out = inside("out.sluice");
	struct accelsim_import job = {.path = source, .out_path = out};
	if (!accelsim_import(&job, &err)) {
		/* A refusal gives its reason and leaves nothing behind. */
		if (!err.text[0] || !access(out, F_OK))
			abort();
		return 0;
	}
	struct trace *t = trace_open(out, &err);
	if (!t)
		abort();
	uint64_t steps = decode(t);
	if (is_small(t)) {
		if (steps != job.warp_insns)
			abort();
		check_export(t, steps);
	}
	trace_close(t);
	unlink(out);
	return 0;
}
