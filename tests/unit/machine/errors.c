/* Every mistake in a machine file is answered with its place and what was expected. */
#include "machine/catalog.h"
#include "machine/machine.h"
#include "test.h"

struct mistake {
	const char *text, *message;
};

/* Four lines that make a complete machine; the mistake starts on line 5. */
#define HEAD "name: t\ntitle: a title\nsource: none\nextends: gtx480-khairy\n"

static const char *message_of(const char *text, size_t len)
{
	static struct error err;
	struct machine *m = machine_load_text("t.yaml", text, len, &err);
	if (!m)
		return err.text;
	machine_free(m);
	return "(no error)";
}

static void check_mistakes(const struct mistake *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *got = message_of(list[i].text, strlen(list[i].text));
		if (strcmp(got, list[i].message)) {
			printf("# mistake %zu\n#   got      %s\n#   expected %s\n", i, got, list[i].message);
			test_failures++;
		}
	}
}
#define CHECK_MISTAKES(list) check_mistakes(list, sizeof(list) / sizeof *(list))

TEST(the_text_that_all_mistakes_are_added_to_is_right)
{
	CHECK(!strcmp(message_of(HEAD, strlen(HEAD)), "(no error)"));
}

TEST(unknown_names_are_answered_with_the_nearest)
{
	static const struct mistake list[] = {
	    {HEAD "l1d:\n  set: 32\n", "t.yaml:6:3: unknown key 'l1d.set'; did you mean 'l1d.sets'?"},
	    {HEAD "l2:\n  sides: 2\n", "t.yaml:6:3: key 'l2.sides' is now called 'l2.partitions'"},
	    {HEAD "smem:\n  carve: none\n", "t.yaml:6:3: key 'smem.carve' is now called 'smem.carveout'"},
	    {HEAD "l1d:\n  tRCD: 32\n", "t.yaml:6:3: unknown key 'l1d.tRCD'; did you mean 'dram.tRCD'?"},
	    {HEAD "l1d:\n  colour: 3\n",
	     "t.yaml:6:3: unknown key 'l1d.colour'; 'sluice machine keys' lists all keys"},
	    {HEAD "drum: {tCL: 3}\n", "t.yaml:5:1: unknown section 'drum'; did you mean 'dram'?"},
	    {HEAD "titel: x\n", "t.yaml:5:1: unknown section 'titel'; did you mean 'title'?"},
	    {HEAD "colours: {}\n",
	     "t.yaml:5:1: unknown section 'colours'; 'sluice machine keys' lists all sections"},
	    {HEAD "ops:\n  in: {}\n",
	     "t.yaml:6:3: unknown instruction class 'ops.in'; did you mean 'ops.int'?"},
	    {HEAD "ops:\n  painting: {}\n",
	     "t.yaml:6:3: unknown instruction class 'ops.painting'; 'sluice machine keys' lists all classes"},
	    {HEAD "ops:\n  int: {latncy: 4}\n",
	     "t.yaml:6:9: unknown key 'ops.int.latncy'; did you mean 'ops.int.latency'?"},
	    {HEAD "ops:\n  int: {unit: alx}\n",
	     "t.yaml:6:15: unknown value 'alx' for ops.int.unit; did you mean 'alu'?"},
	    {HEAD "l1d:\n  allocate: on-mis\n",
	     "t.yaml:6:13: unknown value 'on-mis' for l1d.allocate; did you mean 'on-miss'?"},
	    {HEAD "l1d:\n  allocate: never\n",
	     "t.yaml:6:13: unknown value 'never' for l1d.allocate; expected one of on-miss, on-fill"},
	};
	CHECK_MISTAKES(list);
}

