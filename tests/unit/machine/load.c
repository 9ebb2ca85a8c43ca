/* What a machine file may say, where it is found, and what `extends:` does. */
#include <sys/stat.h>
#include <unistd.h>

#include "machine/catalog.h"
#include "machine/machine.h"
#include "test.h"

#define HEAD "name: t\ntitle: a title\nextends: gtx480-khairy\n"

static struct error err;

static struct machine *load(const char *text)
{
	return machine_load_text("t.yaml", text, strlen(text), &err);
}

/* Prints what was got where a text is not as wanted. */
static bool same(const char *got, const char *want)
{
	if (got && !strcmp(got, want))
		return true;
	printf("# got      %s\n# expected %s\n", got ? got : "(null)", want);
	return false;
}

/* A directory of its own for files that tests write; SLUICE_MACHINES points there. */
static char directory[] = "/tmp/sluice-test-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *out = fopen(path, "w");
	if (out) {
		fputs(text, out);
		fclose(out);
	}
}

static void enter_directory(void)
{
	strcpy(directory, "/tmp/sluice-test-XXXXXX");
	if (mkdtemp(directory))
		setenv("SLUICE_MACHINES", directory, 1);
}

static void leave_directory(const char *const *files)
{
	char path[256];
	for (; *files; files++) {
		snprintf(path, sizeof path, "%s/%s", directory, *files);
		unlink(path);
	}
	rmdir(directory);
	unsetenv("SLUICE_MACHINES");
}

TEST(sizes_may_carry_a_binary_suffix)
{
	static const struct {
		const char *text;
		uint32_t bytes;
	} sizes[] = {{"49152", 49152}, {"48K", 49152}, {"48KiB", 49152}, {"0.5MiB", 524288},
	             {"1M", 1048576},  {"1.5K", 1536}, {"96B", 96},      {"0", 0}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char text[200];
		snprintf(text, sizeof text, HEAD "smem:\n  bytes: %s\n", sizes[i].text);
		struct machine *m = load(text);
		CHECK(m);
		CHECK_EQ(m->smem_bytes, sizes[i].bytes);
		machine_free(m);
	}
}

TEST(booleans_are_yes_no_true_or_false)
{
	static const char *const words[] = {"no", "yes", "false", "true"};
	for (size_t i = 0; i < 4; i++) {
		char text[200];
		snprintf(text, sizeof text, HEAD "dram:\n  stacked: %s\n", words[i]);
		struct machine *m = load(text);
		CHECK(m);
		CHECK_EQ(m->dram_stacked, i % 2);
		machine_free(m);
	}
}

TEST(a_file_overrides_single_values_of_the_one_it_extends)
{
	struct machine *base = machine_load("gtx480-khairy", &err);
	struct machine *m = load(HEAD "sm:\n  count: 7\nops:\n  int: {latency: 5}\n");
	CHECK(base && m);
	CHECK_EQ(m->sm_count, 7);
	CHECK_EQ(m->sm_warps, base->sm_warps);
	CHECK_EQ(m->op[OP_INT].latency_cycles, 5);
	CHECK_EQ(m->op[OP_INT].interval_cycles, base->op[OP_INT].interval_cycles);
	CHECK_EQ(m->op[OP_INT].unit, base->op[OP_INT].unit);
	CHECK(same(m->name, "t"));
	CHECK(same(m->title, "a title"));
	CHECK(same(m->source, base->source));
	machine_free(base);
	machine_free(m);
}

TEST(every_value_remembers_its_file_and_line)
{
	struct machine *m = load(HEAD "sm:\n  count: 7\nops:\n  int:\n    latency: 5\n");
	CHECK(m);
	CHECK(same(machine_origin(m, "sm", "count"), "t.yaml:5"));
	CHECK(same(machine_origin(m, "ops", "int.latency"), "t.yaml:8"));
	CHECK(!strncmp(machine_origin(m, "sm", "warps"), "gtx480-khairy.yaml:", 19));
	CHECK(!machine_origin(m, "sm", "colour"));
	machine_free(m);
}

