/* What `sluice cc` makes of objects: programs, shared libraries and archives. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "cc/job.h"
#include "cc/missing.h"
#include "cc/process.h"

static void take_message(void *context, const char *line)
{
	cc_find_missing(context, line);
}

int cc_job_run(struct job *job, const struct words *command)
{
	if (job->order->verbose || job->order->dry_run)
		words_print(job->order->messages, command);
	if (job->order->dry_run)
		return DONE;
	struct cc_missing missing = {""};
	int code = cc_run(command, job->order->messages, take_message, &missing);
	if (code == CC_CANNOT_RUN)
		error_set(job->err, "%s cannot be started", command->text[0]);
	else if (code && missing.name[0])
		cc_explain_missing(&missing, job->tools->clang_major, job->err);
	return code ? FAILED : DONE;
}

int cc_job_run_last(struct job *job, struct words *command)
{
	int code = cc_job_run(job, command);
	words_free(command);
	return code;
}

/* As nvcc links in its toolkit, so that CMake finds there what it looks for. */
static void add_toolkit_libraries(struct words *command, const struct job *job)
{
	const char *kind = job->order->cudart ? job->order->cudart : "static";
	words_format(command, "-L%s/lib64", job->tools->toolkit);
	words_add_all(command, "-lcudadevrt", !strcmp(kind, "shared") ? "-lcudart" : "-lcudart_static",
	              "-lrt", "-lpthread", "-ldl", NULL);
}

static void add_runtime(struct words *command, const struct job *job)
{
	words_format(command, "-L%s", job->tools->library);
	/* Also for a program without kernels, which asks for it by a weak name alone. */
	words_add_all(command, "-Wl,--no-as-needed", "-lsluicert", NULL);
	words_format(command, "-Wl,-rpath,%s", job->tools->library);
	words_add_all(command, "-lm", "-lpthread", NULL);
}

/* As nvcc does: libraries may stand before the objects that need them. */
static void add_objects(struct words *command, const struct words *objects)
{
	bool has_library = false;
	for (size_t i = 0; i < objects->count; i++)
		has_library |= word_begins(objects->text[i], "-l");
	if (has_library)
		words_add_all(command, "-Wl,--no-as-needed", "-Wl,--start-group", NULL);
	words_append(command, objects);
	if (has_library)
		words_add(command, "-Wl,--end-group");
}

int cc_job_link(struct job *job, const struct words *objects)
{
	const struct cc_order *order = job->order;
	if (!job->tools->library[0]) {
		error_set(
		    job->err,
		    "libsluicert.so is neither next to the program nor in its lib/sluice: build it, or set " ENV_LIBRARY_DIR);
		return BAD_INPUT;
	}
	struct words command = {0};
	/* clang's OpenMP library serves gcc's objects as well; the other way round it does not. */
	bool by_clang = order->wants_openmp && job->tools->has_openmp;
	words_add(&command, by_clang ? job->tools->clang : job->tools->cxx);
	if (order->shared)
		words_add(&command, "-shared");
	words_add_all(&command, "-o", order->output ? order->output : "a.out", NULL);
	add_objects(&command, objects);
	words_append(&command, &order->link);
	if (job->tools->toolkit[0])
		add_toolkit_libraries(&command, job);
	else
		add_runtime(&command, job);
	return cc_job_run_last(job, &command);
}

int cc_job_archive(struct job *job, const struct words *objects)
{
	struct words command = {0};
	words_add_all(&command, "ar", "rcs", job->order->output ? job->order->output : "a.a", NULL);
	words_append(&command, objects);
	return cc_job_run_last(job, &command);
}

int cc_job_link_device(struct job *job)
{
	struct words command = {0};
	words_add_all(&command, job->tools->c, "-x", "c", "/dev/null", "-fPIC", "-c", "-o",
	              job->order->output ? job->order->output : "a_dlink.o", NULL);
	return cc_job_run_last(job, &command);
}

/* ---- device variables ----------------------------------------------------------------------------------- */

/*
 * The host knows a device variable by an object of the same name, which clang keeps to its file unless device code is
 * linked with NVIDIA's tools. objcopy makes it global.
 *
 * variable = ".visible" space ... name {"[" ... "]"} ["=" values] ";"; returns a copy of the name, NULL for another line
 */
static char *variable_name(const char *line)
{
	static const char *const starts[] = {".visible .global ", ".visible .const "};
	bool is_variable = false;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		is_variable |= !strncmp(line, starts[i], strlen(starts[i]));
	if (!is_variable)
		return NULL;
	const char *end = line + strcspn(line, "[=;\n");
	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	const char *name = end;
	while (name > line && (isalnum((unsigned char)name[-1]) || name[-1] == '_' || name[-1] == '$'))
		name--;
	return strndup(name, (size_t)(end - name));
}

/* Whether other files may see the variable: neither static nor in an unnamed namespace. */
static bool is_shared(const char *name)
{
	return strncmp(name, "_ZL", 3) != 0 && !strstr(name, "12_GLOBAL__N_1");
}

int cc_job_publish(struct job *job, const char *ptx, const char *object)
{
	if (job->order->dry_run)
		return DONE;
	char *text = cc_read_text(ptx, job->err);
	if (!text)
		return FAILED;
	struct words command = {0};
	words_add(&command, "objcopy");
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		char *name = variable_name(line);
		if (name && is_shared(name))
			words_add_all(&command, "--globalize-symbol", name, NULL);
		free(name);
	}
	words_add(&command, object);
	int code = command.count > 2 ? cc_job_run(job, &command) : DONE;
	words_free(&command);
	free(text);
	return code;
}
