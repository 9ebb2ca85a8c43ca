/* What the files of src/record share. Private to src/record. */
#ifndef SLUICE_RECORD_PARTS_H
#define SLUICE_RECORD_PARTS_H

#include "base/files.h"
#include "record/program.h"

/* Find CACHE/programs, creating it if need be. */
bool program_root(char root[PATH_MAX], struct error *err);

/* Read the counts of the runtime's report into *run; false if there is no report. */
bool facts_read_report(struct program_run *run, const char *folder);
/* Write the file "facts" of an entry: the run, and what the program asked its surroundings, with today's answers. */
bool facts_write(const struct program_run *run, const char *folder, struct error *err);
/* Read it; false if there is no entry or one of the answers is another one now. */
bool facts_read(struct program_run *run, const char *folder);

/* Find the executable of a request for a .cu file, compiled unless it is up to date. */
bool program_compile(const struct program_request *request, char executable[PATH_MAX], struct error *err);

#endif
