/* SLUICE_RT_REPORT: what sluice needs to know about the program's run, as key=value lines. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cudart/state.h"

/* A value is one line. */
static void write_text(FILE *file, const char *key, const char *text)
{
	fprintf(file, "%s=", key);
	for (; *text; text++)
		fputc(*text == '\n' ? ' ' : *text, file);
	fputc('\n', file);
}

static void write_inputs(FILE *file, const struct input_list *inputs)
{
	static const char *const keys[INPUT_KINDS] = {[INPUT_FILE] = "input",
	                                              [INPUT_ABSENT] = "absent",
	                                              [INPUT_SEEN] = "seen",
	                                              [INPUT_FOLDER] = "folder"};
	for (const struct input *input = inputs->first; input; input = input->next)
		if (!input->is_written)
			write_text(file, keys[input->kind], input->path);
	for (unsigned i = 0; i < inputs->variable_count; i++)
		write_text(file, "variable", inputs->variable[i]);
	if (inputs->unrepeatable)
		write_text(file, "unrepeatable", inputs->unrepeatable);
}

/* Which instructions are of which source file; a line each. */
static void write_sources(FILE *file, const char *sources)
{
	for (const char *at = sources; at && *at; at += strcspn(at, "\n") + 1)
		fprintf(file, "source=%.*s\n", (int)strcspn(at, "\n"), at);
}

void report_write(const struct runtime *rt, const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file) {
		runtime_say("%s: %s", path, strerror(errno));
		return;
	}
	fprintf(file, "launches=%" PRIu64 "\n", rt->totals.launches);
	fprintf(file, "ctas=%" PRIu64 "\n", rt->totals.ctas);
	fprintf(file, "warp_insns=%" PRIu64 "\n", rt->totals.warp_insns);
	fprintf(file, "races=%" PRIu64 "\n", rt->totals.races);
	fprintf(file, "elapsed_time_read=%d\n", rt->elapsed_time_read);
	if (rt->fault.text[0])
		write_text(file, "fault", rt->fault.text);
	write_inputs(file, &rt->inputs);
	write_sources(file, rt->sources);
	bool failed = ferror(file) != 0;
	if (fclose(file) || failed)
		runtime_say("%s: cannot be written", path);
}
