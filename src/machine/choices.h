/* What the keys of a machine that are no numbers may be: their spellings, and an enum for each. */
#ifndef SLUICE_MACHINE_CHOICES_H
#define SLUICE_MACHINE_CHOICES_H

/* Enum-valued keys: E(NAME, spelling, doc) */
#define WARP_ORDER_VALUES(E)                                                                                 \
	E(ASCENDING, "ascending", "warp 0 first")                                                            \
	E(DESCENDING, "descending", "highest warp first")
#define SCHEDULER_ORDER_VALUES(E)                                                                            \
	E(FIXED, "fixed", "always in the same order")                                                        \
	E(ROTATING, "rotating", "another one in every cycle")
#define GPC_LAYOUT_VALUES(E)                                                                                 \
	E(EVEN, "even", "GPCs of equal size, which take turns")                                              \
	E(H200, "h200", "as measured on an H200, if there are 132 SMs")
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
#define HOME_INDEX_VALUES(E)                                                                                 \
	E(HASH, "hash", "by a hash of the block")                                                            \
	E(HOPPER, "hopper", "by the XOR of address bits measured on an H200; blocks of 4 KiB")
#define SLICE_HASH_VALUES(E)                                                                                 \
	E(NO, "no", "blocks go to the slices in turn")                                                       \
	E(YES, "yes", "by a hash of the block; slices get as many as chance gives them")                     \
	E(EVEN, "even", "in turn, from another slice on in every round: all get as many")
#define BANK_INDEX_VALUES(E)                                                                                 \
	E(SEQ, "seq", "rows of a channel in sequence")                                                       \
	E(XOR, "xor", "the sequence, permuted by the next bits of the row")                                  \
	E(HASH, "hash", "a hash of the row")
/* clang-format off */
#define CARVE_VALUES(E)                                                                                      \
	E(NONE, "none", "separate arrays")                                                                   \
	E(VOLTA, "volta", "0, 8, 16, 32, 64 or 96 KiB of shared memory, the least that fits")                \
	E(VOLTA_ONCE, "volta-once", "as volta, once for all launches of a program: the largest that one of them needs") \
	E(HOPPER, "hopper", "8, 16, 32, 64, 100, 132, 164, 196 or 228 KiB, the least that fits, with 4 KiB per CTA up to 32")
/* clang-format on */
#define REPLACEMENT_VALUES(E)                                                                                \
	E(LRU, "lru", "the least recently used line")                                                        \
	E(PLRU, "plru", "pseudo-LRU, a tree of bits per set")
#define CARVED_VALUES(E)                                                                                     \
	E(WAYS, "ways", "every set has so many ways less")                                                   \
	E(SETS, "sets", "there are fewer sets, of all ways; needs l1d.index: seq")                           \
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
#define E(NAME, spelling, doc) SLICE_HASH_##NAME,
enum slice_hash { SLICE_HASH_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) BANK_INDEX_##NAME,
enum bank_index { BANK_INDEX_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) GPC_LAYOUT_##NAME,
enum gpc_layout { GPC_LAYOUT_VALUES(E) };
#undef E
#define E(NAME, spelling, doc) HOME_INDEX_##NAME,
enum home_index { HOME_INDEX_VALUES(E) };
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

#endif
