/* sluice compare --paper: the paper's machine, its baseline first, and what is compared with it. */
#include "papers/experiment/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "papers/experiment/paper.h"
#include "policy/chain.h"

static const struct paper *find(const struct papers *papers, const char *name, struct error *err)
{
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < papers->count; i++) {
		if (!strcmp(papers->paper[i].name, name))
			return &papers->paper[i];
		suggest_offer(&near, papers->paper[i].name);
	}
	error_set(err, "--paper: there is no paper '%s'%s%s%s; 'sluice reproduce --list' shows all", name,
	          near.best ? ", did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
	return NULL;
}

static char *chain_on(const struct paper *paper, const char *policy)
{
	if (!paper->below)
		return memory_text(policy);
	size_t size = strlen(paper->below) + strlen(policy) + 2;
	char *chain = memory_zeroed(size, 1);
	snprintf(chain, size, "%s,%s", paper->below, policy);
	return chain;
}

static bool take(struct compare_paper *to, const struct paper *paper, const struct arg_texts *given,
                 struct error *err)
{
	if (!paper->baseline)
		return error_set(err, "--paper: %s/paper.yaml names no baseline", paper->folder);
	size_t count = given->count ? given->count : paper->compared.count;
	if (count >= ARG_TEXTS_MAX)
		return error_set(err, "--paper: more than %d policies", ARG_TEXTS_MAX - 1);
	to->machine = memory_text(paper->machine);
	to->policies.text[to->policies.count++] = memory_text(paper->baseline);
	for (size_t i = 0; i < count; i++) {
		const char *policy = given->count ? given->text[i] : paper->compared.text[i];
		if (!policy[0])
			return error_set(err, "--policy: its value is empty");
		to->policies.text[to->policies.count++] = chain_on(paper, policy);
	}
	for (size_t i = 0; i < to->policies.count; i++)
		if (chain_names_file(to->policies.text[i]) &&
		    !(given->count && i && chain_names_file(given->text[i - 1])))
			return error_set(
			    err,
			    "--paper: %s/paper.yaml names the shared object of a policy, %s; give it "
			    "with --policy if you trust it",
			    paper->folder, to->policies.text[i]);
	return true;
}

bool compare_paper_load(struct compare_paper *to, const char *name, const struct arg_texts *given,
                        struct error *err)
{
	char folder[PATH_MAX];
	struct papers papers;
	*to = (struct compare_paper){0};
	if (!papers_folder(folder, err) || !papers_load(&papers, folder, false, err))
		return false;
	const struct paper *paper = find(&papers, name, err);
	bool ok = paper && take(to, paper, given, err);
	papers_free(&papers);
	return ok;
}

void compare_paper_free(struct compare_paper *paper)
{
	for (size_t i = 0; i < paper->policies.count; i++)
		free((char *)paper->policies.text[i]);
	free(paper->machine);
	*paper = (struct compare_paper){0};
}
