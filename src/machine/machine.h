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
#include "trace/insn.h"

/* Enum-valued keys: E(NAME, spelling, doc) */
#define WARP_ORDER_VALUES(E)                                                                                 \
	E(ASCENDING, "ascending", "warp 0 first")                                                            \
	E(DESCENDING, "descending", "highest warp first")
#define SCHEDULER_ORDER_VALUES(E)                                                                            \
	E(FIXED, "fixed", "always in the same order")                                                        \
	E(ROTATING, "rotating", "another one in every cycle")
#define COALESCE_VALUES(E)                                                                                   \
	E(WARP, "warp", "all lanes together")                                                                \
	E(BY_WIDTH, "by-width", "all lanes for 32 bits, half of them for 64, a quarter for 128")
#define ALLOCATE_VALUES(E)                                                                                   \
	E(ON_MISS, "on-miss", "reserve the line when the miss is sent")                                      \
	E(ON_FILL, "on-fill", "take a line when the data return")
#define WRITE_HIT_VALUES(E)                                                                                  \
	E(THROUGH, "write-through", "update the line and send the store on")                                 \
	E(EVICT, "write-evict", "invalidate the line and send the store on")                                 \
	E(BACK, "write-back", "update the line, mark it dirty, send it when it is evicted")
#define WRITE_MISS_VALUES(E)                                                                                 \
	E(NO_ALLOCATE, "no-allocate", "send the store on")                                                   \
	E(ALLOCATE_MASK, "allocate-mask", "take a line without fetching; the written bytes are valid")       \
	E(ALLOCATE_FETCH, "allocate-fetch", "take a line and fetch the rest of it")
#define SET_INDEX_VALUES(E)                                                                                  \
	E(SEQ, "seq", "low bits of the line address")                                                        \
	E(FERMI, "fermi", "Fermi's XOR of address bits (Nugteren et al.)")                                   \
	E(XOR, "xor", "XOR of the index with the two next bit fields")                                       \
	E(IPOLY, "ipoly", "remainder by an irreducible polynomial over GF(2)")                               \
	E(HOPPER, "hopper", "XOR hash measured on an H200's L1")
#define BANK_INDEX_VALUES(E)                                                                                 \
	E(SEQ, "seq", "rows of a channel in sequence")                                                       \
	E(XOR, "xor", "the sequence, permuted by the next bits of the row")                                  \
	E(HASH, "hash", "a hash of the row")
/* clang-format off */
#define CARVE_VALUES(E)                                                                                      \
	E(NONE, "none", "separate arrays")                                                                   \
	E(VOLTA, "volta", "0, 8, 16, 32, 64 or 96 KiB of shared memory, the least that fits")                \
	E(HOPPER, "hopper", "8, 16, 32, 64, 100, 132, 164, 196 or 228 KiB, the least that fits, with 4 KiB per CTA up to 32")
/* clang-format on */
#define REPLACEMENT_VALUES(E)                                                                                \
	E(LRU, "lru", "the least recently used line")                                                        \
	E(PLRU, "plru", "pseudo-LRU, a tree of bits per set")
#define CARVED_VALUES(E)                                                                                     \
	E(WAYS, "ways", "every set has so many ways less")                                                   \
	E(LINES, "lines", "sets take lines of the data array as they need them, until it is full")
#define UNIT_VALUES(E)                                                                                       \
	E(ALU, "alu", "integer pipe")                                                                        \
	E(FMA, "fma", "fused multiply-add pipe")                                                             \
	E(FP64, "fp64", "double-precision pipe")                                                             \
	E(XU, "xu", "transcendental pipe")                                                                   \
	E(TENSOR, "tensor", "matrix pipe")                                                                   \
	E(LSU, "lsu", "load/store issue port")                                                               \
	E(CONST, "const", "constant port")                                                                   \
	E(UNIFORM, "uniform", "uniform datapath")                                                            \
	E(BRANCH, "branch", "branch unit")

#define E(NAME, spelling, doc) WARP_ORDER_##NAME,
enum warp_order { WARP_ORDER_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) SCHEDULER_ORDER_##NAME,
enum scheduler_order { SCHEDULER_ORDER_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) BANK_INDEX_##NAME,
enum bank_index { BANK_INDEX_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) COALESCE_##NAME,
enum coalesce { COALESCE_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) ALLOCATE_##NAME,
enum allocate { ALLOCATE_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) WRITE_HIT_##NAME,
enum write_hit { WRITE_HIT_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) WRITE_MISS_##NAME,
enum write_miss { WRITE_MISS_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) SET_INDEX_##NAME,
enum set_index { SET_INDEX_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) CARVE_##NAME,
enum carve { CARVE_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) REPLACEMENT_##NAME,
enum replacement { REPLACEMENT_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) CARVED_##NAME,
enum carved { CARVED_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) UNIT_##NAME,
enum unit { UNIT_VALUES(E) UNIT_COUNT };
#undef E

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
/* One that can be changed apart from it; the caller frees it. */
struct machine *machine_copy(const struct machine *machine, struct error *err);
void machine_free(struct machine *machine);
/* Where the value of a key came from, "h200.yaml:31"; for `sluice machine show`. NULL: no such key. */
const char *machine_origin(const struct machine *machine, const char *section, const char *key);
/*
 * Sets "l1d.sets" to the text "64" as a machine file would; for sweeps and
 * tests. `origin` is copied. Cross-key rules are not run: call machine_check()
 * after the last change.
 */
bool machine_set(struct machine *machine, const char *key, const char *text, const char *origin,
                 struct error *err);

/* Cross-key rules that no range can say (powers of two, sums, divisibility). */
bool machine_check(const struct machine *machine, struct error *err);
/* Values that are legal but doubtful: fills at most max texts, returns how many there are. */
size_t machine_warn(const struct machine *machine, struct error *texts, size_t max);

#endif