TEST(values_can_be_set_one_by_one)
{
	struct machine *m = load(HEAD);
	CHECK(m);
	CHECK(machine_set(m, "l1d.sets", "64", "--set", &err));
	CHECK(machine_set(m, "smem.bytes", "16K", "--set", &err));
	CHECK(machine_set(m, "ops.int.latency", "3", "--set", &err));
	CHECK_EQ(m->l1d_sets, 64);
	CHECK_EQ(m->smem_bytes, 16384);
	CHECK_EQ(m->op[OP_INT].latency_cycles, 3);
	CHECK(same(machine_origin(m, "l1d", "sets"), "--set"));
	CHECK(!machine_set(m, "l1d.set", "64", "--set", &err));
	CHECK(same(err.text, "unknown key 'l1d.set'; did you mean 'l1d.sets'?"));
	CHECK(!machine_set(m, "sets", "64", "--set", &err));
	CHECK(same(err.text, "expected SECTION.KEY, such as 'l1d.sets'"));
	CHECK(!machine_set(m, "l1d.sets", "0", "--set", &err));
	CHECK(same(err.text, "l1d.sets is 0, outside its range 1 to 65536 sets"));
	CHECK_EQ(m->l1d_sets, 64);
	machine_free(m);
}

TEST(an_unknown_machine_is_answered_with_those_there_are)
{
	char want[400];
	enter_directory();
	write_file("alpha.yaml", "title: first\n");
	write_file("beta.yaml", "title: [\n");
	write_file("notes.txt", "not a machine\n");
	struct machine *m = machine_load("alpa", &err);
	snprintf(want, sizeof want, "no machine 'alpa'; did you mean 'alpha'? %s has: alpha, beta",
	         directory);
	bool near = !m && same(err.text, want);
	m = machine_load("zebra", &err);
	snprintf(want, sizeof want, "no machine 'zebra'; %s has: alpha, beta", directory);
	bool far = !m && same(err.text, want);
	leave_directory((const char *const[]){"alpha.yaml", "beta.yaml", "notes.txt", NULL});
	CHECK(near && far);
}

TEST(the_list_is_sorted_and_survives_broken_files)
{
	struct machine_summary *list;
	size_t count;
	enter_directory();
	write_file("beta.yaml", "title: [\n");
	write_file("alpha.yaml", "title: first\n");
	bool ok = machine_list(&list, &count, &err);
	leave_directory((const char *const[]){"alpha.yaml", "beta.yaml", NULL});
	CHECK(ok);
	CHECK_EQ(count, 2);
	CHECK(same(list[0].name, "alpha") && same(list[0].title, "first"));
	CHECK(same(list[1].name, "beta") && !list[1].title);
	machine_list_free(list, count);
}

TEST(files_that_extend_one_another_are_refused)
{
	char want[400];
	enter_directory();
	write_file("a.yaml", "name: a\ntitle: a\nextends: b\n");
	write_file("b.yaml", "name: b\ntitle: b\nextends:   a\n");
	write_file("c.yaml", "name: c\ntitle: c\nextends: c\n");
	struct machine *m = machine_load("a", &err);
	snprintf(want, sizeof want, "%s/b.yaml:3:12: 'extends' forms a cycle", directory);
	bool pair = !m && same(err.text, want);
	m = machine_load("c", &err);
	snprintf(want, sizeof want, "%s/c.yaml:3:10: 'extends' forms a cycle", directory);
	bool self = !m && same(err.text, want);
	leave_directory((const char *const[]){"a.yaml", "b.yaml", "c.yaml", NULL});
	CHECK(pair && self);
}

