/* The values of machine keys that are words: their spellings, and an enum for each key. */
#ifndef SLUICE_MACHINE_CHOICES_H
#define SLUICE_MACHINE_CHOICES_H

/* E(TYPE, NAME, spelling, doc) */
#define WARP_ORDER_VALUES(E)                                                                                 \
	E(WARP_ORDER, ASCENDING, "ascending", "warp 0 first")                                                \
	E(WARP_ORDER, DESCENDING, "descending", "highest warp first")
#define SCHEDULER_ORDER_VALUES(E)                                                                            \
	E(SCHEDULER_ORDER, FIXED, "fixed", "always in the same order")                                       \
	E(SCHEDULER_ORDER, ROTATING, "rotating", "another one in every cycle")
#define GPC_LAYOUT_VALUES(E)                                                                                 \
	E(GPC_LAYOUT, EVEN, "even", "GPCs of equal size, which take turns")                                  \
	E(GPC_LAYOUT, H200, "h200", "as measured on an H200, if there are 132 SMs")
#define COALESCE_VALUES(E)                                                                                   \
	E(COALESCE, WARP, "warp", "all lanes together")                                                      \
	E(COALESCE, BY_WIDTH, "by-width", "all lanes for 32 bits, half of them for 64, a quarter for 128")
#define ALLOCATE_VALUES(E)                                                                                   \
	E(ALLOCATE, ON_MISS, "on-miss", "reserve the line when the miss is sent")                            \
	E(ALLOCATE, ON_FILL, "on-fill", "take a line when the data return")
#define WRITE_HIT_VALUES(E)                                                                                  \
	E(WRITE_HIT, THROUGH, "write-through", "update the line and send the store on")                      \
	E(WRITE_HIT, EVICT, "write-evict", "invalidate the line and send the store on")                      \
	E(WRITE_HIT, BACK, "write-back", "update the line, mark it dirty, send it when it is evicted")
#define WRITE_MISS_VALUES(E)                                                                                 \
	E(WRITE_MISS, NO_ALLOCATE, "no-allocate", "send the store on")                                       \
	E(WRITE_MISS, ALLOCATE_MASK, "allocate-mask",                                                        \
	  "take a line without fetching; the written bytes are valid")                                       \
	E(WRITE_MISS, ALLOCATE_FETCH, "allocate-fetch", "take a line and fetch the rest of it")
#define SET_INDEX_VALUES(E)                                                                                  \
	E(SET_INDEX, SEQ, "seq", "low bits of the line address")                                             \
	E(SET_INDEX, FERMI, "fermi", "Fermi's XOR of address bits (Nugteren et al.)")                        \
	E(SET_INDEX, XOR, "xor", "XOR of the index with the two next bit fields")                            \
	E(SET_INDEX, IPOLY, "ipoly", "remainder by an irreducible polynomial over GF(2)")                    \
	E(SET_INDEX, HOPPER, "hopper", "XOR hash measured on an H200's L1")
#define HOME_INDEX_VALUES(E)                                                                                 \
	E(HOME_INDEX, HASH, "hash", "by a hash of the block")                                                \
	E(HOME_INDEX, HOPPER, "hopper", "by the XOR of address bits measured on an H200; blocks of 4 KiB")
#define SLICE_HASH_VALUES(E)                                                                                 \
	E(SLICE_HASH, NO, "no", "blocks go to the slices in turn")                                           \
	E(SLICE_HASH, YES, "yes", "by a hash of the block; slices get as many as chance gives them")         \
	E(SLICE_HASH, EVEN, "even", "in turn, from another slice on in every round: all get as many")
#define BANK_INDEX_VALUES(E)                                                                                 \
	E(BANK_INDEX, SEQ, "seq", "rows of a channel in sequence")                                           \
	E(BANK_INDEX, XOR, "xor", "the sequence, permuted by the next bits of the row")                      \
	E(BANK_INDEX, HASH, "hash", "a hash of the row")
/* clang-format off */
#define CARVE_VALUES(E)                                                                                      \
	E(CARVE, NONE, "none", "separate arrays")                                                                   \
	E(CARVE, VOLTA, "volta", "0, 8, 16, 32, 64 or 96 KiB of shared memory, the least that fits")                \
	E(CARVE, VOLTA_ONCE, "volta-once", "as volta, once for all launches of a program: the largest that one of them needs") \
	E(CARVE, HOPPER, "hopper", "8, 16, 32, 64, 100, 132, 164, 196 or 228 KiB, the least that fits, with 4 KiB per CTA up to 32")
/* clang-format on */
#define REPLACEMENT_VALUES(E)                                                                                \
	E(REPLACEMENT, LRU, "lru", "the least recently used line")                                           \
	E(REPLACEMENT, PLRU, "plru", "pseudo-LRU, a tree of bits per set")
#define CARVED_VALUES(E)                                                                                     \
	E(CARVED, WAYS, "ways", "every set has so many ways less")                                           \
	E(CARVED, SETS, "sets", "there are fewer sets, of all ways; needs l1d.index: seq")                   \
	E(CARVED, LINES, "lines", "sets take lines of the data array as they need them, until it is full")
#define UNIT_VALUES(E)                                                                                       \
	E(UNIT, ALU, "alu", "integer pipe")                                                                  \
	E(UNIT, FMA, "fma", "fused multiply-add pipe")                                                       \
	E(UNIT, FP64, "fp64", "double-precision pipe")                                                       \
	E(UNIT, XU, "xu", "transcendental pipe")                                                             \
	E(UNIT, TENSOR, "tensor", "matrix pipe")                                                             \
	E(UNIT, LSU, "lsu", "load/store issue port")                                                         \
	E(UNIT, CONST, "const", "constant port")                                                             \
	E(UNIT, UNIFORM, "uniform", "uniform datapath")                                                      \
	E(UNIT, BRANCH, "branch", "branch unit")

/* X(TYPE, tag): every type of such keys. */
#define CHOICE_TYPES(X)                                                                                      \
	X(WARP_ORDER, warp_order)                                                                            \
	X(SCHEDULER_ORDER, scheduler_order)                                                                  \
	X(GPC_LAYOUT, gpc_layout)                                                                            \
	X(HOME_INDEX, home_index)                                                                            \
	X(SLICE_HASH, slice_hash)                                                                            \
	X(COALESCE, coalesce)                                                                                \
	X(ALLOCATE, allocate)                                                                                \
	X(WRITE_HIT, write_hit)                                                                              \
	X(WRITE_MISS, write_miss)                                                                            \
	X(SET_INDEX, set_index)                                                                              \
	X(BANK_INDEX, bank_index)                                                                            \
	X(CARVE, carve)                                                                                      \
	X(CARVED, carved)                                                                                    \
	X(REPLACEMENT, replacement)                                                                          \
	X(UNIT, unit)

/* enum warp_order { WARP_ORDER_ASCENDING, ... }; and so on. */
#define E(TYPE, NAME, spelling, doc) TYPE##_##NAME,
#define CHOICE_ENUM(TYPE, tag) enum tag { TYPE##_VALUES(E) };
CHOICE_TYPES(CHOICE_ENUM)
#undef CHOICE_ENUM
enum { UNIT_COUNT = UNIT_BRANCH + 1 };
#undef E

#endif
