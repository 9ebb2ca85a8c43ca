/* Command lines by table. */
#include "base/args.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"

enum { ARGS_MAX = 32 };

static bool read_digits(const char **text, uint64_t *number)
{
	const char *at = *text;
	uint64_t value = 0;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return false;
	bool any = at != *text;
	*text = at;
	*number = value;
	return any;
}

static uint64_t scale_of(char suffix)
{
	switch (suffix) {
	case 'K':
	case 'k':
		return 1000;
	case 'M':
		return 1000 * 1000;
	case 'G':
		return 1000 * 1000 * 1000;
	default:
		return 0;
	}
}

bool args_read_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *number,
                      struct error *err)
{
	char clip[CLIP_SIZE];
	const char *at = text;
	uint64_t value;
	bool ok = read_digits(&at, &value);
	if (ok && *at) {
		uint64_t scale = scale_of(*at++);
		ok = scale && !*at && !__builtin_mul_overflow(value, scale, &value);
	}
	if (!ok)
		return error_set(err, "%s: '%s' is not a whole number", what, clip_text(clip, text));
	if (value < min || value > max)
		return error_set(err, "%s: %s is out of range; expected %llu to %llu", what,
		                 clip_text(clip, text), (unsigned long long)min, (unsigned long long)max);
	*number = value;
	return true;
}

static bool store_value(const struct arg *arg, const char *value, struct error *err)
{
	if (arg->number)
		return args_read_number(arg->name, value, arg->min, arg->max, arg->number, err);
	if (arg->text) {
		if (!*value)
			return error_set(err, "%s: its value is empty", arg->name);
		*arg->text = value;
		return true;
	}
	if (arg->texts->count == ARG_TEXTS_MAX)
		return error_set(err, "%s: given more than %d times", arg->name, ARG_TEXTS_MAX);
	arg->texts->text[arg->texts->count++] = value;
	return true;
}

/* Find the option that `word` names; *value gets the text after "=", or NULL. */
static const struct arg *find_arg(const char *word, const struct arg *args, size_t count, const char **value)
{
	size_t length = strcspn(word, "=");
	*value = word[length] ? word + length + 1 : NULL;
	for (size_t i = 0; i < count; i++)
		for (const char *name = args[i].name; name; name = strchr(name, ' ')) {
			name += *name == ' ';
			if (!strncmp(name, word, length) && (!name[length] || name[length] == ' '))
				return &args[i];
		}
	return NULL;
}

static bool refuse_unknown(const char *word, const struct arg *args, size_t count, struct error *err)
{
	char clip[CLIP_SIZE], name[CLIP_SIZE];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < count; i++)
		suggest_offer(&near, args[i].name);
	if (near.best)
		return error_set(err, "unknown option '%s'; did you mean '%s'?", clip_text(clip, name),
		                 near.best);
	return error_set(err, "unknown option '%s'", clip_text(clip, name));
}

/* Store the option at argv[*i]; move *i over its value. */
static bool take_option(int argc, char **argv, int *i, const struct arg *arg, const char *value,
                        struct error *err)
{
	if (arg->flag) {
		if (value)
			return error_set(err, "%s takes no value", arg->name);
		*arg->flag = true;
		return true;
	}
	if (!value && ++*i == argc)
		return error_set(err, "%s: no %s after it", arg->name, arg->value);
	return store_value(arg, value ? value : argv[*i], err);
}

bool args_parse(int argc, char **argv, const struct arg *args, size_t count, const char **operand,
                struct error *err)
{
	bool seen[ARGS_MAX] = {false}, options = true;
	char clip[CLIP_SIZE];
	if (count > ARGS_MAX)
		BUG("%zu options", count);
	const char *found = NULL;
	for (int i = 1; i < argc; i++) {
		const char *value;
		if (options && !strcmp(argv[i], "--")) {
			options = false;
			continue;
		}
		if (!options || argv[i][0] != '-' || !argv[i][1]) {
			if (found || !operand)
				return error_set(err, "unexpected argument '%s'", clip_text(clip, argv[i]));
			found = argv[i];
			continue;
		}
		const struct arg *arg = find_arg(argv[i], args, count, &value);
		if (!arg)
			return refuse_unknown(argv[i], args, count, err);
		if (seen[arg - args] && !arg->texts)
			return error_set(err, "%s is given twice", arg->name);
		seen[arg - args] = true;
		if (!take_option(argc, argv, &i, arg, value, err))
			return false;
	}
	if (found)
		*operand = found;
	return true;
}

