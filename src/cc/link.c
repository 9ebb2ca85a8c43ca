/* What `sluice cc` makes of objects: programs, shared libraries and archives. */
#include <string.h>

#include "base/environment.h"
#include "cc/job.h"

int cc_job_run(struct job *job, const struct words *command)
{
	if (job->order->verbose || job->order->dry_run)
		cc_print_command(job->order->messages, command);
	if (job->order->dry_run)
		return DONE;
	char missing[256];
	int code = cc_run_watched(command, job->order->messages, missing, sizeof missing);
	if (code == 127)
		error_set(&job->error, "%s cannot be started", command->text[0]);
	else if (code && missing[0])
		cc_explain_missing(missing, job->tools->clang_major, &job->error);
	return code ? FAILED : DONE;
}

/* As nvcc links in its toolkit, so that CMake finds there what it looks for. */
static void add_toolkit_libraries(struct words *command, const struct job *job)
{
	const char *kind = job->order->cudart ? job->order->cudart : "static";
	words_format(command, "-L%s/lib64", job->tools->toolkit);
	words_add(command, "-lcudadevrt");
	words_add(command, !strcmp(kind, "shared") ? "-lcudart" : "-lcudart_static");
	words_add(command, "-lrt");
	words_add(command, "-lpthread");
	words_add(command, "-ldl");
}

static void add_runtime(struct words *command, const struct job *job)
{
	words_format(command, "-L%s", job->tools->library);
	words_add(command, "-lsluicert");
	words_format(command, "-Wl,-rpath,%s", job->tools->library);
	words_add(command, "-lm");
	words_add(command, "-lpthread");
}

int cc_job_link(struct job *job, const struct words *objects)
{
	const struct cc_order *order = job->order;
	if (!job->tools->library[0]) {
		error_set(
		    &job->error,
		    "libsluicert.so is neither next to the program nor in its lib/sluice: build it, or set " ENV_LIBRARY_DIR);
		return BAD_INPUT;
	}
	struct words command = {0};
	/* clang's OpenMP library serves gcc's objects as well; the other way round it does not. */
	bool by_clang = order->wants_openmp && job->tools->has_openmp;
	words_add(&command, by_clang ? job->tools->clang : job->tools->cxx);
	if (order->shared)
		words_add(&command, "-shared");
	words_add(&command, "-o");
	words_add(&command, order->output ? order->output : "a.out");
	words_append(&command, objects);
	words_append(&command, &order->link);
	if (job->tools->toolkit[0])
		add_toolkit_libraries(&command, job);
	else
		add_runtime(&command, job);
	int code = cc_job_run(job, &command);
	words_free(&command);
	return code;
}

int cc_job_archive(struct job *job, const struct words *objects)
{
	struct words command = {0};
	words_add(&command, "ar");
	words_add(&command, "rcs");
	words_add(&command, job->order->output ? job->order->output : "a.a");
	words_append(&command, objects);
	int code = cc_job_run(job, &command);
	words_free(&command);
	return code;
}

int cc_job_link_device(struct job *job)
{
	static const char *const empty[] = {"-x", "c", "/dev/null", "-fPIC", "-c", "-o"};
	struct words command = {0};
	words_add(&command, job->tools->c);
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
		words_add(&command, empty[i]);
	words_add(&command, job->order->output ? job->order->output : "a_dlink.o");
	int code = cc_job_run(job, &command);
	words_free(&command);
	return code;
}
