/*
 * Accel-Sim SASS traces: import (tracer versions 1 to 6, .traceg, .traceg.xz
 * and .tracez, binary versions Kepler to Hopper) and export (text of version 4
 * or 6).
 */
#ifndef SLUICE_ACCELSIM_ACCELSIM_H
#define SLUICE_ACCELSIM_ACCELSIM_H

#include "trace/trace.h"

/* Called from time to time with the bytes of text read so far; false ends the import, which fails. May be NULL. */
typedef bool (*accelsim_progress)(void *user, uint64_t text_bytes, uint64_t warp_insns);

struct accelsim_import {
	const char *path; /* folder with kernelslist.g, or a kernelslist.g, or one .traceg[.xz] or .tracez */
	const char *out_path; /* the .sluice file to write */
	accelsim_progress progress;
	void *user;
	/* results */
	uint64_t text_bytes, warp_insns;
};

bool accelsim_import(struct accelsim_import *import, struct error *err);
/*
 * Return whether the numbers in the names of kernel files (kernel-3.traceg) agree with their headers, which became
 * `trace`. Names without a number, and anything but an Accel-Sim trace, agree.
 */
bool accelsim_numbers_agree(const char *path, const struct trace *trace, struct error *err);
enum { ACCELSIM_EXPORT_OLD = 4, ACCELSIM_EXPORT_NEW = 6 };
/*
 * Write kernelslist.g and kernel-<id>.traceg as tracer version `version` into the folder `dir`, which is created if missing and
 * must be empty. The new version has bulk copies and groups of copies, the old one is read by more simulators.
 */
bool accelsim_export(struct trace *trace, const char *dir, unsigned version, struct error *err);
/*
 * Remove the files that accelsim_export() writes, and nothing else; does nothing if there is no such folder. False: this
 * command reads one of them, and nothing is removed.
 */
bool accelsim_remove_export(const char *folder, struct error *err);

/* Note the trace at `path` and every file that it consists of (base/read_files.h), before any is opened. */
void trace_note_files(const char *path);
/*
 * Open anything that holds a trace: a .sluice file, an Accel-Sim folder, a kernelslist.g, a .traceg[.xz] or a .tracez file.
 * Accel-Sim input is imported into the cache on first use; entries appear there complete or not at all.
 */
struct trace *trace_open_any(const char *path, accelsim_progress progress, void *user, struct error *err);
/* Return whether this is a .sluice file, by its first bytes or its name. */
bool trace_is_native(const char *path);

/*
 * Set class, space, width, spans and flags of a SASS mnemonic ("LDG.E.64.SYS"). Unknown opcodes are guessed, see
 * INSN_GUESSED. `insn` brings its registers: dst (TRACE_REG_NONE if it has none), src and src_count.
 */
void sass_classify(const char *mnemonic, uint32_t binary_version, struct trace_insn *insn);

#endif
