/* Whatever call fails while traces are written, read, imported and exported: it is said, and nothing stays behind. */
#include <sys/wait.h>

#include "accelsim/accelsim.h"
#include "base/cache.h"
#include "base/cleanup.h"
#include "base/trap.h"
#include "lib/accelsim_fixture.h"
#include "lib/faults_fixture.h"
#include "trace/ends.h"
#include "trace/interleave.h"
#include "trace/reader.h"

/* What is done while calls fail. True: it was done, and rightly; false: err says why not. */
typedef bool action(struct error *err);

struct attempt {
	action *work;
	struct error err;
	bool ok;
};

static void attempt_run(void *argument)
{
	struct attempt *a = argument;
	a->ok = a->work(&a->err);
}

static unsigned temporary_files(void)
{
	DIR *dir = opendir(scratch_path("out"));
	unsigned n = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		n += strstr(entry->d_name, ".tmp") != NULL;
	if (dir)
		closedir(dir);
	return n;
}

/* Out of memory, files stay open and temporary ones in place until the process ends, or asks for this. */
static bool memory_left_clean(void)
{
	cleanup_now();
	return !temporary_files();
}

static bool collect_cache(struct error *err);

/* Every folder with a file: on some file systems a folder alone takes no room, and gc leaves what would free none. */
static void fill_cache(void)
{
	static const struct timespec old[2] = {{1000, 0}, {1000, 0}};
	static const char *const folders[] = {"cache", "cache/programs", "cache/programs/build-1",
	                                      "cache/programs/recording"};
	static const char *const files[] = {"cache/a.sluice",
	                                    "cache/b.sluice",
	                                    "cache/tmp-1",
	                                    "cache/c.old",
	                                    "cache/new.tmp",
	                                    "cache/x",
	                                    "cache/programs/build-1/a",
	                                    "cache/programs/recording/a"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		mkdir(scratch_path(folders[i]), 0777);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		fixture_write_text(scratch_path(files[i]), files[i]);
		if (i < 4) /* what is as old as that is not held */
			utimensat(AT_FDCWD, scratch_path(files[i]), old, 0);
	}
}

/* One attempt with the nth call failing. False: the work made fewer calls, or something is wrong. */
static bool survives(action *work, const char *call, unsigned at, unsigned last, int error, bool *is_hit)
{
	struct attempt a = {.work = work};
	struct error trapped = {""};
	long live = atomic_load(&fault.live);
	unsigned files = fault_open_files();
	scratch_remove(scratch_path("cache"));
	scratch_remove(scratch_path("exported"));
	if (work == collect_cache)
		fill_cache();
	fault_arm(call, at, last, error);
	enum trap_end end = trap_run(attempt_run, &a, &trapped);
	*is_hit = fault_disarm();
	if (end == TRAP_MEMORY)
		return memory_left_clean();
	bool is_said = a.ok || a.err.text[0], is_clean = fault_open_files() == files && !temporary_files();
	if (end == TRAP_NONE && is_said && is_clean && atomic_load(&fault.live) == live && (a.ok || *is_hit))
		return true;
	printf("# %s number %u: ok %d, says '%s', %ld blocks, %u files and %u temporary ones left, %s\n",
	       call, at, a.ok, a.err.text, atomic_load(&fault.live) - live, fault_open_files() - files,
	       temporary_files(), trapped.text);
	return false;
}

/* Every call of every name fails once, alone and with all that follow it; `most` of each. */
static bool survives_all(action *work, const char *const *calls, unsigned most)
{
	bool ok = true, is_hit;
	for (; *calls; calls++) {
		for (unsigned n = 1; n <= most; n++) {
			ok &= survives(work, *calls, n, n, ENOSPC, &is_hit);
			if (!is_hit)
				break;
			ok &= survives(work, *calls, n, UINT32_MAX, EIO, &is_hit);
		}
		/* And without a fault it succeeds again. */
		ok &= survives(work, "none", 1, 1, 0, &is_hit);
	}
	return ok;
}

