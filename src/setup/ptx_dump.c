/*
 * The PTX that an object, a program or a shared library carries in its section .nv_fatbin: texts one after the other,
 * each ended by a zero. Files of PTX are shown as they are.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/read_files.h"
#include "setup/setup.h"

struct bytes {
	char *data;
	size_t size;
};

static bool read_bytes(const char *path, struct bytes *bytes, struct error *err)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return error_set(err, "%s: no file that can be read", path);
	read_files_note_path(path);
	FILE *in = fopen(path, "rb");
	if (!in)
		return error_set(err, "%s: cannot be read", path);
	bytes->data = memory_zeroed((size_t)status.st_size + 1, 1);
	bytes->size = fread(bytes->data, 1, (size_t)status.st_size, in);
	fclose(in);
	return true;
}

/* The headers may be wrong: nothing outside the file is read. */
static bool find_section(const struct bytes *file, const char *name, size_t *offset, size_t *size)
{
	Elf64_Ehdr head;
	Elf64_Shdr names, section;
	if (file->size < sizeof head)
		return false;
	memcpy(&head, file->data, sizeof head);
	if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof section ||
	    head.e_shoff > file->size || (file->size - head.e_shoff) / sizeof section < head.e_shnum ||
	    head.e_shstrndx >= head.e_shnum)
		return false;
	const char *table = file->data + head.e_shoff;
	memcpy(&names, table + head.e_shstrndx * sizeof names, sizeof names);
	for (unsigned i = 0; i < head.e_shnum; i++) {
		memcpy(&section, table + i * sizeof section, sizeof section);
		size_t at = names.sh_offset + section.sh_name;
		if (at >= file->size || strncmp(file->data + at, name, file->size - at) != 0)
			continue;
		*offset = section.sh_offset;
		*size = section.sh_size;
		return section.sh_type != SHT_NOBITS && *offset <= file->size &&
		       *size <= file->size - *offset;
	}
	return false;
}

/* Print the number behind a directive, or "?". */
static void print_directive(FILE *out, const char *ptx, const char *directive, const char *before,
                            const char *after)
{
	const char *at = strstr(ptx, directive);
	at = at ? at + strlen(directive) + strspn(at + strlen(directive), " \t") : "?";
	fprintf(out, "%s%.*s%s", before, (int)strcspn(at, " ,\t\n"), at, after);
}

static void print_text(FILE *out, const char *ptx)
{
	fputs("\nFatbin ptx code:\n================\n", out);
	print_directive(out, ptx, ".target", "arch = ", "\n");
	print_directive(out, ptx, ".version", "code version = ", "\n");
	fputs("host = linux\ncompile_size = 64bit\n\n", out);
	fputs(ptx, out);
}

bool setup_dump_ptx(FILE *out, const char *path, struct error *err)
{
	struct bytes file = {0};
	size_t offset = 0, size = 0;
	if (!read_bytes(path, &file, err))
		return false;
	if (file.size < SELFMAG || memcmp(file.data, ELFMAG, SELFMAG) != 0)
		size = strstr(file.data, ".version") ? file.size : 0;
	else if (!find_section(&file, ".nv_fatbin", &offset, &size))
		size = 0;
	bool found = false;
	for (size_t at = offset; at < offset + size; at += strnlen(file.data + at, offset + size - at) + 1) {
		if (!file.data[at])
			continue;
		if (file.data[at + strnlen(file.data + at, offset + size - at)] != 0)
			break; /* a text that does not end */
		print_text(out, file.data + at);
		found = true;
	}
	free(file.data);
	return found || error_set(err, "%s holds no PTX", path);
}