TEST(values_of_the_wrong_type_are_refused)
{
	static const struct mistake list[] = {
	    {HEAD "sm:\n  count: many\n", "t.yaml:6:10: expected a whole number for sm.count, found 'many'"},
	    {HEAD "sm:\n  count: 1.5\n", "t.yaml:6:10: expected a whole number for sm.count, found '1.5'"},
	    {HEAD "sm:\n  count: 0x10\n", "t.yaml:6:10: expected a whole number for sm.count, found '0x10'"},
	    {HEAD "sm:\n  count: 017\n", "t.yaml:6:10: expected a whole number for sm.count, found '017'"},
	    {HEAD "sm:\n  count: 16K\n", "t.yaml:6:10: expected a whole number for sm.count, found '16K'"},
	    {HEAD "sm:\n  count: \"15\"\n",
	     "t.yaml:6:10: expected a whole number for sm.count, found the quoted text \"15\""},
	    {HEAD "sm:\n  count:\n", "t.yaml:6:9: expected a whole number for sm.count, found nothing"},
	    {HEAD "sm:\n  count: [15]\n", "t.yaml:6:10: expected a whole number for sm.count, found a list"},
	    {HEAD "sm:\n  count: {a: 1}\n",
	     "t.yaml:6:10: expected a whole number for sm.count, found a group of keys"},
	    {HEAD "clock:\n  core_mhz: fast\n",
	     "t.yaml:6:13: expected a number for clock.core_mhz, found 'fast'"},
	    {HEAD "clock:\n  core_mhz: nan\n",
	     "t.yaml:6:13: expected a number for clock.core_mhz, found 'nan'"},
	    {HEAD "clock:\n  core_mhz: 1.\n",
	     "t.yaml:6:13: expected a number for clock.core_mhz, found '1.'"},
	    {HEAD "dram:\n  stacked: maybe\n",
	     "t.yaml:6:12: expected yes or no for dram.stacked, found 'maybe'"},
	    {HEAD "smem:\n  bytes: 16KB\n",
	     "t.yaml:6:10: expected a size such as 16384, 16K or 1.5MiB for smem.bytes, found '16KB'"},
	    {HEAD "smem:\n  bytes: 1.3K\n",
	     "t.yaml:6:10: expected a size such as 16384, 16K or 1.5MiB for smem.bytes, found '1.3K'"},
	    {HEAD "smem:\n  bytes: 1.0\n",
	     "t.yaml:6:10: expected a size such as 16384, 16K or 1.5MiB for smem.bytes, found '1.0'"},
	    {HEAD "sm: 15\n", "t.yaml:5:5: expected keys for sm, found '15'"},
	    {HEAD "sm:\n", "t.yaml:5:4: expected keys for sm, found nothing"},
	    {HEAD "sm: [a]\n", "t.yaml:5:5: expected keys for sm, found a list"},
	    {HEAD "ops:\n  int: 4\n",
	     "t.yaml:6:8: expected {unit: ..., latency: ..., interval: ...} for int, found '4'"},
	};
	CHECK_MISTAKES(list);
}

TEST(values_out_of_range_are_told_the_range_and_unit)
{
	static const struct mistake list[] = {
	    {HEAD "sm:\n  count: 0\n", "t.yaml:6:10: sm.count is 0, outside its range 1 to 1024 SMs"},
	    {HEAD "sm:\n  count: -3\n", "t.yaml:6:10: sm.count is -3, outside its range 1 to 1024 SMs"},
	    {HEAD "sm:\n  count: 99999999999999999999\n",
	     "t.yaml:6:10: sm.count is 99999999999999999999, outside its range 1 to 1024 SMs"},
	    {HEAD "sm:\n  schedulers: 9\n", "t.yaml:6:15: sm.schedulers is 9, outside its range 1 to 8"},
	    {HEAD "clock:\n  core_mhz: 0.5\n",
	     "t.yaml:6:13: clock.core_mhz is 0.5, outside its range 1 to 10000 MHz"},
	    {HEAD "smem:\n  bytes: 2MiB\n",
	     "t.yaml:6:10: smem.bytes is 2MiB, outside its range 0 to 1048576 B"},
	    {HEAD "ops:\n  int: {interval: 1001}\n",
	     "t.yaml:6:19: ops.int.interval is 1001, outside its range 0 to 1000 cycles"},
	};
	CHECK_MISTAKES(list);
}

TEST(a_key_may_be_given_only_once)
{
	static const struct mistake list[] = {
	    {HEAD "sm:\n  count: 15\n  count: 15\n",
	     "t.yaml:7:3: duplicate key 'sm.count'; first given on line 6"},
	    {HEAD "sm: {count: 15}\nsm: {warps: 48}\n",
	     "t.yaml:6:1: duplicate key 'sm'; first given on line 5"},
	    {HEAD "title: again\n", "t.yaml:5:1: duplicate key 'title'; first given on line 2"},
	    {HEAD "ops:\n  int: {unit: alu}\n  int: {unit: alu}\n",
	     "t.yaml:7:3: duplicate key 'ops.int'; first given on line 6"},
	    {HEAD "ops:\n  int: {unit: alu, unit: fma}\n",
	     "t.yaml:6:20: duplicate key 'ops.int.unit'; first given on line 6"},
	};
	CHECK_MISTAKES(list);
}

TEST(names_and_titles_are_plain_text)
{
	static const struct mistake list[] = {
	    {"name: a/b\ntitle: t\n",
	     "t.yaml:1:7: expected a name of letters, digits, '.', '_' and '-' for name, found 'a/b'"},
	    {"name: [a]\n",
	     "t.yaml:1:7: expected a name of letters, digits, '.', '_' and '-' for name, found a list"},
	    {"name: t\ntitle: \"two\\nlines\"\n",
	     "t.yaml:2:8: expected one line of text for title, found 'two?lines'"},
	    {"name: t\ntitle:\n", "t.yaml:2:7: expected one line of text for title, found nothing"},
	    {"source: \"\\e[31m\"\n", "t.yaml:1:9: expected text for source, found '?[31m'"},
	};
	CHECK_MISTAKES(list);
}