/* ---- what is tried ---------------------------------------------------------------------------------- */

enum { CTAS = 5, STEPS = 300, LONG_STEPS = 3000 };

static const struct trace_kernel small_kernel = {.name = "small",
                                                 .id = 1,
                                                 .grid = {CTAS, 1, 1},
                                                 .block = {64, 1, 1},
                                                 .warp_size = 32,
                                                 .warps_per_cta = 2,
                                                 .binary_version = 70};

static bool write_cta(struct trace_writer *w, uint64_t cta, uint64_t steps, struct error *err)
{
	if (!trace_writer_begin_cta(w, cta, err))
		return false;
	for (uint32_t warp = 0; warp < 2; warp++) {
		struct stream stream;
		struct stream_step step;
		if (!trace_writer_begin_warp(w, warp, err))
			return false;
		stream_start(&stream, cta + warp, 32);
		for (uint64_t i = 0; i < steps; i++) {
			stream_next(&stream, &step);
			if (!trace_writer_step(w, step.insn, step.mask, step.lanes ? step.address : NULL,
			                       err))
				return false;
		}
		if (!trace_writer_step_stride(w, 3, 1, 4096, 4, err))
			return false;
	}
	return trace_writer_end_cta(w, err);
}

static bool write_kernels(struct trace_writer *w, struct error *err)
{
	trace_writer_warning(w, "a guess");
	for (unsigned launch = 0; launch < 2; launch++) {
		trace_writer_copy(w, 4096, 64);
		if (!trace_writer_begin_kernel(w, &small_kernel, err))
			return false;
		fixture_add_insns(w);
		for (uint64_t cta = 0; cta < CTAS; cta++)
			if (cta != 1 && !write_cta(w, cta, launch && cta == 4 ? LONG_STEPS : STEPS, err))
				return false;
		if (!trace_writer_end_kernel(w, err))
			return false;
	}
	return true;
}

static bool write_trace(struct error *err)
{
	struct trace_writer *w = trace_writer_new(scratch_path("out/t.sluice"), err);
	if (!w)
		return false;
	if (write_kernels(w, err))
		return trace_writer_finish(w, err);
	trace_writer_abort(w);
	return false;
}

/* The same with the warps by turns, which another thread compresses and writes. */
static bool stream_ctas(struct trace_writer *w, struct error *err)
{
	bool ok = trace_writer_begin_kernel(w, &small_kernel, err);
	if (!ok)
		return false;
	fixture_add_insns(w);
	for (uint64_t i = 0; i < CTAS; i++) {
		uint64_t cta = CTAS - 1 - i; /* the last first: the others wait for CTA 0 */
		struct cta_stream *s = cta == 1 ? NULL : cta_stream_open(w, cta);
		for (unsigned n = 0; s && n < (cta == 2 ? LONG_STEPS : STEPS); n++) {
			uint64_t address[32];
			for (unsigned lane = 0; lane < 32; lane++)
				address[lane] = (uint64_t)(n + lane) * (n * 7919u + lane) % 1000003;
			cta_stream_run(s, n % 2, 4, 3, UINT32_MAX);
			cta_stream_access(s, n % 2, 3, UINT32_MAX, address);
		}
		ok &= !s || cta_stream_close(s, err);
	}
	return ok && trace_writer_end_kernel(w, err);
}

static bool write_by_turns(struct error *err)
{
	struct trace_writer *w = trace_writer_new(scratch_path("out/turns.sluice"), err);
	if (!w)
		return false;
	if (stream_ctas(w, err))
		return trace_writer_finish(w, err);
	trace_writer_abort(w);
	return false;
}

