/*
 * Runs in a process of their own: `sluice library-run` gets the request as JSON and
 * answers with messages of known length. A policy's object is loaded there alone. The
 * child is spawned, not forked: our process may have threads that hold locks.
 */
#define _GNU_SOURCE /* pipe2, memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/api.h"
#include "base/installation.h"
#include "base/memory.h"
#include "base/safe_text.h"

extern char **environ;

enum { REQUEST_FD = 3, ANSWER_FD = 4, ASK_MS = 100 };

struct child {
	pid_t pid;
	int request, answers; /* our ends */
	int words;            /* what it prints, to be quoted if it crashes */
};

/* ---- the request ------------------------------------------------------------------------------------------------- */

static json_t *texts(char *const *text, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_text(text[i]));
	return array;
}

static void set_text(json_t *object, const char *name, const char *text)
{
	if (text)
		json_object_set_new(object, name, json_text(text));
}

static json_t *request_json(const struct sluice_result *result, const struct sluice_run_options *o)
{
	const struct sluice_trace *trace = result->trace;
	json_t *object = json_object();
	set_text(object, "trace", trace->path);
	set_text(object, "name", trace->name);
	if (trace->is_program) {
		json_object_set_new(object, "arguments", texts(trace->target.args, trace->target.arg_count));
		json_object_set_new(object, "exit_status", json_integer(trace->recording.exit_status));
		json_object_set_new(object, "signal", json_integer(trace->recording.signal));
		set_text(object, "fault", trace->recording.fault);
	}
	set_text(object, "machine", result->machine->name);
	json_object_set_new(object, "changes",
	                    texts(result->machine->changes, result->machine->change_count));
	set_text(object, "policy", o->policy);
	set_text(object, "look", o->look);
	set_text(object, "kernels", o->kernels);
	set_text(object, "window", trace_window(trace));
	json_object_set_new(object, "is_part", json_boolean(trace->recording.is_part));
	json_object_set_new(object, "max_insns", json_integer((json_int_t)o->max_insns));
	json_object_set_new(object, "threads", json_integer(o->threads));
	json_object_set_new(object, "quantum", json_integer(o->quantum));
	json_object_set_new(object, "cold_l2", json_boolean(o->cold_l2));
	return object;
}

/* ---- the child --------------------------------------------------------------------------------------------------- */

static bool spawn(struct child *child, const char *program, int request, int answers)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	char *const argv[] = {(char *)(uintptr_t)program, (char *)(uintptr_t) "library-run", NULL};
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	/* A group of its own: Ctrl-C is the caller's to handle. */
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, child->words, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, child->words, STDERR_FILENO);
	posix_spawn_file_actions_adddup2(&actions, request, REQUEST_FD);
	posix_spawn_file_actions_adddup2(&actions, answers, ANSWER_FD);
	errno = posix_spawn(&child->pid, program, &actions, &attributes, argv, environ);
	bool ok = !errno;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return ok;
}

/* A descriptor that no dup2() to the child's places overwrites. */
static int move_away(int fd)
{
	int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ANSWER_FD + 1);
	if (fd >= 0)
		close(fd);
	return moved;
}

static bool start(struct child *child, struct error *err)
{
	char program[PATH_MAX];
	int request[2] = {-1, -1}, answers[2] = {-1, -1};
	if (!self_program(program, err))
		return false;
	child->words = move_away(memfd_create("sluice", MFD_CLOEXEC));
	bool ok = child->words >= 0 && !pipe2(request, O_CLOEXEC) && !pipe2(answers, O_CLOEXEC);
	request[0] = move_away(request[0]);
	answers[1] = move_away(answers[1]);
	ok = ok && request[0] >= 0 && answers[1] >= 0 && spawn(child, program, request[0], answers[1]);
	int error = errno;
	close(request[0]);
	close(answers[1]);
	child->request = request[1];
	child->answers = answers[0];
	if (ok)
		return true;
	close(child->request);
	close(child->answers);
	close(child->words);
	return error_set(err, "%s: cannot be started: %s", program, strerror(error));
}

/* A child that is gone must not raise SIGPIPE in the caller: it is blocked, and taken back if it came. */
static bool send_all(int fd, const char *text, size_t bytes)
{
	sigset_t pipe_signal, before;
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
	size_t sent = 0;
	while (sent < bytes) {
		ssize_t n = write(fd, text + sent, bytes - sent);
		if (n < 0 && errno != EINTR)
			break;
		sent += n > 0 ? (size_t)n : 0;
	}
	if (sent < bytes)
		sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return sent == bytes;
}

