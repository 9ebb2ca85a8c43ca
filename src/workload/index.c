/* workloads/index.yaml into a table. Every key is known, typed and ranged; what is not gets file, line and column. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/installation.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "workload/workload.h"
#include "yaml/tree.h"

enum { INDEX_BYTES_MAX = 1 << 20 }; /* an index is some dozen kilobytes; more is some other file */

static const char *const ciao_classes[] = {"LWS", "SWS", "CI", NULL};
static const char *const osm_classes[] = {"1", "2", "3", NULL};
static const char *const tian_classes[] = {"memory", "compute", NULL};
static const char *const khairy_classes[] = {"streaming", "large-l2",           "streaming-l1", "conflict",
                                             "thrashing", "thrashing+conflict", "friendly",     NULL};
static const char *const no_classes[] = {NULL};

const struct workload_paper_info workload_papers[PAPER_COUNT] = {
    [PAPER_CIAO] = {"ciao", "gtx480-ciao", "CIAO (Zhang et al., IPDPS 2018)", ciao_classes},
    [PAPER_OSM] = {"osm", "v100-osm-paper", "OSM (Darabi et al., TPDS 2022)", osm_classes},
    [PAPER_LCM] = {"lcm", "gtx780-lcm", "LCM (Fang et al., Micromachines 2021)", no_classes},
    [PAPER_TIAN] = {"tian", "gcn-tian", "Tian et al. (GPGPU-8, 2015)", tian_classes},
    [PAPER_KHAIRY] = {"khairy", "gtx480-khairy", "Khairy (thesis, Cairo 2015)", khairy_classes},
};

const struct workload_fact_info workload_facts[FACT_COUNT] = {
    [FACT_CLASS] = {"class", "what the paper counts it among", 0},
    [FACT_APKI] = {"apki", "line requests to L1 per 1000 thread instructions", 100000},
    [FACT_MEMORY_INTENSITY] = {"memory_intensity", "global accesses per 1000 warp instructions", 1000},
    [FACT_N_WARP] = {"n_warp", "active warps per SM of the best static limit", 64},
    [FACT_F_SMEM_PERCENT] = {"f_smem_percent", "share of 48 KB of shared memory in use", 100},
    [FACT_SMEM_KB] = {"smem_kb", "shared memory of an SM that CTAs take, as the carve-out knows it", 96},
    [FACT_BARRIERS] = {"barriers", "whether it has CTA barriers", 1},
    [FACT_FOOTPRINT_KB] = {"footprint_kb", "distinct memory that an SM touches", 1e9},
    [FACT_SMS] = {"sms", "SMs that get a CTA of the longest launch", 1024},
    [FACT_L1_GAIN_PERCENT] = {"l1_gain_percent",
                              "IPC that L1 gains as large as the whole array, beside shared memory", 1000},
};

/* Whose values go where. */
struct reading {
	const char *file;
	struct error *err;
};

/* ---- messages ------------------------------------------------------------------------------------------------ */

static bool fail_value(const struct reading *t, const struct tree_node *node, const char *wanted)
{
	char clip[CLIP_SIZE];
	const char *found = node->kind == TREE_LIST  ? "a list"
	                    : node->kind == TREE_MAP ? "a group of keys"
	                    : *node->text            ? clip_text(clip, node->text)
	                                             : "nothing";
	return error_at(t->err, t->file, node->line, node->column, "expected %s for %s, found %s", wanted,
	                node->name ? node->name : "an entry of a list", found);
}

static bool fail_unknown(const struct reading *t, const struct tree_node *node, const char *what,
                         const char *const *known, size_t count)
{
	char clip[CLIP_SIZE];
	struct suggest near = suggest_start(node->name);
	for (size_t i = 0; i < count; i++)
		suggest_offer(&near, known[i]);
	return error_at(t->err, t->file, node->name_line, node->name_column, "unknown %s '%s'%s%s%s", what,
	                clip_text(clip, node->name), near.best ? "; did you mean '" : "",
	                near.best ? near.best : "", near.best ? "'?" : "");
}

