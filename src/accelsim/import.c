/*
 * Accel-Sim traces into the native format: the list of launches, the body of
 * each kernel file CTA by CTA. Memory depends on the static program alone.
 */
#include "accelsim/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/list.h"
#include "base/memory.h"
#include "trace/format.h"

enum { MAX_GUESSES = 256 };

struct import {
	struct accelsim_import *order;
	struct trace_writer *writer;
	struct guess_list guesses;
	struct kernel_file file;
	uint64_t text_bytes; /* of the files before this one */
	uint64_t next_report;
};

/* ---- unknown opcodes -------------------------------------------------------------------------------- */

void guess_list_add(struct guess_list *list, const struct known_insn *insn)
{
	const char *mnemonic = insn->text + insn->mnemonic_at;
	size_t bytes = insn->mnemonic_bytes;
	for (size_t i = 0; i < list->count; i++) {
		struct guess *g = &list->guesses[i];
		if (strlen(g->mnemonic) == bytes && !memcmp(g->mnemonic, mnemonic, bytes)) {
			g->executed += insn->executed;
			return;
		}
	}
	if (list->count == MAX_GUESSES) {
		list->left_out++;
		return;
	}
	list->guesses = memory_grow(list->guesses, list->count + 1, sizeof *list->guesses);
	struct guess *guess = &list->guesses[list->count++];
	*guess = (struct guess){memory_zeroed(bytes + 1, 1), insn->insn.op, insn->executed};
	memcpy(guess->mnemonic, mnemonic, bytes);
}

static void guess_list_report(const struct guess_list *list, struct trace_writer *writer)
{
	char text[512];
	for (size_t i = 0; i < list->count; i++) {
		const struct guess *g = &list->guesses[i];
		snprintf(text, sizeof text, "unknown opcode %s (%llu times, read as %s)", g->mnemonic,
		         (unsigned long long)g->executed, op_class_name(g->op));
		trace_writer_warning(writer, text);
	}
	if (list->left_out) {
		snprintf(text, sizeof text, "%llu more unknown opcodes", (unsigned long long)list->left_out);
		trace_writer_warning(writer, text);
	}
}

static void guess_list_free(struct guess_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->guesses[i].mnemonic);
	free(list->guesses);
}

/* ---- the header of a kernel file ----------------------------------------------------------------------- */

enum header_key {
	KEY_GRID = 1u << 0,
	KEY_BLOCK = 1u << 1,
	KEY_SHARED = 1u << 2,
	KEY_REGISTERS = 1u << 3,
	KEY_BINARY = 1u << 4,
	KEY_TRACER = 1u << 5,
	KEY_NEEDED = (1u << 6) - 1,
};

static bool read_u32(struct kernel_file *f, char *p, uint32_t *value, struct error *err)
{
	uint64_t v;
	if (!text_take_unsigned(&p, &v) || v > UINT32_MAX)
		return text_error(&f->text, p, err, "expected a number below 2^32");
	*value = (uint32_t)v;
	return true;
}

