/* The workloads of an experiment: names, sets and classes, programs and traces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "papers/experiment/paper.h"
#include "window/kernels.h"

/* ---- limits ----------------------------------------------------------------------------------------------- */

bool limits_read(const struct reader *r, const struct tree_node *map, struct limits *limits)
{
	const struct tree_node *size = tree_find(map, "size"), *insns = tree_find(map, "insns"),
	                       *cold = tree_find(map, "cold_l2");
	if (size) {
		struct error why;
		if (size->kind != TREE_SCALAR || !workload_size_read(size->text, &limits->size, &why))
			return read_fail(r, size, "tiny, small or paper");
		limits->has_size = true;
	}
	if (insns) {
		if (!read_count(r, insns, &limits->insns))
			return false;
		limits->has_insns = true;
	}
	if (cold) {
		if (!read_yes_no(r, cold, &limits->cold_l2))
			return false;
		limits->has_cold_l2 = true;
	}
	return true;
}

struct limits limits_merge(struct limits base, struct limits over)
{
	if (over.has_size) {
		base.size = over.size;
		base.has_size = true;
	}
	if (over.has_insns) {
		base.insns = over.insns;
		base.has_insns = true;
	}
	if (over.has_cold_l2) {
		base.cold_l2 = over.cold_l2;
		base.has_cold_l2 = true;
	}
	return base;
}

/* ---- items ------------------------------------------------------------------------------------------------ */

struct list {
	struct item *item;
	size_t count;
};

static void item_clear(struct item *item)
{
	free(item->label);
	free(item->path);
	free(item->args);
	free(item->kernels);
	free(item->window);
}

void items_free(struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		item_clear(&items[i]);
	free(items);
}

/* One that is there already is not added again. */
static void add_item(struct list *list, struct item item)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->item[i].label, item.label)) {
			item_clear(&item);
			return;
		}
	list->item = memory_grow(list->item, list->count + 1, sizeof *list->item);
	list->item[list->count++] = item;
}

static const struct workload_published *published_of(const struct workload *workload, int paper)
{
	for (size_t i = 0; i < workload->published_count; i++)
		if ((int)workload->published[i].paper == paper)
			return &workload->published[i];
	return NULL;
}

static struct item item_of(const struct workload *workload, const struct workload_published *published,
                           const struct item_context *c)
{
	return (struct item){.kind = ITEM_WORKLOAD,
	                     .label = memory_text(published ? published->as : workload->name),
	                     .workload = workload,
	                     .published = published,
	                     .limits = c->limits};
}

/* All of the paper's with that class, NULL: whatever it is. */
static void add_class(struct list *list, const struct item_context *c, const char *class)
{
	const struct workloads *all = &c->papers->workloads;
	for (size_t i = 0; i < all->count; i++) {
		const struct workload_published *row = published_of(&all->list[i], c->paper->published);
		if (c->paper->published < 0 && !class)
			add_item(list, item_of(&all->list[i], NULL, c));
		else if (row && (class ? row->class && !strcmp(row->class, class) : !row->class))
			add_item(list, item_of(&all->list[i], row, c));
	}
}

static void add_all(struct list *list, const struct item_context *c)
{
	const char *const *class =
	    c->paper->published >= 0 ? workload_papers[c->paper->published].classes : NULL;
	for (; class && *class; class ++)
		add_class(list, c, *class);
	add_class(list, c, NULL);
}

static bool is_class(const struct item_context *c, const char *text)
{
	if (c->paper->published < 0)
		return false;
	for (const char *const *class = workload_papers[c->paper->published].classes; *class; class ++)
		if (!strcmp(*class, text))
			return true;
	return false;
}