static bool refuse_duplicate(const struct reading *t, const struct tree_node *map,
                             const struct tree_node *node)
{
	const struct tree_node *first = tree_find(map, node->name);
	char clip[CLIP_SIZE];
	return first == node || error_at(t->err, t->file, node->name_line, node->name_column,
	                                 "'%s' is given twice; first on line %" PRIu64,
	                                 clip_text(clip, node->name), first->name_line);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* One line without control characters, which terminals would obey. */
static bool read_text(const struct reading *t, const struct tree_node *node, char **text)
{
	bool ok = node->kind == TREE_SCALAR && *node->text;
	for (const char *at = ok ? node->text : ""; *at; at++)
		ok = ok && (unsigned char)*at >= 0x20 && *at != 0x7f;
	if (!ok)
		return fail_value(t, node, "one line of text");
	*text = memory_text(node->text);
	return true;
}

static bool read_number(const struct reading *t, const struct tree_node *node, double max, double *value)
{
	char wanted[64], *end = NULL;
	snprintf(wanted, sizeof wanted, "a number from 0 to %.0f", max);
	bool ok = node->kind == TREE_SCALAR && strchr("0123456789.", node->text[0]);
	*value = ok ? strtod(node->text, &end) : NAN;
	ok = ok && end != node->text && !*end && isfinite(*value) && *value >= 0 && *value <= max;
	return ok || fail_value(t, node, wanted);
}

static bool read_yes_no(const struct reading *t, const struct tree_node *node, double *value)
{
	if (node->kind != TREE_SCALAR || (strcmp(node->text, "yes") && strcmp(node->text, "no")))
		return fail_value(t, node, "yes or no");
	*value = !strcmp(node->text, "yes");
	return true;
}

static bool read_class(const struct reading *t, const struct tree_node *node, struct workload_published *row)
{
	const struct workload_paper_info *paper = &workload_papers[row->paper];
	char wanted[160] = "nothing (the paper has no classes)";
	for (const char *const *class = paper->classes; *class; class ++) {
		if (node->kind == TREE_SCALAR && !strcmp(node->text, *class))
			return read_text(t, node, &row->class);
		size_t used = class == paper->classes ? 0 : strlen(wanted);
		snprintf(wanted + used, sizeof wanted - used, "%s%s", used ? ", " : "one of ", *class);
	}
	return fail_value(t, node, wanted);
}

/* ---- one paper's row ----------------------------------------------------------------------------------------- */

enum { ROW_TEXTS = 7, ROW_KEYS = ROW_TEXTS + FACT_COUNT - 1 };

/* All keys of a row, for suggestions: class is among the metrics. */
static void row_keys(const char *keys[ROW_KEYS])
{
	static const char *const texts[ROW_TEXTS] = {"paper",         "as",   "input", "arguments", "reason",
	                                             "stops_after_m", "class"};
	memcpy(keys, texts, sizeof texts);
	for (int i = 1; i < FACT_COUNT; i++)
		keys[ROW_TEXTS + i - 1] = workload_facts[i].name;
}

static int fact_of(const char *name)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (!strcmp(workload_facts[i].name, name))
			return i;
	return -1;
}

static bool is_published(const struct workload_published *row, int fact)
{
	return fact == FACT_CLASS ? row->class != NULL : !isnan(row->value[fact]);
}

/* reason: {apki: "why", class: "why"} */
static bool read_reasons(const struct reading *t, const struct tree_node *map, struct workload_published *row)
{
	const char *keys[ROW_KEYS];
	if (map->kind != TREE_MAP)
		return fail_value(t, map, "{characteristic: \"why it cannot be met\"}");
	row_keys(keys);
	for (const struct tree_node *node = map->first; node; node = node->next) {
		int fact = fact_of(node->name);
		if (fact < 0)
			return fail_unknown(t, node, "characteristic", keys + ROW_TEXTS - 1, FACT_COUNT);
		if (!is_published(row, fact))
			return error_at(t->err, t->file, node->name_line, node->name_column,
			                "a reason for '%s', which this row does not publish", node->name);
		if (!refuse_duplicate(t, map, node) || !read_text(t, node, &row->reason[fact]))
			return false;
	}
	return true;
}

static bool read_fact(const struct reading *t, const struct tree_node *node, struct workload_published *row)
{
	int fact = fact_of(node->name);
	const char *keys[ROW_KEYS];
	row_keys(keys);
	if (fact < 0)
		return fail_unknown(t, node, "key", keys, ROW_KEYS);
	if (fact == FACT_CLASS)
		return read_class(t, node, row);
	if (fact == FACT_BARRIERS)
		return read_yes_no(t, node, &row->value[fact]);
	return read_number(t, node, workload_facts[fact].max, &row->value[fact]);
}

