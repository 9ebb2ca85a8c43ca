/* Command lines, tables and result files. */
#include "base/args.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "report/table.h"
#include "test.h"

static struct error err;
static const char *text, *operand;
static uint64_t number;
static bool flag;
static struct arg_texts texts;

static const struct arg args[] = {
    {"--text", "T", "", .text = &text},
    {"--number", "N", "", .number = &number, .min = 1, .max = 5000},
    {"--flag", NULL, "", .flag = &flag},
    {"--many", "T", "", .texts = &texts},
};

static bool parse(const char *a, const char *b, const char *c)
{
	char *argv[] = {"cmd", (char *)a, (char *)b, (char *)c};
	text = operand = NULL;
	number = 0;
	flag = false;
	texts.count = 0;
	return args_parse(1 + !!a + !!b + !!c, argv, args, 4, &operand, &err);
}

TEST(values_follow_or_are_joined_by_an_equals_sign)
{
	CHECK(parse("--text", "x", "thing") && !strcmp(text, "x") && !strcmp(operand, "thing"));
	CHECK(parse("--number=3K", "--flag", "--text=a=b") && number == 3000 && flag && !strcmp(text, "a=b"));
	CHECK(parse("--many=a", "--many", "b") && texts.count == 2 && !strcmp(texts.text[1], "b"));
	CHECK(parse("--", "--flag", NULL) && !flag && !strcmp(operand, "--flag"));
	CHECK(parse("-", NULL, NULL) && !strcmp(operand, "-"));
}

static bool refused(const char *a, const char *b, const char *words)
{
	return !parse(a, b, NULL) && strstr(err.text, words);
}

TEST(mistakes_are_named)
{
	CHECK(refused("--txet", "x", "did you mean '--text'?"));
	CHECK(refused("--number=x", NULL, "--number: 'x' is not a whole number"));
	CHECK(refused("--number=6K", NULL, "expected 1 to 5000"));
	CHECK(refused("--number=", NULL, "not a whole number"));
	CHECK(refused("--number=1KK", NULL, "not a whole number"));
	CHECK(refused("--number=18446744073709551616", NULL, "not a whole number"));
	CHECK(refused("--number=18446744073709551615G", NULL, "not a whole number"));
	CHECK(refused("--text", NULL, "no T after it"));
	CHECK(refused("--text=", NULL, "empty"));
	CHECK(refused("--flag=1", NULL, "takes no value"));
	CHECK(refused("--flag", "--flag", "given twice"));
	CHECK(refused("a", "b", "unexpected argument 'b'"));
	CHECK(refused("-x", NULL, "unknown option '-x'"));
}

TEST(tables_align_and_cut)
{
	static const struct table_column columns[] = {{.title = "n"},
	                                              {.title = "name", .align = TABLE_LEFT, .max_width = 6}};
	struct table *table = table_new(columns, 2);
	char *got = NULL;
	size_t size;
	table_add_count(table, 1234567);
	table_add(table, "abcdefgh");
	table_add_real(table, 0.0 / 0.0, 2);
	table_add(table, "x");
	FILE *out = open_memstream(&got, &size);
	table_print(table, out, " ");
	fclose(out);
	table_free(table);
	CHECK(!strcmp(got, "         n  name\n 1,234,567  abcd..\n         -  x\n"));
	free(got);
}

TEST(fields_of_csv_are_in_quotes_where_they_need_them)
{
	static const char *const rows[][2] = {{"", ""},
	                                      {"plain text", "plain text"},
	                                      {"a,b", "\"a,b\""},
	                                      {"two\nlines", "\"two\nlines\""},
	                                      {"carriage\r", "\"carriage\r\""},
	                                      {"say \"no\"", "\"say \"\"no\"\"\""}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = NULL;
		size_t length;
		FILE *out = open_memstream(&got, &length);
		table_put_csv(out, rows[i][0]);
		fclose(out);
		bool same = !strcmp(got, rows[i][1]);
		if (!same)
			printf("# got %s, wanted %s\n", got, rows[i][1]);
		free(got);
		CHECK(same);
	}
}

