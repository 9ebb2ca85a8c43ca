/* Advice as JSON: the verdict, the evidence, and every run with its counters. */
#include <stdlib.h>
#include <string.h>

#include "study/advise/advise.h"

enum { JSON_VERSION = 1 };

static const char *const kinds[] = {[ADVISE_BASELINE] = "baseline",
                                    [ADVISE_LIMIT] = "limit",
                                    [ADVISE_WHAT_IF] = "what-if",
                                    [ADVISE_MECHANISM] = "mechanism"};

static json_t *evidence_json(const struct advise_evidence *e)
{
	const struct {
		const char *name;
		double value;
	} fields[] = {{"perfect_l1", e->perfect_l1},
	              {"unbounded", e->unbounded},
	              {"interference_free", e->interference_free},
	              {"min", e->min},
	              {"set_index", e->set_index},
	              {"mshrs", e->mshrs},
	              {"l2_bandwidth", e->l2},
	              {"dram_bandwidth", e->dram},
	              {"latency", e->latency},
	              {"idle_share", e->idle},
	              {"issue_share", e->issue},
	              {"pipe_share", e->pipes},
	              {"barrier_share", e->barriers},
	              {"arithmetic_share", e->arithmetic},
	              {"smem_passes_per_cycle", e->smem},
	              {"smem_conflict_share", e->smem_conflicts}};
	json_t *object = json_object();
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		json_object_set_new(object, fields[i].name, json_number(fields[i].value));
	return object;
}

static json_t *verdict_json(const struct advise_report *r)
{
	const struct advise_run *best = r->best;
	bool helps = best && best->speedup >= 1 + ADVISE_NOTICEABLE;
	char *text = advise_sentences(r);
	json_t *object = json_object();
	json_object_set_new(object, "bound", json_string(advise_bound_names[r->verdict.bound]));
	json_object_set_new(object, "speedup_without", json_number(r->verdict.relaxed));
	json_object_set_new(object, "possible_speedup", json_number(r->verdict.possible));
	json_object_set_new(object, "helps", json_boolean(helps));
	json_object_set_new(object, "family", helps ? json_string(best->entry->family) : json_null());
	json_object_set_new(object, "policy", helps ? json_text(best->chain) : json_null());
	json_object_set_new(object, "speedup", best ? json_number(best->speedup) : json_null());
	json_object_set_new(object, "share_of_possible",
	                    best ? json_number(advise_share(best->speedup, r->verdict.possible))
	                         : json_null());
	json_object_set_new(object, "text", json_text(text));
	free(text);
	return object;
}

static json_t *run_json(const struct advise_report *r, size_t i)
{
	const struct advise_run *run = &r->plan[i];
	json_t *object = json_object();
	json_object_set_new(object, "name", json_string(run->entry->name));
	json_object_set_new(object, "kind", json_string(kinds[run->entry->kind]));
	if (run->entry->family)
		json_object_set_new(object, "family", json_string(run->entry->family));
	json_object_set_new(object, "what", json_string(run->entry->what));
	json_object_set_new(object, "policy", json_text(run->chain));
	if (run->left_out[0]) {
		json_object_set_new(object, "left_out", json_text(run->left_out));
		return object;
	}
	char changes[ADVISE_CHANGES_MAX][ADVISE_CHANGE_SIZE];
	size_t count = advise_relax(run->entry, r->facts->machine, changes);
	json_t *list = json_array();
	for (size_t k = 0; k < count; k++)
		json_array_append_new(list, json_string(changes[k]));
	json_object_set_new(object, "machine_changes", list);
	json_object_set_new(object, "speedup", json_number(run->speedup));
	json_object_set_new(object, "share_of_possible",
	                    json_number(advise_share(run->speedup, r->verdict.possible)));
	json_object_set(object, "status", json_object_get(r->runs[i].result, "status"));
	json_object_set(object, "total", json_object_get(r->runs[i].result, "total"));
	return object;
}

static json_t *line_json(const struct advise_line *line)
{
	return json_pack("{s:o, s:o, s:s, s:s, s:I, s:I, s:I}", "kernel", json_text(line->kernel),
	                 "source_line", line->line ? json_integer(line->line) : json_null(), "pc", line->pc,
	                 "opcode", line->opcode, "l1_missed_sectors", (json_int_t)line->missed,
	                 "avoidable_sectors", (json_int_t)line->avoidable, "interference_sectors",
	                 (json_int_t)line->interference);
}

json_t *advise_json(const struct advise_report *r)
{
	json_t *root = json_object(), *runs = json_array(), *lines = json_array();
	for (size_t i = 0; i < r->count; i++)
		json_array_append_new(runs, run_json(r, i));
	for (size_t i = 0; i < r->lines; i++)
		json_array_append_new(lines, line_json(&r->line[i]));
	json_object_set_new(root, "format", json_string("sluice advise"));
	json_object_set_new(root, "version", json_integer(JSON_VERSION));
	json_object_set_new(root, "run", compare_facts_json(r->facts));
	json_object_set_new(root, "verdict", verdict_json(r));
	json_object_set_new(root, "evidence", evidence_json(&r->evidence));
	json_object_set_new(root, "lines", lines);
	json_object_set_new(root, "runs", runs);
	json_object_set_new(root, "definitions", json_definitions());
	return root;
}

char *advise_write_json(const struct advise_report *r)
{
	return json_finish(advise_json(r));
}
