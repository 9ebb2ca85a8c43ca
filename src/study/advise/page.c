/* The poster of `sluice advise --html`: the JSON document, the source lines' text, and what to do next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/page.h"
#include "study/advise/advise.h"

enum { TEXT_BYTES = 200 };

/* What a programmer or an architect tries first against each bound. */
static const char *const remedies[ADVISE_BOUNDS] = {
    [ADVISE_OCCUPANCY] =
        "Give the machine more work at once: a larger grid, smaller CTAs, several kernels side by side, or a "
        "loop over elements split among more threads.",
    [ADVISE_ISSUE] =
        "Do the same with fewer instructions: wider loads, less index arithmetic, the matrix unit. Mechanisms "
        "of the memory hierarchy cannot help.",
    [ADVISE_SHARED_BANKS] =
        "Change the layout in shared memory: a row of padding or a swizzle so that the lanes of a warp "
        "reach different banks.",
    [ADVISE_BARRIERS] =
        "Synchronize less or in smaller groups, and give warps equal work between two barriers.",
    [ADVISE_CONFLICT] =
        "Change the stride of the arrays (padding), or the index of the sets: `xor` and `pric` hash it.",
    [ADVISE_CAPACITY] =
        "Make the working set smaller: fewer warps at once, tiles that fit, loads that bypass L1 where data "
        "are not used again.",
    [ADVISE_MSHRS] = "Ask for fewer lines at once: coalesce accesses, load wider, let fewer warps run.",
    [ADVISE_L2] =
        "Move fewer sectors through L2: coalesce, keep reused data in shared memory or registers, merge neighbouring "
        "accesses.",
    [ADVISE_DRAM] = "Move fewer bytes: smaller types, fused kernels, tiles that stay in L2.",
    [ADVISE_LATENCY] =
        "Have more loads in flight: more warps per SM (fewer registers, smaller CTAs), independent loads before "
        "their first use, asynchronous copies.",
    [ADVISE_DEPENDENCE] =
        "Have more independent instructions: more warps per SM, unrolled loops, several accumulators.",
    [ADVISE_OTHER] =
        "Look at the stall reasons over time and by source line: no single resource explains the time.",
};

/* Return the text of a line of a file, without its end; NULL: it has none. */
static json_t *line_text(const char *path, uint32_t wanted)
{
	FILE *file = path && wanted ? fopen(path, "re") : NULL;
	char *text = NULL;
	size_t capacity = 0;
	json_t *found = NULL;
	for (uint32_t line = 1; file && !found && getline(&text, &capacity, file) > 0; line++)
		if (line == wanted) {
			text[strcspn(text, "\r\n")] = '\0';
			if (strlen(text) > TEXT_BYTES)
				text[TEXT_BYTES] = '\0';
			found = json_text(text + strspn(text, " \t"));
		}
	free(text);
	if (file)
		fclose(file);
	return found;
}

static void add_step(json_t *steps, const char *what, const char *command)
{
	json_t *step = json_pack("{s:o}", "what", json_text(what));
	if (command)
		json_object_set_new(step, "command", json_text(command));
	json_array_append_new(steps, step);
}

static json_t *steps_json(const struct advise_report *r)
{
	const struct compare_facts *facts = r->facts;
	json_t *steps = json_array();
	char command[1024];
	add_step(steps, remedies[r->verdict.bound], NULL);
	snprintf(command, sizeof command, "sluice run %s --machine %s --html page.html", r->operand,
	         facts->machine->name);
	add_step(steps, "See it over time, on the roofline, and by source line and instruction:", command);
	if (!r->best || !(r->best->speedup >= 1 + ADVISE_NOTICEABLE))
		return steps;
	snprintf(command, sizeof command,
	         "sluice compare %s --machine %s --policy gto --policy %s --html compared.html", r->operand,
	         facts->machine->name, r->best->chain);
	add_step(steps, "See why the best mechanism helps:", command);
	add_step(steps, "Write a mechanism of your own, and compare it with these (docs/own-policy.md):",
	         "sluice policy new mine");
	return steps;
}

char *advise_write_page(const struct advise_report *r)
{
	json_t *root = advise_json(r), *line, *lines = json_object_get(root, "lines");
	size_t i;
	json_array_foreach(lines, i, line)
	{
		json_t *text = line_text(r->source, r->line[i].line);
		if (text)
			json_object_set_new(line, "text", text);
	}
	json_object_set_new(root, "missed_sectors", json_integer((json_int_t)r->missed));
	json_object_set_new(root, "bound", json_string(advise_bound_words[r->verdict.bound]));
	json_object_set_new(root, "steps", steps_json(r));
	char *data = json_dumps(root, JSON_COMPACT), *page = page_write(PAGE_ADVISE, data);
	free(data);
	json_decref(root);
	return page;
}
