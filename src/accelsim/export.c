/*
 * Native traces as Accel-Sim text, version 4 or 6. Written for its strict reader:
 * one destination and four sources at most, base and stride only for lanes
 * without a gap, the exact number of instructions before each warp.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accelsim/accelsim.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/output.h"
#include "trace/mbarrier.h"

enum {
	MAX_SOURCES = 4,
	LINE_BYTES = 4096,   /* longest mnemonic and 32 deltas of 20 digits */
	DEFAULT_BINARY = 70, /* for traces that were not recorded from SASS */
	TEXT_BYTES = 512,    /* static part of a line */
	VALUES = 6,          /* the version with classes of registers, bulk copies and values */
};

struct export
{
	unsigned version;
	const struct trace *trace;
	const char *dir;
	struct trace_reader *reader;
	FILE *list;
	bool made_dir;
	char **files; /* written so far, to be removed on failure */
	size_t file_count;
};

/* One kernel that is being exported. */
struct export_kernel {
	const struct trace_kernel *k;
	unsigned index;
	FILE *out;
	char *texts; /* what follows the mask, TEXT_BYTES per static instruction */
	unsigned version;
	bool line_numbers;
	uint8_t *buffer;
	struct warp_cursor *cursors;
};

/* ---- static instructions ---------------------------------------------------------------------------- */

static const char *space_letter(uint8_t space)
{
	switch (space) {
	case SPACE_LOCAL:
		return "L";
	case SPACE_SHARED:
		return "S";
	case SPACE_GENERIC:
		return ".E";
	default:
		return "G.E";
	}
}

static const char *width_part(uint8_t width_bytes)
{
	switch (width_bytes) {
	case 1:
		return ".U8";
	case 2:
		return ".U16";
	case 8:
		return ".64";
	case 16:
		return ".128";
	default:
		return "";
	}
}

/* NULL for loads, stores, atomics and reductions, whose names depend on space and width. */
static const char *plain_mnemonic(const struct trace_insn *i)
{
	static const char *const names[OP_COUNT] = {
	    [OP_NOP] = "NOP",          [OP_INT] = "IADD3",        [OP_IMAD] = "IMAD",
	    [OP_FP32] = "FFMA",        [OP_FP16] = "HFMA2",       [OP_FP64] = "DFMA",
	    [OP_SFU] = "MUFU",         [OP_TENSOR] = "HMMA",      [OP_TENSOR64] = "HMMA",
	    [OP_SHUFFLE] = "SHFL",     [OP_VOTE] = "VOTE",        [OP_SREG] = "S2R",
	    [OP_CONST] = "LDC",        [OP_UNIFORM] = "MOV",      [OP_BRANCH] = "BRA",
	    [OP_RECONVERGE] = "BSYNC", [OP_BARRIER] = "BAR.SYNC", [OP_ARRIVE] = "BAR.ARV",
	    [OP_FENCE] = "MEMBAR",     [OP_EXIT] = "EXIT",        [OP_TEXTURE] = "TEX",
	};
	if (i->op == OP_INT && i->flags & INSN_SETS_PREDICATE)
		return "ISETP";
	if (i->op == OP_FENCE && i->flags & INSN_GPU_SCOPE)
		return "MEMBAR.SC.GPU";
	return names[i->op];
}

/* Shared memory has no reduction of its own in SASS: an atomic without a result does it. */
static void access_mnemonic(const struct trace_insn *i, char *to, size_t bytes)
{
	bool shared = i->space == SPACE_SHARED, reduce = i->op == OP_REDUCE && !shared;
	const char *name = i->op == OP_LOAD ? "LD" : i->op == OP_STORE ? "ST" : reduce ? "RED" : "ATOM";
	const char *what = "", *scope = "";
	if (i->op == OP_ATOMIC || i->op == OP_REDUCE)
		what = i->flags & INSN_CAS ? ".CAS" : ".ADD";
	else if (i->flags & INSN_BYPASS_L1)
		scope = ".STRONG.GPU";
	snprintf(to, bytes, "%s%s%s%s%s", name, reduce ? ".E" : space_letter(i->space), what,
	         width_part(i->width_bytes), scope);
}

/* SASS mnemonics stay as they are; others (PTX is lower case) become the nearest SASS one. */
static void export_mnemonic(const struct trace_kernel *k, const struct trace_insn *i, char *to, size_t bytes)
{
	const char *m = trace_mnemonic(k, i), *plain = plain_mnemonic(i);
	if (*m >= 'A' && *m <= 'Z' && !strpbrk(m, " \t\r\n"))
		snprintf(to, bytes, "%.255s", m);
	else if (plain)
		snprintf(to, bytes, "%s", plain);
	else
		access_mnemonic(i, to, bytes);
}

