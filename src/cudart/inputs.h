/* The files that the program opened, for SLUICE_RT_REPORT: a recording is good as long as they do not change. */
#ifndef SLUICE_CUDART_INPUTS_H
#define SLUICE_CUDART_INPUTS_H

#include <pthread.h>
#include <stdbool.h>

struct input {
	struct input *next;
	bool is_written; /* by the program, before it read it */
	char path[];     /* absolute */
};

struct input_list {
	pthread_mutex_t lock;       /* its own: a program may open files while a kernel runs */
	struct input *first, *last; /* in the order of opening */
};

#endif