/* Every step of every warp is read, by two readers that one buffer serves. */
static bool read_ctas(struct trace *t, struct trace_reader *r, uint8_t *buffer, struct error *err)
{
	struct warp_cursor cursors[TRACE_MAX_WARPS];
	struct warp_step step;
	for (unsigned i = 0; i < trace_kernel_count(t); i++) {
		const struct trace_kernel *k = trace_kernel_at(t, i);
		for (uint64_t cta = 0; cta < k->cta_count; cta++) {
			if (!trace_read_cta(r, i, cta, buffer, cursors, err))
				return false;
			for (uint32_t w = 0; w < k->warps_per_cta; w++) {
				enum cursor_result result;
				while ((result = cursor_next(r, k, &cursors[w], &step, err)) == CURSOR_STEP)
					;
				if (result == CURSOR_ERROR)
					return false;
			}
		}
	}
	return true;
}

static uint8_t read_buffer[1 << 22];

static bool read_trace(struct error *err)
{
	struct trace *t = trace_open(scratch_path("whole.sluice"), err);
	struct trace_reader *r = t ? trace_reader_new(t, err) : NULL;
	struct end_counts counts = {0};
	bool ok = r && cta_buffer_bytes(trace_kernel_at(t, 1)) <= sizeof read_buffer &&
	          read_ctas(t, r, read_buffer, err) && trace_check_ends(t, &counts, NULL, NULL, err);
	ok = ok && counts.warps == 2 * 2 * CTAS && true;
	if (ok)
		trace_reader_bind(r, t);
	trace_reader_free(r);
	trace_close(t);
	return ok;
}

static bool import_folder(struct error *err)
{
	return import_path(scratch_path("source"), scratch_path("out/i.sluice"), err);
}

static bool import_packed(struct error *err)
{
	return import_path(scratch_path("k.traceg.xz"), scratch_path("out/x.sluice"), err);
}

static bool export_trace(struct error *err)
{
	struct trace *t = trace_open_checked(scratch_path("whole.sluice"), TRACE_SKIP_CHECKSUMS, err);
	bool ok = t && accelsim_export(t, scratch_path("exported"), ACCELSIM_EXPORT_OLD, err);
	trace_close(t);
	return ok;
}

static bool open_through_cache(struct error *err)
{
	struct trace *t = trace_open_any(scratch_path("source"), NULL, NULL, err);
	trace_close(t);
	return t != NULL;
}

static bool collect_cache(struct error *err)
{
	struct cache_list list, removed;
	const char *folder = scratch_path("cache");
	if (!cache_list(&list, folder, err))
		return false;
	bool ok = cache_gc(&list, 0, &removed, err);
	/* Those of another name, and the new one, are not asked about; what seems to take no room may stay. */
	if (ok && list.count == 6) {
		ok = list.entry[0].kind == CACHE_LEFTOVER && list.entry[1].kind == CACHE_LEFTOVER &&
		     list.entry[2].kind == CACHE_IMPORT;
		for (size_t i = removed.count; i < list.count; i++)
			ok = ok && !list.entry[i].bytes;
	}
	cache_list_free(&list);
	return ok;
}

/* ---- claims ------------------------------------------------------------------------------------------- */

static void prepare(void)
{
	static bool is_ready;
	struct error err;
	size_t bytes;
	if (is_ready)
		return;
	is_ready = true;
	mkdir(scratch_path("out"), 0777);
	fixture_folder("source", vector_text);
	uint8_t *packed = fixture_xz(vector_text, &bytes);
	fixture_write(scratch_path("k.traceg.xz"), packed, bytes);
	free(packed);
	setenv("SLUICE_CACHE_DIR", scratch_path("cache"), 1);
	if (!write_trace(&err) || rename(scratch_path("out/t.sluice"), scratch_path("whole.sluice")))
		abort();
}

#define CALLS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(a_writer_survives_every_fault)
{
	prepare();
	CHECK(survives_all(write_trace,
	                   CALLS("malloc", "open", "close", "write", "lseek", "rename", "ZSTD_createCCtx",
	                         "ZSTD_createCDict", "ZSTD_compressCCtx", "ZSTD_compress_usingCDict"),
	                   40));
	CHECK(survives_all(write_by_turns,
	                   CALLS("open", "close", "write", "lseek", "rename", "ZSTD_createCDict",
	                         "ZSTD_compressCCtx", "ZSTD_compress_usingCDict"),
	                   40));
}

