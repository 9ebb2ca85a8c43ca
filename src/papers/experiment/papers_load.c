/* The folder of papers: which there are, their files, and a user's own file. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/installation.h"
#include "base/memory.h"
#include "papers/experiment/paper.h"
#include "papers/experiment/values.h"

bool papers_folder(char folder[PATH_MAX], struct error *err)
{
	return data_folder_find("papers", ENV_PAPERS, "papers", folder, PATH_MAX, err);
}

/* FOLDER/NAME[/FILE]; a path that is too long names nothing. */
static void make_path(char path[PATH_MAX], const char *folder, const char *name, const char *file)
{
	if (snprintf(path, PATH_MAX, "%s/%s%s%s", folder, name, file ? "/" : "", file ? file : "") >=
	    PATH_MAX)
		path[0] = '\0';
}

/* ---- one file --------------------------------------------------------------------------------------------- */

/* Parses a file and hands its root to `use`. */
static bool with_file(const char *path, struct error *err,
                      bool (*use)(void *user, const struct reader *r, const struct tree_node *root),
                      void *user)
{
	static const struct file_kind experiment_file = {"an experiment", 4 << 20};
	struct tree *tree = tree_load(path, &experiment_file, err);
	const struct reader reader = {.file = path, .err = err};
	bool ok = tree && use(user, &reader, tree->root);
	tree_free(tree);
	return ok;
}

struct loading {
	struct papers *papers;
	struct paper *paper;
	struct figure *figure;
	struct texts order; /* of figures */
};

static bool use_paper(void *user, const struct reader *r, const struct tree_node *root)
{
	static const char *const keys[] = {"title", "machine",  "size",  "insns",    "cold_l2", "quick",
	                                   "sets",  "baseline", "below", "compared", "figures", NULL};
	static const char *const quick_keys[] = {"size", "insns", "cold_l2", NULL};
	struct loading *l = user;
	const struct tree_node *quick = tree_find(root, "quick"), *sets = tree_find(root, "sets"),
	                       *figures = tree_find(root, "figures"), *compared = tree_find(root, "compared");
	const struct item_context context = {
	    .papers = l->papers, .paper = l->paper, .folder = l->paper->folder};
	if (!read_keys(r, root, "key", keys) || !read_text_key(r, root, "title", true, &l->paper->title) ||
	    !read_text_key(r, root, "machine", true, &l->paper->machine) ||
	    !read_text_key(r, root, "baseline", false, &l->paper->baseline) ||
	    !read_text_key(r, root, "below", false, &l->paper->below) ||
	    (compared && !read_texts(r, compared, &l->paper->compared)) ||
	    !limits_read(r, root, &l->paper->limits))
		return false;
	if (quick &&
	    (!read_keys(r, quick, "key of quick", quick_keys) || !limits_read(r, quick, &l->paper->quick)))
		return false;
	item_sets_classes(l->papers, l->paper, &l->paper->sets, &l->paper->set_count);
	return (!sets || item_sets_read(r, sets, &context, &l->paper->sets, &l->paper->set_count)) &&
	       (!figures || read_texts(r, figures, &l->order));
}

static bool use_figure(void *user, const struct reader *r, const struct tree_node *root)
{
	struct loading *l = user;
	if (tree_find(root, "claims"))
		return read_fail_at(r, tree_find(root, "claims"), "the claims of a paper are in claims.yaml");
	return figure_load(l->figure, l->papers, l->paper, r, root);
}

static bool use_claims(void *user, const struct reader *r, const struct tree_node *root)
{
	static const char *const keys[] = {"claims", NULL};
	struct loading *l = user;
	const struct tree_node *claims = tree_find(root, "claims");
	return read_keys(r, root, "key", keys) &&
	       (claims ? claims_read(r, claims, l->paper, NULL) : read_fail_at(r, root, "no claims in it"));
}

/* ---- a paper ---------------------------------------------------------------------------------------------- */

/* List the ids of figures by name: all files except paper.yaml and claims.yaml. */
static bool list_figures(const char *folder, struct texts *ids, struct error *err)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);
	if (n < 0)
		return error_set(err, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		char *name = entries[i]->d_name, *dot = strrchr(name, '.');
		if (dot && !strcmp(dot, ".yaml") && name[0] != '.' && strcmp(name, "paper.yaml") &&
		    strcmp(name, "claims.yaml")) {
			*dot = '\0';
			texts_add(ids, name);
		}
		free(entries[i]);
	}
	free(entries);
	return true;
}

/* Move the figures of `order` to the front. */
static bool sort_figures(struct texts *ids, const struct texts *order, const char *folder, struct error *err)
{
	struct texts sorted = {0};
	for (size_t i = 0; i < order->count; i++) {
		if (!texts_has(ids, order->text[i])) {
			texts_free(&sorted);
			return error_set(err, "%s/paper.yaml: figures: there is no %s.yaml", folder,
			                 order->text[i]);
		}
		if (!texts_has(&sorted, order->text[i]))
			texts_add(&sorted, order->text[i]);
	}
	for (size_t i = 0; i < ids->count; i++)
		if (!texts_has(&sorted, ids->text[i]))
			texts_add(&sorted, ids->text[i]);
	texts_free(ids);
	*ids = sorted;
	return true;
}

