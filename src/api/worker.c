/* The process of an isolated run (isolated.c has the other end). */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "api/api.h"
#include "base/memory.h"

struct worker {
	int out;
	json_t *request;
	char **changes;
	size_t change_count;
	struct sluice_trace *trace;
	struct sluice_machine *machine;
};

static bool send(int fd, const void *from, size_t bytes)
{
	const char *at = from;
	while (bytes) {
		ssize_t n = write(fd, at, bytes);
		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? n : 0;
		bytes -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool answer(int fd, enum answer_kind kind, uint32_t code, const void *from, size_t bytes)
{
	const struct api_answer head = {.kind = kind, .code = code, .bytes = bytes};
	return send(fd, &head, sizeof head) && send(fd, from, bytes);
}

/* Return false when the other end of the pipe is closed. */
static bool tell_progress(void *user, const struct sluice_progress *progress)
{
	const struct worker *w = user;
	return answer(w->out, ANSWER_PROGRESS, 0, progress, sizeof *progress);
}

static const char *text_of(const struct worker *w, const char *name)
{
	return json_string_value(json_object_get(w->request, name));
}

static uint64_t number_of(const struct worker *w, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(w->request, name));
}

static char **texts_of(const json_t *array, size_t *count)
{
	*count = json_array_size(array);
	char **texts = memory_zeroed(*count + 1, sizeof *texts);
	for (size_t i = 0; i < *count; i++) {
		const char *text = json_string_value(json_array_get(array, i));
		texts[i] = memory_text(text ? text : "");
	}
	return texts;
}

/* The trace as the parent has it: a recording stays one, under its name and with what is known of the program. */
static void adopt(struct worker *w)
{
	const json_t *arguments = json_object_get(w->request, "arguments");
	const char *name = text_of(w, "name"), *fault = text_of(w, "fault");
	snprintf(w->trace->name, sizeof w->trace->name, "%s", name ? name : "");
	const char *window = text_of(w, "window");
	free(w->trace->window);
	w->trace->window = window ? memory_text(window) : NULL;
	w->trace->recording.is_part = json_is_true(json_object_get(w->request, "is_part"));
	if (!arguments)
		return;
	target_free(&w->trace->target);
	w->trace->target.args = texts_of(arguments, &w->trace->target.arg_count);
	w->trace->is_program = true;
	w->trace->recording.exit_status = (int)number_of(w, "exit_status");
	w->trace->recording.signal = (int)number_of(w, "signal");
	snprintf(w->trace->recording.fault, sizeof w->trace->recording.fault, "%s", fault ? fault : "");
}

static bool open_inputs(struct worker *w, struct sluice_error *error)
{
	const char *trace = text_of(w, "trace"), *machine = text_of(w, "machine");
	if (!trace || !machine)
		return fail(error, SLUICE_BAD_INPUT, "library-run: no request");
	w->changes = texts_of(json_object_get(w->request, "changes"), &w->change_count);
	w->trace = sluice_trace_open(trace, NULL, 0, NULL, error);
	if (!w->trace)
		return false;
	adopt(w);
	w->machine = sluice_machine_open(machine, (const char *const *)w->changes, w->change_count, error);
	return w->machine != NULL;
}

static bool work(struct worker *w, struct sluice_error *error)
{
	if (!open_inputs(w, error))
		return false;
	const struct sluice_run_options options = {.size = sizeof options,
	                                           .policy = text_of(w, "policy"),
	                                           .look = text_of(w, "look"),
	                                           .kernels = text_of(w, "kernels"),
	                                           .max_insns = number_of(w, "max_insns"),
	                                           .threads = (uint32_t)number_of(w, "threads"),
	                                           .quantum = (uint32_t)number_of(w, "quantum"),
	                                           .cold_l2 =
	                                               json_is_true(json_object_get(w->request, "cold_l2")),
	                                           .progress = tell_progress,
	                                           .user = w};
	struct sluice_result *result = sluice_run(w->trace, w->machine, &options, error);
	const char *json = result ? sluice_result_json(result, error) : NULL;
	bool ok = json && (answer(w->out, ANSWER_RESULT, 0, json, strlen(json)) ||
	                   fail(error, SLUICE_CANCELLED, "the other process has gone"));
	sluice_result_free(result);
	return ok;
}

int api_work(int in, int out)
{
	json_error_t where;
	struct sluice_error error = {.code = SLUICE_OK};
	pid_t parent = getppid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (parent != getppid())
		return 2;
	struct worker w = {.out = out, .request = json_loadfd(in, 0, &where)};
	bool ok = work(&w, &error);
	if (!ok)
		answer(out, ANSWER_ERROR, (uint32_t)error.code, error.text, strlen(error.text));
	sluice_machine_close(w.machine);
	sluice_trace_close(w.trace);
	for (size_t i = 0; i < w.change_count; i++)
		free(w.changes[i]);
	free(w.changes);
	json_decref(w.request);
	return ok ? 0 : 2;
}