TEST(result_files_appear_whole_and_leave_nothing_else)
{
	char dir[] = "/tmp/sluice-output-XXXXXX", path[64], got[16] = "";
	CHECK(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/out", dir);
	CHECK(output_check(path, &err) && access(path, F_OK));
	CHECK(output_write(path, "one", 3, &err) && output_write(path, "two", 3, &err));
	FILE *in = fopen(path, "r");
	CHECK(in && fread(got, 1, sizeof got, in) == 3 && !strcmp(got, "two"));
	fclose(in);
	CHECK(!output_check(dir, &err) && !output_write(dir, "x", 1, &err));
	CHECK(output_check("/dev/null", &err) && output_write("/dev/null", "x", 1, &err));
	CHECK(!unlink(path) && !rmdir(dir)); /* the folder is empty again */
	CHECK(!output_check(path, &err) && strstr(err.text, "cannot write"));
	struct stat st;
	CHECK(!stat("/dev/null", &st) && S_ISCHR(st.st_mode));
}

static bool is_app(const char *path)
{
	return !strcmp(path, "app");
}

/* Our words and the program's, joined by blanks, with a bar between. */
static const char *divided(int argc, char **argv)
{
	static char out[256];
	struct args_split split;
	args_divide(argc, argv, args, sizeof args / sizeof *args, is_app, &split);
	out[0] = '\0';
	for (int i = 1; i < split.our_count; i++)
		strcat(strcat(out, split.ours[i]), " ");
	strcat(out, "|");
	for (size_t i = 0; i < split.their_count; i++)
		strcat(strcat(out, " "), split.theirs[i]);
	args_split_free(&split);
	return out;
}
#define DIVIDED(...)                                                                                         \
	divided(sizeof((char *[]){"cmd", __VA_ARGS__}) / sizeof(char *), (char *[]){"cmd", __VA_ARGS__})

TEST(words_of_a_program_are_told_from_ours)
{
	CHECK(!strcmp(DIVIDED("app", "a", "-b", "--c"), "app | a -b --c"));
	CHECK(!strcmp(DIVIDED("--number", "3", "app", "a", "--flag", "--text", "x", "b"),
	              "--number 3 app --flag --text x | a b"));
	CHECK(!strcmp(DIVIDED("app", "--text=x", "--", "--flag", "--"), "app --text=x | --flag --"));
	CHECK(!strcmp(DIVIDED("--flag", "--", "app", "--flag", "--", "x"), "--flag -- app | --flag -- x"));
	CHECK(!strcmp(DIVIDED("app", "--text"), "app --text |"));
	/* A wrong option before the program, and words behind what is no program, are ours to refuse. */
	CHECK(!strcmp(DIVIDED("--wrong", "app", "a"), "--wrong app | a"));
	CHECK(!strcmp(DIVIDED("trace", "a", "--wrong"), "trace a --wrong |"));
}

TEST(an_option_may_have_several_names)
{
	const char *output = NULL;
	const struct arg named[] = {{"-o --output", "FILE", "", .text = &output}};
	char *words[][3] = {{"cmd", "-o", "a"}, {"cmd", "--output", "b"}, {"cmd", "--output=c", NULL}};
	static const char *const values[] = {"a", "b", "c"};
	for (int i = 0; i < 3; i++) {
		CHECK(args_parse(words[i][2] ? 3 : 2, words[i], named, 1, NULL, &err));
		CHECK(output && !strcmp(output, values[i]));
	}
	char *half[] = {"cmd", "--out", "a"};
	CHECK(!args_parse(3, half, named, 1, NULL, &err) && strstr(err.text, "unknown option"));
}

TEST_RUN_ALL(true)
