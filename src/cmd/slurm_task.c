/* sluice slurm-task: what a task of an array job runs on its node. Not for people. */
#include <stdio.h>

#include "base/args.h"
#include "cmd/cmd.h"
#include "slurm/slurm.h"

int cmd_slurm_task(int argc, char **argv)
{
	struct error err = {{0}};
	uint64_t task;
	bool ok =
	    argc == 3
	        ? args_read_number("the task", argv[2], 0, 1000000, &task, &err) &&
	              slurm_task(argv[1], (unsigned)task, &err)
	        : error_set(&err, "expected a folder and a number; 'sluice reproduce --slurm' starts it");
	if (ok)
		return 0;
	fprintf(stderr, "sluice slurm-task: %s\n", err.text);
	return 2;
}