TEST(a_reader_survives_every_fault)
{
	prepare();
	CHECK(survives_all(read_trace,
	                   CALLS("malloc", "open", "fstat", "pread", "ZSTD_createDCtx", "ZSTD_createDDict",
	                         "XXH3_createState"),
	                   40));
}

TEST(an_import_and_an_export_survive_every_fault)
{
	prepare();
	CHECK(survives_all(import_folder, CALLS("malloc", "open", "stat", "fstat", "read", "write", "rename"),
	                   40));
	CHECK(survives_all(import_packed, CALLS("malloc", "read"), 40));
	CHECK(survives_all(export_trace,
	                   CALLS("malloc", "open", "mkdir", "opendir", "fdopen", "fclose", "pread"), 40));
}

static char heard[1024];

static void hear(const char *text)
{
	snprintf(heard, sizeof heard, "%s", text);
}

TEST(the_cache_survives_every_fault)
{
	prepare();
	warning_take(hear);
	CHECK(survives_all(collect_cache, CALLS("lstat", "opendir", "open", "unlinkat"), 12));
	CHECK(survives_all(open_through_cache,
	                   CALLS("malloc", "realpath", "open", "pread", "fstat", "XXH3_createState"), 40));
}

/* A process of its own, since the folder that takes the cache's place stays in use. */
static bool does_without_cache(const char *call, unsigned at, int error, const char *temporary,
                               const char *words)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		struct error err = {""};
		warning_take(hear);
		scratch_remove(scratch_path("cache"));
		setenv("TMPDIR", temporary, 1);
		fault_arm(call, at, at, error);
		struct trace *t = trace_open_any(scratch_path("source"), NULL, NULL, &err);
		fault_disarm();
		bool is_right = *temporary == '/' ? !t && strstr(err.text, words) : t && strstr(heard, words);
		if (!is_right)
			printf("# %s: opened %d, '%s', '%s'\n", call, t != NULL, heard, err.text);
		trace_close(t);
		exit(is_right ? 0 : 1);
	}
	return waitpid(child, &status, 0) == child && !status;
}

TEST(without_a_place_to_keep_things_they_are_done_without_it)
{
	prepare();
	/* The folder itself, after those above it. */
	unsigned last = 1;
	for (const char *at = scratch_path("cache") + 1; (at = strchr(at, '/')); at++)
		last++;
	CHECK(does_without_cache("mkdir", last, EACCES, "",
	                         "cannot create the cache folder: Permission denied"));
	CHECK(does_without_cache("access", 1, EROFS, "", "cannot be written to: Read-only file system"));
	CHECK(does_without_cache("statvfs", 1, 0, "", "the disk is full"));
	/* One of the first is the cache's; which, depends on how often the source is looked at. */
	bool is_cache = false;
	for (unsigned n = 3; n < 10 && !is_cache; n++)
		is_cache = does_without_cache("stat", n, EACCES, "", "not a folder");
	CHECK(is_cache);
	CHECK(does_without_cache(
	    "mkdir", last, EACCES, "/nonexistent/folder",
	    "cannot create the cache folder: Permission denied (SLUICE_CACHE_DIR can name another)"));
}

/* A signal that comes in between is no fault at all. */
TEST(interrupted_calls_are_made_again)
{
	bool is_hit;
	struct error err = {""};
	static const struct {
		action *work;
		const char *call;
	} rows[] = {{write_trace, "write"}, {read_trace, "pread"}, {import_folder, "read"}};
	prepare();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned n = 1; n < 4; n++) {
			fault_arm(rows[i].call, n, n, EINTR);
			bool ok = rows[i].work(&err);
			is_hit = fault_disarm();
			CHECK(ok && (is_hit || n > 2));
		}
}

TEST_RUN_ALL(true)
