#include "base/trap.h"

#include <setjmp.h>
#include <stddef.h>

struct trap {
	jmp_buf back;
	struct trap *outer;
	enum trap_end end;
	struct error error;
};

/* The innermost trap_run() of each thread. */
static _Thread_local struct trap *current;

bool trap_is_set(void)
{
	return current != NULL;
}

void trap_spring(enum trap_end end, const char *text)
{
	struct trap *trap = current;
	if (!trap)
		return;
	trap->end = end;
	error_set(&trap->error, "%s", text);
	current = trap->outer;
	longjmp(trap->back, 1);
}

enum trap_end trap_run(void (*work)(void *argument), void *argument, struct error *err)
{
	struct trap trap = {.outer = current};
	if (setjmp(trap.back)) {
		error_set(err, "%s", trap.error.text);
		return trap.end;
	}
	current = &trap;
	work(argument);
	current = trap.outer;
	return TRAP_NONE;
}
