/*
 * The test harness: tests are functions named by the claim they prove.
 *
 *	TEST(a_store_hit_updates_the_line) { CHECK_EQ(got, 4); }
 *	TEST_RUN_ALL(true)
 *
 * TEST_RUN_ALL(setup) runs every TEST of the file, in the order of the file. TEST_MAIN(TEST_ENTRY(name) ...) runs those of a
 * list, whose entries may give the claim in words: {"a store hit updates the line", a_store_hit_updates_the_line},
 *
 * Prints "ok - claim" or "not ok - claim" per test; exits 1 if one failed, with SLUICE_TEST_STOP set at the first. Named
 * on the command line, one claim is tried alone; exit status 2 if there is none of that name.
 */
#ifndef SLUICE_TESTS_TEST_H
#define SLUICE_TESTS_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_case {
	const char *claim;
	void (*run)(void);
};

static int test_failures;

/* The tests of this file. */
enum { TESTS_MAX = 200 };
static struct test_case test_cases[TESTS_MAX];
static int test_lines[TESTS_MAX];
static size_t test_count;

/* Constructors of a file run in any order: tests are kept in that of their lines. */
static inline void test_add(const char *claim, void (*run)(void), int line)
{
	size_t at = test_count++;
	if (at >= TESTS_MAX)
		abort();
	for (; at && test_lines[at - 1] > line; at--) {
		test_cases[at] = test_cases[at - 1];
		test_lines[at] = test_lines[at - 1];
	}
	test_cases[at] = (struct test_case){claim, run};
	test_lines[at] = line;
}

#define TEST(name)                                                                                           \
	static void name(void);                                                                              \
	__attribute__((constructor)) static void add_##name(void)                                            \
	{                                                                                                    \
		test_add(#name, name, __LINE__);                                                             \
	}                                                                                                    \
	static void name(void)
#define CHECK(cond)                                                                                          \
	do {                                                                                                 \
		if (!(cond)) {                                                                               \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);                                  \
			test_failures++;                                                                     \
			return;                                                                              \
		}                                                                                            \
	} while (0)
#define CHECK_EQ(got, want)                                                                                  \
	do {                                                                                                 \
		long long got_ = (long long)(got), want_ = (long long)(want);                                \
		if (got_ != want_) {                                                                         \
			printf("# %s:%d: %s is %lld, expected %s = %lld\n", __FILE__, __LINE__, #got, got_,  \
			       #want, want_);                                                                \
			test_failures++;                                                                     \
			return;                                                                              \
		}                                                                                            \
	} while (0)

#define TEST_ENTRY(name) {#name, name},

static inline int test_run(const struct test_case *cases, size_t n, const char *only)
{
	int failed = 0, tried = 0;
	for (size_t i = 0; i < n; i++) {
		if (only && strcmp(only, cases[i].claim) != 0)
			continue;
		tried++;
		test_failures = 0;
		cases[i].run();
		printf("%s - %s\n", test_failures ? "not ok" : "ok", cases[i].claim);
		failed += test_failures != 0;
		if (failed && getenv("SLUICE_TEST_STOP"))
			break;
	}
	if (!tried)
		fprintf(stderr, "there is no claim '%s'\n", only ? only : "");
	return tried ? failed != 0 : 2;
}

/* `setup`: what must be true before the first test, such as a call that prepares files; atexit() is there for the rest. */
#define TEST_RUN(setup, cases, count)                                                                        \
	int main(int argc, char **argv)                                                                      \
	{                                                                                                    \
		if (!(setup)) {                                                                              \
			perror(#setup);                                                                      \
			return 1;                                                                            \
		}                                                                                            \
		return test_run(cases, count, argc > 1 ? argv[1] : NULL);                                    \
	}
#define TEST_RUN_ALL(setup) TEST_RUN(setup, test_cases, test_count)
#define TEST_MAIN(...) TEST_MAIN_AFTER(1, __VA_ARGS__)
#define TEST_MAIN_AFTER(setup, ...)                                                                          \
	static const struct test_case listed_cases[] = {__VA_ARGS__};                                        \
	TEST_RUN(setup, listed_cases, sizeof listed_cases / sizeof *listed_cases)

#endif
