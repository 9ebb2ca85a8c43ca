/* A folder of its own for tests of experiments: a small index of workloads, files to load, and tables of refusals. */
#ifndef SLUICE_TESTS_LIB_REPRODUCE_FIXTURE_H
#define SLUICE_TESTS_LIB_REPRODUCE_FIXTURE_H

#include <sys/stat.h>
#include <unistd.h>

#include "papers/experiment/paper.h"
#include "scratch.h"
#include "test.h"

/* Four lines, so that what a test adds is on line 5. */
#define SERIES "series:\n  - {label: GTO, policy: gto}\n"
#define EXPERIMENT "machine: gtx480-ciao\nworkloads: [one]\n" SERIES

struct refusal {
	const char *text, *message;
};

/* Refusals of a file that is EXPERIMENT with a fifth line, with further lines, or with other workloads or series. */
#define LINE(line, message)                                                                                  \
	{                                                                                                    \
		EXPERIMENT line "\n", "e.yaml:5:" message                                                    \
	}
#define LINES(lines, message)                                                                                \
	{                                                                                                    \
		EXPERIMENT lines "\n", "e.yaml:" message                                                     \
	}
#define WORKLOADS(list, message)                                                                             \
	{                                                                                                    \
		"machine: gtx480-ciao\nworkloads: " list "\n" SERIES, "e.yaml:2:" message                    \
	}
#define SERIES_OF(list, message)                                                                             \
	{                                                                                                    \
		"machine: gtx480-ciao\nworkloads: [one]\nseries: [" list "]\n", "e.yaml:3:" message          \
	}

static inline bool fixture_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	return file && fputs(text, file) >= 0 && !fclose(file);
}

/* Two workloads of the CIAO paper, in two of its classes, and one of no paper. */
static inline bool fixture_enter(void)
{
	static const char index[] =
	    "workloads:\n"
	    "  one: {group: g, about: a, suite: S, published: [{paper: ciao, as: ONE, class: CI, "
	    "arguments: --rows 12, stops_after_m: 3.2}]}\n"
	    "  two: {group: g, about: a, suite: S, published: [{paper: ciao, as: TWO, class: LWS}]}\n"
	    "  three: {group: g, about: a, suite: S}\n";
	return scratch_enter() && fixture_write("index.yaml", index) && fixture_write("a.sluice", "x") &&
	       fixture_write(".sluice", "x") && !mkdir("papers", 0700) && !mkdir("papers/ciao", 0700) &&
	       !setenv("SLUICE_WORKLOADS", scratch(), 1);
}

static inline bool fixture_load(struct papers *papers, const char *text, bool quick, struct error *err)
{
	return fixture_write("e.yaml", text) && papers_load_sweep(papers, "e.yaml", quick, err);
}

/* Whether the message of a refusal is the one wanted. */
static inline bool fixture_refused(bool loaded, const struct error *err, const struct refusal *refusal)
{
	if (!loaded && !strcmp(err->text, refusal->message))
		return true;
	printf("# of:     %s\n# got:    %s\n# wanted: %s\n", refusal->text, loaded ? "(it loads)" : err->text,
	       refusal->message);
	return false;
}

/* Every text of the table is refused with its message, a user's own file. */
static inline bool fixture_refuses(const struct refusal *table, size_t count)
{
	bool ok = true;
	for (size_t i = 0; i < count; i++) {
		struct papers papers;
		struct error err = {{0}};
		bool loaded = fixture_load(&papers, table[i].text, false, &err);
		ok &= fixture_refused(loaded, &err, &table[i]);
		if (loaded)
			papers_free(&papers);
	}
	return ok;
}
#define REFUSES(table) CHECK(fixture_refuses(table, sizeof(table) / sizeof *(table)))

#endif
