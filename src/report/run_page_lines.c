/*
 * What source lines and instructions cost, and the source itself. Files are read as they are now, where the compiler found them; one that is
 * gone or is no plain file is not shown. Names and texts are untrusted: the page treats them as text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "report/run_json.h"
#include "report/run_page.h"

enum { LINES = 300, INSTRUCTIONS = 3000, AROUND = 4, TEXT_BYTES = 240, FILE_BYTES = 8 << 20 };

/* ---- misses ------------------------------------------------------------------------------------------------ */

/* Return the index of a path in `files`, adding it if necessary; -1 for no path. */
static json_int_t file_number(json_t *files, const char *path)
{
	if (!path)
		return -1;
	json_t *name = json_text(path);
	size_t i = 0;
	while (i < json_array_size(files) && !json_equal(json_array_get(files, i), name))
		i++;
	if (i == json_array_size(files))
		json_array_append(files, name);
	json_decref(name);
	return (json_int_t)i;
}

/* A place is a line of a file or, if that is unknown, an instruction of a kernel. */
static json_t *place_json(const json_t *pc, const json_t *kernel, const struct sources *sources,
                          json_t *files)
{
	uint64_t address = strtoull(json_string_value(json_object_get(pc, "pc")), NULL, 16);
	json_int_t line = json_integer_value(json_object_get(pc, "source_line"));
	json_int_t file =
	    line ? file_number(files, sources_find(sources, json_string_value(kernel), address)) : -1;
	json_t *place = json_object();
	json_object_set_new(place, "file", file < 0 ? json_null() : json_integer(file));
	json_object_set_new(place, "line", line ? json_integer(line) : json_null());
	json_object_set(place, "kernel", (json_t *)(uintptr_t)kernel);
	if (!line)
		json_object_set(place, "pc", json_object_get(pc, "pc"));
	return place;
}

static void key_of(const json_t *place, char *key, size_t size)
{
	const json_t *file = json_object_get(place, "file"), *pc = json_object_get(place, "pc");
	json_int_t line = json_integer_value(json_object_get(place, "line"));
	if (json_is_integer(file))
		snprintf(key, size, "%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT,
		         json_integer_value(file), line);
	else
		snprintf(key, size, "%s:%" JSON_INTEGER_FORMAT ":%.400s", pc ? json_string_value(pc) : "",
		         line, json_string_value(json_object_get(place, "kernel")));
}

static void add_opcode(json_t *place, json_t *opcode)
{
	json_t *opcodes = json_object_get(place, "opcodes");
	if (!opcodes)
		json_object_set_new(place, "opcodes", opcodes = json_array());
	for (size_t i = 0; i < json_array_size(opcodes); i++)
		if (json_equal(json_array_get(opcodes, i), opcode))
			return;
	json_array_append(opcodes, opcode);
}

/* Return the place of an instruction, which `places` gets if it has none yet. */
static json_t *find_place(json_t *places, const json_t *pc, const json_t *kernel,
                          const struct sources *sources, json_t *files)
{
	char key[512];
	json_t *place = place_json(pc, kernel, sources, files);
	key_of(place, key, sizeof key);
	json_t *known = json_object_get(places, key);
	if (known) {
		json_decref(place);
		return known;
	}
	json_object_set_new_nocheck(places, key, place);
	return place;
}

static void add_number(json_t *object, const char *name, const json_t *value)
{
	json_int_t own = json_integer_value(json_object_get(object, name)), more = json_integer_value(value);
	if (more || !json_object_get(object, name))
		json_object_set_new(object, name, json_integer(own + more));
}

/* Without the observer of instructions, misses are known of those with the most. */
static void add_pcs(json_t *places, const json_t *launch, const struct sources *sources, json_t *files)
{
	const json_t *kernel = json_object_get(json_object_get(launch, "kernel"), "name"),
	             *pcs = json_object_get(launch, "top_pcs");
	for (size_t i = 0; i < json_array_size(pcs); i++) {
		const json_t *pc = json_array_get(pcs, i);
		json_t *place = find_place(places, pc, kernel, sources, files);
		add_number(place, "misses", json_object_get(pc, "l1_missed_sectors"));
		add_opcode(place, json_object_get(pc, "opcode"));
	}
}

