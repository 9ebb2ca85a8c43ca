/* What the parts of program.h share. Private to src/record. */
#ifndef SLUICE_RECORD_PROGRAM_PARTS_H
#define SLUICE_RECORD_PROGRAM_PARTS_H

#include "base/files.h"
#include "record/program.h"

/* ---- program_key.c ---- */

/* Where the entry of a request belongs: CACHE/programs/NAME-DIGEST. `executable`: what will run. */
bool program_place(const struct program_request *request, const char *executable, char folder[PATH_MAX],
                   struct error *err);
/* CACHE/programs, made if need be. */
bool program_root(char root[PATH_MAX], struct error *err);
/* The file whose bytes are the program's standard input: its path, or /dev/null. */
const char *program_stdin(char path[PATH_MAX]);

/* ---- program_facts.c: what is known of a run, and the files it read ---- */

/* From the runtime's report; false: there is none. */
bool facts_read_report(struct program_run *run, const char *folder, struct error *err);
bool facts_write(const struct program_run *run, const char *folder, struct error *err);
/* False: no entry, or an input changed since. */
bool facts_read(struct program_run *run, const char *folder);

/* ---- program_inputs.c: what a program asked its surroundings ---- */

enum { INPUT_ANSWER_BYTES = 80 };
bool input_is_key(const char *key);
/* What `name` of that kind is now, in one word; false: no answer worth keeping. */
bool input_answer(const char *key, const char *name, char answer[INPUT_ANSWER_BYTES]);

/* ---- program_compile.c ---- */

/* The executable of a request for a .cu file, compiled unless it was before. */
bool program_compile(const struct program_request *request, char executable[PATH_MAX], struct error *err);

#endif
