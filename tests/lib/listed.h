/*
 * Tests that enter themselves into a list, for test programs of their own:
 *
 *	TEST(a_store_hit_updates_the_line) { CHECK_EQ(got, 4); }
 *	TESTS(true)
 */
#ifndef SLUICE_TESTS_LIB_LISTED_H
#define SLUICE_TESTS_LIB_LISTED_H

#include "test.h"

/* The tests of the file, in order: TEST() enters them. */
static struct test_case tests_listed[32];
static size_t tests_count;

#undef TEST
#define TEST(name)                                                                                           \
	static void name(void);                                                                              \
	__attribute__((constructor)) static void name##_enter(void)                                          \
	{                                                                                                    \
		tests_listed[tests_count++] = (struct test_case){#name, name};                               \
	}                                                                                                    \
	static void name(void)
/* main(): runs them after `setup`, which must hold. */
#define TESTS(setup)                                                                                         \
	int main(int argc, char **argv)                                                                      \
	{                                                                                                    \
		return (setup) ? test_run(tests_listed, tests_count, argc > 1 ? argv[1] : NULL) : 1;         \
	}

#endif
