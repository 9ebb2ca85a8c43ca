/*
 * What the program asked its surroundings, for SLUICE_RT_REPORT: a recording is
 * good as long as the answers are the same.
 */
#ifndef SLUICE_CUDART_INPUTS_H
#define SLUICE_CUDART_INPUTS_H

#include <pthread.h>
#include <stdbool.h>

enum input_kind {
	INPUT_FILE,   /* opened */
	INPUT_ABSENT, /* asked for and not there */
	INPUT_SEEN,   /* asked for by stat() or access() */
	INPUT_FOLDER, /* listed */
	INPUT_KINDS
};
struct input {
	struct input *next;
	enum input_kind kind;
	bool is_written; /* by the program, before it read it */
	char path[];     /* absolute */
};

enum { VARIABLES_MAX = 256, VARIABLE_BYTES = 64 };

struct input_list {
	pthread_mutex_t lock;       /* its own: a program may open files while a kernel runs */
	struct input *first, *last; /* in the order of opening */
	/* Names of variables that were read. In place: a program's malloc() may ask for its settings. */
	char variable[VARIABLES_MAX][VARIABLE_BYTES];
	unsigned variable_count;
	const char *unrepeatable; /* what makes any two runs different: "popen"; NULL: nothing */
};

/* What is asked is wanted, and it is the program that asks, not we. */
bool inputs_are_noted(void);
/* A path relative to directory `at`, made absolute if it need be. Existing ones are resolved. */
void inputs_note(int at, const char *path, enum input_kind kind, bool is_written);
/* getenv() that takes no note. */
const char *inputs_variable(const char *name);

#endif
