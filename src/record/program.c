/*
 * Running programs and finding the entries of earlier runs. A run goes to a
 * temporary folder that becomes the entry when it is complete, so that entries
 * are always complete.
 *
 * An entry is found by a key that covers the executable's bytes, the runtime's,
 * arguments, working directory, standard input, the machine and the settings
 * that change what is recorded. What the program itself asks for is known only
 * after a run: the entry lists it with the answers (facts.c). Left out: the
 * time, and what else the runtime does not see.
 */
#include "record/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/cache.h"
#include "base/child.h"
#include "base/content_key.h"
#include "base/environment.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "record/parts.h"

/* ---- which recording a request is for ------------------------------------------------------------------ */

/* Raise it when the same run is recorded as another trace. */
enum { RECORDING_VERSION = 3 };

static const uint64_t default_record_limit = UINT64_C(32) * 1000 * 1000 * 1000;

static bool add_file(XXH3_state_t *key, const char *path, struct error *err)
{
	struct digest digest;
	uint64_t bytes;
	if (!file_digest(path, &digest, &bytes, err))
		return false;
	key_add(key, &digest, sizeof digest);
	return true;
}

/* A program may ask for any property of the machine. */
static bool add_machine(XXH3_state_t *key, const char *name, struct error *err)
{
	struct machine *m = machine_load(name, err);
	if (!m)
		return false;
	key_add_text(key, m->name);
#define X(section, field, TYPE, unit, min, max, doc)                                                         \
	key_add(key, &m->section##_##field, sizeof m->section##_##field);
#include "machine/keys.def"
	machine_free(m);
	return true;
}

/* A change to the runtime may change recordings. */
static void add_runtime(XXH3_state_t *key)
{
	char folder[PATH_MAX], path[PATH_MAX + 32];
	if (!own_library_folder(folder, sizeof folder))
		return;
	snprintf(path, sizeof path, "%s/libsluicert.so", folder);
	add_file(key, path, NULL);
}

/* Return the path of the file that is standard input, or /dev/null. */
static const char *stdin_file(char path[PATH_MAX])
{
	struct stat st;
	if (fstat(STDIN_FILENO, &st) || !S_ISREG(st.st_mode))
		return "/dev/null";
	ssize_t n = readlink("/proc/self/fd/0", path, PATH_MAX - 1);
	if (n <= 0)
		return "/dev/null";
	path[n] = '\0';
	return path;
}

static bool add_surroundings(XXH3_state_t *key, struct error *err)
{
	char path[PATH_MAX];
	if (!getcwd(path, sizeof path))
		return error_set(err, "working directory: %s", strerror(errno));
	key_add_text(key, path);
	const char *input = stdin_file(path);
	return !strcmp(input, "/dev/null") || add_file(key, input, err);
}

static bool add_request(XXH3_state_t *key, const struct program_request *r, const char *window,
                        const char *executable, struct error *err)
{
	const uint64_t numbers[] = {RECORDING_VERSION, r->check_races,   r->lenient_memory,
	                            r->spin_budget,    r->max_registers, r->arg_count};
	key_add(key, numbers, sizeof numbers);
	for (size_t i = 0; i < r->arg_count; i++)
		key_add_text(key, r->args[i]);
	if (program_kind_of(r->path) == PROGRAM_PTX && !add_file(key, r->path, err))
		return false;
	key_add_text(key, window);
	add_runtime(key);
	return add_file(key, executable, err) && add_machine(key, r->machine, err) &&
	       add_surroundings(key, err);
}

bool program_root(char root[PATH_MAX], struct error *err)
{
	char cache[PATH_MAX];
	return cache_folder(cache, sizeof cache, err) && path_join(root, cache, "programs", err) &&
	       cache_make_folders(root, err);
}

/* A name that can be recognised in the cache folder. */
static void readable_name(const char *path, char *name, size_t bytes)
{
	const char *slash = strrchr(path, '/');
	snprintf(name, bytes, "%s", slash ? slash + 1 : path);
	for (char *at = name; *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", *at))
			*at = '_';
}

static bool find_place(const struct program_request *request, const char *window, const char *executable,
                       char folder[PATH_MAX], struct error *err)
{
	char root[PATH_MAX], name[64], text[33], full[128];
	XXH3_state_t *key = XXH3_createState();
	if (!key)
		return error_set(err, "out of memory");
	XXH3_128bits_reset(key);
	bool ok = add_request(key, request, window, executable, err);
	XXH128_hash_t hash = XXH3_128bits_digest(key);
	XXH3_freeState(key);
	if (!ok || !program_root(root, err))
		return false;
	digest_text(&(struct digest){hash.low64, hash.high64}, text);
	readable_name(request->path, name, sizeof name);
	snprintf(full, sizeof full, "%s-%s", name, text);
	return path_join(folder, root, full, err);
}

/* ---- what is executed -------------------------------------------------------------------------------- */

static bool find_runnable(const char *given, char path[PATH_MAX], struct error *err)
{
	if (access(given, X_OK))
		return error_set(err, "%s: a program, but not executable: %s", given, strerror(errno));
	return realpath(given, path) || error_set(err, "%s: %s", given, strerror(errno));
}

/* The program that launches kernels of a .ptx file; it lies next to the runtime. */
static bool find_loader(char path[PATH_MAX], struct error *err)
{
	char folder[PATH_MAX];
	if (!own_library_folder(folder, sizeof folder))
		return error_set(err, "sluice-ptx, which launches kernels of .ptx files, is not installed");
	return path_join(path, folder, "sluice-ptx", err);
}

static bool find_executable(const struct program_request *r, char path[PATH_MAX], struct error *err)
{
	struct stat st;
	enum program_kind kind = program_kind_of(r->path);
	if (stat(r->path, &st))
		return error_set(err, "%s: %s", r->path, strerror(errno));
	if (kind == PROGRAM_SOURCE)
		return program_compile(r, path, err);
	if (kind == PROGRAM_PTX)
		return find_loader(path, err);
	if (kind == PROGRAM_EXECUTABLE || (r->is_program && S_ISREG(st.st_mode)))
		return find_runnable(r->path, path, err);
	if (kind == PROGRAM_FOREIGN)
		return error_set(err,
		                 "%s: not run, since it does not link sluice's runtime: was it compiled with "
		                 "'sluice cc'? To run it all the same, put --program in front of it",
		                 r->path);
	return error_set(
	    err, "%s: not a program: expected an executable of 'sluice cc', a .cu or a .ptx file", r->path);
}

/* ---- running ---------------------------------------------------------------------------------------- */

/* Where the files of one run go. */
struct run_files {
	char record[PATH_MAX], report[PATH_MAX], out[PATH_MAX], err[PATH_MAX], seconds[PATH_MAX];
};

static char **make_argv(const struct program_request *r, char *executable)
{
	char **argv = memory_zeroed(r->arg_count + 3, sizeof *argv);
	size_t count = 0;
	argv[count++] = executable;
	if (program_kind_of(r->path) == PROGRAM_PTX)
		argv[count++] = (char *)(uintptr_t)r->path;
	for (size_t i = 0; i < r->arg_count; i++)
		argv[count++] = r->args[i];
	return argv;
}

static const char *number_text(uint64_t number, char text[24])
{
	snprintf(text, 24, "%" PRIu64, number);
	return number ? text : NULL;
}

static bool execute(const struct program_request *r, const char *window, char *executable,
                    const struct run_files *files, struct child_end *end, struct error *err)
{
	char input[PATH_MAX], budget[24], registers[24], limit[24];
	bool records = files->record[0];
	const char *const env[] = {
	    ENV_RECORD,
	    records ? files->record : NULL,
	    ENV_REPORT,
	    files->report[0] ? files->report : NULL,
	    ENV_LAUNCH_SECONDS,
	    files->seconds[0] ? files->seconds : NULL,
	    ENV_MACHINE,
	    r->machine,
	    ENV_WINDOW,
	    records && *window ? window : NULL,
	    ENV_RECORD_LIMIT,
	    records
	        ? number_text(r->window.record_limit ? r->window.record_limit : default_record_limit, limit)
	        : NULL,
	    ENV_FAULT_STATUS,
	    NULL,
	    ENV_CHECK_RACES,
	    r->check_races ? "1" : NULL,
	    ENV_LENIENT_MEMORY,
	    r->lenient_memory ? "1" : NULL,
	    ENV_SPIN_BUDGET,
	    number_text(r->spin_budget, budget),
	    ENV_MAXRREGCOUNT,
	    number_text(r->max_registers, registers),
	    NULL,
	};
	char **argv = make_argv(r, executable);
	const struct child child = {.argv = argv,
	                            .stdin_path = stdin_file(input),
	                            .stdout_path = files->out,
	                            .stderr_path = files->err,
	                            .env = env,
	                            .go_on = r->go_on,
	                            .user = r->user};
	bool ok = child_run(&child, end, err);
	free(argv);
	return ok;
}

/* Whether the program made the launches that were asked for. */
static bool explain_window(const struct program_request *r, const char *text, const struct program_run *run,
                           struct error *err)
{
	struct window *window = window_new(text, err);
	bool ok = window && (run->ended || window_check(window, "the program has", run->launches, err));
	if (ok && !run->recorded)
		ok = error_set(err, "%s: none of its %" PRIu64 " launches matches %s", r->path, run->launches,
		               window_words(window));
	window_free(window);
	return ok;
}

/* Say why a run left no usable recording; true if it left one. */
static bool explain(const struct program_request *r, const char *window, const struct program_run *run,
                    bool has_report, bool has_trace, struct error *err)
{
	if (run->signal && !has_trace)
		return error_set(err, "%s: killed by signal %d (%s) before its recording was complete",
		                 r->path, run->signal, strsignal(run->signal));
	if (!has_report)
		return error_set(err, "%s: was not recorded: %s (it ended with status %d)", r->path,
		                 r->is_program ? "was it compiled with 'sluice cc'?"
		                               : "it did not end by returning from main() or by exit()",
		                 run->exit_status);
	if (!has_trace && strstr(run->fault, "beyond its limit"))
		return error_set(
		    err,
		    "%s: in launch %" PRIu64
		    " %s; record fewer launches (--launches, --launch-count, --kernel-name), fewer "
		    "instructions (--max-insns) or a smaller input, or allow more (--record-limit)",
		    r->path, run->launches + 1, strstr(run->fault, "the recording"));
	if (!run->launches)
		return error_set(err, "%s: no kernel was launched (it ended with status %d)", r->path,
		                 run->exit_status);
	if (!has_trace)
		return error_set(err, "%s: no recording was written (it ended with status %d)", r->path,
		                 run->exit_status);
	return !*window || explain_window(r, window, run, err);
}

static bool record_into(const struct program_request *r, const char *window, char *executable,
                        const char *folder, struct program_run *run, struct error *err)
{
	struct run_files files = {.seconds = ""};
	struct child_end end;
	if (!path_join(files.record, folder, "trace.sluice", err) ||
	    !path_join(files.report, folder, "report", err) || !path_join(files.out, folder, "stdout", err) ||
	    !path_join(files.err, folder, "stderr", err))
		return false;
	if (!execute(r, window, executable, &files, &end, err))
		return false;
	run->executed = true;
	bool has_report = facts_read_report(run, folder);
	run->exit_status = end.status;
	run->signal = end.signal;
	return explain(r, window, run, has_report, !access(files.record, R_OK), err) &&
	       facts_write(run, folder, err);
}

/* ---- entries ---------------------------------------------------------------------------------------- */

static bool make_entry(const struct program_request *r, const char *window, char *executable,
                       const char *folder, struct program_run *run, struct error *err)
{
	char root[PATH_MAX];
	*run = (struct program_run){0};
	if (!program_root(root, err) || !make_temporary(root, run->folder, err))
		return false;
	if (!record_into(r, window, executable, run->folder, run, err))
		return false;
	if (!replace_folder(run->folder, folder, err))
		return false;
	snprintf(run->folder, sizeof run->folder, "%s", folder);
	return true;
}

/* The recording of an earlier run; its trace may be damaged nevertheless. */
static bool find_entry(const char *folder, struct program_run *run)
{
	char trace[PATH_MAX];
	*run = (struct program_run){0};
	if (!facts_read(run, folder))
		return false;
	snprintf(run->folder, sizeof run->folder, "%s", folder);
	if (access(program_file(run, "trace.sluice", trace), R_OK))
		return false;
	cache_touch(folder);
	return true;
}

/* A recording of all launches has those of the window, too, if their numbers and names are enough to tell. */
static bool find_whole(const struct program_request *request, const char *window, const char *executable,
                       struct program_run *run, struct error *err)
{
	char folder[PATH_MAX];
	struct window *parsed = window_new(window, err);
	bool needs_program = !parsed || window_needs_program(parsed);
	window_free(parsed);
	if (needs_program || !find_place(request, "", executable, folder, err) || !find_entry(folder, run))
		return false;
	if (window_options_choose(&request->window))
		run->window = memory_text(window);
	return true;
}

static bool record_window(const struct program_request *request, const char *window, char *executable,
                          struct program_run *run, struct error *err)
{
	char folder[PATH_MAX];
	if (!find_place(request, window, executable, folder, err))
		return false;
	bool found = !request->again && find_entry(folder, run);
	if (!found && *window && !request->again && !request->exact_window &&
	    find_whole(request, window, executable, run, err))
		return true;
	if (!found && !make_entry(request, window, executable, folder, run, err))
		return false;
	run->is_part = *window != '\0';
	return true;
}

bool program_record(const struct program_request *request, struct program_run *run, struct error *err)
{
	char executable[PATH_MAX];
	*run = (struct program_run){0};
	char *window =
	    request->exact_window ? memory_text(request->exact_window) : window_text(&request->window, err);
	bool ok = window && find_executable(request, executable, err) &&
	          record_window(request, window, executable, run, err);
	free(window);
	return ok;
}

void program_run_free(struct program_run *run)
{
	free(run->window);
	run->window = NULL;
}

struct trace *program_open(const struct program_request *request, struct program_run *run, struct error *err)
{
	char path[PATH_MAX];
	bool ok = program_record(request, run, err);
	struct trace *trace = ok ? trace_open(program_file(run, "trace.sluice", path), err) : NULL;
	if (!ok || trace || run->executed)
		return trace;
	struct program_request again = *request;
	again.again = true;
	ok = program_record(&again, run, err);
	return ok ? trace_open(program_file(run, "trace.sluice", path), err) : NULL;
}

bool program_failed(const struct program_run *run)
{
	return run->exit_status || run->fault[0];
}

void program_drop(struct program_run *run)
{
	if (run->folder[0])
		remove_folder(run->folder);
	run->folder[0] = '\0';
}

const char *program_file(const struct program_run *run, const char *name, char path[PATH_MAX])
{
	if (!path_join(path, run->folder, name, NULL))
		path[0] = '\0';
	return path;
}

bool program_forward(const struct program_run *run, const char *name, FILE *to, struct error *err)
{
	char path[PATH_MAX], buffer[1 << 14];
	FILE *from = run->folder[0] ? fopen(program_file(run, name, path), "re") : NULL;
	size_t n;
	if (!from)
		return !run->folder[0] || errno == ENOENT ||
		       error_set(err, "cannot pass on what the program printed: %s: %s", path,
		                 strerror(errno));
	bool ok = true;
	while (ok && (n = fread(buffer, 1, sizeof buffer, from)) > 0)
		ok = fwrite(buffer, 1, n, to) == n;
	ok = ok && !ferror(from);
	fclose(from);
	ok = !fflush(to) && ok;
	return ok || error_set(err, "cannot pass on what the program printed: %s", strerror(errno));
}

/* ---- times ------------------------------------------------------------------------------------------ */

static bool write_seconds(const char *path, const double *seconds, size_t count, struct error *err)
{
	FILE *file = fopen(path, "we");
	if (!file)
		return error_set(err, "%s: %s", path, strerror(errno));
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%.9e\n", seconds[i]);
	bool failed = ferror(file) != 0;
	if (fclose(file) || failed)
		return error_set(err, "%s: cannot write: %s", path, strerror(errno));
	return true;
}

/* Standard output is moved last: its presence says that the run is complete. */
static bool keep_timed(const struct program_run *run, const struct run_files *files, const char *stem,
                       struct error *err)
{
	char name[80], path[PATH_MAX];
	snprintf(name, sizeof name, "%s.stderr", stem);
	if (rename(files->err, program_file(run, name, path)))
		return error_set(err, "%s: %s", path, strerror(errno));
	snprintf(name, sizeof name, "%s.stdout", stem);
	if (rename(files->out, program_file(run, name, path)))
		return error_set(err, "%s: %s", path, strerror(errno));
	return true;
}

static bool run_timed_in(const struct program_request *r, const struct program_run *run, const char *folder,
                         const double *seconds, size_t count, const char *stem, struct error *err)
{
	char executable[PATH_MAX];
	struct run_files files = {.record = "", .report = ""};
	struct child_end end;
	if (!path_join(files.out, folder, "stdout", err) || !path_join(files.err, folder, "stderr", err) ||
	    !path_join(files.seconds, folder, "seconds", err))
		return false;
	return find_executable(r, executable, err) && write_seconds(files.seconds, seconds, count, err) &&
	       execute(r, "", executable, &files, &end, err) && keep_timed(run, &files, stem, err);
}

bool program_run_timed(const struct program_request *request, const struct program_run *run,
                       const double *seconds, size_t count, char stem[64], struct error *err)
{
	char root[PATH_MAX], folder[PATH_MAX], name[80], path[PATH_MAX], text[33];
	XXH128_hash_t hash = XXH3_128bits(seconds, count * sizeof *seconds);
	digest_text(&(struct digest){hash.low64, hash.high64}, text);
	snprintf(stem, 64, "timed-%s", text);
	snprintf(name, sizeof name, "%s.stdout", stem);
	if (!request->again && !access(program_file(run, name, path), R_OK))
		return true;
	if (!program_root(root, err) || !make_temporary(root, folder, err))
		return false;
	bool ok = run_timed_in(request, run, folder, seconds, count, stem, err);
	remove_folder(folder);
	return ok;
}
