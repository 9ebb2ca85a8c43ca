/* What the parts of program.h share. Private to src/lab/program/program*.c. */
#ifndef SLUICE_LAB_PROGRAM_PARTS_H
#define SLUICE_LAB_PROGRAM_PARTS_H

#include "lab/program/program.h"

/* ---- program_process.c: children ---- */

struct child {
	char *const *argv;                                  /* argv[0]: the file to execute */
	const char *stdin_path, *stdout_path, *stderr_path; /* NULL: ours */
	bool merges_output; /* standard output goes where standard error goes */
	int end_signal;     /* when we are gone before it; 0: SIGKILL */
	const char *const
	    *env; /* pairs of name and value; a NULL value takes the variable away; ends with NULL */
	bool (*go_on)(
	    void *user); /* asked several times a second; false ends it, and child_run() fails; or NULL */
	void *user;
};
struct child_end {
	int status; /* as shells count: exit code, or 128 + signal */
	int signal; /* 0: none */
};
bool child_run(const struct child *child, struct child_end *end, struct error *err);

/* ---- program_files.c ---- */

struct digest {
	uint64_t low, high;
};
bool file_digest(const char *path, struct digest *digest, uint64_t *bytes, struct error *err);
void digest_text(const struct digest *digest, char text[33]);
bool path_join(char to[PATH_MAX], const char *folder, const char *name, struct error *err);
void remove_folder(const char *path);
/* A new empty folder inside `parent`, its name in `to`. */
bool make_temporary(const char *parent, char to[PATH_MAX], struct error *err);
/* Puts folder `from` in place of `to`, whatever was there. */
bool replace_folder(const char *from, const char *to, struct error *err);

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
