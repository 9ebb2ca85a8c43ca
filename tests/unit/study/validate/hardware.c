/* Hardware counter tables: what is read and what is refused, with line and column. */
#include "base/memory.h"
#include "study/validate/hardware.h"
#include "test.h"

#define HEAD "program\tlaunch\tkernel\tsm__cycles_elapsed.max\tsmsp__inst_executed.sum\n"

static struct hardware table;
static struct error err;

static bool parse(const char *text)
{
	err.text[0] = '\0';
	return hardware_parse(&table, "t.tsv", memory_text(text), strlen(text), &err);
}

/* The text is refused, and the message is this one. */
static bool refused(const char *text, const char *message)
{
	if (parse(text)) {
		hardware_free(&table);
		printf("# accepted\n");
		return false;
	}
	if (strcmp(err.text, message))
		printf("# %s\n", err.text);
	return !strcmp(err.text, message);
}

TEST(rows_are_found_by_program_and_launch)
{
	CHECK(parse(HEAD "a\t0\tk\t10\t20\nb\t1\tk\t30\t40\r\n\nb\t0\tk\t50\t60"));
	CHECK_EQ(table.count, 3);
	CHECK(table.has_counter[COUNT_cycles] && table.has_counter[COUNT_warp_insns]);
	CHECK(!table.has_counter[COUNT_dram_read_bytes]);
	const struct hardware_row *row = hardware_find(&table, "b", 1);
	CHECK(row && row->line == 3 && !strcmp(row->kernel, "k") && !row->has_dims);
	CHECK_EQ(row->counters.value[COUNT_cycles], 30);
	CHECK_EQ(row->counters.value[COUNT_warp_insns], 40);
	CHECK(hardware_find(&table, "b", 0) && !hardware_find(&table, "b", 2) &&
	      !hardware_find(&table, "c", 0));
	hardware_free(&table);
}

TEST(unknown_columns_are_skipped_whatever_they_hold)
{
	CHECK(parse("strange\tprogram\tlaunch\tkernel\tsm__cycles_elapsed.max\nn/a\ta\t0\tk\t10\n"));
	CHECK_EQ(table.row[0].counters.value[COUNT_cycles], 10);
	hardware_free(&table);
}

TEST(grid_and_block_are_read)
{
	CHECK(parse("program\tlaunch\tkernel\tgrid\tblock\tsm__cycles_elapsed.max\n"
	            "a\t0\tk\t(32, 128, 1)\t(8,4,2)\t10\n"));
	CHECK(table.row[0].has_dims);
	CHECK_EQ(table.row[0].grid.y, 128);
	CHECK_EQ(table.row[0].block.z, 2);
	hardware_free(&table);
	CHECK(refused(
	    "program\tlaunch\tkernel\tgrid\tblock\tsm__cycles_elapsed.max\na\t0\tk\t(32, 128)\t(8,4,2)\t10\n",
	    "t.tsv:2: column 'grid': expected (x, y, z), found '(32, 128)'"));
}

TEST(metrics_are_read_by_their_nsight_compute_name)
{
	CHECK(parse("program\tlaunch\tkernel\tsm__cycles_elapsed.max\tsm__warps_active.avg.pct_of_peak_"
	            "sustained_active\n"
	            "a\t0\tk\t10\t73.25\n"));
	CHECK(table.has_metric[METRIC_occupancy]);
	CHECK(table.row[0].metric[METRIC_occupancy] == 73.25);
	hardware_free(&table);
}

TEST(tables_that_cannot_be_read_are_refused_with_the_place)
{
	static const char *const cases[][2] = {
	    {"launch\tkernel\tsm__cycles_elapsed.max\n0\tk\t1\n", "t.tsv:1: missing column 'program'"},
	    {"program\tkernel\tsm__cycles_elapsed.max\na\tk\t1\n", "t.tsv:1: missing column 'launch'"},
	    {"program\tlaunch\tsm__cycles_elapsed.max\na\t0\t1\n", "t.tsv:1: missing column 'kernel'"},
	    {"program\tlaunch\tkernel\na\t0\tk\n", "t.tsv:1: missing column 'sm__cycles_elapsed.max'"},
	    {"program\tlaunch\tkernel\tlaunch\n", "t.tsv:1: there are two columns 'launch'"},
	    {HEAD "a\tone\tk\t10\t20\n",
	     "t.tsv:2: column 'launch': expected a launch number, from 0, found 'one'"},
	    {HEAD "a\t0\tk\t10\n", "t.tsv:2: fewer than the 5 fields of the header"},
	    {HEAD "a\t0\tk\t10\t20\t30\n", "t.tsv:2: more than the 5 fields of the header"},
	    {HEAD "\t0\tk\t10\t20\n", "t.tsv:2: column 'program': expected a program, found ''"},
	    {HEAD "a\t0\tk\t10\t20\na\t1\tk\t1\t2\na\t0\tk\t10\t20\n",
	     "t.tsv:4: launch 0 of 'a' is in line 2 already"},
	    {"", "t.tsv: no rows"},
	    {HEAD, "t.tsv:1: no rows"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK(refused(cases[i][0], cases[i][1]));
}

TEST(wrong_numbers_are_refused_by_line_and_column)
{
	const char *wrong[] = {"",    "-1",  "ten", "1e", "0x10",
	                       "1.5", "nan", "inf", " 3", "99999999999999999999"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char text[256], message[256];
		snprintf(text, sizeof text, HEAD "a\t0\tk\t10\t20\na\t1\tk\t%s\t20\n", wrong[i]);
		snprintf(message, sizeof message,
		         "t.tsv:3: column 'sm__cycles_elapsed.max': expected a whole number, found '%s'",
		         wrong[i]);
		CHECK(refused(text, message));
	}
}

TEST(nul_bytes_are_refused)
{
	static const char text[] = HEAD "a\t0\tk\t1\0\t20\n";
	char *copy = memcpy(memory_grow(NULL, sizeof text, 1), text, sizeof text);
	CHECK(!hardware_parse(&table, "t.tsv", copy, sizeof text - 1, &err));
	CHECK(!strcmp(err.text, "t.tsv:2: a NUL byte in a text file"));
}

TEST(more_columns_than_fit_are_refused)
{
	static char text[4096];
	memset(text, '\t', 1000);
	CHECK(refused(text, "t.tsv:1: more than 512 columns"));
}

TEST(a_missing_file_is_named)
{
	CHECK(!hardware_load(&table, "/nowhere/counters.tsv", &err));
	CHECK(strstr(err.text, "/nowhere/counters.tsv"));
	CHECK(!hardware_load(&table, "/", &err));
}

TEST_RUN_ALL(true)