static bool read_key(const struct reading *t, const struct tree_node *node, struct workload_published *row)
{
	if (!strcmp(node->name, "paper") || !strcmp(node->name, "reason"))
		return true; /* the first, and the last to be read */
	if (!strcmp(node->name, "stops_after_m"))
		return read_number(t, node, 1e6, &row->stops_after_m);
	char **text = !strcmp(node->name, "as")          ? &row->as
	              : !strcmp(node->name, "input")     ? &row->input
	              : !strcmp(node->name, "arguments") ? &row->arguments
	                                                 : NULL;
	return text ? read_text(t, node, text) : read_fact(t, node, row);
}

static bool read_paper(const struct reading *t, const struct tree_node *map, enum workload_paper *paper)
{
	const struct tree_node *node = tree_find(map, "paper");
	if (!node)
		return error_at(t->err, t->file, map->line, map->column, "a row without its paper");
	for (int i = 0; i < PAPER_COUNT; i++)
		if (node->kind == TREE_SCALAR && !strcmp(node->text, workload_papers[i].name)) {
			*paper = (enum workload_paper)i;
			return true;
		}
	return fail_value(t, node, "ciao, osm, lcm, tian or khairy");
}

static bool read_row(const struct reading *t, const struct tree_node *map, struct workload_published *row)
{
	for (int i = 0; i < FACT_COUNT; i++)
		row->value[i] = NAN;
	row->stops_after_m = NAN;
	if (map->kind != TREE_MAP)
		return fail_value(t, map, "{paper: ..., as: ...}");
	if (!read_paper(t, map, &row->paper))
		return false;
	for (const struct tree_node *node = map->first; node; node = node->next)
		if (!refuse_duplicate(t, map, node) || !read_key(t, node, row))
			return false;
	const struct tree_node *reasons = tree_find(map, "reason");
	if (reasons && !read_reasons(t, reasons, row))
		return false;
	return row->as || error_at(t->err, t->file, map->line, map->column,
	                           "a row without the paper's name for it ('as')");
}

static bool read_published(const struct reading *t, const struct tree_node *list, struct workload *workload)
{
	if (list->kind != TREE_LIST || !list->first)
		return fail_value(t, list, "a list of papers' rows");
	for (const struct tree_node *node = list->first; node; node = node->next) {
		size_t n = workload->published_count;
		workload->published = memory_grow(workload->published, n + 1, sizeof *workload->published);
		workload->published[n] = (struct workload_published){.as = NULL};
		workload->published_count++;
		if (!read_row(t, node, &workload->published[n]))
			return false;
		for (size_t i = 0; i < n; i++)
			if (workload->published[i].paper == workload->published[n].paper)
				return error_at(t->err, t->file, node->line, node->column,
				                "a second row of %s",
				                workload_papers[workload->published[n].paper].name);
	}
	return true;
}

/* ---- workloads ----------------------------------------------------------------------------------------------- */

static bool read_workload(const struct reading *t, const struct tree_node *map, struct workload *workload)
{
	static const char *const keys[] = {"group", "about", "suite", "published"};
	char **const texts[] = {&workload->group, &workload->about, &workload->suite};
	workload->name = memory_text(map->name);
	workload->line = map->name_line;
	if (!workload_name_ok(map->name))
		return error_at(t->err, t->file, map->name_line, map->name_column,
		                "a workload's name has letters, digits, '+', '_' and '-'");
	if (map->kind != TREE_MAP)
		return fail_value(t, map, "group, about, suite and, of a paper's, published");
	for (const struct tree_node *node = map->first; node; node = node->next) {
		size_t i = 0;
		while (i < 4 && strcmp(node->name, keys[i]))
			i++;
		if (i == 4)
			return fail_unknown(t, node, "key", keys, 4);
		if (!refuse_duplicate(t, map, node) ||
		    !(i < 3 ? read_text(t, node, texts[i]) : read_published(t, node, workload)))
			return false;
	}
	/* A program of today is in no paper's table. */
	for (size_t i = 0; i < 3; i++)
		if (!*texts[i])
			return error_at(t->err, t->file, map->name_line, map->name_column,
			                "workload '%s' is missing '%s'", map->name, keys[i]);
	return true;
}

