/*
 * A caller that must survive us: inside trap_run(), what ends the process
 * elsewhere (BUG(), no memory) ends the work alone. What the work had allocated
 * or locked stays so; such an end is no way of life.
 */
#ifndef SLUICE_BASE_TRAP_H
#define SLUICE_BASE_TRAP_H

#include <stdbool.h>

#include "base/error.h"

enum trap_end { TRAP_NONE, TRAP_BUG, TRAP_MEMORY };

/* Calls work(argument). TRAP_NONE: it returned; else err says what ended it. Of nested ones, the inner one catches. */
enum trap_end trap_run(void (*work)(void *argument), void *argument, struct error *err);
/* This thread is inside trap_run(). */
bool trap_is_set(void);
/* Ends the work of this thread's trap_run(); returns if there is none. */
void trap_spring(enum trap_end end, const char *text);

#endif
