/*
 * NVRTC: `sluice cc -ptx` on a file in a folder of its own. The compiler is the
 * one in the folder of this library, in its ../bin, or in PATH. Left out: instances of
 * templates by name expressions, precompiled headers, link-time code.
 */
#define _GNU_SOURCE
#include "cudart/api.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"

struct _nvrtcProgram {
	char *source, *name;
	char **headers, **include_names;
	int header_count;
	char **expressions, **lowered;
	int expression_count;
	bool is_compiled;
	char *ptx, *log;
};

static char *copy_text(const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(memory_zeroed(bytes, 1), text, bytes);
}

const char *nvrtcGetErrorString(nvrtcResult result)
{
	static const char *const names[] = {"NVRTC_SUCCESS",
	                                    "NVRTC_ERROR_OUT_OF_MEMORY",
	                                    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
	                                    "NVRTC_ERROR_INVALID_INPUT",
	                                    "NVRTC_ERROR_INVALID_PROGRAM",
	                                    "NVRTC_ERROR_INVALID_OPTION",
	                                    "NVRTC_ERROR_COMPILATION",
	                                    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
	                                    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
	                                    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
	                                    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
	                                    "NVRTC_ERROR_INTERNAL_ERROR",
	                                    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
	                                    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
	                                    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
	                                    "NVRTC_ERROR_PCH_CREATE",
	                                    "NVRTC_ERROR_CANCELLED",
	                                    "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
	return (size_t)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
	if (!major || !minor)
		return NVRTC_ERROR_INVALID_INPUT;
	*major = 12;
	*minor = 0;
	return NVRTC_SUCCESS;
}

static const int architectures[] = {70, 75, 80, 86, 89, 90};

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
	if (!count)
		return NVRTC_ERROR_INVALID_INPUT;
	*count = (int)(sizeof architectures / sizeof *architectures);
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs)
{
	if (!archs)
		return NVRTC_ERROR_INVALID_INPUT;
	memcpy(archs, architectures, sizeof architectures);
	return NVRTC_SUCCESS;
}

/* ---- programs -------------------------------------------------------------------------------------------- */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count,
                               const char *const *headers, const char *const *include_names)
{
	if (!program || !source || header_count < 0 || (header_count && (!headers || !include_names)))
		return NVRTC_ERROR_INVALID_INPUT;
	struct _nvrtcProgram *p = memory_zeroed(1, sizeof *p);
	p->source = copy_text(source);
	p->name = copy_text(name && *name ? name : "default_program");
	p->headers = memory_zeroed((size_t)header_count + 1, sizeof *p->headers);
	p->include_names = memory_zeroed((size_t)header_count + 1, sizeof *p->include_names);
	for (; p->header_count < header_count; p->header_count++) {
		p->headers[p->header_count] = copy_text(headers[p->header_count]);
		p->include_names[p->header_count] = copy_text(include_names[p->header_count]);
	}
	*program = p;
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
	if (!program || !*program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	struct _nvrtcProgram *p = *program;
	for (int i = 0; i < p->header_count; i++) {
		free(p->headers[i]);
		free(p->include_names[i]);
	}
	for (int i = 0; i < p->expression_count; i++) {
		free(p->expressions[i]);
		free(p->lowered[i]);
	}
	free(p->headers);
	free(p->include_names);
	free(p->expressions);
	free(p->lowered);
	free(p->source);
	free(p->name);
	free(p->ptx);
	free(p->log);
	free(p);
	*program = NULL;
	return NVRTC_SUCCESS;
}

/* ---- compiling ------------------------------------------------------------------------------------------- */

static void find_compiler(char path[PATH_MAX])
{
	static const char *const places[] = {"/sluice", "/../bin/sluice"};
	Dl_info self;
	char folder[PATH_MAX];
	if (dladdr((void *)nvrtcVersion, &self) && realpath(self.dli_fname, folder)) {
		*strrchr(folder, '/') = '\0';
		for (size_t i = 0; i < sizeof places / sizeof *places; i++)
			if (snprintf(path, PATH_MAX, "%s%s", folder, places[i]) < PATH_MAX &&
			    access(path, X_OK) == 0)
				return;
	}
	snprintf(path, PATH_MAX, "sluice");
}

/* A file of the folder, whose name may have folders of its own. */
static bool write_file(const char *folder, const char *name, const char *text)
{
	char path[PATH_MAX];
	if (strstr(name, "..") || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
		return false;
	for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(path, 0700);
	}
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	bool ok = fputs(text, file) >= 0;
	return fclose(file) == 0 && ok;
}

/* The text of a file of the folder; "": it cannot be read. */
static char *read_file(const char *folder, const char *name)
{
	static const struct file_kind output = {"an output of the compiler", SIZE_MAX / 8};
	struct error err = {0};
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	char *text = read_whole_file(path, &output, NULL, &err);
	return text ? text : copy_text("");
}

/* What the child does: messages into a file, and the environment without what would make it a recorded program. */
static void run_compiler(char **command, const char *folder)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/log", folder);
	int log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	unsetenv("LD_PRELOAD");
	execvp(command[0], command);
	_exit(127);
}