static bool load_figures(struct loading *l, const struct texts *ids, struct error *err)
{
	char path[PATH_MAX];
	l->paper->figure = memory_zeroed(ids->count + 1, sizeof *l->paper->figure);
	for (size_t i = 0; i < ids->count; i++) {
		l->figure = &l->paper->figure[l->paper->figures++];
		char name[300];
		snprintf(name, sizeof name, "%.250s.yaml", ids->text[i]);
		make_path(path, l->paper->folder, name, NULL);
		l->figure->id = memory_text(ids->text[i]);
		l->figure->file = memory_text(path);
		l->figure->folder = memory_text(l->paper->folder);
		if (!read_is_name(ids->text[i]))
			return error_set(err, "%s: a figure's name has letters, digits and _", path);
		if (!with_file(path, err, use_figure, l))
			return false;
	}
	return true;
}

static int published_paper(const char *name)
{
	for (int i = 0; i < PAPER_COUNT; i++)
		if (!strcmp(workload_papers[i].name, name))
			return i;
	return -1;
}

static bool load_paper(struct papers *papers, struct paper *paper, const char *name, struct error *err)
{
	char path[PATH_MAX];
	struct loading l = {.papers = papers, .paper = paper};
	struct texts ids = {0};
	make_path(path, papers->folder, name, NULL);
	*paper = (struct paper){
	    .name = memory_text(name), .folder = memory_text(path), .published = published_paper(name)};
	make_path(path, paper->folder, "paper.yaml", NULL);
	bool ok = with_file(path, err, use_paper, &l) && list_figures(paper->folder, &ids, err) &&
	          sort_figures(&ids, &l.order, paper->folder, err) && load_figures(&l, &ids, err);
	make_path(path, paper->folder, "claims.yaml", NULL);
	if (ok && !access(path, F_OK))
		ok = with_file(path, err, use_claims, &l);
	texts_free(&ids);
	texts_free(&l.order);
	return ok;
}

/* List the papers: first the five of workload_papers, then others by name. */
static bool list_papers(const char *folder, struct texts *names, struct error *err)
{
	char path[PATH_MAX];
	struct dirent **entries;
	for (int i = 0; i < PAPER_COUNT; i++) {
		make_path(path, folder, workload_papers[i].name, "paper.yaml");
		if (!access(path, F_OK))
			texts_add(names, workload_papers[i].name);
	}
	int n = scandir(folder, &entries, NULL, alphasort);
	if (n < 0)
		return error_set(err, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		make_path(path, folder, entries[i]->d_name, "paper.yaml");
		if (entries[i]->d_name[0] != '.' && !access(path, F_OK) &&
		    !texts_has(names, entries[i]->d_name))
			texts_add(names, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return names->count || error_set(err, "%s: no paper in it", folder);
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static bool load_all(struct papers *papers, struct error *err)
{
	struct texts names = {0};
	bool ok = workloads_load(&papers->workloads, err) && list_papers(papers->folder, &names, err);
	papers->paper = memory_zeroed(names.count + 1, sizeof *papers->paper);
	for (size_t i = 0; ok && i < names.count; i++)
		ok = load_paper(papers, &papers->paper[papers->count++], names.text[i], err);
	texts_free(&names);
	return ok && values_check(papers, err);
}

bool papers_load(struct papers *papers, const char *folder, bool quick, struct error *err)
{
	*papers = (struct papers){.quick = quick};
	snprintf(papers->folder, sizeof papers->folder, "%s", folder);
	if (load_all(papers, err))
		return true;
	papers_free(papers);
	return false;
}

static bool use_sweep(void *user, const struct reader *r, const struct tree_node *root)
{
	struct loading *l = user;
	const struct tree_node *claims = tree_find(root, "claims");
	return figure_load(l->figure, l->papers, l->paper, r, root) &&
	       (!claims || claims_read(r, claims, l->paper, l->figure));
}

bool papers_load_sweep(struct papers *papers, const char *path, bool quick, struct error *err)
{
	*papers = (struct papers){.quick = quick, .count = 1};
	papers->paper = memory_zeroed(1, sizeof *papers->paper);
	struct paper *paper = papers->paper;
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char folder[PATH_MAX], id[128];
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	snprintf(id, sizeof id, "%.*s", (int)strcspn(base, "."), base);
	*paper = (struct paper){.name = memory_text(""),
	                        .folder = memory_text(slash == path ? "/" : folder),
	                        .title = memory_text(path),
	                        .published = -1,
	                        .figures = 1};
	paper->figure = memory_zeroed(1, sizeof *paper->figure);
	paper->figure->id = memory_text(id);
	paper->figure->file = memory_text(path);
	paper->figure->folder = memory_text(paper->folder);
	struct loading l = {.papers = papers, .paper = paper, .figure = paper->figure};
	if (workloads_load(&papers->workloads, err) && with_file(path, err, use_sweep, &l) &&
	    values_check(papers, err))
		return true;
	papers_free(papers);
	return false;
}

const struct figure *figure_find(const struct paper *paper, const char *id)
{
	for (size_t i = 0; i < paper->figures; i++)
		if (!strcmp(paper->figure[i].id, id))
			return &paper->figure[i];
	return NULL;
}

static void paper_free(struct paper *paper)
{
	free(paper->name);
	free(paper->folder);
	free(paper->title);
	free(paper->machine);
	free(paper->baseline);
	free(paper->below);
	texts_free(&paper->compared);
	item_sets_free(paper->sets, paper->set_count);
	for (size_t i = 0; i < paper->figures; i++)
		figure_free(&paper->figure[i]);
	free(paper->figure);
	claims_free(paper->claim, paper->claims);
}

void papers_free(struct papers *papers)
{
	for (size_t i = 0; i < papers->count; i++)
		paper_free(&papers->paper[i]);
	free(papers->paper);
	workloads_free(&papers->workloads);
	*papers = (struct papers){0};
}