static bool read_root(const struct reading *t, const struct tree_node *root, struct workloads *workloads)
{
	static const char *const keys[] = {"workloads"};
	const struct tree_node *list = tree_find(root, "workloads");
	for (const struct tree_node *node = root->first; node; node = node->next)
		if (strcmp(node->name, "workloads"))
			return fail_unknown(t, node, "key", keys, 1);
		else if (!refuse_duplicate(t, root, node))
			return false;
	if (!list || list->kind != TREE_MAP || !list->first)
		return error_at(t->err, t->file, list ? list->line : 1, 0,
		                "expected 'workloads:' with a workload under it");
	for (const struct tree_node *node = list->first; node; node = node->next) {
		workloads->list = memory_grow(workloads->list, workloads->count + 1, sizeof *workloads->list);
		struct workload *workload = &workloads->list[workloads->count++];
		*workload = (struct workload){.name = NULL};
		if (!refuse_duplicate(t, list, node) || !read_workload(t, node, workload))
			return false;
	}
	return true;
}

bool workloads_parse(struct workloads *workloads, const char *file, const char *text, size_t length,
                     struct error *err)
{
	const struct reading t = {.file = file, .err = err};
	*workloads = (struct workloads){.folder = ""};
	struct tree *tree = tree_parse(file, text, length, err);
	bool ok = tree && read_root(&t, tree->root, workloads);
	tree_free(tree);
	if (!ok)
		workloads_free(workloads);
	return ok;
}

static char *read_index(const char *path, size_t *length, struct error *err)
{
	FILE *file = fopen(path, "re");
	if (!file) {
		error_set(err, "%s: cannot be read: %s", path, strerror(errno));
		return NULL;
	}
	char *text = memory_zeroed(INDEX_BYTES_MAX + 1, 1);
	*length = fread(text, 1, INDEX_BYTES_MAX + 1, file);
	bool failed = ferror(file) != 0;
	fclose(file);
	if (!failed && *length <= INDEX_BYTES_MAX)
		return text;
	error_set(err, "%s: %s", path,
	          failed ? "cannot be read" : "larger than 1 MiB; not an index of workloads");
	free(text);
	return NULL;
}

bool workloads_load(struct workloads *workloads, struct error *err)
{
	char folder[PATH_MAX], path[PATH_MAX + 16];
	size_t length;
	if (!workloads_folder(folder, err))
		return false;
	snprintf(path, sizeof path, "%s/index.yaml", folder);
	char *text = read_index(path, &length, err);
	bool ok = text && workloads_parse(workloads, path, text, length, err);
	free(text);
	if (ok)
		memcpy(workloads->folder, folder, sizeof folder);
	return ok;
}

static void free_row(struct workload_published *row)
{
	free(row->as);
	free(row->class);
	free(row->input);
	free(row->arguments);
	for (int i = 0; i < FACT_COUNT; i++)
		free(row->reason[i]);
}

void workloads_free(struct workloads *workloads)
{
	for (size_t i = 0; i < workloads->count; i++) {
		struct workload *workload = &workloads->list[i];
		for (size_t k = 0; k < workload->published_count; k++)
			free_row(&workload->published[k]);
		free(workload->published);
		free(workload->name);
		free(workload->group);
		free(workload->about);
		free(workload->suite);
	}
	free(workloads->list);
	*workloads = (struct workloads){.folder = ""};
}

/* ---- where workloads lie, and finding one by its name -------------------------------------------------- */

enum { NAME_LENGTH_MAX = 63 };

bool workloads_folder(char folder[PATH_MAX], struct error *err)
{
	return data_folder_find("workloads", ENV_WORKLOADS, "workloads", folder, PATH_MAX, err);
}

bool workload_name_ok(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+_-");
	return length && length <= NAME_LENGTH_MAX && !name[length] && name[0] != '-';
}

const struct workload *workloads_find(const struct workloads *workloads, const char *name)
{
	for (size_t i = 0; i < workloads->count; i++)
		if (!strcmp(workloads->list[i].name, name))
			return &workloads->list[i];
	return NULL;
}

bool workloads_fail_unknown(const struct workloads *workloads, const char *name, struct error *err)
{
	char clip[CLIP_SIZE];
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < workloads->count; i++)
		suggest_offer(&near, workloads->list[i].name);
	return error_set(err, "no workload '%s'; %s%s%s", clip_text(clip, name),
	                 near.best ? "did you mean '" : "'sluice workload list' shows all",
	                 near.best ? near.best : "", near.best ? "'?" : "");
}

bool workload_path(const struct workloads *workloads, const struct workload *workload, const char *file,
                   char path[PATH_MAX], struct error *err)
{
	int n = snprintf(path, PATH_MAX, "%s/%s/%s%s", workloads->folder, workload->name,
	                 file ? file : workload->name, file ? "" : ".cu");
	return n < PATH_MAX || error_set(err, "%s/%s: name too long", workloads->folder, workload->name);
}