/* Version 6 tells the direction of a bulk copy by its name. */
static void name_bulk(const struct trace_insn *i, char *mnemonic, size_t bytes)
{
	if (!strstr(mnemonic, "UTMA") && !strstr(mnemonic, ".S.G") && !strstr(mnemonic, ".G.S"))
		snprintf(mnemonic, bytes, "UBLKCP.%s", i->op == OP_STORE ? "G.S" : "S.G");
}

static bool is_group_product(const char *mnemonic)
{
	return strlen(mnemonic) > 5 && !memcmp(mnemonic + 1, "GMMA", 4);
}

static void export_static(const struct trace_kernel *k, const struct trace_insn *i, unsigned version,
                          char *to)
{
	char mnemonic[256];
	export_mnemonic(k, i, mnemonic, sizeof mnemonic);
	if (version >= VALUES && i->flags & INSN_BULK)
		name_bulk(i, mnemonic, sizeof mnemonic);
	size_t at = 0;
	if (i->dst == TRACE_REG_NONE)
		at += (size_t)snprintf(to, TEXT_BYTES, " 0 ");
	else
		at += (size_t)snprintf(to, TEXT_BYTES, " 1 R%u ", i->dst);
	unsigned sources = i->src_count < MAX_SOURCES ? i->src_count : MAX_SOURCES;
	at += (size_t)snprintf(to + at, TEXT_BYTES - at, "%s %u ", mnemonic, sources);
	for (unsigned s = 0; s < sources; s++)
		at += (size_t)snprintf(to + at, TEXT_BYTES - at, "R%u ", i->src[s]);
	if (version >= VALUES && is_group_product(mnemonic))
		at += (size_t)snprintf(to + at, TEXT_BYTES - at, "%d ",
		                       i->flags & INSN_ASYNC_COPY && i->width_bytes == 1);
	unsigned width = !(i->flags & INSN_MEMORY) ? 0 : i->width_bytes ? i->width_bytes : 4;
	snprintf(to + at, TEXT_BYTES - at, "%u ", width);
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static char *put_text(char *p, const char *text)
{
	size_t n = strlen(text);
	memcpy(p, text, n);
	return p + n;
}

static char *put_hex(char *p, uint64_t v, unsigned digits)
{
	while (digits < 16 && v >> (4 * digits))
		digits++;
	while (digits--)
		*p++ = "0123456789abcdef"[v >> (4 * digits) & 15];
	return p;
}

static char *put_decimal(char *p, int64_t v)
{
	return p + snprintf(p, 32, "%" PRId64 " ", v);
}

static char *put_addresses(char *p, const struct warp_step *step)
{
	if (!step->mask)
		return put_text(p, "2 0x0 ");
	uint64_t run = step->mask >> __builtin_ctzll(step->mask);
	bool contiguous = !(run & (run + 1)) && run > 1;
	uint64_t address[TRACE_MAX_LANES];
	unsigned lanes = step_addresses(step, address);
	bool strided = contiguous && step->kind == ADDR_STRIDE;
	p = put_text(p, strided ? "1 0x" : "2 0x");
	p = put_hex(p, address[0], 1);
	*p++ = ' ';
	if (strided)
		return put_decimal(p, step->stride);
	for (unsigned i = 1; i < lanes; i++)
		p = put_decimal(p, (int64_t)(address[i] - address[i - 1]));
	return p;
}

/* What a bulk copy copies: mbarrier, no multicast, bytes, none out of bounds, a list of addresses. */
static char *put_bulk(char *p, const struct trace_insn *i, const struct warp_step *step, uint64_t object)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned lanes = step_addresses(step, address);
	p = put_text(p, "0x");
	p = put_hex(p, object ? (object - 1) * MBARRIER_BYTES : 0, 1);
	p = put_text(p, " 0 ");
	p = put_decimal(p, (int64_t)lanes * i->width_bytes);
	p = put_text(p, "0 3 ");
	p = put_decimal(p, lanes);
	for (unsigned l = 0; l < lanes; l++) {
		p = put_text(p, "0x");
		p = put_hex(p, address[l], 1);
		*p++ = ' ';
	}
	return p;
}

/* Immediates and no values: of what waits for groups, how many may be open. */
static char *put_end(char *p, const struct trace_insn *i)
{
	bool waits =
	    !(i->flags & INSN_MEMORY) && i->flags & INSN_ASYNC_COPY && i->width_bytes && i->op != OP_TENSOR;
	p = put_decimal(p, waits ? i->width_bytes - 1 : 0);
	return put_text(p, "0 NoVal");
}

