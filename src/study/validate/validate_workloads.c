/*
 * Validation of workloads: a folder with workloads.tsv has no traces but names
 * of workloads, which are compiled and recorded here, at size small. Only
 * launches that have a row are simulated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "record/program.h"
#include "study/validate/validate.h"
#include "workload/target.h"

bool validate_has_workloads(const char *dir, char path[PATH_MAX])
{
	struct stat st;
	return (size_t)snprintf(path, PATH_MAX, "%s/workloads.tsv", dir) < PATH_MAX && !stat(path, &st);
}

bool validate_list_workloads(struct validation *v, const char *only, struct error *err)
{
	struct programs all = {0};
	v->recorded = true;
	for (size_t i = 0; i < v->hardware.count; i++)
		programs_add(&all, v->hardware.row[i].program, "");
	if (!programs_finish(&all, v->hardware.path, only, err))
		return false;
	v->programs = all;
	return true;
}

/* Compiles, runs and records it, or finds what was recorded before. */
static bool record(struct program *program, const struct workloads *workloads, const char *machine,
                   struct error *err)
{
	struct target target;
	struct program_run run;
	char path[PATH_MAX], *words[] = {"--size", "small"};
	if (!target_find_workload(&target, workloads, program->name, words, 2, err))
		return false;
	const struct program_request request = {
	    .path = target.path, .args = target.args, .arg_count = target.arg_count, .machine = machine};
	bool ok = program_record(&request, &run, err);
	if (ok && run.exit_status)
		ok = error_set(err, "workload %s ended with status %d", program->name, run.exit_status);
	else if (ok && run.fault[0])
		ok = error_set(err, "workload %s: a launch ended early: %s", program->name, run.fault);
	if (ok) {
		free(program->path);
		program->path = memory_text(program_file(&run, "trace.sluice", path));
	}
	target_free(&target);
	return ok;
}

bool validate_record(struct validation *v, const char *machine,
                     void (*progress)(void *user, const char *program), void *user, struct error *err)
{
	struct workloads workloads;
	if (!v->recorded)
		return true;
	if (!workloads_load(&workloads, err))
		return false;
	bool ok = true;
	for (size_t i = 0; ok && i < v->programs.count; i++) {
		if (progress)
			progress(user, v->programs.program[i].name);
		ok = record(&v->programs.program[i], &workloads, machine, err);
	}
	workloads_free(&workloads);
	return ok;
}

/* Launches that have a row; all of a traced program's. */
struct kernels validate_launches(const struct validation *v, const char *program)
{
	struct kernels kernels = {0};
	for (size_t i = 0; v->recorded && i < v->hardware.count && kernels.count < KERNELS_MAX_RANGES; i++)
		if (!strcmp(v->hardware.row[i].program, program)) {
			uint64_t number = v->hardware.row[i].launch + UINT64_C(1);
			/* Rows of one program in their order are one range, however many there are. */
			if (kernels.count && kernels.range[kernels.count - 1].last + 1 == number) {
				kernels.range[kernels.count - 1].last = number;
				continue;
			}
			kernels.range[kernels.count].first = kernels.range[kernels.count].last = number;
			kernels.count++;
		}
	return kernels;
}
