/*
 * What a file named on the command line is. A file is not executed because it
 * looks executable: archives keep mode bits, so a "trace" from the network can be a
 * script. A program either links Sluice's runtime, which its dynamic section
 * tells, or was named as a program (--program). A file with the name of a trace is
 * a trace, whatever is inside.
 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_files.h"
#include "record/program.h"

static const char runtime_name[] = "libsluicert.so";

enum { SEGMENTS_MAX = 64, ENTRIES_MAX = 4096 };

static bool has_ending(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	return n >= m && !strcmp(path + n - m, ending);
}

static bool is_named_as_trace(const char *path)
{
	static const char *const endings[] = {".sluice", ".traceg", ".traceg.xz", "kernelslist.g"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (has_ending(path, endings[i]))
			return true;
	return false;
}

/* ---- ELF: does the file need the runtime? No number in it is trusted. ------------------------------------------ */

static bool read_at(int fd, uint64_t offset, void *to, size_t bytes)
{
	return offset <= INT64_MAX && pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

struct elf {
	int fd;
	Elf64_Phdr segment[SEGMENTS_MAX];
	unsigned segments;
};

static bool elf_open(struct elf *elf, int fd)
{
	Elf64_Ehdr head;
	elf->fd = fd;
	if (!read_at(fd, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof *elf->segment ||
	    head.e_phnum > SEGMENTS_MAX)
		return false;
	elf->segments = head.e_phnum;
	return read_at(fd, head.e_phoff, elf->segment, elf->segments * sizeof *elf->segment);
}

/* Find where the byte of an address lies in the file. */
static bool elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset)
{
	for (unsigned i = 0; i < elf->segments; i++) {
		const Elf64_Phdr *s = &elf->segment[i];
		if (s->p_type == PT_LOAD && address >= s->p_vaddr && address - s->p_vaddr < s->p_filesz) {
			*offset = s->p_offset + (address - s->p_vaddr);
			return true;
		}
	}
	return false;
}

/* Find the value of the nth dynamic entry with that tag. */
static bool elf_dynamic(const struct elf *elf, int64_t tag, unsigned nth, uint64_t *value)
{
	for (unsigned i = 0; i < elf->segments; i++) {
		const Elf64_Phdr *s = &elf->segment[i];
		Elf64_Dyn entry;
		if (s->p_type != PT_DYNAMIC)
			continue;
		for (unsigned k = 0; k < ENTRIES_MAX && k < s->p_filesz / sizeof entry; k++) {
			if (!read_at(elf->fd, s->p_offset + k * sizeof entry, &entry, sizeof entry) ||
			    entry.d_tag == DT_NULL)
				break;
			if (entry.d_tag == tag && !nth--) {
				*value = entry.d_un.d_val;
				return true;
			}
		}
	}
	return false;
}

/* Return whether the library name at that offset is the runtime's, with or without a path. */
static bool is_runtime(int fd, uint64_t offset)
{
	char text[PATH_MAX];
	ssize_t n = offset <= INT64_MAX ? pread(fd, text, sizeof text, (off_t)offset) : -1;
	if (n <= 0 || !memchr(text, 0, (size_t)n))
		return false;
	const char *slash = strrchr(text, '/');
	return !strcmp(slash ? slash + 1 : text, runtime_name);
}

static bool needs_runtime(int fd)
{
	struct elf elf;
	uint64_t strings, name, offset;
	if (!elf_open(&elf, fd) || !elf_dynamic(&elf, DT_STRTAB, 0, &strings))
		return false;
	for (unsigned i = 0; i < ENTRIES_MAX && elf_dynamic(&elf, DT_NEEDED, i, &name); i++)
		if (elf_offset(&elf, strings + name, &offset) && is_runtime(fd, offset))
			return true;
	return false;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

/* ELF, or a script: its first bytes say so. */
static bool looks_executable(int fd)
{
	char magic[SELFMAG] = {0};
	ssize_t n = pread(fd, magic, sizeof magic, 0);
	return n >= 2 && (!memcmp(magic, ELFMAG, SELFMAG) || !memcmp(magic, "#!", 2));
}

enum program_kind program_kind_of(const char *path)
{
	struct stat st;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || is_named_as_trace(path))
		return PROGRAM_NONE;
	read_files_note_path(path);
	if (has_ending(path, ".cu"))
		return PROGRAM_SOURCE;
	if (has_ending(path, ".ptx"))
		return PROGRAM_PTX;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return PROGRAM_NONE;
	enum program_kind kind = needs_runtime(fd)      ? PROGRAM_EXECUTABLE
	                         : looks_executable(fd) ? PROGRAM_FOREIGN
	                                                : PROGRAM_NONE;
	close(fd);
	return kind;
}
