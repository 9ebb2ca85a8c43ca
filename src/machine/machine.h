/*
 * A machine: a GPU described as data. Read from machines/NAME.yaml (or a path), checked key by key against
 * keys.def, immutable afterwards.
 */
#ifndef SLUICE_MACHINE_MACHINE_H
#define SLUICE_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/choices.h"
#include "trace/insn.h"

/* How a class of instructions uses a scheduler's pipes. */
struct op_timing {
	uint32_t unit;            /* enum unit */
	uint32_t latency_cycles;  /* issue to issue of a dependent instruction; memory classes: ignored */
	uint32_t interval_cycles; /* cycles the pipe is taken */
};

/* One field per key of keys.def, named section_key: m->l1d_sets, m->dram_tRCD. */
#define MACHINE_FIELD_U32 uint32_t
#define MACHINE_FIELD_REAL double
#define MACHINE_FIELD_BOOL uint32_t
#define MACHINE_FIELD_WARP_ORDER uint32_t
#define MACHINE_FIELD_COALESCE uint32_t
#define MACHINE_FIELD_SCHEDULER_ORDER uint32_t
#define MACHINE_FIELD_GPC_LAYOUT uint32_t
#define MACHINE_FIELD_HOME_INDEX uint32_t
#define MACHINE_FIELD_SLICE_HASH uint32_t
#define MACHINE_FIELD_BANK_INDEX uint32_t
#define MACHINE_FIELD_ALLOCATE uint32_t
#define MACHINE_FIELD_WRITE_HIT uint32_t
#define MACHINE_FIELD_WRITE_MISS uint32_t
#define MACHINE_FIELD_SET_INDEX uint32_t
#define MACHINE_FIELD_CARVE uint32_t
#define MACHINE_FIELD_CARVED uint32_t
#define MACHINE_FIELD_REPLACEMENT uint32_t

struct machine_origins; /* file:line of every value */
struct machine {
#define X(section, key, TYPE, unit, min, max, doc) MACHINE_FIELD_##TYPE section##_##key;
#include "machine/keys.def"
	struct op_timing op[OP_COUNT];
	char *name, *title, *source; /* title: one line; source: where the numbers come from */
	struct machine_origins *origins;
};

/*
 * Loads machines/NAME.yaml (NAME without a slash or ".yaml") or the file at a
 * path, resolves `extends:`, and runs machine_check(). NULL on error.
 */
struct machine *machine_load(const char *name_or_path, struct error *err);
/* The same from memory; messages and origins call the file `name`. `extends:` still reads files. */
struct machine *machine_load_text(const char *name, const char *text, size_t len, struct error *err);
/* Return an independent copy; the caller frees it. */
struct machine *machine_copy(const struct machine *machine, struct error *err);
void machine_free(struct machine *machine);
/* Where the value of a key came from, "h200.yaml:31"; for `sluice machine show`. NULL: no such key. */
const char *machine_origin(const struct machine *machine, const char *section, const char *key);
/*
 * Sets "l1d.sets" to the text "64" as a machine file would; for sweeps and tests. `origin` is copied.
 * Cross-key rules are not run: call machine_check() after the last change.
 */
bool machine_set(struct machine *machine, const char *key, const char *text, const char *origin,
                 struct error *err);

/* Cross-key rules that no range can say (powers of two, sums, divisibility). */
bool machine_check(const struct machine *machine, struct error *err);
/* Values that are legal but doubtful: fills at most max texts, returns how many there are. */
size_t machine_warn(const struct machine *machine, struct error *texts, size_t max);

#endif