/* Add column k of the observer's report to the sums of a place or an instruction. */
static void add_costs(json_t *sums, const json_t *look, size_t k)
{
	static const struct {
		const char *name, *column;
	} columns[] = {{"issued", "issued"},
	               {"lanes", "lanes"},
	               {"requests", "requests"},
	               {"sectors", "sectors"},
	               {"misses", "l1_missed_sectors"},
	               {"stalls", "not_selected"}};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		add_number(sums, columns[i].name,
		           json_array_get(json_object_get(look, columns[i].column), k));
	json_t *reasons = json_object_get(sums, "reasons"), *values;
	if (!reasons)
		json_object_set_new(sums, "reasons", reasons = json_object());
	const char *name;
	json_t *not_selected = json_array_get(json_object_get(look, "not_selected"), k);
	if (json_integer_value(not_selected))
		add_number(reasons, "not_selected", not_selected);
	json_object_foreach(json_object_get(look, "waited"), name, values)
	{
		const json_t *value = json_array_get(values, k);
		if (!json_integer_value(value))
			continue;
		add_number(reasons, name, value);
		add_number(sums, "stalls", value);
	}
}

/* All instructions that were executed, in the order of the code, with their places. */
static void add_instructions(json_t *places, json_t *insns, const json_t *launch,
                             const struct sources *sources, json_t *files)
{
	const json_t *kernel = json_object_get(json_object_get(launch, "kernel"), "name"),
	             *look = json_object_get(json_object_get(launch, "look"), "instructions"),
	             *pcs = json_object_get(look, "pc");
	for (size_t k = 0; k < json_array_size(pcs); k++) {
		char key[512];
		json_t *opcode = json_array_get(json_object_get(look, "opcode"), k);
		json_t *spot = json_pack("{s:O}", "pc", json_array_get(pcs, k));
		if (json_integer_value(json_array_get(json_object_get(look, "source_line"), k)))
			json_object_set(spot, "source_line",
			                json_array_get(json_object_get(look, "source_line"), k));
		json_t *place = find_place(places, spot, kernel, sources, files);
		snprintf(key, sizeof key, "%.400s:%s", json_string_value(kernel),
		         json_string_value(json_array_get(pcs, k)));
		json_t *insn = json_object_get(insns, key);
		if (!insn) {
			insn = json_pack("{s:O, s:O, s:O, s:O}", "kernel", (json_t *)(uintptr_t)kernel, "pc",
			                 json_array_get(pcs, k), "opcode", opcode, "place", place);
			json_object_set_new_nocheck(insns, key, insn);
		}
		add_costs(insn, look, k);
		add_costs(place, look, k);
		add_opcode(place, opcode);
		json_decref(spot);
	}
}

/* Most stalls first, then most misses; then in the order of the source. */
static int compare_places(const void *left, const void *right)
{
	static const char *const keys[] = {"stalls", "misses", "file", "line"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		json_int_t a = json_integer_value(json_object_get(*(json_t *const *)left, keys[i])),
		           b = json_integer_value(json_object_get(*(json_t *const *)right, keys[i]));
		if (a != b)
			return (a < b) == (i > 1) ? -1 : 1;
	}
	char a[512], b[512];
	key_of(*(json_t *const *)left, a, sizeof a);
	key_of(*(json_t *const *)right, b, sizeof b);
	return strcmp(a, b);
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The instructions, by kernel and PC. In place of its place, each has the number of its row, or null. */
static json_t *instructions_json(const json_t *insns)
{
	json_t *array = json_array(), *insn;
	size_t count = json_object_size(insns), n = 0;
	const char **keys = memory_zeroed(count + 1, sizeof *keys), *key;
	json_object_foreach((json_t *)(uintptr_t)insns, key, insn) keys[n++] = key;
	qsort(keys, n, sizeof *keys, compare_texts);
	for (size_t i = 0; i < n && i < INSTRUCTIONS; i++) {
		insn = json_object_get(insns, keys[i]);
		json_t *number = json_object_get(json_object_get(insn, "place"), "row");
		json_object_set(insn, "place", number ? number : json_null());
		json_array_append(array, insn);
	}
	free(keys);
	return array;
}

json_t *run_page_lines(const json_t *launches, const struct sources *sources, json_t *files)
{
	json_t *places = json_object(), *insns = json_object(), *sorted = json_array(), *place;
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		if (json_object_get(json_object_get(launch, "look"), "instructions"))
			add_instructions(places, insns, launch, sources, files);
		else
			add_pcs(places, launch, sources, files);
	}
	size_t count = json_object_size(places), n = 0;
	json_t **list = memory_zeroed(count + 1, sizeof *list);
	const char *key;
	json_int_t misses = 0, stalls = 0;
	json_object_foreach(places, key, place)
	{
		list[n++] = place;
		misses += json_integer_value(json_object_get(place, "misses"));
		stalls += json_integer_value(json_object_get(place, "stalls"));
	}
	qsort(list, n, sizeof *list, compare_places);
	for (size_t i = 0; i < n && i < LINES; i++) {
		if (json_object_size(insns))
			json_object_set_new(list[i], "row", json_integer((json_int_t)i));
		json_array_append(sorted, list[i]);
	}
	free(list);
	json_t *code = instructions_json(insns);
	json_decref(places);
	json_t *object =
	    json_pack("{s:o, s:I, s:I, s:I, s:o}", "rows", sorted, "total", misses, "stalls", stalls,
	              "left_out", (json_int_t)(n > LINES ? n - LINES : 0), "instructions", code);
	json_object_set_new(object, "instructions_left_out",
	                    json_integer((json_int_t)(json_object_size(insns) - json_array_size(code))));
	json_decref(insns);
	return object;
}

