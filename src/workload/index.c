/* workloads/index.yaml into a table. Every key is known, typed and ranged; what is not gets file, line and column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/installation.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "workload/workload.h"
#include "yaml/reader.h"

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
                              "IPC that L1 gains as large as the whole array, in addition to shared memory",
                              1000},
};

/* ---- one paper's row ----------------------------------------------------------------------------------------- */

static bool read_fact_number(const struct reader *r, const struct tree_node *node, double max, double *value)
{
	char wanted[64], *end = NULL;
	snprintf(wanted, sizeof wanted, "a number from 0 to %.0f", max);
	bool ok = node->kind == TREE_SCALAR && strchr("0123456789.", node->text[0]);
	*value = ok ? strtod(node->text, &end) : NAN;
	ok = ok && end != node->text && !*end && isfinite(*value) && *value >= 0 && *value <= max;
	return ok || read_fail(r, node, wanted);
}

static bool read_class(const struct reader *r, const struct tree_node *node, struct workload_published *row)
{
	const struct workload_paper_info *paper = &workload_papers[row->paper];
	char wanted[160] = "nothing (the paper has no classes)";
	for (const char *const *class = paper->classes; *class; class ++) {
		if (node->kind == TREE_SCALAR && !strcmp(node->text, *class))
			return read_text(r, node, &row->class);
		size_t used = class == paper->classes ? 0 : strlen(wanted);
		snprintf(wanted + used, sizeof wanted - used, "%s%s", used ? ", " : "one of ", *class);
	}
	return read_fail(r, node, wanted);
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
static bool read_reasons(const struct reader *r, const struct tree_node *map, struct workload_published *row)
{
	const char *facts[FACT_COUNT + 1] = {NULL};
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "{characteristic: \"why it cannot be met\"}");
	for (int i = 0; i < FACT_COUNT; i++)
		facts[i] = workload_facts[i].name;
	if (!read_keys(r, map, "characteristic", facts))
		return false;
	for (const struct tree_node *node = map->first; node; node = node->next) {
		int fact = fact_of(node->name);
		if (!is_published(row, fact))
			return error_at(r->err, r->file, node->name_line, node->name_column,
			                "a reason for '%s', which this row does not publish", node->name);
		if (!read_text(r, node, &row->reason[fact]))
			return false;
	}
	return true;
}

static bool read_key(const struct reader *r, const struct tree_node *node, struct workload_published *row)
{
	int fact = fact_of(node->name);
	bool is_yes;
	if (!strcmp(node->name, "paper") || !strcmp(node->name, "reason"))
		return true; /* read first, and last */
	if (!strcmp(node->name, "stops_after_m"))
		return read_fact_number(r, node, 1e6, &row->stops_after_m);
	if (fact == FACT_CLASS)
		return read_class(r, node, row);
	if (fact == FACT_BARRIERS && read_yes_no(r, node, &is_yes))
		return row->value[fact] = is_yes, true;
	if (fact >= 0)
		return fact != FACT_BARRIERS &&
		       read_fact_number(r, node, workload_facts[fact].max, &row->value[fact]);
	char **text = !strcmp(node->name, "as")      ? &row->as
	              : !strcmp(node->name, "input") ? &row->input
	                                             : &row->arguments;
	return read_text(r, node, text);
}

static bool read_paper(const struct reader *r, const struct tree_node *map, enum workload_paper *paper)
{
	const struct tree_node *node = tree_find(map, "paper");
	if (!node)
		return read_fail_at(r, map, "a row without its paper");
	for (int i = 0; i < PAPER_COUNT; i++)
		if (node->kind == TREE_SCALAR && !strcmp(node->text, workload_papers[i].name)) {
			*paper = (enum workload_paper)i;
			return true;
		}
	return read_fail(r, node, "ciao, osm, lcm, tian or khairy");
}

static bool read_row(const struct reader *r, const struct tree_node *map, struct workload_published *row)
{
	const char *keys[7 + FACT_COUNT] = {"paper", "as", "input", "arguments", "reason", "stops_after_m"};
	for (int i = 0; i < FACT_COUNT; i++) {
		keys[6 + i] = workload_facts[i].name;
		row->value[i] = NAN;
	}
	row->stops_after_m = NAN;
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "{paper: ..., as: ...}");
	if (!read_paper(r, map, &row->paper) || !read_keys(r, map, "key", keys))
		return false;
	for (const struct tree_node *node = map->first; node; node = node->next)
		if (!read_key(r, node, row))
			return false;
	const struct tree_node *reasons = tree_find(map, "reason");
	if (reasons && !read_reasons(r, reasons, row))
		return false;
	return row->as || read_fail_at(r, map, "a row without the paper's name for it ('as')");
}

