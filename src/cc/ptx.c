/*
 * What happens to PTX between clang and the program: a check that it needs no
 * other file's device code unless -rdc=true allows that, and the limit of registers.
 */
#include <string.h>

#include "base/memory.h"
#include "cc/cc.h"

/* Functions that the runtime brings along. */
static bool is_provided(const char *name, size_t length)
{
	static const char *const whole[] = {"vprintf", "malloc", "free", "__assertfail"};
	static const char *const prefixes[] = {"__nv_", "__cxa_", "__sluice_"};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strlen(whole[i]) == length && !strncmp(name, whole[i], length))
			return true;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* ".extern .func  (.param .b32 func_retval0) name" or ".extern .func name": at the name. */
static const char *function_name(const char *at)
{
	at += strspn(at, " \t");
	if (*at == '(') {
		at += strcspn(at, ")");
		at += *at == ')';
	}
	return at + strspn(at, " \t\n");
}

bool cc_check_ptx(const char *ptx, const char *source, struct error *err)
{
	static const char func[] = ".extern .func";
	for (const char *at = ptx; (at = strstr(at, ".extern .")); at++) {
		if (at != ptx && at[-1] != '\n')
			continue;
		if (!strncmp(at, func, sizeof func - 1)) {
			const char *name = function_name(at + sizeof func - 1);
			size_t length = strcspn(name, " (\n;");
			if (!is_provided(name, length))
				return error_set(
				    err,
				    "%s: device function '%.*s' is defined in another file: compile the "
				    "program with -rdc=true, or include its definition",
				    source, (int)length, name);
		} else if (!strncmp(at, ".extern .global", 15) || !strncmp(at, ".extern .const", 14)) {
			int line = (int)strcspn(at, ";\n");
			return error_set(
			    err,
			    "%s: device variable of another file (%.*s): compile the program with "
			    "-rdc=true, or define it here",
			    source, line, at);
		}
	}
	return true;
}

/* Kernels that say how they are launched keep their own bounds, as with nvcc. */
static bool has_bounds(const char *from, const char *to)
{
	const char *bound = strstr(from, ".maxntid");
	const char *other = strstr(from, ".maxnreg");
	return (bound && bound < to) || (other && other < to);
}

char *cc_limit_registers(const char *ptx, unsigned registers)
{
	static const char entry[] = ".entry ";
	enum { ROOM = 24 };
	size_t count = 0;
	for (const char *at = ptx; (at = strstr(at, entry)); at++)
		count++;
	char *limited = memory_zeroed(strlen(ptx) + count * ROOM + 1, 1), *to = limited;
	const char *from = ptx;
	for (const char *at = ptx; (at = strstr(at, entry)); at++) {
		const char *body = strchr(at, '{');
		if (!body || has_bounds(at, body))
			continue;
		memcpy(to, from, (size_t)(body - from));
		to += body - from;
		to += snprintf(to, ROOM, ".maxnreg %u\n", registers);
		from = body;
	}
	memcpy(to, from, strlen(from) + 1);
	return limited;
}