TEST(what_yaml_has_and_a_machine_needs_not_is_refused)
{
	static const struct mistake list[] = {
	    {HEAD "sm: &a\n  count: 15\n",
	     "t.yaml:5:5: anchors (&) and aliases (*) are not allowed; use 'extends:'"},
	    {HEAD "sm: *a\n", "t.yaml:5:5: anchors (&) and aliases (*) are not allowed; use 'extends:'"},
	    {HEAD "&k sm: {}\n", "t.yaml:5:1: anchors (&) and aliases (*) are not allowed; use 'extends:'"},
	    {HEAD "sm: !!map {}\n", "t.yaml:5:5: tags (!) are not allowed"},
	    {HEAD "? [a]\n: b\n", "t.yaml:5:3: expected the name of a key"},
	    {HEAD "sm: [[[[[[[[1]]]]]]]]\n", "t.yaml:5:12: nested too deeply"},
	    {HEAD "sm: \"a\\0b\"\n", "t.yaml:5:5: a NUL character in a value"},
	    {HEAD "---\nname: u\n", "t.yaml:5:1: a second document; a file holds one machine"},
	    {"", "t.yaml:1:1: the file is empty"},
	    {"# nothing\n", "t.yaml:2:1: the file is empty"},
	    {"- a\n- b\n", "t.yaml:1:1: expected keys such as 'name:' and sections such as 'sm:'"},
	    {"just text\n", "t.yaml:1:1: expected keys such as 'name:' and sections such as 'sm:'"},
	};
	CHECK_MISTAKES(list);
}

/* What follows the place is libyaml's own wording. */
TEST(broken_yaml_is_pointed_at)
{
	static const struct mistake list[] = {
	    {"name: t\n\ttitle: x\n", "t.yaml:2:1: not valid YAML: "},
	    {"sm: {count: 15\n", "t.yaml:2:1: not valid YAML: "},
	    {"title: \"x\n", "t.yaml:2:1: not valid YAML: "},
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		CHECK(!strncmp(message_of(list[i].text, strlen(list[i].text)), list[i].message,
		               strlen(list[i].message)));
}

TEST(bad_characters_are_pointed_at)
{
	static const char latin1[] = "name: t\ntitle: caf\xe9\n", nul[] = "name: t\nti\0tle: x\n";
	const char *got = message_of(latin1, sizeof latin1 - 1);
	if (strncmp(got, "t.yaml:2:11: not valid UTF-8 text: ", 35))
		printf("# %s\n", got);
	CHECK(!strncmp(got, "t.yaml:2:11: not valid UTF-8 text: ", 35));
	CHECK(!strcmp(message_of(nul, sizeof nul - 1),
	              "t.yaml:2:3: not valid UTF-8 text: control characters are not allowed"));
}

TEST(missing_keys_are_counted_and_the_first_are_named)
{
	static const char text[] = "name: t\ntitle: t\nsource: s\n";
	size_t count, used;
	const struct machine_key *keys = machine_keys(&count);
	char want[1024];
	used = (size_t)snprintf(want, sizeof want, "t.yaml: %zu keys missing: ", count);
	for (size_t i = 0; i < 8; i++)
		used += (size_t)snprintf(want + used, sizeof want - used, "%s%s.%s", i ? ", " : "",
		                         keys[i].section, keys[i].key);
	snprintf(want + used, sizeof want - used, " and %zu more", count - 8);
	CHECK(!strcmp(message_of(text, strlen(text)), want));
}

TEST(name_title_and_source_are_missed_too)
{
	static const struct mistake list[] = {
	    {"extends: gtx480-khairy\n", "t.yaml: 2 keys missing: name, title"},
	    {"title: t\nextends: gtx480-khairy\n", "t.yaml: 1 key missing: name"},
	};
	CHECK_MISTAKES(list);
}

TEST(a_flood_of_values_is_cut_off)
{
	enum { COPIES = 6000 };
	char *text = malloc(8 * COPIES + 8), *p = text;
	CHECK(text);
	p += sprintf(p, "sm: [");
	for (int i = 0; i < COPIES; i++)
		p += sprintf(p, "1,\n");
	const char *got = message_of(text, (size_t)(p - text));
	CHECK(strstr(got, ": more values than any machine has"));
	free(text);
}

TEST(long_names_are_clipped_in_messages)
{
	char text[400] = HEAD;
	memset(text + strlen(text), 'x', 200);
	strcat(text, ": 1\n");
	CHECK(!strcmp(message_of(text, strlen(text)),
	              "t.yaml:5:1: unknown section 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'; "
	              "'sluice machine keys' lists all sections"));
}

TEST_RUN_ALL(!unsetenv("SLUICE_MACHINES"))