static void put_step(struct export_kernel *e, struct warp_step *step)
{
	char line[LINE_BYTES], *p = line;
	const struct trace_insn *i = &e->k->insns[step->insn];
	uint64_t mark =
	    step_take_mark(step, i->flags); /* Accel-Sim has no such mark but mbarriers of bulk copies */
	if (e->line_numbers)
		p = put_decimal(p, i->source_line);
	p = put_hex(p, i->pc, 4);
	*p++ = ' ';
	p = put_hex(p, step->mask, 8);
	p = put_text(p, e->texts + (size_t)step->insn * TEXT_BYTES);
	if (e->version >= VALUES && i->flags & INSN_BULK)
		p = put_bulk(p, i, step, mark);
	else if (i->flags & INSN_MEMORY)
		p = put_addresses(p, step);
	if (e->version >= VALUES)
		p = put_end(p, i);
	*p++ = '\n';
	fwrite(line, 1, (size_t)(p - line), e->out);
}

static bool put_warp(struct export *x, struct export_kernel *e, uint32_t warp, struct error *err)
{
	struct warp_cursor *c = &e->cursors[warp];
	fprintf(e->out, "\nwarp = %" PRIu32 "\ninsts = %" PRIu64 "\n", warp, c->left);
	struct warp_step step;
	enum cursor_result r;
	while ((r = cursor_next(x->reader, e->k, c, &step, err)) == CURSOR_STEP)
		put_step(e, &step);
	return r == CURSOR_END;
}

static bool put_cta(struct export *x, struct export_kernel *e, uint64_t cta, struct error *err)
{
	const struct trace_dim *g = &e->k->grid;
	if (!trace_read_cta(x->reader, e->index, cta, e->buffer, e->cursors, err))
		return false;
	fprintf(e->out, "#BEGIN_TB\n\nthread block = %" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", cta % g->x,
	        cta / g->x % g->y, cta / g->x / g->y);
	if (e->version >= VALUES)
		fputs("cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n", e->out);
	for (uint32_t w = 0; w < e->k->warps_per_cta; w++)
		if (!put_warp(x, e, w, err))
			return false;
	fputs("\n#END_TB\n\n", e->out);
	return true;
}

/* ---- kernel files ----------------------------------------------------------------------------------- */

static void put_header(struct export_kernel *e)
{
	const struct trace_kernel *k = e->k;
	FILE *out = e->out;
	fprintf(out, "-kernel name = %.*s\n-kernel id = %u\n", (int)strcspn(k->name, "\r\n"), k->name, k->id);
	fprintf(out, "-grid dim = (%u,%u,%u)\n", k->grid.x, k->grid.y, k->grid.z);
	fprintf(out, "-block dim = (%u,%u,%u)\n", k->block.x, k->block.y, k->block.z);
	fprintf(out, "-shmem = %u\n-nregs = %u\n", k->shared_bytes, k->registers_per_thread);
	fprintf(out, "-binary version = %u\n", k->binary_version ? k->binary_version : DEFAULT_BINARY);
	fprintf(out, "-cuda stream id = %u\n", k->stream);
	fprintf(out, "-shmem base_addr = 0x%016" PRIx64 "\n", k->shared_window);
	fprintf(out, "-local mem base_addr = 0x%016" PRIx64 "\n", k->local_window);
	fprintf(out, "-nvbit version = none\n-accelsim tracer version = %u\n-enable lineinfo = %d\n\n",
	        e->version, e->line_numbers);
	fputs("#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
	      "mem_width [adrrescompress?] [mem_addresses]\n\n",
	      out);
}

