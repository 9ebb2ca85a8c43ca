/*
 * Accel-Sim traces into the native format: the list of launches, the body of
 * each kernel file CTA by CTA. Memory depends on the static program alone.
 */
#include "accelsim/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/list.h"
#include "trace/format.h"

enum { MAX_GUESSES = 256 };

struct import {
	struct accelsim_import *job;
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
	struct guess *more =
	    list->count < MAX_GUESSES ? realloc(list->guesses, (list->count + 1) * sizeof *more) : NULL;
	if (more)
		list->guesses = more;
	char *copy = more ? strndup(mnemonic, bytes) : NULL;
	if (!copy) {
		list->left_out++;
		return;
	}
	list->guesses[list->count++] = (struct guess){copy, insn->op, insn->executed};
}

void guess_list_report(const struct guess_list *list, struct trace_writer *writer)
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

void guess_list_free(struct guess_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->guesses[i].mnemonic);
	free(list->guesses);
}

/* ---- the body of a kernel file ---------------------------------------------------------------------- */

static bool report_progress(struct import *in, struct error *err)
{
	uint64_t bytes = in->text_bytes + in->file.text.bytes_read;
	if (!in->job->progress || bytes < in->next_report)
		return true;
	in->next_report = bytes + (16 << 20);
	return in->job->progress(in->job->user, bytes, in->job->warp_insns + in->file.warp_insns) ||
	       error_set(err, "%s: the import was ended on request", in->job->path);
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

static bool read_warp(struct import *in, struct error *err)
{
	struct kernel_file *f = &in->file;
	uint64_t warp, count;
	if (!read_count(f, "warp", &warp, err))
		return false;
	if (warp >= f->kernel.warps_per_cta)
		return text_error(&f->text, f->text.line, err, "warp %llu of a CTA that has %u",
		                  (unsigned long long)warp, f->kernel.warps_per_cta);
	struct error cause;
	if (!trace_writer_begin_warp(f->writer, (uint32_t)warp, &cause))
		return text_error(&f->text, f->text.line, err, "%s", cause.text);
	enum text_result r = next_line(f, err);
	if (r != TEXT_LINE)
		return ends_early(f, r, "'insts = <number>'", err);
	f->last = NULL;
	f->warps++;
	return read_count(f, "insts", &count, err) && read_insns(in, count, err);
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
	return trace_writer_begin_cta(f->writer, cta, err);
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
	if (r == TEXT_ERROR || !begin_cta(f, cta, *next_cta, err))
		return false;
	for (; r == TEXT_LINE; r = next_line(f, err)) {
		if (!strncmp(f->text.line, "#END_TB", strlen("#END_TB"))) {
			*next_cta = cta + 1;
			return trace_writer_end_cta(f->writer, err);
		}
		if (f->text.line[0] != 'w')
			return text_error(&f->text, f->text.line, err,
			                  "expected 'warp = <number>' or '#END_TB'");
		if (!read_warp(in, err) || !report_progress(in, err))
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
	warn_missing(f, "CTAs", f->kernel.cta_count - ctas, f->kernel.cta_count);
	uint64_t warps = ctas * f->kernel.warps_per_cta;
	warn_missing(f, "warps", warps - f->warps, warps);
	return true;
}

static bool read_kernel(struct import *in, struct error *err)
{
	struct kernel_file *f = &in->file;
	return accelsim_read_header(f, err) && trace_writer_begin_kernel(f->writer, &f->kernel, err) &&
	       read_body(in, err) && trace_writer_end_kernel(f->writer, err);
}

static bool import_kernel(struct import *in, const char *path, unsigned ordinal, struct error *err)
{
	struct kernel_file *f = &in->file;
	enum text_packing packing;
	accelsim_packing(path, &packing);
	memset(f, 0, sizeof *f);
	f->writer = in->writer;
	/* Where the header does not say. */
	f->kernel.id = accelsim_file_number(path);
	if (!f->kernel.id)
		f->kernel.id = ordinal + 1;
	f->kernel.name = "unnamed";
	if (!text_open(&f->text, path, packing, err))
		return false;
	bool ok = read_kernel(in, err);
	in->text_bytes += f->text.bytes_read;
	in->job->warp_insns += f->warp_insns;
	in->job->text_bytes = in->text_bytes;
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
		bool ok = c->file ? import_kernel(in, c->file, kernels++, err)
		                  : trace_writer_copy(in->writer, c->address, c->bytes, err);
		if (!ok)
			return false;
	}
	guess_list_report(&in->guesses, in->writer);
	return true;
}

bool accelsim_import(struct accelsim_import *job, struct error *err)
{
	struct accelsim_list list;
	job->text_bytes = job->warp_insns = 0;
	if (!accelsim_list_read(&list, job->path, err))
		return false;
	struct import *in = calloc(1, sizeof *in);
	bool ok = in || error_set(err, "out of memory");
	if (ok) {
		in->job = job;
		in->writer = trace_writer_new(job->out_path, err);
		ok = in->writer && import_list(in, &list, err);
		if (ok)
			ok = trace_writer_finish(in->writer, err);
		else
			trace_writer_abort(in->writer);
		guess_list_free(&in->guesses);
	}
	free(in);
	accelsim_list_free(&list);
	return ok;
}