/* Return how many words the option at argv[i] takes, or 0 if it is not in the table. */
static int words_of_option(int argc, char **argv, int i, const struct arg *args, size_t count)
{
	const char *value;
	if (argv[i][0] != '-' || !argv[i][1])
		return 0;
	const struct arg *arg = find_arg(argv[i], args, count, &value);
	if (!arg)
		return 0;
	return arg->flag || value || i + 1 == argc ? 1 : 2;
}

static bool names_program(const char *word, const struct arg *args, size_t count)
{
	const char *value;
	const struct arg *arg = word[0] == '-' ? find_arg(word, args, count, &value) : NULL;
	return arg && arg->names_program;
}

static void take_words(struct args_split *split, char **argv, int count)
{
	for (int i = 0; i < count; i++)
		split->ours[split->our_count++] = argv[i];
}

static void give_words(struct args_split *split, char **argv, int count)
{
	for (int i = 0; i < count; i++)
		split->theirs[split->their_count++] = argv[i];
}

void args_divide(int argc, char **argv, const struct arg *args, size_t count,
                 bool (*is_program)(const char *path), struct args_split *split)
{
	*split = (struct args_split){.ours = memory_zeroed((size_t)argc + 1, sizeof *split->ours),
	                             .theirs = memory_zeroed((size_t)argc + 1, sizeof *split->theirs)};
	take_words(split, argv, 1);
	int i = 1;
	bool is_named = false;
	/* Up to PROGRAM. */
	for (int words; i < argc && strcmp(argv[i], "--"); i += words) {
		words = words_of_option(argc, argv, i, args, count);
		if (!words && argv[i][0] != '-')
			break;
		words = words ? words : 1;
		is_named |= names_program(argv[i], args, count);
		take_words(split, argv + i, words);
	}
	bool ended = i < argc && !strcmp(argv[i], "--");
	int program = i + ended;
	if (program >= argc || !(is_named || is_program(argv[program]))) {
		take_words(split, argv + i, argc - i);
		return;
	}
	take_words(split, argv + i, program + 1 - i);
	i = program + 1;
	while (!ended && i < argc && strcmp(argv[i], "--")) {
		int words = words_of_option(argc, argv, i, args, count);
		(words ? take_words : give_words)(split, argv + i, words ? words : 1);
		i += words ? words : 1;
	}
	split->open_count = split->their_count;
	if (!ended && i < argc)
		i++;
	give_words(split, argv + i, argc - i);
}

static const char *find_near(const char *word, const struct arg *args, size_t count, const char *other)
{
	enum { EDITS = 2 };
	for (size_t edits = 1; edits <= EDITS; edits++) {
		if (other && suggest_is_near(word, other, edits))
			return other;
		for (size_t i = 0; i < count; i++)
			if (!strncmp(args[i].name, "--", 2) && suggest_is_near(word, args[i].name, edits))
				return args[i].name;
	}
	return NULL;
}

bool args_check_open(const struct args_split *split, const struct arg *args, size_t count, const char *other,
                     struct error *err)
{
	char clip[CLIP_SIZE], name[CLIP_SIZE];
	for (size_t i = 0; i < split->open_count; i++) {
		const char *word = split->theirs[i];
		size_t length = strcspn(word, "=");
		if (strncmp(word, "--", 2) != 0 || length >= sizeof name)
			continue;
		snprintf(name, sizeof name, "%.*s", (int)length, word);
		const char *near = other && !strcmp(name, other) ? NULL : find_near(name, args, count, other);
		if (near)
			return error_set(
			    err,
			    "'%s' behind the program is like the option %s, but not it: write %s, or "
			    "put -- in front of the words that are the program's",
			    clip_text(clip, name), near, near);
	}
	return true;
}

void args_split_free(struct args_split *split)
{
	free(split->ours);
	free(split->theirs);
}

void args_print(FILE *out, const struct arg *args, size_t count)
{
	enum { LEAST = 22, MOST = 38 };
	int width = LEAST;
	for (size_t i = 0; i < count; i++) {
		int length = (int)(strlen(args[i].name) + (args[i].value ? strlen(args[i].value) + 1 : 0));
		if (length > width)
			width = length < MOST ? length : MOST;
	}
	for (size_t i = 0; i < count; i++) {
		char usage[128];
		snprintf(usage, sizeof usage, "%s%s%s", args[i].name, args[i].value ? " " : "",
		         args[i].value ? args[i].value : "");
		fprintf(out, "  %-*s %s\n", width, usage, args[i].help);
	}
}