static bool compile(const char *folder, int option_count, const char *const *options)
{
	char compiler[PATH_MAX], source[PATH_MAX], ptx[PATH_MAX];
	char **command = memory_zeroed((size_t)option_count + 10, sizeof *command);
	int n = 0, status;
	find_compiler(compiler);
	snprintf(source, sizeof source, "%s/program.cu", folder);
	snprintf(ptx, sizeof ptx, "%s/program.ptx", folder);
	char *const always[] = {compiler, "cc", "-ptx", "-rdc=true", "-I", (char *)folder, source, "-o", ptx};
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		command[n++] = always[i];
	for (int i = 0; i < option_count; i++)
		if (strcmp(options[i], "-default-device") &&
		    strcmp(options[i], "--device-as-default-execution-space"))
			command[n++] = (char *)options[i];
	pid_t child = fork();
	if (child == 0)
		run_compiler(command, folder);
	free(command);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_program(const struct _nvrtcProgram *p, const char *folder)
{
	bool ok = true;
	for (int i = 0; i < p->header_count; i++)
		ok = ok && write_file(folder, p->include_names[i], p->headers[i]);
	/* Messages name the program as its maker did. */
	size_t bytes = strlen(p->source) + strlen(p->name) + 32;
	char *text = memory_zeroed(bytes, 1);
	snprintf(text, bytes, "#line 1 \"%s\"\n%s\n", p->name, p->source);
	ok = ok && write_file(folder, "program.cu", text);
	free(text);
	return ok;
}

/* By another program: what this one opens would be noted as its input. */
static void discard(const char *folder)
{
	pid_t child = fork();
	if (child == 0) {
		execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

/* The kernel of that name, as it is or as C++ mangles it; NULL: there is none. */
static char *lowered_name(const char *ptx, const char *expression)
{
	char mangled[32];
	const char *plain = expression + (*expression == '&');
	size_t length = strlen(plain);
	snprintf(mangled, sizeof mangled, "_Z%zu", length);
	for (const char *at = ptx; (at = strstr(at, ".entry ")); at++) {
		const char *name = at + strlen(".entry ");
		size_t bytes = strcspn(name, "( \n");
		bool is_plain = bytes == length && !strncmp(name, plain, length);
		bool is_mangled = !strncmp(name, mangled, strlen(mangled)) &&
		                  !strncmp(name + strlen(mangled), plain, length);
		if (is_plain || is_mangled)
			return strndup(name, bytes);
	}
	return NULL;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options)
{
	char folder[] = "/tmp/sluice-nvrtc-XXXXXX";
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (option_count < 0 || (option_count && !options))
		return NVRTC_ERROR_INVALID_INPUT;
	if (!mkdtemp(folder))
		return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
	free(program->ptx);
	free(program->log);
	bool ok = write_program(program, folder) && compile(folder, option_count, options);
	program->log = read_file(folder, "log");
	program->ptx = ok ? read_file(folder, "program.ptx") : NULL;
	program->is_compiled = true;
	discard(folder);
	for (int i = 0; i < program->expression_count; i++) {
		free(program->lowered[i]);
		program->lowered[i] = ok ? lowered_name(program->ptx, program->expressions[i]) : NULL;
	}
	return ok ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

/* ---- results --------------------------------------------------------------------------------------------- */

static nvrtcResult give_size(const char *text, size_t *bytes)
{
	if (!bytes)
		return NVRTC_ERROR_INVALID_INPUT;
	*bytes = text ? strlen(text) + 1 : 1;
	return NVRTC_SUCCESS;
}

static nvrtcResult give_text(const char *text, char *to)
{
	if (!to)
		return NVRTC_ERROR_INVALID_INPUT;
	memcpy(to, text ? text : "", text ? strlen(text) + 1 : 1);
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes)
{
	return program && program->ptx ? give_size(program->ptx, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
	return program && program->ptx ? give_text(program->ptx, ptx) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
	return nvrtcGetPTXSize(program, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
	return nvrtcGetPTX(program, cubin);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
	return program ? give_size(program->log, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
	return program ? give_text(program->log, log) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!expression)
		return NVRTC_ERROR_INVALID_INPUT;
	if (program->is_compiled)
		return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
	size_t room = (size_t)program->expression_count + 1;
	program->expressions = memory_grow(program->expressions, room, sizeof *program->expressions);
	program->lowered = memory_grow(program->lowered, room, sizeof *program->lowered);
	program->expressions[program->expression_count] = copy_text(expression);
	program->lowered[program->expression_count++] = NULL;
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name)
{
	if (!program || !expression || !name)
		return NVRTC_ERROR_INVALID_INPUT;
	if (!program->is_compiled)
		return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
	for (int i = 0; i < program->expression_count; i++)
		if (!strcmp(program->expressions[i], expression) && program->lowered[i]) {
			*name = program->lowered[i];
			return NVRTC_SUCCESS;
		}
	return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
