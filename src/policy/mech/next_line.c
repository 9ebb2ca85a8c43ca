/*
 * next-line: one-block look-ahead. A reference to line i may fetch line i + 1 and no other.
 *
 * A. J. Smith, Cache Memories, ACM Computing Surveys 14, 1982, section 2.1: prefetch always, on misses, or tagged, which
 * fetches at a miss and at the first use of a line that was prefetched. `degree` fetches that many lines, as sequential
 * prefetchers of later work do. Left out: Smith's insertion of prefetched lines at another place of the LRU stack.
 */
#include "policy/define.h"

enum style { STYLE_MISS, STYLE_TAGGED, STYLE_ALWAYS };

struct next_line_params {
	uint32_t degree, style, page_bytes;
	bool urgent, l2;
};

POLICY_GIVEN(struct next_line_params)

static const struct policy_param params[] = {
    PARAM_U32(struct next_line_params, degree, 1, 1, PREFETCH_MOST, "lines", "behind the line of the load"),
    PARAM_U32(struct next_line_params, style, STYLE_TAGGED, 0, 2, "",
              "after 0: a miss; 1: a miss or the first use of a prefetched line; 2: any access"),
    PARAM_U32(struct next_line_params, page_bytes, 4096, 128, 1 << 30, "B",
              "lines of other pages are not fetched"),
    PARAM_BOOL(struct next_line_params, urgent, 0, 0, 1, "", "prefetches take the last MSHRs, too"),
    PARAM_BOOL(struct next_line_params, l2, 0, 0, 1, "", "into L2 instead of L1"),
};

struct next_line {
	struct next_line_params params;
	uint64_t page_lines;
};

static uint32_t next_line_prefetch(void *sm, const struct prefetch_cause *cause, struct prefetch *out)
{
	const struct next_line *n = sm;
	bool asks = n->params.style == STYLE_ALWAYS || cause->when == PREFETCH_ON_MISS ||
	            (n->params.style == STYLE_TAGGED && cause->first_use);
	uint32_t count = 0;
	for (uint64_t line = cause->line + 1; asks && count < n->params.degree; line++) {
		if (line / n->page_lines != cause->line / n->page_lines)
			break;
		out[count++] = (struct prefetch){.line = line,
		                                 .level = n->params.l2 ? PREFETCH_L2 : PREFETCH_L1,
		                                 .priority = n->params.urgent ? PREFETCH_HIGH : PREFETCH_LOW};
	}
	return count;
}

POLICY_BYTES(next_line_bytes, struct next_line)

static void next_line_init(void *sm, const struct policy_env *env)
{
	struct next_line *n = sm;
	n->params = *given(env);
	n->page_lines =
	    n->params.page_bytes > env->l1_line_bytes ? n->params.page_bytes / env->l1_line_bytes : 1;
}

/* A bit per line: it was prefetched. */
static uint64_t next_line_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * env->l1_ways;
}

const struct policy policy_next_line = {
    .abi = POLICY_ABI,
    .name = "next-line",
    .title = "the lines behind a missing line are prefetched",
    .citation = "A. J. Smith: Cache Memories, ACM Computing Surveys 14(3), 1982",
    POLICY_PARAMS(params, struct next_line_params),
    .sm_bytes = next_line_bytes,
    .sm_bits = next_line_bits,
    .sm_init = next_line_init,
    .prefetch_on = PREFETCH_ON_ACCESS,
    .prefetch = next_line_prefetch,
};
