/* Which figures ask for what traces alone say: reading a whole trace takes time. */
#include <string.h>

#include "papers/experiment/values.h"
#include "papers/plan/plan.h"

/* A claim may ask for a fact by itself: figure.trace.smem_kb. */
struct claimed {
	const struct figure *figure;
	bool named;
};

static void see_figure(void *user, const struct figure *figure)
{
	struct claimed *claimed = user;
	claimed->named |= figure == claimed->figure;
}

static bool claims_ask(const struct papers *papers, const struct figure *f)
{
	for (size_t p = 0; p < papers->count; p++)
		for (size_t i = 0; i < papers->paper[p].claims; i++) {
			const struct claim *claim = &papers->paper[p].claim[i];
			for (size_t k = 0; k < claim->parts; k++) {
				struct claimed claimed = {.figure = f};
				if (!strstr(claim->part[k].formula->text, "trace."))
					continue;
				values_figures(papers, claim->paper, claim->figure, claim->part[k].formula,
				               see_figure, &claimed);
				if (claimed.named)
					return true;
			}
		}
	return false;
}

bool plan_needs_facts(const struct papers *papers, const struct figure *f)
{
	bool needs = claims_ask(papers, f);
	for (size_t i = 0; i < f->metrics; i++)
		needs |= run_needs_facts(f->metric[i].formula);
	for (size_t i = 0; i < f->deriveds; i++)
		needs |= run_needs_facts(f->derived[i].formula);
	for (size_t i = 0; i < f->charts; i++)
		for (size_t k = 0; k < f->chart[i].parts; k++)
			needs |= run_needs_facts(f->chart[i].part[k].y);
	return needs;
}