/* The paper's own name first, else that of the index. */
static bool find_workload(const struct item_context *c, const char *text, struct item *item)
{
	const struct workloads *all = &c->papers->workloads;
	for (size_t i = 0; i < all->count; i++) {
		const struct workload_published *row = published_of(&all->list[i], c->paper->published);
		if (row && !strcmp(row->as, text)) {
			*item = item_of(&all->list[i], row, c);
			return true;
		}
	}
	const struct workload *workload = workloads_find(all, text);
	if (!workload)
		return false;
	*item = item_of(workload, published_of(workload, c->paper->published), c);
	return true;
}

static bool fail_name(const struct reader *r, const struct tree_node *node, const struct item_context *c)
{
	char clip[CLIP_SIZE], question[SUGGEST_SIZE];
	struct suggest near = suggest_start(node->text);
	const struct workloads *all = &c->papers->workloads;
	for (size_t i = 0; i < all->count; i++) {
		const struct workload_published *row = published_of(&all->list[i], c->paper->published);
		suggest_offer(&near, row ? row->as : all->list[i].name);
		suggest_offer(&near, all->list[i].name);
	}
	for (size_t i = 0; i < c->set_count; i++)
		suggest_offer(&near, c->sets[i].name);
	for (size_t i = 0; i < c->paper->set_count; i++)
		suggest_offer(&near, c->paper->sets[i].name);
	return read_fail_at(r, node, "no workload, set or class '%s'%s", clip_text(clip, node->text),
	                    suggest_question(&near, question));
}

static const struct item_set *find_set(const struct item_set *sets, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(sets[i].name, name))
			return &sets[i];
	return NULL;
}

/* A set, a class, a workload's name. */
static bool add_name(const struct reader *r, const struct tree_node *node, const struct item_context *c,
                     struct list *list)
{
	struct item item;
	const struct item_set *set = find_set(c->sets, c->set_count, node->text);
	if (!set)
		set = find_set(c->paper->sets, c->paper->set_count, node->text);
	for (size_t i = 0; set && i < set->labels.count; i++) {
		if (!find_workload(c, set->labels.text[i], &item)) /* a program's or a trace's label */
			return read_fail_at(r, node,
			                    "'%s' of the set '%s' is no workload of the index: list it here",
			                    set->labels.text[i], set->name);
		add_item(list, item);
	}
	if (set)
		return true;
	if (!strcmp(node->text, "all"))
		add_all(list, c);
	else if (is_class(c, node->text))
		add_class(list, c, node->text);
	else if (find_workload(c, node->text, &item))
		add_item(list, item);
	else
		return fail_name(r, node, c);
	return true;
}

/* A path relative to the file; it must be there. */
static bool find_path(const struct reader *r, const struct tree_node *node, const char *folder, char **path)
{
	char full[PATH_MAX];
	if (node->kind != TREE_SCALAR || !*node->text)
		return read_fail(r, node, "a path");
	int n = node->text[0] == '/' ? snprintf(full, sizeof full, "%s", node->text)
	                             : snprintf(full, sizeof full, "%s/%s", folder, node->text);
	if (n >= (int)sizeof full || access(full, R_OK))
		return read_fail_at(r, node, "%s: cannot be read", full);
	*path = memory_text(full);
	return true;
}

static char *file_label(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *label = memory_text(slash ? slash + 1 : path), *dot = strrchr(label, '.');
	if (dot && dot != label)
		*dot = '\0';
	return label;
}

static bool read_item_kind(const struct reader *r, const struct tree_node *map, const struct item_context *c,
                           struct item *item)
{
	const struct tree_node *name = tree_find(map, "name"), *program = tree_find(map, "program"),
	                       *trace = tree_find(map, "trace");
	if (!!name + !!program + !!trace != 1)
		return read_fail_at(r, map, "expected one of name, program and trace");
	if (name) {
		if (name->kind != TREE_SCALAR || !find_workload(c, name->text, item))
			return name->kind == TREE_SCALAR ? fail_name(r, name, c)
			                                 : read_fail(r, name, "a workload");
		return true;
	}
	item->kind = program ? ITEM_PROGRAM : ITEM_TRACE;
	if (!find_path(r, program ? program : trace, c->folder, &item->path))
		return false;
	item->label = file_label(item->path);
	return true;
}

