#include "accelsim/list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "accelsim/accelsim.h"
#include "base/memory.h"

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

bool accelsim_packing(const char *file, enum text_packing *packing)
{
	*packing = ends_in(file, ".xz") ? TEXT_XZ : ends_in(file, ".tracez") ? TEXT_TRACEZ : TEXT_PLAIN;
	return ends_in(file, ".traceg") || ends_in(file, ".traceg.xz") || ends_in(file, ".tracez");
}

/* Return "folder/name", for the caller to free. */
static char *join(const char *folder, size_t folder_bytes, const char *name)
{
	size_t bytes = folder_bytes + strlen(name) + 2;
	char *path = memory_grow(NULL, bytes, 1);
	snprintf(path, bytes, "%.*s%s%s", (int)folder_bytes, folder, folder_bytes ? "/" : "", name);
	return path;
}

static void add_command(struct accelsim_list *list, struct accelsim_command command)
{
	if (!(list->count & (list->count - 1)))
		list->commands =
		    memory_grow(list->commands, list->count ? 2 * list->count : 1, sizeof *list->commands);
	list->commands[list->count++] = command;
	list->kernels += command.file != NULL;
}

static bool take_address(char **p, uint64_t *address)
{
	if ((*p)[0] == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X'))
		*p += 2;
	return text_take_hex(p, address);
}

static bool read_copy(struct accelsim_list *list, struct text_source *s, struct error *err)
{
	struct accelsim_command c = {0};
	char *p = s->line + strlen("MemcpyHtoD");
	if (!text_take_char(&p, ',') || !take_address(&p, &c.address))
		return text_error(s, p, err, "expected a hexadecimal address: MemcpyHtoD,<address>,<bytes>");
	if (!text_take_char(&p, ',') || !text_take_unsigned(&p, &c.bytes))
		return text_error(s, p, err, "expected a number of bytes: MemcpyHtoD,<address>,<bytes>");
	text_skip_blanks(&p);
	if (*p)
		return text_error(s, p, err, "expected the end of the line");
	add_command(list, c);
	return true;
}

static bool read_kernel(struct accelsim_list *list, struct text_source *s, struct error *err)
{
	char *end = s->line_end;
	while (end > s->line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	enum text_packing packing;
	if (strlen(s->line) != (size_t)(end - s->line) || !accelsim_packing(s->line, &packing))
		return text_error(s, s->line, err,
		                  "expected a name that ends in .traceg, .traceg.xz or .tracez");
	const char *slash = strrchr(list->list_path, '/');
	size_t folder_bytes = slash ? (size_t)(slash - list->list_path) : 0;
	/* "/kernelslist.g" has an empty folder part that still means the root. */
	char *file =
	    slash == list->list_path ? join("/.", 2, s->line) : join(list->list_path, folder_bytes, s->line);
	add_command(list, (struct accelsim_command){.file = file});
	return true;
}

static bool read_lines(struct accelsim_list *list, struct text_source *s, struct error *err)
{
	enum text_result r;
	while ((r = text_next(s, err)) == TEXT_LINE) {
		bool ok = true;
		if (!strncmp(s->line, "MemcpyHtoD", strlen("MemcpyHtoD")))
			ok = read_copy(list, s, err);
		else if (!strncmp(s->line, "kernel", strlen("kernel")))
			ok = read_kernel(list, s, err);
		if (!ok)
			return false;
	}
	if (r == TEXT_ERROR)
		return false;
	if (!list->kernels)
		return error_set(err, "%s: lists no kernels: expected lines such as kernel-1.traceg",
		                 list->list_path);
	return true;
}

static bool read_list(struct accelsim_list *list, struct error *err)
{
	struct text_source s;
	if (!text_open(&s, list->list_path, TEXT_PLAIN, err))
		return false;
	bool ok = read_lines(list, &s, err);
	text_close(&s);
	return ok;
}

bool accelsim_list_read(struct accelsim_list *list, const char *path, struct error *err)
{
	*list = (struct accelsim_list){0};
	struct stat st;
	if (stat(path, &st))
		return error_set(err, "%s: %s", path, strerror(errno));
	enum text_packing packing;
	bool ok = true;
	if (!S_ISDIR(st.st_mode) && accelsim_packing(path, &packing)) {
		add_command(list, (struct accelsim_command){.file = memory_text(path)});
	} else if (!S_ISDIR(st.st_mode) && !ends_in(path, "kernelslist.g")) {
		ok = error_set(err,
		               "%s: expected a .sluice file, a folder with kernelslist.g, a kernelslist.g, "
		               "or a .traceg, .traceg.xz or .tracez file",
		               path);
	} else {
		list->list_path =
		    S_ISDIR(st.st_mode) ? join(path, strlen(path), "kernelslist.g") : memory_text(path);
		ok = read_list(list, err);
	}
	if (!ok)
		accelsim_list_free(list);
	return ok;
}

uint32_t accelsim_file_number(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file,
	           *at = name + strlen("kernel-");
	uint64_t number = 0;
	if (strncmp(name, "kernel-", strlen("kernel-")))
		return 0;
	for (; *at >= '0' && *at <= '9' && number <= UINT32_MAX; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static bool check_numbers(const struct accelsim_list *list, const struct trace *trace, struct error *err)
{
	unsigned kernel = 0;
	for (size_t i = 0; i < list->count && kernel < trace_kernel_count(trace); i++) {
		if (!list->commands[i].file)
			continue;
		uint32_t named = accelsim_file_number(list->commands[i].file);
		uint32_t id = trace_kernel_at(trace, kernel++)->id;
		if (named && named != id)
			return error_set(
			    err,
			    "%s: its name says kernel %u, its header '-kernel id = %u': which launch "
			    "is it? Correct one of them",
			    list->commands[i].file, named, id);
	}
	return true;
}

bool accelsim_numbers_agree(const char *path, const struct trace *trace, struct error *err)
{
	struct accelsim_list list;
	if (ends_in(path, ".sluice") || !accelsim_list_read(&list, path, NULL))
		return true;
	bool ok = check_numbers(&list, trace, err);
	accelsim_list_free(&list);
	return ok;
}

void accelsim_list_free(struct accelsim_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->commands[i].file);
	free(list->commands);
	free(list->list_path);
	*list = (struct accelsim_list){0};
}
