/* One function of intermediate code around the lines of a test, and what ir_rewrite_loads() makes of it. */
#ifndef SLUICE_TESTS_UNIT_CC_IR_FIXTURE_H
#define SLUICE_TESTS_UNIT_CC_IR_FIXTURE_H

#include <stdbool.h>

#include "cc/ir/loads.h"
#include "test.h"

static const char begin[] = "define void @k(ptr %0, ptr %1) {\n", end[] = "  ret void\n}\n";

static inline char *rewrite(const char *body)
{
	char module[4096];
	snprintf(module, sizeof module, "%s%s%s", begin, body, end);
	return ir_rewrite_loads(module);
}

static inline bool becomes(const char *body, const char *want)
{
	char *rewritten = rewrite(body), module[4096];
	snprintf(module, sizeof module, "%s%s%s", begin, want, end);
	bool same = rewritten && !strcmp(rewritten, module);
	if (!same)
		printf("# got %s\n", rewritten ? rewritten : "nothing");
	free(rewritten);
	return same;
}

static inline bool stays(const char *body)
{
	char *rewritten = rewrite(body);
	bool same = !rewritten;
	if (!same)
		printf("# got %s\n", rewritten);
	free(rewritten);
	return same;
}

#endif
