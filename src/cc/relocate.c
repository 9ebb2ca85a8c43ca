/*
 * Device variables that other files may use: the host knows each by an object
 * of the same name, which clang keeps to its file unless device code is linked
 * as NVIDIA's tools do it. objcopy makes it known to the others.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cc/job.h"

/* variable ::= ".visible" space ... name ("[" ... "]")* ("=" values)? ";" : the name in a copy, NULL: another line. */
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

/* Static ones, and those of unnamed namespaces, stay their file's. */
static bool is_shared(const char *name)
{
	return strncmp(name, "_ZL", 3) != 0 && !strstr(name, "12_GLOBAL__N_1");
}

int cc_job_publish(struct job *job, const char *ptx, const char *object)
{
	if (job->order->dry_run)
		return DONE;
	char *text = cc_read_file(ptx, &job->error);
	if (!text)
		return FAILED;
	struct words command = {0};
	words_add(&command, "objcopy");
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		char *name = variable_name(line);
		if (name && is_shared(name)) {
			words_add(&command, "--globalize-symbol");
			words_add(&command, name);
		}
		free(name);
	}
	words_add(&command, object);
	int code = command.count > 2 ? cc_job_run(job, &command) : DONE;
	words_free(&command);
	free(text);
	return code;
}
