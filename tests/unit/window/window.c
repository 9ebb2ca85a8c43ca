/* Launch windows: options become text, text becomes decisions. */
#include "window/window.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static struct error err;

static struct window *window_of(const struct window_options *options)
{
	char *text = window_text(options, &err);
	struct window *window = text ? window_new(text, &err) : NULL;
	free(text);
	return window;
}

/* The wanted ones of launches 1 to 9, all of kernel `name`, as digits. */
static const char *wanted(const struct window_options *options, const char *name)
{
	static char digits[16];
	struct window *window = window_of(options);
	size_t n = 0;
	for (uint64_t i = 1; window && i <= 9; i++) {
		const struct window_launch launch = {
		    .number = i, .name = name, .is_profiled = i >= 3 && i <= 4, .is_in_range = i == 7};
		if (window_wants(window, &launch))
			digits[n++] = (char)('0' + i);
		window_count(window, &launch);
		if (window_is_over(window, i) && i < 9)
			digits[n++] = '.';
		if (window_is_over(window, i))
			break;
	}
	digits[n] = '\0';
	window_free(window);
	return window ? digits : "refused";
}
#define WANTED(text, ...)                                                                                    \
	CHECK(!strcmp(wanted(&(struct window_options){__VA_ARGS__}, "_Z5scaleIfEvPT_"), text))

TEST(without_options_every_launch_is_wanted)
{
	WANTED("123456789", .launches = NULL);
}

TEST(a_list_ends_behind_its_last_launch)
{
	WANTED("2456.", .launches = "2,4-6");
	WANTED("789", .launches = "7-");
}

TEST(skip_and_count_are_of_launches_that_match)
{
	WANTED("34567.", .skip = 2, .count = 5);
	WANTED("56.", .launches = "4-9", .skip = 1, .count = 2);
	WANTED("89", .skip = 7);
	WANTED("4", .profile_from_start = "off", .skip = 1);
}

TEST(names_match_demangled_and_mangled)
{
	WANTED("123456789", .kernel_name = "^void scale<float>");
	WANTED("123456789", .kernel_name = "^_Z5scale");
	WANTED("", .kernel_name = "double");
	WANTED("1.", .kernel_name = "scale|gemm", .count = 1);
}

TEST(ranges_and_the_profiler_choose)
{
	WANTED("7", .nvtx = "range");
	WANTED("34", .profile_from_start = "off");
	WANTED("123456789", .profile_from_start = "on");
}

TEST(a_launch_that_is_not_counted_changes_nothing)
{
	struct window *window = window_of(&(struct window_options){.count = 1});
	const struct window_launch launch = {.number = 1, .name = "k"};
	CHECK(window_wants(window, &launch) && window_wants(window, &launch));
	CHECK(!window_is_over(window, 1));
	window_count(window, &launch);
	CHECK(!window_wants(window, &launch) && window_is_over(window, 1));
	window_free(window);
}

TEST(the_bound_of_instructions_is_full_when_it_is_reached)
{
	struct window *window = window_of(&(struct window_options){.max_insns = 100});
	CHECK(!window_is_full(window, 99) && window_is_full(window, 100));
	CHECK(!window_is_over(window, 5) && !window_then_runs(window));
	window_free(window);
	window = window_of(&(struct window_options){.launches = "1"});
	CHECK(!window_is_full(window, UINT64_MAX));
	window_free(window);
}

TEST(the_text_is_the_same_for_the_same_launches)
{
	char *text = window_text(&(struct window_options){.launches = "5-8",
	                                                  .skip = 1,
	                                                  .count = 2,
	                                                  .kernel_name = "a=b",
	                                                  .nvtx = "r",
	                                                  .profile_from_start = "off",
	                                                  .then_run = true,
	                                                  .max_insns = 9,
	                                                  .record_limit = 7},
	                         &err);
	CHECK(!strcmp(text, "launches=5-8\nskip=1\ncount=2\nkernel_name=a=b\nnvtx=r\nprofile_from_start=off\n"
	                    "max_insns=9\nthen_run=yes\n"));
	struct window *window = window_new(text, &err);
	CHECK(window && window_then_runs(window) && window_needs_program(window));
	CHECK(!strcmp(window_nvtx(window), "r"));
	CHECK(!strcmp(window_words(window),
	              "--launches 5-8 --launch-skip 1 --launch-count 2 --kernel-name a=b --nvtx r "
	              "--profile-from-start off --max-insns 9 --then-run"));
	window_free(window);
	free(text);
	const struct window_options none = {.profile_from_start = "on", .then_run = true, .record_limit = 5};
	text = window_text(&none, &err);
	CHECK(!strcmp(text, ""));
	CHECK(!window_options_choose(&none));
	free(text);
}

TEST(wrong_options_are_refused_by_name)
{
	const struct {
		struct window_options options;
		const char *words;
	} rows[] = {
	    {{.launches = "0"}, "--launches"},
	    {{.launches = ""}, "--launches: it is empty"},
	    {{.kernel_name = "("}, "--kernel-name: '(' is no regular expression"},
	    {{.nvtx = "a\nb"}, "--nvtx: a line break"},
	    {{.profile_from_start = "yes"}, "neither on nor off"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK(!window_text(&rows[i].options, &err));
		CHECK(strstr(err.text, rows[i].words));
	}
}

TEST(texts_that_no_option_makes_are_refused)
{
	const char *broken[] = {"colour=red\n", "launches\n", "skip=-1\n", "count=many\n", "launches=3-2\n"};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
		CHECK(!window_new(broken[i], &err));
}

TEST_RUN_ALL(true)