TEST(a_chain_of_extends_has_an_end)
{
	static const char *const files[] = {"m0.yaml", "m1.yaml", "m2.yaml", "m3.yaml", "m4.yaml", "m5.yaml",
	                                    "m6.yaml", "m7.yaml", "m8.yaml", "m9.yaml", NULL};
	char text[64], want[400];
	enter_directory();
	for (int i = 0; files[i]; i++) {
		snprintf(text, sizeof text, "name: m\ntitle: m\nextends: m%d\n", i + 1);
		write_file(files[i], text);
	}
	struct machine *m = machine_load("m0", &err);
	snprintf(want, sizeof want, "%s/m8.yaml:3:10: too many files that extend one another", directory);
	bool ok = !m && same(err.text, want);
	leave_directory(files);
	CHECK(ok);
}

TEST(a_base_is_found_beside_the_file_and_its_mistakes_are_its_own)
{
	char path[256], want[400];
	enter_directory();
	unsetenv("SLUICE_MACHINES");
	write_file("base.yaml", "name: base\ntitle: b\nextends: gtx480-khairy\nsm: {count: 9}\n");
	write_file("top.yaml", "name: top\ntitle: t\nextends: base\n");
	write_file("bad.yaml", "name: bad\ntitle: t\nextends: broken\n");
	write_file("broken.yaml", "sm: {cuont: 9}\n");
	snprintf(path, sizeof path, "%s/top.yaml", directory);
	struct machine *m = machine_load(path, &err);
	bool found = m && m->sm_count == 9;
	machine_free(m);
	snprintf(path, sizeof path, "%s/bad.yaml", directory);
	m = machine_load(path, &err);
	snprintf(want, sizeof want, "%s/broken.yaml:1:6: unknown key 'sm.cuont'; did you mean 'sm.count'?",
	         directory);
	bool own = !m && same(err.text, want);
	leave_directory((const char *const[]){"base.yaml", "top.yaml", "bad.yaml", "broken.yaml", NULL});
	CHECK(found && own);
}

TEST(a_base_is_a_name_and_never_a_path)
{
	CHECK(!load("name: t\ntitle: t\nextends: ../../etc/passwd\n"));
	CHECK(!strncmp(err.text, "t.yaml:3:10: no machine '../../etc/passwd'; ", 44));
	CHECK(!load("name: t\ntitle: t\nextends: [a]\n"));
	CHECK(same(err.text, "t.yaml:3:10: expected the name of a machine for extends"));
}

TEST(files_that_cannot_be_machines_are_refused_unread)
{
	char path[256], want[400];
	CHECK(!machine_load("./no/such.yaml", &err));
	CHECK(same(err.text, "./no/such.yaml: cannot be read: No such file or directory"));
	CHECK(!machine_load("/tmp/", &err));
	CHECK(same(err.text, "/tmp/: cannot be read: Is a directory"));
	enter_directory();
	write_file("big.yaml", "");
	snprintf(path, sizeof path, "%s/big.yaml", directory);
	bool grown = !truncate(path, (1 << 20) + 1);
	struct machine *m = machine_load(path, &err);
	snprintf(want, sizeof want, "%s: larger than 1 MiB; not a machine file", path);
	bool big = !m && same(err.text, want);
	leave_directory((const char *const[]){"big.yaml", NULL});
	CHECK(grown && big);
}

TEST(a_wrong_machine_directory_is_named)
{
	setenv("SLUICE_MACHINES", "/no/such/place", 1);
	struct machine *m = machine_load("h200", &err);
	unsetenv("SLUICE_MACHINES");
	CHECK(!m);
	CHECK(same(err.text, "SLUICE_MACHINES is '/no/such/place', which is not a directory"));
}

TEST(a_value_prints_as_a_file_would_spell_it)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	struct machine *m = machine_load("gtx480-ciao", &err);
	struct machine *copy = load(HEAD);
	CHECK(m && copy);
	for (size_t i = 0; i < count; i++) {
		char name[80], text[80], again[80];
		snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].key);
		machine_format_value(m, &keys[i], text, sizeof text);
		CHECK(machine_set(copy, name, text, "copy", &err));
		machine_format_value(copy, &keys[i], again, sizeof again);
		CHECK(same(again, text));
	}
	machine_free(m);
	machine_free(copy);
}

TEST_RUN_ALL(!unsetenv("SLUICE_MACHINES"))
