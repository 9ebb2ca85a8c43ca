/*
 * For callers that must survive internal errors, such as a program that loaded libsluice.so: inside trap_run(), BUG() and
 * running out of memory end the work instead of the process. Memory, locks and open files of the work are not
 * released, and its temporary files stay until cleanup_now() or the next cache_collect(): this is a last resort, no way
 * to report ordinary errors.
 */
#ifndef SLUICE_BASE_TRAP_H
#define SLUICE_BASE_TRAP_H

#include <stdbool.h>

#include "base/error.h"

enum trap_end { TRAP_NONE, TRAP_BUG, TRAP_MEMORY };

/* Call work(argument). Return TRAP_NONE if it returned; else err says what ended it. The innermost trap_run() catches. */
enum trap_end trap_run(void (*work)(void *argument), void *argument, struct error *err);
/* Return whether this thread is inside trap_run(). */
bool trap_is_set(void);
/* End the work of this thread's trap_run(); return if there is none. */
void trap_spring(enum trap_end end, const char *text);

#endif
