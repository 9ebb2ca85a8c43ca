/* Drawings of a report as files of a folder. */
#include "lib/reproduce_fixture.h"
#include "papers/report/report.h"

TEST(drawings_go_into_a_folder_one_file_per_chart)
{
	struct error err = {{0}};
	json_t *report = json_loads(
	    "{\"papers\": [{\"name\": \"p\", \"figures\": [{\"id\": \"f\", \"charts\": [{\"kind\": \"bars\"}, {\"kind\": \"table\"},"
	    "{\"kind\": \"lines\"}]}]}, {\"name\": \"\", \"figures\": [{\"id\": \"own\", \"charts\": [{\"kind\": \"bars\"}]}]}]}",
	    0, NULL);
	char folder[PATH_MAX];
	CHECK(report && reproduction_svg(report, "drawn/here", 0, &err));
	CHECK(!access("drawn/here/p-f.svg", R_OK) && !access("drawn/here/p-f-3.svg", R_OK) &&
	      !access("drawn/here/own.svg", R_OK) && access("drawn/here/p-f-2.svg", R_OK));
	CHECK(fixture_write("plain", "x"));
	CHECK(!reproduction_svg(report, "plain/here", 0, &err) && strstr(err.text, "plain"));
	CHECK(!mkdir("taken", 0700) && !mkdir("taken/p-f.svg", 0700));
	CHECK(!reproduction_svg(report, "taken", 0, &err) && strstr(err.text, "taken/p-f.svg"));
	/* A folder whose name leaves no room for a file's. */
	snprintf(folder, sizeof folder, "%*s", PATH_MAX - 5, "deep");
	for (char *at = folder; *at == ' '; at++)
		*at = (at - folder) % 2 ? '/' : '.';
	CHECK(!reproduction_svg(report, folder, 0, &err) && err.text[0]);
	json_decref(report);
}

TEST_RUN_ALL(fixture_enter())