/* ---- source ------------------------------------------------------------------------------------------------ */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Open a plain file that is not too large, or return NULL. */
static FILE *open_text(const char *path)
{
	struct stat facts;
	FILE *file = !stat(path, &facts) && S_ISREG(facts.st_mode) && facts.st_size <= FILE_BYTES
	                 ? fopen(path, "re")
	                 : NULL;
	return file;
}

/* If the recorded copy is gone, the program's source may be at its current path. */
static FILE *open_source(const char *path, const char *program)
{
	FILE *file = open_text(path);
	if (!file && program && !strcmp(base_name(path), base_name(program)))
		file = open_text(program);
	return file;
}

/* Return whether a run has misses near the line. */
static bool is_near(const json_t *runs, size_t file, json_int_t line)
{
	for (size_t r = 0; r < json_array_size(runs); r++) {
		const json_t *rows =
		    json_object_get(json_object_get(json_array_get(runs, r), "lines"), "rows");
		for (size_t i = 0; i < json_array_size(rows); i++) {
			const json_t *row = json_array_get(rows, i), *own = json_object_get(row, "file");
			json_int_t at = json_integer_value(json_object_get(row, "line"));
			if (json_is_integer(own) && (size_t)json_integer_value(own) == file &&
			    line >= at - AROUND && line <= at + AROUND)
				return true;
		}
	}
	return false;
}

/* Remove the line's end; cut a long line between two characters. */
static void clip_line(char *text)
{
	size_t cut = TEXT_BYTES;
	text[strcspn(text, "\r\n")] = '\0';
	if (strlen(text) <= TEXT_BYTES + 3)
		return;
	while (cut && ((unsigned char)text[cut] & 0xc0) == 0x80)
		cut--;
	memcpy(text + cut, "...", 4);
}

static json_t *excerpt(const json_t *runs, size_t number, FILE *file)
{
	json_t *lines = json_array();
	char *text = NULL;
	size_t capacity = 0;
	json_int_t line = 0;
	while (file && getline(&text, &capacity, file) > 0) {
		line++;
		if (!is_near(runs, number, line))
			continue;
		clip_line(text);
		json_array_append_new(lines, json_pack("[I, o]", line, json_text(text)));
	}
	free(text);
	return lines;
}

/* Return the last part of the path, or the last two if another file has the same name. */
static const char *short_name(const json_t *files, size_t number)
{
	const char *path = json_string_value(json_array_get(files, number)), *name = base_name(path);
	for (size_t i = 0; i < json_array_size(files); i++)
		if (i != number && !strcmp(base_name(json_string_value(json_array_get(files, i))), name)) {
			name -= name > path;
			while (name > path && name[-1] != '/')
				name--;
			return name;
		}
	return name;
}

json_t *run_page_excerpts(const json_t *runs, const json_t *files, const char *program)
{
	json_t *array = json_array();
	for (size_t i = 0; i < json_array_size(files); i++) {
		FILE *file = open_source(json_string_value(json_array_get(files, i)), program);
		json_array_append_new(array,
		                      json_pack("{s:o, s:b, s:o}", "name", json_text(short_name(files, i)),
		                                "readable", file != NULL, "lines", excerpt(runs, i, file)));
		if (file)
			fclose(file);
	}
	return array;
}