static bool read_published(const struct reader *r, const struct tree_node *list, struct workload *workload)
{
	if (list->kind != TREE_LIST || !list->first)
		return read_fail(r, list, "a list of papers' rows");
	for (const struct tree_node *node = list->first; node; node = node->next) {
		size_t n = workload->published_count;
		workload->published = memory_grow(workload->published, n + 1, sizeof *workload->published);
		workload->published[n] = (struct workload_published){.as = NULL};
		workload->published_count++;
		if (!read_row(r, node, &workload->published[n]))
			return false;
		for (size_t i = 0; i < n; i++)
			if (workload->published[i].paper == workload->published[n].paper)
				return read_fail_at(r, node, "a second row of %s",
				                    workload_papers[workload->published[n].paper].name);
	}
	return true;
}

/* ---- workloads ----------------------------------------------------------------------------------------------- */

static bool read_workload(const struct reader *r, const struct tree_node *map, struct workload *workload)
{
	static const char *const keys[] = {"group", "about", "suite", "published", NULL};
	char **const texts[] = {&workload->group, &workload->about, &workload->suite};
	workload->name = memory_text(map->name);
	workload->line = map->name_line;
	if (!workload_name_ok(map->name))
		return error_at(r->err, r->file, map->name_line, map->name_column,
		                "a workload's name has letters, digits, '+', '_' and '-'");
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "group, about, suite and, of a paper's, published");
	if (!read_keys(r, map, "key", keys))
		return false;
	/* Programs of today are in no paper's table. */
	const struct tree_node *published = tree_find(map, "published");
	if (published && !read_published(r, published, workload))
		return false;
	for (size_t i = 0; i < 3; i++) {
		const struct tree_node *node = tree_find(map, keys[i]);
		if (!node)
			return error_at(r->err, r->file, map->name_line, map->name_column,
			                "workload '%s' is missing '%s'", map->name, keys[i]);
		if (!read_text(r, node, texts[i]))
			return false;
	}
	return true;
}

static bool read_workloads(const struct reader *r, const struct tree_node *root, struct workloads *workloads)
{
	static const char *const keys[] = {"workloads", NULL};
	const struct tree_node *list = tree_find(root, "workloads");
	if (!read_keys(r, root, "key", keys))
		return false;
	if (!list || list->kind != TREE_MAP || !list->first)
		return error_at(r->err, r->file, list ? list->line : 1, 0,
		                "expected 'workloads:' with a workload under it");
	for (const struct tree_node *node = list->first; node; node = node->next) {
		if (tree_find(list, node->name) != node)
			return read_fail_twice(r, list, node);
		workloads->list = memory_grow(workloads->list, workloads->count + 1, sizeof *workloads->list);
		struct workload *workload = &workloads->list[workloads->count++];
		*workload = (struct workload){.name = NULL};
		if (!read_workload(r, node, workload))
			return false;
	}
	return true;
}

/* Consume the tree, which is NULL if it could not be read. */
static bool use_tree(struct workloads *workloads, const char *file, struct tree *tree, struct error *err)
{
	const struct reader r = {.file = file, .err = err};
	*workloads = (struct workloads){.folder = ""};
	bool ok = tree && read_workloads(&r, tree->root, workloads);
	tree_free(tree);
	if (!ok)
		workloads_free(workloads);
	return ok;
}

bool workloads_parse(struct workloads *workloads, const char *file, const char *text, size_t length,
                     struct error *err)
{
	return use_tree(workloads, file, tree_parse(file, text, length, err), err);
}

bool workloads_load(struct workloads *workloads, struct error *err)
{
	static const struct file_kind index_file = {"an index of workloads", 1 << 20};
	char folder[PATH_MAX], path[PATH_MAX + 16];
	if (!workloads_folder(folder, err))
		return false;
	snprintf(path, sizeof path, "%s/index.yaml", folder);
	bool ok = use_tree(workloads, path, tree_load(path, &index_file, err), err);
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