/* Create a file in the folder and keep its path in x->files; return NULL with an error. */
static FILE *create_file(struct export *x, const char *name, struct error *err)
{
	size_t bytes = strlen(x->dir) + strlen(name) + 2;
	char *path = memory_grow(NULL, bytes, 1);
	snprintf(path, bytes, "%s/%s", x->dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!f) {
		error_set(err, "%s: cannot create: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		free(path);
		return NULL;
	}
	x->files = memory_grow(x->files, x->file_count + 1, sizeof *x->files);
	x->files[x->file_count++] = path;
	return f;
}

static bool close_file(FILE *f, const char *path, struct error *err)
{
	bool bad = ferror(f);
	if (fclose(f) || bad)
		return error_set(err, "%s: cannot write: %s", path, strerror(errno));
	return true;
}

static void prepare_kernel(struct export_kernel *e)
{
	const struct trace_kernel *k = e->k;
	e->texts = memory_grow(NULL, k->insn_count, TEXT_BYTES);
	e->buffer = memory_grow(NULL, cta_buffer_bytes(k), 1);
	e->cursors = memory_grow(NULL, k->warps_per_cta, sizeof *e->cursors);
	for (uint32_t i = 0; i < k->insn_count; i++) {
		export_static(k, &k->insns[i], e->version, e->texts + (size_t)i * TEXT_BYTES);
		e->line_numbers |= k->insns[i].source_line != 0;
	}
}

static bool put_kernel(struct export *x, struct export_kernel *e, struct error *err)
{
	prepare_kernel(e);
	put_header(e);
	for (uint64_t cta = 0; cta < e->k->cta_count; cta++)
		if (!put_cta(x, e, cta, err))
			return false;
	return true;
}

/* The number in the name is the kernel's id, unless an earlier launch has the same. */
static void kernel_file_name(const struct export *x, unsigned index, char *name, size_t bytes)
{
	uint32_t id = trace_kernel_at(x->trace, index)->id;
	char path[4096];
	snprintf(name, bytes, "kernel-%u.traceg", id);
	snprintf(path, sizeof path, "%s/%s", x->dir, name);
	if (!access(path, F_OK))
		snprintf(name, bytes, "kernel-%u-launch-%u.traceg", id, index + 1);
}

static bool export_kernel(struct export *x, unsigned index, struct error *err)
{
	struct export_kernel e = {
	    .k = trace_kernel_at(x->trace, index), .index = index, .version = x->version};
	if (e.k->warp_size != 32)
		return error_set(err, "%s: kernel %u has warps of %u lanes: Accel-Sim traces have 32",
		                 trace_path(x->trace), index + 1, e.k->warp_size);
	char name[64];
	kernel_file_name(x, index, name, sizeof name);
	e.out = create_file(x, name, err);
	if (!e.out)
		return false;
	bool ok = put_kernel(x, &e, err);
	if (ok)
		ok = close_file(e.out, x->files[x->file_count - 1], err);
	else
		fclose(e.out);
	fprintf(x->list, "%s\n", name);
	free(e.texts);
	free(e.buffer);
	free(e.cursors);
	return ok;
}

/* ---- the folder ------------------------------------------------------------------------------------- */

static bool export_launches(struct export *x, struct error *err)
{
	const struct trace_copy *copies;
	size_t copy_count = trace_copies(x->trace, &copies), c = 0;
	for (unsigned i = 0; i <= trace_kernel_count(x->trace); i++) {
		for (; c < copy_count && copies[c].before_kernel == i; c++)
			fprintf(x->list, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", copies[c].address,
			        copies[c].bytes);
		if (i < trace_kernel_count(x->trace) && !export_kernel(x, i, err))
			return false;
	}
	return true;
}

static bool is_empty_folder(const char *path)
{
	DIR *dir = opendir(path);
	if (!dir)
		return false;
	bool empty = true;
	for (struct dirent *entry; empty && (entry = readdir(dir));)
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	closedir(dir);
	return empty;
}

static bool prepare_folder(struct export *x, struct error *err)
{
	x->made_dir = !mkdir(x->dir, 0777);
	if (!x->made_dir && errno != EEXIST)
		return error_set(err, "%s: cannot create the folder: %s", x->dir, strerror(errno));
	if (!x->made_dir && !is_empty_folder(x->dir))
		return error_set(err, "%s: exists already, expected an empty folder or none", x->dir);
	return true;
}

static bool export_all(struct export *x, struct error *err)
{
	x->reader = trace_reader_new(x->trace, err);
	if (!x->reader || !prepare_folder(x, err))
		return false;
	x->list = create_file(x, "kernelslist.g", err);
	if (!x->list)
		return false;
	if (export_launches(x, err))
		return close_file(x->list, x->files[0], err);
	fclose(x->list);
	return false;
}

bool accelsim_export(struct trace *trace, const char *dir, unsigned version, struct error *err)
{
	struct export x = {.trace = trace, .dir = dir, .version = version};
	bool ok = export_all(&x, err);
	for (size_t i = 0; i < x.file_count; i++) {
		if (!ok)
			unlink(x.files[i]);
		free(x.files[i]);
	}
	if (!ok && x.made_dir)
		rmdir(dir);
	free(x.files);
	trace_reader_free(x.reader);
	return ok;
}

static bool is_exported_name(const char *name)
{
	size_t n = strlen(name);
	return !strcmp(name, "kernelslist.g") ||
	       (!strncmp(name, "kernel-", 7) && n > 7 && !strcmp(name + n - 7, ".traceg"));
}

bool accelsim_remove_export(const char *folder, struct error *err)
{
	DIR *dir = opendir(folder);
	char path[PATH_MAX];
	bool ok = true;
	if (!dir)
		return true;
	for (struct dirent *entry; ok && (entry = readdir(dir));)
		if (is_exported_name(entry->d_name))
			ok = path_join(path, folder, entry->d_name, err) && output_allowed(path, err);
	rewinddir(dir);
	for (struct dirent *entry; ok && (entry = readdir(dir));)
		if (is_exported_name(entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	return ok;
}