static bool read_dim(struct kernel_file *f, char *p, struct trace_dim *dim, struct error *err)
{
	uint64_t v[3];
	bool ok = text_take_char(&p, '(');
	for (int i = 0; i < 3 && ok; i++)
		ok = (i == 0 || text_take_char(&p, ',')) && text_take_unsigned(&p, &v[i]) &&
		     v[i] <= UINT32_MAX;
	if (!ok || !text_take_char(&p, ')'))
		return text_error(&f->text, p, err, "expected three numbers such as (16,1,1)");
	*dim = (struct trace_dim){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
	return true;
}

static bool read_address(struct kernel_file *f, char *p, uint64_t *value, struct error *err)
{
	text_skip_blanks(&p);
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	if (!text_take_hex(&p, value))
		return text_error(&f->text, p, err, "expected a hexadecimal address");
	return true;
}

static void read_name(struct kernel_file *f, char *p)
{
	text_skip_blanks(&p);
	free(f->name);
	f->name = memory_text(p);
	f->kernel.name = f->name;
}

/* "1.2" counts as 1. */
static bool read_version(struct kernel_file *f, char *p, struct error *err)
{
	text_skip_blanks(&p);
	if (!text_take_unsigned(&p, &f->tracer_version))
		return text_error(&f->text, p, err, "expected the number of a tracer version");
	if (f->tracer_version > 6)
		return text_error(&f->text, p, err, "tracer version %llu, expected at most 6",
		                  (unsigned long long)f->tracer_version);
	return true;
}

static bool read_flag(struct kernel_file *f, char *p, bool *flag, struct error *err)
{
	uint32_t v = 0;
	if (!read_u32(f, p, &v, err))
		return false;
	*flag = v != 0;
	return true;
}

static bool read_value(struct kernel_file *f, const char *key, char *value, unsigned *seen, struct error *err)
{
	struct trace_kernel *k = &f->kernel;
	if (!strcmp(key, "kernel name"))
		return read_name(f, value), true;
	if (!strcmp(key, "kernel id"))
		return read_u32(f, value, &k->id, err);
	if (!strcmp(key, "cuda stream id"))
		return read_u32(f, value, &k->stream, err);
	if (!strcmp(key, "shmem base_addr"))
		return read_address(f, value, &k->shared_window, err);
	if (!strcmp(key, "local mem base_addr"))
		return read_address(f, value, &k->local_window, err);
	if (!strcmp(key, "enable lineinfo"))
		return read_flag(f, value, &f->line_numbers, err);
	if (!strcmp(key, "grid dim"))
		return *seen |= KEY_GRID, read_dim(f, value, &k->grid, err);
	if (!strcmp(key, "block dim"))
		return *seen |= KEY_BLOCK, read_dim(f, value, &k->block, err);
	if (!strcmp(key, "shmem"))
		return *seen |= KEY_SHARED, read_u32(f, value, &k->shared_bytes, err);
	if (!strcmp(key, "nregs"))
		return *seen |= KEY_REGISTERS, read_u32(f, value, &k->registers_per_thread, err);
	if (!strcmp(key, "binary version"))
		return *seen |= KEY_BINARY, read_u32(f, value, &k->binary_version, err);
	if (!strcmp(key, "accelsim tracer version"))
		return *seen |= KEY_TRACER, read_version(f, value, err);
	return true; /* keys of other tools are passed over */
}

static bool read_line(struct kernel_file *f, unsigned *seen, struct error *err)
{
	char *key = f->text.line + 1, *equals = strchr(key, '=');
	if (f->text.line[0] != '-')
		return text_error(
		    &f->text, f->text.line, err,
		    "expected a header line such as '-grid dim = (1,1,1)', or a '#' line that ends it");
	if (strlen(f->text.line) != (size_t)(f->text.line_end - f->text.line))
		return text_error(&f->text, f->text.line, err, "a NUL byte in a text file");
	if (!equals)
		return text_error(&f->text, f->text.line_end, err, "expected '= value'");
	char *end = equals;
	while (end > key && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	text_skip_blanks(&key);
	char saved = *end;
	*end = '\0';
	/* The value is parsed in place; the '=' is not needed any more. */
	bool ok = read_value(f, key < end ? key : end, equals + 1, seen, err);
	*end = saved;
	return ok;
}

static bool check_header(struct kernel_file *f, unsigned seen, struct error *err)
{
	static const char *const names[] = {"grid dim", "block dim",      "shmem",
	                                    "nregs",    "binary version", "accelsim tracer version"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!(seen & 1u << i))
			return text_error(&f->text, NULL, err,
			                  "the header ends here but has no '-%s = ...' line", names[i]);
	struct trace_kernel *k = &f->kernel;
	k->warp_size = 32;
	k->cta_count = (uint64_t)k->grid.x * k->grid.y * k->grid.z;
	uint64_t threads = (uint64_t)k->block.x * k->block.y;
	threads = threads > UINT32_MAX ? UINT32_MAX : threads * k->block.z;
	k->warps_per_cta = threads > UINT32_MAX - 32 ? UINT32_MAX / 32 : (uint32_t)((threads + 31) / 32);
	const char *what = format_check_kernel(k);
	if (what)
		return text_error(&f->text, NULL, err, "%s: grid (%u,%u,%u), block (%u,%u,%u)", what,
		                  k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z);
	return true;
}

static bool read_header(struct kernel_file *f, struct error *err)
{
	unsigned seen = 0;
	enum text_result r;
	while ((r = text_next(&f->text, err)) == TEXT_LINE) {
		char *p = f->text.line;
		text_skip_blanks(&p);
		if (!*p && p == f->text.line_end)
			continue;
		if (f->text.line[0] == '#')
			return check_header(f, seen, err);
		if (!read_line(f, &seen, err))
			return false;
	}
	if (r == TEXT_END)
		text_error(&f->text, NULL, err, "the file ends inside the header: expected a '#' line");
	return false;
}

/* ---- the body of a kernel file ---------------------------------------------------------------------- */

static bool report_progress(struct import *in, struct error *err)
{
	uint64_t bytes = in->text_bytes + in->file.text.bytes_read;
	if (!in->order->progress || bytes < in->next_report)
		return true;
	in->next_report = bytes + (16 << 20);
	return in->order->progress(in->order->user, bytes, in->order->warp_insns + in->file.warp_insns) ||
	       error_set(err, "%s: the import was ended on request", in->order->path);
}

/* The next line that is not blank. */
static enum text_result next_line(struct kernel_file *f, struct error *err)
{
	enum text_result r;
	while ((r = text_next(&f->text, err)) == TEXT_LINE) {
		char *p = f->text.line;
		text_skip_blanks(&p);
		if (p != f->text.line_end)
			break;
	}
	return r;
}

/* For "key = value" lines: a pointer to the value, NULL if the line is another one. */
static char *value_of(const struct kernel_file *f, const char *key)
{
	size_t bytes = strlen(key);
	char *p = f->text.line + bytes;
	if (strncmp(f->text.line, key, bytes) || !text_take_char(&p, '='))
		return NULL;
	return p;
}

static bool read_count(struct kernel_file *f, const char *key, uint64_t *count, struct error *err)
{
	char *p = value_of(f, key);
	if (!p || !text_take_unsigned(&p, count))
		return text_error(&f->text, p ? p : f->text.line, err, "expected '%s = <number>'", key);
	text_skip_blanks(&p);
	if (p != f->text.line_end)
		return text_error(&f->text, p, err, "expected the end of the line");
	return true;
}

static bool ends_early(struct kernel_file *f, enum text_result r, const char *expected, struct error *err)
{
	if (r == TEXT_END)
		text_error(&f->text, NULL, err, "the file ends here, expected %s", expected);
	return false;
}

static bool read_insns(struct import *in, uint64_t count, struct error *err)
{
	struct kernel_file *f = &in->file;
	for (uint64_t i = 0; i < count; i++) {
		enum text_result r = next_line(f, err);
		if (r != TEXT_LINE)
			return ends_early(f, r, "more instructions of the warp", err);
		char c = f->text.line[0];
		if (c == '#' || c == 'w' || c == 't')
			return text_error(&f->text, f->text.line, err,
			                  "expected %llu instructions, found %llu", (unsigned long long)count,
			                  (unsigned long long)i);
		if (!accelsim_read_insn(f, err))
			return false;
	}
	return true;
}

static bool read_warp(struct import *in, uint64_t cta, struct error *err)
{
	struct kernel_file *f = &in->file;
	uint64_t warp, count;
	if (!read_count(f, "warp", &warp, err))
		return false;
	if (warp >= f->kernel.warps_per_cta)
		return text_error(&f->text, f->text.line, err, "warp %llu of a CTA that has %u",
		                  (unsigned long long)warp, f->kernel.warps_per_cta);
	struct error cause;
	if (f->pass != PASS_COUNT && !trace_writer_begin_warp(f->writer, (uint32_t)warp, &cause))
		return text_error(&f->text, f->text.line, err, "%s", cause.text);
	enum text_result r = next_line(f, err);
	if (r != TEXT_LINE)
		return ends_early(f, r, "'insts = <number>'", err);
	f->last = NULL;
	f->warps += f->pass == PASS_FIND;
	spins_begin_warp(f->spins, cta);
	return read_count(f, "insts", &count, err) && read_insns(in, count, err) && accelsim_end_warp(f, err);
}

/* Linear number of the CTA from its "thread block = x,y,z" line. */
static bool read_cta_number(struct kernel_file *f, uint64_t *cta, struct error *err)
{
	const struct trace_dim *g = &f->kernel.grid;
	char *p = value_of(f, "thread block");
	uint64_t x, y, z;
	if (!p || !text_take_unsigned(&p, &x) || !text_take_char(&p, ',') || !text_take_unsigned(&p, &y) ||
	    !text_take_char(&p, ',') || !text_take_unsigned(&p, &z))
		return text_error(&f->text, p ? p : f->text.line, err, "expected 'thread block = x,y,z'");
	if (x >= g->x || y >= g->y || z >= g->z)
		return text_error(&f->text, f->text.line, err, "CTA outside the grid (%u,%u,%u)", g->x, g->y,
		                  g->z);
	*cta = x + g->x * (y + g->y * z);
	return true;
}

static bool begin_cta(struct kernel_file *f, uint64_t cta, uint64_t next_cta, struct error *err)
{
	if (cta < next_cta)
		return text_error(
		    &f->text, f->text.line, err,
		    "CTA number %llu comes after number %llu: expected each CTA once, x running fastest",
		    (unsigned long long)cta, (unsigned long long)next_cta - 1);
	if (cta >= f->kernel.cta_count)
		return text_error(&f->text, f->text.line, err, "more CTAs than the grid has (%llu)",
		                  (unsigned long long)f->kernel.cta_count);
	return f->pass == PASS_COUNT || trace_writer_begin_cta(f->writer, cta, err);
}

/* Lines of version 6 that place the CTA in its cluster; where CTAs run is the machine's business. */
static bool is_cluster_line(const struct kernel_file *f)
{
	return value_of(f, "cluster id") || value_of(f, "cluster cta") || value_of(f, "cluster rank");
}

/* Between #BEGIN_TB and #END_TB; leaves *next_cta behind the CTA. */
static bool read_cta(struct import *in, uint64_t *next_cta, struct error *err)
{
	struct kernel_file *f = &in->file;
	uint64_t cta = *next_cta;
	enum text_result r = next_line(f, err);
	/* The line is missing in hand-made traces: then CTAs come one after the other. */
	if (r == TEXT_LINE && !strncmp(f->text.line, "thread block", strlen("thread block"))) {
		if (!read_cta_number(f, &cta, err))
			return false;
		r = next_line(f, err);
	}
	while (r == TEXT_LINE && is_cluster_line(f))
		r = next_line(f, err);
	if (r == TEXT_ERROR || !begin_cta(f, cta, *next_cta, err))
		return false;
	for (; r == TEXT_LINE; r = next_line(f, err)) {
		if (!strncmp(f->text.line, "#END_TB", strlen("#END_TB"))) {
			*next_cta = cta + 1;
			return f->pass == PASS_COUNT || trace_writer_end_cta(f->writer, err);
		}
		if (f->text.line[0] != 'w')
			return text_error(&f->text, f->text.line, err,
			                  "expected 'warp = <number>' or '#END_TB'");
		if (!read_warp(in, cta, err) || !report_progress(in, err))
			return false;
	}
	return ends_early(f, r, "'#END_TB'", err);
}

static void warn_missing(struct kernel_file *f, const char *what, uint64_t missing, uint64_t total)
{
	char text[512];
	if (!missing)
		return;
	snprintf(text, sizeof text,
	         "kernel %u (%.200s): %llu of %llu %s are not in the trace, taken as empty", f->kernel.id,
	         f->kernel.name, (unsigned long long)missing, (unsigned long long)total, what);
	trace_writer_warning(f->writer, text);
}

static bool read_body(struct import *in, struct error *err)
{
	struct kernel_file *f = &in->file;
	uint64_t next_cta = 0, ctas = 0;
	enum text_result r;
	while ((r = next_line(f, err)) == TEXT_LINE) {
		if (strncmp(f->text.line, "#BEGIN_TB", strlen("#BEGIN_TB")))
			return text_error(&f->text, f->text.line, err, "expected '#BEGIN_TB'");
		if (!read_cta(in, &next_cta, err))
			return false;
		ctas++;
	}
	if (r == TEXT_ERROR)
		return false;
	if (!ctas)
		return text_error(&f->text, NULL, err, "the file ends without a CTA: expected '#BEGIN_TB'");
	if (f->kernel.cta_count - ctas > FORMAT_MAX_EMPTY_CTAS)
		return text_error(
		    &f->text, NULL, err,
		    "%llu of the grid's %llu CTAs are not in the trace; at most %d may be left out",
		    (unsigned long long)(f->kernel.cta_count - ctas), (unsigned long long)f->kernel.cta_count,
		    FORMAT_MAX_EMPTY_CTAS);
	if (f->pass != PASS_FIND)
		return true;
	warn_missing(f, "CTAs", f->kernel.cta_count - ctas, f->kernel.cta_count);
	uint64_t warps = ctas * f->kernel.warps_per_cta;
	warn_missing(f, "warps", warps - f->warps, warps);
	return true;
}

/* Read the file again from its start. */
static bool read_again(struct import *in, enum wait_pass pass, struct error *err)
{
	struct kernel_file *f = &in->file;
	const char *path = f->text.path;
	enum text_packing packing = f->text.packing;
	text_close(&f->text);
	f->pass = pass;
	spins_begin_pass(f->spins, pass, f->kernel.shared_window);
	return text_open(&f->text, path, packing, err) && read_header(f, err) && read_body(in, err);
}

/* A launch with spin-waits is read twice more: see spins.h. */
static bool read_waits(struct import *in, struct error *err)
{
	struct kernel_file *f = &in->file;
	if (!spins_found(f->spins))
		return true;
	if (!read_again(in, PASS_COUNT, err))
		return false;
	spins_derive(f->spins);
	if (!trace_writer_restart_kernel(f->writer, err) || !read_again(in, PASS_WRITE, err))
		return false;
	spins_report(f->spins, f->writer, &f->kernel);
	f->warp_insns -= spins_left_out(f->spins);
	return true;
}

static bool read_kernel(struct import *in, struct error *err)
{
	struct kernel_file *f = &in->file;
	if (!read_header(f, err))
		return false;
	spins_begin_pass(f->spins, PASS_FIND, f->kernel.shared_window);
	return trace_writer_begin_kernel(f->writer, &f->kernel, err) && read_body(in, err) &&
	       read_waits(in, err) && trace_writer_end_kernel(f->writer, err);
}

static bool import_kernel(struct import *in, const char *path, unsigned ordinal, struct error *err)
{
	struct kernel_file *f = &in->file;
	enum text_packing packing;
	accelsim_packing(path, &packing);
	memset(f, 0, sizeof *f);
	f->writer = in->writer;
	/* Used if the header has none. */
	f->kernel.id = accelsim_file_number(path);
	if (!f->kernel.id)
		f->kernel.id = ordinal + 1;
	f->kernel.name = "unnamed";
	if (!text_open(&f->text, path, packing, err))
		return false;
	f->spins = spins_new();
	bool ok = read_kernel(in, err);
	spins_free(f->spins);
	in->text_bytes += f->text.bytes_read;
	in->order->warp_insns += f->warp_insns;
	in->order->text_bytes = in->text_bytes;
	accelsim_forget_insns(f, &in->guesses);
	free(f->name);
	text_close(&f->text);
	return ok;
}

/* ---- the whole trace -------------------------------------------------------------------------------- */

static bool import_list(struct import *in, const struct accelsim_list *list, struct error *err)
{
	unsigned kernels = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct accelsim_command *c = &list->commands[i];
		if (!c->file)
			trace_writer_copy(in->writer, c->address, c->bytes);
		else if (!import_kernel(in, c->file, kernels++, err))
			return false;
	}
	guess_list_report(&in->guesses, in->writer);
	return true;
}

bool accelsim_import(struct accelsim_import *import, struct error *err)
{
	struct accelsim_list list;
	import->text_bytes = import->warp_insns = 0;
	if (!accelsim_list_read(&list, import->path, err))
		return false;
	struct import *in = memory_zeroed(1, sizeof *in);
	in->order = import;
	in->writer = trace_writer_new(import->out_path, err);
	bool ok = in->writer && import_list(in, &list, err);
	if (ok)
		ok = trace_writer_finish(in->writer, err);
	else
		trace_writer_abort(in->writer);
	guess_list_free(&in->guesses);
	free(in);
	accelsim_list_free(&list);
	return ok;
}