/* Waits for bytes, asking the ticker meanwhile. False: the end, or cancelled. */
static bool receive_all(int fd, void *to, size_t bytes, struct ticker *ticker)
{
	size_t got = 0;
	while (got < bytes) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int n = poll(&ready, 1, ASK_MS);
		if (n <= 0) {
			if (!ticker_go_on(ticker))
				return false;
			continue;
		}
		ssize_t read_now = read(fd, (char *)to + got, bytes - got);
		if (read_now == 0 || (read_now < 0 && errno != EINTR))
			return false;
		got += read_now > 0 ? (size_t)read_now : 0;
	}
	return true;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

struct conversation {
	struct child child;
	struct ticker ticker;
	struct sluice_result *result;
	const struct sluice_run_options *options;
	struct sluice_error answer; /* code SLUICE_OK: none came */
	bool complete;              /* a result came */
};

static bool take_result(struct conversation *c, uint64_t bytes, struct error *err)
{
	char *text = memory_zeroed(bytes + 1, 1);
	json_error_t where;
	if (!receive_all(c->child.answers, text, bytes, &c->ticker)) {
		free(text);
		return true; /* how the child ended says the rest */
	}
	c->result->json = text;
	c->result->document = json_loads(text, 0, &where);
	c->complete = c->result->document && result_from_document(c->result);
	return c->complete || error_set(err, "the process of the run gave an answer that is none");
}

static bool take_answer(struct conversation *c, const struct api_answer *answer, bool *more,
                        struct error *err)
{
	*more = answer->kind == ANSWER_PROGRESS;
	if (answer->kind == ANSWER_RESULT)
		return take_result(c, answer->bytes, err);
	if (answer->kind == ANSWER_PROGRESS && answer->bytes == sizeof c->ticker.progress)
		*more = receive_all(c->child.answers, &c->ticker.progress, answer->bytes, &c->ticker) &&
		        ticker_go_on(&c->ticker);
	else if (answer->kind == ANSWER_ERROR && answer->bytes < sizeof c->answer.text &&
	         receive_all(c->child.answers, c->answer.text, answer->bytes, &c->ticker))
		c->answer.code = (enum sluice_code)answer->code;
	return true;
}

static bool converse(void *argument, struct error *err)
{
	struct conversation *c = argument;
	json_t *request = request_json(c->result, c->options);
	char *text = json_dumps(request, JSON_COMPACT);
	struct api_answer answer;
	json_decref(request);
	bool more = text && send_all(c->child.request, text, strlen(text)), ok = true;
	free(text);
	close(c->child.request);
	c->child.request = -1;
	while (ok && more && receive_all(c->child.answers, &answer, sizeof answer, &c->ticker))
		ok = take_answer(c, &answer, &more, err);
	return ok;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* The last of what the child printed, in one line. */
static void last_words(int fd, char *text, size_t size)
{
	off_t end = lseek(fd, 0, SEEK_END), start = end > (off_t)size - 1 ? end - ((off_t)size - 1) : 0;
	ssize_t n = pread(fd, text, size - 1, start);
	text[n > 0 ? n : 0] = '\0';
	for (char *at = text; (at = strchr(at, '\n'));)
		*at = at[1] ? ' ' : '\0';
	safe_text(text, strlen(text), "");
}

static bool fail_crashed(int status, int words, struct sluice_error *error)
{
	char said[256], text[512], how[128];
	last_words(words, said, sizeof said);
	if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "was killed by signal %d (%s)", WTERMSIG(status),
		         strsignal(WTERMSIG(status)));
	else
		snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(status));
	snprintf(text, sizeof text, "the process of the run %s%s%s", how, *said ? ": " : "", said);
	return fail(error, SLUICE_CRASHED, text);
}

static int end_child(struct child *child, bool kill_it)
{
	int status = 0;
	if (kill_it)
		kill(-child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (child->request >= 0)
		close(child->request);
	close(child->answers);
	return status;
}

static bool begin(void *argument, struct error *err)
{
	return start(argument, err);
}

bool run_isolated(struct sluice_result *result, const struct sluice_run_options *options,
                  struct sluice_error *error)
{
	struct conversation c = {.result = result,
	                         .options = options,
	                         .ticker = {.function = options->progress,
	                                    .user = options->user,
	                                    .progress.phase = SLUICE_SIMULATING}};
	if (!guard(begin, &c.child, NULL, error))
		return false;
	bool ok = guard(converse, &c, &c.ticker, error);
	int status =
	    end_child(&c.child, !ok || (!c.complete && c.answer.code == SLUICE_OK && c.ticker.cancelled));
	if (ok && c.answer.code != SLUICE_OK)
		ok = fail(error, c.answer.code, c.answer.text);
	else if (ok && !c.complete)
		ok = fail_crashed(status, c.child.words, error);
	close(c.child.words);
	return ok;
}