static bool read_item(const struct reader *r, const struct tree_node *map, const struct item_context *c,
                      struct list *list)
{
	static const char *const keys[] = {"name",    "program", "trace", "as",      "size", "args",
	                                   "kernels", "window",  "insns", "cold_l2", NULL};
	struct item item = {.limits = c->limits};
	struct kernels kernels = {.count = 0};
	struct error why = {{0}};
	bool ok = read_keys(r, map, "key of a workload", keys) && read_item_kind(r, map, c, &item);
	struct limits own = {0};
	ok = ok && limits_read(r, map, &own) && read_text_key(r, map, "as", false, &item.label) &&
	     read_text_key(r, map, "args", false, &item.args) &&
	     read_text_key(r, map, "kernels", false, &item.kernels) && window_load(r, map, &item.window);
	if (ok && item.kernels && !kernels_parse(&kernels, "--kernel", item.kernels, &why))
		ok = read_fail_at(r, tree_find(map, "kernels"), "%s", why.text);
	if (!ok) {
		item_clear(&item);
		return false;
	}
	item.limits = limits_merge(c->limits, own);
	add_item(list, item);
	return true;
}

bool items_read(const struct reader *r, const struct tree_node *node, const struct item_context *context,
                struct item **items, size_t *count)
{
	struct list list = {0};
	bool ok = true;
	const struct tree_node *item = node->kind == TREE_LIST ? node->first : node;
	for (; ok && item; item = node->kind == TREE_LIST ? item->next : NULL)
		ok = item->kind == TREE_MAP      ? read_item(r, item, context, &list)
		     : item->kind == TREE_SCALAR ? add_name(r, item, context, &list)
		                                 : read_fail(r, item, "a workload, set or class");
	if (ok && !list.count)
		ok = read_fail_at(r, node, "no workloads in it");
	if (!ok) {
		items_free(list.item, list.count);
		return false;
	}
	*items = list.item;
	*count = list.count;
	return true;
}

/* ---- sets ------------------------------------------------------------------------------------------------- */

static struct item_set *add_set(struct item_set **sets, size_t *count, const char *name)
{
	*sets = memory_grow(*sets, *count + 1, sizeof **sets);
	(*sets)[*count] = (struct item_set){.name = memory_text(name)};
	return &(*sets)[(*count)++];
}

static void take_labels(struct item_set *set, struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		texts_add(&set->labels, items[i].label);
	items_free(items, count);
}

bool item_sets_read(const struct reader *r, const struct tree_node *node, const struct item_context *context,
                    struct item_set **sets, size_t *count)
{
	if (node->kind != TREE_MAP)
		return read_fail(r, node, "{NAME: workloads}");
	for (const struct tree_node *entry = node->first; entry; entry = entry->next) {
		struct item *items;
		size_t n;
		struct item_context own = *context;
		own.sets = *sets;
		own.set_count = *count;
		if (find_set(*sets, *count, entry->name))
			return read_fail_at(r, entry, "the set '%s' exists already", entry->name);
		if (!items_read(r, entry, &own, &items, &n))
			return false;
		take_labels(add_set(sets, count, entry->name), items, n);
	}
	return true;
}

void item_sets_free(struct item_set *sets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(sets[i].name);
		texts_free(&sets[i].labels);
	}
	free(sets);
}

void item_sets_classes(const struct papers *papers, const struct paper *paper, struct item_set **sets,
                       size_t *count)
{
	const struct item_context c = {.papers = papers, .paper = paper};
	const char *const *class = paper->published >= 0 ? workload_papers[paper->published].classes : NULL;
	for (; class && *class; class ++) {
		struct list list = {0};
		add_class(&list, &c, *class);
		take_labels(add_set(sets, count, *class), list.item, list.count);
	}
}
